// Words for the partner that need no typing, and what was said in the language of the reader.

import { has, t } from "../texts.js";

/** By the end of the key of their text. */
export const QUICK_WORDS = ["attack", "hold", "help", "coming", "flag", "thanks"];

/** How a line names one of the quick words: every reader sees it in its language. @param {string} word */
export const quickLine = (word) => `!${word}`;

/** What a line of the chat says. @param {string} words */
export function spokenText(words) {
  const key = `quick.${words.slice(1)}`;
  return words.startsWith("!") && has(key) ? t(key) : words;
}
