// Messages outside the views: the banner, a question, and announcements for a screen reader.

import { set, state } from "../state.js";
import { t } from "../texts.js";
import { Dialog, html } from "../view.js";

const ANNOUNCE_AFTER_MS = 60;
const ANNOUNCED_MS = 6000;

/** Tells a text to a screen reader; of several at a time only the last. @param {string} text */
export function announce(text) {
  state.announced = text;
  const write = (/** @type {string} */ words) => {
    if (state.announced === text) /** @type {HTMLElement} */ (document.getElementById("live")).textContent = words;
  };
  setTimeout(() => write(text), ANNOUNCE_AFTER_MS);
  // A reader that comes later finds no old text.
  setTimeout(() => write(""), ANNOUNCED_MS);
}

/**
 * Shows a text in the banner; no text hides it.
 * @param {() => string} text the text in the language of the page
 * @param {number} seconds after which the banner disappears, 0 for never
 * @param {boolean} [isRefusal]
 */
export function warn(text, seconds = 8, isRefusal = false) {
  const notice = { text, isLasting: seconds === 0, isRefusal };
  set({ notice });
  if (seconds) setTimeout(() => state.notice === notice && warn(() => ""), 1000 * seconds);
}

/** Hides a text that belongs to the view that is left, and would disappear by itself. */
export const endNotice = () => state.notice.isLasting || warn(() => "");

/** Time for which a rule is shown. */
const REFUSED_S = 3;

/** Tells why what was tried is not possible, until something else is done. @param {() => string} text */
export const showRefusal = (text) => warn(text, REFUSED_S, true);

export const endRefusal = () => state.notice.isRefusal && warn(() => "");

export function Banner() {
  const text = state.notice.text();
  // The same text again is read again.
  return html`<div id="banner" role="alert" hidden=${!text}>
    <span key=${state.notice}>${text}</span><button class="quiet" onClick=${() => warn(() => "")}>${t("close")}</button>
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
