// The list of moves: a row for each round and a column for each seat, or the protocol's text.

import { $, make } from "./dom.js";
import { pieceLines, wording } from "./looks.js";
import { seatIcon } from "./pieces.js";
import { saveSetting, setting } from "./storage.js";
import { t } from "./texts.js";
import { moveSaying, textOf } from "./voice.js";

const KEYS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

export class MoveList {
  /** What each item shows, in order. @type {string[]} */
  drawn = [];
  /** The item that is marked, from 1; 0 for none. */
  at = 0;
  follows = true;

  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} button switches between words and the protocol's text
   * @param {(number: number) => void} onChoose called with the number of the chosen entry, from 1
   */
  constructor(list, button, onChoose) {
    this.list = list;
    this.button = button;
    this.onChoose = onChoose;
    // The marks of the seats, above their columns.
    this.heads = /** @type {HTMLElement} */ (make("div", { class: "move-heads", "aria-hidden": "true", "data-advanced": true }));
    list.before(this.heads);
    list.addEventListener("click", (event) => {
      const item = /** @type {Element} */ (event.target).closest("li");
      if (item) onChoose([...list.children].indexOf(item) + 1);
    });
    list.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const count = this.drawn.length;
    const here = this.at || count;
    const number = event.key === "Home" ? 1 : event.key === "End" ? count : here + (/** @type {Record<string, number>} */ (KEYS)[event.key] ?? NaN);
    if (!(number >= 1 && number <= count)) return;
    event.preventDefault();
    event.stopPropagation();
    this.onChoose(number);
  }

  /**
   * Shows the moves. The list follows the marked entry, or its end.
   * @param {string[]} moves the protocol's text of each entry
   * @param {LastMove[]} entries what each did; those that are not known yet are shown as text
   * @param {BoardData} data
   * @param {number | null} at the entry that is marked; null for the last one
   * @param {string} mine the seats of the person
   */
  show(moves, entries, data, at, mine) {
    const { list } = this;
    const isRaw = setting("rawMoves", false);
    list.classList.toggle("raw", isRaw);
    list.dataset.seats = data.seats;
    this.button.setAttribute("aria-pressed", String(isRaw));
    if (this.heads.dataset.seats !== data.seats) {
      this.heads.dataset.seats = data.seats;
      this.heads.replaceChildren(...[...data.seats].map(seatIcon));
    }
    while (list.childElementCount > moves.length) list.lastElementChild?.remove();
    this.drawn.length = Math.min(this.drawn.length, moves.length);
    let [round, column] = [0, 99];
    moves.forEach((move, index) => {
      const entry = entries[index];
      const place = entry ? data.seats.indexOf(entry.seat) : (column + 1) % data.seats.length;
      const isFirst = place <= column;
      if (isFirst) round += 1;
      column = place;
      const key = [move, Boolean(entry), entry?.attacker?.may, entry?.defender?.may, isRaw, wording(), document.documentElement.lang, round, isFirst].join(" ");
      if (this.drawn[index] === key) return;
      this.drawn[index] = key;
      const item = make("li", { role: "option", "aria-selected": "false", class: `column-${place} ${entry ? gained(entry) : ""}`, "data-seat": entry ? entry.seat : null, "data-round": isFirst ? round : null });
      if (entry && !isRaw) {
        const words = textOf(moveSaying(entry, data, mine));
        item.title = words;
        item.setAttribute("aria-label", words);
        item.append(...itemParts(entry, data));
      } else item.textContent = move;
      if (list.children[index]) list.children[index].replaceWith(item);
      else list.append(item);
    });
    this.mark(at ?? moves.length, at === null);
  }

  /** Marks an entry and scrolls the list so that it is visible. @param {number} at @param {boolean} isNow whether it is the present position */
  mark(at, isNow) {
    this.at = at;
    for (const item of this.list.querySelectorAll("[aria-selected=true]")) item.setAttribute("aria-selected", "false");
    const item = /** @type {HTMLElement | undefined} */ (this.list.children[at - 1]);
    this.list.classList.toggle("past", !isNow);
    if (!item) return;
    item.setAttribute("aria-selected", "true");
    const [above, below] = [item.offsetTop, item.offsetTop + item.offsetHeight];
    if (above < this.list.scrollTop || below > this.list.scrollTop + this.list.clientHeight) this.list.scrollTop = above - this.list.clientHeight / 2;
  }
}

/** @param {LastMove} entry */
const gained = (entry) => (entry.outcome === "no-battle" ? "" : "battle");

/**
 * An entry in short: where the piece went; of a battle both pieces, the removed ones struck out.
 * @param {LastMove} entry
 * @param {BoardData} data
 * @returns {(Node | string)[]}
 */
function itemParts(entry, data) {
  if (entry.resigned) return [make("i", {}, t("moves.resigned"))];
  if (entry.passed) return [make("i", {}, t("moves.passed"))];
  const name = (/** @type {number} */ point) => data.points[point].name;
  const way = make("span", { class: "from-to" }, `${name(entry.from)}–${name(entry.to)}`);
  /** @type {(Node | string)[]} */
  const parts = [way];
  if (entry.outcome !== "no-battle") {
    const short = (/** @type {KnownPiece | null} */ piece) => (piece && piece.letter !== "?" ? pieceLines(piece.letter)[0] : "?");
    const side = (/** @type {KnownPiece | null} */ piece, /** @type {string} */ winner) => make(entry.outcome === winner ? "b" : "s", {}, short(piece));
    parts.push(make("span", { class: "fight" }, side(entry.attacker, "attacker-won"), "⚔", side(entry.defender, "defender-won")));
  }
  if (entry.flags.length) parts.push(make("span", { class: "event" }, t("moves.flag")));
  if (entry.out) parts.push(make("span", { class: "event" }, t("moves.out")));
  return parts;
}

/** Lets a button switch both lists between words and the protocol's text. @param {() => void} redraw */
export function beginMoveLists(redraw) {
  for (const id of ["moves-raw", "replay-moves-raw"])
    $(id).onclick = () => {
      saveSetting("rawMoves", !setting("rawMoves", false));
      redraw();
    };
}
