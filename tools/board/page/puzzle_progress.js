// What is asked of the person in a puzzle, the best that is known, and what was solved in any visit.

import { catalogue } from "./catalogue.js";
import { keep, kept } from "./storage.js";
import { clauses, t } from "./texts.js";

const MAX_SOLVED = 400;

/** The name under which a solved puzzle is kept. @param {Opening} opened */
const keyOf = ({ variant, position, options }) => [variant, position, options.Metric ?? ""].join("|");

/**
 * The known puzzle with a position.
 * @param {string} variant
 * @param {string} position
 * @returns {KnownPuzzle | undefined}
 */
export const knownPuzzle = (variant, position) => catalogue.positions[variant]?.find((one) => one.position === position);

/** What to do, in words. @param {Opening} opened */
export function goalText({ variant, position }) {
  const known = knownPuzzle(variant, position);
  return t(`goal.${known?.goal ?? variant}`, { piece: known?.piece });
}

/** The least number of moves that is known; null for none. @param {Opening} opened @returns {number | null} */
export function bestKnown({ variant, position, options }) {
  const best = knownPuzzle(variant, position)?.best ?? {};
  return best[options.Metric ?? ""] ?? best[""] ?? null;
}

/** @returns {Record<string, number>} */
const solved = () => kept("solved", {});

/** The person's least number of moves; undefined if the puzzle has not been solved. @param {Opening} opened @returns {number | undefined} */
export const ownBest = (opened) => solved()[keyOf(opened)];

/** Whether a known puzzle was solved, whichever way of counting. @param {string} variant @param {string} position */
export const isSolved = (variant, position) => Object.keys(solved()).some((key) => key.startsWith(`${variant}|${position}|`));

/**
 * Keeps that the person has solved a puzzle.
 * @param {Opening} opened
 * @param {number} moves
 */
export function keepSolved(opened, moves) {
  const all = solved();
  const before = all[keyOf(opened)] ?? Infinity;
  if (moves >= before) return;
  const others = Object.entries(all).filter(([key]) => key !== keyOf(opened)).slice(1 - MAX_SOLVED);
  keep("solved", Object.fromEntries([...others, [keyOf(opened), moves]]));
}

/** The best that is known, and the person's own. @param {Opening} opened */
export function recordsText(opened) {
  const known = bestKnown(opened);
  const own = ownBest(opened);
  const words = [];
  if (known !== null) words.push(t(known === 1 ? "puzzle.bestOne" : "puzzle.best", { n: known }));
  if (own !== undefined) words.push(t(own === 1 ? "puzzle.ownOne" : "puzzle.own", { n: own }));
  return words.length ? t("sentence", { text: clauses(...words) }) : "";
}
