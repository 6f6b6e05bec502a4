// Movement on a board: a shape travels along its way; what was shown before can be ended at once.

import { reducedMotion } from "./dom.js";

/** How long a battle is shown, unless the person goes on. */
const HOLD_MS = 2000;

export class Arrivals {
  /** @type {{ state: GameState, at: number }[]} */
  waiting = [];
  game = 0;
  timer = 0;

  /**
   * @param {(state: GameState, at: number) => void} show is given a state, and when it arrived
   * @param {(state: GameState) => boolean} isBattle whether the state that was just shown is one to look at
   */
  constructor(show, isBattle) {
    this.show = show;
    this.isBattle = isBattle;
  }

  /** @param {GameState} state */
  come(state) {
    const arrival = { state, at: performance.now() };
    const mustWait = this.timer && state.game === this.game;
    this.waiting = mustWait ? [...this.waiting, arrival] : [arrival];
    if (!mustWait) this.goOn();
  }

  // Shows what has come since, up to the next battle.
  goOn() {
    clearTimeout(this.timer);
    this.timer = 0;
    while (this.waiting.length && !this.timer) {
      const { state, at } = /** @type {{ state: GameState, at: number }} */ (this.waiting.shift());
      this.game = state.game;
      this.show(state, at);
      if (this.isBattle(state) && !reducedMotion.matches) this.timer = window.setTimeout(() => this.goOn(), HOLD_MS);
    }
  }
}

const START_MS = 160;
const MS_PER_CELL = 55;
const MOST_MS = 620;
const FADE_MS = 650;
const CURVE_STEPS = 6;

/**
 * The places along a way of points; a curve between two of them becomes several short steps.
 * @param {Place[]} points
 * @param {(index: number) => Place | null} bend the control point of the curve after a point, null for a straight step
 * @returns {Place[]}
 */
export function route(points, bend) {
  return points.flatMap((point, index) => {
    const [next, control] = [points[index + 1], bend(index)];
    if (!next || !control) return [point];
    return Array.from({ length: CURVE_STEPS }, (_, step) => curve(point, control, next, step / CURVE_STEPS));
  });
}

/** @param {Place} a @param {Place} control @param {Place} b @param {number} part */
function curve(a, control, b, part) {
  const mix = (/** @type {"x" | "y"} */ axis) => (1 - part) ** 2 * a[axis] + 2 * part * (1 - part) * control[axis] + part ** 2 * b[axis];
  return { x: mix("x"), y: mix("y") };
}

/** A line through places. @param {Place[]} places */
export const lineThrough = (places) => places.map(({ x, y }, index) => `${index ? "L" : "M"}${x.toFixed(3)} ${y.toFixed(3)}`).join("");

/** What is happening on a board since the last move. */
export class Happening {
  /** @type {Animation[]} */
  animations = [];
  /** What is shown for a moment. @type {Element[]} */
  elements = [];

  // Whether anything of the last move is still moving or shown.
  get isBusy() {
    return this.elements.length > 0 || this.animations.some(({ playState }) => playState === "running");
  }

  /**
   * Lets a shape travel, and calls back when it has arrived; at once if the person wants less motion.
   * @param {SVGElement | undefined} group
   * @param {Place[]} places
   * @param {() => void} arrived
   */
  travel(group, places, arrived) {
    const lengths = places.map((place, index) => (index ? Math.hypot(place.x - places[index - 1].x, place.y - places[index - 1].y) : 0));
    const total = lengths.reduce((a, b) => a + b, 0);
    if (!group || reducedMotion.matches || !total) {
      arrived();
      return;
    }
    let gone = 0;
    const frames = places.map((place, index) => {
      gone += lengths[index];
      return { transform: `translate(${place.x}px, ${place.y}px)`, offset: Math.min(1, gone / total) };
    });
    const duration = Math.min(MOST_MS, START_MS + MS_PER_CELL * total);
    const animation = group.animate(frames, { duration, easing: "ease-in-out" });
    this.animations.push(animation);
    animation.onfinish = arrived;
  }

  /** Shows elements for a moment. @param {Element[]} elements */
  show(elements) {
    this.elements.push(...elements);
  }

  /** Lets a removed piece break and fly to its tray, or fade where it is. @param {SVGElement} element @param {Place | null} tray */
  fade(element, tray) {
    this.elements.push(element);
    if (reducedMotion.matches) {
      element.remove();
      return;
    }
    const here = element.style.transform;
    const there = tray ? `translate(${tray.x}px, ${tray.y}px) scale(.35)` : here;
    const frames = [{ transform: here, opacity: 1 }, { transform: `${here} rotate(9deg) scale(.92)`, opacity: 1, offset: 0.35 }, { transform: there, opacity: tray ? 0.75 : 0 }];
    const animation = element.animate(frames, { duration: FADE_MS, fill: "forwards", easing: "ease-in" });
    this.animations.push(animation);
    animation.onfinish = () => element.remove();
  }

  // Ends everything: the next move begins.
  end() {
    for (const animation of this.animations) {
      animation.onfinish = null;
      animation.cancel();
    }
    for (const element of this.elements) element.remove();
    this.animations = [];
    this.elements = [];
  }
}
