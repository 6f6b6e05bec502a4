// The board of the game: it draws the line-ups, the game at the table, and whatever position is shown.

import { boardOf, JunqiBoard } from "../board/junqi_board.js";
import { state } from "../state.js";
import { Board } from "../board/svg_board.js";
import { html } from "../view.js";
import { wonText } from "../voice.js";
import { tryBetter } from "../record/retry.js";
import { zoomed } from "./tips.js";
import { guess, pointAt } from "./help.js";
import { swapPieces } from "./lineup.js";
import { openMarksMenu } from "./marks.js";
import { arrivals, isMyTurn, playMove } from "./live_game.js";
import { isTable, placeShown, viewpoint } from "../record/replay.js";
import { betterAt, isKnown, reviewShown } from "../record/review_card.js";

export const board = new JunqiBoard("play-board", {
  onMove({ id, move }, piece) {
    if (state.shown.comparison) tryBetter(String(move));
    else if (state.table.game?.phase === "arranging") swapPieces(piece, String(id));
    else playMove(String(move), piece);
  },
  // While the pieces are set up, a click on a second piece asks to exchange the two.
  isTry: () => state.table.game?.phase === "arranging" && !state.shown.record,
  onHover: pointAt,
  onZoom: zoomed,
  onRefuse(shape, place, chosen) {
    const isAsked = !chosen && shape?.letter === "?";
    if (isAsked && state.marks.isOn) {
      const { x, y } = board.svgBoard.onScreen(place);
      openMarksMenu(shape, x, y);
    }
    // With belief on, a click on a hidden piece asks about it.
    else if (!isAsked || !state.help.isOn) board.refuse(shape, place, chosen);
  },
  onMark: openMarksMenu,
});
board.svgBoard.svg.addEventListener("pointerdown", () => arrivals.goOn());

function drawGameBoard() {
  const { game } = state.table;
  const { record, at, scene } = state.shown;
  const view = viewpoint();
  if (!view) return drawBefore();
  board.set(view.data, view.seat, view.mine);
  const isPresent = isTable() && at === null;
  const { classList } = board.svgBoard.svg;
  classList.toggle("over", isPresent && game?.phase === "over");
  classList.toggle("mine-turn", isPresent && game?.phase === "playing" && isMyTurn(game));
  const of = [isTable() ? game?.game : record?.line, view.mine, state.shown.viewer].join();
  if (isPresent && game?.phase === "arranging") drawLineups(game);
  else if (isPresent && game) drawGame(game, view.team, of);
  else if (scene) drawScene(scene, view.team, of);
}

/** The board before the first game has come: all pieces from behind. */
function drawBefore() {
  const data = boardOf("siguo");
  if (!data?.pieces) return;
  board.set(data, "S");
  board.svgBoard.update({ shapes: data.pieces.map((piece) => board.shape(piece)), choices: new Map(), spots: board.spots() });
}

/** @param {GameState} game @param {string} team @param {string} of */
function drawGame(game, team, of) {
  const { premove } = state.table;
  const pieces = game.face_up?.pieces ?? game.pieces;
  const shapes = pieces.map((piece) => {
    const [point, id, , letter] = piece;
    return board.shape(piece, { mark: state.marks.letters[id], guess: letter === "?" ? guess(point) : null, proven: game.proven?.[point] });
  });
  const isLater = !isMyTurn(game);
  const choices = board.choices(game.pieces, isLater ? game.premoves : game.targets);
  const result = game.phase === "over" ? wonText(game.result ?? "", { mine: game.mine, seats: board.board.seats, surrendered: game.surrendered }) : "";
  board.show({ shapes, choices, isLater, of, at: placeShown(), last: game.last, team, result });
  const hidden = game.pieces.filter(([, , , letter]) => letter === "?").map(([, piece]) => piece);
  if (result) hidden.forEach((piece, order) => board.svgBoard.element(String(piece))?.style.setProperty("--order", String(order)));
  board.showAdvice(state.help.advice);
  board.showPlanned(premove && { from: board.point(premove.from), to: board.point(premove.to) });
}

/**
 * An earlier position, or one of a record, in which nothing can be moved but where a better move is looked for.
 * @param {Scene} scene
 * @param {string} team
 * @param {string} of
 */
function drawScene(scene, team, of) {
  const { comparison, ofGame } = state.shown;
  const marks = isTable() || ofGame ? state.marks.letters : {};
  const shapes = scene.pieces.map((piece) => board.shape(piece, { mark: marks[piece[1]], proven: scene.proven?.[piece[0]] }));
  const isAsked = comparison !== null && !isKnown(comparison);
  const choices = board.choices(scene.pieces, isAsked ? comparison.targets : {});
  board.show({ shapes, choices, of, at: placeShown(), last: comparison ? null : scene.last, team });
  const better = comparison?.better ?? (isTable() ? "" : betterAt(placeShown()));
  board.showBetter(isAsked ? "" : better, comparison?.played);
  board.showPlanned(null);
}

/** @param {GameState} game */
function drawLineups(game) {
  const { letters, isSent } = state.lineup;
  const shapes = game.pieces.filter(([, , seat]) => !game.mine.includes(seat)).map((piece) => board.shape(piece));
  /** @type {Map<string, Target[]>} */
  const choices = new Map();
  for (const seat of game.mine) {
    const own = game.places[seat].map((point, place) => ({ ...board.shape([point, 0, seat, letters[seat][place]]), id: `${seat}:${place}` }));
    shapes.push(...own);
    if (isSent) continue;
    // Only places where both pieces may stand; the server says which.
    const may = (/** @type {number} */ place, /** @type {number} */ to) => game.allowed[letters[seat][place]].includes(to);
    own.forEach((shape, place) => {
      const legal = own.filter((_, to) => to !== place && may(place, to) && may(to, place));
      choices.set(shape.id, legal.map(({ x, y, id }) => ({ x, y, id, isSwap: true })));
    });
  }
  board.animation.end();
  board.showWay(null);
  board.showAdvice(null);
  board.svgBoard.update({ shapes, choices, spots: shapes.filter((shape) => choices.has(shape.id)).map(({ x, y }) => ({ x, y })) });
}

export function GameBoard() {
  const { table, shown, help, lineup, marks } = state;
  const inputs = [table.game, table.premove, shown.record, shown.viewer, shown.scene, shown.at, shown.comparison, reviewShown().found];
  const helped = [help.belief, help.advice, lineup.letters, lineup.isSent, marks.letters];
  return html`<${Board} board=${board} draw=${drawGameBoard} inputs=${[...inputs, ...helped]} />`;
}
