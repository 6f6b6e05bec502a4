// The game at the table: what the server says of it, and what the person does in it.

import { boardOf } from "../board/boards.js";
import { playSound } from "../board/sounds.js";
import { askStory, closeRecord, shownWith } from "../record/replay.js";
import { $, reducedMotion } from "../shell/dom.js";
import { goToView } from "../shell/navigation.js";
import { announce, confirmed } from "../shell/notices.js";
import { addFact } from "../shell/store.js";
import { socket } from "../socket.js";
import { change, FIRST, isPlaying, set, state } from "../state.js";
import { capital, sentences, t } from "../texts.js";
import { redrawNow } from "../view.js";
import { moveSaying, povOf, textOf, wayText, whoAll } from "../voice.js";
import { Arrivals } from "./arrivals.js";
import { beginLineup } from "./lineup.js";
import { dropFalseMark, marksOf } from "./marks.js";
import { introduce } from "./people.js";
import { closeTip } from "./tips.js";

const LAST_STROKE_MS = 2400;

/** Whether the person's pieces took part in the last move, which was a battle. @param {GameState} game */
const isOwnBattle = ({ last, mine }) =>
  last?.outcome !== "no-battle" && [last?.attacker, last?.defender].some((piece) => piece && mine.includes(piece.seat));

/** The arriving states of the game: the next one waits while a battle is shown. */
export const arrivals = new Arrivals(
  (game, at) => receiveGame(game, at),
  (game) => state.table.isStep && isOwnBattle(game),
);

/** A state has come. None waits while the clock of the person runs. @param {GameState} game @param {Arrivals} [all] */
export function arrive(game, all = arrivals) {
  all.come(game);
  const isTimed = [...game.mine].some(
    (seat) => game.seats[seat].is_running && typeof game.seats[seat].remaining_ms === "number",
  );
  while (isTimed && all.waiting.length) all.goOn();
}

/** Whether the person is to move. @param {GameState} game */
export const isMyTurn = ({ targets }) => Object.keys(targets ?? {}).length > 0;

/** The other persons who are at the table, in words; empty for none. @param {GameState} game */
function othersHere(game) {
  const data = boardOf(game.variant);
  const isOther = (/** @type {string} */ seat) => !game.mine.includes(seat) && game.seats[seat].who !== "engine";
  const others = Object.keys(game.seats).filter((seat) => isOther(seat) && game.seats[seat].is_here);
  return data && game.phase !== "over" ? whoAll(others.join(""), povOf(game, data)) : "";
}

/** Whether the game may be left: nothing is lost, but one that somebody still plays or watches stops. */
export async function mayLeave() {
  const others = state.table.game ? othersHere(state.table.game) : "";
  const notes = [
    ...(others ? [capital(t("game.leaveOthers", { who: others }))] : []),
    ...(isPlaying() ? [t("game.leaveSaved")] : []),
  ];
  return !notes.length || confirmed(sentences(t("game.leaveSure"), ...notes), t("game.leave"));
}

export function showTable() {
  closeRecord();
  goToView("play");
}

/**
 * Takes a state of the game. What else is shown follows from it when the page is drawn; `after` has its effects.
 * @param {GameState} game
 * @param {number} receivedAt on the page's clock
 */
function receiveGame(game, receivedAt) {
  const { game: before, premove } = state.table;
  const isNew = before?.game !== game.game;
  const isStep = !isNew && before?.moves !== undefined && before.moves.length + 1 === game.moves?.length;
  const hasMoved = isNew || before?.moves?.length !== game.moves?.length;
  if (isNew) set({ marks: marksOf(game), help: FIRST.help, side: "log" });
  else if (hasMoved) change("help", { advice: null, isSearching: false });
  const table = { ...state.table, game, receivedAt, isStep, premove: isNew ? null : premove };
  set({ table, shown: shownWith(game), ladder: game.ladder ?? state.ladder });
  after(before, game);
}

