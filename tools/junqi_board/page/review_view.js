// The review of the recorded game that Replay shows: a graph that grows while the server finds values, what happened in
// the chosen ply, the key moments, and a new game from here.

import { $, make } from "./dom.js";
import { drawGraph, markStep, teamChances, trueChances } from "./graph.js";
import { goTo } from "./navigation.js";
import { socket } from "./socket.js";
import { clauses, seatName, sentences, t, teamName } from "./texts.js";

const NODES = 50_000;
/** Less luck is not worth a word. */
const SMALLEST_LUCK = 0.2;
const SHOWN_OF_LINE = 4;

export class ReviewCard {
  /** The review so far. @type {any} */
  found = null;
  isWhole = false;
  isRunning = false;
  /** The moves of the record. */
  count = 0;
  at = 0;

  /** @param {{ goTo: (ply: number) => void, line: () => string, eyes: () => string, showBetter: (move: string) => void }} replay what it needs of Replay */
  constructor(replay) {
    this.replay = replay;
  }

  begin() {
    $("review-start").onclick = () => this.start();
    $("review-stop").onclick = () => socket.ask("review_stop");
    $("review-play").onclick = () => this.playFromHere();
    addEventListener("resize", () => this.draw());
    this.redraw();
  }

  /** Another record is open. @param {number} count its moves */
  opened(count) {
    this.count = count;
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

  async playFromHere() {
    if (await socket.ask("play_from", { line: this.replay.line().trim(), ply: this.at, eyes: this.replay.eyes() })) goTo("play");
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
    $("review-summary").textContent = this.isWhole ? summaryText(this.found) : "";
    $("review-legend").textContent = t("review.legend", { team: teamName(this.found.players[0].team) });
    $("review-sums").replaceChildren(...this.found.players.map((/** @type {any} */ player) => make("li", {}, sumText(player))));
    $("review-moments").replaceChildren(...this.found.moments.map((/** @type {any} */ moment) => make("li", {}, this.momentButton(moment))));
  }

  draw() {
    if (!this.found || $("review-found").hidden) return;
    drawGraph($("review-graph"), this.found, this.count, (step) => this.replay.goTo(step));
    markStep($("review-graph"), this.at, this.count);
    $("review-graph").setAttribute("role", "img");
  }

  /** @param {any} moment */
  momentButton(moment) {
    const step = this.found.steps[moment.step];
    const what = t(`review.${moment.kind}`, { player: moment.player ? teamName(moment.player) : "", seat: step.seat ? seatName(step.seat) : "", size: precise(moment.size) });
    const button = make("button", {}, t("review.moment", { step: moment.step + 1, what, move: step.text.startsWith("resign:") ? t("moves.resigned") : step.text }));
    button.onclick = () => this.replay.goTo(moment.step);
    return button;
  }

  tell() {
    if (!this.found) return;
    const step = this.found.steps[this.at];
    this.replay.showBetter(step?.best && !step.text.startsWith(step.best) ? step.best : "");
    const team = this.found.players[0].team;
    const chances = teamChances(this.found).map((own) => own[this.at]);
    const truth = trueChances(this.found)[this.at];
    if (truth === undefined) {
      $("review-told").textContent = "";
      return;
    }
    const told = [t("review.chances", { team: teamName(team), fair: chances.map(precise).join(" / "), truth: precise(truth) })];
    if (step?.best) {
      const isBest = step.text.startsWith(step.best);
      told.push(isBest ? t("review.wasBest", { move: step.text }) : t("review.better", { move: step.text, loss: precise(step.loss), line: step.line.slice(0, SHOWN_OF_LINE).join(" ") }));
    }
    const lucks = Object.entries(step?.luck ?? {}).filter(([, luck]) => luck >= SMALLEST_LUCK);
    if (lucks.length) told.push(t("review.lucky", { luck: clauses(...lucks.map(([player, luck]) => `${teamName(player)} +${precise(luck)}`)) }));
    for (const one of this.found.surprises.filter((/** @type {any} */ { step }) => step === this.at)) told.push(t("review.surprise", { team: teamName(one.player), chance: precise(one.chance) }));
    $("review-told").textContent = sentences(...told);
    $("review-graph").setAttribute("aria-label", told[0]);
  }
}

/** @param {number} chance */
const precise = (chance) => `${(100 * chance).toFixed(Math.abs(chance) < 0.0995 ? 1 : 0).replace("-", "−")}%`;

/** From how much luck on it is named, and from how much it is more than slight. */
const [SOME_LUCK, MUCH_LUCK] = [0.02, 0.15];

/** The whole review in words: the move that cost most, whom luck favoured, and the best move. @param {any} review */
function summaryText({ players, moments, steps }) {
  // A resignation has no better move.
  const worst = largest(moments.filter((/** @type {any} */ { step }) => steps[step].best), ["blunder", "mistake"]);
  const best = largest(moments, ["brilliant"]);
  const said = (/** @type {any} */ moment) => ({ seat: seatName(steps[moment.step].seat), step: moment.step + 1, move: steps[moment.step].text, better: steps[moment.step].best });
  /** @type {string[]} */
  const parts = [worst ? t("review.worst", said(worst)) : t("review.noMistake")];
  const [{ team }] = players;
  const others = players.find((/** @type {any} */ one) => one.team !== team)?.team ?? "";
  const luck = players.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + (one.team === team ? one.luck : -one.luck), 0);
  const size = Math.abs(luck) < SOME_LUCK ? "even" : Math.abs(luck) < MUCH_LUCK ? "slight" : "much";
  parts.push(t(`review.luck.${size}`, { team: teamName(luck > 0 ? team : others) }));
  if (best) parts.push(t("review.bestMove", said(best)));
  return sentences(...parts);
}

/** @param {any[]} moments @param {string[]} kinds */
const largest = (moments, kinds) => moments.filter(({ kind }) => kinds.includes(kind)).sort((a, b) => b.size - a.size)[0];

/** Where the result came from, for one player. @param {any} player */
const sumText = (player) =>
  t("review.sum", {
    player: teamName(player.player),
    start: precise(player.start),
    luck: precise(player.luck),
    enemy: precise(player.enemy_loss),
    own: precise(player.loss),
    end: precise(player.end),
    accuracy: player.accuracy === null ? "–" : player.accuracy.toFixed(0),
  });
