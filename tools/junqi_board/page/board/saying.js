// Sentences and pictures of seats and pieces, as components.

import { wording } from "../shell/appearance.js";
import { pieceSample, seatIcon } from "./pieces.js";
import { html, useLayoutEffect, useRef } from "../view.js";

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
export const PieceSample = ({ seat, letter }) => html`<${Picture} name=${seat + letter + wording()} draw=${() => pieceSample(seat, letter)} />`;

/**
 * A saying with the pictures of its pieces; a board that follows its panel shows its points.
 * @param {{ saying: Saying }} props
 */
export const SayingText = ({ saying: { parts, points } }) => html`<span data-points=${points.join(" ") || null}>
  ${parts.map((part) => (typeof part === "string" ? part : html`<${Named} ...${part} />`))}
</span>`;

/** @param {NamedPiece} piece */
const Named = ({ text, seat, letter }) => html`<span class="named seat-${seat} ${letter === "?" ? "hidden" : ""}"><${SeatIcon} seat=${seat} />${text}</span>`;
