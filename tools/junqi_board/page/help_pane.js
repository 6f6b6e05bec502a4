// The engine's help: what it believes of hidden pieces, and what it would play.

import { $, announce, make } from "./dom.js";
import { boardOf } from "./junqi_board.js";
import { isOut } from "./panel.js";
import { showError, socket } from "./socket.js";
import { percent, t } from "./texts.js";
import { adviceSaying, shown, together } from "./voice.js";

const ADVICE_MS = 1000;
const MOST_BARS = 6;

/** The play view, as the pane uses it. @typedef {{ state: GameState | null, draw: () => void }} Game */

export const helpPane = {
  /** @type {Game | null} */
  game: null,
  /** By point, the chances of the piece there, after `ply` entries of the record. @type {{ ply: number, points: Record<string, Chances> }} */
  belief: { ply: 0, points: {} },
  /** @type {Advice | null} */
  advice: null,

  /** @param {Game} game */
  begin(game) {
    this.game = game;
    $("belief").onchange = () => {
      this.belief.points = {};
      socket.send("belief", { on: $("belief").checked });
      this.showBelief(null);
      game.draw();
    };
    $("advice").onclick = () => {
      $("advice").disabled = true;
      $("advice-stop").hidden = false;
      socket.request("advice", { ms: ADVICE_MS }).catch((error) => {
        showError(error);
        this.enableAdvice();
      });
    };
    $("advice-stop").onclick = () => socket.send("advice_stop");
  },

  connected() {
    if ($("belief").checked && this.game?.state?.may.be_helped) socket.send("belief", { on: true });
  },

  newGame() {
    this.belief.points = {};
    $("belief").checked = false;
  },

  moved() {
    this.advice = null;
    this.enableAdvice();
  },

  failed() {
    this.enableAdvice();
    $("belief").checked = false;
  },

  enableAdvice() {
    const state = this.game?.state;
    $("advice").disabled = !state?.may.be_helped || !state.mine.includes(state.turn);
    $("advice-stop").hidden = true;
  },

  /** @param {GameState} state */
  draw(state) {
    const isAllowed = state.may.be_helped && Boolean(state.mine);
    $("engine-pane").hidden = state.phase === "arranging" || !state.may.be_helped;
    $("belief").disabled = !isAllowed;
    if (!isAllowed) $("belief").checked = false;
    const isWatching = !state.mine || isOut(state);
    $("advice").hidden = isWatching || state.phase === "over";
    if ($("advice-stop").hidden) this.enableAdvice();
    const data = boardOf(state.variant);
    $("advice-text").replaceChildren(...(state.mine && isWatching ? [t("status.out")] : this.advice && data ? [shown(adviceOf(this.advice, data, state))] : []));
  },

  /** What is believed of the piece at a point. A battle is shown for a moment, while the server may be ahead. @param {number} point */
  chances(point) {
    return this.belief.ply === this.game?.state?.moves?.length ? this.belief.points[point] : undefined;
  },

  /** The kind that a hidden piece most likely is, with all chances. @param {number} point */
  guess(point) {
    const chances = this.chances(point);
    const best = chances && likeliest(chances)[0];
    return best ? { letter: best[0], chances } : null;
  },

  isAsked: () => /** @type {HTMLInputElement} */ ($("belief")).checked,

  /** Shows what the engine believes of a piece. @param {Shape | null} shape */
  showBelief(shape) {
    const chances = shape?.letter === "?" ? this.chances(Number(shape.point)) : null;
    const box = $("belief-bars");
    box.replaceChildren();
    if (!$("belief").checked) return;
    if (!chances) {
      box.append(make("p", { class: "hint" }, t("pane.none")));
      return;
    }
    for (const [letter, chance] of likeliest(chances).slice(0, MOST_BARS)) {
      const name = t(`piece.${letter}`);
      const bar = make("meter", { min: 0, max: 1, value: chance, "aria-label": name });
      box.append(make("div", {}, make("span", {}, name), bar, make("span", {}, percent(chance))));
    }
  },

  /** @param {{ ply: number, points: Record<string, Chances> }} belief */
  receiveBelief({ ply, points }) {
    if (!$("belief").checked) return;
    this.belief = { ply, points };
    this.game?.draw();
  },

  /** @param {Advice} advice */
  receiveAdvice(advice) {
    this.enableAdvice();
    // The person may have moved meanwhile.
    if (advice.ply !== this.game?.state?.moves?.length) return;
    this.advice = advice;
    this.game?.draw();
    announce($("advice-text").textContent ?? "");
  },
};

/** The advised move, the chance of winning with it, and whether others are as good. @param {Advice} advice @param {BoardData} data @param {GameState} state */
function adviceOf({ from, to, win, others }, data, state) {
  const saying = adviceSaying("advice", from, to, state.pieces, { mine: state.mine, seats: data.seats });
  if (win === null) return saying;
  const isSame = others.length > 0 && others.every((other) => percent(other.win ?? 0) === percent(win));
  return together(saying, t("advice.win", { win: percent(win) }), isSame ? t("advice.same") : "");
}

/** @param {Chances} chances @returns {[letter: string, chance: number][]} */
const likeliest = (chances) => Object.entries(chances).sort((a, b) => b[1] - a[1]);
