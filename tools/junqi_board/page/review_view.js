// The review of the recorded game that Replay shows: a graph that grows while the server finds values, what happened in
// the chosen ply, the key moments, and a new game from here.

import { $, make } from "./dom.js";
import { luckSize, playFrom } from "./end_card.js";
import { drawGraph, markStep, teamChances } from "./graph.js";
import { isMove } from "./junqi_board.js";
import { socket } from "./socket.js";
import { percent, sentences, t } from "./texts.js";
import { shown, textOf, together, told, whoAll } from "./voice.js";

const NODES = 50_000;
/** Less luck is not worth a word. */
const SMALLEST_LUCK = 0.2;

export class ReviewCard {
  /** The review so far. @type {any} */
  found = null;
  isWhole = false;
  isRunning = false;
  /** The moves of the record. */
  count = 0;
  at = 0;
  /** The step of the moment that was chosen last. */
  moment = -1;

  /** @param {{ goTo: (ply: number) => void, line: () => string, eyes: () => string, showBetter: (better: string, played: string) => void, said: (step: number) => import("./voice.js").Saying | null, advised: (move: string) => import("./voice.js").Saying, listener: () => import("./voice.js").Listener }} replay what it needs of Replay */
  constructor(replay) {
    this.replay = replay;
  }

  begin() {
    $("review-start").onclick = () => this.start();
    $("review-stop").onclick = () => socket.ask("review_stop");
    $("review-play").onclick = () => playFrom(this.replay.line(), this.at, this.replay.eyes());
    addEventListener("resize", () => this.draw());
    this.redraw();
  }

  /** Another record is open. @param {number} count its moves */
  opened(count) {
    this.count = count;
    this.moment = -1;
    this.found = null;
    this.isWhole = false;
    this.redraw();
  }

  async start() {
    this.found = null;
    this.isWhole = false;
    this.isRunning = true;
    this.redraw();
    await socket.ask("review_start", { line: this.replay.line().trim(), nodes: NODES });
    this.isRunning = false;
    this.redraw();
  }

  /** @param {{ review: any, is_whole: boolean }} message */
  receive(message) {
    if (this.isRunning) this.show(message.review, message.is_whole);
  }

  /** @param {any} review @param {boolean} isWhole */
  show(review, isWhole) {
    const isTold = (/** @type {any} */ { kind, size }) => kind !== "luck" || size >= SMALLEST_LUCK;
    this.found = { ...review, moments: review.moments.filter(isTold) };
    this.isWhole = isWhole;
    this.redraw();
  }

  /** @param {number} ply */
  showAt(ply) {
    this.at = ply;
    markStep($("review-graph"), ply, this.count);
    this.tell();
  }

  redraw() {
    $("review-start").hidden = this.isRunning;
    $("review-stop").hidden = !this.isRunning;
    $("review-found").hidden = !this.found;
    const known = this.found?.steps.length ?? 0;
    $("review-progress").textContent = this.isRunning ? t("review.running", { known, count: this.count }) : this.found && !this.isWhole ? t("review.part", { known }) : "";
    if (!this.found) return;
    $("review-card").dataset.variant = this.found.variant;
    this.draw();
    this.tell();
    $("review-summary").textContent = this.isWhole ? this.summaryText() : "";
    $("review-moments").replaceChildren(...this.found.moments.map((/** @type {any} */ moment) => make("li", {}, this.momentButton(moment))));
  }

  draw() {
    if (!this.found || $("review-found").hidden) return;
    drawGraph($("review-graph"), this.found, this.count, (step) => this.replay.goTo(step));
    markStep($("review-graph"), this.at, this.count);
    $("review-graph").setAttribute("role", "img");
  }

  /** @param {any} moment */
  momentButton({ step, kind, size, player }) {
    const what = t(`review.${kind}`, { who: player ? whoAll(player, this.replay.listener()) : "", size: percent(size) });
    const said = this.replay.said(step);
    const show = () => {
      this.moment = step;
      $("replay-board").scrollIntoView({ block: "nearest" });
      this.replay.goTo(step);
    };
    return make("button", { onclick: show }, make("b", {}, t("sentence", { text: what })), " ", said ? shown(said) : "");
  }

  /** What the arrows mean, for what was played and what was better, before the moment that was chosen; empty elsewhere. @param {number} ply */
  note(ply) {
    return ply === this.moment && ply < this.count ? t(this.betterAt(ply) ? "past.better" : "past.played", { at: ply + 1 }) : "";
  }

  /** A better move than the one played after some moves; empty if there is none. @param {number} ply @returns {string} */
  betterAt(ply) {
    const step = this.found?.steps[ply];
    return step?.best && !isMove(step.text, step.best) ? step.best : "";
  }

  tell() {
    if (!this.found) return;
    const step = this.found.steps[this.at];
    const better = this.betterAt(this.at);
    this.replay.showBetter(better, this.at === this.moment ? (step?.text ?? "") : "");
    const listener = this.replay.listener();
    const chances = teamChances(this.found).map((own) => own[this.at]);
    const truth = [...this.found.steps, this.found][this.at]?.truth;
    if (truth === undefined) {
      $("review-told").textContent = "";
      return;
    }
    /** @type {any[]} */
    const words = [told("review.chances", this.found.players[0].team[0], listener, { who: whoAll(this.found.players[0].team, listener), fair: chances.map(precise).join(" / "), truth: precise(truth) })];
    $("review-graph").setAttribute("aria-label", words[0]);
    const said = step && this.replay.said(this.at);
    if (said) words.push(t("review.next"), said);
    if (step?.best) words.push(...(better ? [t("review.better", { loss: precise(step.loss) }), this.replay.advised(better)] : [t("review.wasBest")]));
    const lucks = Object.entries(step?.luck ?? {}).filter(([, luck]) => luck >= SMALLEST_LUCK);
    for (const [player, luck] of lucks) words.push(t("review.lucky", { who: whoAll(player, listener), gain: percent(luck) }));
    for (const one of this.found.surprises.filter((/** @type {any} */ { step }) => step === this.at)) words.push(t("review.surprise", { who: whoAll(one.player, listener), chance: precise(one.chance) }));
    $("review-told").replaceChildren(shown(together(...words)));
  }

  // The whole review in words: the move that cost most, whom luck favoured, and the best move.
  summaryText() {
    const { players, moments, steps } = this.found;
    const listener = this.replay.listener();
    // A resignation has no better move.
    const worst = largest(moments.filter((/** @type {any} */ { step }) => steps[step].best), ["blunder", "mistake"]);
    const best = largest(moments, ["brilliant"]);
    const said = (/** @type {any} */ { step }) => {
      const saying = this.replay.said(step);
      return saying ? textOf(saying) : "";
    };
    const parts = worst ? [t("review.worst", { size: percent(worst.size) }), said(worst)] : [t("end.nothing")];
    const [{ team }] = players;
    const others = players.find((/** @type {any} */ one) => one.team !== team)?.team ?? "";
    const luck = players.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + (one.team === team ? one.luck : -one.luck), 0);
    parts.push(t(`end.luck.${luckSize(luck)}`, { who: whoAll(luck > 0 ? team : others, listener) }));
    if (best) parts.push(t("review.best"), said(best));
    return sentences(...parts);
  }
}

/** @param {number} chance */
const precise = (chance) => `${(100 * chance).toFixed(Math.abs(chance) < 0.0995 ? 1 : 0).replace("-", "−")}%`;

/** @param {any[]} moments @param {string[]} kinds */
const largest = (moments, kinds) => moments.filter(({ kind }) => kinds.includes(kind)).sort((a, b) => b.size - a.size)[0];
