// The board of the game: it draws the line-ups, the game at the table, and whatever position is shown.

import { arrowsOf, boardOf, pointedRings, sceneOf } from "../board/boards.js";
import { JunqiBoard } from "../board/junqi_board.js";
import { Board } from "../board/saying.js";
import { playSound } from "../board/sounds.js";
import { isTable, movesShown, placeShown, viewpoint } from "../record/replay.js";
import { tryBetter } from "../record/retry.js";
import { betterAt, isKnown } from "../record/review_card.js";
import { lineArrows, playOn } from "../record/study.js";
import { state } from "../state.js";
import { html } from "../view.js";
import { wonText } from "../voice.js";
import { adviceArrows, guessedPiece, guesses, pointAt } from "./help.js";
import { lineupOf, swapPieces } from "./lineup.js";
import { arrivals, isMyTurn, playMove, premoveOf } from "./live_game.js";
import { isMarking, openMarksMenu } from "./marks.js";

export const board = new JunqiBoard("play-board", {
  hasMap: true,
  playSound,
  onMove({ move }, piece) {
    if (state.shown.comparison?.targets) tryBetter(String(move));
    else if (state.shown.record && state.shown.scene) playOn(String(move));
    else if (state.table.game?.phase === "arranging") swapPieces(String(move));
    else playMove(String(move), piece);
  },
  // While the pieces are set up, a click on a second piece asks to exchange the two.
  isTry: () => state.table.game?.phase === "arranging" && !state.shown.record,
  onHover: pointAt,
  onTap(shape, place) {
    const { x, y } = board.svgBoard.onScreen(place);
    if (isMarking() && shape?.letter === "?") openMarksMenu(shape, board.pointAt(place), x, y);
    return isMarking();
  },
  onRefuse(shape, place, chosen) {
    // With belief on, a click on a hidden piece asks about it.
    if (chosen || shape?.letter !== "?" || !state.help.isOn) board.refuse(shape, place, chosen);
  },
  onMark: (shape, place, x, y) => openMarksMenu(shape, board.pointAt(place), x, y),
});
board.svgBoard.svg.addEventListener("pointerdown", () => arrivals.goOn());

/** The drawing of the current game or record; null before the first arrives. @returns {Drawing | null} */
function gameDrawing() {
  const { game } = state.table;
  const { record, at, scene, viewer } = state.shown;
  const view = viewpoint();
  const { ping } = state.chat;
  const rings = [...pointedRings(view?.data), ...(ping ? [{ kind: "marked pinged", point: ping.point }] : [])];
  const bare = { rings, arrows: [], targets: {} };
  // Before the first game has come, all pieces from behind.
  const before = boardOf("siguo")?.pieces;
  if (!view)
    return before ? { ...bare, scene: sceneOf("siguo", before), key: "", at: 0, bottom: "S", mine: "S" } : null;
  const key = [isTable() ? game?.game : record?.line, view.mine, viewer].join();
  const isPlayed = isTable() && view.mine.length === 1 && (game?.phase === "arranging" || game?.phase === "playing");
  const { seat: bottom, mine, pov: { names } } = view;
  const about = { ...bare, key, at: placeShown() + state.shown.step, bottom, mine, names, isPlayed };
  if (!isTable() || at !== null || !game) return scene && { ...about, ...pastDrawing(scene, view.data) };
  return { ...about, ...(game.phase === "arranging" ? lineupDrawing(game) : presentDrawing(game, view.pov, rings)) };
}

/** The present position of the game at the table. @param {GameState} game @param {Pov} pov @param {Ring[]} rings */
function presentDrawing(game, pov, rings) {
  const [premove, asked] = [premoveOf(game), guessedPiece()];
  const isMine = isMyTurn(game);
  const isOver = game.phase === "over";
  return {
    scene: sceneOf(game.variant, game.face_up?.pieces ?? game.pieces, { proven: game.proven, last: game.last }),
    targets: (!isMarking() && (isMine ? game.targets : game.premoves)) || {},
    isPremove: !isMine,
    stage: isOver ? "over" : isMine ? "mine-turn" : "",
    result: isOver ? wonText(game.result ?? "", { ...pov, surrendered: game.surrendered }) : "",
    marks: state.marks.letters,
    guesses: guesses(),
    rings: [...rings, ...(asked ? [{ kind: "pointed", point: asked[0] }] : [])],
    arrows: premove ? [{ kind: "premove", ...premove }, ...adviceArrows()] : adviceArrows(),
  };
}

/**
 * An earlier position, or one of a record, with arrows for what was played and what was better. On that of a record
 * other moves can be tried.
 * @param {Scene} scene
 * @param {BoardData} data
 */
function pastDrawing(scene, data) {
  const { comparison, ofGame, record, variation } = state.shown;
  const isAsked = comparison !== null && !isKnown(comparison);
  const isPlain = isTable() || variation;
  const better = isAsked ? "" : (comparison?.better ?? (isPlain ? "" : betterAt(placeShown())));
  const played = comparison?.played ?? (better ? movesShown()[placeShown()] : "");
  const isStudied = record !== null && state.catalogue.isHost;
  return {
    scene: comparison ? { ...scene, last: null } : scene,
    targets: (isAsked ? comparison.targets : isStudied && scene.targets) || {},
    marks: isTable() || ofGame ? state.marks.letters : {},
    hasNames: record !== null,
    arrows: [
      ...(isAsked || comparison ? [] : lineArrows()),
      ...arrowsOf("rank-0", better, data),
      ...arrowsOf("played", played, data),
    ],
  };
}

/**
 * The line-ups of the person's seats, whose pieces change places where the rules allow both.
 * @param {GameState} game
 */
function lineupDrawing(game) {
  const { letters, isSent } = lineupOf(game);
  /** @type {Targets} */
  const targets = {};
  const pieces = game.pieces.map((piece) => {
    const [point, id, seat] = piece;
    if (!game.mine.includes(seat)) return piece;
    const place = game.places[seat].indexOf(point);
    const may = (/** @type {number} */ from, /** @type {number} */ to) =>
      game.allowed[letters[seat][from]].includes(to);
    const others = game.places[seat].map((other, to) => ({ other, to }));
    const legal = others.filter(({ to }) => to !== place && may(place, to) && may(to, place));
    if (!isSent) targets[point] = Object.fromEntries(legal.map(({ other, to }) => [other, `${seat}:${place}:${to}`]));
    return /** @type {Piece} */ ([point, id, seat, letters[seat][place]]);
  });
  return { scene: sceneOf(game.variant, pieces), targets, isLineup: true };
}

export const GameBoard = () => html`<${Board} board=${board} value=${gameDrawing()} />`;
