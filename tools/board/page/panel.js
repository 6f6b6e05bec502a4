// The panel beside a Junqi board: status, seats, moves, invitations.

import { $, child, make } from "./dom.js";
import { seatIcon } from "./pieces.js";
import { clauses, has, seatName, sentences, t, teamName } from "./texts.js";

/** @param {number} ms */
export function clockText(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return `${minutes}:${String(rest).padStart(2, "0")}`;
}

/**
 * Whose turn it is, or how the game ended.
 * @param {GameState} state
 * @param {BoardData} data
 */
export function statusText(state, data) {
  if (state.phase === "arranging") {
    const missing = Object.entries(state.seats).some(([seat, about]) => !about.ready && !state.mine.includes(seat));
    const iAmReady = [...state.mine].every((seat) => state.seats[seat].ready);
    return t(iAmReady && missing ? "status.waitLineups" : "status.arrange");
  }
  if (state.phase === "over") {
    const result = state.result ?? "";
    const mineWon = [...state.mine].some((seat) => result.includes(seat));
    let text = t("status.draw");
    if (result !== "draw") text = !state.mine ? t("status.wins", { team: teamName(result) }) : t(mineWon ? "status.won" : "status.lost");
    const how = `${t(`ending.${state.ending}`)}${state.detail ? ` (${state.detail})` : ""}`;
    return t("sentence", { text: t("labelled", { name: text, text: how }) });
  }
  if (state.paused) return t("status.paused");
  const seat = seatName(state.turn);
  const now = state.mine.includes(state.turn) ? "status.yourTurn" : state.seats[state.turn].is_thinking ? "status.thinking" : "status.turn";
  return sentences(...(state.last ? [t("sentence", { text: moveText(state.last, data) })] : []), t(now, { seat }));
}

/**
 * A move in words.
 * @param {LastMove | null} last
 * @param {BoardData | undefined} data
 */
export function moveText(last, data) {
  if (!last || !data) return "";
  const name = (/** @type {number} */ point) => data.points[point].name;
  const seat = seatName(last.seat);
  /** @type {string[]} */
  const words = [];
  if (last.resigned) words.push(t("battle.resigned", { seat }));
  else if (last.passed) words.push(t("battle.passed", { seat }));
  else words.push(t(`battle.${last.outcome}`, { seat, from: name(last.from), to: name(last.to) }));
  for (const flag of last.flags) words.push(t("battle.flag", { at: name(flag) }));
  for (const out of last.out) words.push(t("battle.out", { seat: seatName(out) }));
  return clauses(...words);
}

/**
 * Shows a list of seats.
 * @param {HTMLElement} list
 * @param {[seat: string, about: SeatState][]} seats
 * @param {{ mine: string, phase: string, alive?: string, counts?: Record<string, number>, turn?: string }} state
 */
export function showSeats(list, seats, state) {
  list.replaceChildren(
    ...seats.map(([seat, about]) => {
      const mark = seatIcon(seat);
      const isOut = state.alive !== undefined && !state.alive.includes(seat);
      /** @type {string[]} */
      const notes = [];
      if (about.who === "me" && state.mine.includes(seat)) notes.push(t("who.me"));
      else if (about.who === "guest" && !state.mine.includes(seat)) notes.push(t("who.guest"));
      else if (about.who === "me") notes.push(t("who.guest"));
      else if (about.who === "guest") notes.push(t("who.me"));
      else notes.push(has(`name.${about.name}`) ? t(`name.${about.name}`) : about.name);
      if (state.phase === "arranging") notes.push(t(about.ready ? "who.ready" : about.who === "engine" ? "who.starting" : "who.arranging"));
      else if (isOut) notes.push(t("who.out"));
      else if (state.counts) notes.push(t("who.pieces", { n: state.counts[seat] }));
      if (about.who && about.who !== "engine" && !about.is_here && !state.mine.includes(seat)) notes.push(t("who.away"));
      const isTurn = state.phase === "playing" && state.turn === seat;
      const classes = `${isTurn ? "turn" : ""} ${isOut ? "out" : ""} ${about.is_thinking ? "thinking" : ""}`;
      const clock = make("span", { class: "clock" });
      const words = make("span", { class: "who" }, make("b", {}, seatName(seat)), ` ${notes.join(" · ")}`);
      return make("li", { class: classes, "data-seat": seat, "aria-current": isTurn ? "true" : null }, mark, words, clock);
    }),
  );
}

/**
 * A move in the list: as in the record, but a turn that passed in words.
 * @param {string} move
 */
function listed(move) {
  const [, seat, rest] = /^pass:(.)(.*)$/.exec(move) ?? [];
  return seat ? t("moves.passed", { seat: seatName(seat) }) + rest : move;
}

/**
 * Shows a list of moves.
 * @param {HTMLElement} list
 * @param {string[]} moves
 * @param {number | null} at the ply that is marked; null follows the end of the list
 */
export function showMoves(list, moves, at) {
  while (list.childElementCount > moves.length) list.lastElementChild?.remove();
  const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  moves.forEach((move, index) => {
    let item = list.children[index];
    if (!item) list.append((item = make("li")));
    const text = listed(move);
    if (item.textContent !== text) item.textContent = text;
    item.classList.toggle("at", index + 1 === at);
  });
  if (at === null && isAtEnd) list.scrollTop = list.scrollHeight;
}

/**
 * Shows the addresses of guests that have not come yet.
 * @param {GameInvitation[]} invitations
 * @param {GameState} state
 */
export function showInvitations(invitations, state) {
  const open = invitations.filter(({ seats }) => !state.seats[seats[0]]?.is_here);
  $("invitations").hidden = !open.length;
  child($("invitations"), "ul").replaceChildren(
    ...open.map(({ seats, token }) => {
      const address = `${location.origin}/#${token}`;
      const link = make("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, t("labelled", { name: teamName(seats), text: address }));
      return make("li", {}, link);
    }),
  );
}
