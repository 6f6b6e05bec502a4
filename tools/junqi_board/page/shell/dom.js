// Helpers for the elements of the page.

import { redraw } from "../view.js";

export class Autoplay {
  /** The current run; another object means another run. @type {object | null} */
  run = null;

  /** @param {() => void} onChange called whenever the autoplay starts or halts */
  constructor(onChange) {
    this.onChange = onChange;
  }

  get isOn() {
    return this.run !== null;
  }

  /**
   * Repeats a step until it returns false or the autoplay is halted.
   * @param {() => Promise<boolean>} step
   * @param {() => number} pauseMs the time between two steps, asked before each
   */
  start(step, pauseMs) {
    const run = (this.run = {});
    const next = async () => {
      if (this.run !== run) return;
      if (await step()) setTimeout(next, pauseMs());
      else if (this.run === run) this.halt();
    };
    setTimeout(next, 50);
    this.onChange();
  }

  halt() {
    this.run = null;
    this.onChange();
  }
}

/** The element with an id, which must exist. @param {string} id */
export const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const AGAIN_MS = 1000;
const SVG = "http://www.w3.org/2000/svg";

/** Screens on which the board takes the whole width, and those that are too low for it. */
export const narrow = matchMedia("(max-width: 760px) and (min-height: 501px), (max-width: 480px)");
export const low = matchMedia("(max-height: 500px) and (min-width: 481px)");
for (const query of [narrow, low]) query.addEventListener("change", redraw);

export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Creates an element; a tag that starts with `svg:` is one of SVG. Attributes `on...` become event listeners.
 * @param {string} tag
 * @param {Record<string, any>} attributes
 * @param {...(Node | string)} children
 * @returns {any} an element of that tag
 */
export function make(tag, attributes = {}, ...children) {
  const element = tag.startsWith("svg:") ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

/**
 * The button that an arrow key leads to, among those of an element, which then has the focus.
 * @param {KeyboardEvent} event
 */
export function stepByArrow({ key, currentTarget }) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
  const buttons = [.../** @type {Element} */ (currentTarget).querySelectorAll("button")];
  const place = buttons.findIndex((button) => button === document.activeElement);
  const next = step && place >= 0 ? buttons.at((place + step) % buttons.length) : undefined;
  next?.focus();
  return next;
}

/**
 * A file of the page in JSON; it is asked for again while the server cannot be reached.
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function file(path) {
  try {
    return await (await fetch(path)).json();
  } catch {
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    return file(path);
  }
}

/** Lets the browser save a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/**
 * Copies a text; whether that was possible. It needs no clipboard, which a page under a plain `http:` address has not.
 * @param {string} text
 */
export function copied(text) {
  const box = make("textarea", { class: "unseen" }, text);
  document.body.append(box);
  box.select();
  const isDone = document.execCommand("copy");
  box.remove();
  return isDone;
}
