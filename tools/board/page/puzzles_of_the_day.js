// The card with the puzzles of the day: one of each kind, with its difficulty and the person's stars.

import { $, make } from "./dom.js";
import { levelText, puzzlesOfToday, readToday, starsOfKnown } from "./puzzle_progress.js";
import { socket } from "./socket.js";
import { t } from "./texts.js";

class PuzzlesOfTheDay {
  /** @type {(one: KnownPuzzle) => void} */
  open = () => {};

  /** @param {(one: KnownPuzzle) => void} open opens a puzzle */
  begin(open) {
    this.open = open;
  }

  // Asks the server each time: the page may have been open since yesterday.
  async ask() {
    try {
      readToday((await socket.request("puzzle_today")).puzzles);
    } catch {
      return; // without a connection: it is asked for again when there is one
    }
  }

  draw() {
    const today = puzzlesOfToday();
    const list = $("puzzle-today-list");
    $("puzzle-today").hidden = !today.length;
    // The buttons remain, so that the focus does.
    while (list.childElementCount < today.length) {
      const number = list.childElementCount;
      list.append(make("button", { class: "chip", onclick: () => this.open(puzzlesOfToday()[number]) }, make("b"), make("span", { class: "hint" }), make("span", { class: "stars" })));
    }
    today.forEach((one, number) => {
      const button = list.children[number];
      const parts = [t(`daily.${one.name}`), levelText(one), starsOfKnown(one.variant, one.position)];
      parts.forEach((text, part) => (button.children[part].textContent = text));
      button.setAttribute("aria-pressed", String($("puzzle-variant").value === one.variant && $("puzzle-known").value === one.position));
    });
  }
}

export const puzzlesOfTheDay = new PuzzlesOfTheDay();
