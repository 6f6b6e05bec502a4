// The moments of a review, in words: which of them decided, what each move cost, and whom luck favoured.

import { boardOf, isMove, pointsOf } from "../board/boards.js";
import { state } from "../state.js";
import { percent, t } from "../texts.js";
import { adviceSaying, moveSaying, resultKind, say, together, who, whoAll } from "../voice.js";
import { purposeSaying } from "./purpose.js";
import { knownText, turnedOver } from "./truth.js";

/** The positions that are searched for each move: of a review that is asked for, and of one at the end of a game. */
export const NODES = { asked: 50_000, end: 10_000 };
/** The smallest loss of a move that is a mistake, and then the gain of a better one that is shown. */
export const MIN_LOSS = 0.1;
export const MIN_GAIN = 0.02;
/** The smallest luck that is a moment. */
const MIN_LUCK = 0.2;
/** From how much luck on it is slight, and much. */
const LUCK_STEPS = [0.02, 0.3];
const MAX_DECISIVE = 3;
/** The smallest lasting change of the winning chance at which a game turned. */
const MIN_TURN = 0.2;
/** The chance after a brilliant move: below it, nothing is left to praise. */
const MIN_PRAISED = 0.1;

/** Whether a moment is of a move that was not the best. @param {Moment} moment */
const isLoss = ({ kind }) => ["blunder", "mistake", "gambleWon", "gambleLost"].includes(kind);

/** Whether the piece that moved was lost, or was removed with the other. @param {ReviewedStep} step */
const isAttackerLost = ({ text }) => /\d[o=]/.test(text);

/** @param {ReviewedStep} step */
const isAttackerWon = ({ text }) => /\dx/.test(text);

/** @param {ReviewedStep} step */
export const isBattle = (step) => isAttackerWon(step) || isAttackerLost(step);

/** Whether a brilliant move kept its piece and a chance. @param {Review} review @param {number} at */
function isPraised({ steps, fair }, at) {
  const player = Object.keys(fair).find((one) => one.includes(steps[at]?.seat)) ?? "";
  return !isAttackerLost(steps[at]) && (steps[at + 1]?.fair ?? fair)[player] >= MIN_PRAISED;
}

/** @param {number} luck */
export const luckSize = (luck) => ["even", "slight"][LUCK_STEPS.findIndex((least) => Math.abs(luck) < least)] ?? "much";

/**
 * Whether the chances after a step are the result of a game that persons or a limit have ended: that is no luck.
 * @param {Review} review
 * @param {number} step
 */
const isCutOff = ({ steps, result }, step) =>
  steps[step]?.text?.startsWith("resign") ||
  (step === steps.length - 1 && (result === "draw" || state.shown.record?.ending === "timeout"));

/**
 * The moments of a review that are worth a look, with one judgement for each move: a bad attack whose battle was lucky,
 * or unlucky, by what its player knew, is a gamble. A resignation has no better move, and a lost piece no praise.
 * @param {Review} review
 * @returns {Moment[]}
 */
export function keyMoments(review) {
  const { moments, steps, players } = review;
  const found = moments.filter((one) => {
    if (one.kind === "luck") return one.size >= MIN_LUCK && !isCutOff(review, one.step);
    return one.kind === "brilliant" ? isPraised(review, one.step) : !isLoss(one) || steps[one.step]?.best;
  });
  const lossAt = new Set(found.filter(isLoss).map(({ step }) => step));
  return found.flatMap((one) => {
    if (!lossAt.has(one.step)) return [one];
    if (one.kind === "luck") return [];
    const { seat, luck } = steps[one.step];
    const own = luck?.[players.find(({ player }) => player.includes(seat))?.player ?? ""] ?? 0;
    // A battle that was won has not failed, though its piece may now stand in a headquarters for ever.
    const isGamble = isLoss(one) && (own > 0 ? own >= MIN_LUCK : own <= -MIN_LUCK && !isAttackerWon(steps[one.step]));
    return [isGamble ? { ...one, kind: own > 0 ? "gambleWon" : "gambleLost" } : one];
  });
}

/**
 * The key moments with luck as the person could know it: each player has a chance of its own, and the luck of an enemy
 * in its own eyes may change nothing for the person. A spectator has all of them.
 * @param {Review} review
 * @param {string} mine the seats of the person
 * @returns {Moment[]}
 */
function ownMoments(review, mine) {
  const { players, steps } = review;
  const me = players.find(({ player }) => mine && player.includes(mine[0]));
  const enemy = players.find(({ team }) => team !== me?.team)?.player ?? "";
  return keyMoments(review).flatMap((one) => {
    if (one.kind !== "luck" || !me) return [one];
    const luck = steps[one.step]?.luck[me.player] ?? 0;
    return Math.abs(luck) < MIN_LUCK ? [] : [{ ...one, size: Math.abs(luck), player: luck > 0 ? me.player : enemy }];
  });
}

