// The panel beside a Junqi board: status, seats, moves, invitations.

import { engineName } from "./catalogue.js";
import { make } from "./dom.js";
import { pieceLines } from "./looks.js";
import { seatIcon } from "./pieces.js";
import { capital, clauses, either, seatName, sentences, t, teamName } from "./texts.js";

/** The reason of the outcome of a battle, as far as the person can know it; empty without a battle. @param {LastMove | null} last */
export function whyText(last) {
  const { attacker, defender, outcome } = last ?? {};
  if (!last || !attacker || !defender || outcome === "no-battle") return "";
  const known = [attacker, defender].filter(({ letter }) => letter !== "?");
  const name = (/** @type {KnownPiece} */ piece) => t(`piece.${piece.letter}`);
  if (outcome === "both-removed") {
    if (known.some(({ letter }) => letter === "k")) return t("why.bomb");
    if (known.length === 1) return t(known[0].letter === "j" ? "why.bomb" : "why.equalOrBomb", { piece: name(known[0]) });
    return known.length ? t("why.equal") : t("why.both");
  }
  const [winner, loser] = outcome === "attacker-won" ? [attacker, defender] : [defender, attacker];
  if (loser.letter === "l") return t("why.flag");
  if (winner.letter === "j") return t("why.mineHolds");
  if (loser.letter === "j") return t("why.mineCleared");
  if (winner.letter !== "?" && loser.letter !== "?") return t("why.outranks", { winner: name(winner), loser: name(loser) });
  if (loser.letter !== "?") return t(winner.may.includes("j") ? "why.strongerOrMine" : "why.stronger", { piece: name(loser) });
  return winner.letter !== "?" ? t("why.weaker", { piece: name(winner) }) : "";
}

const MOST = 10;

/** @param {HTMLElement} list @param {LastMove[]} story @param {BoardData} data @param {(ply: number) => void} playAgain */
export function showBattles(list, story, data, playAgain) {
  const found = story.map((entry, index) => ({ entry, ply: index + 1 })).filter(({ entry }) => entry.outcome !== "no-battle" || entry.out);
  const item = (/** @type {{ entry: LastMove, ply: number }} */ { entry, ply }) => {
    const words = sentences(t("sentence", { text: moveText(entry, data) }), whyText(entry));
    return make("li", {}, make("button", { class: "quiet", onclick: () => playAgain(ply) }, seatIcon(entry.seat), make("span", {}, words)));
  };
  list.replaceChildren(...(found.length ? found.slice(-MOST).reverse().map(item) : [make("li", { class: "hint" }, t("log.empty"))]));
}

/** @param {number} ms */
export function clockText(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return `${minutes}:${String(rest).padStart(2, "0")}`;
}

/** From which share of a limit on the moves towards it are counted. */
const COUNT_FROM = 0.5;
/** How many moves before a limit the person is warned. */
const WARN_AT = 5;

/**
 * Shows whose turn it is, what the last move did, and the moves towards a limit; or how the game ended.
 * @param {HTMLElement} box
 * @param {GameState} state
 * @param {BoardData} data
 */
export function showStatus(box, state, data) {
  const isPlaying = state.phase === "playing" && !state.paused;
  const last = isPlaying && state.last ? [make("span", {}, t("sentence", { text: moveText(state.last, data) }))] : [];
  const watches = isPlaying && !state.mine ? [make("span", {}, t("status.watching"))] : [];
  const counts = isPlaying ? countTexts(state, data).map(({ text, isNear }) => make("span", { class: isNear ? "count near" : "count" }, text)) : [];
  const parts = [make("b", {}, statusText(state)), ...watches, ...last, ...counts];
  box.replaceChildren(...parts.flatMap((part, index) => (index ? [" ", part] : [part])));
  box.classList.toggle("mine", Object.keys(state.targets ?? {}).length > 0);
}

