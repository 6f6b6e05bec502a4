// The view of the brain teasers: played by hand, with hints, or shown by a solver.

import { Board, Picture } from "../board/saying.js";
import { peopleOn, TeaserBoard } from "../board/teaser_board.js";
import { example, PICTURED } from "../board/teaser_shapes.js";
import { goToView } from "../shell/navigation.js";
import { errorText } from "../socket.js";
import { state } from "../state.js";
import { capital, clauses, sentences, t } from "../texts.js";
import { html, useEffect, useState } from "../view.js";
import { nothingText } from "./teaser_faults.js";
import {
  askSolver, deleteOwn, isOpen, loadTeasers, openNext, openTeaser, playTeaserMove, reopenTeaser, showTeaser, solvedText,
  stopSolver, watching, watchSolution,
} from "./teaser_play.js";
import { countWords, farness, isEndCrossed, isOver, ownBest, resultOf, resultText, starsOf } from "./teaser_results.js";
import { titleOf, Today, Wall } from "./teaser_wall.js";

const PROGRESS_DELAY_MS = 250;

const board = new TeaserBoard("teaser-board", (move) => playTeaserMove(move));
/** @type {View} */
export const teasers = {
  id: "teaser",
  isForHost: true,
  Component: Teasers,

  show() {
    if (!state.catalogue.isHost) return;
    const listed = loadTeasers();
    if (!state.teaser.position && !state.teaser.waits) reopenTeaser(listed);
  },

  // A request may have been lost with the connection.
  connected() {
    if (state.teaser.position) showTeaser(state.teaser.position);
    else if (state.view === teasers.id) this.show?.();
  },

  // The number of a teaser among those of its kind that the board knows.
  address() {
    const { variant = "", position } = state.teaser.position?.teaser ?? {};
    const number = (state.catalogue.positions[variant] ?? []).findIndex((one) => one.position === position) + 1;
    return number ? `teaser/${variant}-${number}` : "";
  },

  follow({ kind, id }) {
    const [, variant, number] = /^(.+)-(\d+)$/.exec(kind === "teaser" ? id : "") ?? [];
    const known = state.catalogue.positions[variant]?.[Number(number) - 1];
    if (!known) return false;
    if (!isOpen(known)) openTeaser(known);
    goToView(teasers.id);
    return true;
  },
};


function Teasers() {
  const { asked, position, reply } = state.teaser;
  const hint = reply?.type === "teaser_solution" && reply.what === "hint" ? reply.moves[0] : undefined;
  const value = { position, isOver: position !== null && isOver(position), hint };
  return html`
    <div class="stage"><${Board} board=${board} value=${value} /></div>
    <aside class="panel">
      <${TeaserStatus} position=${position} />
      ${asked && html`
        <${Controls} asked=${asked} />
        <${Today} />
        <${TeaserCard} teaser=${asked.teaser} />
        <${Wall} open=${asked.teaser} />
      `}
    </aside>
  `;
}

/** The moves, what the engine says, and the end, in a box of one height: nothing moves when they come or go. */
function TeaserStatus(/** @type {{ position: TeaserPosition | null }} */ { position }) {
  const isDone = position !== null && isOver(position);
  const words = position ? countWords(position) : [t("teaser.setting")];
  if (position?.solved) words.push(solvedText());
  else if (position && isEndCrossed(position)) words.push(t("teaser.crossed"));
  else if (position && !isDone && !position.choices.length) words.push(t("teaser.stuck"));
  const isEnd = isDone && position.moves.length > 0;
  return html`<div class="status said ${isDone ? "mine" : ""}">
    <div><p id="teaser-status" role="status">${words.join(" · ")}</p><${Answer} isEnd=${isEnd} /></div>
    ${isEnd && html`<div id="teaser-done">
      <span id="teaser-stars" class="stars">${!state.teaser.help && starsOf(position.teaser, resultOf(position))}</span>
      <button class="main" onClick=${() => openNext(position.teaser)}>${t("teaser.next")}</button>
    </div>`}
  </div>`;
}

/** Which teaser it is, its goal, and the best that is known. @param {{ teaser: Teaser }} props */
function TeaserCard({ teaser }) {
  const { position } = state.teaser;
  const isOfPeople = position?.teaser === teaser && peopleOn(position).size > 0;
  return html`<div class="card">
    <div class="row between">
      <h2 id="teaser-title">${titleOf(teaser)}</h2>
      ${teaser.name === "own" && html`<button class="quiet" onClick=${() => deleteOwn(teaser)}>
        ${t("teaser.draw.delete")}</button>`}
    </div>
    <p id="teaser-goal" class="task">
      ${t(`teaser.goal.${isOfPeople ? "huarongdao" : teaser.goal}`, { n: teaser.swaps })}</p>
    ${PICTURED.includes(teaser.variant) && html`<div class="row rule">
      <p>${t(`teaser.rule.${teaser.variant}`)}</p>
      <${Picture} name=${teaser.variant} draw=${() => example(teaser.variant)} />
    </div>`}
    <p id="teaser-best" class="soft">${recordsText(teaser)}</p>
  </div>`;
}

