// The engine's help: what it believes of hidden pieces, and what it would play.

import { $, addLines, announce, make } from "./dom.js";
import { boardOf } from "./junqi_board.js";
import { showError, socket } from "./socket.js";
import { clauses, percent, sentences, t, teamName } from "./texts.js";

const ADVICE_MS = 1000;
const MOST_BARS = 6;

/** The play view, as the pane uses it. @typedef {{ state: GameState | null, draw: () => void }} Game */

export const helpPane = {
  /** @type {Game | null} */
  game: null,
  /** By point, the chances of the piece there. @type {Record<string, Chances>} */
  belief: {},
  /** @type {Advice | null} */
  advice: null,

  /** @param {Game} game */
  begin(game) {
    this.game = game;
    $("belief").onchange = () => {
      this.belief = {};
      socket.send("belief", { on: $("belief").checked });
      this.showBelief(null);
      game.draw();
    };
    $("advice").onclick = () => {
      $("info").textContent = "";
      $("advice").disabled = true;
      $("advice-stop").hidden = false;
      socket.request("advice", { ms: ADVICE_MS }).catch((error) => {
        showError(error);
        this.enableAdvice();
      });
    };
    $("advice-stop").onclick = () => socket.send("advice_stop");
    $("agree-help").onchange = () => socket.send("agree_help", { on: $("agree-help").checked });
  },

  connected() {
    if ($("belief").checked) socket.send("belief", { on: true });
  },

  newGame() {
    $("info").textContent = "";
    $("belief").checked = false;
  },

  moved() {
    this.advice = null;
    this.belief = {};
    this.enableAdvice();
  },

  failed() {
    this.enableAdvice();
    $("belief").checked = false;
  },

  enableAdvice() {
    $("advice").disabled = !this.game?.state?.help.is_allowed;
    $("advice-stop").hidden = true;
  },

  /** @param {GameState} state */
  draw(state) {
    const { help } = state;
    const isAllowed = help.is_allowed && Boolean(state.mine);
    $("engine-pane").hidden = state.phase === "arranging";
    $("belief").disabled = !isAllowed;
    if (!isAllowed) $("belief").checked = false;
    $("advice").hidden = !state.mine || state.phase === "over";
    if ($("advice-stop").hidden) $("advice").disabled = !isAllowed;
    $("agree-help-row").hidden = !help.is_needed || !state.mine;
    $("agree-help").checked = help.has_agreed;
    $("help-refused").hidden = help.is_allowed;
    $("advice-text").textContent = this.advice ? adviceText(this.advice, boardOf(state.variant), state) : "";
  },

  /** The kind that a hidden piece most likely is, with all chances. @param {number} point */
  guess(point) {
    const chances = this.belief[point];
    const best = chances && likeliest(chances)[0];
    return best ? { letter: best[0], chances } : null;
  },

  /** Shows what the engine believes of a piece. @param {Shape | null} shape */
  showBelief(shape) {
    const chances = shape?.letter === "?" ? this.belief[Number(shape.point)] : null;
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

  /** @param {Record<string, Chances>} points */
  receiveBelief(points) {
    if (!$("belief").checked) return;
    this.belief = points;
    this.game?.draw();
  },

  /** @param {Advice} advice */
  receiveAdvice(advice) {
    this.enableAdvice();
    this.advice = advice;
    addLines($("info"), [t("pane.advises", { move: advice.move })]);
    this.game?.draw();
    announce($("advice-text").textContent ?? "");
  },
};

/**
 * Advice as sentences: the move, the chance of winning with it and before it, and the other moves.
 * @param {Advice} advice
 * @param {BoardData | undefined} data
 * @param {GameState} state
 */
function adviceText(advice, data, state) {
  if (!data) return "";
  const step = (/** @type {AdvisedMove} */ { from, to }) => t("pane.step", { from: data.points[from].name, to: data.points[to].name });
  const letter = state.pieces.find(([point]) => point === advice.from)?.[3] ?? "?";
  const text = t("pane.advice.move", { piece: t(`piece.${letter}`), step: step(advice) });
  const parts = [t("sentence", { text })];
  if (advice.win !== null) {
    const values = { team: teamName(state.mine), win: percent(advice.win), before: percent(advice.win_before ?? advice.win) };
    parts.push(t("sentence", { text: t("pane.advice.win", values) }));
  }
  if (advice.others.length) {
    const others = clauses(...advice.others.map((other) => (other.win === null ? step(other) : t("pane.chance", { step: step(other), win: percent(other.win) }))));
    parts.push(t("sentence", { text: t("pane.advice.others", { others }) }));
  }
  return sentences(...parts);
}

/** @param {Chances} chances @returns {[letter: string, chance: number][]} */
const likeliest = (chances) => Object.entries(chances).sort((a, b) => b[1] - a[1]);
