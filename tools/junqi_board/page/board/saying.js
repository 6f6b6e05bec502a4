// Boards, sentences, and pictures of seats and pieces, as components.

import { set, state } from "../state.js";
import { t, wording } from "../texts.js";
import { html, useLayoutEffect, useRef } from "../view.js";
import { pieceSample, seatIcon } from "./pieces.js";

/**
 * A picture that is drawn by hand: another `name` means another picture.
 * @param {{ name: string, draw: () => Element }} props
 */
export function Picture({ name, draw }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => place.current?.replaceChildren(draw()), [name]);
  return html`<span class="place" ref=${place}></span>`;
}

/** @param {{ seat: string }} props */
export const SeatIcon = ({ seat }) => html`<${Picture} name=${seat} draw=${() => seatIcon(seat)} />`;

/** @param {{ seat: string, letter: string }} props */
export const PieceSample = ({ seat, letter }) =>
  html`<${Picture} name=${seat + letter + wording()} draw=${() => pieceSample(seat, letter)} />`;

/**
 * A saying with the pictures of its pieces; the board marks its points while it is pointed at.
 * @param {{ saying: Saying }} props
 */
export const SayingText = ({ saying: { parts, points } }) => html`<span data-points=${points.join(" ") || null}>
  ${parts.map((part, index) => {
    if (typeof part === "string") return typeof parts[index - 1] === "object" ? part.replace(STOP, "") : part;
    const next = parts[index + 1];
    const stop = typeof next === "string" ? STOP.exec(next)?.[0] : "";
    return html`<span class="unbroken"><${Named} ...${part} />${stop}</span>`;
  })}
</span>`;

/** Punctuation that may not begin a line after a piece. */
const STOP = /^[。，、；：）.,;:)]+/;

/** @param {NamedPiece} piece */
const Named = ({ text, seat, letter }) =>
  html`<span class="named seat-${seat} ${letter === "?" ? "hidden" : ""}"><${SeatIcon} seat=${seat} />${text}</span>`;

/** Follows the pointer and the focus: the points of the sentence that they are on become those that a board marks. */
export function followPointer() {
  for (const type of ["pointerover", "focusin"])
    addEventListener(type, ({ target }) => {
      const item = /** @type {Element} */ (target).closest?.("button, p, [data-points]");
      const said = item?.matches("[data-points]") ? item : item?.querySelector("[data-points]");
      const pointed = said?.getAttribute("data-points")?.split(" ").map(Number) ?? [];
      if (pointed.join() !== state.pointed.join()) set({ pointed });
    });
}

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
