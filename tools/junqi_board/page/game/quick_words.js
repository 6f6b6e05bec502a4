// Words for the partner that need no typing, and what was said in the language of the reader.

import { has, t } from "../texts.js";

/** By the end of the key of their text. */
export const QUICK_WORDS = ["attack", "hold", "help", "coming", "flag", "thanks"];

/** The chat line for a quick word: every reader sees it in its own language. @param {string} word */
export const quickLine = (word) => `!${word}`;

/** The text of a chat line. @param {string} words */
export function spokenText(words) {
  const key = `quick.${words.slice(1)}`;
  return words.startsWith("!") && has(key) ? t(key) : words;
}
