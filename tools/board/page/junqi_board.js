// The Junqi board: its points and lines, and signs of what has happened.

import { BoardView, between, near } from "./board_view.js";
import { make } from "./page.js";
import { drawPiece } from "./pieces.js";
import { seatName, t, wording } from "./texts.js";

const boards = new Map();

// A board is sent once, and stays the same.
export function learnBoard(data) {
  if (!boards.has(data.variant)) boards.set(data.variant, data);
}

export const boardOf = (variant) => boards.get(variant);

export class JunqiBoard {
  constructor(svg, options) {
    this.view = new BoardView(svg, options);
    this.data = null;
    this.turns = 0;
  }

  // Quarter turns to the right, about the middle of the board.
  turned(x, y) {
    let [width, height] = [this.data.width, this.data.height];
    for (let turn = 0; turn < this.turns; turn++) {
      [x, y] = [height - 1 - y, x];
      [width, height] = [height, width];
    }
    return { x, y };
  }

  point(number) {
    const { x, y } = this.data.points[number];
    return this.turned(x, y);
  }

  set(data, seat) {
    const turns = data.turns[seat] ?? 0;
    if (this.data === data && this.turns === turns) return;
    Object.assign(this, { data, turns });
    this.view.clear();
    const sideways = turns % 2 === 1;
    const [width, height] = sideways ? [data.height, data.width] : [data.width, data.height];
    this.view.frame(-1.05, -0.95, width + 1.1, height + 0.95 + 0.05);
    const floor = this.view.layers.floor;
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

  label(text, x, y, turns) {
    // Labels stay on the left and below, whichever seat sits there.
    const [width, height] = [this.data.width, this.data.height];
    let place = this.turned(x, y);
    const isBelow = y > height - 1;
    if (turns === 1) place = isBelow ? { x: -0.75, y: place.y } : place;
    if (turns === 2) place = isBelow ? { x: place.x, y: height - 0.28 } : { x: -0.75, y: place.y };
    if (turns === 1 && !isBelow) place = { x: place.x, y: width - 0.28 };
    if (turns === 3) place = isBelow ? { x: -0.75, y: place.y } : { x: place.x, y: width - 0.28 };
    this.view.layers.floor.append(make("svg:text", { class: "label", x: place.x, y: place.y }, String(text)));
  }

  edge(kind, one, other, bend) {
    const a = this.point(one);
    const b = this.point(other);
    const c = bend ? this.turned(...bend) : null;
    const d = c ? `M${a.x} ${a.y}Q${c.x} ${c.y} ${b.x} ${b.y}` : `M${a.x} ${a.y}L${b.x} ${b.y}`;
    return make("svg:path", { class: kind, d });
  }

  spots() {
    return this.data.points.map((point, number) => ({ ...this.point(number), number }));
  }

  // A piece as a shape. `extra` has a mark, a guess with its chance, or faults.
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

  describe(shape, place) {
    const number = shape?.point ?? this.spots().reduce((a, b) => (near(a, place) <= near(b, place) ? a : b)).number;
    const point = this.data.points[number];
    const words = [point.name, t(`point.${point.kind}`)];
    words.push(shape ? `${seatName(shape.seat)}, ${t(`piece.${shape.letter}`)}` : t("point.empty"));
    return words.join(", ");
  }

  // Where the last move went, and whose flag was shown.
  glow(last, advice) {
    const layer = this.view.layers.glow;
    layer.replaceChildren();
    if (last && last.from >= 0) {
      const a = this.point(last.from);
      const b = this.point(last.to);
      layer.append(make("svg:rect", { class: "came", x: a.x - 0.44, y: a.y - 0.36, width: 0.88, height: 0.72, rx: 0.1 }));
      layer.append(make("svg:rect", { class: "went", x: b.x - 0.47, y: b.y - 0.39, width: 0.94, height: 0.78, rx: 0.12 }));
      layer.append(make("svg:path", { class: "way", d: `M${a.x} ${a.y}L${b.x} ${b.y}` }));
    }
    this.view.layers.advice.replaceChildren();
    if (advice) {
      const a = this.point(advice.from);
      const b = this.point(advice.to);
      const sign = this.view.layers.advice;
      sign.append(make("svg:path", { class: "hint-way", d: between(a, b, 0.42, 0.47) }));
      sign.append(make("svg:circle", { class: "hint-way", cx: b.x, cy: b.y, r: 0.47 }));
    }
  }

  battle(last) {
    if (!last || last.outcome === "no-battle" || last.to < 0) return;
    const { x, y } = this.point(last.to);
    const sign = make("svg:path", { d: BATTLE_SIGNS[last.outcome], transform: `translate(${x + 0.42} ${y - 0.38})` });
    const ring = make("svg:g", { class: `battle ${last.outcome}` }, make("svg:circle", { cx: x, cy: y, r: 0.62 }), sign);
    this.view.layers.going.append(ring);
    setTimeout(() => ring.remove(), 1600);
  }
}

// A cross, a shield, a burst; drawn, because not every font has them.
const BATTLE_SIGNS = {
  "attacker-won": "M-.2 -.2L.2 .2M.2 -.2L-.2 .2",
  "defender-won": "M-.22 -.22Q0 -.18 0 -.27Q0 -.18 .22 -.22V.02Q.2 .2 0 .28Q-.2 .2 -.22 .02Z",
  "both-left": "M0 -.3L.07 -.1L.26 -.16L.13 0L.26 .16L.07 .1L0 .3L-.07 .1L-.26 .16L-.13 0L-.26 -.16L-.07 -.1Z",
};
