// The part of a board for four that a phone shows large enough to be read, and the whole of it as a small map.

import { make } from "../shell/dom.js";
import { remember, remembered } from "../shell/storage.js";
import { t } from "../texts.js";
import { plate } from "./geometry.js";

/** The width of an army, its depth, and that of two armies at a corner with the middle between them, in cells. */
const [WIDE, DEEP, HALF] = [5, 6, 11];
/** The rows or columns of a part beside its corner. */
const REST = HALF - DEEP;
export class BoardPart {
  /** The corner that is shown, such as `bl` for the lower left one; empty for the whole board. */
  corner = "bl";
  /** After how many moves a person has chosen it: until the next one nothing else is shown. */
  chosenAt = -1;
  /** The game or problem. */
  key = "";

  /** @param {(corner: string) => void} onPick a corner was chosen, or the whole board */
  constructor(onPick) {
    const pick = (/** @type {MouseEvent} */ event) => onPick(this.cornerAt(event));
    this.map = make("svg:svg", { class: "board-map", role: "img", hidden: true, onclick: pick });
    const toggle = () => onPick(this.corner ? "" : "bl");
    this.button = make("button", { class: "board-size", hidden: true, onclick: toggle });
  }

  /** @param {MouseEvent} event */
  cornerAt({ clientX, clientY }) {
    const { left, top, width, height } = this.map.getBoundingClientRect();
    return (clientY < top + height / 2 ? "t" : "b") + (clientX < left + width / 2 ? "l" : "r");
  }

  /** Begins with another game or problem. @param {string} key */
  begin(key) {
    if (key === this.key) return;
    Object.assign(this, { key, corner: remembered("whole") ? "" : "bl", chosenAt: -1 });
  }

  /**
   * Shows a corner until the next move, or the whole board in all games of this tab.
   * @param {string} corner
   * @param {number} at
   */
  choose(corner, at) {
    Object.assign(this, { corner, chosenAt: at });
    remember("whole", !corner);
  }

  /**
   * Turns to the places that a task is about, unless the person has looked elsewhere.
   * @param {number} at
   * @param {Place[]} places
   * @param {Frame} frame
   */
  focus(at, places, { left, top, bottom }) {
    if (this.chosenAt >= at || !this.corner || !places.length) return;
    const isAbove = places.some(({ y }) => y < top + DEEP) && !places.some(({ y }) => y > bottom - DEEP);
    this.corner = (isAbove ? "t" : "b") + (places.some(({ x }) => x > left + HALF) ? "r" : "l");
  }

  /**
   * Turns to the enemy that moved last, unless the person has looked elsewhere since.
   * @param {number} at
   * @param {number} side of the seat that moved, in quarter turns from the bottom
   */
  follow(at, side) {
    if (this.chosenAt >= at || !this.corner) return;
    this.corner = `b${side === 1 ? "r" : side === 3 ? "l" : this.corner[1]}`;
  }

  /**
   * The rectangle that is shown.
   * @param {Frame} frame of the whole board
   * @param {boolean} isLineup
   * @returns {Rectangle}
   */
  rectangle({ left, right, top, bottom }, isLineup) {
    if (isLineup) return [(left + right - WIDE) / 2, bottom - DEEP, WIDE, DEEP];
    if (!this.corner) return [left, top, right - left, bottom - top];
    return [this.corner[1] === "l" ? left : right - HALF, this.corner[0] === "t" ? top : bottom - HALF, HALF, HALF];
  }

  /** The rows of a part beside which there are no plates. @param {Frame} shown @returns {Frame} */
  clear(shown) {
    if (!this.corner) return shown;
    return this.corner[0] === "t" ? { ...shown, top: shown.bottom - REST } : { ...shown, bottom: shown.top + REST };
  }

  /**
   * Draws the map: the pieces as small rectangles, where the selected one may go, and what is shown.
   * @param {Shape[]} shapes
   * @param {Target[]} targets
   * @param {Frame} frame
   */
  draw(shapes, targets, frame) {
    const [x, y, width, height] = this.rectangle(frame, false);
    const whole = { x: frame.left, y: frame.top, width: frame.right - frame.left, height: frame.bottom - frame.top };
    this.map.setAttribute("viewBox", Object.values(whole).join(" "));
    this.map.setAttribute("aria-label", t("board.map"));
    this.map.replaceChildren(
      make("svg:rect", { class: "ground", ...whole }),
      ...shapes.map((shape) => plate(`seat-${shape.seat} army`, shape, 0.86, 0.8, 0.1)),
      ...targets.map((target) => make("svg:circle", { class: "target", cx: target.x, cy: target.y, r: 0.45 })),
      make("svg:rect", { class: "shown", x, y, width, height }),
    );
    const text = t(this.corner ? "board.whole" : "board.large");
    // On the whole board it is as small as the gap between two points of the centre.
    this.button.textContent = this.corner ? text : "+";
    this.button.setAttribute("aria-label", text);
  }

  /** @param {boolean} isShown */
  show(isShown) {
    this.map.toggleAttribute("hidden", !isShown || !this.corner);
    this.button.hidden = !isShown;
  }
}
