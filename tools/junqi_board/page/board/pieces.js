// Pieces of Junqi, the marks of their seats, and the faces of generals.

import { make } from "../shell/dom.js";
import { percent, pieceLines } from "../texts.js";

/** @type {Record<string, [tag: string, attributes: Record<string, any>]>} */
const SEAT_MARKS = {
  S: ["circle", { r: 1 }],
  E: ["path", { d: "M0 -1.1L1.05 .85H-1.05Z" }],
  N: ["rect", { x: -0.9, y: -0.9, width: 1.8, height: 1.8 }],
  W: ["path", { d: "M0 -1.3L1.15 0L0 1.3L-1.15 0Z" }],
};
const KINDS = "abcdefghijkl";
const RANKS = "abcdefghi";

/**
 * The outline of a piece; landmine, bomb and flag have their own.
 * @param {string} letter
 * @param {number} wide in units of a narrow piece
 */
function outline(letter, wide) {
  const [x, corner] = [0.48 * wide, 0.48 * wide - 0.1];
  if (letter === "j") return `M${-corner} -.36H${corner}L${x} -.18V.18L${corner} .36H${-corner}L${-x} .18V-.18Z`;
  if (letter === "k")
    return `M${-corner} -.36H${corner}Q${x + 0.1} 0 ${corner} .36H${-corner}Q${-x - 0.1} 0 ${-corner} -.36Z`;
  if (letter === "l") return `M${-x} -.36H${x}L${corner + 0.02} 0L${x} .36H${-x}Z`;
  const right = `H${corner}Q${x} -.36 ${x} -.26V.26Q${x} .36 ${corner} .36`;
  return `M${-corner} -.36${right}H${-corner}Q${-x} .36 ${-x} .26V-.26Q${-x} -.36 ${-corner} -.36Z`;
}

/** @param {string} seat @param {number} x @param {number} y @param {number} size */
function seatMark(seat, x, y, size) {
  const [tag, attributes] = SEAT_MARKS[seat];
  return make(
    "svg:g",
    { class: "seat-mark", transform: `translate(${x} ${y}) scale(${size})` },
    make(`svg:${tag}`, attributes),
  );
}

/** The mark of a seat, for a line of text. @param {string} seat */
export function seatIcon(seat) {
  return make(
    "svg:svg",
    { viewBox: "-1.5 -1.5 3 3", class: `seat-icon seat-${seat}`, "aria-hidden": "true" },
    seatMark(seat, 0, 0, 1),
  );
}

/** A piece alone, for tables, buttons and sentences. @param {string} seat @param {string} letter */
export function pieceSample(seat, letter) {
  const piece = make("svg:g", { class: `piece seat-${seat} ${letter === "?" ? "hidden" : ""}` });
  drawPiece(piece, seat, letter);
  return make("svg:svg", { viewBox: "-.51 -.39 1.02 .78", class: "board sample", "aria-hidden": "true" }, piece);
}

/** By person, the hat and the beard, in a square of 40; the style sheet has the colours. */
const FACES = {
  zhoucang: ["M10 15Q20 2 30 15Z", ""],
  liaohua: ["M9 15Q20 4 31 15ZM18 8L20 2L22 8Z", "M15 26Q20 23 25 26Q20 25 15 26Z"],
  huangzhong: ["M9 15Q20 4 31 15Z", "M13 25Q20 40 27 25Q20 28 13 25Z"],
  machao: ["M9 15Q20 5 31 15ZM10 10L4 3L14 8ZM30 10L36 3L26 8Z", ""],
  zhangfei: ["M9 14Q20 6 31 14Z", "M9 20Q9 36 20 36Q31 36 31 20Q27 27 20 25Q13 27 9 20Z"],
  guanyu: ["M9 15Q20 1 31 15ZM6 15H34V17H6Z", "M14 25Q17 39 20 40Q23 39 26 25Q20 28 14 25Z"],
  zhugeliang: [
    "M11 15V7H29V15ZM15 7L20 2L25 7Z",
    "M18 27Q20 39 22 27Q20 28 18 27ZM14 24Q13 30 12 33M26 24Q27 30 28 33",
  ],
  caocao: [
    "M10 15V8Q20 3 30 8V15ZM10 12L1 10V13L10 15ZM30 12L39 10V13L30 15Z",
    "M12 25Q20 22 28 25Q26 28 20 26Q14 28 12 25ZM18 28H22L20 38Z",
  ],
  zhaoyun: ["M9 16Q10 5 20 4Q30 5 31 16L20 12ZM19 5Q20 -3 27 -1Q22 0 21 5Z", ""],
  soldier: ["M8 16L20 4L32 16ZM19 5V0H21V5Z", ""],
};

/** The face of a general or a soldier, in a square of 40. @param {string} person @returns {SVGElement} */
export function face(person) {
  const [hat, beard] = FACES[/** @type {keyof typeof FACES} */ (person)];
  return make(
    "svg:g",
    { class: "face", "data-face": person },
    make("svg:path", { class: "robe", d: "M4 40Q6 31 20 29Q34 31 36 40Z" }),
    make("svg:circle", { class: "skin", cx: 20, cy: 20, r: 11 }),
    make("svg:path", { class: "hat", d: hat }),
    make("svg:path", { class: "beard", d: beard }),
    make("svg:path", { class: "brow", d: "M13 18L18 19.5M27 18L22 19.5" }),
    make("svg:circle", { cx: 16, cy: 21.5, r: 1.2 }),
    make("svg:circle", { cx: 24, cy: 21.5, r: 1.2 }),
  );
}

