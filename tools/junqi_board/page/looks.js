// How boards and pieces look, and what is heard: the settings of the dialog "Look".

import { $, child } from "./dom.js";
import { saveSetting, setting } from "./storage.js";
import { isChinese, textIn } from "./texts.js";

/** @typedef {"characters" | "names"} PieceTheme */

const CHOICES = /** @type {const} */ (["pieces", "board", "scheme"]);
const SWITCHES = /** @type {const} */ (["confirms", "contrast"]);
/** @type {PieceTheme[]} */
const PIECE_THEMES = ["characters", "names"];
const BOARD_THEMES = ["wood", "slate"];
const SCHEMES = ["light", "dark", "system"];

export const looks = {
  /** What is shown on pieces; empty for what suits the language. @type {PieceTheme | ""} */
  pieces: setting("pieces", ""),
  board: setting("board", "wood"),
  scheme: setting("scheme", "light"),
  /** Whether a move is shown before it is played. */
  confirms: setting("confirms", false),
  contrast: setting("contrast", false),
  sound: setting("sound", true),
  /** Quarter turns of the board, besides those that bring the own seat to the bottom. */
  turns: 0,
  onChange: () => {},

  /** @returns {PieceTheme} */
  get pieceTheme() {
    return PIECE_THEMES.find((one) => one === this.pieces) ?? (isChinese() ? "characters" : "names");
  },

  /** @param {() => void} onChange called after a change that concerns what boards draw */
  begin(onChange) {
    this.onChange = onChange;
    $("look").onclick = () => this.open();
    $("looks-close").onclick = () => $("looks").close();
    for (const name of CHOICES) $(`looks-${name}`).onchange = () => this.set(name, $(`looks-${name}`).value);
    for (const name of SWITCHES) $(`looks-${name}`).onchange = () => this.set(name, $(`looks-${name}`).checked);
    $("turn-board").onclick = () => {
      this.turns = (this.turns + 1) % 4;
      this.onChange();
    };
    $("sound").onclick = () => this.set("sound", !this.sound);
    this.apply();
  },

  open() {
    for (const name of CHOICES) $(`looks-${name}`).value = this[name];
    for (const name of SWITCHES) $(`looks-${name}`).checked = this[name];
    $("looks-pieces").value = this.pieceTheme;
    $("looks").showModal();
  },

  /** @param {"pieces" | "board" | "scheme" | "confirms" | "contrast" | "sound"} name @param {any} value */
  set(name, value) {
    Object.assign(this, { [name]: value });
    saveSetting(name, value);
    this.apply();
    this.onChange();
  },

  apply() {
    const root = document.documentElement;
    root.dataset.board = BOARD_THEMES.includes(this.board) ? this.board : BOARD_THEMES[0];
    root.dataset.scheme = SCHEMES.includes(this.scheme) ? this.scheme : SCHEMES[0];
    root.dataset.contrast = this.contrast ? "high" : "normal";
    $("sound").setAttribute("aria-pressed", String(this.sound));
    child($("sound"), ".slash").classList.toggle("gone", this.sound);
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
