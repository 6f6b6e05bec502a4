// Which view is shown: one at a time, and the browser's Back returns to the one before.

import { set, state } from "../state.js";
import { t } from "../texts.js";
import { redrawNow } from "../view.js";
import { endNotice, warn } from "./notices.js";
import { address } from "./storage.js";

/** @param {string} id */
const viewOf = (id) => state.views.find((view) => view.id === id);

/** Loads the modules of a view; whether they are there. @param {string} id */
export const loadView = async (id) => (await viewOf(id)?.load?.()) ?? true;

/** @param {string} id */
function showView(id) {
  const isOther = id !== state.view;
  if (isOther) viewOf(state.view)?.hide?.();
  set({ view: id, isMenuOpen: false });
  redrawNow();
  if (isOther) {
    scrollTo(0, 0);
    endNotice();
  }
  const view = viewOf(id);
  const show = () => {
    view?.show?.();
    showAddress();
  };
  if (view?.load) view.load().then((isLoaded) => isLoaded && state.view === id && show());
  else show();
}

/** The address of the page follows what it shows. */
export const showAddress = () => address.show(viewOf(state.view)?.address?.() ?? "");

/** Shows what has this place in addresses. @param {string} kind @param {string} id */
export function goToPlace(kind, id) {
  address.place = { kind, id, at: 0 };
  return followAddress();
}

/** Shows the place that the address named when the page was opened. */
export async function followAddress() {
  const { place } = address;
  address.place = null;
  if (!place) return showAddress();
  state.isViewChosen = true;
  for (const view of state.views) {
    if (view.kind === place.kind) await view.load?.();
    if (await view.follow?.(place)) return;
  }
  goToView(state.views[0].id);
  warn(() => t("link.bad"));
}

/** Goes to another view, without a way back to the one before, unless a person has chosen one. @param {string} id */
export function turnTo(id) {
  if (state.isViewChosen) return;
  history.replaceState({ view: id }, "");
  showView(id);
}

/** Goes to another view. @param {string} id */
export function goToView(id) {
  state.isViewChosen = true;
  if (state.view !== id) history.pushState({ view: id }, "");
  showView(id);
}

/** A control that disappears while it has the focus hands it to the board of its view. */
function keepFocus() {
  /** @type {HTMLElement | null} */
  let focused = null;
  addEventListener("focusin", (event) => (focused = /** @type {HTMLElement} */ (event.target)));
  const watcher = new MutationObserver(() => {
    if (!focused || focused.checkVisibility() || document.querySelector("dialog[open]")) return;
    focused = null;
    const board = document.querySelector(".view:not([hidden]) .board");
    /** @type {SVGElement | null} */ (board)?.focus({ preventScroll: true });
  });
  watcher.observe(/** @type {Element} */ (document.querySelector("main")), {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["hidden"],
  });
}

/** Shows the first view, or the one that was visible before a reload. */
export function beginNavigation() {
  keepFocus();
  if (!history.state) history.replaceState({ view: state.view }, "");
  showView(history.state.view ?? state.view);
  // Without a state it is a new address that was typed, which is not the page's own.
  addEventListener("popstate", (event) => event.state && showView(event.state.view ?? state.views[0].id));
}