/** A better move than that of a step; empty if there is none. @param {Review | null} review @param {number} at */
export function betterMove(review, at) {
  const step = review?.steps[at];
  return step?.best && step.loss >= MIN_GAIN && !isMove(step.text, step.best) ? step.best : "";
}

/** The person's mistakes, in order. @param {Review | null} review @param {string} mine its seats */
export const ownMistakes = (review, mine) =>
  (review ? keyMoments(review) : [])
    .filter((one) => isLoss(one) && one.size >= MIN_LOSS && betterMove(review, one.step))
    .filter(({ step }) => mine.includes(review?.steps[step].seat ?? " "))
    .sort((a, b) => a.step - b.step);

/**
 * The review of a game that was played on from a position: what was played before is nobody's.
 * @param {Review} review
 * @param {number} ply
 * @returns {Review}
 */
export function playedOn(review, ply) {
  const fair = review.steps[ply]?.fair ?? review.fair;
  const steps = review.steps.map((one, step) => (step < ply ? { ...one, best: "", loss: 0, luck: {}, fair } : one));
  return { ...review, steps, moments: review.moments.filter(({ step }) => step >= ply) };
}

/**
 * The change for good of the person's winning chance at each step: a fall that was not made up for later if the game
 * was lost, a rise that was not given back if it was won.
 * @param {Review} review
 * @param {string} mine its seats
 * @param {boolean} isLost
 */
export function lastingChanges(review, mine, isLost) {
  const { players, steps, fair } = review;
  const me = players.find(({ player }) => mine && player.includes(mine[0]))?.player ?? "";
  const given = steps.findIndex(({ text, seat }) => text.startsWith("resign:") && mine.includes(seat));
  const chances = [...steps, { fair }].map((one) => one.fair?.[me] ?? 0).slice(0, given < 0 ? undefined : given + 1);
  const bound = isLost ? Math.max : Math.min;
  for (let at = chances.length - 2; at >= 0; at -= 1) chances[at] = bound(chances[at], chances[at + 1]);
  return steps.map((_, step) =>
    step + 1 < chances.length && !isCutOff(review, step) ? Math.abs(chances[step] - chances[step + 1]) : 0,
  );
}

/** The step at which a game turned for good; -1 without one. @param {number[]} changes */
export function turningStep(changes) {
  const largest = Math.max(0, ...changes);
  return largest < MIN_TURN ? -1 : changes.lastIndexOf(largest);
}

/**
 * The moments that decided for the person, because the winning chance never came back: its own mistakes after a loss,
 * those of the enemy after a win; brilliant moves, and much luck.
 * @param {Review} review
 * @param {GameState} game
 * @param {LastMove[]} story
 */
export function decisiveMoments(review, game, story) {
  const { steps } = review;
  const isMine = (/** @type {string} */ seats) => [...seats].some((seat) => game.mine.includes(seat));
  const isLost = resultKind(game) === "lost";
  const hasPartners = Object.keys(game.seats).length > 2;
  // An eliminated player has no part in what follows; among four, what the others did to each other does not count.
  const last = steps.findLastIndex(({ seat }) => isMine(seat)) + Object.keys(game.seats).length;
  const isInvolved = (/** @type {LastMove} */ { attacker, defender }) =>
    [attacker, defender].some((piece) => piece && isMine(piece.seat));
  const changes = game.result === "draw" ? null : lastingChanges(review, game.mine, isLost);
  const found = ownMoments(review, game.mine).filter((one) => {
    const { kind, size, player, step } = one;
    if (!steps[step] || !story[step] || step > last) return false;
    if (changes && kind !== "brilliant" && changes[step] < MIN_LOSS) return false;
    const isOwn = isMine(steps[step].seat);
    if (hasPartners && !isOwn && !isInvolved(story[step])) return false;
    if (kind === "luck") return isMine(player) !== isLost;
    if (kind === "brilliant") return isOwn;
    if (kind === "gambleWon") return isOwn !== isLost;
    return isLoss(one) && size >= MIN_LOSS && steps[step].best && (isLost ? isOwn : !isMine(player));
  });
  return found.sort((a, b) => b.size - a.size).slice(0, MAX_DECISIVE).sort((a, b) => a.step - b.step);
}

/**
 * The person's winning chance when it resigned; null if it did not.
 * @param {Review} review
 * @param {string} mine its seats
 */
