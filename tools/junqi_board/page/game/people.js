// The persons of a game: invitations, names, a few words to each other.

import { boardOf } from "../board/boards.js";
import { SeatIcon } from "../board/saying.js";
import { copied } from "../shell/dom.js";
import { announce, warn } from "../shell/notices.js";
import { setSetting, setting } from "../shell/store.js";
import { socket } from "../socket.js";
import { change, set, state } from "../state.js";
import { capital, sentences, t } from "../texts.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../view.js";
import { pingText, povOf, relationOf, whoAll } from "../voice.js";
import { unnamed } from "./levels.js";
import { QUICK_WORDS, quickLine, spokenText } from "./quick_words.js";

/** Time for which words stay at the speaker's plate. */
const SAID_MS = 8000;
const PING_MS = 5000;

/** @param {ChatLine} line @param {Pov} pov */
const speaker = ({ seats, name }, pov) => name || capital(whoAll(seats, pov));

/** @param {{ lines: ChatLine[], count: number }} message @param {Pov} pov */
export function receiveChat({ lines, count }, pov) {
  const last = lines.at(-1);
  // Lines from before this page was opened are not new.
  if (!last) return change("chat", { lines, count, said: null, isUnread: false });
  if (count !== state.chat.count + 1) return change("chat", { lines, count });
  announce(t("labelled", { name: speaker(last, pov), text: spokenText(last.words) }));
  change("chat", { lines, count, isUnread: state.side !== "chat", said: last });
  setTimeout(() => state.chat.said === last && change("chat", { said: null }), SAID_MS);
}

/** Shows a point that the partner, or the person itself, points out. @param {Ping} ping */
export function receivePing(ping) {
  const { game } = state.table;
  const data = boardOf(game?.variant ?? "");
  change("chat", { ping });
  if (game && data) announce(pingText(ping, game.pieces, data, povOf(game, data)));
  setTimeout(() => state.chat.ping === ping && change("chat", { ping: null }), PING_MS);
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

/** Names the person to the others; a name that was not sent is sent with the next state. @param {string} name */
async function rename(name) {
  const isTaken = Boolean(await socket.ask("name", { name }));
  if (!isTaken && socket.isOpen) return;
  setSetting("name", name);
  if (!isTaken) change("chat", { named: "" });
}

/** The partner of the person; none for a person with both seats. @param {GameState} game @param {Pov} pov */
const partnerOf = ({ seats }, pov) => seats[[...pov.seats].find((seat) => relationOf(seat, pov) === "partner") ?? ""];

/**
 * Whether a computer partner says what it does: it is silent if it does not show its pieces.
 * @param {GameState} game
 * @param {Pov} pov
 */
export const isTold = (game, pov) =>
  game.viewer.length > game.mine.length && partnerOf(game, pov)?.who === "engine";

/** A player in words who has given no name. @param {SeatState} seat */
const invitedName = (seat) =>
  seat.who === "engine" ? t("invite.computer", { level: unnamed(seat) }) : unnamed(seat);

/** Who has invited a guest, and who is its partner. @param {GameState} game @param {Pov} pov */
export function invitedText(game, pov) {
  const [host, partner] = [Object.values(game.seats).find(({ who }) => who === "me"), partnerOf(game, pov)];
  const invited = host?.is_named ? t("invite.from", { name: host.name }) : t("invite.from.host");
  if (partner && partner === host) return sentences(invited, t("invite.partner.host"));
  return sentences(
    invited,
    ...(partner ? [t("invite.partner", { name: partner.is_named ? partner.name : invitedName(partner) })] : []),
  );
}

/**
 * Tells a guest who has invited it, and asks a person that comes to play with others for its name.
 * @param {{ game: GameState, pov: Pov }} props
 */
export function NameCard({ game, pov }) {
  const [name, setName] = useState("");
  const take = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (name.trim()) rename(name.trim());
  };
  const isNew = game.phase === "arranging" && hasCompany(game);
  const isUnknown = isNew && !game.seats[game.mine[0]].is_named && !setting("name", "");
  const isGuest = isNew && !state.catalogue.isHost;
  return (isUnknown || isGuest) && html`<div id="name-card" class="card">
    ${isGuest && html`<p>${invitedText(game, pov)}</p>`}
    ${isUnknown && html`<form class="row" onSubmit=${take}>
      <input id="name-own" maxlength="24" autocomplete="nickname" aria-label=${t("chat.name")} value=${name}
        placeholder=${t("chat.name")} onInput=${(/** @type {any} */ { target }) => setName(target.value)} />
      <button>${t("name.take")}</button>
    </form>`}
  </div>`;
}

