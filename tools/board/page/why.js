// Why a piece was removed, in a few words: what a newcomer asks after each battle.

import { t } from "./texts.js";

/**
 * The reason of the outcome of a battle, as far as the person can know it; empty without a battle.
 * @param {LastMove | null} last
 */
export function whyText(last) {
  const { attacker, defender, outcome } = last ?? {};
  if (!last || !attacker || !defender || outcome === "no-battle") return "";
  const known = [attacker, defender].filter(({ letter }) => letter !== "?");
  const name = (/** @type {KnownPiece} */ piece) => t(`piece.${piece.letter}`);
  if (outcome === "both-removed") {
    if (known.some(({ letter }) => letter === "k")) return t("why.bomb");
    if (known.length === 1) return t(known[0].letter === "j" ? "why.bomb" : "why.equalOrBomb", { piece: name(known[0]) });
    return known.length ? t("why.equal") : t("why.both");
  }
  const [winner, loser] = outcome === "attacker-won" ? [attacker, defender] : [defender, attacker];
  if (loser.letter === "l") return t("why.flag");
  if (winner.letter === "j") return t("why.mineHolds");
  if (loser.letter === "j") return t("why.mineCleared");
  if (winner.letter !== "?" && loser.letter !== "?") return t("why.outranks", { winner: name(winner), loser: name(loser) });
  if (loser.letter !== "?") return t(winner.may.includes("j") ? "why.strongerOrMine" : "why.stronger", { piece: name(loser) });
  return winner.letter !== "?" ? t("why.weaker", { piece: name(winner) }) : "";
}
