// The texts of the page, in the chosen language.

import { saveSetting, setting } from "./shell/storage.js";
import { redraw } from "./view.js";

/**
 * By key, in English and in Chinese; null where the server says it in English.
 * @type {Record<string, (string | null)[]>}
 */
const texts = {};
const PLACE_OF = { en: 0, zh: 1 };
/** @type {"en" | "zh"} */
let language = setting("language", navigator.language.startsWith("zh") ? "zh" : "en");

export const isChinese = () => language === "zh";

/** @param {Record<string, (string | null)[]>} found as in `texts.json` */
export const readTexts = (found) => Object.assign(texts, found);

export function switchLanguage() {
  language = isChinese() ? "en" : "zh";
  saveSetting("language", language);
  redraw();
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
const textOfKey = (key) => textIn(language, key);
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
export const has = (key) => typeof texts[key]?.[PLACE_OF[language]] === "string";
/** A text in a language that may not be the chosen one. @param {"en" | "zh"} which @param {string} key */
export const textIn = (which, key) => texts[key]?.[PLACE_OF[which]] ?? key;
/** Several names, the last one joined by "or". @param {string[]} names */
export const either = (names) => [names.slice(0, -1).join(isChinese() ? "、" : ", "), ...names.slice(-1)].filter(Boolean).join(t("list.or"));
/** @param {...string} parts */
export const clauses = (...parts) => parts.join(isChinese() ? "，" : ", ");
/** @param {number} chance */
export const percent = (chance) => `${Math.round(100 * chance)}%`;
/** @param {string} text */
export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
/** @param {...string} parts */
export const sentences = (...parts) => parts.join(isChinese() ? "" : " ");
