// The view of the puzzles: played by hand, or by a solver.

import { catalogue } from "./catalogue.js";
import { $, announce, make, reducedMotion, refill, Stepper, warn } from "./dom.js";
import { goTo, showAddress } from "./navigation.js";
import { bestKnown, goalText, isOver, keepSolved, knownPuzzle, knownPuzzles, puzzleName, puzzlesOfTheDay, recordsText, resultText, starsOf, starsOfKnown, swapsOf } from "./puzzle_progress.js";
import { keptIds, puzzleShape } from "./puzzle_shapes.js";
import { socket } from "./socket.js";
import { remember, remembered } from "./storage.js";
import { between, distance, SvgBoard } from "./svg_board.js";
import { has, isChinese, sentences, t } from "./texts.js";

const PROGRESS_DELAY_MS = 250;
const STEP_MS = 350;
const REDUCED_STEP_MS = 100;
/** How many swaps are searched where nothing but the goal ends the puzzle. */
const SWAPS_AHEAD = 3;
const TILE_UNIT = 3;
const LEAVE_AFTER_MS = 300;
const REFUSED_S = 3;
/** The room for the way out. */
const EXIT_CELLS = 0.7;
/** How far a solved piece goes, in cells of the board. */
const LEAVE_CELLS = 1.2;

/** @implements {View} */
class PuzzleView {
  id = "puzzles";
  /** @type {PuzzleState | null} */
  state = null;
  /** @type {Opening | null} */
  opened = null;
  /** The puzzle that is being opened, or is open. @type {Opening | null} */
  asked = null;
  /** The moves of the solution that remain. @type {string[]} */
  solution = [];
  /** The requests that are not answered yet. */
  pending = 0;
  /** Whether the solver has shown its solution, and whether it gave a hint: neither earns stars. */
  isShown = false;
  isHelped = false;
  progressTimer = 0;
  /** What the engine has answered, in the language of the page. */
  answer = () => "";
  stepper = new Stepper(() => this.showPanel());
  /** @type {SvgBoard} */
  board = new SvgBoard($("puzzle-board"), {
    onMove: (choice) => this.move(String(choice.move)),
    describe: (shape, place) => this.describe(shape, place),
    onRefuse: (shape, _, chosen) => {
      const shaken = chosen ?? shape;
      if (shaken) this.board.shake(shaken.id);
      warn(() => t("no.puzzle"), REFUSED_S);
    },
  });

  begin() {
    $("puzzle-variant").onchange = () => this.choose();
    $("puzzle-known").onchange = () => this.open($("puzzle-known").value);
    puzzlesOfTheDay.begin((one) => this.reopen(one));
    $("puzzle-back").onclick = () => this.play(this.moves.slice(0, -1));
    $("puzzle-restart").onclick = () => {
      this.isShown = this.isHelped = false;
      this.play([]);
    };
    $("puzzle-hint").onclick = () => this.solve("hint");
    $("puzzle-watch").onclick = () => this.watch();
    $("puzzle-onward").onclick = () => this.onward();
    $("puzzle-stop").onclick = () => {
      this.stepper.halt();
      socket.send("puzzle_stop");
    };
    this.showPanel();
  }

  show() {
    if (!catalogue.isHost) return;
    this.today();
    if (this.state || this.pending) return;
    const variants = Object.keys(catalogue.positions).filter((variant) => catalogue.variants.includes(variant));
    refill($("puzzle-variant"), variants.map((variant) => [variant, t(`puzzle.${variant}`)]));
    if (variants.includes(remembered("puzzle")?.variant)) this.resume();
    else this.choose();
  }

  // Asks for the puzzles of the day, and offers them.
  async today() {
    await puzzlesOfTheDay.ask();
    const { selectedIndex } = $("puzzle-known");
    this.offerKnown();
    $("puzzle-known").selectedIndex = selectedIndex;
    if (this.asked) this.select(this.asked);
    this.showPanel();
  }

  redraw() {
    for (const option of $("puzzle-variant").options) option.textContent = t(`puzzle.${option.value}`);
    this.nameKnown();
    $("puzzle-answer").textContent = this.answer();
    this.showPanel();
  }

  // The server forgets the puzzle when the connection is lost.
  connected() {
    if (this.state) this.resume();
    else if (!$("puzzles").hidden) this.show();
  }

  // The number of a puzzle among those of its kind that the board knows.
  address() {
    const { variant = "", position = "" } = this.opened ?? {};
    const number = (catalogue.positions[variant] ?? []).findIndex((one) => one.position === position) + 1;
    return number ? `puzzle/${variant}-${number}` : "";
  }

