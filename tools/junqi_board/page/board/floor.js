// The layer beneath the pieces of a Junqi board: ground, roads, railways, points, and the border of the halves.

import { make } from "../shell/dom.js";
import { t } from "../texts.js";
import { least, plate } from "./geometry.js";

/** @typedef {ReturnType<typeof import("./geometry.js").layoutOf>} Layout */

/**
 * The elements of the floor, from the bottom to the top.
 * @param {BoardData} data
 * @param {Layout} layout
 * @returns {Element[]}
 */
export function floorOf(data, { wide, frame: { left, right, top, bottom }, placeOf }) {
  const isCross = data.seats.length > 2;
  const places = data.points.map(({ x, y }) => placeOf(x, y));
  const ground = {
    class: `ground ${isCross ? "corners" : ""}`,
    x: left,
    y: top,
    width: right - left,
    height: bottom - top,
  };
  const armOf = (/** @type {string} */ seat) =>
    arm(seat, places.filter((_, point) => (data.points[point].seat ?? "") === seat));
  const edge = (/** @type {string} */ kind, /** @type {BoardData["rails"][0]} */ [one, other, bend]) => {
    const [a, b, c] = [places[one], places[other], bend && placeOf(...bend)];
    return make("svg:path", { class: kind, d: `M${a.x} ${a.y}${c ? `Q${c.x} ${c.y} ` : "L"}${b.x} ${b.y}` });
  };
  return [
    make("svg:rect", { ...ground, rx: 0.3 }),
    ...(isCross ? ["", ...data.seats].map(armOf) : []),
    ...data.roads.map((road) => edge("road", road)),
    ...["rail", "sleepers"].flatMap((kind) => data.rails.map((rail) => edge(kind, rail))),
    ...data.points.flatMap(({ kind }, point) => pointShapes(kind, places[point], wide)),
    ...data.signs.flatMap(([x, y, kind]) => landmark(placeOf(x, y), kind)),
  ];
}

/** The ground of a seat's army; for no seat that in the middle. @param {string} seat @param {Place[]} places */
function arm(seat, places) {
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs) - 0.52, Math.min(...ys) - 0.52];
  const size = { width: Math.max(...xs) + 0.52 - left, height: Math.max(...ys) + 0.52 - top };
  return make("svg:rect", { class: seat ? `arm seat-${seat}` : "cross", x: left, y: top, ...size, rx: 0.15 });
}

/**
 * A point of the board.
 * @param {BoardPoint["kind"]} kind
 * @param {Place} place
 * @param {number} wide the width of a piece
 * @returns {Element[]}
 */
function pointShapes(kind, place, wide) {
  if (kind === "station") return [plate(kind, place, 0.74 * wide, 0.46, 0.08)];
  if (kind === "headquarters") return [plate(kind, place, 0.98 * wide, 0.88, 0.34)];
  const ellipse = (/** @type {string} */ part, /** @type {number} */ r) =>
    make("svg:ellipse", { class: part, cx: place.x, cy: place.y, rx: r * Math.min(wide, 1.5), ry: r });
  return [ellipse("campsite", 0.43), ellipse("campsite inner", 0.33)];
}

/**
 * Mountains, or the front line, between the halves of a board.
 * @param {Place} place
 * @param {string} kind
 * @returns {Element[]}
 */
function landmark(place, kind) {
  const { x, y } = place;
  const isFront = kind === "front";
  const d = "M-.46 .3L-.2 -.22L-.04 .06L.14 -.3L.46 .3Z";
  const mountains = make("svg:path", { class: "mountains", d, transform: `translate(${x} ${y})` });
  const name = make("svg:text", { class: "landmark", x, y: y + (isFront ? 0.01 : 0.14) }, t(`board.${kind}`));
  return [isFront ? plate("front", place, 0.88, 0.38, 0.1) : mountains, name];
}

/**
 * The names of columns and rows, in the gaps beside the lowest piece of each column and the left one of each row.
 * @param {BoardData} data
 * @param {Layout} layout
 */
export function namesOf(data, { wide, placeOf }) {
  const places = data.points.map(({ x, y, name }) => ({ ...placeOf(x, y), column: name[0], row: name.slice(1) }));
  const text = (/** @type {string} */ name, /** @type {number} */ x, /** @type {number} */ y) =>
    make("svg:text", { class: "point-name", x, y }, name);
  const best = (/** @type {"column" | "row"} */ axis, /** @type {(place: Place) => number} */ cost) =>
    [...new Set(places.map((place) => place[axis]))].flatMap((name) => {
      const at = least(places.filter((place) => place[axis] === name), cost);
      return at ? [{ name, at }] : [];
    });
  return [
    ...best("column", ({ x, y }) => x - y).map(({ name, at }) => text(name, at.x + 0.47 * wide, at.y + 0.4)),
    ...best("row", ({ x, y }) => x - 0.01 * y).map(({ name, at }) => text(name, at.x - 0.4 * wide, at.y - 0.45)),
  ];
}
