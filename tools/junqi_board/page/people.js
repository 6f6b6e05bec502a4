// The persons of a game: invitations, names, a few words to each other, a rematch.

import { catalogue } from "./catalogue.js";
import { $, announce, child, copied, make, warn } from "./dom.js";
import { showSide } from "./navigation.js";
import { socket } from "./socket.js";
import { keep, kept } from "./storage.js";
import { capital, t } from "./texts.js";
import { resultKind, whoAll } from "./voice.js";

export const people = {
  /** The game whose person has been named. */
  named: 0,
  /** @type {TalkLine[]} */
  lines: [],
  /** Whether a line has come while the talk was hidden. */
  isUnread: false,
  listener: { mine: "", seats: "" },

  begin() {
    $("talk-form").onsubmit = (event) => {
      event.preventDefault();
      this.say($("talk-words").value);
      if (socket.isOpen) $("talk-words").value = "";
    };
    $("talk-name").onchange = () => {
      keep("name", $("talk-name").value.trim());
      // A name that was not sent is sent with the next state of the game.
      if (!socket.send("name", { name: $("talk-name").value.trim() })) this.named = 0;
    };
    $("rematch").onclick = () => socket.ask("rematch");
  },

  /** @param {string} words */
  say(words) {
    if (words.trim()) socket.ask("say", { words: words.trim() });
  },

  /** @param {TalkLine[]} lines */
  receive(lines) {
    const last = lines.at(-1);
    if (last && lines.length > this.lines.length) {
      announce(t("labelled", { name: this.speaker(last), text: last.words }));
      this.isUnread = $("play").dataset.side !== "chat";
    }
    this.lines = lines;
    this.drawLines();
  },

  /** @param {GameState} state @param {BoardData} data */
  draw(state, data) {
    this.listener = { mine: state.mine, seats: data.seats };
    if ($("play").dataset.side === "chat") this.isUnread = false;
    child($("side"), "[data-side=chat]").classList.toggle("unread", this.isUnread);
    const persons = new Set(Object.values(state.seats).filter((seat) => seat.who !== "engine").map((seat) => seat.seats));
    const hasCompany = persons.size > 1;
    $("talk-card").hidden = !state.mine || !hasCompany;
    if (state.mine && hasCompany && this.named !== state.game) {
      this.named = state.game;
      showSide("chat");
      $("talk-name").value = kept("name", "");
      if (kept("name", "")) socket.send("name", { name: kept("name", "") });
    }
    this.drawLines();
    // Without a seat, the host may begin another game of the engines.
    const mayAsk = state.phase === "over" && (Boolean(state.mine) || catalogue.isHost);
    const hasAsked = state.mine !== "" && state.rematch.includes(state.mine[0]);
    $("rematch").hidden = !mayAsk;
    $("rematch").disabled = hasAsked;
    $("rematch").textContent = t(hasAsked ? "game.rematchAsked" : state.rematch ? "game.rematchAccept" : resultKind(state) === "lost" ? "end.again" : "game.rematch");
  },

  /** @param {{ seats: string, name: string }} line */
  speaker({ seats, name }) {
    return name || capital(whoAll(seats, this.listener));
  },

  drawLines() {
    const list = $("talk-lines");
    list.replaceChildren(...this.lines.map((line) => make("li", {}, make("b", {}, this.speaker(line)), " ", line.words)));
    list.scrollTop = list.scrollHeight;
  },
};

/**
 * Shows the addresses of guests that have not come yet; with a picture for a telephone if it can reach this machine.
 * @param {GameInvitation[]} invitations
 * @param {GameState} state
 * @param {BoardData} data
 */
export function showInvitations(invitations, state, data) {
  const open = invitations.filter(({ seats }) => !state.seats[seats[0]]?.is_here);
  $("invitations").hidden = !open.length;
  const list = child($("invitations"), "ul");
  const wanted = [document.documentElement.lang, ...open.map(({ token }) => token)].join();
  if (list.dataset.tokens === wanted) return;
  list.dataset.tokens = wanted;
  const origin = catalogue.url || (catalogue.lan ? `http://${catalogue.lan}:${location.port}` : location.origin);
  list.replaceChildren(
    ...open.map(({ seats, token }) => {
      const address = `${origin}/#${token}`;
      const name = seats === "-" ? t("spectators") : whoAll(seats, { mine: state.mine, seats: data.seats });
      const link = make("a", { href: address, target: "_blank", rel: "noopener noreferrer", title: address }, t("invite.link", { name }));
      const copy = make("button", { class: "chip" }, t("invite.copy"));
      copy.onclick = () => {
        if (copied(address)) copy.textContent = t("invite.copied");
        else warn(() => address, 0);
      };
      const item = make("li", {}, link, " ", copy);
      if (origin !== location.origin) showPicture(item, address);
      return item;
    }),
  );
}

/** Adds the QR code of an address. @param {HTMLElement} item @param {string} address */
async function showPicture(item, address) {
  /** @type {string[]} */
  const rows = (await socket.ask("qr", { address }))?.rows ?? [];
  const dark = rows.flatMap((row, y) => [...row].map((module, x) => (module === "1" ? `M${x} ${y}h1v1h-1z` : "")));
  const quiet = rows.length + 8;
  item.append(make("svg:svg", { class: "qr", viewBox: `-4 -4 ${quiet} ${quiet}`, role: "img", "aria-label": t("invite.qr") }, make("svg:path", { d: dark.join("") })));
}