/**
 * The names of some seats, each once, beside whom a computer is one; without any, what they are to the person.
 * @param {GameState} game
 * @param {string} team
 * @param {Pov} pov
 */
export function teamName({ seats }, team, pov) {
  const players = [...team].map((seat) => seats[seat]).filter((one) => one.is_named || one.who === "engine");
  if (!players.some((one) => one.is_named)) return capital(whoAll(team, pov));
  return [...new Set(players.map((one) => (one.is_named ? one.name : t("who.computer"))))].join("·");
}

/** The score of both teams since these persons began to play. @param {{ game: GameState, pov: Pov }} props */
export function Score({ game, pov }) {
  const teams = Object.keys(game.score);
  if (!hasCompany(game) || !teams.length) return null;
  const [own, other] = teams[0].includes(game.mine[0]) ? teams : teams.reverse();
  const texts = { own: teamName(game, own, pov), other: teamName(game, other, pov) };
  return html`<p id="score" class="score"><bdi>
    ${t("score", { ...texts, won: game.score[own], lost: game.score[other] })}</bdi></p>`;
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
  const isHeard = hasCompany(game);
  return html`<div class="card" hidden=${isHidden}>
    ${isHeard && html`<label class="wide"><span>${t("chat.name")}</span>${" "}
      <input id="chat-name" maxlength="24" autocomplete="nickname" value=${setting("name", "")}
        onChange=${(/** @type {any} */ { target }) => rename(target.value.trim())} />
    </label>`}
    <ul id="chat-lines" class="chat" tabindex="0" aria-label=${t("chat.title")} ref=${list}>
      ${lines.map((line) => html`<li><${SeatIcon} seat=${line.seats[0]} /> <b><bdi>${speaker(line, pov)}</bdi>
        </b> ${game.may.tell_partner && line.to_all && html`<span class="soft">${t("chat.all")}</span> `}<bdi>
          ${spokenText(line.words)}</bdi></li>`)}
    </ul>
    ${isTold(game, pov) && html`<p class="soft">${t("chat.computer")}</p>`}
    ${game.may.tell_partner && html`<div class="row" id="quick-words" role="group" aria-label=${t("chat.partner")}>
      ${QUICK_WORDS.map((word) => html`<button class="chip" onClick=${() =>
        socket.ask("chat", { words: quickLine(word), to_all: false })}>${t(`quick.${word}`)}</button>`)}
    </div>`}
    ${isHeard && html`<form class="row" id="chat-form" onSubmit=${send}>
      <input id="chat-words" maxlength="120" autocomplete="off" aria-label=${label} placeholder=${label} value=${words}
        onInput=${(/** @type {any} */ { target }) => setWords(target.value)} />
      ${game.may.tell_partner && html`<label><input type="checkbox" id="chat-all" checked=${isAsked}
        onChange=${() => askAll(!isAsked)} />${" "}<span>${t("chat.all")}</span></label>`}
      <button>${t("chat.send")}</button>
    </form>`}
  </div>`;
}

/** The links for the guests, and who of them has come. @param {{ game: GameState, pov: Pov }} props */
export function Invitations({ game, pov }) {
  const { game: of, list } = state.table.invitations;
  const isHere = (/** @type {string} */ seats) => game.seats[seats[0]]?.is_here;
  const isAwaited = list.some(({ seats }) => !isHere(seats));
  const isDue = list.length > 0 && (isAwaited || game.phase === "arranging");
  return of === game.game && isDue && html`<div id="invitations" class="card">
    <h2>${t("invite.title")}</h2>
    ${isAwaited && html`<p class="soft">${t("invite.hint")}</p>`}
    <ul>${list.map(({ seats, token }) =>
      isHere(seats)
        ? html`<li class="good">✓ ${t("invite.here", { name: teamName(game, seats, pov) })}</li>`
        : html`<${Invitation} key=${token} token=${token} of=${seats} pov=${pov} />`,
    )}</ul>
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
  const share = () => navigator.share({ title: t("title"), url: address }).catch(() => undefined);
  const copy = () => (copied(address) ? setCopied(true) : warn(() => address, 0));
  return html`<li>
    <a href=${address} target="_blank" rel="noopener noreferrer" title=${address}>${name}</a>
      ${" "}
    ${"share" in navigator && html`<button class="chip" onClick=${share}>${t("invite.share")}</button> `}
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
