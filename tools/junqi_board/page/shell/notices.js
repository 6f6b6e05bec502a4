// What the page tells the person beside its views: the banner, a question, and words for a screen reader.

import { set, state } from "../state.js";
import { t } from "../texts.js";
import { Dialog, html } from "../view.js";

const ANNOUNCE_AFTER_MS = 60;
let liveTimer = 0;
let bannerTimer = 0;
let isLasting = false;

/** Tells a text to a screen reader. @param {string} text */
export function announce(text) {
  clearTimeout(liveTimer);
  const live = /** @type {HTMLElement} */ (document.getElementById("live"));
  liveTimer = window.setTimeout(() => (live.textContent = text), ANNOUNCE_AFTER_MS);
}

/**
 * Shows a text in the banner; no text hides it.
 * @param {() => string} banner the text in the language of the page
 * @param {number} seconds after which the banner disappears, 0 for never
 */
export function warn(banner, seconds = 8) {
  clearTimeout(bannerTimer);
  isLasting = seconds === 0;
  set({ banner });
  if (seconds) bannerTimer = window.setTimeout(() => set({ banner: () => "" }), 1000 * seconds);
}

/** Hides a text that belongs to the view that is left, and would disappear by itself. */
export const endNotice = () => isLasting || warn(() => "");

/** How long a rule is told. */
const REFUSED_S = 3;
let refusal = () => "";

/** Tells why what was tried is not possible, until something else is done. @param {() => string} text */
export function showRefusal(text) {
  refusal = text;
  warn(text, REFUSED_S);
}

export const endRefusal = () => state.banner === refusal && warn(() => "");

export function Banner() {
  const text = state.banner();
  return html`<div id="banner" role="alert" hidden=${!text}>
    <span>${text}</span><button class="quiet" onClick=${() => warn(() => "")}>${t("close")}</button>
  </div>`;
}

/**
 * Asks the person a question.
 * @param {string} text
 * @param {string} action what the button that agrees says
 * @returns {Promise<boolean>}
 */
export const confirmed = (text, action) => new Promise((done) => set({ question: { text, action, done } }));

export function Question() {
  const { question } = state;
  const answer = (/** @type {any} */ { currentTarget }) => {
    question?.done(currentTarget.returnValue === "yes");
    set({ question: null });
  };
  return html`<${Dialog} id="confirm" isOpen=${question !== null} onClose=${answer}>
    <form method="dialog">
      <p>${question?.text}</p>
      <div class="row end">
        <button value="no">${t("cancel")}</button>
        <button value="yes" class="main">${question?.action}</button>
      </div>
    </form>
  <//>`;
}
