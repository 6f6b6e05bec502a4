// The graph of a review: the chance of the person's team by step, as it could know it, and the key moments.

import { html, useLayoutEffect, useRef, useState } from "../view.js";
import { seatText, whoAll } from "../voice.js";
import { keyMoments, preciseText } from "./moments.js";

const GRAPH = { height: 240, left: 40, right: 10, top: 10, chances: 205 };
const [NARROWEST, WIDEST] = [320, 1200];
/** Distance between the numbers of steps. */
const NUMBER_PX = 60;

/**
 * `count` is the number of steps of the whole game, of which the review may have only the first.
 * @param {GraphProps} props
 */
export function Graph({ id, review, mine, count, at, label, onPick }) {
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  const [width, setWidth] = useState(WIDEST);
  // As wide as it is shown, so that its texts have the size of other texts on any screen.
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(
      ([{ contentRect }]) => contentRect.width && setWidth(Math.min(WIDEST, Math.max(NARROWEST, contentRect.width))),
    );
    watcher.observe(/** @type {Element} */ (svg.current));
    return () => watcher.disconnect();
  }, []);
  const { height, left, right, top } = GRAPH;
  const x = (/** @type {number} */ step) => left + ((width - left - right) * step) / Math.max(1, count);
  const y = (/** @type {number} */ chance) => top + GRAPH.chances * (1 - chance);
  const { chances } = ownChances(review, mine);
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => (count / step) * NUMBER_PX <= width) ?? 1000;
  const numbers = Array.from({ length: Math.floor(count / every) + 1 }, (_, index) => index * every);
  const line = chances
    .map((chance, step) => `${step ? "L" : "M"}${x(step).toFixed(1)} ${y(chance).toFixed(1)}`)
    .join("");
  const pick = (/** @type {PointerEvent} */ event) => {
    const box = /** @type {Element} */ (svg.current).getBoundingClientRect();
    const place = ((event.clientX - box.left) * width) / box.width;
    onPick(Math.max(0, Math.min(count, Math.round(((place - left) * count) / (width - left - right)))));
  };
  return html`<svg id=${id} ref=${svg} class="review-graph" tabindex="0" role="img" aria-label=${label}
    viewBox="0 0 ${width} ${height}"
    onPointerDown=${pick} onPointerMove=${(/** @type {PointerEvent} */ event) => event.buttons && pick(event)}>
    ${[0, 0.25, 0.5, 0.75, 1].map((chance) => html`
      <line class=${chance === 0.5 ? "even" : "grid"} x1=${left} x2=${width - right} y1=${y(chance)} y2=${y(chance)} />
      <text x=${left - 5} y=${y(chance) + 4} text-anchor="end">${100 * chance}%</text>`)}
    ${numbers.map((step) => html`<text x=${x(step)} y=${height - 3} text-anchor="middle">${step}</text>`)}
    <path class="line" d=${line} />
    ${keyMoments(review).map(({ step, kind }) => html`<path class="moment ${kind}" d=${SHAPES[kind]}
      transform="translate(${x(step + 1)} ${y(chances[step + 1])})" />`)}
    <line class="cursor" x1=${x(at)} x2=${x(at)} y1=${top} y2=${height - 16} />
  </svg>`;
}

/** The outlines of key moments around their place. @type {Record<string, string>} */
const SHAPES = {
  blunder: "M-6 -5H6L0 6Z",
  mistake: "M-5 -4H5L0 5Z",
  gambleWon: "M-5 -4H5L0 5Z",
  gambleLost: "M-6 -5H6L0 6Z",
  brilliant: "M0 -7L2 -2L7 -2L3 1.5L4.5 7L0 3.8L-4.5 7L-3 1.5L-7 -2L-2 -2Z",
  luck: "M0 -6L5 0L0 6L-5 0Z",
  eliminated: "M-5 -5H5V5H-5Z",
  end: "M-4 -4H4V4H-4Z",
};

/**
 * The chances of the person's team, or of the first, before a move; empty if they are not known yet.
 * @param {Review} review
 * @param {number} at
 * @param {Pov} pov
 */
export function chancesText(review, at, pov) {
  const truth = [...review.steps, review][at]?.truth;
  if (truth === undefined) return "";
  const { team, chances, isFirst } = ownChances(review, pov.mine);
  const values = { fair: preciseText(chances[at]), truth: preciseText(isFirst ? truth : 1 - truth) };
  return seatText("review.chances", team[0], pov, { who: whoAll(team, pov), ...values });
}

/**
 * The chance of the first team before step k, as each team could know it; in the dark the mean over its players.
 * @param {Review} review
 * @returns {number[][]} by team, by step
 */
function teamChances(review) {
  const teams = [...new Set(review.players.map(({ team }) => team))];
  const points = [...review.steps, review];
  return teams.map((team, number) => {
    const players = review.players.filter((one) => one.team === team);
    return points.map(({ fair }) => {
      const own = players.reduce((sum, { player }) => sum + fair[player], 0) / players.length;
      return number ? 1 - own : own;
    });
  });
}

/**
 * The team of the person, or the first, and its chance before step k, as it could know it.
 * @param {Review} review
 * @param {string} mine
 */
export function ownChances(review, mine) {
  const teams = [...new Set(review.players.map(({ team }) => team))];
  const number = Math.max(0, teams.findIndex((team) => mine && team.includes(mine[0])));
  const chances = teamChances(review)[number].map((chance) => (number ? 1 - chance : chance));
  return { team: teams[number], chances, isFirst: !number };
}