/** How hard it is, the best that is known, and the person's own. @param {Teaser} teaser */
function recordsText(teaser) {
  const { level, best } = teaser;
  const own = ownBest(teaser);
  const words = [];
  if (best !== null) words.push(t("teaser.best", { what: resultText(teaser, best) }));
  if (own !== undefined) words.push(t("teaser.own", { what: resultText(teaser, own) }));
  const records = words.length ? [t("sentence", { text: capital(clauses(...words)) })] : [];
  return sentences(...(level ? [t("difficulty.is", { level: t(`difficulty.${level}`) })] : []), ...records);
}

/** How good a result is; that it is solved, and in how many moves, stands above. @param {TeaserPosition} position */
function doneText(position) {
  const { teaser } = position;
  if (state.teaser.help === "hint") return t("teaser.doneHelped");
  if (state.teaser.help === "seen") return t("teaser.doneSeen");
  const isBest = teaser.best !== null && farness(teaser, resultOf(position), teaser.best) <= 1;
  if (state.teaser.help && (isBest || teaser.best === null)) return t("teaser.doneShown");
  if (state.teaser.help) return t("teaser.doneFrom", { best: resultText(teaser, teaser.best ?? 0) });
  // All tours of a board are of one length.
  if (teaser.best === null || teaser.variant === "knights-tour") return "";
  return t(isBest ? "teaser.doneBest" : "teaser.doneMore", { best: resultText(teaser, teaser.best) });
}

/** @param {{ asked: TeaserPlace }} props */
function Controls({ asked }) {
  const { position, waits } = state.teaser;
  const isWaiting = waits !== "" && !watching.isOn;
  const isBusy = waits === "working" || watching.isOn;
  const isFirst = !position?.moves.length;
  const isDone = !position || isOver(position);
  return html`<div class="row even" id="teaser-controls">
    <button id="teaser-back" disabled=${isWaiting || isFirst}
      onClick=${() => showTeaser({ ...asked, moves: asked.moves.slice(0, -1) })}>${t("teaser.undo")}</button>
    <button id="teaser-restart" disabled=${isWaiting || isFirst} onClick=${() => openTeaser(asked.teaser)}>
      ${t("teaser.restart")}</button>
    <button id="teaser-hint" disabled=${isWaiting || isBusy || isDone} onClick=${() => askSolver("hint")}>
      ${t("teaser.hint")}</button>
    ${isBusy && html`<button onClick=${stopSolver}>${t("stop")}</button>`}
    ${!isBusy && html`<button id="teaser-watch" disabled=${isWaiting || isDone} onClick=${watchSolution}>
      ${t("teaser.watch")}</button>`}
  </div>`;
}

/** The engine's reply, a note that it is working if that takes a while, or how the teaser ended. */
function Answer(/** @type {{ isEnd: boolean }} */ { isEnd }) {
  const { waits, reply, position } = state.teaser;
  const isLate = useLate(waits !== "");
  const text = reply ? replyText(reply) : position && (isEnd ? doneText(position) : gainText(position));
  return html`
    ${isLate && html`<progress></progress>`}
    <p id="teaser-answer" class=${reply?.type === "error" && !isLate ? "bad" : ""} role="status">
      ${isLate ? t(`teaser.${waits}`) : text}
    </p>
  `;
}

/** Whether something has lasted for a while. @param {boolean} isOn */
function useLate(isOn) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(isOn), isOn ? PROGRESS_DELAY_MS : 0);
    return () => clearTimeout(timer);
  }, [isOn]);
  return isOn && isLate;
}

/** The points of the last swap of match-3, and their reason. @param {TeaserPosition} position */
function gainText({ moves, waves: [own, ...fallen] }) {
  const more = fallen.reduce((sum, one) => sum + one, 0);
  return moves.length && own ? t(more ? "teaser.gain.chain" : "teaser.gain", { n: own + more, own, more }) : "";
}

/** @param {SolverReply | TeaserFault} reply */
function replyText(reply) {
  if (reply.type === "error") return errorText(reply);
  const { what, moves, left, said } = reply;
  const { position } = state.teaser;
  const isCrossed = position !== null && isEndCrossed(position);
  if (!moves.length) return sentences(...(isCrossed ? [t("teaser.crossed")] : []), nothingText(said));
  const isMatch = state.teaser.asked?.teaser.variant === "match3";
  const { solution } = state.teaser;
  // A teaser without an end has no card that says so.
  if (what === "solution" && !solution.length) return t("teaser.doneShown");
  if (what === "solution") return t(isMatch ? "teaser.foundBest" : "teaser.found", { n: state.teaser.solution.length });
  return sentences(
    t("teaser.hintIs"),
    ...(left ? [t(isMatch ? "teaser.leftPoints" : "teaser.found", { n: left })] : []),
  );
}
