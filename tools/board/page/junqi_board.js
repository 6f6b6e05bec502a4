// The Junqi board: its points and lines, and signs for moves and battles.

import { SvgBoard, between, distance } from "./svg_board.js";
import { make } from "./dom.js";
import { drawPiece } from "./pieces.js";
import { seatName, t, wording } from "./texts.js";

/** The boards that the server has sent, by variant. @type {Map<string, BoardData>} */
const boards = new Map();
/** @type {string | null} */
let lastVariant = null;

/** @param {BoardData} data */
export function learnBoard(data) {
  lastVariant = data.variant;
  // The first object is kept: a board that is drawn recognises its data.
  if (!boards.has(data.variant)) boards.set(data.variant, data);
}

/** @param {string} variant */
export const boardOf = (variant) => boards.get(variant);

// The board that was sent last.
export const learnedBoard = () => (lastVariant === null ? undefined : boardOf(lastVariant));

/**
 * What a piece shows beside its letter: a mark of the person, a guess with its percentage, a broken rule.
 * @typedef {{ mark?: string, guess?: { letter: string, percent: number } | null, isWrong?: boolean }} PieceExtra
 */

export class JunqiBoard {
  /** @type {BoardData | null} */
  data = null;
  /** Quarter turns to the right. */
  turns = 0;

  /**
   * @param {SVGSVGElement} svg
   * @param {import("./svg_board.js").BoardOptions} options
   */
  constructor(svg, options) {
    this.svgBoard = new SvgBoard(svg, options);
  }

  // The data of the board, which `set` has been given.
  get board() {
    if (!this.data) throw new Error("the board has no data yet");
    return this.data;
  }

  /**
   * A place of the board's data as it is drawn.
   * @param {number} x
   * @param {number} y
   * @returns {Place}
   */
  turned(x, y) {
    let [width, height] = [this.board.width, this.board.height];
    for (let turn = 0; turn < this.turns; turn++) {
      [x, y] = [height - 1 - y, x];
      [width, height] = [height, width];
    }
    return { x, y };
  }

  /** The place of a point. @param {number} number */
  point(number) {
    const { x, y } = this.board.points[number];
    return this.turned(x, y);
  }

  /**
   * Draws the board, with a seat at the bottom.
   * @param {BoardData} data
   * @param {string} seat
   */
  set(data, seat) {
    const turns = data.turns[seat] ?? 0;
    if (this.data === data && this.turns === turns) return;
    Object.assign(this, { data, turns });
    this.svgBoard.clear();
    const sideways = turns % 2 === 1;
    const [width, height] = sideways ? [data.height, data.width] : [data.width, data.height];
    this.svgBoard.frame(-1.05, -0.95, width + 1.1, height + 0.95 + 0.05);
    const floor = this.svgBoard.layers.floor;
    floor.append(make("svg:rect", { class: "ground", x: -1.05, y: -0.95, width: width + 1.1, height: height + 1, rx: 0.4 }));
    for (const [one, other] of data.roads) floor.append(this.edge("road", one, other));
    for (const kind of ["rail", "sleepers"])
      for (const [one, other, bend] of data.rails) floor.append(this.edge(kind, one, other, bend));
    data.points.forEach((point, number) => {
      const { x, y } = this.point(number);
      if (point.kind === "campsite") {
        floor.append(make("svg:circle", { class: "campsite", cx: x, cy: y, r: 0.43 }));
        floor.append(make("svg:circle", { class: "campsite inner", cx: x, cy: y, r: 0.33 }));
      } else {
        const size = point.kind === "headquarters" ? [0.96, 0.84, 0.34] : [0.7, 0.46, 0.08];
        const [w, h, rx] = size;
        floor.append(make("svg:rect", { class: point.kind, x: x - w / 2, y: y - h / 2, width: w, height: h, rx }));
      }
    });
    for (let file = 0; file < data.width; file++) this.label(String.fromCharCode(97 + file), file, data.height - 0.28, turns);
    for (let rank = 0; rank < data.height; rank++) this.label(data.height - rank, -0.75, rank, turns);
  }

  /**
   * Labels a file or rank. Labels stay on the left and below, whichever seat is at the bottom.
   * @param {string | number} text
   * @param {number} x
   * @param {number} y
   * @param {number} turns
   */
  label(text, x, y, turns) {
    const [width, height] = [this.board.width, this.board.height];
    let place = this.turned(x, y);
    const isBelow = y > height - 1;
    if (turns === 1) place = isBelow ? { x: -0.75, y: place.y } : place;
    if (turns === 2) place = isBelow ? { x: place.x, y: height - 0.28 } : { x: -0.75, y: place.y };
    if (turns === 1 && !isBelow) place = { x: place.x, y: width - 0.28 };
    if (turns === 3) place = isBelow ? { x: -0.75, y: place.y } : { x: place.x, y: width - 0.28 };
    this.svgBoard.layers.floor.append(make("svg:text", { class: "label", x: place.x, y: place.y }, String(text)));
  }

