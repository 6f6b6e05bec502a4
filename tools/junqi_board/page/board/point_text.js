// A point of the board in words, for a screen reader: its piece, where that may go, and what is believed of it.

import { capital, clauses, percent, t } from "../texts.js";
import { pieceOf, textOf } from "../voice.js";
import { distance } from "./geometry.js";

/** Number of kinds of a hidden piece whose chances are told. */
const MOST_GUESSED = 3;

/**
 * @param {PointAbout} about
 * @returns {string}
 */
export function pointText({ shape, number, content, data, rings, guesses, mine, scene, marks, target }) {
  const { name, kind } = data.points[number];
  const isMarked = rings.some((ring) => ring.point === number && ring.kind.startsWith("marked"));
  const targets = (shape && content.choices.get(shape.id)) ?? [];
  const isOn = (/** @type {Shape} */ one) => targets.some((target) => !target.isSwap && distance(one, target) < 0.3);
  const taken = content.shapes.filter(isOn).map(({ point }) => data.points[Number(point)].name);
  const words = shape && pieceOf(
    { seat: String(shape.seat), letter: String(shape.letter), may: shape.proven },
    { mine, seats: data.seats },
  );
  return [
    words ? capital(textOf({ parts: words, points: [] })) : t("point.empty"),
    ...(target ? [t(target.isSwap ? "point.swap" : shape ? "point.hit" : "point.goal")] : []),
    ...(targets.length ? [t("point.targets", { n: targets.length })] : []),
    ...(taken.length ? [t("point.takes", { points: taken.join(" ") })] : []),
    ...(shape?.letter === "?" ? guessed(guesses?.[number]?.chances ?? {}) : []),
    ...(shape && marks?.[shape.id] ? [t("point.mark", { piece: t(`piece.${marks[shape.id]}`) })] : []),
    ...(scene.last?.from === number ? [t("point.left")] : scene.last?.to === number ? [t("point.came")] : []),
    ...(isMarked ? [t("point.marked")] : []),
    name,
    t(`point.${kind}`),
  ].join(", ");
}

/** The engine's belief, in words. @param {Chances} chances */
function guessed(chances) {
  const most = Object.entries(chances).sort((a, b) => b[1] - a[1]).slice(0, MOST_GUESSED);
  const kinds = most.map(([kind, chance]) => `${t(`piece.${kind}`)} ${percent(chance)}`);
  return kinds.length ? [t("point.guess", { kinds: clauses(...kinds) })] : [];
}
