// Puzzles of Junqi itself, by theme, difficulty and game: a question about a position, and why an answer is right or wrong.

import { catalogue } from "./catalogue.js";
import { $, announce, refill } from "./dom.js";
import { JunqiBoard, boardOf } from "./junqi_board.js";
import { goTo, showAddress } from "./navigation.js";
import { showSeats } from "./panel.js";
import { socket } from "./socket.js";
import { keep, kept } from "./storage.js";
import { capital, t } from "./texts.js";
import { quizSaying, rangeText, shown } from "./voice.js";

const MAX_DAYS = 400;
/** What can be chosen, each with the values beside `all`. */
const CHOICES = { theme: ["flag", "win", "attack", "save"], level: ["easy", "medium", "hard"], variant: ["luzhanqi", "siguo"] };
const ALL = "";
/** Before so many are solved, easy ones of two players come first. */
const FIRST_PUZZLES = 5;

/** @typedef {{ id: string, theme: string, variant: string, level: string }} Known a puzzle to choose */
/** @typedef {{ done: string[], solved: number, row: number, best: number }} Score `done` are those solved since all were new */
/** @typedef {{ question: string, theme: string, level: string, variant: string, mine: string, pieces: Piece[], proven: Record<string, string>, targets: Record<string, Record<string, string>>, asked: Record<string, string>, marked: number[], alive: string, counts: Record<string, number>, may: Record<string, string> }} Question */

/** @type {Score} */
const NONE = { done: [], solved: 0, row: 0, best: 0 };

/** @implements {View} */
class QuizView {
  id = "quiz";
  /** @type {Known[]} */
  known = [];
  today = "";
  /** Those that this page has shown. @type {Set<string>} */
  seen = new Set();
  /** @type {Question | null} */
  question = null;
  /** Those that were answered; only a first answer counts. @type {Set<string>} */
  answered = new Set();
  /** What the server said to the answer. @type {QuizTold | null} */
  told = null;
  board = new JunqiBoard($("quiz-board"), {
    onMove: (choice) => this.answer(String(choice.move)),
    onHover: (shape) => this.tellMay(shape),
  });

  begin() {
    $("quiz-next").onclick = () => this.next();
    $("quiz-day").onclick = () => this.openDay();
    for (const name of Object.keys(CHOICES)) select(name).onchange = () => this.choose();
    this.board.follow($("quiz-answer"));
  }

  // The puzzles to choose from; the server is asked each time, since the day may be another.
  async load() {
    const found = await socket.ask("quiz_list");
    if (!found) return;
    this.today = found.today;
    this.known = found.questions.map((/** @type {[id: string, variant: string, level: string]} */ [id, variant, level]) => ({ id, theme: id.split("-")[0], variant, level }));
  }

  async show() {
    await this.load();
    if (this.question) this.redraw();
    else await this.next();
  }

  address() {
    return this.question ? `puzzle/${this.question.question}` : "";
  }

  /** @param {Linked} place */
  async follow({ kind, id }) {
    if (kind !== "puzzle") return false;
    await this.load();
    if (!this.known.some((one) => one.id === id)) return false;
    await this.open(id);
    goTo(this.id);
    return true;
  }

  async openDay() {
    await this.load();
    await this.open(this.today);
    goTo(this.id);
  }

  /** Says what the piece under the pointer may be, by all that is proven. @param {Shape | null} shape */
  tellMay(shape) {
    const may = this.question?.may[Number(shape?.point ?? -1)];
    if (shape && may) $("quiz-may").textContent = t("quiz.may", { may: rangeText(may) });
  }

  /** @returns {Score} */
  score() {
    return { ...NONE, ...kept("quiz", NONE) };
  }

  /** What is chosen, by name; empty for all. @returns {Record<string, string>} */
  chosen() {
    return kept("quizChoice", {});
  }

  // The puzzles that are chosen; of any difficulty where there are none.
  pool() {
    const { theme, level, variant } = this.chosen();
    const found = this.known.filter((one) => [ALL, undefined, one.theme].includes(theme) && [ALL, undefined, one.variant].includes(variant));
    const those = found.filter((one) => one.level === level);
    return those.length ? those : found;
  }

  async choose() {
    keep("quizChoice", Object.fromEntries(Object.keys(CHOICES).map((name) => [name, select(name).value])));
    await this.next();
  }

  // A puzzle of the choice that was neither solved nor seen; when all are solved, they are new again.
  async next() {
    const pool = this.pool();
    const score = this.score();
    let left = pool.filter(({ id }) => !score.done.includes(id));
    if (!left.length) {
      keep("quiz", { ...score, done: score.done.filter((id) => !pool.some((one) => one.id === id)) });
      left = pool;
    }
    if (left.every(({ id }) => this.seen.has(id))) for (const { id } of left) this.seen.delete(id);
    const unseen = left.filter(({ id }) => !this.seen.has(id) && id !== this.question?.question);
    const simple = score.solved < FIRST_PUZZLES ? unseen.filter(({ level, variant }) => level === "easy" && variant === "luzhanqi") : [];
    const fresh = simple.length ? simple : unseen;
    const drawn = fresh[Math.floor(Math.random() * fresh.length)] ?? left[0];
    if (drawn) await this.open(drawn.id);
  }

