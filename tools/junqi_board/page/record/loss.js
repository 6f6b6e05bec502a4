// Why a game was lost, by its review, and what to do better.

import { boardOf, pointsOf } from "../board/boards.js";
import { percent, t } from "../texts.js";
import { moveSaying, pieceOf, say, together } from "../voice.js";
import { betterMove, chanceGivenUp, isBattle, lastingChanges, MIN_GAIN, MIN_LOSS, turningStep } from "./moments.js";
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
export function lossSaying(review, { mine, ending, turn: toMove }, story, seen) {
  const { players, steps } = review;
  const me = players.find(({ player }) => player.includes(mine[0]))?.player ?? "";
  const own = [...steps.keys()].filter((step) => steps[step].best && mine.includes(steps[step].seat));
  // A search sees a limit some moves ahead.
  const last = Math.max(...own.slice(-LAST_MOVES).map((step) => steps[step].fair[me]));
  const given = chanceGivenUp(review, mine);
  if (given !== null && given >= MIN_CHANCE) return say("loss.resigned", { chance: percent(given) });
  if (ending === "timeout" && mine.includes(toMove)) return say("loss.timeout", { chance: percent(last) });
  if (ending === "no-contact" && last >= MIN_CHANCE) return say("loss.limit", { chance: percent(last) });
  const attacks = unknownAttacks(seen, story, mine);
  if (ending === "no-moves" && isHabit(attacks)) return together(say("loss.pieces", attacks), t("loss.do.unknown"));
  // What follows when the person is out is the partner's game.
  const out = story.findIndex((move) => move?.out.includes(mine[0]));
  const changes = lastingChanges(review, mine, true).map((size, at) => (out >= 0 && at > out ? 0 : size));
  const mistakes = own.filter((at) => Math.min(changes[at], steps[at].loss) >= MIN_LOSS);
  const [worst = -1] = mistakes.sort((a, b) => steps[b].loss - steps[a].loss);
  const turn = turningStep(changes);
  const step = turn < 0 ? worst : turn;
  const left = partnerLeft(review, mine, story);
  if (left && left.cost >= (changes[step] ?? 0)) return left.saying;
  if (step >= 0) return together(left?.saying ?? "", turnSaying(review, step, own, story, seen, mine));
  const n = own.filter((step) => betterMove(review, step)).length;
  return n ? together(say("loss.small", { n }), t(adviceFor(review, own, story, seen, mine))) : together();
}

/**
 * What the partner's resignation meant, if it cost much of the winning chance; else null.
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
  if (!me || at < 0) return null;
  const [before, after] = [steps[at], steps[at + 1] ?? review].map(({ fair }) => fair[me.player]);
  if (before - after < MIN_CHANCE) return null;
  return { cost: before - after, saying: say("loss.partner", { before: percent(before), after: percent(after) }) };
}

/**
 * The step at which the game was lost for good, in words: the road to the Flag, a mistake, luck, or what happened.
 * @param {Review} review
 * @param {number} turn
 * @param {number[]} own the steps of the person's moves
 * @param {LastMove[]} story
 * @param {LastMove[]} seen
 * @param {string} mine
 */
function turnSaying(review, turn, own, story, seen, mine) {
  const { players, steps, fair, variant } = review;
  const data = /** @type {BoardData} */ (boardOf(variant));
  const pov = { mine, seats: data.seats };
  const captor = story.findLast(({ defender }) => defender?.letter === "l" && mine.includes(defender.seat))?.attacker;
  const walk = captor ? story.findIndex(({ attacker }, step) => step >= turn && attacker?.piece === captor.piece) : -1;
  if (captor && walk >= 0 && walk < turn + data.seats.length)
    return together(say("loss.flag", { n: walk + 1, attacker: pieceOf(captor, pov) }), t("loss.do.flag"));
  const before = own.findLast((step) => step <= turn);
  const advice = t(adviceFor(review, before === undefined ? [] : [before], story, seen, mine));
  if (before === turn && steps[turn].loss >= MIN_LOSS)
    return together(say("loss.mistake", { n: turn + 1, size: percent(steps[turn].loss) }), advice);
  const me = players.find(({ player }) => player.includes(mine[0]))?.player ?? "";
  const [from, to] = [steps[turn].fair[me], (steps[turn + 1]?.fair ?? fair)[me]];
  const happened = story[turn] ? moveSaying(story[turn], data, pov) : "";
  const values = { n: turn + 1, before: percent(from), after: percent(to) };
  return together(say(isBattle(steps[turn]) ? "loss.luck" : "loss.turned", values), happened, advice);
}

/**
 * The key of the advice against the kind of move that cost most.
 * @param {Review} review
 * @param {number[]} costly the steps of some moves of the person
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
