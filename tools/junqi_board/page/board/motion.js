// Animation on a board: a shape travels along its path; a running animation can be ended at once.

import { reducedMotion } from "../shell/dom.js";
import { distance, translate } from "./geometry.js";

const START_MS = 160;
const MS_PER_CELL = 55;
const MOST_MS = 620;
/** @type {KeyframeAnimationOptions} */
const CAPTURE = { duration: 650, fill: "forwards", easing: "ease-in" };
const FALL = { duration: 1600, easing: "ease-in" };
const VANISH = { delay: 300, duration: 900, easing: "ease" };

/** Lets an element fade where it is. @param {Element} element */
export function vanish(element) {
  if (reducedMotion.matches) element.remove();
  else element.animate({ opacity: 0 }, VANISH).onfinish = () => element.remove();
}

/**
 * Lets a captured piece break and fly to its tray, or fade where it is.
 * @param {SVGElement} element
 * @param {Place | null} tray
 */
export function capture(element, tray) {
  const here = element.style.transform;
  const frames = [
    { transform: here, opacity: 1 },
    { transform: `${here} rotate(9deg) scale(.92)`, opacity: 1, offset: 0.35 },
    tray ? { transform: `${translate(tray)} scale(.35)`, opacity: 0.75 } : { transform: here, opacity: 0 },
  ];
  if (reducedMotion.matches) element.remove();
  else element.animate(frames, CAPTURE).onfinish = () => element.remove();
}

/** Lets the Flag fall over where it stood. @param {SVGElement} element */
export function fall(element) {
  const here = element.style.transform;
  const lying = `${here} translateY(.36px) rotate(84deg) translateY(-.36px)`;
  if (reducedMotion.matches) element.remove();
  else
    element.animate(
      [{ transform: here }, { transform: lying, opacity: 1, offset: 0.5 }, { transform: lying, opacity: 0 }],
      FALL,
    ).onfinish = () => element.remove();
}

/** All animations on a board since the last move. */
export class BoardAnimation {
  /** The shape that travels. @type {Animation | null} */
  journey = null;
  /** Elements that are shown for a moment. @type {Element[]} */
  elements = [];

  // Whether anything of the last move is still moving or shown.
  get isBusy() {
    return this.elements.length > 0 || this.journey?.playState === "running";
  }

  /** Shows elements for a moment, on a layer. @param {SVGElement} layer @param {Element[]} elements */
  show(layer, ...elements) {
    layer.append(...elements);
    this.elements.push(...elements);
  }

  /**
   * Lets a shape travel, and calls back when it has arrived; at once if the person wants less motion.
   * @param {SVGElement | undefined} group
   * @param {Place[]} places
   * @param {() => void} arrived
   */
  travel(group, places, arrived) {
    const lengths = places.map((place, index) => (index ? distance(place, places[index - 1]) : 0));
    const total = lengths.reduce((a, b) => a + b, 0);
    if (!group || reducedMotion.matches || !total) {
      arrived();
      return;
    }
    let gone = 0;
    const frames = places.map((place, index) => {
      gone += lengths[index];
      return { transform: translate(place), offset: Math.min(1, gone / total) };
    });
    const duration = Math.min(MOST_MS, START_MS + MS_PER_CELL * total);
    this.journey = group.animate(frames, { duration, easing: "ease-in-out" });
    this.journey.onfinish = arrived;
  }

  // Ends everything: the next move begins.
  end() {
    if (this.journey) this.journey.onfinish = null;
    this.journey?.cancel();
    for (const element of this.elements) element.remove();
    this.elements = [];
  }
}