/** Whose turn it is, or how the game ended. @param {GameState} state */
function statusText(state) {
  if (state.phase === "arranging") {
    const missing = Object.entries(state.seats).some(([seat, about]) => !about.ready && !state.mine.includes(seat));
    const iAmReady = [...state.mine].every((seat) => state.seats[seat].ready);
    return t(iAmReady && missing ? "status.waitLineups" : "status.arrange");
  }
  if (state.phase === "over") return t("sentence", { text: t("labelled", { name: resultText(state).text, text: endingText(state) }) });
  if (state.paused) return t("status.paused");
  const seat = seatName(state.turn);
  if (state.mine === state.turn) return t("status.mine");
  return t(state.mine.includes(state.turn) ? "status.yourTurn" : state.seats[state.turn].is_thinking ? "status.thinking" : "status.turn", { seat });
}

/**
 * The moves towards the limits of the game, from half of each on.
 * @param {GameState} state
 * @param {BoardData} data
 * @returns {{ text: string, isNear: boolean }[]}
 */
function countTexts(state, data) {
  const { limits, quiet, ply, alive, turn } = state;
  /** Who is to move after some moves. @param {number} left */
  const seatAfter = (left) => {
    const seats = [...data.seats].filter((seat) => alive.includes(seat));
    return seats[(seats.indexOf(turn) + left) % seats.length];
  };
  return [
    { key: limits.no_contact_loses ? "count.quietLoss" : "count.quiet", n: quiet, limit: limits.no_contact },
    { key: "count.plies", n: ply, limit: limits.max_plies },
  ]
    .filter(({ n, limit }) => limit && n < limit && n >= COUNT_FROM * limit)
    .map(({ key, n, limit }) => {
      const left = limit - n;
      const isNear = left <= WARN_AT;
      return { text: t(isNear ? `${key}Near` : key, { n, limit, left, seat: seatName(seatAfter(left)) }), isNear };
    });
}

/**
 * The result of a game for the page's person, in words and as one.
 * @param {GameState} state
 * @returns {{ text: string, kind: "won" | "lost" | "draw" | "over" }}
 */
export function resultText(state) {
  const result = state.result ?? "";
  if (result === "draw") return { text: t("status.draw"), kind: "draw" };
  if (!state.mine) return { text: t("status.wins", { team: teamName(result) }), kind: "over" };
  const mineWon = [...state.mine].some((seat) => result.includes(seat));
  return mineWon ? { text: t("status.won"), kind: "won" } : { text: t("status.lost"), kind: "lost" };
}

/** Why the game ended. @param {GameState} state */
export const endingText = (state) => `${t(`ending.${state.ending}`)}${state.detail ? ` (${state.detail})` : ""}`;

/** What happened at an entry of the record, in words. @param {LastMove | null} last @param {BoardData | undefined} data */
export function moveText(last, data) {
  if (!last || !data) return "";
  const name = (/** @type {number} */ point) => data.points[point].name;
  const seat = seatName(last.seat);
  /** @type {string[]} */
  const words = [];
  if (last.resigned) words.push(t("battle.resigned", { seat }));
  else if (last.passed) words.push(t("battle.passed", { seat }));
  else {
    const pieces = { attacker: pieceText(last.attacker, last.seat), defender: pieceText(last.defender, "") };
    words.push(t(`battle.${last.outcome}`, { ...pieces, seat, from: name(last.from), to: name(last.to) }));
  }
  for (const flag of last.flags) words.push(t("battle.flag", { at: name(flag) }));
  for (const out of last.out) words.push(t("battle.out", { seat: seatName(out) }));
  return capital(clauses(...words));
}

const RANKS = "abcdefghi";
const MOST_NAMED = 3;

/** A piece in words, with what is proven about it. @param {KnownPiece | null} piece @param {string} seat whose it is if nothing else is known */
export function pieceText(piece, seat) {
  if (!piece) return t("piece.someOf", { seat: seatName(seat) });
  if (piece.letter !== "?") return t("piece.of", { seat: seatName(piece.seat), piece: t(`piece.${piece.letter}`) });
  const what = t("piece.someOf", { seat: seatName(piece.seat) });
  const may = mayText(piece.may);
  return may ? t("piece.aside", { what, may }) : what;
}

/** What a hidden piece may be, if that can be said shortly; otherwise an empty text. @param {string} letters */
export function mayText(letters) {
  if (letters.length <= MOST_NAMED) return either([...letters].map((letter) => t(`piece.${letter}`)));
  if (RANKS.startsWith(letters)) return t("piece.atLeast", { piece: t(`piece.${letters.at(-1)}`) });
  return "";
}

