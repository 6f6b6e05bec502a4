// The visible part of a board: all of it, or a part in which its cells are large enough for a finger.

import { make } from "../shell/dom.js";
import { within } from "./geometry.js";

/** Cells smaller than this are enlarged for a finger, to its size. */
const [LEAST_PX, FINGER_PX] = [40, 44];

export class Zoom {
  /** The whole board. @type {Rectangle} */
  whole = [0, 0, 1, 1];
  /** Whether a touch enlarges nothing. */
  isFixed = false;
  /** The visible part. @type {Rectangle} */
  seen = [0, 0, 1, 1];

  /**
   * @param {SVGSVGElement} svg
   * @param {(isZoomed: boolean) => void} [onZoom] the board was enlarged, or is whole again
   */
  constructor(svg, onZoom) {
    this.svg = svg;
    this.onZoom = onZoom;
    /** Shows the whole board again, while it is enlarged. */
    this.exit = make("button", { class: "whole-board", hidden: true, onclick: () => this.end() });
  }

  get isOn() {
    return this.seen[2] < this.whole[2];
  }

  /** Sets the size of the board. @param {Rectangle} whole */
  frame(whole) {
    this.whole = whole;
    this.end();
    const view = /** @type {HTMLElement | null} */ (this.svg.closest(".view"));
    (view ?? this.svg).style.setProperty("--ratio", String(whole[2] / whole[3]));
  }

  // Shows the whole board.
  end() {
    this.show(this.whole);
  }

  /** @param {Rectangle} part */
  show(part) {
    const wasOn = !this.exit.hidden;
    this.seen = part;
    this.svg.setAttribute("viewBox", part.join(" "));
    this.svg.classList.toggle("zoomed", this.isOn);
    this.exit.hidden = !this.isOn;
    if (wasOn !== this.isOn) this.onZoom?.(this.isOn);
  }

  /**
   * Enlarges the board around a place, if targets of a width in cells are too small for a finger.
   * @param {Place} place
   * @param {number} wide
   */
  enlarge(place, wide) {
    const size = (this.svg.getBoundingClientRect().width / this.whole[2]) * wide;
    if (size < LEAST_PX && !this.isOn && !this.isFixed) this.showAround(place, size / FINGER_PX);
  }

  /** Shifts what is seen, as far as the board goes. @param {number} dx @param {number} dy */
  pan(dx, dy) {
    const [left, top, wide, high] = this.seen;
    this.showAround({ x: left + wide / 2 + dx, y: top + high / 2 + dy }, wide / this.whole[2]);
  }

  /**
   * @param {Place} place its centre, if that part lies within the board
   * @param {number} share of the board's width and height
   */
  showAround({ x, y }, share) {
    const [left, top, width, height] = this.whole;
    const [wide, high] = [width * share, height * share];
    this.show([
      within(x - wide / 2, left, left + width - wide),
      within(y - high / 2, top, top + height - high),
      wide,
      high,
    ]);
  }
}
