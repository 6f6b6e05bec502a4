// The person's own notes on hidden pieces. They are shown on the pieces and sent to nobody.

import { $, make } from "./dom.js";
import { ofGame, remember, remembered } from "./storage.js";
import { t } from "./texts.js";

export const pieceNotes = {
  game: 0,
  /** By the number of a piece, its letter. @type {Record<string, string>} */
  letters: {},
  redraw: () => {},

  /** @param {() => void} redraw */
  begin(redraw) {
    this.redraw = redraw;
    document.addEventListener("pointerdown", (event) => {
      if (!$("marks").contains(/** @type {Node} */ (event.target))) $("marks").hidden = true;
    });
    $("marks").addEventListener("keydown", (event) => this.key(event));
  },

  /** Takes the marks of a game from before a reload. @param {number} game */
  load(game) {
    this.game = game;
    this.letters = remembered(ofGame("marks", game)) ?? {};
  },

  /** @param {string} id the piece @param {string} letter the mark, empty for none */
  set(id, letter) {
    if (letter) this.letters[id] = letter;
    else delete this.letters[id];
    remember(ofGame("marks", this.game), this.letters);
    $("marks").hidden = true;
    this.redraw();
    $("play-board").focus({ preventScroll: true });
  },

  /**
   * Opens the menu for a piece, at a place of the window.
   * @param {string} id
   * @param {number} x
   * @param {number} y
   * @param {string} letters what the piece may be
   */
  open(id, x, y, letters) {
    const menu = $("marks");
    const entry = (/** @type {string} */ letter) =>
      make("button", { role: "menuitem", "data-mark": letter, onclick: () => this.set(id, letter) }, letter ? t(`short.${letter}`) : t("mark.clear"));
    menu.setAttribute("aria-label", t("mark.title"));
    menu.replaceChildren(...[...letters, ""].map(entry));
    menu.hidden = false;
    menu.style.left = `${Math.min(x, innerWidth - menu.offsetWidth - 8)}px`;
    menu.style.top = `${Math.min(y, innerHeight - menu.offsetHeight - 8)}px`;
    entriesOf(menu)[0].focus();
  },

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const entries = entriesOf($("marks"));
    const place = entries.findIndex((entry) => entry === document.activeElement);
    if (step) entries.at((place + step) % entries.length)?.focus();
    else if (event.key === "Escape") {
      $("marks").hidden = true;
      $("play-board").focus();
    }
  },
};

/** @param {HTMLElement} menu @returns {HTMLElement[]} */
const entriesOf = (menu) => [...menu.querySelectorAll("button")];
