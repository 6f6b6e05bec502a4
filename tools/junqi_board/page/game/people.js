// The persons of a game: invitations, names, a few words to each other.

import { copied } from "../shell/dom.js";
import { announce, warn } from "../shell/notices.js";
import { setSetting, setting } from "../shell/store.js";
import { socket } from "../socket.js";
import { change, set, state } from "../state.js";
import { capital, t } from "../texts.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../view.js";
import { relationOf, whoAll } from "../voice.js";

/** How long words are seen at the plate of who said them. */
const SAID_MS = 8000;

/** @param {ChatLine} line @param {Pov} pov */
const speaker = ({ seats, name }, pov) => name || capital(whoAll(seats, pov));

/** @param {{ lines: ChatLine[], count: number }} message @param {Pov} pov */
export function receiveChat({ lines, count }, pov) {
  const last = lines.at(-1);
  // What was said before the page came is not new.
  if (!last || count !== state.chat.count + 1) return change("chat", { lines, count });
  announce(t("labelled", { name: speaker(last, pov), text: last.words }));
  change("chat", { lines, count, isUnread: state.side !== "chat", said: last });
  setTimeout(() => state.chat.said === last && change("chat", { said: null }), SAID_MS);
}

/** Whether the person plays with other persons. @param {GameState} game */
export const hasCompany = ({ mine, may }) => Boolean(mine) && !may.be_helped;

/** Names the person to those who play with it, and offers the chat. @param {GameState} game */
export function introduce(game) {
  if (!hasCompany(game) || state.chat.named === game.game) return;
  change("chat", { named: game.game });
  showSide("chat");
  if (setting("name", "")) socket.send("name", { name: setting("name", "") });
}

/** @param {string} name `log`, `chat` or `help` */
export function showSide(name) {
  set({ side: name, chat: { ...state.chat, isUnread: state.chat.isUnread && name !== "chat" } });
}

/** @param {{ game: GameState, pov: Pov, isHidden: boolean }} props */
export function ChatCard({ game, pov, isHidden }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const [words, setWords] = useState("");
  const [isAsked, askAll] = useState(false);
  const toAll = isAsked || !game.may.tell_partner;
  const label = t(toAll ? "chat.words" : "chat.partner");
  const { lines } = state.chat;
  useLayoutEffect(() => list.current?.scrollTo(0, list.current.scrollHeight), [lines]);
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!words.trim() || !(await socket.ask("chat", { words: words.trim(), to_all: toAll }))) return;
    setWords((/** @type {string} */ now) => (now === words ? "" : now));
    // The next line is for the partner again.
    askAll(false);
  };
  const rename = async (/** @type {any} */ { target }) => {
    const name = target.value.trim();
    const isTaken = Boolean(await socket.ask("name", { name }));
    if (!isTaken && socket.isOpen) return;
    setSetting("name", name);
    // A name that was not sent is sent with the next state of the game.
    if (!isTaken) change("chat", { named: "" });
  };
  return html`<div class="card" hidden=${isHidden}>
    <label class="wide"><span>${t("chat.name")}</span>${" "}
      <input id="chat-name" maxlength="24" autocomplete="nickname" value=${setting("name", "")} onChange=${rename} />
    </label>
    <ul id="chat-lines" class="chat" aria-live="polite" tabindex="0" aria-label=${t("chat.title")} ref=${list}>
      ${lines.map((line) => html`<li><b><bdi>${speaker(line, pov)}</bdi>
        </b> ${game.may.tell_partner && line.to_all && html`<span class="soft">${t("chat.all")}</span> `}<bdi>
          ${line.words}</bdi></li>`)}
    </ul>
    <form class="row" id="chat-form" onSubmit=${send}>
      <input id="chat-words" maxlength="120" autocomplete="off" aria-label=${label} placeholder=${label} value=${words}
        onInput=${(/** @type {any} */ { target }) => setWords(target.value)} />
      ${game.may.tell_partner && html`<label><input type="checkbox" id="chat-all" checked=${isAsked}
        onChange=${() => askAll(!isAsked)} />${" "}<span>${t("chat.all")}</span></label>`}
      <button>${t("chat.send")}</button>
    </form>
  </div>`;
}

/** The addresses of guests that have not come yet. @param {{ game: GameState, pov: Pov }} props */
export function Invitations({ game, pov }) {
  const { game: of, list } = state.table.invitations;
  const open = list.filter(({ seats }) => !game.seats[seats[0]]?.is_here);
  return of === game.game && open.length > 0 && html`<div id="invitations" class="card">
    <h2>${t("invite.title")}</h2>
    <p class="soft">${t("invite.hint")}</p>
    <ul>${open.map(({ seats, token }) => html`<${Invitation} key=${token} token=${token} of=${seats} pov=${pov} />`)}
    </ul>
  </div>`;
}

/**
 * The link for some seats, with a QR code if other devices can reach this machine.
 * @param {{ token: string, of: string, pov: Pov }} props
 */
function Invitation({ token, of, pov }) {
  const [isCopied, setCopied] = useState(false);
  const origin = state.catalogue.lan ? `http://${state.catalogue.lan}:${location.port}` : location.origin;
  const address = `${origin}/#${token}`;
  const isOpponent = relationOf(of[0], pov) === "enemy";
  const name = isOpponent ? t("invite.link.enemy") : t("invite.link", { name: whoAll(of, pov) });
  const copy = () => (copied(address) ? setCopied(true) : warn(() => address, 0));
  return html`<li>
    <a href=${address} target="_blank" rel="noopener noreferrer" title=${address}>${name}</a>
      ${" "}
    <button class="chip" onClick=${copy}>${t(isCopied ? "invite.copied" : "invite.copy")}</button>
    ${origin !== location.origin && html`<${Picture} address=${address} />`}
  </li>`;
}

/** The QR code of an address. @param {{ address: string }} props */
function Picture({ address }) {
  const [rows, setRows] = useState(/** @type {string[]} */ ([]));
  useEffect(() => void socket.ask("qr", { address }).then((answer) => answer && setRows(answer.rows)), [address]);
  const dark = rows.flatMap((row, y) => [...row].map((module, x) => (module === "1" ? `M${x} ${y}h1v1h-1z` : "")));
  const size = rows.length + 8;
  return html`<svg class="qr" viewBox="-4 -4 ${size} ${size}" role="img" aria-label=${t("invite.qr")}><path
    d=${dark.join("")} /></svg>`;
}
