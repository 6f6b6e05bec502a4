// The puzzles of Junqi: a position with one right answer, and why an answer is right or wrong.

import { boardOf, JunqiBoard } from "../board/junqi_board.js";
import { Said } from "../board/saying.js";
import { Board } from "../board/svg_board.js";
import { Seats } from "../game/plates.js";
import { $ } from "../shell/dom.js";
import { goTo, showAddress } from "../shell/navigation.js";
import { announce } from "../shell/notices.js";
import { FIRST_SHOWN } from "../shell/ratings.js";
import { addFact, facts, keep, kept } from "../shell/store.js";
import { socket } from "../socket.js";
import { change, state } from "../state.js";
import { sentences, t } from "../texts.js";
import { html, redrawNow } from "../view.js";
import { quizSaying, rangeText, textOf } from "../voice.js";
import { Task } from "./task.js";

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

/**
 * @param {string} given
 * @param {boolean} [isLast] whether the right answer is told in any case, as after a second wrong one
 */
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