export function chanceGivenUp({ steps, players }, mine) {
  const step = steps.find(({ text, seat }) => text.startsWith("resign:") && mine.includes(seat));
  const me = players.find(({ player }) => mine && player.includes(mine[0]));
  return step && me ? step.fair[me.player] : null;
}

/**
 * A moment in words: what happened, what it meant, what was known, and what was better.
 * @param {Moment} moment
 * @param {Review} review
 * @param {LastMove[]} story
 * @param {Pov} pov
 * @param {Scene} [before] the position before the move
 * @param {Saying | string} [known] what was known of the pieces of its battle
 */
export function momentSaying({ step, kind, size, player }, review, story, pov, before, known = "") {
  const data = /** @type {BoardData} */ (boardOf(review.variant));
  // Beside the battle: at the end, it would seem to be about the piece of the better move.
  const { defender, seat: mover, to, outcome } = story[step];
  const isNoFlag =
    outcome === "attacker-won" && data.points[to]?.kind === "headquarters" && defender?.letter !== "l" &&
    pov.mine.includes(mover);
  const happened = together(moveSaying(story[step], data, pov), known, isNoFlag ? t("moment.noFlag") : "");
  if (kind === "brilliant") return together(happened, t("moment.brilliant"));
  const chance = chanceSaying(review, step, story[step], pov);
  if (kind === "luck") {
    const gain = Math.min(size, chance?.change ?? size);
    const luck = say("moment.luck", { who: who(player[0], pov), gain: percent(gain) });
    return together(happened, luck, chance?.saying ?? "");
  }
  const { seat } = review.steps[step];
  const isGamble = kind === "gambleWon" || kind === "gambleLost";
  const cost = pov.mine.includes(seat) ? "moment.cost.you" : "moment.cost";
  return together(
    happened,
    say(isGamble ? `moment.${kind}` : cost, { who: who(seat, pov), loss: percent(size) }),
    isGamble && chance ? chance.saying : "",
    before ? betterSaying(review, step, before, story, pov) : "",
  );
}

/**
 * The chance of the person, or of who moved, when a battle was begun, and what came of it; null if it is not known.
 * @param {Review} review
 * @param {number} step
 * @param {LastMove} entry
 * @param {Pov} pov
 */
function chanceSaying({ steps, players, fair }, step, entry, pov) {
  const seat = pov.mine[0] ?? entry.seat;
  const player = players.find((one) => one.player.includes(seat))?.player ?? "";
  const [before, after] = [steps[step]?.fair?.[player], (steps[step + 1]?.fair ?? fair)?.[player]];
  if (before === undefined || after === undefined) return null;
  const saying = say("moment.chance", { who: who(seat, pov), before: percent(before), after: percent(after) });
  return { change: Math.abs(after - before), saying };
}

/**
 * A better move in words and what it was good for, with the true pieces once they are known; empty if there is none.
 * @param {Review} review
 * @param {number} step
 * @param {Scene} before
 * @param {LastMove[]} story
 * @param {Pov} pov
 * @param {"moment." | "review."} [kind] the review names the point, as its list of moves does
 */
function betterSaying(review, step, before, story, pov, kind = "moment.") {
  const data = /** @type {BoardData} */ (boardOf(review.variant));
  const [from, to] = pointsOf(betterMove(review, step), data);
  if (to === undefined) return "";
  const pieces = turnedOver(before.pieces);
  const letterIn = (/** @type {Piece[]} */ list) => list.find(([point]) => point === to)?.[3];
  const isTurned = letterIn(before.pieces) !== letterIn(pieces);
  return together(
    adviceSaying(kind, from, to, pieces, pov, data),
    purposeSaying(review.steps[step], pieces, story.slice(step), data, pov),
    isTurned ? knownText(before.proven[to] ?? "") : "",
  );
}

/**
 * The next move in words: what it did and cost, whom luck favoured, and who was surprised.
 * @param {Review} review
 * @param {number} at
 * @param {LastMove[]} story
 * @param {Pov} pov
 * @param {Scene | null} scene the position before the move
 */
export function stepSaying(review, at, story, pov, scene) {
  const step = review.steps[at];
  const happened = step && doneSaying(review, at, story, pov);
  const words = happened ? [t("review.next"), happened] : [];
  const gamble = keyMoments(review).find((one) => one.step === at && one.kind.startsWith("gamble"));
  if (gamble) words.push(t(`moment.${gamble.kind}`, { loss: preciseText(step.loss) }));
  else if (betterMove(review, at)) words.push(t("review.cost", { loss: preciseText(step.loss) }));
  if (betterMove(review, at) && scene) words.push(betterSaying(review, at, scene, story, pov, "review."));
  else if (step?.best && isMove(step.text, step.best)) words.push(t("review.wasBest"));
  const isLuck = step && isBattle(step) && !isCutOff(review, at) && !gamble;
  for (const [player, luck] of Object.entries(isLuck ? step.luck : {}))
    if (luck >= MIN_LUCK) words.push(t("moment.luck", { who: whoAll(player, pov), gain: percent(luck) }));
  for (const { player, chance } of review.surprises.filter((one) => one.step === at))
    words.push(t("review.surprise", { who: whoAll(player, pov), chance: preciseText(chance) }));
  return together(...words);
}