  /**
   * @param {string} kind
   * @param {number} one
   * @param {number} other
   * @param {[number, number]} [bend] the control point of a curve
   */
  edge(kind, one, other, bend) {
    const a = this.point(one);
    const b = this.point(other);
    const c = bend ? this.turned(...bend) : null;
    const d = c ? `M${a.x} ${a.y}Q${c.x} ${c.y} ${b.x} ${b.y}` : `M${a.x} ${a.y}L${b.x} ${b.y}`;
    return make("svg:path", { class: kind, d });
  }

  // All points, for the cursor of the keyboard.
  spots() {
    return this.board.points.map((_, number) => ({ ...this.point(number), number }));
  }

  /**
   * A piece as a shape.
   * @param {Piece} piece
   * @param {PieceExtra} extra
   * @returns {Shape}
   */
  shape([point, piece, seat, letter], extra = {}) {
    const { mark, guess, isWrong } = extra;
    const look = [seat, letter, mark, guess?.letter, guess?.percent, isWrong, wording()].join();
    return {
      id: String(piece),
      ...this.point(point),
      point,
      seat,
      letter,
      look,
      class: `piece seat-${seat} ${letter === "?" ? "hidden" : ""} ${isWrong ? "wrong" : ""}`,
      draw: (group) => drawPiece(group, seat, letter, extra),
    };
  }

  /**
   * A point and the piece on it, in words.
   * @param {Shape | null} shape
   * @param {Place} place
   */
  describe(shape, place) {
    const number = shape?.point ?? this.spots().reduce((a, b) => (distance(a, place) <= distance(b, place) ? a : b)).number;
    const point = this.board.points[number];
    const words = [point.name, t(`point.${point.kind}`)];
    words.push(shape ? `${seatName(String(shape.seat))}, ${t(`piece.${shape.letter}`)}` : t("point.empty"));
    return words.join(", ");
  }

  /**
   * Shows the last move, and the move that is advised.
   * @param {LastMove | null} last
   * @param {Advice | null} advice
   */
  glow(last, advice) {
    const layer = this.svgBoard.layers.glow;
    layer.replaceChildren();
    if (last && last.from >= 0) {
      const a = this.point(last.from);
      const b = this.point(last.to);
      layer.append(make("svg:rect", { class: "came", x: a.x - 0.44, y: a.y - 0.36, width: 0.88, height: 0.72, rx: 0.1 }));
      layer.append(make("svg:rect", { class: "went", x: b.x - 0.47, y: b.y - 0.39, width: 0.94, height: 0.78, rx: 0.12 }));
      layer.append(make("svg:path", { class: "way", d: `M${a.x} ${a.y}L${b.x} ${b.y}` }));
    }
    this.svgBoard.layers.advice.replaceChildren();
    if (advice) {
      const a = this.point(advice.from);
      const b = this.point(advice.to);
      const sign = this.svgBoard.layers.advice;
      sign.append(make("svg:path", { class: "hint-way", d: between(a, b, 0.42, 0.47) }));
      sign.append(make("svg:circle", { class: "hint-way", cx: b.x, cy: b.y, r: 0.47 }));
    }
  }

  /** Shows for a moment how a battle ended. @param {LastMove | null} last */
  battle(last) {
    if (!last || last.outcome === "no-battle" || last.to < 0) return;
    const { x, y } = this.point(last.to);
    const sign = make("svg:path", { d: BATTLE_SIGNS[last.outcome], transform: `translate(${x + 0.42} ${y - 0.38})` });
    const ring = make("svg:g", { class: `battle ${last.outcome}` }, make("svg:circle", { cx: x, cy: y, r: 0.62 }), sign);
    this.svgBoard.layers.going.append(ring);
    setTimeout(() => ring.remove(), 1600);
  }
}

// A cross, a shield, a burst. They are drawn because not every font has them.
/** @type {Record<string, string>} */
const BATTLE_SIGNS = {
  "attacker-won": "M-.2 -.2L.2 .2M.2 -.2L-.2 .2",
  "defender-won": "M-.22 -.22Q0 -.18 0 -.27Q0 -.18 .22 -.22V.02Q.2 .2 0 .28Q-.2 .2 -.22 .02Z",
  "both-removed": "M0 -.3L.07 -.1L.26 -.16L.13 0L.26 .16L.07 .1L0 .3L-.07 .1L-.26 .16L-.13 0L-.26 -.16L-.07 -.1Z",
};
