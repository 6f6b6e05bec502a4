// What pieces show, and whether sounds are heard: the switches in the upper corner.

import { $, child } from "./dom.js";
import { saveSetting, setting } from "./storage.js";
import { isChinese, textIn } from "./texts.js";

/** @typedef {"characters" | "names"} PieceTheme */

/** @type {PieceTheme[]} */
const PIECE_THEMES = ["characters", "names"];

export const looks = {
  /** What is shown on pieces; empty for what suits the language. @type {PieceTheme | ""} */
  pieces: setting("pieces", ""),
  sound: setting("sound", true),
  onChange: () => {},

  /** @returns {PieceTheme} */
  get pieceTheme() {
    return PIECE_THEMES.find((one) => one === this.pieces) ?? (isChinese() ? "characters" : "names");
  },

  /** @param {() => void} onChange called after a change that concerns what boards draw */
  begin(onChange) {
    this.onChange = onChange;
    $("look").onclick = () => this.set("pieces", this.pieceTheme === "names" ? "characters" : "names");
    $("sound").onclick = () => this.set("sound", !this.sound);
    this.draw();
  },

  /** @param {"pieces" | "sound"} name @param {any} value */
  set(name, value) {
    Object.assign(this, { [name]: value });
    saveSetting(name, value);
    this.onChange();
  },

  draw() {
    for (const [id, isOn] of /** @type {const} */ ([["look", this.pieceTheme === "characters"], ["sound", this.sound]])) {
      $(id).setAttribute("aria-pressed", String(isOn));
      child($(id), ".slash").classList.toggle("gone", isOn);
    }
  },
};

// What a drawn piece depends on: one that was drawn in another way is drawn again.
export const wording = () => looks.pieceTheme;

/**
 * The lines of text for a kind of piece: on a wide piece its whole name.
 * @param {string} letter
 * @param {boolean} [isWide]
 */
export function pieceLines(letter, isWide = false) {
  if (looks.pieceTheme === "characters") return [textIn("zh", `short.${letter}`)];
  return isWide ? textIn("en", `piece.${letter}`).split(" ") : [textIn("en", `short.${letter}`)];
}
