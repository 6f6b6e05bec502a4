// The words of the page, in the language that was chosen.

import { $ } from "./page.js";
import { keep, kept } from "./storage.js";

let texts = { en: {}, zh: {} };
let language = kept("language", navigator.language.startsWith("zh") ? "zh" : "en");
let pieceNames = kept("names", "names");

export const isChinese = () => language === "zh";
// What was drawn with another wording is drawn anew.
export const wording = () => `${pieceNames} ${language}`;

export async function loadTexts() {
  texts = await (await fetch("texts.json")).json();
}

export function switchLanguage() {
  language = isChinese() ? "en" : "zh";
  keep("language", language);
}

export function switchNames() {
  pieceNames = pieceNames === "names" ? "letters" : "names";
  keep("names", pieceNames);
}

export function t(key, values = {}) {
  const text = texts[language][key] ?? texts.en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

export const has = (key) => key in texts[language];
export const seatName = (seat) => t(`seat.${seat}`);
export const teamName = (team) => [...team].map(seatName).join(isChinese() ? "" : " + ");
export const pieceLabel = (letter) => (pieceNames === "letters" ? letter.toUpperCase() : t(`short.${letter}`));
export const clauses = (...parts) => parts.join(isChinese() ? "，" : ", ");
export const sentences = (...parts) => parts.join(isChinese() ? "" : " ");

// Fills in what stands in the page itself.
export function translate() {
  document.documentElement.lang = isChinese() ? "zh-CN" : "en";
  document.title = t("title");
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = t(element.dataset.text);
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", t(element.dataset.label));
    if (element.tagName === "BUTTON") element.title = t(element.dataset.label);
  }
  for (const element of document.querySelectorAll("[data-hint]")) element.placeholder = t(element.dataset.hint);
  for (const board of document.querySelectorAll(".board")) board.setAttribute("aria-label", t("keys"));
  $("language").textContent = isChinese() ? "English" : "中文";
  $("language").lang = isChinese() ? "en" : "zh";
}
