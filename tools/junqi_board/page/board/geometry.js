// Places on a board, in units of one cell, and the lines and rectangles between and around them.

import { make } from "../shell/dom.js";

/** Straight segments per curve. */
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
export const plate = (kind, { x, y }, width, height, rx) =>
  make("svg:rect", { class: kind, x: x - width / 2, y: y - height / 2, width, height, rx });

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
    const mix = (/** @type {"x" | "y"} */ axis) =>
      (1 - part) ** 2 * a[axis] + 2 * part * (1 - part) * control[axis] + part ** 2 * b[axis];
    return { x: mix("x"), y: mix("y") };
  });
}

/** The path of a line through places. @param {Place[]} places */
export const lineThrough = (places) =>
  places.map(({ x, y }, index) => `${index ? "L" : "M"}${x.toFixed(3)} ${y.toFixed(3)}`).join("");

/**
 * The nearest place in a direction, where a step aside counts more than a step along; the one at hand if none lies
 * there.
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

/**
 * How a board lies on a screen: how wide a piece is, which part of it is visible, and where a place of its data is
 * drawn.
 * @param {BoardData} data
 * @param {string} bottom the seat at the bottom
 * @param {{ isNarrow: boolean, isLow: boolean }} screen
 */
export function layoutOf(data, bottom, { isNarrow, isLow }) {
  const turns = turnsOf(data, bottom, isLow);
  const isSideways = turns % 2 === 1;
  // Distances of columns and rows: a board for two seats has wide cells, turned on its side high ones.
  const [pitchX, pitchY] = data.seats.length > 2 ? [1, 1] : isSideways ? [1, 1.25] : [isNarrow ? 1.75 : 1.98, 1];
  const wide = pitchX > 1 ? pitchX - 0.1 : 1;
  const [columns, rows] = isSideways ? [data.height, data.width] : [data.width, data.height];
  const side = wide / 2 + (pitchX === 1 ? 0 : isNarrow ? 0.06 : 0.56);
  const end = pitchY > 1 ? 0.6 : 0.5;
  const frame = { left: -side, right: pitchX * (columns - 1) + side, top: -end, bottom: pitchY * (rows - 1) + end };
  const placeOf = (/** @type {number} */ x, /** @type {number} */ y) => {
    const turned = [
      [x, y],
      [data.height - 1 - y, x],
      [data.width - 1 - x, data.height - 1 - y],
      [y, data.width - 1 - x],
    ];
    return { x: pitchX * turned[turns][0], y: pitchY * turned[turns][1] };
  };
  return { turns, wide, frame, placeOf };
}

/**
 * The quarter turns of a board to the right, with a seat at the bottom; on a low screen one for two seats lies on its
 * side.
 * @param {BoardData} data
 * @param {string} bottom
 * @param {boolean} isLow
 */
const turnsOf = (data, bottom, isLow) => ((data.turns[bottom] ?? 0) + Number(isLow && data.seats.length === 2)) % 4;

/**
 * On which side a seat is drawn, in quarter turns from that at the bottom.
 * @param {BoardData} data
 * @param {string} bottom
 * @param {string} seat
 * @param {boolean} isLow
 */
export const sideOf = (data, bottom, seat, isLow) => (data.turns[seat] - turnsOf(data, bottom, isLow) + 4) % 4;

/**
 * Whether a place is in one of the rectangles of a shape.
 * @param {Rectangle[]} rectangles
 * @param {Place} shape
 * @param {Place} place
 */
export function isIn(rectangles, shape, place) {
  const [x, y] = [place.x - shape.x, place.y - shape.y];
  return rectangles.some(
    ([left, top, width, height]) => x >= left && x <= left + width && y >= top && y <= top + height,
  );
}
