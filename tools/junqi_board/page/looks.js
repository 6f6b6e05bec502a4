// What pieces show, and whether sounds are heard.

import { saveSetting, setting } from "./storage.js";
import { isChinese, textIn } from "./texts.js";
import { redraw } from "./view.js";

export const looks = {
  /** What was chosen to be on pieces, `characters` or `names`; empty for what suits the language. */
  pieces: setting("pieces", ""),
  sound: setting("sound", true),

  get pieceTheme() {
    return this.pieces || (isChinese() ? "characters" : "names");
  },

  /** @param {"pieces" | "sound"} name @param {any} value */
  set(name, value) {
    Object.assign(this, { [name]: value });
    saveSetting(name, value);
    redraw();
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
