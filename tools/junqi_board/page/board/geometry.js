// Places on a board, in units of one cell, and the lines and rectangles between and around them.

import { make } from "../shell/dom.js";

/** How many straight steps are drawn for a curve. */
const CURVE_STEPS = 6;

/** @param {Place} a @param {Place} b */
export const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * The first one of those that cost least; null if there is none.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => number} cost
 * @returns {T | null}
 */
export const least = (items, cost) => (items.length ? items.reduce((a, b) => (cost(b) < cost(a) ? b : a)) : null);

/**
 * @template {Place} T
 * @param {T[]} places
 * @param {Place} place
 */
export const nearest = (places, place) => least(places, (one) => distance(one, place));

/** @param {number} value @param {number} low @param {number} high */
export const within = (value, low, high) => Math.max(low, Math.min(high, value));

/** Where an element is, for its style. @param {Place} place */
export const translate = ({ x, y }) => `translate(${x}px, ${y}px)`;

/**
 * A rectangle around a place.
 * @param {string} kind
 * @param {Place} place
 * @param {number} width
 * @param {number} height
 * @param {number} rx
 */
export const plate = (kind, { x, y }, width, height, rx) => make("svg:rect", { class: kind, x: x - width / 2, y: y - height / 2, width, height, rx });

/**
 * The path of a line from a to b with a gap at either end, which keeps names and rings visible.
 * @param {Place} a
 * @param {Place} b
 * @param {number} gapA
 * @param {number} gapB
 */
export function between(a, b, gapA, gapB) {
  const length = distance(a, b) || 1;
  const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  return `M${a.x + gapA * dx} ${a.y + gapA * dy}L${b.x - gapB * dx} ${b.y - gapB * dy}`;
}

/** Places along a curve, without its end. @param {Place} a @param {Place} control @param {Place} b */
export function curve(a, control, b) {
  return Array.from({ length: CURVE_STEPS }, (_, step) => {
    const part = step / CURVE_STEPS;
    const mix = (/** @type {"x" | "y"} */ axis) => (1 - part) ** 2 * a[axis] + 2 * part * (1 - part) * control[axis] + part ** 2 * b[axis];
    return { x: mix("x"), y: mix("y") };
  });
}

/** The path of a line through places. @param {Place[]} places */
export const lineThrough = (places) => places.map(({ x, y }, index) => `${index ? "L" : "M"}${x.toFixed(3)} ${y.toFixed(3)}`).join("");

/**
 * The nearest place in a direction, where a step aside counts more than a step along; the one at hand if none lies there.
 * @param {Place[]} places
 * @param {Place} here
 * @param {[number, number]} direction
 */
export function ahead(places, here, [stepX, stepY]) {
  const along = (/** @type {Place} */ { x, y }) => (x - here.x) * stepX + (y - here.y) * stepY;
  const aside = (/** @type {Place} */ { x, y }) => Math.abs((x - here.x) * stepY) + Math.abs((y - here.y) * stepX);
  const before = places.filter((place) => along(place) >= 0.05 && aside(place) <= 2 * along(place));
  return least(before, (place) => along(place) + 2.2 * aside(place)) ?? here;
}
