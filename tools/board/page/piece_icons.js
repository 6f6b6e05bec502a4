// The signs of the piece theme "icons": stars and chevrons for ranks, tools and weapons for the others.

import { make } from "./dom.js";

/**
 * The path of a star with five points.
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function star(x, y, size) {
  const corners = Array.from({ length: 10 }, (_, index) => {
    const [angle, reach] = [(index * Math.PI) / 5, index % 2 ? 0.42 * size : size];
    return `${(x + reach * Math.sin(angle)).toFixed(3)} ${(y - reach * Math.cos(angle)).toFixed(3)}`;
  });
  return `M${corners.join("L")}Z`;
}

/** Stars side by side. @param {number} count @param {number} size */
const stars = (count, size) => Array.from({ length: count }, (_, index) => star((index - (count - 1) / 2) * 2.1 * size, 0.02, size)).join("");

/** Chevrons one above the other. @param {number} count */
const chevrons = (count) =>
  Array.from({ length: count }, (_, index) => {
    const y = (index - (count - 1) / 2) * 0.14 + 0.06;
    return `M-.2 ${y}L0 ${y - 0.12}L.2 ${y}`;
  }).join("");

/** By letter, a path that is filled and one that is a line. @type {Record<string, [filled: string, line: string]>} */
const SIGNS = {
  a: [star(0, 0, 0.17), "M-.12 .2Q-.34 .1 -.3 -.18M.12 .2Q.34 .1 .3 -.18"],
  b: [stars(3, 0.12), ""],
  c: [stars(2, 0.13), ""],
  d: [stars(1, 0.15), ""],
  e: ["", chevrons(3)],
  f: ["", chevrons(2)],
  g: ["", chevrons(1)],
  h: ["", "M-.17 .02H.17"],
  i: ["M-.3 -.04Q0 -.36 .3 -.04Q0 -.2 -.3 -.04Z", "M0 -.16V.24"],
  j: ["M-.14 .02A.14 .14 0 1 1 .14 .02A.14 .14 0 1 1 -.14 .02Z", "M0 -.22V.26M-.24 .02H.24M-.17 -.15L.17 .19M.17 -.15L-.17 .19"],
  k: ["M-.19 .07A.17 .17 0 1 1 .15 .07A.17 .17 0 1 1 -.19 .07Z", "M.1 -.06Q.16 -.22 .28 -.16"],
  l: ["M-.12 -.24L.22 -.12L-.12 0Z", "M-.12 -.24V.24"],
};

/**
 * The sign of a kind of piece.
 * @param {string} letter
 * @returns {SVGElement}
 */
export function pieceIcon(letter) {
  const [filled, line] = SIGNS[letter];
  return make("svg:g", { class: `icon${letter === "l" ? " flag" : ""}` }, make("svg:path", { class: "filled", d: filled }), make("svg:path", { class: "line", d: line }));
}
