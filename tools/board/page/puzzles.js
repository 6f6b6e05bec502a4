// Puzzles: played by hand, or by a solver.

import { BoardView, between, near } from "./board_view.js";
import { host } from "./host.js";
import { line } from "./line.js";
import { $, addLines, announce, make, still } from "./page.js";
import { puzzleShape } from "./puzzle_shapes.js";
import { Stepper } from "./stepper.js";
import { remember, remembered } from "./storage.js";
import { has, isChinese, sentences, t } from "./texts.js";

export const puzzle = {
  state: null,
  opened: null,
  view: null,
  answer: [],
  busy: false,
  stepper: new Stepper(() => puzzle.showPanel()),

  begin() {
    this.view = new BoardView($("puzzle-board"), {
      onMove: (choice) => this.move(choice.move),
      describe: (shape, place) => [shape?.label, ...(this.view.choices.get(this.view.taken) ?? []).filter((one) => near(one, place) < 0.1).map((one) => one.move)].filter(Boolean).join(", "),
    });
    $("puzzle-variant").onchange = () => this.choose();
    $("puzzle-known").onchange = () => {
      $("puzzle-position").value = $("puzzle-known").value;
      this.open();
    };
    $("puzzle-open").onclick = () => this.open();
    $("puzzle-metric").onchange = () => this.open();
    $("puzzle-load").onclick = () => $("puzzle-file").click();
    $("puzzle-file").onchange = async () => {
      const [file] = $("puzzle-file").files;
      $("puzzle-file").value = "";
      if (!file) return;
      const rows = (await file.text()).split("\n").map((row) => row.trim()).filter((row) => row && !row.startsWith("#"));
      $("puzzle-position").value = rows[0] ?? "";
      this.open();
    };
    $("puzzle-back").onclick = () => this.change("puzzle_back");
    $("puzzle-restart").onclick = () => this.change("puzzle_restart");
    $("puzzle-hint").onclick = () => this.solve("hint");
    $("puzzle-solve").onclick = () => this.solve("solution");
    $("puzzle-watch").onclick = () => this.watch();
    $("puzzle-stop").onclick = () => {
      this.halt();
      line.say("puzzle_stop");
    };
    this.showPanel();
  },

  enter() {
    if ($("puzzle-variant").childElementCount || !host.isHost) return;
    const variants = Object.keys(host.positions).filter((variant) => host.variants.includes(variant));
    $("puzzle-variant").replaceChildren(...variants.map((variant) => make("option", { value: variant }, t(`puzzle.${variant}`))));
    if (variants.includes(remembered("puzzle")?.variant)) this.resume();
    else this.choose();
  },

  // The puzzle as it stood when the page was left or the line was lost.
  async resume() {
    const { variant, position, options, moves } = remembered("puzzle") ?? this.opened;
    $("puzzle-variant").value = variant;
    this.offer();
    $("puzzle-position").value = position;
    $("puzzle-metric").value = options.Metric ?? "move";
    if (!(await this.open(moves)) && !this.state) this.choose();
  },

  choose() {
    this.offer();
    this.open();
  },

  offer() {
    const variant = $("puzzle-variant").value;
    const known = host.positions[variant] ?? [];
    $("puzzle-known").replaceChildren(...known.map(({ name, position }) => make("option", { value: position }, name)));
    $("puzzle-position").value = known[0]?.position ?? "";
    $("metric-row").hidden = variant !== "klotski";
    $("depth-row").hidden = variant !== "match3";
  },

  open(moves = []) {
    const variant = $("puzzle-variant").value;
    const options = variant === "klotski" ? { Metric: $("puzzle-metric").value } : {};
    const position = $("puzzle-position").value.replace(/\s+/g, " ").trim();
    return this.change("puzzle_open", { variant, position, options, moves: moves.join(" ") });
  },

  move(move) {
    return this.change("puzzle_move", { move }, true);
  },

  async change(type, fields = {}, keepsAnswer = false) {
    if (!keepsAnswer) {
      this.halt();
      this.answer = [];
    }
    this.working(t("puzzle.setting"));
    try {
      const state = await line.ask(type, fields);
      if (type === "puzzle_open") this.opened = fields;
      remember("puzzle", { ...this.opened, moves: state.moves });
      this.take(state, type === "puzzle_open");
      return true;
    } catch (error) {
      this.halt();
      this.fail(error);
      return false;
    } finally {
      this.rest();
    }
  },

  take(state, isNew) {
    const before = this.state;
    this.state = state;
    if (isNew || before?.variant !== state.variant) this.view.clear();
    if (isNew) $("puzzle-info").textContent = "";
    // A solution stays good as long as its moves are played.
    if (this.answer.length && state.moves.at(-1) === this.answer[0] && state.moves.length > (before?.moves.length ?? 0)) this.answer = this.answer.slice(1);
    else this.answer = [];
    this.answered("");
    this.draw(isNew);
    this.showPanel();
    const words = [t("puzzle.count", { n: state.moves.length })];
    if (state.points !== null) words.push(t("puzzle.points", { n: state.points }));
    announce(state.solved ? t("puzzle.solved") : words.join(", "));
    if (state.notes.length) addLines($("puzzle-info"), state.notes);
  },

  draw(isNew) {
    const { state, view } = this;
    view.svg.dataset.variant = state.variant;
    const pad = state.variant === "submarine" ? 0.3 : 0.12;
    view.unit = state.variant === "submarine" ? 3 : 1;
    const below = state.variant === "submarine" ? 1.5 : pad;
    view.frame(-pad, -pad, state.width + 2 * pad, state.height + pad + below);
    const parts = state.floor.map(([x, y, width, height, kind]) => make("svg:rect", { class: kind, x, y, width, height }));
    if (isNew || view.layers.floor.childElementCount !== parts.length) view.layers.floor.replaceChildren(...parts);
    view.layers.line.replaceChildren();
    if (state.line.length > 1) view.layers.line.append(make("svg:polyline", { class: "tour", points: state.line.map((place) => place.join()).join(" ") }));
    const choices = new Map();
    for (const choice of state.choices) {
      if (!choices.has(choice.id)) choices.set(choice.id, []);
      choices.get(choice.id).push(choice);
    }
    view.update({
      shapes: state.shapes.map((shape) => puzzleShape(shape, state.variant)),
      choices,
      spots: state.shapes.map(({ x, y }) => ({ x, y })),
      always: state.taken,
      leaving: (id, shape) => shape,
    });
    this.showHint(null);
  },

  showHint(move) {
    const layer = this.view.layers.advice;
    layer.replaceChildren();
    const choice = this.state?.choices.find((one) => one.move === move);
    if (!choice) return;
    const shape = this.state.shapes.find((one) => one.id === choice.id);
    const unit = this.view.unit ?? 1;
    layer.append(make("svg:path", { class: "hint-way", d: between(shape, choice, 0.3 * unit, 0.3 * unit), "stroke-width": 0.09 * unit }));
    layer.append(make("svg:circle", { class: "hint-way", cx: choice.x, cy: choice.y, r: 0.3 * unit, "stroke-width": 0.09 * unit }));
  },

  async solve(what) {
    this.halt();
    this.working(t("puzzle.working"));
    $("puzzle-info").textContent = "";
    try {
      const depth = this.state.variant === "match3" ? Number($("puzzle-depth").value) || 3 : 0;
      const answer = await line.ask("puzzle_solve", { what, depth });
      this.answer = what === "solution" ? answer.moves : [];
      const [first] = answer.moves;
      let text = t("puzzle.nothing", { text: answer.said.join("; ") });
      if (this.state.solved) text = t("puzzle.solved");
      else if (what === "hint" && first) text = t("puzzle.hintIs", { move: first });
      else if (first) text = t(this.state.variant === "match3" ? "puzzle.foundBest" : "puzzle.found", { n: answer.count });
      this.answered(text);
      this.showHint(first);
    } catch (error) {
      this.fail(error);
    } finally {
      this.rest();
    }
  },

  // Plays the solution, asking for it first if there is none.
  async watch() {
    if (this.stepper.isOn) {
      this.halt();
      return;
    }
    if (!this.answer.length) await this.solve("solution");
    if (!this.answer.length) return;
    const step = async () => this.answer.length > 0 && (await this.move(this.answer[0])) && this.answer.length > 0;
    this.stepper.start(step, still.matches ? 100 : 350);
  },

  halt() {
    this.stepper.halt();
  },

  working(text) {
    this.busy = true;
    // What is quick does not flicker.
    clearTimeout(this.progress);
    this.progress = setTimeout(() => {
      $("puzzle-progress").hidden = false;
      this.answered(text);
    }, 250);
    this.showPanel();
  },

  rest() {
    clearTimeout(this.progress);
    this.busy = false;
    $("puzzle-progress").hidden = true;
    this.showPanel();
  },

  // Said where the answer would stand.
  fail(error) {
    if (error.code === "lost") return;
    $("puzzle-answer").classList.add("bad");
    $("puzzle-answer").textContent = has(`error.${error.code}`) && isChinese() ? sentences(t(`error.${error.code}`), error.text) : error.text;
  },

  answered(text) {
    $("puzzle-answer").classList.remove("bad");
    $("puzzle-answer").textContent = text;
  },

  showPanel() {
    const { state } = this;
    const count = state ? state.moves.length : 0;
    const words = [t("puzzle.count", { n: count })];
    if (state && state.points !== null) words.push(t("puzzle.points", { n: state.points }));
    if (state?.solved) words.push(t("puzzle.solved"));
    else if (state && !state.choices.length && state.shapes.length) words.push(t("puzzle.stuck"));
    $("puzzle-status").textContent = words.join(" · ");
    $("puzzle-status").classList.toggle("mine", Boolean(state?.solved));
    $("puzzle-moves").textContent = state ? state.moves.join(" ") : "";
    $("puzzle-moves").parentNode.hidden = !count;
    const isWaiting = this.busy && !this.stepper.isOn;
    for (const id of ["back", "restart"]) $(`puzzle-${id}`).disabled = isWaiting || !count;
    for (const id of ["hint", "solve"]) $(`puzzle-${id}`).disabled = isWaiting || this.stepper.isOn || !state;
    $("puzzle-watch").disabled = isWaiting || !state;
    $("puzzle-stop").disabled = !this.busy && !this.stepper.isOn;
  },
};
