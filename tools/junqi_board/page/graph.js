// The graph of a review: the chance of the first team by step, as it could know it, and the key moments.

import { make } from "./dom.js";

const GRAPH = { height: 240, left: 40, right: 10, top: 10, chances: 205 };
const NARROWEST = 320;
const WIDEST = 1200;

/**
 * What the graph needs of a review.
 * @typedef {{ players: { player: string, team: string }[], steps: { fair: Record<string, number> }[], moments: { step: number, kind: string }[], fair: Record<string, number> }} GraphReview
 */

/**
 * The chance of the first team before step k, as each team could know it; in the dark the mean over its players.
 * @param {GraphReview} review
 * @returns {number[][]} by team, by step
 */
export function teamChances(review) {
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
 * Draws the graph. `count` is the number of steps of the whole game, of which the review may have only the first.
 * @param {SVGElement} svg
 * @param {GraphReview} review
 * @param {number} count
 * @param {(step: number) => void} onPick
 */
export function drawGraph(svg, review, count, onPick) {
  const { height, left, right, top } = GRAPH;
  // As wide as it is shown, so that its texts have the size of other texts on any screen.
  const width = Math.min(WIDEST, Math.max(NARROWEST, svg.clientWidth || WIDEST));
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const x = (/** @type {number} */ step) => left + ((width - left - right) * step) / Math.max(1, count);
  const y = (/** @type {number} */ chance) => top + GRAPH.chances * (1 - chance);
  const parts = [];
  for (const chance of [0, 0.25, 0.5, 0.75, 1]) {
    parts.push(make("svg:line", { class: chance === 0.5 ? "even" : "grid", x1: left, x2: width - right, y1: y(chance), y2: y(chance) }));
    parts.push(make("svg:text", { x: left - 5, y: y(chance) + 4, "text-anchor": "end" }, `${100 * chance}%`));
  }
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((step) => (count / step) * 60 <= width) ?? 1000;
  for (let step = 0; step <= count; step += every) parts.push(make("svg:text", { x: x(step), y: height - 3, "text-anchor": "middle" }, String(step)));
  const [chances] = teamChances(review);
  parts.push(make("svg:path", { class: "line", d: chances.map((chance, step) => `${step ? "L" : "M"}${x(step).toFixed(1)} ${y(chance).toFixed(1)}`).join("") }));
  for (const { step, kind } of review.moments) parts.push(make("svg:path", { class: `moment ${kind}`, d: SHAPES[kind], transform: `translate(${x(step)} ${y(chances[step])})` }));
  parts.push(make("svg:line", { class: "cursor", y1: top, y2: height - 16 }));
  svg.replaceChildren(...parts);
  const pick = (/** @type {PointerEvent} */ event) => {
    const box = svg.getBoundingClientRect();
    const place = ((event.clientX - box.left) * width) / box.width;
    onPick(Math.max(0, Math.min(count, Math.round(((place - left) * count) / (width - left - right)))));
  };
  svg.onpointerdown = pick;
  svg.onpointermove = (event) => {
    if (event.buttons) pick(event);
  };
}

/**
 * Moves the cursor of a graph to a step.
 * @param {SVGElement} svg
 * @param {number} step
 * @param {number} count
 */
export function markStep(svg, step, count) {
  const width = Number(svg.getAttribute("viewBox")?.split(" ")[2]);
  const place = GRAPH.left + ((width - GRAPH.left - GRAPH.right) * step) / Math.max(1, count);
  const cursor = svg.querySelector(".cursor");
  cursor?.setAttribute("x1", String(place));
  cursor?.setAttribute("x2", String(place));
}

/** The outlines of key moments around their place. @type {Record<string, string>} */
const SHAPES = {
  blunder: "M-6 -5H6L0 6Z",
  mistake: "M-5 -4H5L0 5Z",
  brilliant: "M0 -7L2 -2L7 -2L3 1.5L4.5 7L0 3.8L-4.5 7L-3 1.5L-7 -2L-2 -2Z",
  luck: "M0 -6L5 0L0 6L-5 0Z",
  eliminated: "M-5 -5H5V5H-5Z",
  end: "M-4 -4H4V4H-4Z",
};
