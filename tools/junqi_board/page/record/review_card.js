// The review of the record that is shown: a graph that grows while the server finds values, what happened in the chosen
// move, and the key moments.

import { $ } from "../shell/dom.js";
import { Graph, teamChances } from "./graph.js";
import { isMove, pointsOf } from "../board/junqi_board.js";
import { goToView } from "../shell/navigation.js";
import { SayingText } from "../board/saying.js";
import { showError, socket } from "../socket.js";
import { change, FIRST, set, state } from "../state.js";
import { percent, sentences, t } from "../texts.js";
import { html } from "../view.js";
import { adviceSaying, moveSaying, seatText, textOf, together, whoAll } from "../voice.js";
import { goToMove, isTable, movesShown, placeShown, viewpoint } from "./replay.js";

/** The positions that are searched for each move of a game that is reviewed on demand. */
export const NODES = 50_000;
/** Less luck is not worth a word. */
export const MIN_LUCK = 0.2;
/** From how much luck on it is named, and from how much it is more than slight. */
const [SOME_LUCK, MUCH_LUCK] = [0.02, 0.15];

/** @param {number} luck */
export const luckSize = (luck) => (Math.abs(luck) < SOME_LUCK ? "even" : Math.abs(luck) < MUCH_LUCK ? "slight" : "much");

export const reviewShown = () => (state.shown.record && state.review.of === state.shown.record.line ? state.review : FIRST.review);

let started = 0;

/**
 * Reviews the record that is shown.
 * @param {number} nodes the positions that are searched for each move
 * @param {boolean} [isAsked] whether the person wants it
 */
export async function startReview(nodes, isAsked = true) {
  const { record } = state.shown;
  if (!record) return;
  const number = ++started;
  set({ review: { ...FIRST.review, of: record.line, isRunning: true } });
  const answer = await socket.request("review_start", { line: record.line, nodes, number }).catch((error) => isAsked && showError(error));
  // Another review may have begun meanwhile.
  if (number === started) change("review", { isRunning: false, isWhole: Boolean(answer?.is_whole) });
}

/** @param {any} found the review as far as it has come @param {number} number that of its request */
export function receiveReview(found, number) {
  if (state.review.isRunning && number === started) change("review", { found });
}

/**
 * Begins a game from a position of the record, with what its viewer knew; it counts as practice.
 * @param {number} ply
 */
export async function playFrom(ply) {
  const { record, viewer } = state.shown;
  if (record && (await socket.ask("play_from", { line: record.line, ply, viewer }))) goToView("play");
}

/** A move that lost less was as good. */
const LEAST_WORSE = 0.02;

/** A better move than the one played after some moves; empty if there is none. @param {number} ply @returns {string} */
export function betterAt(ply) {
  const step = reviewShown().found?.steps[ply];
  return step?.best && step.loss >= LEAST_WORSE && !isMove(step.text, step.best) ? step.best : "";
}

/**
 * Shows the position before a move, with arrows for what was played and for what was better, or asks for the better
 * one.
 * @param {number} step
 * @param {Partial<Comparison>} [asked]
 */
export async function showMoment(step, asked) {
  $("play-board").scrollIntoView({ block: "nearest" });
  await goToMove(step, { played: state.shown.story[step]?.text ?? "", better: betterAt(step), ...asked });
}

/** What was tried if the person let the better move be shown. */
export const SHOWN = "shown";

/** Whether the better move is known to the person. @param {Comparison} comparison */
export const isKnown = ({ targets, tried = "", better }) => !targets || tried === SHOWN || (tried !== "" && isMove(better, tried));

/** What a move did; null until that is known. @param {number} step from 0 */
function saidOf(step) {
  const view = viewpoint();
  const entry = state.shown.story[step];
  return view && entry ? moveSaying(entry, view.data, view.mine) : null;
}

/** How much a move lost that is worth telling. */
export const LEAST_LOSS = 0.1;

/** Whether a moment is of a move that was not the best. @param {{ kind: string }} moment */
export const isLoss = ({ kind }) => kind === "blunder" || kind === "mistake";

/** The moments that are told. A resignation has no better move. @param {any} found @returns {any[]} */
const momentsOf = ({ moments, steps }) =>
  moments.filter((/** @type {any} */ moment) => (moment.kind === "luck" ? moment.size >= MIN_LUCK : !isLoss(moment) || steps[moment.step]?.best));

export function ReviewCard() {
  const { found, isWhole, isRunning } = reviewShown();
  const count = movesShown().length;
  const known = found?.steps.length ?? 0;
  return html`<div class="card" data-variant=${found?.variant}>
    <h2>${t("library.review")}</h2>
    ${state.catalogue.isHost && html`<div class="row">
      ${!isRunning && html`<button id="review-start" class=${found ? "" : "main"} onClick=${() => startReview(NODES)}>${t("review.start")}</button>`}
      ${isRunning && html`<button id="review-stop" onClick=${() => socket.ask("review_stop")}>${t("stop")}</button>`}
      <button id="review-play" onClick=${() => playFrom(placeShown())}>${t("review.play")}</button>
    </div>`}
    <p class="soft" role="status">
      ${isRunning ? t("review.running", { known, count }) : found && !isWhole ? t("review.part", { known }) : ""}
    </p>
    ${found && html`<${Found} found=${found} count=${count} isWhole=${isWhole} />`}
  </div>`;
}

