// The panel beside a Junqi board: its state, the battles so far, and the plates of the seats.

import { sideOf } from "../board/junqi_board.js";
import { playerName } from "./levels.js";
import { pieceLines } from "../shell/appearance.js";
import { Said, SeatIcon } from "../board/saying.js";
import { play as playSound } from "../board/sounds.js";
import { state } from "../state.js";
import { capital, either, t } from "../texts.js";
import { html, useEffect, useState } from "../view.js";
import { endingText, moveSaying, relationOf, resultText, textOf, together, told, who } from "../voice.js";

const SHORT_TIME_MS = 20_000;
const CLOCK_EVERY_MS = 250;

/**
 * What happened, the latest first: the last move, and every battle before it.
 * @param {{ id: string, story: LastMove[], data: BoardData, mine: string, onPick: (ply: number) => void, isHidden?: boolean }} props
 */
export function Battles({ id, story, data, mine, onPick, isHidden = false }) {
  const isTold = (/** @type {LastMove} */ entry, /** @type {number} */ index) => entry.outcome !== "no-battle" || entry.out || entry.resigned || index === story.length - 1;
  const found = story.map((entry, index) => ({ entry, ply: index + 1 })).filter(({ entry, ply }) => isTold(entry, ply - 1)).reverse();
  return html`<div class="card moves-card" hidden=${isHidden}>
    <ol id=${id} class="log-battles">
      ${!found.length && html`<li class="hint">${t("log.empty")}</li>`}
      ${found.map(({ entry, ply }) => html`<li key=${ply} data-ply=${ply}>
        <button class="quiet" onClick=${() => onPick(ply)}><${Said} saying=${moveSaying(entry, data, mine)} /></button>
      </li>`)}
    </ol>
  </div>`;
}

/** The time that a seat has left. @param {{ about: SeatState, receivedAt: number, isMine: boolean }} props */
function Clock({ about: { remaining_ms: remaining, is_running: isRunning }, receivedAt, isMine }) {
  const [, tick] = useState(0);
  const hasClock = remaining !== null && remaining !== undefined;
  const left = hasClock ? Math.max(0, remaining - (isRunning ? performance.now() - receivedAt : 0)) : Infinity;
  const isShort = left < SHORT_TIME_MS;
  useEffect(() => {
    const timer = isRunning ? setInterval(() => tick((count) => count + 1), CLOCK_EVERY_MS) : 0;
    return () => clearInterval(timer);
  }, [isRunning]);
  useEffect(() => {
    if (isShort && isRunning && isMine) playSound("clock");
  }, [isShort]);
  return html`<span class="clock ${isShort ? "short" : ""}">${hasClock ? clockText(left) : ""}</span>`;
}

/** What is drawn of a position beside its seats. @typedef {{ mine: string, phase: string, alive?: string, counts?: Record<string, number>, turn?: string, removed?: RemovedPiece[], said?: TalkLine | null, offer?: GameState["offer"] }} About */

/**
 * The plates of the seats: name, role, clock, and the tray of captured pieces; `bottom` is the seat at the bottom.
 * @param {{ id: string, data: BoardData, bottom: string, seatOf: (seat: string) => SeatState, about: About, receivedAt?: number }} props
 */
export function Seats({ id, data, bottom, seatOf, about, receivedAt = 0 }) {
  const listener = { mine: about.mine, seats: data.seats };
  return html`<ul id=${id} class="seats" data-seats=${data.seats.length}>
    ${[...data.seats].map((seat) => html`<${Plate} key=${seat} ...${{ seat, about, listener, receivedAt }} one=${seatOf(seat)} side=${sideOf(data, bottom, seat)} />`)}
  </ul>`;
}

