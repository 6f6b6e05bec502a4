// Hints for a first game, each shown once: at the first move, the first battle, the first deduction, the first time that
// the board is enlarged. A hint stays until the person closes it or moves on.

import { $, child } from "./dom.js";
import { keep, kept } from "./storage.js";
import { t } from "./texts.js";
import { mayText, whyText } from "./voice.js";

export const firstHints = {
  /** What the hint says, in the language of the page. */
  text: () => "",

  begin() {
    child($("coach"), "button").onclick = () => this.show(null);
  },

  /** @param {GameState} state */
  follow(state) {
    const { last, mine } = state;
    if (!mine || state.phase !== "playing") return this.show(null);
    const isTurn = Object.keys(state.targets ?? {}).length > 0;
    const own = [last?.attacker, last?.defender].find((piece) => piece && mine.includes(piece.seat));
    const proven = Object.values(state.proven ?? {})[0];
    if (last && mine.includes(last.seat)) this.show(null);
    if (last && own && whyText(last)) this.once("battle", () => t("coach.battle"));
    else if (isTurn && proven && !this.text()) this.once("proof", () => t("coach.proof", { may: mayText(proven) }));
    else if (isTurn && !state.moves?.length) this.once("move", () => t("coach.move"));
    this.draw();
  },

  /** The board was enlarged, or is whole again. @param {boolean} isZoomed */
  zoomed(isZoomed) {
    if (isZoomed) this.once("zoom", () => t("coach.zoom", { whole: t("board.whole") }));
    else if (this.text() === t("coach.zoom", { whole: t("board.whole") })) this.show(null);
  },

  /** @param {string} name @param {() => string} text */
  once(name, text) {
    /** @type {string[]} */
    const given = kept("coached", []);
    if (given.includes(name)) return;
    keep("coached", [...given, name]);
    this.show(text);
  },

  /** @param {(() => string) | null} text */
  show(text) {
    this.text = text ?? (() => "");
    this.draw();
  },

  draw() {
    child($("coach"), "span").textContent = this.text();
    $("coach").hidden = !this.text();
  },
};
