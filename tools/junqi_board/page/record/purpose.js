// What a better move was good for, by the pieces that now lie open.

import { pointsOf, teamOf } from "../board/boards.js";
import { t } from "../texts.js";
import { pieceOf, say } from "../voice.js";

/** The rounds before the capture of a Flag in which a guard could still come. */
export const ROUNDS_OF_DANGER = 3;

/** What comes of an attack. @param {string} attacker @param {string} defender letters */
function outcomeOf(attacker, defender) {
  if (defender === "l" || (defender === "j" && attacker === "i")) return "attacker-won";
  if (attacker === defender || attacker === "k" || defender === "k") return "both-removed";
  return defender !== "j" && attacker < defender ? "attacker-won" : "defender-won";
}

/**
 * The first attack that a team wins in a line, with both pieces where they then stand; null without one.
 * @param {string[]} line
 * @param {Piece[]} pieces turned over, before it
 * @param {string} team
 * @param {BoardData} data
 * @returns {[Piece, Piece] | null}
 */
function expectedAttack(line, pieces, team, data) {
  let now = pieces;
  for (const [from, to] of line.map((move) => pointsOf(move, data))) {
    const [mover, target] = [from, to].map((point) => now.find(([place]) => place === point));
    if (!mover) return null;
    const outcome = target ? outcomeOf(mover[3], target[3]) : "attacker-won";
    if (target && team.includes(mover[2]) && outcome === "attacker-won") return [mover, target];
    now = now.filter((one) => one !== mover && one !== target);
    if (outcome === "attacker-won") now.push([to, mover[1], mover[2], mover[3]]);
    else if (target && outcome === "defender-won") now.push(target);
  }
  return null;
}

/** @type {Record<string, string>} */
const ATTACKS = { "attacker-won": "better.wins", "both-removed": "better.trades", "defender-won": "better.fails" };

/**
 * What a better move was good for, if that is known.
 * @param {ReviewedStep} step
 * @param {Piece[]} pieces before it, turned over
 * @param {LastMove[]} next the moves from the step on, with the true pieces
 * @param {BoardData} data
 * @param {Pov} pov
 * @returns {Saying | string}
 */
export function purposeSaying({ best, line, seat }, pieces, next, data, pov) {
  const [from, to] = pointsOf(best, data);
  const at = (/** @type {number} */ point) => pieces.find(([place]) => place === point);
  const named = (/** @type {Piece} */ [, , owner, letter]) => pieceOf({ seat: owner, letter }, pov);
  const [piece, target] = [at(from), at(to)];
  if (!piece || piece[3] === "?") return "";
  const fall = next
    .slice(1, ROUNDS_OF_DANGER * data.seats.length)
    .find(({ defender }) => defender?.letter === "l" && defender.seat === seat)?.attacker;
  if (fall && (!target || target[1] === fall.piece)) return say("better.flag", { attacker: pieceOf(fall, pov) });
  if (target) return target[3] === "?" ? "" : t(ATTACKS[outcomeOf(piece[3], target[3])]);
  const answers = next.slice(1, data.seats.length);
  const hit = answers.find(({ defender, outcome }) => defender?.seat === seat && outcome !== "defender-won");
  if (hit?.attacker && hit.to === from && next[0].from !== from)
    return say("better.escapes", { attacker: pieceOf(hit.attacker, pov) }, [hit.from, hit.to]);
  const attack = expectedAttack(line, pieces, teamOf(data, seat), data);
  if (attack) {
    const [attacker, aim] = attack;
    const isOwn = attacker[1] === piece[1];
    const points = [attacker[0], aim[0]];
    if (isOwn || isBetween(from, points, data))
      return say(isOwn ? "better.aims" : "better.prepares", { attacker: named(attacker), target: named(aim) }, points);
  }
  const isFlag = (/** @type {number} */ point) => at(point)?.[3] === "l" && at(point)?.[2] === seat;
  const isNear = (/** @type {number} */ point, /** @type {(point: number) => boolean} */ isWanted) =>
    [...data.roads, ...data.rails].some(([one, other]) =>
      one === point ? isWanted(other) : other === point && isWanted(one),
    );
  const isBeside = (/** @type {number} */ point) => isNear(point, isFlag);
  const isEnemy = (/** @type {number} */ point) =>
    Boolean(at(point)) && !teamOf(data, seat).includes(at(point)?.[2] ?? "") && !"jl".includes(at(point)?.[3] ?? "");
  if (isBeside(to) && !isBeside(from)) return t("better.guards");
  if (hit?.attacker && hit.defender)
    return say(
      "better.allowed",
      { attacker: pieceOf(hit.attacker, pov), defender: pieceOf(hit.defender, pov) },
      [hit.from, hit.to],
    );
  return data.points[to]?.kind === "campsite" && isNear(from, isEnemy) ? t("better.campsite") : "";
}

/**
 * Whether a point lies straight between two others.
 * @param {number} point
 * @param {number[]} ends
 * @param {BoardData} data
 */
function isBetween(point, ends, data) {
  const [here, one, other] = [point, ...ends].map((each) => data.points[each]);
  const [a, b] = [Math.hypot(here.x - one.x, here.y - one.y), Math.hypot(here.x - other.x, here.y - other.y)];
  return a + b - Math.hypot(one.x - other.x, one.y - other.y) < 0.01;
}
