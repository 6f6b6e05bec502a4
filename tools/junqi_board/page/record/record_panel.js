// The note that the board shows the past, and the panel of a record.

import { SayingText } from "../board/saying.js";
import { BattleLog, BY_MOVE } from "../game/status.js";
import { goToPlace } from "../shell/navigation.js";
import { state } from "../state.js";
import { capital, t } from "../texts.js";
import { html } from "../view.js";
import { endingText, moveSaying, resultText, together, wayText } from "../voice.js";
import * as replay from "./replay.js";
import { Study } from "./study_panel.js";
import { named } from "./transport.js";

export function PastNote() {
  const { at, comparison, variation, step } = state.shown;
  const ply = at ?? 0;
  const key = comparison?.better ? "past.better" : comparison ? "past.played" : "past.note";
  return html`<div id="past-note" class="past-note" role="status">
    <span>${variation
      ? t("study.variation", { at: ply + step })
      : t(key, { at: ply + (comparison ? 1 : 0), all: replay.movesShown().length })}</span>
    <button id="past-back" disabled=${ply + step === 0} ...${named("replay.back")}
      onClick=${() => replay.stepBy(-1)}>‹</button>
    <button id="past-next" ...${named("replay.next")} onClick=${() => replay.stepBy(1)}>›</button>
    <button id="past-end" class="main" onClick=${() => replay.goToMove(Infinity)}>${t("past.end")}</button>
  </div>`;
}

/**
 * The panel of a record that is not of the game at the table.
 * @param {{ record: OpenRecord, data: BoardData, pov: Pov }} props
 */
export function Record({ record, data, pov }) {
  const { scene, comparison, story, truth, variation, step } = state.shown;
  const at = replay.placeShown();
  const isLast = at === record.moves.length && !variation;
  const hasGame = state.table.game && state.table.game.phase !== "arranging";
  const played = at ? t("replay.status", { at, all: record.moves.length }) : t("replay.start");
  const place = variation ? t("study.variation", { at: at + step }) : played;
  const note = comparison && t(comparison.better ? "past.better" : "past.played", { at: at + 1 });
  const last = !note && scene?.last;
  const happened = last ? moveSaying(last, data, pov, false) : "";
  const result = capital(
    t("sentence", { text: resultText(record.result, { ...pov, surrendered: record.surrendered }) }),
  );
  const cause = !BY_MOVE.includes(record.ending) && scene ? [endingText({ ...record, turn: scene.turn }, pov)] : [];
  const end = isLast && scene && record.result ? [result, ...cause] : [];
  return html`<p class="status record" id="status" role="status" tabindex="0"><${SayingText}
    saying=${together(note || place, happened, ...end)} />${last &&
    html`<span class="unseen"> ${wayText(last, data)}</span>`}</p>
    ${record.problem && html`<button id="record-problem" onClick=${() => goToPlace("problem", record.problem ?? "")}>
      ${t("problem.back")}</button>`}
    ${hasGame && !record.problem && html`<button id="record-close" onClick=${replay.closeRecord}>
      ${t("replay.close")}</button>`}
    <${Study} data=${data} pov=${pov} />
    <${BattleLog} id="log" story=${story.slice(0, at)} truth=${truth} data=${data} pov=${pov}
      onPick=${replay.playAgain} />`;
}
