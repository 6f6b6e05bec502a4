// Lessons and puzzles of Junqi: a position with a task, what is marked in it, and why an answer is right or wrong. Every move
// of a lesson was worked out in advance, so a lesson needs no server; a puzzle is asked for.

import { $, file } from "../shell/dom.js";
import { boardOf, JunqiBoard } from "../board/junqi_board.js";
import { addFact, facts, keep, kept } from "../shell/store.js";
import { goTo, showAddress } from "../shell/navigation.js";
import { announce } from "../shell/notices.js";
import { Seats } from "../game/status.js";
import { openPieceTable } from "./piece_table.js";
import { startAtOnce } from "../game/lineup.js";
import { mayLeave } from "../game/live_game.js";
import { startQuickly } from "../game/setup.js";
import { Said } from "../board/saying.js";
import { socket } from "../socket.js";
import { change, state } from "../state.js";
import { Board } from "../board/svg_board.js";
import { sentences, t } from "../texts.js";
import { html, redrawNow } from "../view.js";
import { moveSaying, quizSaying, rangeText, textOf } from "../voice.js";
import { FIRST_SHOWN } from "../shell/ratings.js";

/** @typedef {import("../vendor/preact.js").Content} Content */

/**
 * What to do, and what the answer has done; below it the ways on.
 * @param {{ of: "learn" | "puzzle", title?: string, text: string, task?: string, note?: string, answer: Content, isGood: boolean, children?: Content }} props
 */
const Task = ({ of, title, text, task, note, answer, isGood, children }) => html`<div class="card lesson ${answer ? "tried" : ""}">
  ${title && html`<h2 id="${of}-title">${title}</h2>`}
  <p id="${of}-text">${text}</p>
  ${task && html`<p id="${of}-task" class="task">${task}</p>`}
  ${note !== undefined && html`<p class="hint" aria-live="polite">${note}</p>`}
  <p id="${of}-answer" class="answer ${isGood ? "good" : ""}">${answer}</p>
  <div class="row">${children}</div>
</div>`;

// The lessons.

const lessonBoard = new JunqiBoard("learn-board", { onMove: ({ move }) => tryMove(String(move)) });

/** @type {View} */
export const learn = {
  id: "learn",
  Component: Learn,
  // What the server has kept of other visits is drawn with the page.
  connected: () => {},
  address: () => (state.learn.at < 0 ? "" : `learn/${state.learn.at + 1}`),

  async show() {
    const lessons = await loadLessons();
    openLesson(state.learn.at < 0 ? lessons.findIndex(({ name }) => !isLearned(name)) : state.learn.at);
  },

  async follow({ kind, id }) {
    if (kind !== "learn" || !(await loadLessons())[Number(id) - 1]) return false;
    change("learn", { at: Number(id) - 1 });
    goTo(learn.id);
    return true;
  },
};

/** The lessons, which are fetched once. */
export async function loadLessons() {
  if (!state.learn.lessons.length) {
    const lessons = await file("/learn/lessons.json");
    change("learn", { lessons });
  }
  return state.learn.lessons;
}

/** The lesson that is shown; none before they have come. @returns {Lesson | undefined} */
const lessonAt = () => state.learn.lessons[state.learn.at];

/** Whether a lesson was done, in any visit. @param {string} name */
const isLearned = (name) => name in facts("learned");

