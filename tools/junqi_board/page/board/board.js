// The place of a board on the page.

import { t } from "../texts.js";
import { html, useLayoutEffect, useRef } from "../view.js";

/**
 * The place of a board, which shows a value; null changes nothing.
 * @template T
 * @param {BoardProps<T>} props
 */
export function Board({ board, value }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  const { part, svgBoard: { svg } } = board;
  useLayoutEffect(() => place.current?.append(svg, ...(part ? [part.map, part.button] : [])), []);
  useLayoutEffect(() => {
    svg.setAttribute("aria-label", t("board.keys"));
    if (value) board.show(value);
  });
  return html`<div class="place" ref=${place}></div>`;
}
