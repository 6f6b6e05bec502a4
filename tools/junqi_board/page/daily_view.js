// The puzzle of the day of Junqi itself: a question about a position of a game, and what belief says of the answer.

import { catalogue } from "./catalogue.js";
import { $, announce } from "./dom.js";
import { JunqiBoard, boardOf } from "./junqi_board.js";
import { goTo, showAddress } from "./navigation.js";
import { showSeats } from "./panel.js";
import { socket } from "./socket.js";
import { keep, kept } from "./storage.js";
import { clauses, either, percent, sentences, t } from "./texts.js";

const MOST_BACK = 30;
const MAX_KEPT = 400;
const DAY_MS = 86_400_000;

/** @typedef {{ kind: "flag" | "win" | "safe", variant: string, day: string, mine: string, pieces: Piece[], proven: Record<string, string>, targets: Record<string, Record<string, string>>, alive: string, counts: Record<string, number>, asked: number[], may: Record<string, string> }} Puzzle */
/** @typedef {{ is_right: boolean, answer: string, answers: string[], points: number[], chances?: Record<string, number>, may?: string, piece?: string, win?: number, next?: number, other?: string }} Told */

/** @implements {View} */
class DailyView {
  id = "daily";
  back = 0;
  /** @type {Puzzle | null} */
  puzzle = null;
  /** What the server said to the answer. @type {Told | null} */
  told = null;
  /** @type {JunqiBoard} */
  board = new JunqiBoard($("daily-board"), {
    onMove: (choice) => this.answer(String(choice.move)),
    onHover: (shape) => this.tellMay(shape),
  });

  begin() {
    $("daily-before").onclick = () => this.open(this.back + 1);
    $("daily-next").onclick = () => this.open(this.back - 1);
    $("daily-again").onclick = () => this.open(this.back);
  }

  show() {
    this.open(this.back);
  }

  address() {
    return this.puzzle ? `puzzle/${this.puzzle.day}` : "";
  }

  /** @param {Linked} place */
  follow({ kind, id }) {
    const back = (Date.parse(catalogue.today) - Date.parse(kind === "puzzle" ? id : "")) / DAY_MS;
    if (!(back >= 0 && back <= MOST_BACK)) return false;
    this.back = back;
    goTo(this.id);
    return true;
  }

  /** Says what the piece under the pointer may be, by all that is proven. @param {Shape | null} shape */
  tellMay(shape) {
    const may = this.puzzle?.may[Number(shape?.point ?? -1)];
    if (shape && may) $("daily-may").textContent = t("daily.may", { may: rangeText(may) });
  }

  /** The days that were solved: by date, whether at the first try. @returns {Record<string, boolean>} */
  solved() {
    return kept("daily", {});
  }

  /** @param {number} back */
  async open(back) {
    const wanted = Math.max(0, Math.min(MOST_BACK, back));
    const puzzle = await socket.ask("daily", { back: wanted });
    if (!puzzle) return;
    Object.assign(this, { back: wanted, puzzle, told: null });
    showAddress();
    this.redraw();
  }

  /** @param {string} answer */
  async answer(answer) {
    const day = this.puzzle?.day ?? "";
    this.told = await socket.ask("daily_try", { back: this.back, answer });
    if (!this.told) return;
    const days = Object.entries(this.solved()).filter(([one]) => one !== day);
    if (!(day in this.solved())) keep("daily", Object.fromEntries([...days.slice(1 - MAX_KEPT), [day, this.told.is_right]]));
    this.redraw();
    announce($("daily-answer").textContent ?? "");
  }

  redraw() {
    const { puzzle, told, board } = this;
    const data = puzzle && boardOf(puzzle.variant);
    if (!puzzle || !data) return;
    board.set(data, puzzle.mine);
    const asked = puzzle.asked.map((point) => ({ ...board.point(point), move: data.points[point].name }));
    /** @type {Map<string, Choice[]>} */
    const choices = told ? new Map() : asked.length ? new Map([["asked", asked]]) : board.choices(puzzle.pieces, puzzle.targets);
    const shapes = puzzle.pieces.map((piece) => board.shape(piece, { proven: puzzle.proven[piece[0]] }));
    board.svgBoard.update({ shapes, choices, spots: board.spots(), selected: asked.length && !told ? "asked" : null });
    this.drawAnswers();
    const about = { ...puzzle, phase: "playing", turn: puzzle.mine };
    showSeats($("daily-seats"), [...data.seats].map((seat) => [seat, { name: "", who: "engine" }]), about, (seat) => board.sideOf(seat));
    const marked = $("daily-answer");
    $("daily-day").textContent = t("labelled", { name: puzzle.day, text: t(`daily.ask.${puzzle.kind}`) });
    if (!told) $("daily-may").textContent = t("daily.point");
    $("daily-about").textContent = t(`daily.about.${puzzle.kind}`);
    marked.textContent = told ? this.explanation(told) : "";
    marked.classList.toggle("good", Boolean(told?.is_right));
    marked.classList.toggle("wrong", Boolean(told && !told.is_right));
    $("daily-again").hidden = !told || told.is_right;
    $("daily-next").disabled = this.back === 0;
    $("daily-record").textContent = t("daily.record", { n: Object.values(this.solved()).filter(Boolean).length });
    this.drawHome();
  }

  // The right answers, on the board.
  drawAnswers() {
    const { told, board, puzzle } = this;
    if (!told || !puzzle) return board.showAdvice(null);
    if (told.points.length) return board.showMarked(told.points);
    const found = Object.entries(puzzle.targets).flatMap(([from, moves]) => Object.entries(moves).map(([to, move]) => ({ move, from: Number(from), to: Number(to), win: null })));
    const [first, ...others] = found.filter(({ move }) => told.answers.includes(move));
    board.showAdvice(first ? { ...first, win_before: null, others } : null);
  }

  /** Why the answer is right or wrong, from what the seat may believe. @param {Told} told */
  explanation(told) {
    const verdict = t(told.is_right ? "daily.right" : "daily.wrong");
    if (told.chances) {
      const [best, ...others] = Object.values(told.chances).sort((a, b) => b - a).map(percent);
      return sentences(verdict, t("daily.flag", { best, others: clauses(...others) }));
    }
    if (told.may) return sentences(verdict, t("daily.win", { may: rangeText(told.may), piece: t(`piece.${told.piece}`) }));
    return sentences(verdict, t("daily.safe", { win: percent(told.win ?? 0), next: percent(told.next ?? 0) }));
  }

  // On the first view: whether today's puzzle was solved.
  drawHome() {
    const { [catalogue.today]: first } = this.solved();
    $("home-daily-done").textContent = first === undefined ? t("daily.new") : t(first ? "daily.first" : "daily.tried");
  }
}

const KINDS = "abcdefghijkl";

/** What a piece may be: a run of ranks by its ends, other kinds by name. @param {string} letters */
function rangeText(letters) {
  if (letters === KINDS) return t("daily.any");
  const runs = letters.match(/a?b?c?d?e?f?g?h?i?/)?.[0] ?? "";
  const isRun = runs.length > 3 && KINDS.includes(runs);
  const names = [...(isRun ? letters.slice(runs.length) : letters)].map((letter) => t(`piece.${letter}`));
  return either([...(isRun ? [t("daily.range", { high: t(`piece.${runs[0]}`), low: t(`piece.${runs.at(-1)}`) })] : []), ...names]);
}

export const daily = new DailyView();