/** @param {{ seat: string, one: SeatState, about: About, listener: import("../voice.js").Listener, receivedAt: number, side: number }} props */
function Plate({ seat, one, about, listener, receivedAt, side }) {
  const relation = relationOf(seat, listener);
  const role = relation === "watched" ? capital(who(seat, listener)) : t(`plate.${relation}`);
  const isOut = about.alive !== undefined && !about.alive.includes(seat);
  const isTurn = about.phase === "playing" && about.turn === seat;
  const captured = (about.removed ?? []).filter((piece) => (piece.by || piece.seat) === seat);
  const classes = `${isTurn ? "turn" : ""} ${isOut ? "out" : ""} ${one.is_thinking ? "thinking" : ""}`;
  return html`<li class=${classes} data-seat=${seat} data-side=${side} data-role=${relation} aria-current=${isTurn ? "true" : null}>
    <${SeatIcon} seat=${seat} />
    <span class="who"><b>${role}</b>${notesOf(seat, one, about, relation, isOut).map((note) => html` <bdi class="note">${note}</bdi>`)}</span>
    ${captured.length > 0 && html`<${Tray} pieces=${captured} listener=${listener} />`}
    <${Clock} about=${one} receivedAt=${receivedAt} isMine=${about.mine.includes(seat)} />
  </li>`;
}

/** What a plate says of a seat: what it has just said or offered, or else its name, and whether it is ready, out, or away. @param {string} seat @param {SeatState} one @param {About} about @param {string} relation @param {boolean} isOut */
function notesOf(seat, one, about, relation, isOut) {
  if (about.said?.seats[0] === seat) return [t("plate.says", { words: about.said.words })];
  if (about.offer?.by[0] === seat && about.phase === "playing") return [t(relation === "you" ? "plate.offers.you" : "plate.offers")];
  const isPerson = one.who !== "engine";
  const isMine = relation === "you";
  const isAway = isPerson && !one.is_here && !isMine;
  const nameOf = () => (isPerson ? t(one.who === "guest" ? "name.guest" : "who.host") : one.name && playerName(one.name));
  const name = one.is_named ? one.name : isMine ? "" : nameOf();
  const isSettingUp = about.phase === "arranging";
  return [
    name,
    isSettingUp && !isAway && t(one.ready ? "who.ready" : isPerson ? "who.arranging" : "who.starting"),
    !isSettingUp && isOut && t("who.out"),
    !isSettingUp && !isOut && about.counts && t("who.pieces", { n: about.counts[seat] }),
    isAway && t("who.away"),
  ].filter(Boolean);
}

/** The pieces that a seat captured, in the colours of their seats; own ones by name, others by what is proven. @param {{ pieces: RemovedPiece[], listener: import("../voice.js").Listener }} props */
function Tray({ pieces, listener }) {
  /** @type {Map<string, { seat: string, may: string, count: number }>} */
  const kinds = new Map();
  for (const { seat, may } of pieces) {
    const name = may.length > 2 ? `${seat}~` : `${seat}${may}`;
    kinds.set(name, { seat, may, count: (kinds.get(name)?.count ?? 0) + 1 });
  }
  const chips = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1));
  return html`<span class="losses" role="img" aria-label=${t("seat.captured", { n: pieces.length })}>
    ${chips.map(([name, kind]) => html`<${Captured} key=${name} ...${kind} listener=${listener} />`)}
  </span>`;
}

/** @param {{ seat: string, may: string, count: number, listener: import("../voice.js").Listener }} props */
function Captured({ seat, may, count, listener }) {
  const isShort = may.length < 3;
  const words = isShort ? either([...may].map((letter) => t(`piece.${letter}`))) : t("piece.?");
  const text = isShort ? [...may].map((letter) => pieceLines(letter)[0]).join("/") : "?";
  const title = t("labelled", { name: capital(who(seat, listener)), text: words });
  return html`<span class="lost seat-${seat} ${may.length === 1 ? "" : "unknown"}" title=${title}>${text}${count > 1 && html`<small>×${count}</small>`}</span>`;
}

/** @param {number} ms */
function clockText(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return `${minutes}:${String(rest).padStart(2, "0")}`;
}

/** From which share of a limit on the moves towards it are counted, and from how many moves without a battle on. */
const [COUNT_FROM, QUIET_FROM] = [0.5, 20];
/** How many moves before a limit the person is warned. */
const WARN_AT = 5;

