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
  const { part } = board;
  const { svg, zoom } = board.svgBoard;
  useLayoutEffect(() => place.current?.append(svg, zoom.exit, ...(part ? [part.map, part.button] : [])), []);
  useLayoutEffect(() => {
    svg.setAttribute("aria-label", t("board.keys"));
    zoom.exit.textContent = t("board.whole");
    if (value) board.show(value);
  });
  return html`<div class="place" ref=${place}></div>`;
}
