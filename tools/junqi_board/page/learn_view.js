// The view of the tutorial. Every move of a lesson was worked out in advance, so it needs no server.

import { catalogue, levels } from "./catalogue.js";
import { $, announce, child, make } from "./dom.js";
import { boardOf, JunqiBoard } from "./junqi_board.js";
import { goTo, showAddress } from "./navigation.js";
import { pieceSample } from "./pieces.js";
import { keep, kept } from "./storage.js";
import { distance } from "./svg_board.js";
import { sentences, t } from "./texts.js";
import { moveSaying, textOf } from "./voice.js";

/** The number of each piece of a seat, by rank. */
const COUNTS = { a: 1, b: 1, c: 2, d: 2, e: 2, f: 2, g: 3, h: 3, i: 3, k: 2, j: 3, l: 1 };

export const pieceTable = {
  begin() {
    $("pieces").onclick = () => this.open();
    $("pieces-close").onclick = () => $("pieces-table").close();
  },

  open() {
    child($("pieces-table"), "tbody").replaceChildren(
      ...Object.entries(COUNTS).map(([letter, count]) => {
        return make("tr", {}, make("td", {}, pieceSample("S", letter)), make("th", { scope: "row" }, t(`piece.${letter}`)), make("td", { class: "number" }, String(count)), make("td", {}, t(`special.${letter}`)));
      }),
    );
    const { siguo, luzhanqi } = catalogue.limits;
    $("pieces-quiet").textContent = t("pieces.rule.quiet", { siguo: siguo?.no_contact, luzhanqi: luzhanqi?.no_contact });
    $("pieces-quiet").hidden = !siguo || !luzhanqi;
    $("pieces-table").showModal();
    $("pieces-table").scrollTop = 0;
  },
};

/** @implements {View} */
class LearnView {
  id = "learn";
  /** @type {Lesson[]} */
  lessons = [];
  /** The lesson, from 0; none yet before the first. */
  at = -1;
  /** The move that was tried last. @type {string | null} */
  tried = null;
  /** @type {JunqiBoard} */
  board = new JunqiBoard($("learn-board"), {
    onMove: (choice) => this.play(String(choice.move)),
    describe: (shape, place) => this.describe(shape, place),
  });

  begin() {
    $("learn-back").onclick = () => this.open(this.at - 1);
    $("learn-next").onclick = () => (this.at + 1 < this.lessons.length ? this.open(this.at + 1) : this.finish());
    $("learn-again").onclick = () => this.open(this.at);
    $("learn-table").onclick = () => pieceTable.open();
  }

  // The lessons, which are fetched once.
  async load() {
    if (!this.lessons.length) this.lessons = await (await fetch("/lessons.json")).json();
    return this.lessons;
  }

  async show() {
    await this.load();
    const firstNew = this.lessons.findIndex(({ name }) => !this.done().includes(name));
    if (this.at < 0) this.at = Math.max(0, firstNew);
    this.open(this.at);
  }

  redraw() {
    if (this.lesson) this.draw();
  }

  // The server says which lessons were done in other visits.
  connected() {
    if (this.board.data && this.lessons.length) this.showPanel();
  }

  /** The names of the lessons that were done, in any visit. @returns {string[]} */
  done() {
    return kept("learned", []);
  }

  get lesson() {
    return this.lessons[this.at];
  }

  address() {
    return this.at < 0 ? "" : `learn/${this.at + 1}`;
  }

  /** @param {Linked} place */
  async follow({ kind, id }) {
    if (kind !== "learn" || !(await this.load())[Number(id) - 1]) return false;
    this.at = Number(id) - 1;
    goTo(this.id);
    return true;
  }

  /** @param {number} at */
  open(at) {
    this.at = Math.max(0, Math.min(at, this.lessons.length - 1));
    showAddress();
    this.tried = null;
    this.draw();
    $("learn-board").focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  // All lessons are done: a first game against the weakest level.
  finish() {
    goTo("play");
    levels.choose("beginner");
  }

  /** @param {string} move */
  play(move) {
    const { lesson } = this;
    this.tried = move;
    if (lesson.good.includes(move) && !this.done().includes(lesson.name)) keep("learned", [...this.done(), lesson.name]);
    this.draw(true);
    announce($("learn-answer").textContent ?? "");
  }

  /** @param {boolean} isStep whether a move is shown as it happens */
  draw(isStep = false) {
    const { lesson, tried, board } = this;
    const data = boardOf(lesson.variant);
    if (!data) return;
    const scene = tried ? lesson.after[tried] : lesson;
    const last = tried ? lesson.after[tried].last : null;
    board.set(data, "S");
    const choices = board.choices(lesson.pieces, tried ? {} : lesson.targets);
    board.show({ shapes: scene.pieces.map((piece) => board.shape(piece)), choices, last, isStep, team: "S" });
    const movers = tried ? [] : Object.keys(lesson.targets).map(Number);
    board.showMarked(tried && lesson.good.includes(tried) ? [] : [...lesson.marked, ...movers]);
    this.showPanel();
  }

  /** What a wrong move did, and what the task is. @param {LastMove} last */
  whyNot(last) {
    const { outcome, to } = last;
    const words = [textOf(moveSaying(last, this.board.board, "S"))];
    const stands = outcome === "no-battle" || outcome === "attacker-won";
    if (stands && this.board.board.points[to].kind === "headquarters") words.push(t("learn.stuck"));
    return sentences(...words, t(`lesson.${this.lesson.name}.wrong`));
  }

  /** @param {Shape | null} shape @param {Place} place */
  describe(shape, place) {
    const { board } = this;
    if (!board.data) return "";
    const isMarked = [...this.lesson.marked, ...Object.keys(this.lesson.targets).map(Number)].some((number) => distance(board.point(number), place) < 0.5);
    return [board.describe(shape, place), ...(isMarked ? [t("learn.marked")] : [])].join(", ");
  }

  showPanel() {
    const { lesson, tried, at, lessons } = this;
    const isGood = tried !== null && lesson.good.includes(tried);
    const isLast = at + 1 === lessons.length;
    $("learn-status").textContent = t("learn.at", { at: at + 1, all: lessons.length });
    $("learn-title").textContent = t(`lesson.${lesson.name}.title`);
    $("learn-text").textContent = t(`lesson.${lesson.name}.text`);
    $("learn-task").textContent = t(`lesson.${lesson.name}.task`);
    $("learn-answer").textContent = tried ? (isGood ? t(`lesson.${lesson.name}.done`) : this.whyNot(lesson.after[tried].last)) : "";
    $("learn-answer").classList.toggle("good", isGood);
    $("lesson").classList.toggle("tried", tried !== null);
    $("learn-again").hidden = !tried;
    $("learn-again").classList.toggle("main", tried !== null && !isGood);
    $("learn-back").disabled = at === 0;
    $("learn-next").textContent = t(isLast ? "learn.finish" : isGood || this.done().includes(lesson.name) ? "learn.next" : "learn.skip");
    $("learn-next").classList.toggle("main", isGood);
    $("learn-next").hidden = isLast && !isGood;
    const done = this.done();
    $("learn-list").replaceChildren(
      ...lessons.map(({ name }, index) => {
        const isDone = done.includes(name);
        const text = t(`lesson.${name}.title`);
        const button = make("button", { class: "quiet", "aria-current": index === at ? "step" : null, onclick: () => this.open(index) }, text);
        return make("li", { class: isDone ? "done" : "" }, button, isDone ? make("span", { class: "tick", role: "img", "aria-label": t("learn.isDone") }, "✓") : "");
      }),
    );
  }
}

export const learn = new LearnView();