/** A face alone, for texts. @param {string} person */
export const faceSample = (person) =>
  make("svg:svg", { class: "portrait", viewBox: "0 0 40 40", "aria-hidden": "true" }, face(person));

/**
 * @param {SVGElement} group
 * @param {string} seat
 * @param {string} letter
 * @param {PieceExtra} extra
 * @param {number} wide
 */
export function drawPiece(group, seat, letter, extra = {}, wide = 1) {
  const isHidden = letter === "?";
  const lines = isHidden ? backOf(extra, wide > 1) : pieceLines(letter, wide > 1);
  const belief = isHidden && !extra.mark ? extra.guess : null;
  const kind = isHidden ? (extra.mark ? "mark" : belief ? "guess" : "proven") : letter === "l" ? "name flag" : "name";
  if (extra.isSheltered) group.append(make("svg:ellipse", { class: "shield", rx: 0.49 * wide + 0.02, ry: 0.48 }));
  const d = outline(letter, wide);
  group.append(
    make("svg:path", { class: "shade", d, transform: "translate(0 .045)" }),
    make("svg:path", { class: "body", d }),
  );
  if (isHidden) group.append(make("svg:path", { class: "weave", d }));
  group.append(make("svg:path", { class: "bevel", d, transform: "scale(.94 .9)" }));
  if (belief) group.append(chances(belief.chances, wide));
  group.append(lines.length ? seatMark(seat, -0.48 * wide + 0.09, -0.27, 0.05) : seatMark(seat, 0, 0, 0.13));
  group.append(...label(lines, kind, wide, belief ? -0.1 : 0));
}

/** The text on the back of a hidden piece. @param {PieceExtra} extra @param {boolean} isWide */
function backOf({ mark, proven, guess }, isWide) {
  if (mark) return KINDS.includes(mark) ? pieceLines(mark, isWide) : [mark];
  if (guess && proven?.length !== 1) {
    const name = pieceLines(guess.letter, isWide).join(" ");
    const chance = percent(guess.chances[guess.letter] ?? 0);
    const known = proven ? provenLines(proven, isWide).join(" ") : "";
    return known ? [known, `${name} ${chance}`] : [name, chance];
  }
  return proven ? provenLines(proven, isWide) : [];
}

/** The proven ranks of a hidden piece, on its back. @param {string} letters @param {boolean} isWide */
function provenLines(letters, isWide) {
  if (letters.length === 1) return pieceLines(letters, isWide);
  const [last, ...more] = pieceLines(letters.slice(-1), isWide);
  if (RANKS.startsWith(letters)) return [`≥ ${last}`, ...more];
  return letters.length > MOST_LINES ? [] : [...letters].map((letter) => pieceLines(letter, isWide).join(" "));
}

/**
 * What the engine believes, as a bar for each kind of piece: the likeliest is tallest.
 * @param {Chances} chances
 * @param {number} wide
 */
function chances(chances, wide) {
  const [width, height] = [(0.84 * wide) / KINDS.length, 0.2];
  const most = Math.max(...Object.values(chances), 0.01);
  const bars = [...KINDS].map((letter, index) => {
    const tall = Math.max(0.012, (height * (chances[letter] ?? 0)) / most);
    return make("svg:rect", { x: -0.42 * wide + index * width, y: 0.33 - tall, width: 0.8 * width, height: tall });
  });
  return make("svg:g", { class: "chances" }, ...bars);
}

/** The largest text of one line, and of two; and how much smaller Latin letters are. */
const [SIZES, LATIN] = [[0.41, 0.34], [0.93, 0.84]];
/** More kinds than these are told in words only. */
const MOST_LINES = 2;
/** Share of a piece's width that its text may take. */
const LABEL_WIDTH = 0.84;
/** How narrow the letters of a long name become before they become smaller. */
const NARROWEST = 0.76;

/**
 * The text on a piece: as large as all of its lines can be.
 * @param {string[]} lines
 * @param {string} kind
 * @param {number} wide
 * @param {number} [y]
 */
export function label(lines, kind, wide, y = 0) {
  const most = Math.max(...lines.map(emsWide), 1);
  const isLatin = lines.some((line) => /[a-z]/i.test(line));
  const tallest = SIZES[lines.length - 1] * (isLatin ? LATIN[lines.length - 1] : 1);
  const narrow = Math.min(1, Math.max(NARROWEST, (LABEL_WIDTH * wide) / (most * tallest)));
  const size = Math.min(tallest, (LABEL_WIDTH * wide) / (most * narrow));
  const top = y - ((lines.length - 1) / 2) * size * 1.08;
  const about = { class: isLatin ? `${kind} latin` : kind, x: 0, "font-size": size, transform: `scale(${narrow} 1)` };
  return lines.map((line, index) => make("svg:text", { ...about, y: top + index * size * 1.08 }, line));
}

/** @type {Map<string, number>} */
const measured = new Map();
const ruler = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));

/** The width of a text on a piece, in units of its font size. @param {string} text */
export function emsWide(text) {
  if (!measured.has(text)) {
    ruler.font = `500 100px ${getComputedStyle(document.documentElement).getPropertyValue("--font")}`;
    measured.set(text, ruler.measureText(text).width / 100);
  }
  return measured.get(text) ?? 0;
}
