// The game at the table: what the server says of it, and what the person does in it.

import { $, reducedMotion } from "../shell/dom.js";
import { boardOf } from "../board/junqi_board.js";
import { Arrivals } from "./arrivals.js";
import { goToView } from "../shell/navigation.js";
import { announce, confirmed } from "../shell/notices.js";
import { socket } from "../socket.js";
import { playSound } from "../board/sounds.js";
import { change, FIRST, set, state } from "../state.js";
import { t } from "../texts.js";
import { redrawNow } from "../view.js";
import { moveSaying, textOf } from "../voice.js";
import { followTips } from "./tips.js";
import { followLineups, takeLineups } from "./lineup.js";
import { loadMarks } from "./marks.js";
import { introduce } from "./people.js";
import { closeRecord, followGame } from "../record/replay.js";

const LAST_STROKE_MS = 2400;

/** Whether the person's pieces took part in the last move, which was a battle. @param {GameState} game */
const isOwnBattle = ({ last, mine }) => last?.outcome !== "no-battle" && [last?.attacker, last?.defender].some((piece) => piece && mine.includes(piece.seat));

/** The states of the game as they come: the next one waits while a battle is looked at. */
export const arrivals = new Arrivals((game, at) => receiveGame(game, at), (game) => state.table.isStep && isOwnBattle(game));

/** A state has come. None waits while the clock of the person runs. @param {GameState} game @param {Arrivals} [all] */
export function arrive(game, all = arrivals) {
  all.come(game);
  const isTimed = [...game.mine].some((seat) => game.seats[seat].is_running && typeof game.seats[seat].remaining_ms === "number");
  while (isTimed && all.waiting.length) all.goOn();
}

/** Whether the person is to move. @param {GameState} game */
export const isMyTurn = ({ targets }) => Object.keys(targets ?? {}).length > 0;

/** Whether a game is being played, which is continued. */
export const isPlaying = () => {
  const { game } = state.table;
  return game?.phase === "playing" && (game.may.resign || !game.mine);
};

/** Whether the game may be left: nothing is lost, but one that the person still plays or watches stops. */
export const mayLeave = async () => !isPlaying() || confirmed(t("game.leaveSure"), t("game.leave"));

export function showTable() {
  closeRecord();
  goToView("play");
}

/** @param {GameState} game @param {number} receivedAt on the page's clock */
function receiveGame(game, receivedAt) {
  const before = state.table.game;
  const isNewGame = before?.game !== game.game;
  const isNewPhase = isNewGame || (before?.phase === "arranging") !== (game.phase === "arranging");
  const hasMoved = isNewGame || before?.moves?.length !== game.moves?.length;
  const isStep = !isNewPhase && before?.moves !== undefined && before.moves.length + 1 === game.moves?.length;
  if (isNewGame) beginGame(game, before);
  change("table", { game, receivedAt, isStep });
  if (game.ladder) set({ ladder: game.ladder });
  if (hasMoved) change("help", { advice: null, isSearching: false });
  const hasEnded = game.phase === "over" && before?.phase !== "over";
  followGame(game, isStep && !hasEnded);
  if (isNewPhase) takeLineups(game, before);
  if (game.phase === "arranging") followLineups(game);
  if (hasMoved) followPlan();
  followTips(game);
  introduce(game);
  const data = boardOf(game.variant);
  if (isStep && data && game.last) announce(textOf(moveSaying(game.last, data, game.mine)));
  // On a narrow screen the Start button is below the board, but the game is played above it.
  if (isNewPhase && game.phase === "playing" && before) scrollToElements("play-board", "status");
  if (before?.phase === "playing" && game.phase === "over" && !isNewGame) endGame(isStep);
}

/** Another game is at the table. @param {GameState} game @param {GameState | null} before */
function beginGame(game, before) {
  loadMarks(game.game);
  set({ table: { ...state.table, premove: null }, help: FIRST.help, side: "log" });
  if (before) closeRecord();
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
  change("table", { premove: { text, piece, from, to, there: pieceAt(game, to) } });
  announce(t("plan.waits"));
}

export const cancelPlan = () => change("table", { premove: null });

/** The number of the piece at a point; null if it is empty. @param {GameState} game @param {number} point */
const pieceAt = ({ pieces }, point) => pieces.find(([at]) => at === point)?.[1] ?? null;

// A premove move is played as soon as it can be; one that a change has overtaken is given up.
function followPlan() {
  const { premove, game } = state.table;
  if (!premove || !game) return;
  const isSame = String(pieceAt(game, premove.from)) === premove.piece && pieceAt(game, premove.to) === premove.there;
  const isLegal = !isMyTurn(game) || Object.values(game.targets?.[premove.from] ?? {}).includes(premove.text);
  if (game.phase !== "playing" || !isSame || !isLegal) {
    cancelPlan();
    announce(t("plan.cancelled"));
  } else if (isMyTurn(game)) sendMove(premove.text);
}
