// Pieces of Junqi, and the marks of their seats.

import { make } from "./dom.js";
import { looks, pieceLabel } from "./looks.js";

/** The path of a star with five points. @param {number} x @param {number} y @param {number} size */
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

/** The sign of a kind of piece. @param {string} letter @returns {SVGElement} */
export function pieceIcon(letter) {
  const [filled, line] = SIGNS[letter];
  return make("svg:g", { class: `icon${letter === "l" ? " flag" : ""}`, transform: "translate(0 -.11) scale(.8)" }, make("svg:path", { class: "filled", d: filled }), make("svg:path", { class: "line", d: line }));
}

/** @type {Record<string, [tag: string, attributes: Record<string, any>]>} */
const SEAT_MARKS = {
  S: ["circle", { r: 1 }],
  E: ["path", { d: "M0 -1.1L1.05 .85H-1.05Z" }],
  N: ["rect", { x: -0.9, y: -0.9, width: 1.8, height: 1.8 }],
  W: ["path", { d: "M0 -1.3L1.15 0L0 1.3L-1.15 0Z" }],
};
const KINDS = "abcdefghijkl";
const RANKS = "abcdefghi";
const BODY = "M-.38 -.34H.38Q.48 -.34 .48 -.24V.24Q.48 .34 .38 .34H-.38Q-.48 .34 -.48 .24V-.24Q-.48 -.34 -.38 -.34Z";
/** Silhouettes of their own: landmine, bomb and flag. @type {Record<string, string>} */
const BODIES = {
  j: "M-.34 -.34H.34L.48 -.16V.16L.34 .34H-.34L-.48 .16V-.16Z",
  k: "M-.2 -.34H.2Q.48 -.34 .48 0Q.48 .34 .2 .34H-.2Q-.48 .34 -.48 0Q-.48 -.34 -.2 -.34Z",
  l: "M-.48 -.34H.48L.4 0L.48 .34H-.48Z",
};
const LABEL_WIDTH = 0.86;

/** @param {string} seat @param {number} x @param {number} y @param {number} size */
function seatMark(seat, x, y, size) {
  const [tag, attributes] = SEAT_MARKS[seat];
  return make("svg:g", { class: "seat-mark", transform: `translate(${x} ${y}) scale(${size})` }, make(`svg:${tag}`, attributes));
}

/** The mark of a seat, for a line of text. @param {string} seat */
export function seatIcon(seat) {
  return make("svg:svg", { viewBox: "-1.5 -1.5 3 3", class: `seat-icon seat-${seat}`, "aria-hidden": "true" }, seatMark(seat, 0, 0, 1));
}

/** A piece alone, for tables and buttons. @param {string} seat @param {string} letter */
export function pieceSample(seat, letter) {
  const piece = make("svg:g", { class: `piece seat-${seat} ${letter === "?" ? "hidden" : ""}` });
  drawPiece(piece, seat, letter);
  return make("svg:svg", { viewBox: "-.47 -.35 .94 .7", class: "board sample", "aria-hidden": "true" }, piece);
}

/** @param {SVGElement} group @param {string} seat @param {string} letter @param {PieceExtra} extra */
export function drawPiece(group, seat, letter, { mark, proven, guess, isWrong, isSheltered } = {}) {
  if (isSheltered) group.append(make("svg:circle", { class: "shield", r: 0.49 }));
  group.append(make("svg:path", { class: "body", d: BODIES[letter] ?? BODY }));
  if (letter === "?") {
    const text = mark ?? guess?.letter ?? proven;
    group.append(seatMark(seat, text ? -0.4 : 0, text ? -0.26 : 0, text ? 0.05 : 0.13));
    if (mark) group.append(label(KINDS.includes(mark) ? pieceLabel(mark) : mark, "mark", 0.03, 0.95));
    else if (guess) {
      group.append(label(pieceLabel(guess.letter), "guess", -0.09, 0.78));
      group.append(chances(guess.chances));
    } else if (proven) group.append(label(provenLabel(proven), "proven", 0.03, 0.9));
  } else {
    group.append(seatMark(seat, -0.41, -0.27, 0.045));
    if (looks.pieceTheme === "icons") group.append(pieceIcon(letter), label(pieceLabel(letter), "under", 0.155, 0.56));
    else group.append(label(pieceLabel(letter), letter === "l" ? "name flag" : "name", -0.01));
    const steps = RANKS.length - RANKS.indexOf(letter);
    if (RANKS.includes(letter)) group.append(make("svg:rect", { class: "ladder", x: -0.4, y: 0.245, width: (0.8 * steps) / RANKS.length, height: 0.045 }));
  }
  if (isWrong) group.append(make("svg:text", { class: "bang", x: 0.36, y: -0.2 }, "!"));
}

/** What is proven of a hidden piece, on its back. @param {string} letters */
function provenLabel(letters) {
  if (letters.length > 1 && RANKS.startsWith(letters)) return `≥${pieceLabel(String(letters.at(-1)))}`;
  return [...letters].map(pieceLabel).join("/");
}

/** What the engine believes, as a bar for each kind of piece, from the Field Marshal to the Flag. The likeliest is tallest. @param {Chances} chances */
function chances(chances) {
  const [width, height] = [0.84 / KINDS.length, 0.2];
  const most = Math.max(...Object.values(chances), 0.01);
  const bars = [...KINDS].map((letter, index) => {
    const tall = Math.max(0.012, (height * (chances[letter] ?? 0)) / most);
    return make("svg:rect", { x: -0.42 + index * width, y: 0.31 - tall, width: 0.8 * width, height: tall });
  });
  return make("svg:g", { class: "chances" }, ...bars);
}

/**
 * The name on a piece. A single letter is large, names share one size, and names that are too wide are squeezed.
 * @param {string} text
 * @param {string} kind
 * @param {number} y
 * @param {number} scale
 */
function label(text, kind, y, scale = 1) {
  const size = scale * (text.length === 1 ? 0.5 : /[a-z]/i.test(text) ? 0.33 : 0.39);
  const squeezed = size * emsWide(text) > LABEL_WIDTH ? { textLength: LABEL_WIDTH, lengthAdjust: "spacingAndGlyphs" } : {};
  return make("svg:text", { class: kind, x: 0, y, "font-size": size, ...squeezed }, text);
}

/** @type {Map<string, number>} */
const measured = new Map();
const ruler = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));

/** The width of a text on a piece, in units of its font size. @param {string} text */
function emsWide(text) {
  if (!measured.has(text)) {
    ruler.font = `600 100px ${getComputedStyle(document.documentElement).getPropertyValue("--font")}`;
    measured.set(text, ruler.measureText(text).width / 100);
  }
  return measured.get(text) ?? 0;
}