/**
 * Shows a list of seats.
 * @param {HTMLElement} list
 * @param {[seat: string, about: SeatState][]} seats
 * @param {{ mine: string, phase: string, alive?: string, counts?: Record<string, number>, turn?: string, removed?: RemovedPiece[] }} state
 * @param {(seat: string) => number} sideOf on which side of the board a seat is, in quarter turns from the bottom
 */
export function showSeats(list, seats, state, sideOf) {
  list.dataset.seats = String(seats.length);
  list.replaceChildren(
    ...seats.map(([seat, about]) => {
      const mark = seatIcon(seat);
      const isOut = state.alive !== undefined && !state.alive.includes(seat);
      const isPerson = about.who && about.who !== "engine";
      const isMine = isPerson && state.mine.includes(seat);
      const notes = [isMine ? t("who.me") : about.is_named ? about.name : isPerson ? t(about.who === "guest" ? "who.guest" : "who.host") : engineName(about.name)];
      const isAway = isPerson && !about.is_here && !isMine;
      if (state.phase === "arranging") {
        if (!isAway) notes.push(t(about.ready ? "who.ready" : isPerson ? "who.arranging" : "who.starting"));
      } else if (isOut) notes.push(t("who.out"));
      else if (state.counts) notes.push(t("who.pieces", { n: state.counts[seat] }));
      if (isAway) notes.push(t("who.away"));
      const isTurn = state.phase === "playing" && state.turn === seat;
      const classes = `${isTurn ? "turn" : ""} ${isOut ? "out" : ""} ${about.is_thinking ? "thinking" : ""}`;
      const clock = make("span", { class: "clock" });
      const role = seats.length > 2 ? roleOf(seat, seats.map(([one]) => one), state.mine) : "";
      const name = make("b", {}, seatName(seat), ...(role ? [" ", make("span", { class: `role ${role}` }, t(`role.${role}`))] : []));
      const words = make("span", { class: "who" }, name, make("span", { class: "notes" }, ...notes.flatMap((note) => [" ", make("span", {}, note)])));
      const lost = capturedPieces((state.removed ?? []).filter((piece) => (piece.by || piece.seat) === seat));
      return make("li", { class: classes, "data-seat": seat, "data-side": sideOf(seat), "aria-current": isTurn ? "true" : null }, mark, words, clock, ...lost);
    }),
  );
}

/** What a seat is to the page's person: a partner sits opposite. @param {string} seat @param {string[]} seats @param {string} mine */
function roleOf(seat, seats, mine) {
  if (!mine || mine.includes(seat)) return "";
  return (seats.indexOf(seat) - seats.indexOf(mine[0])) % 2 ? "enemy" : "partner";
}

/**
 * The tray of a seat: the pieces that it captured, in the colours of their seats; own ones by name, others by what is proven.
 * @param {RemovedPiece[]} pieces
 * @returns {HTMLElement[]} nothing if it captured none
 */
function capturedPieces(pieces) {
  if (!pieces.length) return [];
  /** @type {Map<string, { seat: string, may: string, count: number }>} */
  const kinds = new Map();
  for (const { seat, may } of pieces) {
    const name = may.length > 2 ? `${seat}~` : `${seat}${may}`;
    kinds.set(name, { seat, may, count: (kinds.get(name)?.count ?? 0) + 1 });
  }
  const chips = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { seat, may, count }]) => {
    const isKnown = may.length === 1;
    const isShort = may.length < 3;
    const words = isShort ? either([...may].map((letter) => t(`piece.${letter}`))) : t("piece.?");
    const text = isShort ? [...may].map((letter) => pieceLines(letter)[0]).join("/") : "?";
    return make("span", { class: `lost seat-${seat} ${isKnown ? "" : "unknown"}`, title: `${seatName(seat)}: ${words}` }, text, ...(count > 1 ? [make("small", {}, `×${count}`)] : []));
  });
  return [make("span", { class: "losses", role: "img", "aria-label": t("seat.captured", { n: pieces.length }) }, ...chips)];
}
