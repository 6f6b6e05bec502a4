// The person's own marks on hidden pieces. They are shown on the pieces and sent to nobody.

import { $, stepByArrow } from "../shell/dom.js";
import { warn } from "../shell/notices.js";
import { remember, remembered } from "../shell/storage.js";
import { socket } from "../socket.js";
import { change, state } from "../state.js";
import { t } from "../texts.js";
import { html, useEffect, useLayoutEffect, useRef } from "../view.js";
import { TurnText } from "./status.js";

/** The marks of a game, also from before a reload. @param {GameState} game @returns {PageState["marks"]} */
export const marksOf = ({ game }) => ({ letters: remembered(`marks.${game}`) ?? {}, menu: null, isOn: false });

/** The kinds that cannot move. */
const FIXED = ["j", "l"];

const closeMenu = () => change("marks", { menu: null });

/** @param {string} piece @param {string} letter the mark, empty for none */
function markPiece(piece, letter) {
  const { [piece]: _, ...others } = state.marks.letters;
  const letters = letter ? { ...others, [piece]: letter } : others;
  change("marks", { letters, menu: null });
  if (state.table.game) remember(`marks.${state.table.game.game}`, letters);
}

/** Takes away the mark of a piece that has moved, if what it says cannot move. @param {LastMove} last */
export function dropFalseMark({ attacker }) {
  const letter = state.marks.letters[attacker?.piece ?? ""];
  if (!attacker || !FIXED.includes(letter)) return;
  markPiece(String(attacker.piece), "");
  warn(() => t("mark.moved", { piece: t(`piece.${letter}`) }));
}

/** Whether a tap on a hidden piece opens its menu, and nothing else happens on the board. */
export const isMarking = () =>
  state.marks.isOn && state.table.game?.phase === "playing" && state.shown.at === null && !state.shown.record;

export const toggleMarks = () => change("marks", { isOn: !state.marks.isOn });

/** Says what a tap does while the person marks pieces. @param {{ game: GameState, data: BoardData }} props */
export const MarksNote = (props) => html`<div id="marks-note" class="past-note help" role="status">
  <span><${TurnText} ...${props} /> ${t("mark.choose")}</span>
  <button id="marks-done" onClick=${toggleMarks}>${t("mark.done")}</button>
</div>`;

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

/** @param {string} piece @param {string} letter */
function chooseMark(piece, letter) {
  markPiece(piece, letter);
  $("play-board").focus({ preventScroll: true });
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
        aria-label=${letter ? t(`piece.${letter}`) : null} onClick=${() => chooseMark(piece, letter)}>
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