/** @param {number} at */
function openLesson(at) {
  change("learn", { at: Math.max(0, Math.min(at, state.learn.lessons.length - 1)), tried: null });
  lessonBoard.svgBoard.zoom.end();
  showAddress();
  redrawNow();
  $("learn-board").focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** @param {string} tried */
function tryMove(tried) {
  const lesson = lessonAt();
  if (!lesson) return;
  change("learn", { tried });
  if (lesson.good.includes(tried) && !isLearned(lesson.name)) addFact("learned", lesson.name);
  announce(toldOf(lesson, tried));
}

function drawLesson() {
  const { tried } = state.learn;
  const lesson = lessonAt();
  const data = lesson && boardOf(lesson.variant);
  if (!data) return;
  lessonBoard.set(data, "S");
  const { pieces, last } = tried ? lesson.after[tried] : { pieces: lesson.pieces, last: null };
  const shapes = pieces.map((piece) => lessonBoard.shape(piece));
  const choices = lessonBoard.choices(lesson.pieces, tried ? {} : lesson.targets);
  lessonBoard.show({ shapes, choices, of: lesson.name, at: Number(tried !== null), last, team: "S" });
  lessonBoard.showMarked(tried && lesson.good.includes(tried) ? [] : [...lesson.marked, ...(tried ? [] : Object.keys(lesson.targets).map(Number))]);
}

/** What a move of a lesson did; after a wrong one, what the task is. @param {Lesson} lesson @param {string} tried */
function toldOf({ name, good, after }, tried) {
  if (good.includes(tried)) return t(`lesson.${name}.done`);
  const { last } = after[tried];
  const stands = last.outcome === "no-battle" || last.outcome === "attacker-won";
  const isStuck = stands && lessonBoard.board.points[last.to].kind === "headquarters";
  return sentences(textOf(moveSaying(last, lessonBoard.board, "S")), ...(isStuck ? [t("learn.stuck")] : []), t(`lesson.${name}.wrong`));
}

function Learn() {
  const lesson = lessonAt();
  return html`
    <div class="stage"><${Board} board=${lessonBoard} draw=${drawLesson} inputs=${[lesson, state.learn.tried]} /></div>
    ${lesson && boardOf(lesson.variant) && html`<aside class="panel">
      <p class="status" id="learn-status" role="status">${t("learn.at", { at: state.learn.at + 1, all: state.learn.lessons.length })}</p>
      <${LessonTask} lesson=${lesson} />
      <div class="card">
        <ol id="learn-list" class="lessons">${state.learn.lessons.map(({ name }, at) => html`<${Entry} name=${name} at=${at} />`)}</ol>
        <button id="learn-table" onClick=${openPieceTable}>${t("learn.table")}</button>
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
  // All lessons are done: a puzzle, or a first game against the weakest level.
  const playFirst = async () => {
    if (!(await mayLeave())) return;
    keep("level", "beginner");
    startAtOnce();
    if (await startQuickly("luzhanqi", "engine")) goTo("play");
  };
  return html`<${Task} of="learn" title=${text("title")} text=${text("text")} task=${text("task")} answer=${tried && toldOf(lesson, tried)} isGood=${isGood}>
    <button disabled=${at === 0} onClick=${() => openLesson(at - 1)}>${t("learn.back")}</button>
    ${tried && html`<button class=${isGood ? "" : "main"} onClick=${() => openLesson(at)}>${t("end.again")}</button>`}
    ${!isLast && html`<button id="learn-next" class=${isGood ? "main" : ""} onClick=${() => openLesson(at + 1)}>
      ${t(isGood || isLearned(name) ? "learn.next" : "learn.skip")}
    </button>`}
    ${isLast && isGood && state.catalogue.isHost && html`<button onClick=${() => goTo(puzzles.id)}>${t("tab.puzzle")}</button>`}
    ${isLast && isGood && html`<button class="main" onClick=${playFirst}>${t("learn.finish")}</button>`}
  <//>`;
}

/** A lesson in the list. @param {{ name: string, at: number }} props */
const Entry = ({ name, at }) => html`<li class=${isLearned(name) ? "done" : ""}>
  <button class="quiet" aria-current=${at === state.learn.at ? "step" : null} onClick=${() => openLesson(at)}>${t(`lesson.${name}.title`)}</button>
  ${isLearned(name) && html`<span class="tick" role="img" aria-label=${t("learn.isDone")}>✓</span>`}
</li>`;

// The puzzles.

/** Before so many are solved, easy ones of two players come first. */
const FIRST_PUZZLES = 5;

/** @typedef {{ solved: number, row: number, best: number, rating: number, tried: number }} Score */
/** @type {Score} */
const NONE = { solved: 0, row: 0, best: 0, rating: 1200, tried: 0 };
/** The ratings of puzzles, and how much an answer changes that of the person. */
const [RATINGS, RATING_STEP] = [{ easy: 1000, medium: 1300, hard: 1600 }, 32];
/** How long the pieces lie face up before the answer is played. */
const TURNED_MS = 1500;

/** The name under which what is asked about can be chosen. */
const ASKED = "asked";

/** Those that this page has shown, and those that were answered: only a first answer counts. @type {Set<string>[]} */
const [seen, answered] = [new Set(), new Set()];

const puzzleBoard = new JunqiBoard("puzzle-board", {
  onMove: (choice, id) => (id === ASKED && mustLook(choice) ? look(choice) : answer(String(choice.move))),
  onHover: (shape) => tellMay(shape),
  // A hidden piece says what it may be.
  onRefuse: (shape, place, chosen) => (shape && !chosen && state.puzzle.question?.may[Number(shape.point)] ? tellMay(shape) : puzzleBoard.refuse(shape, place, chosen)),
});

/** @type {View} */
export const puzzles = {
  id: "puzzle",
  isForHost: true,
  Component: Puzzles,
  begin: () => puzzleBoard.follow($("puzzle")),
  address: () => (state.puzzle.question ? `puzzle/${state.puzzle.question.question}` : ""),

  async show() {
    await loadPuzzles();
    if (!state.puzzle.question) await nextPuzzle();
  },

  async follow({ kind, id }) {
    if (kind !== "puzzle") return false;
    await loadPuzzles();
    if (!state.puzzle.known.some(({ question }) => question === id)) return false;
    await openPuzzle(id);
    goTo(puzzles.id);
    return true;
  },
};

/** Which puzzles there are. The server is asked each time, since the day may be another. */
async function loadPuzzles() {
  const found = await socket.ask("quiz_list");
  if (!found) return;
  const known = found.questions.map((/** @type {string[]} */ [question, variant, level]) => ({ question, variant, level }));
  change("puzzle", { today: found.today, known });
}

export async function openPuzzleOfDay() {
  await loadPuzzles();
  await openPuzzle(state.puzzle.today);
  goTo(puzzles.id);
}

/** Whether today's puzzle was solved, in words. */
export function dayText() {
  const { [state.catalogue.today]: isSolved } = kept("daily", {});
  return t(isSolved === undefined ? "puzzle.today.new" : isSolved ? "puzzle.today.solved" : "puzzle.today.tried");
}

/** Says what the piece under the pointer may be, by all that is proven. @param {Shape | null} shape */
function tellMay(shape) {
  const may = state.puzzle.question?.may[shape?.point ?? -1];
  if (may && may !== state.puzzle.may) change("puzzle", { may });
}

/** The first touch of a finger looks, the second answers. @param {Choice} choice */
const mustLook = ({ move }) => puzzleBoard.svgBoard.isTouched && state.puzzle.looked !== move;

/** @param {Choice} choice */
function look(choice) {
  const { svgBoard } = puzzleBoard;
  change("puzzle", { looked: String(choice.move) });
  svgBoard.zoom.enlarge(choice, svgBoard.unit * svgBoard.wide);
}

/** @returns {Score} */
const score = () => ({ ...NONE, ...kept("quiz", NONE) });

/** Whether a puzzle was solved; older boards kept a list in the score. @param {string} id */
const isSolved = (id) => id in facts("done") || Boolean(kept("quiz", {}).done?.includes(id));

/** Opens one that was neither solved nor seen; when all are solved, any may come again. */
async function nextPuzzle() {
  const { solved } = score();
  const unsolved = state.puzzle.known.filter(({ question }) => !isSolved(question));
  const left = unsolved.length ? unsolved : state.puzzle.known;
  if (left.every(({ question }) => seen.has(question))) for (const { question } of left) seen.delete(question);
  const unseen = left.filter(({ question }) => !seen.has(question) && question !== state.puzzle.question?.question);
  const simple = solved < FIRST_PUZZLES ? unseen.filter(({ level, variant }) => level === "easy" && variant === "luzhanqi") : [];
  const fresh = simple.length ? simple : unseen;
  const drawn = fresh[Math.floor(Math.random() * fresh.length)] ?? left[0];
  if (drawn) await openPuzzle(drawn.question);
}

const UNTOLD = { told: null, isPlayed: false, looked: "", may: "" };

/** @param {string} id */
async function openPuzzle(id) {
  const question = await socket.ask("quiz", { question: id });
  if (!question) return;
  seen.add(id);
  change("puzzle", { question, ...UNTOLD });
  puzzleBoard.svgBoard.zoom.end();
  showAddress();
  scrollTo(0, 0);
}

/** @param {string} given @param {boolean} [isLast] whether the right answer is told in any case, as after a second wrong one */
async function answer(given, isLast = state.puzzle.told !== null) {
  const { question, theme } = /** @type {Question} */ (state.puzzle.question);
  /** @type {QuizTold | null} */
  const told = await socket.ask("quiz_try", { question, answer: given, is_last: isLast });
  if (!told || question !== state.puzzle.question?.question) return;
  if (!answered.has(question)) count(question, told.is_right);
  answered.add(question);
  change("puzzle", { ...UNTOLD, told, given });
  if (told.after) setTimeout(() => state.puzzle.told === told && change("puzzle", { isPlayed: true }), TURNED_MS);
  redrawNow();
  $("puzzle-next").scrollIntoView({ block: "nearest" });
  announce(textOf(quizSaying(told, theme, puzzleBoard.listener)));
}

/** @param {string} id @param {boolean} isRight */
function count(id, isRight) {
  const { solved, row, best, rating, tried, ...older } = score();
  const level = state.puzzle.known.find(({ question }) => question === id)?.level;
  const chance = 1 / (1 + 10 ** (((RATINGS[/** @type {keyof typeof RATINGS} */ (level)] ?? rating) - rating) / 400));
  const rated = { rating: rating + RATING_STEP * (Number(isRight) - chance), tried: tried + 1 };
  const now = isRight ? row + 1 : 0;
  const isNew = isRight && !isSolved(id);
  if (isNew) addFact("done", id);
  keep("quiz", { ...older, solved: solved + Number(isNew), row: now, best: Math.max(best, now), ...rated });
  if (id === state.puzzle.today && !(state.catalogue.today in facts("daily"))) addFact("daily", state.catalogue.today, isRight);
}

function drawPuzzle() {
  const { question, told, isPlayed, looked } = state.puzzle;
  const data = question && boardOf(question.variant);
  if (!data) return;
  const isDone = told?.turned !== undefined;
  const board = puzzleBoard;
  board.set(data, question.mine);
  const asked = Object.entries(question.asked).map(([point, move]) => ({ ...board.point(Number(point)), move }));
  const isAsked = !isDone && asked.length > 0;
  /** @type {Map<string, Choice[]>} */
  const choices = isDone ? new Map() : isAsked ? new Map([[ASKED, asked]]) : board.choices(question.pieces, question.targets);
  const pieces = (isPlayed && told?.after?.pieces) || told?.turned || question.pieces;
  const shapes = pieces.map((piece) => board.shape(piece, { proven: isDone ? undefined : question.proven[piece[0]] }));
  const last = (isPlayed && told?.after?.last) || null;
  const selected = isAsked ? ASKED : null;
  board.show({ shapes, choices, selected, of: question.question, at: Number(last !== null), last, team: question.mine });
  board.svgBoard.svg.classList.toggle("asks", isAsked);
  // What is asked about, then the right answer.
  if (last) board.showMarked([]);
  else if (!isDone) board.showMarked(Object.keys(question.asked).map(Number), question.marked);
  else if (told.after) board.showBetter(told.answer ?? "");
  else board.showMarked(told.points ?? []);
  const point = isDone ? undefined : Object.keys(question.asked).find((one) => question.asked[one] === looked);
  if (point !== undefined) board.svgBoard.layers.advice.append(board.ring(Number(point), "marked looked"));
}

function Puzzles() {
  const { question, told, isPlayed, looked } = state.puzzle;
  const data = question && boardOf(question.variant);
  const about = { ...question, phase: "playing", turn: question?.mine };
  return html`
    <div class="stage">
      <div class="table">
        <${Board} board=${puzzleBoard} draw=${drawPuzzle} inputs=${[question, told, isPlayed, looked]} />
        ${data && html`<${Seats} id="puzzle-seats" data=${data} bottom=${question.mine} seatOf=${() => ({ name: "", who: "engine" })} about=${about} />`}
      </div>
    </div>
    ${data && html`<aside class="panel">
      <p class="status" role="status">${t("puzzle.head", { theme: t(`puzzle.theme.${question.theme}`), level: t(`difficulty.${question.level}`) })}</p>
      <${PuzzleTask} question=${question} />
      <${PuzzleRecord} />
    </aside>`}
  `;
}

/** @param {{ question: Question }} props */
function PuzzleTask({ question: { theme } }) {
  const { told, given, may, looked } = state.puzzle;
  const isDone = told?.turned !== undefined;
  const about = may ? t("puzzle.may", { may: rangeText(may) }) : isDone ? t("puzzle.turned") : t("puzzle.point");
  const note = looked ? sentences(...(may ? [about] : []), t("puzzle.looked")) : about;
  const saying = told && html`<${Said} saying=${quizSaying(told, theme, puzzleBoard.listener)} />`;
  return html`<${Task} of="puzzle" text=${t(`puzzle.about.${theme}`)} note=${note} answer=${saying} isGood=${told?.is_right}>
    ${told && !isDone && html`<button id="puzzle-show" onClick=${() => answer(given, true)}>${t("puzzle.show")}</button>`}
    <button id="puzzle-next" class=${isDone ? "main" : ""} onClick=${nextPuzzle}>${t("puzzle.next")}</button>
    <button onClick=${openPuzzleOfDay}>${t("puzzle.today")}</button>
  <//>`;
}

/** How many puzzles are solved. */
function PuzzleRecord() {
  const { solved, row, best, rating, tried } = score();
  return html`<div id="puzzle-record" class="card">
    ${sentences(t("puzzle.record", { n: solved, row, best }), ...(tried < FIRST_SHOWN ? [] : [t("puzzle.rating", { rating: Math.round(rating) })]))}
  </div>`;
}
