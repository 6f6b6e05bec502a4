// The study of a position: variations that are tried on it, the engine's best lines, and positions of a FEN.

import { isMove } from "../board/boards.js";
import { goToView } from "../shell/navigation.js";
import { socket } from "../socket.js";
import { change, state } from "../state.js";
import { EVERYONE, goToSpot, movesShown, openPosition, placeShown, showViewer, stepBy } from "./replay.js";
import { beginningOf, keepVariations, variationOf, variationsAt, withBranches } from "./variations.js";

/** Search time for a position, and number of lines. */
const [SEARCH_MS, LINES] = [15_000, 3];

/**
 * Plays a move on the position that is shown: the next one of the record, or one of a variation.
 * @param {string} move
 */
export async function playOn(move) {
  const { record, viewer, variation: id, step } = state.shown;
  const at = placeShown();
  if (!record) return;
  const variation = variationOf(id);
  const next = variation ? variation.moves[step] : movesShown()[at];
  if (next && isMove(next, move)) return stepBy(1);
  const same = variationsAt({ at, variation: id, step }).find(({ moves }) => isMove(moves[step], move));
  if (same) return goToSpot({ at, variation: same.id, step: step + 1 });
  // From here on all pieces lie open, so that every battle has its outcome and every seat can be played.
  if (record.line && viewer !== EVERYONE) await showViewer(EVERYONE);
  const fen = variation?.fen ?? state.shown.scene?.fen ?? "";
  await tryVariation(fen, [...(variation?.moves.slice(0, step) ?? []), move]);
}

/**
 * Shows a line of moves from a position of the record; a battle with a hidden piece asks how it ends. It goes on with
 * the variation that is shown, or begins another one there.
 * @param {string} fen
 * @param {string[]} line
 */
export async function tryVariation(fen, line) {
  const { record, variation: parent } = state.shown;
  const at = placeShown();
  change("study", { outcomes: [], fen, error: null });
  const fields = { variant: record?.variant, fen, moves: line.join(" ") };
  const answer = await socket.request("study_show", fields).catch(showFailure);
  if (!answer || record !== state.shown.record) return;
  if (answer.type === "study_outcomes") return change("study", { outcomes: answer.moves });
  const before = variationOf(parent);
  const from = line.length - 1;
  const isLonger = before?.moves.length === from;
  const { variations } = state.study;
  const id = isLonger ? before.id : 1 + Math.max(0, ...variations.map((one) => one.id));
  const entries = [...(before?.entries.slice(0, from) ?? []), answer.last];
  const variation = { ...(isLonger ? before : { id, parent, from, at, fen }), moves: answer.moves, entries };
  keepVariations(isLonger ? variations.map((one) => (one === before ? variation : one)) : [...variations, variation]);
  await goToSpot({ at, variation: id, step: variation.moves.length });
}

/** Removes a variation, and those that begin at it. @param {Variation} variation */
export async function removeVariation(variation) {
  const removed = withBranches(variation);
  if (removed.some(({ id }) => id === state.shown.variation)) await goToSpot(beginningOf(variation));
  keepVariations(state.study.variations.filter((one) => !removed.includes(one)));
}

/** @param {any} error a RequestError */
function showFailure(error) {
  if (error.code !== "lost") change("study", { error });
}

/** Switches the engine on or off, which searches whatever position is shown. */
export function toggleEngine() {
  change("study", { isOn: !state.study.isOn });
  if (!state.study.isOn) socket.send("study_stop");
}

/** @param {string} variant @param {string} fen of the position that is shown */
export const searchPosition = (variant, fen) =>
  socket.request("study_search", { variant, fen, moves: "", lines: LINES, ms: SEARCH_MS }).catch(showFailure);

/** @param {StudyLines} found */
export const receiveLines = (found) => change("study", { found });

/** The engine's lines of the position that is shown; those of another one arrive late. */
export function linesShown() {
  const { isOn, found } = state.study;
  return isOn && found.fen === state.shown.scene?.fen ? found.lines : [];
}

/** The first moves of the engine's lines. @returns {Arrow[]} */
export const lineArrows = () =>
  linesShown().map(({ from, to, rank }) => ({ kind: `rank-${rank - 1}`, from, to, tag: String(rank) }));

/**
 * Opens a position for study, beside any game.
 * @param {string} variant
 * @param {string} fen empty for a start
 * @param {{ mine: string, problem: string }} [of] the problem whose position it is
 */
export async function studyPosition(variant, fen, of) {
  change("study", { error: null });
  if (await openPosition(variant, fen, of).catch(showFailure)) goToView("play");
}
