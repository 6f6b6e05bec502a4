// The column beside the board of a game: one of the log, the chat and the engine's help is visible.

import { $ } from "./dom.js";

const CARDS = { log: "moves-card", chat: "talk-card", help: "engine-pane" };

/** @param {string} name */
export function showSide(name) {
  $("play").dataset.side = name;
  drawSide();
}

/** Offers what there is. */
export function drawSide() {
  for (const button of buttons()) {
    button.hidden = $(CARDS[/** @type {keyof typeof CARDS} */ (button.dataset.side)]).hidden;
    button.setAttribute("aria-pressed", String(button.dataset.side === $("play").dataset.side));
  }
}

/** @returns {NodeListOf<HTMLElement>} */
const buttons = () => $("side").querySelectorAll("button");

export function beginSide() {
  for (const button of buttons()) button.onclick = () => showSide(String(button.dataset.side));
  showSide("log");
}
