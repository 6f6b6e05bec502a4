// Helpers for the elements of the page, and ways to tell the person something.

export class Stepper {
  /** The current run; another object means another run. @type {object | null} */
  run = null;

  /** @param {() => void} onChange called whenever the stepper starts or halts */
  constructor(onChange) {
    this.onChange = onChange;
  }

  get isOn() {
    return this.run !== null;
  }

  /**
   * Repeats a step until it returns false or the stepper is halted.
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

/** The element of index.html with an id. @type {<K extends string>(id: K) => K extends keyof ElementTypes ? ElementTypes[K] : HTMLElement} */
export const $ = (id) => /** @type {any} */ (document.getElementById(id));

const SVG = "http://www.w3.org/2000/svg";

/** Whether the person has asked for less motion. */
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
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

let liveTimer = 0;

/** Tells a text to a screen reader. @param {string} text */
export function announce(text) {
  clearTimeout(liveTimer);
  liveTimer = setTimeout(() => ($("live").textContent = text), 60);
}

let bannerTimer = 0;
let bannerText = () => "";

/**
 * Shows a text in the banner; no text hides it.
 * @param {() => string} text in the language of the page
 * @param {number} seconds after which the banner disappears, 0 for never
 */
export function warn(text, seconds = 8) {
  clearTimeout(bannerTimer);
  bannerText = text;
  drawBanner();
  $("banner").hidden = !text();
  if (text() && seconds) bannerTimer = setTimeout(() => ($("banner").hidden = true), 1000 * seconds);
}

/** Writes the text of the banner again, after a change of the language. */
export function drawBanner() {
  child($("banner"), "span").textContent = bannerText();
}

/** The first element inside another that a selector finds; it must exist. @param {ParentNode} element @param {string} selector @returns {any} */
export function child(element, selector) {
  return element.querySelector(selector);
}

/**
 * Asks the person a question.
 * @param {string} question
 * @param {string} [action] what the button that agrees says, by default Yes
 * @returns {Promise<boolean>}
 */
export function confirmed(question, action) {
  const dialog = $("confirm");
  child(dialog, "p").textContent = question;
  if (action) child(dialog, "button.main").textContent = action;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((done) => (dialog.onclose = () => done(dialog.returnValue === "yes")));
}

/**
 * Puts other entries into a list; the choice remains if it is still among them.
 * @param {HTMLSelectElement} select
 * @param {string[][]} entries values and texts
 * @param {string} [chosen]
 */
export function refill(select, entries, chosen = select.value) {
  select.replaceChildren(...entries.map(([value, text]) => make("option", { value }, text)));
  if (entries.some(([value]) => value === chosen)) select.value = chosen;
}

/** Lets the browser save a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Copies a text; whether that was possible. It needs no clipboard, which a page under a plain `http:` address has not. @param {string} text */
export function copied(text) {
  const box = make("textarea", { class: "unseen" }, text);
  document.body.append(box);
  box.select();
  const isDone = document.execCommand("copy");
  box.remove();
  return isDone;
}
