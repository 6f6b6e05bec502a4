// Pieces of Junqi, and the marks of their seats.

import { make } from "./dom.js";
import { pieceLabel } from "./texts.js";

/** @type {Record<string, [tag: string, attributes: Record<string, any>]>} */
const SEAT_MARKS = {
  S: ["circle", { r: 1 }],
  E: ["path", { d: "M0 -1.1L1.05 .85H-1.05Z" }],
  N: ["rect", { x: -0.9, y: -0.9, width: 1.8, height: 1.8 }],
  W: ["path", { d: "M0 -1.3L1.15 0L0 1.3L-1.15 0Z" }],
};

/**
 * @param {string} seat
 * @param {number} x
 * @param {number} y
 * @param {number} size
 */
function seatMark(seat, x, y, size) {
  const [tag, attributes] = SEAT_MARKS[seat];
  return make("svg:g", { class: "seat-mark", transform: `translate(${x} ${y}) scale(${size})` }, make(`svg:${tag}`, attributes));
}

/** The mark of a seat, for a line of text. @param {string} seat */
export function seatIcon(seat) {
  return make("svg:svg", { viewBox: "-1.5 -1.5 3 3", class: `seat-icon seat-${seat}` }, seatMark(seat, 0, 0, 1));
}

/**
 * @param {SVGElement} group
 * @param {string} seat
 * @param {string} letter
 * @param {import("./junqi_board.js").PieceExtra} extra
 */
export function drawPiece(group, seat, letter, { mark, guess, isWrong }) {
  group.append(make("svg:rect", { class: "body", x: -0.43, y: -0.31, width: 0.86, height: 0.62, rx: 0.1 }));
  if (letter === "?") {
    const text = mark ?? guess?.letter;
    group.append(seatMark(seat, text ? -0.36 : 0, text ? -0.24 : 0, text ? 0.048 : 0.12));
    if (text) group.append(label(pieceLabel(text), mark ? "mark" : "guess", guess && !mark ? -0.05 : 0.03, guess && !mark ? 0.8 : 0.95));
    if (guess && !mark) group.append(make("svg:text", { class: "chance", x: 0, y: 0.2 }, `${guess.percent}%`));
  } else {
    group.append(seatMark(seat, -0.365, -0.245, 0.045));
    group.append(label(pieceLabel(letter), letter === "l" ? "name flag" : "name", 0.02));
  }
  if (isWrong) group.append(make("svg:text", { class: "bang", x: 0.36, y: -0.2 }, "!"));
}

/**
 * The name on a piece. A single letter is large, names share one size, and names that are too wide are squeezed.
 * @param {string} text
 * @param {string} kind
 * @param {number} y
 * @param {number} scale
 */
function label(text, kind, y, scale = 1) {
  const size = scale * (text.length === 1 ? 0.44 : /[a-z]/i.test(text) ? 0.275 : 0.325);
  const squeezed = size * emsWide(text) > 0.74 ? { textLength: 0.74, lengthAdjust: "spacingAndGlyphs" } : {};
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
