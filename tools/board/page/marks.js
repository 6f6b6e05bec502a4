// What the person takes hidden pieces for: noted on the pieces, and sent to nobody.

import { $, make } from "./page.js";
import { ofGame, remember, remembered } from "./storage.js";
import { t } from "./texts.js";

export const marks = {
  game: null,
  letters: {},

  begin(redraw) {
    this.redraw = redraw;
    document.addEventListener("pointerdown", (event) => {
      if (!$("marks").contains(event.target)) $("marks").hidden = true;
    });
    $("marks").addEventListener("keydown", (event) => this.key(event));
  },

  recall(game) {
    this.game = game;
    this.letters = remembered(ofGame("marks", game)) ?? {};
  },

  set(id, letter) {
    if (letter) this.letters[id] = letter;
    else delete this.letters[id];
    remember(ofGame("marks", this.game), this.letters);
    $("marks").hidden = true;
    this.redraw();
    $("play-board").focus({ preventScroll: true });
  },

  open(id, x, y) {
    const menu = $("marks");
    const entry = (letter) => make("button", { role: "menuitem", "data-mark": letter, onclick: () => this.set(id, letter) }, letter ? t(`short.${letter}`) : t("mark.clear"));
    menu.setAttribute("aria-label", t("mark.title"));
    menu.replaceChildren(...[..."abcdefghijkl", ""].map(entry));
    menu.hidden = false;
    menu.style.left = `${Math.min(x, innerWidth - menu.offsetWidth - 8)}px`;
    menu.style.top = `${Math.min(y, innerHeight - menu.offsetHeight - 8)}px`;
    menu.firstElementChild.focus();
  },

  key(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const entries = [...$("marks").children];
    if (step) entries.at((entries.indexOf(document.activeElement) + step) % entries.length).focus();
    else if (event.key === "Escape") {
      $("marks").hidden = true;
      $("play-board").focus();
    }
  },
};