  /** @param {Linked} place */
  follow({ kind, id }) {
    const [, variant, number] = /^(.+)-(\d+)$/.exec(kind === "puzzle" ? id : "") ?? [];
    const known = catalogue.positions[variant]?.[Number(number) - 1];
    if (!known) return false;
    remember("puzzle", { variant, position: known.position, moves: [] });
    goTo(this.id);
    return true;
  }

  // Opens the puzzle that was open before a reload or a lost connection, with its moves.
  async resume() {
    const opening = remembered("puzzle") ?? this.opened;
    if (!(await this.reopen(opening, opening.moves)) && !this.state) this.choose();
  }

  /** Opens a puzzle of any variant. @param {{ variant: string, position: string }} opening @param {string[]} moves */
  reopen({ variant, position }, moves = []) {
    $("puzzle-variant").value = variant;
    this.offerKnown();
    this.select({ variant, position });
    return this.open(position, moves);
  }

  /** Marks a puzzle in the list, if it is there. @param {{ variant: string, position: string }} opening */
  select({ variant, position }) {
    if (variant === $("puzzle-variant").value && knownPuzzle(variant, position)) $("puzzle-known").value = position;
  }

  // Opens the first known position of the variant.
  choose() {
    this.offerKnown();
    this.open($("puzzle-known").options[0].value);
  }

  // Opens the next known position of the variant, or the first one after the last.
  onward() {
    const list = $("puzzle-known");
    list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
    this.open(list.value);
  }

  // Offers the known positions of the variant.
  offerKnown() {
    const known = knownPuzzles($("puzzle-variant").value);
    $("puzzle-known").replaceChildren(...known.map(({ position }) => make("option", { value: position })));
    this.nameKnown();
  }

  // Names the known positions, with the stars of those that were solved.
  nameKnown() {
    const variant = $("puzzle-variant").value;
    for (const option of $("puzzle-known").options) {
      const known = knownPuzzle(variant, option.value);
      if (known) option.textContent = `${puzzleName(known)} ${starsOfKnown(variant, option.value)}`.trim();
    }
  }

  /** Opens a position of the variant. @param {string} position @param {string[]} moves */
  async open(position, moves = []) {
    const variant = $("puzzle-variant").value;
    if (this.state && this.state.variant !== variant) {
      // The puzzle before is not this one, however long the engine takes.
      this.state = null;
      this.board.clear();
      this.showAnswer(() => "");
    }
    this.asked = { variant, position, moves: moves.join(" ") };
    return this.request(this.asked, true);
  }

  get moves() {
    return this.state?.moves ?? [];
  }

  /** @param {string} move */
  move(move) {
    return this.play([...this.moves, move], true);
  }

  /** Shows the open puzzle after other moves. @param {string[]} moves @param {boolean} keepsSolution whether the solution may remain valid */
  play(moves, keepsSolution = false) {
    const { variant, position } = /** @type {Opening} */ (this.opened);
    return this.request({ variant, position, moves: moves.join(" ") }, false, keepsSolution);
  }

  /**
   * Requests a puzzle; false if it was refused.
   * @param {Opening} fields
   * @param {boolean} isNew whether another puzzle is opened
   * @param {boolean} keepsSolution whether the solution may remain valid
   */
  async request(fields, isNew, keepsSolution = false) {
    if (!keepsSolution) {
      this.stepper.halt();
      this.solution = [];
    }
    // Another puzzle was asked for meanwhile.
    const isOutdated = () => isNew && fields !== this.asked;
    this.startWork("puzzle.setting");
    try {
      const state = await socket.request("puzzle_show", fields);
      if (isNew) this.opened = fields;
      if (isOutdated()) {
        this.state = state;
        return true;
      }
      if (isNew) this.isShown = this.isHelped = false;
      remember("puzzle", { ...this.opened, moves: state.moves });
      this.receive(state, isNew);
      showAddress();
      return true;
    } catch (error) {
      if (isOutdated()) return true;
      this.stepper.halt();
      if (isNew) this.asked = this.opened;
      this.fail(error);
      return false;
    } finally {
      this.endWork();
    }
  }

  /** @param {PuzzleState} state @param {boolean} isNew */
  receive(state, isNew) {
    const before = this.state;
    if (!isNew && before) keptIds(state, before.shapes);
    this.state = state;
    if (isNew || before?.variant !== state.variant) this.board.clear();
    // A solution remains valid while its moves are played.
    const isNextMove = this.solution.length > 0 && state.moves.at(-1) === this.solution[0] && state.moves.length > (before?.moves.length ?? 0);
    this.solution = isNextMove ? this.solution.slice(1) : [];
    this.showAnswer(() => "");
    this.draw(state, isNew);
    if (this.isOver && !isNew && state.moves.length) this.solved(state);
    this.showPanel();
    announce(state.solved ? t("puzzle.solved") : countWords(state).join(", "));
  }

  get isOver() {
    return this.state !== null && isOver(this.opened, this.state);
  }