  /** @param {string} id */
  async open(id) {
    const question = await socket.ask("quiz", { question: id });
    if (!question) return;
    Object.assign(this, { question, told: null });
    this.seen.add(id);
    showAddress();
    this.redraw();
    $("quiz-board").scrollIntoView({ block: "nearest" });
  }

  /** @param {string} answer */
  async answer(answer) {
    const id = this.question?.question ?? "";
    this.told = await socket.ask("quiz_try", { question: id, answer });
    if (!this.told) return;
    if (!this.answered.has(id)) this.count(id, this.told.is_right);
    this.answered.add(id);
    this.redraw();
    $("quiz-next").scrollIntoView({ block: "nearest" });
    announce($("quiz-answer").textContent ?? "");
  }

  /** @param {string} id @param {boolean} isRight */
  count(id, isRight) {
    const score = this.score();
    const row = isRight ? score.row + 1 : 0;
    const done = isRight ? [...score.done.filter((one) => one !== id), id] : score.done;
    keep("quiz", { done, solved: score.solved + Number(isRight && !score.done.includes(id)), row, best: Math.max(score.best, row) });
    const days = kept("daily", {});
    if (id === this.today && !(catalogue.today in days)) keep("daily", Object.fromEntries([...Object.entries(days).slice(1 - MAX_DAYS), [catalogue.today, isRight]]));
  }

  redraw() {
    const { question, told, board } = this;
    this.drawHome();
    const data = question && boardOf(question.variant);
    if (!question || !data) return;
    board.set(data, question.mine);
    const asked = Object.entries(question.asked).map(([point, move]) => ({ ...board.point(Number(point)), move }));
    /** @type {Map<string, Choice[]>} */
    const choices = told ? new Map() : asked.length ? new Map([["asked", asked]]) : board.choices(question.pieces, question.targets);
    const shapes = question.pieces.map((piece) => board.shape(piece, { proven: question.proven[piece[0]] }));
    board.svgBoard.update({ shapes, choices, spots: board.spots(), selected: asked.length && !told ? "asked" : null });
    this.drawMarks(question);
    const about = { ...question, phase: "playing", turn: question.mine };
    showSeats($("quiz-seats"), [...data.seats].map((seat) => [seat, { name: "", who: "engine" }]), about, (seat) => board.sideOf(seat));
    this.drawPanel(question);
  }

  /** What is asked about, then the right answer. @param {Question} question */
  drawMarks(question) {
    const { told, board } = this;
    const asked = Object.keys(question.asked).map(Number);
    $("quiz-board").classList.toggle("asks", !told && asked.length > 0);
    if (!told) return board.showMarked(asked, question.marked);
    if (told.points.length < 2) return board.showMarked(told.points);
    board.showBetter(told.answer);
  }

  /** @param {Question} question */
  drawPanel({ theme, level }) {
    const { told } = this;
    $("quiz-head").textContent = t("quiz.head", { theme: t(`quiz.theme.${theme}`), level: t(`difficulty.${level}`) });
    $("quiz-about").textContent = t(`quiz.about.${theme}`);
    $("quiz-may").textContent = told ? "" : t("quiz.point");
    const answer = $("quiz-answer");
    const saying = told && quizSaying(told, theme, this.board.listener);
    answer.replaceChildren(...(saying ? [shown(saying)] : []));
    answer.classList.toggle("good", Boolean(told?.is_right));
    answer.classList.toggle("wrong", Boolean(told && !told.is_right));
    $("quiz-next").classList.toggle("main", told !== null);
    for (const [name, values] of Object.entries(CHOICES)) {
      const text = (/** @type {string} */ value) => capital(t(name === "theme" ? `quiz.theme.${value}` : name === "level" ? `difficulty.${value}` : `home.name.${value}`));
      refill(select(name), [[ALL, t("quiz.all")], ...values.map((value) => [value, text(value)])], this.chosen()[name] ?? ALL);
    }
    const { done, solved, row, best } = this.score();
    const pool = this.pool();
    $("quiz-record").textContent = t("quiz.record", { n: solved, row, best });
    $("quiz-left").textContent = t("quiz.left", { done: pool.filter(({ id }) => done.includes(id)).length, all: pool.length });
  }

  // On the first view: whether today's puzzle was solved.
  drawHome() {
    const { [catalogue.today]: isSolved } = kept("daily", {});
    $("home-quiz-done").textContent = isSolved === undefined ? t("quiz.new") : t(isSolved ? "quiz.first" : "quiz.tried");
  }
}

/** @param {string} name @returns {HTMLSelectElement} */
const select = (name) => /** @type {any} */ ($(`quiz-${name}`));

export const quiz = new QuizView();
