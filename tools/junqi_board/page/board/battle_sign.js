// The picture of a battle: both pieces, and which was removed.

import { make } from "../shell/dom.js";
import { least, within } from "./geometry.js";
import { drawPiece } from "./pieces.js";

const HEIGHT = 1.15;
const LINE_HEIGHT = 0.34;
/** Where a sign may stand beside its place, the best first: steps to the right and down. */
const SIDES = [[0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1], [1, 0], [-1, 0]];

/**
 * Who gained by a battle, for the team of the person: it has won or lost a piece, both lost one, or it was not
 * involved.
 * @param {LastMove} last
 * @param {string} team the seats of the person's team, empty for a person who only watches
 * @returns {"won" | "lost" | "even" | "other"}
 */
export function gainOf(last, team) {
  if (last.outcome === "both-removed") return "even";
  const loser = last.outcome === "attacker-won" ? last.defender?.seat : last.attacker?.seat;
  if (!team || !loser) return "other";
  return team.includes(loser) ? "lost" : "won";
}

/** Letters of the caption per line; Chinese ones are twice as wide. */
const LINE = 20;

/** The lines of a caption. @param {string} text */
function linesOf(text) {
  if (/[\u4e00-\u9fff]/.test(text)) return text.match(new RegExp(`.{1,${LINE / 2}}`, "g")) ?? [];
  return text.match(new RegExp(`.{1,${LINE}}(?= |$)`, "g"))?.map((line) => line.trim()) ?? [];
}

/** Numbers a fifth of a cell apart, from one to another. @param {number} from @param {number} to */
const steps = (from, to) => Array.from({ length: 5 * (to - from) }, (_, index) => from + (index + 0.5) / 5);

/**
 * What plates, map and button lie over, in small squares: a sign keeps clear of them before it does of pieces.
 * @param {SVGSVGElement} svg the board
 * @returns {Place[]}
 */
export function underControls(svg) {
  const grid = svg.getScreenCTM()?.inverse();
  const controls = svg.closest(".table")?.querySelectorAll(".seats li, .board-map, .board-size") ?? [];
  return [...controls].flatMap((control) => {
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const [from, to] = [new DOMPoint(left, top), new DOMPoint(right, bottom)].map((one) => one.matrixTransform(grid));
    return steps(from.x, to.x).flatMap((x) => steps(from.y, to.y).map((y) => ({ x, y })));
  });
}

/**
 * The sign of a battle, beside the place where it happened.
 * @param {LastMove} last
 * @param {"won" | "lost" | "even" | "other"} gain
 * @param {BattlePlace} about
 * @param {string} why a caption
 * @returns {SVGElement}
 */
export function battleSign(last, gain, { place, frames, taken, scale, wide: pieceWidth }, why) {
  const width = 2 * pieceWidth + 0.95;
  const lines = linesOf(why);
  const height = HEIGHT + lines.length * LINE_HEIGHT;
  const [wide, high] = [(width / 2) * scale, (height / 2) * scale];
  const around = frames.flatMap((frame) => SIDES.map(([right, down]) => ({
    x: within(place.x + right * (wide + pieceWidth / 2 + 0.1), frame.left + wide, frame.right - wide),
    y: within(place.y + down * (high + 0.5), frame.top + high, frame.bottom - high),
  })));
  const isUnder = (/** @type {Place} */ one, /** @type {Place} */ at) =>
    Math.abs(one.x - at.x) < wide + pieceWidth / 2 - 0.1 && Math.abs(one.y - at.y) < high + 0.3;
  const covered = (/** @type {Place} */ at) => [...taken, place, place].filter((one) => isUnder(one, at)).length;
  const { x, y } = /** @type {Place} */ (least(around, covered));
  const body = make("svg:rect", { class: "paper", x: -width / 2, y: -HEIGHT / 2, width, height, rx: 0.22 });
  const caption = lines.map((line, index) =>
    make("svg:text", { class: "why", y: HEIGHT / 2 + (index + 0.1) * LINE_HEIGHT }, line),
  );
  const sides = [
    { piece: last.attacker, x: -pieceWidth / 2 - 0.36, isRemoved: last.outcome !== "attacker-won" },
    { piece: last.defender, x: pieceWidth / 2 + 0.36, isRemoved: last.outcome !== "defender-won" },
  ];
  const pieces = sides.flatMap((side) => {
    if (!side.piece) return [];
    const { seat, letter } = side.piece;
    const kind = `piece seat-${seat} ${letter === "?" ? "hidden" : ""} ${side.isRemoved ? "removed" : "remains"}`;
    const group = make("svg:g", { class: kind, transform: `translate(${side.x} 0)` });
    drawPiece(group, seat, letter, {}, pieceWidth);
    if (side.isRemoved) group.append(make("svg:path", { class: "cross", d: "M-.4 -.26L.4 .26M.4 -.26L-.4 .26" }));
    return [group];
  });
  const sign = make("svg:path", { class: "verdict", d: VERDICTS[gain] });
  const ring = make("svg:rect", {
    class: "ring",
    x: place.x - 0.55 * pieceWidth,
    y: place.y - 0.45,
    width: 1.1 * pieceWidth,
    height: 0.9,
    rx: 0.16,
  });
  const transform = `translate(${x} ${y - high + (HEIGHT / 2) * scale}) scale(${scale})`;
  const picture = make("svg:g", { class: "sign", transform }, body, sign, ...pieces, ...caption);
  return make("svg:g", { class: `battle ${last.outcome} ${gain}` }, ring, picture);
}

// Between the pieces: a tick for a piece won, a broken shield for a piece lost, a burst for both, crossed blades for
// others.
const VERDICTS = {
  won: "M-.2 .02L-.05 .18L.22 -.18",
  lost: "M-.2 -.22H.2V.02Q.18 .2 0 .28Q-.18 .2 -.2 .02ZM.06 -.22L-.06 -.04L.06 .06L-.04 .26",
  even: "M0 -.3L.07 -.1L.26 -.16L.13 0L.26 .16L.07 .1L0 .3L-.07 .1L-.26 .16L-.13 0L-.26 -.16L-.07 -.1Z",
  other: "M-.2 -.2L.2 .2M.2 -.2L-.2 .2",
};

/** The sound of a move. @param {LastMove} last @param {string} team */
export function soundOf(last, team) {
  if (last.to < 0) return "other";
  if (last.outcome === "no-battle") return "move";
  return last.flags.length || last.out ? "flag" : gainOf(last, team);
}