  /** The piece leaves through the exit, and the person's success is kept. @param {PuzzleState} state */
  solved(state) {
    if (this.opened && !this.isShown && !this.isHelped) keepSolved(this.opened, resultOf(this.opened, state));
    this.nameKnown();
    const piece = state.shapes.find(({ kind }) => kind === "chosen");
    if (!piece || !state.exit) return;
    const [, , dx, dy] = state.exit;
    const far = LEAVE_CELLS * this.board.unit + 1;
    setTimeout(() => {
      if (this.state !== state) return;
      this.board.drawn.get(piece.id)?.classList.add("departing");
      this.board.put(piece.id, piece.x + dx * far, piece.y + dy * far);
    }, LEAVE_AFTER_MS);
  }

  /** @param {PuzzleState} state @param {boolean} isNew */
  draw(state, isNew) {
    const { board } = this;
    const isSubmarine = state.variant === "submarine";
    board.svg.dataset.variant = state.variant;
    board.unit = isSubmarine ? TILE_UNIT : 1;
    const pad = isSubmarine ? 0.3 : 0.12;
    const [, , exitX, exitY] = state.exit ?? [0, 0, 0, 0];
    const below = isSubmarine ? 1.5 : exitY > 0 ? EXIT_CELLS : pad;
    const right = exitX > 0 ? EXIT_CELLS : pad;
    board.frame(-pad, -pad, state.width + pad + right, state.height + pad + below);
    const parts = state.floor.map(([x, y, width, height, kind]) => make("svg:rect", { class: kind, x, y, width, height }));
    if (isNew || board.layers.floor.childElementCount !== parts.length) board.layers.floor.replaceChildren(...parts);
    board.layers.line.replaceChildren();
    if (state.exit && !isSubmarine) board.layers.line.append(exitArrow(state.exit));
    if (state.line.length > 1) board.layers.line.append(make("svg:polyline", { class: "tour", points: state.line.map((place) => place.join()).join(" ") }));
    /** @type {Map<string, Choice[]>} */
    const choices = new Map();
    if (!this.isOver) for (const choice of state.choices) choices.set(choice.id, [...(choices.get(choice.id) ?? []), choice]);
    board.update({
      shapes: state.shapes.map((shape) => puzzleShape(shape, state.variant)),
      choices,
      spots: state.shapes.map(({ x, y }) => ({ x, y })),
      selected: state.taken,
      leaving: (shape) => shape,
    });
    this.showHint(null);
  }

  /** Shows a move on the board. @param {string | null} move */
  showHint(move) {
    const layer = this.board.layers.advice;
    layer.replaceChildren();
    const choice = this.state?.choices.find((one) => one.move === move);
    const shape = this.state?.shapes.find((one) => one.id === choice?.id);
    if (!choice || !shape) return;
    const { unit } = this.board;
    layer.append(make("svg:path", { class: "hint-way", d: between(shape, choice, 0.3 * unit, 0.3 * unit) }));
    layer.append(make("svg:circle", { class: "hint-way", cx: choice.x, cy: choice.y, r: 0.3 * unit }));
  }

  /** @param {"hint" | "solution"} what */
  async solve(what) {
    const { state } = this;
    if (!state) return;
    this.stepper.halt();
    this.startWork("puzzle.working");
    if (what === "solution") this.isShown = true;
    else this.isHelped = true;
    try {
      const swaps = swapsOf(this.opened) - state.moves.length;
      const depth = state.variant !== "match3" ? 0 : swaps > 0 ? swaps : SWAPS_AHEAD;
      const answer = await socket.request("puzzle_solve", { ...this.opened, moves: state.moves.join(" "), what, depth });
      this.solution = what === "solution" ? answer.moves : [];
      this.showAnswer(() => (this.state?.solved ? t("puzzle.solved") : what === "hint" ? hintText(answer, state.variant) : solutionText(answer, state.variant)));
      this.showHint(answer.moves[0]);
    } catch (error) {
      this.fail(error);
    } finally {
      this.endWork();
    }
  }

  // Plays the solution, which is requested first if there is none.
  async watch() {
    if (this.stepper.isOn) {
      this.stepper.halt();
      return;
    }
    if (!this.solution.length) await this.solve("solution");
    if (!this.solution.length) return;
    const step = async () => this.solution.length > 0 && (await this.move(this.solution[0])) && this.solution.length > 0;
    this.stepper.start(step, () => (reducedMotion.matches ? REDUCED_STEP_MS : STEP_MS));
  }

  /** @param {string} key of the text that says what the engine is doing; shown only if it takes a while */
  startWork(key) {
    this.pending++;
    clearTimeout(this.progressTimer);
    this.progressTimer = setTimeout(() => {
      $("puzzle-progress").hidden = false;
      this.showAnswer(() => t(key));
    }, PROGRESS_DELAY_MS);
    this.showPanel();
  }

