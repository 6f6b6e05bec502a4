// The person's own marks on hidden pieces. They are shown on the pieces and sent to nobody.

import { $, stepByArrow } from "../shell/dom.js";
import { warn } from "../shell/notices.js";
import { remember, remembered } from "../shell/storage.js";
import { socket } from "../socket.js";
import { change, state } from "../state.js";
import { t } from "../texts.js";
import { html, useEffect, useLayoutEffect, useRef } from "../view.js";

/** The marks of a game, also from before a reload. @param {GameState} game @returns {PageState["marks"]} */
export const marksOf = ({ game }) => ({ letters: remembered(`marks.${game}`) ?? {}, menu: null, isOn: false });

const closeMenu = () => change("marks", { menu: null });

/** @param {string} piece @param {string} letter the mark, empty for none */
function markPiece(piece, letter) {
  const { [piece]: _, ...others } = state.marks.letters;
  const letters = letter ? { ...others, [piece]: letter } : others;
  change("marks", { letters, menu: null });
  if (state.table.game) remember(`marks.${state.table.game.game}`, letters);
  $("play-board").focus({ preventScroll: true });
}

/** A click on a hidden piece opens its menu, until the next click on the button. */
export function toggleMarks() {
  const isOn = !state.marks.isOn;
  change("marks", { isOn });
  warn(() => (isOn ? t("mark.choose") : ""));
}

/**
 * Opens the menu for a point and the piece on it, at a place of the window.
 * @param {Shape | null} shape
 * @param {number} point
 * @param {number} x
 * @param {number} y
 */
export function openMarksMenu(shape, point, x, y) {
  const { game } = state.table;
  const isHidden = shape?.letter === "?";
  if (!game || game.phase === "arranging" || !(isHidden || game.may.tell_partner)) return;
  const letters = isHidden ? (game.proven[point] ?? "abcdefghijkl") : "";
  change("marks", { menu: { piece: shape?.id ?? "", point, x, y, letters } });
}

export function Marks() {
  const { menu } = state.marks;
  return menu && html`<${Menu} key=${menu.point} ...${menu} />`;
}

/** Shows the partner a point. @param {number} point */
function pingPartner(point) {
  socket.ask("ping", { point });
  closeMenu();
  $("play-board").focus({ preventScroll: true });
}

/** @param {{ piece: string, point: number, x: number, y: number, letters: string }} props */
function Menu({ piece, point, x, y, letters }) {
  const menu = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const { offsetWidth = 0, offsetHeight = 0, style } = /** @type {HTMLElement} */ (menu.current);
    style.left = `${Math.min(x, innerWidth - offsetWidth - 8)}px`;
    style.top = `${Math.min(y, innerHeight - offsetHeight - 8)}px`;
    menu.current?.querySelector("button")?.focus();
  }, [point]);
  useEffect(() => {
    const leave = (/** @type {PointerEvent} */ { target }) =>
      !menu.current?.contains(/** @type {Node} */ (target)) && closeMenu();
    document.addEventListener("pointerdown", leave);
    return () => document.removeEventListener("pointerdown", leave);
  }, []);
  return html`<div id="marks-menu" class="menu" role="menu" aria-label=${t("mark.title")} ref=${menu}
    onKeyDown=${stepInMenu}>
    ${state.table.game?.may.tell_partner && html`<button role="menuitem" id="ping" onClick=${() => pingPartner(point)}>
      ${t("ping")}</button>`}
    ${[...letters, ...(letters ? [""] : [])].map(
      (letter) => html`<button role="menuitem" data-mark=${letter}
        aria-label=${letter ? t(`piece.${letter}`) : null} onClick=${() => markPiece(piece, letter)}>
      ${letter ? t(`short.${letter}`) : t("mark.clear")}
    </button>`)}
  </div>`;
}

/** @param {KeyboardEvent} event */
function stepInMenu(event) {
  stepByArrow(event);
  if (event.key !== "Escape") return;
  closeMenu();
  $("play-board").focus();
}
