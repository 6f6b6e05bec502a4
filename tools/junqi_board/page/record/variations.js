// The variations of a study, each from a position of the record or of another variation; a reload keeps them.

import { remember, remembered } from "../shell/storage.js";
import { change, state } from "../state.js";

/** Number of records whose variations the tab keeps. */
const MOST_RECORDS = 20;

/** @param {number} id 0 for the record @returns {Variation | undefined} */
export const variationOf = (id) => state.study.variations.find((one) => one.id === id);

/**
 * The variations that begin at a position of the record, or of another variation.
 * @param {Pick<Spot, "at" | "variation" | "step">} spot
 */
export const variationsAt = ({ at, variation, step }) =>
  state.study.variations.filter((one) => one.at === at && one.parent === variation && one.from === step);

/** The position where a variation begins. @param {Variation} variation */
export const beginningOf = ({ at, parent, from }) => ({ at, variation: parent, step: from });

/** The pieces that a move has removed, and by whom. @param {LastMove} move @returns {RemovedPiece[]} */
export const capturesOf = ({ attacker, defender, outcome }) =>
  attacker && defender && outcome !== "no-battle"
    ? [
        ...(outcome === "attacker-won" ? [] : [{ ...attacker, by: defender.seat }]),
        ...(outcome === "defender-won" ? [] : [{ ...defender, by: attacker.seat }]),
      ]
    : [];

/** A variation with those that begin at it. @param {Variation} variation @returns {Variation[]} */
export const withBranches = (variation) => [
  variation,
  ...state.study.variations.filter(({ parent }) => parent === variation.id).flatMap(withBranches),
];

/** By record, as its line or FEN, the newest last. @returns {[string, Variation[]][]} */
const keptVariations = () => remembered("variations") ?? [];

/** @param {OpenRecord} record */
const keyOf = ({ line, variant, fen }) => line || `${variant} ${fen}`;

/** The variations that were tried on a record before. @param {OpenRecord} record */
export const variationsFor = (record) => keptVariations().find(([key]) => key === keyOf(record))?.[1] ?? [];

/** @param {Variation[]} variations those of the record that is shown */
export function keepVariations(variations) {
  const { record } = state.shown;
  change("study", { variations });
  if (!record) return;
  const others = keptVariations().filter(([key]) => key !== keyOf(record));
  remember("variations", [...others, [keyOf(record), variations]].slice(-MOST_RECORDS));
}
