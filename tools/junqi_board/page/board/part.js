// The part of a board for four that a phone shows large enough to be read, and the whole of it as a small map.

import { make } from "../shell/dom.js";
import { remember, remembered } from "../shell/storage.js";
import { t } from "../texts.js";
import { plate } from "./geometry.js";

/** The width of an army, its depth, and that of two armies with the middle between them, in cells. */
const [WIDE, DEEP, HALF] = [5, 6, 11];
/** The rows or columns of a part beside an army. */
const REST = HALF - DEEP;

export class BoardPart {
  /** The side that is shown whole: `b`, `l`, `t` or `r`; empty for the whole board. */
  side = "b";
  /** The side of the game or problem, to which the board returns. */
  home = "b";
  /** After how many moves a person has chosen a side: it is shown until the person has moved. */
  chosenAt = -1;
  /** The game or problem. */
  key = "";

  /** @param {(side: string) => void} onPick a side was chosen, or the whole board */
  constructor(onPick) {
    const pick = (/** @type {MouseEvent} */ event) => onPick(this.sideAt(event));
    this.map = make("svg:svg", { class: "board-map", role: "img", hidden: true, onclick: pick });
    const toggle = () => onPick(this.side ? "" : "b");
    this.button = make("button", { class: "board-size", hidden: true, onclick: toggle });
  }

  /** The side of the map that was clicked; its middle leads to the own army. @param {MouseEvent} event */
  sideAt({ clientX, clientY }) {
    const { left, top, width, height } = this.map.getBoundingClientRect();
    const [right, down] = [(clientX - left) / width - 0.5, (clientY - top) / height - 0.5];
    if (Math.max(Math.abs(right), -down) < WIDE / 34) return "b";
    if (Math.abs(right) > Math.abs(down)) return right < 0 ? "l" : "r";
    return down < 0 ? "t" : "b";
  }

  /**
   * Begins with another game or problem: with the own army, or the whole board for a task that is about more.
   * @param {string} key
   * @param {Place[]} places that a task is about
   * @param {Frame} frame
   */
  begin(key, places, frame) {
    if (key === this.key) return;
    const [left, top, width, height] = this.rectangle(frame, false, "b");
    const isSeen = places.every(({ x, y }) => left < x && x < left + width && top < y && y < top + height);
    const home = isSeen ? "b" : "";
    Object.assign(this, { key, home, side: remembered("whole") ? "" : home, chosenAt: -1 });
  }

  /**
   * Shows a side until the person has moved, or the whole board in all games of this tab.
   * @param {string} side
   * @param {number} at
   */
  choose(side, at) {
    Object.assign(this, { side, chosenAt: at });
    remember("whole", !side);
  }

  /** The person has moved. @param {number} at after how many moves */
  follow(at) {
    if (this.side && this.chosenAt < at) this.side = this.home;
  }

  /**
   * The rectangle that is shown.
   * @param {Frame} frame of the whole board
   * @param {boolean} isLineup
   * @param {string} [side]
   * @returns {Rectangle}
   */
  rectangle({ left, right, top, bottom }, isLineup, side = this.side) {
    if (isLineup) return [(left + right - WIDE) / 2, bottom - DEEP, WIDE, DEEP];
    if (!side) return [left, top, right - left, bottom - top];
    const x = side === "l" ? left : side === "r" ? right - HALF : (left + right - HALF) / 2;
    return [x, side === "t" ? top : bottom - HALF, HALF, HALF];
  }

  /** The rows of a part beside which there are no plates. @param {Frame} shown @returns {Frame} */
  clear = (shown) => (this.side ? { ...shown, bottom: shown.top + REST } : shown);

  /**
   * Draws the map: the pieces as small rectangles, where the selected one may go, what is shown, and what is marked.
   * @param {Shape[]} shapes
   * @param {Target[]} targets
   * @param {Frame} frame
   * @param {Element[]} signs of the board: the last move, arrows, frames
   */
  draw(shapes, targets, frame, signs) {
    const [x, y, width, height] = this.rectangle(frame, false);
    const whole = { x: frame.left, y: frame.top, width: frame.right - frame.left, height: frame.bottom - frame.top };
    this.map.setAttribute("viewBox", Object.values(whole).join(" "));
    this.map.setAttribute("aria-label", t("board.map"));
    this.map.replaceChildren(
      make("svg:rect", { class: "ground", ...whole }),
      ...shapes.map((shape) => plate(`seat-${shape.seat} army`, shape, 0.86, 0.8, 0.1)),
      ...targets.map((target) => make("svg:circle", { class: "target", cx: target.x, cy: target.y, r: 0.45 })),
      make("svg:rect", { class: "shown", x, y, width, height }),
      ...signs.map((sign) => sign.cloneNode(true)),
    );
    const text = t(this.side ? "board.whole" : "board.large");
    // On the whole board it is as small as the gap between two points of the centre.
    this.button.textContent = this.side ? text : "+";
    this.button.setAttribute("aria-label", text);
  }

  /** @param {boolean} isShown */
  show(isShown) {
    this.map.toggleAttribute("hidden", !isShown || !this.side);
    this.button.hidden = !isShown;
  }
}
