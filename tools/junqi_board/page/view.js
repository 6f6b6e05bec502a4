// How the page is drawn: components in the elements of index.html, which `redraw` draws again when something has changed.

import { html, render, useLayoutEffect, useRef } from "./vendor/preact.js";

export { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/preact.js";

/** @typedef {() => import("./vendor/preact.js").VNode | null} Component */

/** The components by the element that each is drawn in. @type {Map<Element, Component>} */
const mounted = new Map();
let isDue = false;

/** Draws a component in an element of index.html, now and at every change. @param {string} id @param {Component} component */
export function mount(id, component) {
  const element = /** @type {Element} */ (document.getElementById(id));
  mounted.set(element, component);
  render(html`<${component} />`, element);
}

/** Draws all components soon: several changes at once are drawn together. */
export function redraw() {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => isDue && redrawNow());
}

/** Draws all components at once, for what needs their elements. */
export function redrawNow() {
  isDue = false;
  for (const [element, component] of mounted) render(html`<${component} />`, element);
}

/** A list to choose from, beside its name. @param {{ id: string, label: string, value: string, entries: string[][], onPick: (value: string) => void }} props */
export const Select = ({ id, label, value, entries, onPick }) => html`<label>
  <span>${label}</span>${" "}
  <select id=${id} value=${value} onChange=${(/** @type {any} */ event) => onPick(event.currentTarget.value)}>
    ${entries.map(([one, text]) => html`<option value=${one}>${text}</option>`)}
  </select>
</label>`;

/** A dialog, whose content is there while it is open. @param {{ isOpen: boolean, children: import("./vendor/preact.js").Content, [attribute: string]: any }} props */
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
