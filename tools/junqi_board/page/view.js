// Drawing of the page: a component, which `redraw` draws again when something has changed.

import { html, render, useLayoutEffect, useRef } from "./vendor/preact.js";

export { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/preact.js";

let draw = () => {};
let isDue = false;

/** Draws a component, now and at every change. @param {() => import("./vendor/preact.js").VNode | null} component */
export function mount(component) {
  draw = () => render(html`<${component} />`, /** @type {Element} */ (document.getElementById("app")));
  draw();
}

/** Draws the page soon: several changes at once are drawn together. */
export function redraw() {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => isDue && redrawNow());
}

/** Draws the page at once, for what needs its elements. */
export function redrawNow() {
  isDue = false;
  draw();
}

/**
 * A list to choose from, beside its name, or `wide` below it.
 * @param {SelectProps} props
 */
export const Select = ({ id, label, value, entries, onPick, kind }) => html`<label class=${kind}>
  <span>${label}</span>${" "}
  <select id=${id} value=${value} onChange=${(/** @type {any} */ event) => onPick(event.currentTarget.value)}>
    ${entries.map(([one, text]) => html`<option value=${one}>${text}</option>`)}
  </select>
</label>`;

/**
 * A dialog, whose content is there while it is open.
 * @param {{ isOpen: boolean, children: Content, [attribute: string]: any }} props
 */
export function Dialog({ isOpen, children, ...rest }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    const element = /** @type {HTMLDialogElement} */ (dialog.current);
    element.returnValue = "";
    if (isOpen) element.showModal();
    else element.close();
  }, [isOpen]);
  return html`<dialog ref=${dialog} ...${rest}>${isOpen && children}</dialog>`;
}
