// What pieces show, and whether sounds are heard.

import { change, state } from "../state.js";
import { isChinese, textIn } from "../texts.js";
import { saveSetting } from "./storage.js";

/** @param {Partial<PageState["looks"]>} changes */
export function setLooks(changes) {
  change("looks", { ...changes });
  for (const [name, value] of Object.entries(changes)) saveSetting(name, value);
}

/** What is on pieces, `characters` or `names`. A piece that was drawn in another way is drawn again. */
export const wording = () => state.looks.pieces || (isChinese() ? "characters" : "names");

/**
 * The lines of text for a kind of piece: on a wide piece its whole name.
 * @param {string} letter
 * @param {boolean} [isWide]
 */
export function pieceLines(letter, isWide = false) {
  if (wording() === "characters") return [textIn("zh", `short.${letter}`)];
  return isWide ? textIn("en", `piece.${letter}`).split(" ") : [textIn("en", `short.${letter}`)];
}
