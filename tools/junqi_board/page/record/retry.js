// One of the person's own mistakes at a time: what would have been better is tried on the board before it is shown.

import { isMove } from "../board/boards.js";
import { announce } from "../shell/notices.js";
import { socket } from "../socket.js";
import { change, state } from "../state.js";
import { percent, t } from "../texts.js";
import { html, useEffect } from "../view.js";
import { ownMistakes } from "./moments.js";
import { goToMove } from "./replay.js";
import { isKnown, reviewShown, showMoment, SHOWN } from "./review_card.js";

/** Asks for a better move than the one that was played. @param {number} step */
export async function findBetter(step) {
  const answer = await socket.ask("past_targets", { ply: step });
  if (answer) await showMoment(step, { targets: answer.targets, tried: "" });
}

/** @param {string} tried */
export function tryBetter(tried) {
  const { comparison } = state.shown;
  if (!comparison) return;
  change("shown", { comparison: { ...comparison, tried } });
  announce(verdictText({ ...comparison, tried }));
}

/** The question, or the verdict on the answer. @param {Comparison} comparison */
function verdictText({ tried, better }) {
  if (!tried) return t("better.find");
  if (tried === SHOWN) return t("better.was");
  if (!isMove(better, tried)) return t("better.wrong");
  const step = reviewShown().found?.steps[state.shown.at ?? -1];
  const chance = Object.entries(step?.fair ?? {}).find(([player]) => player.includes(step?.seat ?? " "))?.[1] ?? 0;
  return t("better.right", { better: percent(chance), played: percent(Math.max(0, chance - (step?.loss ?? 0))) });
}

/** The question, beside the board. @param {{ comparison: Comparison, mine: string }} props */
export function BetterNote({ comparison, mine }) {
  const { at } = state.shown;
  // The whole board with the question, wherever its button was.
  useEffect(() => scrollTo(0, 0), [at, comparison.tried]);
  const mistakes = ownMistakes(reviewShown().found, mine).map(({ step }) => step);
  const next = mistakes[mistakes.indexOf(at ?? -1) + 1];
  return html`<div id="better-note" class="past-note" role="status">
    <span>${verdictText(comparison)}</span>
    ${!isKnown(comparison) && html`<button onClick=${() => tryBetter(SHOWN)}>${t("moment.show")}</button>`}
    ${isKnown(comparison) && next !== undefined && html`<button class="main" onClick=${() => findBetter(next)}>
      ${t("better.next")}</button>`}
    <button onClick=${() => goToMove(Infinity)}>${t("past.end")}</button>
  </div>`;
}