/** @param {{ found: any, count: number, isWhole: boolean }} props */
function Found({ found, count, isWhole }) {
  const view = viewpoint();
  if (!view) return null;
  const at = placeShown();
  const chances = chancesText(found, at, view.pov);
  const { comparison } = state.shown;
  return html`<div id="review-found">
    ${isWhole && !isTable() && html`<p class="task">${summaryText(found, view.pov)}</p>`}
    <${Graph} id="review-graph" review=${{ ...found, moments: momentsOf(found) }} count=${count} at=${at} label=${chances || t("library.review")} onPick=${goToMove} />
    ${chances && (!comparison || isKnown(comparison)) && html`<p id="review-text" class="answer" aria-live="polite"><${SayingText} saying=${together(chances, ...wordsOf(found, at, view))} /></p>`}
    <ol id="review-moments">
      ${momentsOf(found).map((moment) => html`<li><${MomentButton} moment=${moment} pov=${view.pov} /></li>`)}
    </ol>
  </div>`;
}

/** @param {{ moment: any, pov: Pov }} props */
function MomentButton({ moment: { step, kind, size, player }, pov }) {
  const what = t(`review.${kind}`, { who: player ? whoAll(player, pov) : "", size: percent(size) });
  const said = saidOf(step);
  return html`<button onClick=${() => showMoment(step)}><b>${t("sentence", { text: what })}</b> ${said && html`<${SayingText} saying=${said} />`}</button>`;
}

/**
 * The chances of the first team before a move; empty if they are not known yet.
 * @param {any} found
 * @param {number} at
 * @param {Pov} pov
 */
function chancesText(found, at, pov) {
  const truth = [...found.steps, found][at]?.truth;
  if (truth === undefined) return "";
  const { team } = found.players[0];
  const [chances] = teamChances(found);
  return seatText("review.chances", team[0], pov, { who: whoAll(team, pov), fair: precise(chances[at]), truth: precise(truth) });
}

/**
 * What a move did, what it cost, whom luck favoured, and who was surprised.
 * @param {any} found
 * @param {number} at
 * @param {NonNullable<ReturnType<typeof viewpoint>>} view
 */
function wordsOf(found, at, { data, pov }) {
  const step = found.steps[at];
  const said = step && saidOf(at);
  const better = betterAt(at);
  const words = said ? [t("review.next"), said] : [];
  if (better) {
    const [from, to] = pointsOf(better, data);
    words.push(t("review.cost", { loss: precise(step.loss) }), adviceSaying("moment", from, to, state.shown.scene?.pieces ?? [], pov));
  } else if (step?.best && isMove(step.text, step.best)) words.push(t("review.wasBest"));
  for (const [player, luck] of Object.entries(step?.luck ?? {}))
    if (luck >= MIN_LUCK) words.push(t("review.lucky", { who: whoAll(player, pov), gain: percent(luck) }));
  for (const one of found.surprises)
    if (one.step === at) words.push(t("review.surprise", { who: whoAll(one.player, pov), chance: precise(one.chance) }));
  return words;
}

/**
 * The whole review in words: the move that cost most, whom luck favoured, and the best move.
 * @param {any} found
 * @param {Pov} pov
 */
function summaryText(found, pov) {
  const { players } = found;
  const moments = momentsOf(found);
  const worst = largest(moments, ["blunder", "mistake"]);
  const best = largest(moments, ["brilliant"]);
  const said = (/** @type {any} */ { step }) => textOf(saidOf(step) ?? together());
  const [{ team }] = players;
  const others = players.find((/** @type {any} */ one) => one.team !== team)?.team ?? "";
  const luck = players.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + (one.team === team ? one.luck : -one.luck), 0);
  return sentences(
    ...(worst ? [t("review.worst", { size: percent(worst.size) }), said(worst)] : [t("end.nothing")]),
    t(`end.luck.${luckSize(luck)}`, { who: whoAll(luck > 0 ? team : others, pov) }),
    ...(best ? [t("review.best"), said(best)] : []),
  );
}

/** @param {number} chance */
const precise = (chance) => (chance === 0 ? "0%" : `${(100 * chance).toFixed(Math.abs(chance) < 0.0995 ? 1 : 0).replace("-", "−")}%`);

/** @param {any[]} moments @param {string[]} kinds */
const largest = (moments, kinds) => moments.filter(({ kind }) => kinds.includes(kind)).sort((a, b) => b.size - a.size)[0];
