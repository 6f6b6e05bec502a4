// What is asked of the person in a puzzle, the best that is known, and what was solved in any visit.

import { catalogue } from "./catalogue.js";
import { $, make } from "./dom.js";
import { socket } from "./socket.js";
import { keep, kept } from "./storage.js";
import { clauses, sentences, t } from "./texts.js";

class PuzzlesOfTheDay {
  /** @type {(one: KnownPuzzle) => void} */
  open = () => {};

  /** @param {(one: KnownPuzzle) => void} open opens a puzzle */
  begin(open) {
    this.open = open;
  }

  // Asks the server each time: the page may have been open since yesterday.
  async ask() {
    try {
      readToday((await socket.request("puzzle_today")).puzzles);
    } catch {
      return; // without a connection: it is asked for again when there is one
    }
  }

  draw() {
    const today = puzzlesOfToday();
    const list = $("puzzle-today-list");
    $("puzzle-today").hidden = !today.length;
    // The buttons remain, so that the focus does.
    while (list.childElementCount < today.length) {
      const number = list.childElementCount;
      list.append(make("button", { class: "chip", onclick: () => this.open(puzzlesOfToday()[number]) }, make("b"), make("span", { class: "hint" }), make("span", { class: "stars" })));
    }
    today.forEach((one, number) => {
      const button = list.children[number];
      const parts = [t(`daily.${one.name}`), levelText(one), starsOfKnown(one.variant, one.position)];
      parts.forEach((text, part) => (button.children[part].textContent = text));
      button.setAttribute("aria-pressed", String($("puzzle-variant").value === one.variant && $("puzzle-known").value === one.position));
    });
  }
}

export const puzzlesOfTheDay = new PuzzlesOfTheDay();

const MAX_SOLVED = 400;
const MOST_STARS = 3;
/** With so much more than the fewest moves there are two stars, with more one. */
const TWO_STARS = 1.25;

/** The puzzles of the day. @type {KnownPuzzle[]} */
let today = [];
/** @param {KnownPuzzle[]} puzzles */
const readToday = (puzzles) => (today = puzzles.filter(({ variant }) => catalogue.variants.includes(variant)));
const puzzlesOfToday = () => today;

/** The name under which a solved puzzle is kept. @param {Opening} opened */
const keyOf = ({ variant, position }) => [variant, position, variant === "klotski" ? "move" : ""].join("|");

/** The puzzles to choose from, those of the day last. @param {string} variant @returns {KnownPuzzle[]} */
export const knownPuzzles = (variant) => [...(catalogue.positions[variant] ?? []), ...today.filter((one) => one.variant === variant)];

/** The known puzzle with a position. @param {string} variant @param {string} position */
export const knownPuzzle = (variant, position) => knownPuzzles(variant).find((one) => one.position === position);

/** A puzzle of the day is named by its kind where its variant has several. @param {KnownPuzzle} known */
export function puzzleName({ name, variant }) {
  if (!variant) return name;
  return today.filter((one) => one.variant === variant).length > 1 ? t("daily.of", { kind: t(`daily.${name}`) }) : t("daily.one");
}

/** How many swaps end the puzzle; 0 if nothing but its goal does. @param {Opening | null} opened */
export const swapsOf = (opened) => (opened && knownPuzzle(opened.variant, opened.position)?.swaps) || 0;

/** Whether nothing remains to be done. @param {Opening | null} opened @param {PuzzleState} state */
export const isOver = (opened, state) => state.solved || (swapsOf(opened) > 0 && state.moves.length >= swapsOf(opened));

/** What to do, in words. @param {Opening} opened */
export function goalText({ variant, position }) {
  const known = knownPuzzle(variant, position);
  return t(`goal.${known?.goal ?? variant}`, { piece: known?.piece, n: known?.swaps });
}

/** How hard it is, in words; empty if that is not known. @param {KnownPuzzle | undefined} known */
export const levelText = (known) => (known?.level ? t(`difficulty.${known.level}`) : "");

/** The least number of moves that is known, or the most points; null for none. @param {Opening} opened @returns {number | null} */
export function bestKnown({ variant, position }) {
  const best = knownPuzzle(variant, position)?.best ?? {};
  return best.move ?? best[""] ?? null;
}

/** @returns {Record<string, number>} */
const solved = () => kept("solved", {});

/** The person's least number of moves, or most points; undefined if the puzzle has not been solved. @param {Opening} opened @returns {number | undefined} */
const ownBest = (opened) => solved()[keyOf(opened)];

/**
 * Three stars for a best solution, as signs; a tick where the best is not known.
 * @param {Opening} opened
 * @param {number | undefined} own the moves or points; undefined for no stars
 */
export function starsOf(opened, own) {
  if (own === undefined) return "";
  const best = bestKnown(opened);
  if (best === null) return "✓";
  // 1 for a best solution, more for others.
  const far = swapsOf(opened) ? best / Math.max(own, 1) : own / best;
  const stars = far <= 1 ? MOST_STARS : far <= TWO_STARS ? 2 : 1;
  return "★".repeat(stars) + "☆".repeat(MOST_STARS - stars);
}

/** The stars of a known puzzle. @param {string} variant @param {string} position */
export function starsOfKnown(variant, position) {
  const opening = { variant, position, moves: "" };
  return starsOf(opening, ownBest(opening));
}

/** Keeps that the person has solved a puzzle. @param {Opening} opened @param {number} result the moves, or the points */
export function keepSolved(opened, result) {
  const all = solved();
  const before = ownBest(opened);
  if (before !== undefined && (swapsOf(opened) ? result <= before : result >= before)) return;
  const others = Object.entries(all).filter(([key]) => key !== keyOf(opened)).slice(1 - MAX_SOLVED);
  keep("solved", Object.fromEntries([...others, [keyOf(opened), result]]));
}

/** How hard it is, the best that is known, and the person's own. @param {Opening} opened */
export function recordsText(opened) {
  const best = bestKnown(opened);
  const own = ownBest(opened);
  const level = levelText(knownPuzzle(opened.variant, opened.position));
  const words = [];
  if (best !== null) words.push(t("puzzle.best", { what: resultText(opened, best) }));
  if (own !== undefined) words.push(t("puzzle.own", { what: resultText(opened, own) }));
  const records = words.length ? [t("sentence", { text: clauses(...words) })] : [];
  return sentences(...(level ? [t("difficulty.is", { level })] : []), ...records);
}

/** The number of moves, or of points where these count. @param {Opening} opened @param {number} n */
export const resultText = (opened, n) => t(swapsOf(opened) ? "puzzle.points" : "count.moves", { n });
