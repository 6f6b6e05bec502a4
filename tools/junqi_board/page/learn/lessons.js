// The lessons: positions with a task. Every move was worked out in advance, so a lesson needs no server.

import { boardOf, loadLessons, sceneOf } from "../board/boards.js";
import { JunqiBoard } from "../board/junqi_board.js";
import { Board } from "../board/saying.js";
import { playSound } from "../board/sounds.js";
import { startAtOnce } from "../game/lineup.js";
import { mayLeave } from "../game/live_game.js";
import { startQuickly } from "../game/setup.js";
import { $ } from "../shell/dom.js";
import { goToView, showAddress } from "../shell/navigation.js";
import { announce, endRefusal, showRefusal } from "../shell/notices.js";
import { addFact, hasFact, setSetting } from "../shell/store.js";
import { change, state } from "../state.js";
import { sentences, t } from "../texts.js";
import { html, redrawNow } from "../view.js";
import { moveSaying, textOf } from "../voice.js";
import { openPieceTable, PieceTable } from "./piece_table.js";
import { problems } from "./problems.js";
import { Task } from "./task.js";

const lessonBoard = new JunqiBoard("learn-board", {
  hasMap: true,
  playSound,
  onMove: ({ move }) => tryMove(String(move)),
  // Another piece could move, but the lesson asks for this one.
  onRefuse: (shape, place, chosen) =>
    shape && !chosen && isLeftAside(shape) ? showRefusal(taskText) : lessonBoard.refuse(shape, place, chosen),
});

/** @type {View} */
export const learn = {
  id: "learn",
  Component: Learn,
  Overlay: PieceTable,
  // Progress of earlier visits is drawn with the page.
  connected: () => {},
  address: () => (state.learn.at < 0 ? "" : `learn/${state.learn.at + 1}`),

  async show() {
    const lessons = await loadLessons();
    openLesson(state.learn.at < 0 ? lessons.findIndex(({ name }) => !isLearned(name)) : state.learn.at);
  },

  async follow({ kind, id }) {
    if (kind !== "learn" || !(await loadLessons())[Number(id) - 1]) return false;
    change("learn", { at: Number(id) - 1 });
    goToView(learn.id);
    return true;
  },
};

/** The lesson that is shown; none before they have come. @returns {Lesson | undefined} */
const lessonAt = () => state.learn.lessons[state.learn.at];

/** Whether a lesson was done, in any visit. @param {string} name */
const isLearned = (name) => hasFact("learned", name);

const taskText = () => t(`lesson.${lessonAt()?.name}.task`);

/** Whether an own piece may not move only because the lesson asks for another one. @param {Shape} shape */
function isLeftAside({ seat, letter, point }) {
  const lesson = lessonAt();
  const isBound = "jl".includes(String(letter)) || lessonBoard.data.points[Number(point)].kind === "headquarters";
  return lesson !== undefined && state.learn.tried === null && seat === "S" && !isBound;
}

/** @param {number} at */
function openLesson(at) {
  endRefusal();
  change("learn", { at: Math.max(0, Math.min(at, state.learn.lessons.length - 1)), tried: null });
  showAddress();
  redrawNow();
  // Whoever goes along the tabs by keys stays there.
  if (!document.activeElement?.matches("[role=tab]")) $("learn-board").focus({ preventScroll: true });
  const { name } = /** @type {Lesson} */ (lessonAt());
  announce(sentences(t(`lesson.${name}.text`), t(`lesson.${name}.task`)));
  scrollTo(0, 0);
}

/** @param {string} tried */
function tryMove(tried) {
  const lesson = lessonAt();
  if (!lesson) return;
  change("learn", { tried });
  if (lesson.good.includes(tried) && !isLearned(lesson.name)) addFact("learned", lesson.name);
  announce(replyOf(lesson, tried));
}