  endWork() {
    this.pending--;
    if (!this.pending) {
      clearTimeout(this.progressTimer);
      $("puzzle-progress").hidden = true;
    }
    this.showPanel();
  }

  /** Shows a RequestError in the place of the answer. @param {any} error */
  fail(error) {
    if (error.code === "lost") return;
    this.showAnswer(() => (has(`error.${error.code}`) && isChinese() ? sentences(t(`error.${error.code}`), error.text) : error.text), true);
  }

  /** @param {() => string} text @param {boolean} isBad whether it says why something is not possible */
  showAnswer(text, isBad = false) {
    this.answer = text;
    $("puzzle-answer").classList.toggle("bad", isBad);
    $("puzzle-answer").textContent = text();
  }

  /** The shape at a place and the moves that lead there, in words. @param {Shape | null} shape @param {Place} place */
  describe(shape, place) {
    const moves = this.board.selectedChoices().filter((one) => distance(one, place) < 0.1).map((one) => one.move);
    return [shape?.label, ...moves].filter(Boolean).join(", ");
  }

  // The goal, the best that is known, and the end of a solved puzzle.
  showGoal() {
    const { state, opened, asked } = this;
    $("puzzle-goal").textContent = asked ? goalText(asked) : "";
    $("puzzle-best").textContent = asked ? recordsText(asked) : "";
    const isDone = opened !== null && state !== null && this.isOver && state.moves.length > 0;
    $("puzzle-done").hidden = !isDone;
    if (!isDone) return;
    const best = bestKnown(opened);
    const result = resultOf(opened, state);
    const isBest = best !== null && (swapsOf(opened) ? result >= best : result <= best);
    const key = this.isShown ? "puzzle.doneShown" : this.isHelped ? "puzzle.doneHelped" : isBest ? "puzzle.doneBest" : best === null ? "puzzle.done" : "puzzle.doneMore";
    $("puzzle-done-text").textContent = t(key, { what: resultText(opened, result), best: best === null ? "" : resultText(opened, best) });
    $("puzzle-stars").textContent = this.isShown || this.isHelped ? "" : starsOf(opened, result);
  }

  showPanel() {
    const { state } = this;
    const isBusy = this.pending > 0;
    const isWatching = this.stepper.isOn;
    const count = state ? state.moves.length : 0;
    const words = state ? countWords(state) : [t("puzzle.setting")];
    if (state?.solved) words.push(t("puzzle.solved"));
    else if (state && !this.isOver && !state.choices.length && state.shapes.length) words.push(t("puzzle.stuck"));
    $("puzzle-status").textContent = words.join(" · ");
    this.showGoal();
    puzzlesOfTheDay.draw();
    $("puzzle-status").classList.toggle("mine", this.isOver);
    const isWaiting = isBusy && !isWatching;
    for (const button of [$("puzzle-back"), $("puzzle-restart")]) button.disabled = isWaiting || !count;
    $("puzzle-hint").disabled = isWaiting || isWatching || !state || this.isOver;
    $("puzzle-watch").disabled = isWaiting || !state || (this.isOver && !isWatching);
    $("puzzle-stop").disabled = !isBusy && !isWatching;
  }
}

/** The moves, and the points of a puzzle that has points. @param {PuzzleState} state */
const countWords = ({ moves, points }) => [t("count.moves", { n: moves.length }), ...(points === null ? [] : [t("puzzle.points", { n: points })])];

/** The moves that were needed, or the points. @param {Opening} opened @param {PuzzleState} state */
const resultOf = (opened, { moves, points }) => (swapsOf(opened) ? (points ?? 0) : moves.length);

/** @param {Message} answer @param {string} variant */
function solutionText({ moves, said }, variant) {
  if (!moves.length) return t("puzzle.nothing", { text: said.join("; ") });
  return t(variant === "match3" ? "puzzle.foundBest" : "puzzle.found", { n: moves.length });
}

/** The move, and how far it is from here. @param {Message} answer @param {string} variant */
function hintText({ moves, left, said }, variant) {
  const words = moves.length ? [t("puzzle.hintIs")] : [t("puzzle.nothing", { text: said.join("; ") })];
  if (moves.length && left) words.push(t(variant === "match3" ? "puzzle.leftPoints" : "puzzle.found", { n: left }));
  return sentences(...words);
}

/** The way out, beside the board. @param {[number, number, number, number]} exit */
function exitArrow([x, y, dx, dy]) {
  const turn = dx > 0 ? 0 : dy > 0 ? 90 : dx < 0 ? 180 : 270;
  return make("svg:path", { class: "exit", d: "M.1 -.3L.5 0L.1 .3", transform: `translate(${x} ${y}) rotate(${turn})` });
}

export const puzzle = new PuzzleView();
