// The graph of a review: chances of the first team by step, the losses and the luck of battles, and the key moments.

import { make } from "./dom.js";

const GRAPH = { height: 330, left: 40, right: 10, top: 10, chances: 210, losses: 50, luck: 40 };
const NARROWEST = 320;
const WIDEST = 1200;
const LARGEST_BAR = 0.25;

/**
 * What the graph needs of a review.
 * @typedef {{ step: number, seat: string, is_battle: boolean, fair: Record<string, number>, truth: number, loss: number, luck: Record<string, number> }} GraphStep
 * @typedef {{ players: { player: string, team: string }[], steps: GraphStep[], moments: { step: number, kind: string }[], fair: Record<string, number>, truth: number }} GraphReview
 */

/** The teams of a review. @param {GraphReview} review */
const teamsOf = (review) => [...new Set(review.players.map(({ team }) => team))];

/**
 * The chance of the first team before step k, as each team could know it; in the dark the mean over its players.
 * @param {GraphReview} review
 * @returns {number[][]} by team, by step
 */
export function teamChances(review) {
  const teams = teamsOf(review);
  const points = [...review.steps, review];
  return teams.map((team, number) => {
    const players = review.players.filter((one) => one.team === team);
    return points.map(({ fair }) => {
      const own = players.reduce((sum, { player }) => sum + fair[player], 0) / players.length;
      return number ? 1 - own : own;
    });
  });
}

/** The true chance of the first team before each step and at the end. @param {GraphReview} review */
export const trueChances = (review) => [...review.steps.map((step) => step.truth), review.truth];

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
  parts.push(...bars(review, x, width, count));
  const path = (/** @type {number[]} */ own) => own.map((chance, step) => `${step ? "L" : "M"}${x(step).toFixed(1)} ${y(chance).toFixed(1)}`).join("");
  parts.push(make("svg:path", { class: "line true", d: path(trueChances(review)) }));
  const chances = teamChances(review);
  chances.forEach((own, team) => parts.push(make("svg:path", { class: `line team-${team}`, d: path(own) })));
  const teams = teamsOf(review);
  for (const moment of review.moments) {
    const step = review.steps[moment.step];
    const team = Math.max(0, teams.findIndex((seats) => seats.includes(step.seat)));
    const place = `translate(${x(moment.step)} ${y(chances[team][moment.step])})`;
    parts.push(make("svg:path", { class: `moment ${moment.kind}`, d: SHAPES[moment.kind], transform: place }));
  }
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

/**
 * Below the chances: each loss in the colour of its team, then the luck of battles, up for the first team.
 * @param {GraphReview} review
 * @param {(step: number) => number} x
 * @param {number} width
 * @param {number} count
 */
function bars(review, x, width, count) {
  const { left, right, top } = GRAPH;
  const bottom = top + GRAPH.chances + 8 + GRAPH.losses;
  const middle = bottom + 4 + GRAPH.luck / 2;
  const wide = Math.max(1, Math.min(8, ((width - left - right) / Math.max(1, count)) * 0.8));
  const teams = teamsOf(review);
  const first = review.players[0].player;
  const parts = [];
  for (const y of [bottom, middle]) parts.push(make("svg:line", { class: "grid", x1: left, x2: width - right, y1: y, y2: y }));
  for (const step of review.steps) {
    const at = x(step.step + 0.5) - wide / 2;
    const loss = (Math.min(step.loss, LARGEST_BAR) * GRAPH.losses) / LARGEST_BAR;
    const team = Math.max(0, teams.findIndex((seats) => seats.includes(step.seat)));
    if (loss > 0.5) parts.push(make("svg:rect", { class: `loss-${team}`, x: at, y: bottom - loss, width: wide, height: loss }));
    const luck = step.is_battle ? step.luck[first] : 0;
    const tall = (Math.min(Math.abs(luck), LARGEST_BAR) * GRAPH.luck) / 2 / LARGEST_BAR;
    if (tall > 0.5) parts.push(make("svg:rect", { class: `luck-${luck > 0 ? 0 : 1}`, x: at, y: luck > 0 ? middle - tall : middle, width: wide, height: tall }));
  }
  return parts;
}