/** The position of the lesson, or what the move that was tried led to. @returns {Drawing | null} */
function lessonDrawing() {
  const { tried } = state.learn;
  const lesson = lessonAt();
  if (!lesson) return null;
  const { pieces, last } = tried ? lesson.after[tried] : { pieces: lesson.pieces, last: null };
  const targets = tried ? {} : lesson.targets;
  const isDone = tried !== null && lesson.good.includes(tried);
  const own = Object.keys(targets).map((point) => ({ kind: "marked", point: Number(point) }));
  const rings = isDone ? [] : [...own, ...lesson.marked.map((point) => ({ kind: "marked aim", point }))];
  const scene = sceneOf(lesson.variant, pieces, { last });
  const about = { key: lesson.name, at: Number(tried !== null), bottom: "S", mine: "S", isPlayed: true };
  return { ...about, scene, targets, rings, arrows: [] };
}

/** The effect of a move of a lesson; after a wrong one, the task again. @param {Lesson} lesson @param {string} tried */
function replyOf({ name, variant, good, after }, tried) {
  const data = /** @type {BoardData} */ (boardOf(variant));
  if (good.includes(tried)) return t(`lesson.${name}.done`);
  const { last } = after[tried];
  const stands = last.outcome === "no-battle" || last.outcome === "attacker-won";
  const isStuck = stands && data.points[last.to].kind === "headquarters";
  return sentences(
    textOf(moveSaying(last, data, { mine: "S", seats: data.seats })),
    ...(isStuck ? [t("learn.stuck")] : []),
    t(`lesson.${name}.wrong`),
  );
}

function Learn() {
  const lesson = lessonAt();
  return html`
    <div class="stage"><div class="table"><${Board} board=${lessonBoard} value=${lessonDrawing()} /></div></div>
    ${lesson && boardOf(lesson.variant) && html`<aside class="panel">
      <p class="status" id="learn-status" role="status">
        ${t("learn.at", { at: state.learn.at + 1, all: state.learn.lessons.length })}</p>
      <${LessonTask} lesson=${lesson} />
      <div class="card">
        <ol id="learn-list" class="lessons">${state.learn.lessons.map(({ name }, at) => html`<${Entry} name=${name}
          at=${at} />`)}</ol>
        <button id="learn-table" onClick=${openPieceTable}>${t("pieces.title")}</button>
      </div>
    </aside>`}
  `;
}

/** @param {{ lesson: Lesson }} props */
function LessonTask({ lesson }) {
  const { lessons, at, tried } = state.learn;
  const { name, good } = lesson;
  const isGood = tried !== null && good.includes(tried);
  const isLast = at + 1 === lessons.length;
  const text = (/** @type {string} */ part) => t(`lesson.${name}.${part}`);
  // All lessons are done: a problem, or a first game against the weakest level.
  const playFirst = async () => {
    if (!(await mayLeave())) return;
    setSetting("level", "beginner");
    startAtOnce();
    if (await startQuickly("luzhanqi", "engine")) goToView("play");
  };
  return html`<${Task} of="learn" title=${text("title")} text=${text("text")} task=${text("task")}
    answer=${tried && replyOf(lesson, tried)} isGood=${isGood}>
    <button disabled=${at === 0} onClick=${() => openLesson(at - 1)}>${t("learn.back")}</button>
    ${tried && html`<button class=${isGood ? "" : "main"} onClick=${() => openLesson(at)}>${t("end.again")}</button>`}
    ${!isLast && html`<button id="learn-next" class=${isGood ? "main" : ""} onClick=${() => openLesson(at + 1)}>
      ${t(isGood || isLearned(name) ? "learn.next" : "learn.skip")}
    </button>`}
    ${isLast && isGood && state.catalogue.isHost && html`<button onClick=${() => goToView(problems.id)}>
      ${t("tab.problem")}</button>`}
    ${isLast && isGood && html`<button class="main" onClick=${playFirst}>${t("learn.finish")}</button>`}
  <//>`;
}

/** A lesson in the list. @param {{ name: string, at: number }} props */
const Entry = ({ name, at }) => html`<li class=${isLearned(name) ? "done" : ""}>
  <button class="quiet" aria-current=${at === state.learn.at ? "step" : null} onClick=${() => openLesson(at)}>
    ${t(`lesson.${name}.title`)}</button>
  ${isLearned(name) && html`<span class="tick" role="img" aria-label=${t("learn.isDone")}>✓</span>`}
</li>`;
