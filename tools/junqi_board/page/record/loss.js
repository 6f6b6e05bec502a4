// Why a game was lost, by its review, and what to do better.

import { boardOf, pointsOf } from "../board/boards.js";
import { percent, t } from "../texts.js";
import { say, together } from "../voice.js";
import { betterMove, chanceGivenUp, luckAgainst, MIN_GAIN, ownMistakes } from "./moments.js";
import { ROUNDS_OF_DANGER } from "./purpose.js";
import { isHabit, unknownAttacks } from "./truth.js";

/** From this chance on, a game is not lost yet. */
const MIN_CHANCE = 0.2;
/** The person's last moves, at one of which the game was not lost yet. */
const LAST_MOVES = 3;

/**
 * The reason of a loss in one sentence, and one thing to do better.
 * @param {Review} review
 * @param {Pick<GameState, "mine" | "ending" | "turn">} game
 * @param {LastMove[]} story with the true pieces
 * @param {LastMove[]} seen as the person saw it
 */
export function lossSaying(review, { mine, ending, turn }, story, seen) {
  const { players, steps } = review;
  const me = players.find(({ player }) => player.includes(mine[0]))?.player ?? "";
  const own = [...steps.keys()].filter((step) => steps[step].best && mine.includes(steps[step].seat));
  // A search sees a limit some moves ahead.
  const last = Math.max(...own.slice(-LAST_MOVES).map((step) => steps[step].fair[me]));
  const given = chanceGivenUp(review, mine);
  if (given !== null && given >= MIN_CHANCE) return say("loss.resigned", { chance: percent(given) });
  if (ending === "timeout" && mine.includes(turn)) return say("loss.timeout", { chance: percent(last) });
  if (ending === "no-contact" && last >= MIN_CHANCE) return say("loss.limit", { chance: percent(last) });
  const attacks = unknownAttacks(seen, story, mine);
  if (ending === "no-moves" && isHabit(attacks)) return together(say("loss.pieces", attacks), t("loss.do.unknown"));
  const mistakes = ownMistakes(review, mine).filter(({ kind }) => kind !== "gambleWon");
  const sizes = mistakes.map(({ size }) => size);
  const cost = sizes.reduce((sum, size) => sum + size, 0);
  const luck = luckAgainst(review, mine);
  const left = partnerLeft(review, mine, story);
  const small = own.filter((step) => betterMove(review, step)).length;
  if (!sizes.length && luck <= 0 && (left.parts.length || !small)) return left;
  const values = { n: sizes.length || small, size: percent(Math.max(...sizes)), luck: percent(luck) };
  const key =
    luck > cost ? "loss.luck"
    : sizes.length > 1 ? "loss.mistakes"
    : sizes.length ? "loss.mistake"
    : "loss.small";
  const costly = sizes.length ? mistakes.map(({ step }) => step) : own;
  return together(left, say(key, values), t(adviceFor(review, costly, story, seen, mine)));
}

/**
 * What the partner's resignation meant, if it cost much of the winning chance.
 * @param {Review} review
 * @param {string} mine
 * @param {LastMove[]} story
 */
function partnerLeft(review, mine, story) {
  const { players, steps } = review;
  const me = players.find(({ player }) => player.includes(mine[0]));
  const isPartner = (/** @type {string | null | undefined} */ seat) =>
    seat && me?.team.includes(seat) && !mine.includes(seat);
  const at = steps.findIndex((_, step) => isPartner(story[step]?.resigned));
  if (!me || at < 0) return together();
  const [before, after] = [steps[at], steps[at + 1] ?? review].map(({ fair }) => fair[me.player]);
  if (before - after < MIN_CHANCE) return together();
  return say("loss.partner", { before: percent(before), after: percent(after) });
}

/**
 * The key of the advice against the kind of move that cost most.
 * @param {Review} review
 * @param {number[]} costly the steps of the person's mistakes, or of all its moves
 * @param {LastMove[]} story
 * @param {LastMove[]} seen
 * @param {string} mine
 */
function adviceFor({ variant, steps }, costly, story, seen, mine) {
  const data = /** @type {BoardData} */ (boardOf(variant));
  const fall = story.findIndex(({ defender }) => defender?.letter === "l" && mine.includes(defender.seat));
  /** @type {Record<string, number>} */
  const costs = {};
  for (const step of costly.filter((one) => story[one] && steps[one].loss >= MIN_GAIN)) {
    const isAttack = story[step].defender !== null;
    const isLate = fall > step && step >= fall - ROUNDS_OF_DANGER * data.seats.length;
    const key =
      isAttack && seen[step]?.defender?.letter === "?" ? "loss.do.unknown"
      : isAttack ? "loss.do.sure"
      : isLate ? "loss.do.flag"
      : isOccupied(pointsOf(steps[step].best, data)[1], story.slice(0, step), data) ? "loss.do.missed"
      : "loss.do.threats";
    costs[key] = (costs[key] ?? 0) + steps[step].loss;
  }
  return Object.keys(costs).sort((one, other) => costs[other] - costs[one])[0] ?? "loss.do.threats";
}

/**
 * Whether a piece stands on a point after some moves, of which the first are those of the game.
 * @param {number} point
 * @param {LastMove[]} moves
 * @param {BoardData} data
 */
function isOccupied(point, moves, data) {
  const last = moves.findLast(({ from, to }) => from === point || to === point);
  if (last) return last.to === point && last.outcome !== "both-removed";
  return Boolean(data.points[point]?.seat) && data.points[point].kind !== "campsite";
}