/** Whose turn it is, on a phone what the last move did, and the moves towards a limit; or how the game ended. @param {{ game: GameState, data: BoardData }} props */
export function Status({ game, data }) {
  const isPlaying = game.phase === "playing";
  const counts = isPlaying ? countTexts(game, data) : [];
  const watches = isPlaying && isOut(game);
  const isMine = isPlaying && Object.keys(game.targets ?? {}).length > 0;
  const last = isPlaying && game.last && !counts.length && !(game.mine && watches) && textOf(moveSaying(game.last, data, game.mine, false));
  return html`<p class="status ${isMine ? "mine" : ""}" id="status" role="status">
    <b>${statusText(game, data)}</b>
    ${watches && html` <span>${t(game.mine ? "status.out" : "status.watching")}</span>`}
    ${counts.map(({ text, isNear }) => html` <span class="count ${isNear ? "near" : ""}">${text}</span>`)}
    ${last && html` <span class="last">${last}</span>`}
  </p>`;
}

/** Whether none of the person's armies is left. @param {GameState} game */
export const isOut = (game) => game.phase === "playing" && [...game.mine].every((seat) => !game.alive.includes(seat));

/** Whose turn it is, or how the game ended. @param {GameState} game @param {BoardData} data */
export function statusText(game, data) {
  const listener = { mine: game.mine, seats: data.seats };
  if (game.phase === "arranging") {
    const missing = Object.entries(game.seats).some(([seat, about]) => !about.ready && !game.mine.includes(seat));
    const iAmReady = [...game.mine].every((seat) => game.seats[seat].ready);
    if (!iAmReady || !missing) return t("status.arrange");
    return state.starting.is_ready ? t("status.waitLineups") : startingText();
  }
  if (game.phase === "over") return t("sentence", { text: capital(resultText(game.result ?? "", { ...listener, surrendered: game.surrendered })) });
  if (game.mine === game.turn) return t("status.mine");
  if (game.mine.includes(game.turn)) return t(game.turn === game.mine[0] ? "status.near" : "status.far");
  return told(game.seats[game.turn].is_thinking ? "status.thinking" : "status.waits", game.turn, listener);
}

export const startingText = () =>
  state.starting.share === null ? t("starting.text") : t("starting.compiling", { percent: Math.round(100 * state.starting.share) });

/**
 * The moves towards the limits of the game, early enough to do something about them.
 * @param {GameState} game
 * @param {BoardData} data
 * @returns {{ text: string, isNear: boolean }[]}
 */
function countTexts(game, data) {
  const { limits, quiet, ply, alive, turn } = game;
  /** Who is to move after some moves. @param {number} left */
  const seatAfter = (left) => {
    const seats = [...data.seats].filter((seat) => alive.includes(seat));
    return seats[(seats.indexOf(turn) + left) % seats.length];
  };
  return [
    { key: limits.no_contact_loses ? "count.quietLoss" : "count.quiet", n: quiet, limit: limits.no_contact, from: QUIET_FROM },
    { key: "count.plies", n: ply, limit: limits.max_plies, from: Infinity },
  ]
    .filter(({ n, limit, from }) => limit && n < limit && n >= Math.min(from, COUNT_FROM * limit))
    .map(({ key, n, limit }) => {
      const left = limit - n;
      const isNear = left <= WARN_AT;
      const loser = seatAfter(left);
      const isMine = key === "count.quietLoss" && game.mine.includes(loser);
      const text = t(`${key}${isNear ? "Near" : ""}${isMine ? ".you" : ""}`, { n, limit, left, who: who(loser, { mine: game.mine, seats: data.seats }) });
      return { text: capital(text), isNear };
    });
}

/** The endings that the last entry of the record tells. */
export const BY_MOVE = ["flag", "resigned", "no-moves"];

/** Why the game ended: what the last move did, or another cause; before it, how the person's last army fell. @param {GameState} game @param {BoardData} data @param {LastMove[]} story */
export function causeSaying(game, data, story) {
  const listener = { mine: game.mine, seats: data.seats };
  const isByMove = game.last && BY_MOVE.includes(game.ending ?? "");
  const isExit = (/** @type {LastMove} */ { out, resigned }) => [...game.mine].some((seat) => resigned === seat || out.includes(seat));
  const exit = game.last && isExit(game.last) ? null : story.filter(isExit).at(-1);
  return together(exit ? moveSaying(exit, data, game.mine, false) : "", isByMove && game.last ? moveSaying(game.last, data, game.mine) : endingText(game, listener));
}
