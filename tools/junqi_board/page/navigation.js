// The tabs of the page: one view is visible at a time, and the browser's Back returns to the one before.

import { address } from "./address.js";
import { $, child, warn } from "./dom.js";
import { t } from "./texts.js";

/** @type {readonly View[]} */
let views = [];

/** @param {string} id */
function makeVisible(id) {
  for (const view of views) $(view.id).hidden = view.id !== id;
  for (const tab of tabs()) {
    const isShown = tab.dataset.view === id;
    tab.setAttribute("aria-selected", String(isShown));
    if (!isShown) continue;
    const name = child($("menu"), "span");
    name.textContent = tab.textContent;
    // It follows the language as the tab does.
    if (tab.dataset.text) name.dataset.text = tab.dataset.text;
    else delete name.dataset.text;
  }
  openMenu(false);
  for (const view of views) {
    if (view.id === id) view.show?.();
    else view.hide?.();
  }
  showAddress();
}

/** The address of the page follows what it shows. */
export const showAddress = () => address.show(views.find(({ id }) => !$(id).hidden)?.address?.() ?? "");

/** Shows the place that the address named when the page was opened. */
export async function followAddress() {
  const { place } = address;
  address.place = null;
  if (!place) return showAddress();
  isChosen = true;
  for (const view of views) if (await view.follow?.(place)) return;
  warn(() => t("link.bad"));
  goTo(views[0].id);
}

/** The tabs of a narrow screen are a menu. @param {boolean} isOpen */
function openMenu(isOpen) {
  child(document, "nav").classList.toggle("open", isOpen);
  $("menu").setAttribute("aria-expanded", String(isOpen));
}

/** @returns {HTMLElement[]} */
const tabs = () => [...document.querySelectorAll("[data-view]")].map((tab) => /** @type {HTMLElement} */ (tab));

let isChosen = false;

/** Goes to another view, without a way back to the one before, unless a person has chosen one. @param {string} id */
export function turnTo(id) {
  if (isChosen) return;
  history.replaceState({ view: id }, "");
  makeVisible(id);
}

/** Goes to another view. @param {string} id */
export function goTo(id) {
  isChosen = true;
  if ($(id).hidden) history.pushState({ view: id }, "");
  makeVisible(id);
}

/** A control that disappears while it has the focus hands it to the board of its view. */
function keepFocus() {
  /** @type {HTMLElement | null} */
  let focused = null;
  addEventListener("focusin", (event) => (focused = /** @type {HTMLElement} */ (event.target)));
  const watcher = new MutationObserver(() => {
    if (!focused || focused.checkVisibility() || document.querySelector("dialog[open]")) return;
    focused = null;
    /** @type {HTMLElement | null} */ (document.querySelector(".view:not([hidden]) .board"))?.focus({ preventScroll: true });
  });
  watcher.observe(child(document, "main"), { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden"] });
}

/** Shows the first view, or the one that was visible before a reload. @param {readonly View[]} all */
export function beginNavigation(all) {
  views = all;
  keepFocus();
  const first = all[0].id;
  if (!history.state) history.replaceState({ view: first }, "");
  makeVisible(history.state.view ?? first);
  // Without a state it is a new address that was typed, which is not the page's own.
  addEventListener("popstate", ({ state }) => state && makeVisible(state.view ?? first));
  $("menu").onclick = () => openMenu($("menu").getAttribute("aria-expanded") !== "true");
  for (const tab of tabs())
    tab.onclick = () => {
      views.find(({ id }) => id === tab.dataset.view)?.chosen?.();
      goTo(String(tab.dataset.view));
    };
  child(document, "[role=tablist]").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const shown = tabs().filter((tab) => !tab.hidden);
    const place = shown.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (!step || place < 0) return;
    const next = shown[(place + step + shown.length) % shown.length];
    next.focus();
    goTo(String(next.dataset.view));
  });
}
