// The review of the record that is shown: a graph that grows while the server finds values, what happened in the chosen
// move, and the key moments.

import { isMove } from "../board/boards.js";
import { SayingText } from "../board/saying.js";
import { $ } from "../shell/dom.js";
import { goToView } from "../shell/navigation.js";
import { remember, remembered } from "../shell/storage.js";
import { showError, socket } from "../socket.js";
import { change, FIRST, set, state } from "../state.js";
import { percent, t } from "../texts.js";
import { html } from "../view.js";
import { together, whoAll } from "../voice.js";
import { chancesText, Graph } from "./graph.js";
import { betterMove, doneSaying, keyMoments, NODES, overviewSaying, stepSaying } from "./moments.js";
import { EVERYONE, goToMove, isTable, movesShown, placeShown, viewpoint } from "./replay.js";
import { storyTold } from "./truth.js";

export const reviewShown = () =>
  state.shown.record && state.review.of === state.shown.record.line ? state.review : FIRST.review;

/**
 * Reviews the record that is shown.
 * @param {number} nodes the positions that are searched for each move
 * @param {boolean} [isAsked] whether the person wants it
 */
export async function startReview(nodes, isAsked = true) {
  const { record } = state.shown;
  if (!record) return;
  const number = state.review.number + 1;
  set({ review: { ...FIRST.review, of: record.line, number, isRunning: true, replaced: state.review } });
  try {
    const answer = await socket.request("review_start", { line: record.line, nodes, number });
    changeReview(number, { isRunning: false, isWhole: answer.is_whole });
  } catch (error) {
    if (isAsked) showError(error);
    // The server goes on with the one before.
    if (state.review.number === number) set({ review: state.review.replaced ?? FIRST.review });
  }
}

/**
 * Changes a review that is made, or that another one would replace.
 * @param {number} number
 * @param {Partial<PageState["review"]>} changes
 */
function changeReview(number, changes) {
  const { replaced } = state.review;
  if (number === state.review.number) change("review", changes);
  else if (number === replaced?.number) change("review", { replaced: { ...replaced, ...changes } });
}

/**
 * Takes a review as far as it has come. One of the finished game that another page has asked for has no number.
 * @param {{ review: Review, number: number }} message
 */
export function receiveReview({ review, number }) {
  const { record } = state.shown;
  if (number) changeReview(number, { found: review });
  else if (record && isTable()) set({ review: { ...FIRST.review, of: record.line, found: review, isWhole: true } });
}

/**
 * Begins a game from a position of the record, with what its viewer knew; it counts as practice.
 * @param {number} ply
 * @param {string[]} moves those of a variation from there
 * @param {number | null} elo of the engines
 */
export async function playFrom(ply, moves, elo) {
  const { record, viewer: shown } = state.shown;
  if (!record) return;
  const viewer = shown === EVERYONE && record.mine ? record.mine : shown;
  const fields = { line: record.line, ply, viewer, moves: moves.join(" "), elo };
  const answer = await socket.ask("play_from", fields);
  if (!answer) return;
  remember("begun", { game: answer.game, ply: ply + (moves ? moves.length : 0) });
  goToView("play");
}

/** The position from which a game was played on; 0 for its start. @param {GameState} game */
export function begunAt({ game }) {
  const begun = remembered("begun");
  return begun?.game === game ? begun.ply : 0;
}

/** A better move than that after some moves, by the review that is shown; empty for none. @param {number} at */
export const betterAt = (at) => betterMove(reviewShown().found, at);

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

/** The value of `tried` if the person had the better move shown. */
export const SHOWN = "shown";

/** Whether the better move is known to the person. @param {Comparison} comparison */
export const isKnown = ({ targets, tried = "", better }) =>
  !targets || tried === SHOWN || (tried !== "" && isMove(better, tried));

/** The review of the record; a guest of the game has that of the host. */
export function ReviewCard() {
  const { found, isWhole, isRunning } = reviewShown();
  const { isHost } = state.catalogue;
  const count = movesShown().length;
  const known = found?.steps.length ?? 0;
  return (isHost || found) && html`<div class="card" data-variant=${found?.variant}>
    <h2>${t("library.review")}</h2>
    <div class="row">
      ${isHost && !isRunning && html`<button id="review-start" class=${found ? "" : "main"}
        onClick=${() => startReview(NODES.asked)}>${t("review.start")}</button>`}
      ${isRunning && html`<button id="review-stop" onClick=${() => socket.ask("review_stop")}>${t("stop")}</button>`}
    </div>
    <p class="soft" role="status" aria-live=${isRunning ? "off" : null}>
      ${isRunning ? t("review.running", { known, count }) : found && !isWhole ? t("review.part", { known }) : ""}
    </p>
    ${found && html`<${Found} found=${found} count=${count} isWhole=${isWhole} />`}
  </div>`;
}

/** @param {{ found: Review, count: number, isWhole: boolean }} props */
function Found({ found, count, isWhole }) {
  const view = viewpoint();
  if (!view) return null;
  const at = placeShown();
  const { comparison, scene, variation } = state.shown;
  const story = storyTold();
  const chances = chancesText(found, at, view.pov);
  const saying = together(chances, stepSaying(found, at, story, view.pov, scene));
  const isTold = chances && !variation && (!comparison || isKnown(comparison));
  return html`<div id="review-found">
    ${isWhole && !isTable() && html`<p class="task"><${SayingText} saying=${overviewSaying(found, story, view.pov)} />
      </p>`}
    <${Graph} id="review-graph" review=${found} mine=${view.pov.mine} count=${count} at=${at}
      label=${chances || t("library.review")} onPick=${goToMove} />
    ${isTold && html`<p id="review-text" class="answer" aria-live="polite"><${SayingText} saying=${saying} /></p>`}
    <ol id="review-moments">
      ${keyMoments(found).map((one) => html`<li><${MomentButton} moment=${one} found=${found} pov=${view.pov} /></li>`)}
    </ol>
  </div>`;
}

/** @param {{ moment: Moment, found: Review, pov: Pov }} props */
function MomentButton({ moment: { step, kind, size, player }, found, pov }) {
  const what = t(`review.${kind}`, { who: player ? whoAll(player, pov) : "", size: percent(size) });
  const done = doneSaying(found, step, storyTold(), pov);
  return html`<button onClick=${() => showMoment(step)}>
    <b>${t("sentence", { text: what })}</b> ${done && html`<${SayingText} saying=${done} />`}
  </button>`;
}
