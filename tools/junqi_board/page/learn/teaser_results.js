// The results of brain teasers: moves or points, stars, and the person's best of any visit.

import { addFact, factsOf } from "../shell/store.js";
import { t } from "../texts.js";

/** Whether nothing remains to be done. @param {TeaserPosition} position */
export const isOver = ({ solved, teaser: { swaps }, moves }) => solved || (swaps > 0 && moves.length >= swaps);

/** Whether a tour has crossed the square on which it must end. @param {TeaserPosition} position */
export function isEndCrossed({ solved, floor, line }) {
  const [x, y] = floor.find(([, , , , kind]) => kind === "goal") ?? [];
  return !solved && line.some((corner) => corner[0] - 0.5 === x && corner[1] - 0.5 === y);
}

/** The moves that were needed, or the points where these count. @param {TeaserPosition} position */
export const resultOf = ({ teaser, points, moves }) => (teaser.swaps ? (points ?? 0) : moves.length);

/** @param {Teaser} teaser @param {number} result */
export const resultText = ({ swaps }, result) => t(swaps ? "teaser.points" : "count.moves", { n: result });

const MOST_STARS = 3;
/** With so much more than the fewest moves there are two stars, with more one. */
const TWO_STARS = 1.25;

/** The name under which a solved teaser is kept. @param {Teaser} teaser */
const keyOf = ({ variant, position }) => [variant, position, variant === "klotski" ? "move" : ""].join("|");

/**
 * The person's least number of moves, or most points; undefined if the teaser has not been solved.
 * @param {Teaser} teaser
 * @returns {number | undefined}
 */
export const ownBest = (teaser) => factsOf("teaser")[keyOf(teaser)];

/**
 * How far a result is from another one of the teaser: more than 1 if it is worse.
 * @param {Teaser} teaser
 * @param {number} result
 * @param {number} other
 */
export const farness = ({ swaps }, result, other) => (swaps ? other / Math.max(result, 1) : result / other);

/** @param {TeaserPosition} position */
export function keepResult(position) {
  const { teaser } = position;
  const [result, before] = [resultOf(position), ownBest(teaser)];
  if (before !== undefined && farness(teaser, result, before) >= 1) return;
  addFact("teaser", keyOf(teaser), result);
}

/**
 * Three stars for a best result, a tick where the best is not known.
 * @param {Teaser} teaser
 * @param {number | undefined} result undefined for no stars
 */
export function starsOf(teaser, result) {
  if (result === undefined) return "";
  if (teaser.best === null) return "✓";
  const far = farness(teaser, result, teaser.best);
  const stars = far <= 1 ? MOST_STARS : far <= TWO_STARS ? 2 : 1;
  return "★".repeat(stars) + "☆".repeat(MOST_STARS - stars);
}

/** The moves, and the points of a teaser that has points. @param {TeaserPosition} position */
export const countWords = ({ moves, points }) => [
  t("count.moves", { n: moves.length }),
  ...(points === null ? [] : [t("teaser.points", { n: points })]),
];