/**
 * The effects of a new state.
 * @param {GameState | null} before the state before, perhaps of another game
 * @param {GameState} now
 */
function after(before, now) {
  const isNew = before?.game !== now.game;
  const isSetUp = now.phase === "arranging";
  const hasStarted = !isSetUp && (isNew || before?.phase === "arranging");
  const { isStep } = state.table;
  const data = boardOf(now.variant);
  if (isNew && before) closeRecord();
  if (isNew && isSetUp) beginLineup(before, now);
  askStory();
  if (isStep && now.last) dropFalseMark(now.last);
  if (isStep && now.last && now.mine.includes(now.last.seat)) closeTip(before);
  if (isStep && data && now.last)
    announce(sentences(textOf(moveSaying(now.last, data, povOf(now, data))), wayText(now.last, data)));
  followPremove(now);
  introduce(now);
  if (isNew && isSetUp && before && before.phase !== "arranging") scrollTo(0, 0);
  // On a narrow screen the Start button is below the board, but the game is played above it.
  if (hasStarted && now.phase === "playing" && before) scrollToElements("play-board", "status");
  if (!isNew && before?.phase === "playing" && now.phase === "over") endGame(isStep);
}

/** @param {...string} ids */
function scrollToElements(...ids) {
  redrawNow();
  for (const id of ids) $(id).scrollIntoView({ block: "nearest" });
}

/**
 * A game has just ended: its last stroke is seen, then the card comes.
 * @param {boolean} isStep whether a move has ended it, which is heard on the board
 */
function endGame(isStep) {
  if (!isStep) playSound("end");
  change("table", { isLastStroke: true });
  scrollToElements("play-board");
  setTimeout(() => {
    change("table", { isLastStroke: false });
    redrawNow();
    // Where the game was decided stays in sight beside the card.
    document.querySelector("#play-board .glow > :last-child")?.scrollIntoView({ block: "center" });
  }, reducedMotion.matches ? 0 : LAST_STROKE_MS);
}

/** @param {string} text the move */
function sendMove(text) {
  change("table", { premove: null });
  socket.send("move", { ply: state.table.game?.moves?.length, move: text });
}

/** Plays a move, or keeps it until the person's turn. @param {string} text the move @param {string} piece */
export function playMove(text, piece) {
  const { game } = state.table;
  if (!game) return;
  if (isMyTurn(game)) return sendMove(text);
  const from = game.pieces.find(([, one]) => String(one) === piece)?.[0] ?? -1;
  const to = Number(Object.entries(game.premoves?.[from] ?? {}).find(([, premove]) => premove === text)?.[0]);
  addFact("tip", "ahead");
  change("table", { premove: { text, piece, from, to, there: pieceAt(game, to) } });
  announce(t("premove.waits"));
}

export const cancelPremove = () => change("table", { premove: null });

/** The number of the piece at a point; null if it is empty. @param {GameState} game @param {number} point */
const pieceAt = ({ pieces }, point) => pieces.find(([at]) => at === point)?.[1] ?? null;

/**
 * The move that waits for the person's turn; null for none, and once a change has overtaken it.
 * @param {GameState} game
 */
export function premoveOf(game) {
  const { premove } = state.table;
  if (!premove || game.phase !== "playing") return null;
  const isSame = String(pieceAt(game, premove.from)) === premove.piece && pieceAt(game, premove.to) === premove.there;
  const isLegal = !isMyTurn(game) || Object.values(game.targets?.[premove.from] ?? {}).includes(premove.text);
  return isSame && isLegal ? premove : null;
}

/** Sends the move that has waited for the person's turn, or gives it up. @param {GameState} game */
function followPremove(game) {
  const premove = premoveOf(game);
  if (premove && isMyTurn(game)) return sendMove(premove.text);
  if (premove || !state.table.premove) return;
  cancelPremove();
  announce(t("premove.cancelled"));
}