/**
 * What the move of a step did; null if that is not known yet.
 * @param {Review} review
 * @param {number} step
 * @param {LastMove[]} story
 * @param {Pov} pov
 */
export function doneSaying(review, step, story, pov) {
  const data = boardOf(review.variant);
  return data && story[step] ? moveSaying(story[step], data, pov) : null;
}

/**
 * How often the person found the best move, its costly moves and its luck; empty for a game that it only watched. The
 * share of best moves orders the levels clearly; the loss of a move does not, because most moves change little.
 * @param {Review} review
 * @param {Pov} pov
 */
export function summarySaying(review, pov) {
  const mine = review.players.find(({ player }) => pov.mine && player.includes(pov.mine[0]));
  const other = review.players.find(({ team }) => team !== mine?.team);
  if (!mine || !other) return together();
  const luck = -luckAgainst(review, pov.mine);
  const size = luckSize(luck);
  const lossesOf = (/** @type {string} */ team) => ownMistakes(review, team).length;
  const movesOf = (/** @type {string} */ player) =>
    review.steps.filter(({ seat, best }) => best && player.includes(seat));
  const [own, others] = [mine.player, other.player].map(movesOf);
  if (!own.length || !others.length) return together();
  const bestOf = (/** @type {ReviewedStep[]} */ moves) => moves.filter(({ text, best }) => isMove(text, best)).length;
  const isUnused = luck > 0 && size !== "even" && resultKind({ ...pov, result: review.result }) === "lost";
  const enemy = who(other.player[0], pov);
  // The accounts of a team that sees all its pieces are those of both partners.
  const isTeam = mine.player.length > 1;
  return together(
    say(isTeam ? "end.skill.sides" : "end.skill", {
      own: bestOf(own),
      n: own.length,
      who: enemy,
      other: bestOf(others),
      m: others.length,
    }),
    say(isTeam ? "end.sums.sides" : "end.sums", { own: lossesOf(mine.team), who: enemy, other: lossesOf(other.team) }),
    say(`end.luck.${isUnused ? "unused" : size}`, { who: luck > 0 ? who(mine.player[0], pov) : enemy }),
  );
}

/**
 * A review in words: the move that cost most, whom luck favoured, and the best move.
 * @param {Review} review
 * @param {LastMove[]} story
 * @param {Pov} pov
 */
export function overviewSaying(review, story, pov) {
  const largest = (/** @type {string[]} */ ...kinds) =>
    keyMoments(review).filter(({ kind }) => kinds.includes(kind)).sort((a, b) => b.size - a.size)[0];
  const done = (/** @type {Moment} */ { step }) => doneSaying(review, step, story, pov) ?? "";
  const [worst, best] = [largest("blunder", "mistake", "gambleLost"), largest("brilliant")];
  const [{ team }] = review.players;
  const others = review.players.find((one) => one.team !== team)?.team ?? "";
  const moments = keyMoments(review);
  const luck = luckOf(moments, team) - luckOf(moments, others);
  return together(
    ...(worst ? [t("review.worst", { size: percent(worst.size) }), done(worst)] : [t("end.nothing")]),
    t(`end.luck.${luckSize(luck)}`, { who: whoAll(luck > 0 ? team : others, pov) }),
    ...(best ? [t("review.best"), done(best)] : []),
  );
}

/** The luck of the enemy less that of the person. @param {Review} review @param {string} mine */
export function luckAgainst(review, mine) {
  const own = review.players.find(({ player }) => player.includes(mine[0]))?.team ?? "";
  const enemy = review.players.find(({ team }) => team !== own)?.team ?? "";
  const moments = ownMoments(review, mine);
  return luckOf(moments, enemy) - luckOf(moments, own);
}

/** The luck of a team in some moments. @param {Moment[]} moments @param {string} team */
const luckOf = (moments, team) =>
  moments
    .filter(({ kind, player }) => kind === "luck" && team.includes(player[0]))
    .reduce((sum, { size }) => sum + size, 0);

/** @param {number} chance */
export const preciseText = (chance) =>
  chance === 0 ? "0%" : `${(100 * chance).toFixed(Math.abs(chance) < 0.0995 ? 1 : 0).replace("-", "−")}%`;
