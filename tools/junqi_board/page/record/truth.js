// The true pieces of a finished game, beside the knowledge at the time.

import { state } from "../state.js";
import { t } from "../texts.js";
import { mayText, moveSaying, together } from "../voice.js";

/** From how many pieces lost to unknown ones on it may be a habit. */
const MIN_HABIT = 3;

/** The effect of each move, with the true pieces once they are known. */
export function storyTold() {
  const { story, truth } = state.shown;
  return truth.length === story.length ? truth : story;
}

/** Pieces of the record turned over, once they are known. @param {Piece[]} pieces @returns {Piece[]} */
export const turnedOver = (pieces) =>
  pieces.map(([point, id, seat, letter]) => [point, id, seat, state.shown.letters[id] ?? letter]);

/** The pieces of a battle that somebody did not know. @param {LastMove | undefined} entry */
const hiddenIn = (entry) =>
  entry && entry.outcome !== "no-battle"
    ? /** @type {const} */ (["attacker", "defender"]).filter((role) => entry[role]?.letter === "?")
    : [];

/**
 * The kinds that a piece could be by its last move or battle before an entry; all of them without one.
 * @param {number} index
 * @param {LastMove[]} story
 * @param {number | undefined} piece
 */
function shownBefore(index, story, piece) {
  const isIn = (/** @type {LastMove} */ one) => [one.attacker, one.defender].find((each) => each?.piece === piece);
  return story.slice(0, index).map(isIn).findLast(Boolean)?.may ?? "";
}

/**
 * What is said of a hidden piece of a battle: whether it had moved, and what was known.
 * @param {number} index
 * @param {LastMove[]} story as the viewer saw it
 * @param {LastMove[]} truth
 */
export function knownSaying(index, story, truth) {
  const role = truth[index] && hiddenIn(story[index])[0];
  if (!role) return together();
  const piece = truth[index][role]?.piece;
  const hasMoved = role === "attacker" || truth.slice(0, index).some(({ attacker }) => attacker?.piece === piece);
  return together(hasMoved ? "" : t("truth.still"), knownText(shownBefore(index, story, piece)));
}

/** The knowledge about a piece before it was turned over, in words. @param {string} letters its possible kinds */
export function knownText(letters) {
  const may = mayText(letters);
  return may ? t("truth.known", { may }) : t("truth.unknown");
}

/**
 * A move with its true pieces, and what was known of them.
 * @param {number} index
 * @param {LastMove[]} story
 * @param {LastMove[]} truth
 * @param {BoardData} data
 * @param {Pov} pov
 */
export const truthSaying = (index, story, truth, data, pov) =>
  together(moveSaying(truth[index] ?? story[index], data, pov), knownSaying(index, story, truth));

/**
 * The attacks of the person on pieces that it did not know: how many, how many pieces they cost, and how many of these
 * were lost to pieces that had never moved.
 * @param {LastMove[]} story
 * @param {LastMove[]} truth
 * @param {string} mine
 */
export function unknownAttacks(story, truth, mine) {
  const isUnknown = (/** @type {LastMove} */ entry) =>
    mine.includes(entry.attacker?.seat ?? " ") && hiddenIn(entry)[0] === "defender";
  const attacks = [...story.keys()].filter((index) => truth[index] && isUnknown(story[index]));
  const lost = attacks.filter((index) => truth[index].outcome !== "attacker-won");
  const hasMoved = (/** @type {number} */ index) =>
    truth.slice(0, index).some(({ attacker }) => attacker?.piece === truth[index].defender?.piece);
  return { n: attacks.length, lost: lost.length, still: lost.filter((index) => !hasMoved(index)).length };
}

/** Whether such attacks are a habit. @param {ReturnType<typeof unknownAttacks>} attacks */
export const isHabit = ({ n, lost }) => lost >= MIN_HABIT && 2 * lost >= n;

/**
 * The battle with a hidden enemy that decided, by the moments that a review has found: for a loss by own pieces, for a
 * win by those of the enemy; null without one.
 * @param {LastMove[]} story
 * @param {LastMove[]} truth
 * @param {string} mine
 * @param {boolean} isLost
 * @param {Moment[]} moments
 */
export function decisiveSecret(story, truth, mine, isLost, moments) {
  const found = story.flatMap((entry, index) => {
    const [role] = hiddenIn(entry);
    const { attacker, defender, outcome } = truth[index] ?? {};
    if (!role || !attacker || !defender) return [];
    const enemy = truth[index][role];
    const own = role === "attacker" ? defender : attacker;
    if (!enemy || mine.includes(enemy.seat) || !mine.includes(own.seat)) return [];
    const survivor = outcome === "attacker-won" ? attacker : outcome === "defender-won" ? defender : null;
    const size = moments.find(({ step }) => step === index)?.size ?? 0;
    return !size || survivor === (isLost ? own : enemy) ? [] : [{ index, enemy, size }];
  });
  return found.sort((a, b) => b.size - a.size)[0] ?? null;
}
