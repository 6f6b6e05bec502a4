// The view of the brain teasers: played by hand, with hints, or shown by a solver.

import { Board, Picture } from "../board/saying.js";
import { peopleOn, TeaserBoard } from "../board/teaser_board.js";
import { example, PICTURED } from "../board/teaser_shapes.js";
import { goToView } from "../shell/navigation.js";
import { errorText } from "../socket.js";
import { state } from "../state.js";
import { capital, clauses, has, isChinese, sentences, t } from "../texts.js";
import { html, Select, useEffect, useState } from "../view.js";
import {
  askSolver, firstOf, isOpen, kindOf, knownIn, loadToday, openNew, openNext, openTeaser,
  playTeaserMove, reopenTeaser, showTeaser, solvedText, stopSolver, variants, watching, watchSolution,
} from "./teaser_play.js";
import { countWords, farness, isOver, ownBest, resultOf, resultText, starsOf } from "./teaser_results.js";

const PROGRESS_DELAY_MS = 250;

const board = new TeaserBoard("teaser-board", (move) => playTeaserMove(move));
/** @type {View} */
export const teasers = {
  id: "teaser",
  isForHost: true,
  Component: Teasers,

  show() {
    if (!state.catalogue.isHost) return;
    loadToday();
    if (!state.teaser.position && !state.teaser.waits) reopenTeaser();
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
  const { asked, position, reply, today } = state.teaser;
  const hint = reply?.type === "teaser_solution" && reply.what === "hint" ? reply.moves[0] : undefined;
  const value = { position, isOver: position !== null && isOver(position), hint };
  return html`
    <div class="stage"><${Board} board=${board} value=${value} /></div>
    <aside class="panel">
      <${TeaserStatus} position=${position} />
      ${asked && html`
        <${TeaserCard} teaser=${asked.teaser} />
        <${Controls} asked=${asked} />
      `}
      <${Reply} />
      ${today.length > 0 && html`<${Today} />`}
    </aside>
  `;
}

/** @param {{ position: TeaserPosition | null }} props */
function TeaserStatus({ position }) {
  const words = position ? countWords(position) : [t("teaser.setting")];
  if (position?.solved) words.push(solvedText());
  else if (position && !isOver(position) && !position.choices.length) words.push(t("teaser.stuck"));
  return html`<p class="status ${position && isOver(position) ? "mine" : ""}" id="teaser-status" role="status">
    ${words.join(" · ")}</p>`;
}

/** Which teaser it is, its goal, the best that is known, and how it ended. @param {{ teaser: Teaser }} props */
function TeaserCard({ teaser }) {
  const { position, help } = state.teaser;
  const all = knownIn(teaser.variant);
  const isOfPeople = position?.teaser === teaser && peopleOn(position).size > 0;
  return html`<div class="card">
    <p id="teaser-goal" class="task">
      ${t(`teaser.goal.${isOfPeople ? "huarongdao" : teaser.goal}`, { n: teaser.swaps })}</p>
    ${PICTURED.includes(teaser.variant) && html`<div class="row rule">
      <p>${t(`teaser.rule.${teaser.variant}`)}</p>
      <${Picture} name=${teaser.variant} draw=${() => example(teaser.variant)} />
    </div>`}
    <p id="teaser-best" class="soft">${recordsText(teaser)}</p>
    ${
      position &&
      isOver(position) &&
      position.moves.length > 0 &&
      html`<div id="teaser-done" class="done-card" role="status">
      <b>${doneText(position)}</b> <span id="teaser-stars" class="stars">${!help && starsOf(teaser, resultOf(position))}
        </span>
      <button class="main" onClick=${() => openNext(teaser)}>${t("teaser.next")}</button>
    </div>`}
    <div class="grid pair">
      <${Select}
        id="teaser-variant"
        label=${t("teaser.kind")}
        value=${teaser.variant}
        entries=${variants().map((variant) => [variant, t(`teaser.name.${variant}`)])}
        onPick=${(/** @type {string} */ variant) => openTeaser(firstOf(variant))}
      />
      <${Select}
        id="teaser-known"
        label=${t("teaser.which")}
        value=${String(all.findIndex(isOpen))}
        entries=${all.map((one, index) => [String(index), `${nameOf(one)} ${starsOf(one, ownBest(one))}`.trim()])}
        onPick=${(/** @type {string} */ index) => openTeaser(all[Number(index)])}
      />
    </div>
    <${New} like=${teaser} />
  </div>`;
}

/** Another teaser of the kind, of a level to choose. @param {{ like: Teaser }} props */
function New({ like }) {
  const levels = state.teaser.levels[kindOf(like)] ?? [];
  const [wanted, want] = useState("");
  const level = [wanted, like.level].find((one) => levels.includes(one)) ?? levels[0] ?? "";
  return html`<div class="grid pair new">
    <${Select} id="teaser-level" label=${t("teaser.level")} value=${level}
      entries=${levels.map((one) => [one, capital(t(`difficulty.${one}`))])} onPick=${want} />
    <button id="teaser-new" disabled=${!levels.length} onClick=${() => openNew(like, level)}>${t("teaser.new")}</button>
  </div>`;
}

/** A name in the language of the page, of one in Chinese and English. @param {string} name */
function inOneLanguage(name) {
  const [chinese, english = chinese] = name.split(" / ");
  return isChinese() ? chinese : english;
}

/** A teaser of the day is named by its kind where its variant has several. @param {Teaser} known */
function nameOf(known) {
  const { today } = state.teaser;
  if (!today.includes(known))
    return has(`teaser.today.${known.name}`)
      ? `${t(`teaser.today.${known.name}`)}, ${t(`difficulty.${known.level}`)}`
      : inOneLanguage(known.name);
  return today.filter(({ variant }) => variant === known.variant).length > 1
    ? t("teaser.today.of", { kind: t(`teaser.today.${known.name}`) })
    : t("teaser.today.one");
}

/** How hard it is, the best that is known, and the person's own. @param {Teaser} teaser */
function recordsText(teaser) {
  const { level, best } = teaser;
  const own = ownBest(teaser);
  const words = [];
  if (best !== null) words.push(t("teaser.best", { what: resultText(teaser, best) }));
  if (own !== undefined) words.push(t("teaser.own", { what: resultText(teaser, own) }));
  const records = words.length ? [t("sentence", { text: clauses(...words) })] : [];
  return sentences(...(level ? [t("difficulty.is", { level: t(`difficulty.${level}`) })] : []), ...records);
}

/** @param {TeaserPosition} position */
function doneText(position) {
  const { teaser } = position;
  const result = resultOf(position);
  const alone = teaser.best === null ? "done" : farness(teaser, result, teaser.best) <= 1 ? "doneBest" : "doneMore";
  const key = { hint: "doneHelped", solution: "doneShown", "": alone }[state.teaser.help];
  return t(`teaser.${key}`, { what: resultText(teaser, result), best: resultText(teaser, teaser.best ?? 0) });
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

/** The engine's reply, or a note that it is working, if that takes a while. */
function Reply() {
  const { waits, reply, position } = state.teaser;
  const isLate = useLate(waits !== "");
  return html`
    ${isLate && html`<progress></progress>`}
    <p id="teaser-answer" class="answer ${reply?.type === "error" && !isLate ? "bad" : ""}" role="status">
      ${isLate ? t(`teaser.${waits}`) : reply ? replyText(reply) : position && gainText(position)}
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
  if (!moves.length) return t("teaser.nothing", { text: said.join("; ") });
  const isMatch = state.teaser.asked?.teaser.variant === "match3";
  const { solution, position } = state.teaser;
  // A teaser without an end has no card that says so.
  if (what === "solution" && !solution.length)
    return t("teaser.doneShown", { what: t("teaser.points", { n: position?.points ?? 0 }) });
  if (what === "solution") return t(isMatch ? "teaser.foundBest" : "teaser.found", { n: state.teaser.solution.length });
  return sentences(
    t("teaser.hintIs"),
    ...(left ? [t(isMatch ? "teaser.leftPoints" : "teaser.found", { n: left })] : []),
  );
}

const Today = () => html`<div class="card" id="teaser-today">
  <h2>${t("teaser.today")}</h2>
  <div id="teaser-today-list" class="row even three">
    ${state.teaser.today.map((one) => html`<${OfToday} known=${one} />`)}</div>
</div>`;

/** @param {{ known: Teaser }} props */
const OfToday = ({
  known,
}) => html`<button class="chip" aria-pressed=${String(isOpen(known))} onClick=${() => openTeaser(known)}>
  <b>${t(`teaser.today.${known.name}`)}</b>
  <span class="soft">${t(`difficulty.${known.level}`)}</span>
  <span class="stars">${starsOf(known, ownBest(known))}</span>
</button>`;
