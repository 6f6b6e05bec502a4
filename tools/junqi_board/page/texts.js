// The texts of the page and of its pieces, in the chosen language.

import { saveSetting } from "./shell/storage.js";
import { change, state } from "./state.js";

/**
 * By key, in English and in Chinese; null where the server says it in English.
 * @type {Record<string, (string | null)[]>}
 */
const texts = {};
const PLACE_OF = { en: 0, zh: 1 };
export const isChinese = () => state.looks.language === "zh";

/** @param {Record<string, (string | null)[]>} found as in `texts.json` */
export const readTexts = (found) => Object.assign(texts, found);

export function switchLanguage() {
  const language = isChinese() ? "en" : "zh";
  change("looks", { language });
  saveSetting("language", language);
}

/**
 * A text, with `{name}` replaced by the values, and `{name|one|many}` by a number with one of two words.
 * @param {string} key
 * @param {Record<string, any>} values
 */
export const t = (key, values = {}) => inWords(textOfKey(key), values);

/** @param {string} text @param {Record<string, any>} values @returns {string} */
const inWords = (text, values) =>
  text.replace(PLACE, (_, name, one, many) => {
    const value = values[name] ?? "";
    return one === undefined ? value : `${value} ${value === 1 ? one : many}`;
  });

/** @param {string} key */
const textOfKey = (key) => textIn(state.looks.language, key);
const PLACE = /\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g;
const PARTS = /(\{.*?\})/;

/**
 * The parts of a text, in which a value may be a part, or several.
 * @param {string} key
 * @param {Record<string, any>} values
 * @returns {any[]}
 */
export const filled = (key, values) =>
  textOfKey(key).split(PARTS).flatMap((part) => {
    const value = values[part.slice(1, -1)];
    return typeof value === "object" ? value : inWords(part, values);
  }).filter((part) => part !== "");

/** Whether there is a text in the chosen language. @param {string} key */
export const has = (key) => typeof texts[key]?.[PLACE_OF[state.looks.language]] === "string";
/** A text in a language that may not be the chosen one. @param {"en" | "zh"} which @param {string} key */
export const textIn = (which, key) => texts[key]?.[PLACE_OF[which]] ?? key;
/** Several names, the last one joined by "or". @param {string[]} names */
export const either = (names) =>
  [names.slice(0, -1).join(isChinese() ? "、" : ", "), ...names.slice(-1)].filter(Boolean).join(t("list.or"));
/** @param {...string} parts */
export const clauses = (...parts) => parts.join(isChinese() ? "，" : ", ");
/** @param {number} chance */
export const percent = (chance) => `${Math.round(100 * chance)}%`;
/** @param {string} text */
export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
/** @param {...string} parts */
export const sentences = (...parts) => parts.join(isChinese() ? "" : " ");

/** @param {Partial<PageState["looks"]>} changes */
export function setLooks(changes) {
  change("looks", { ...changes });
  for (const [name, value] of Object.entries(changes)) saveSetting(name, value);
}

/** The labels of pieces, `characters` or `names`. A piece drawn with the other kind is drawn again. */
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
