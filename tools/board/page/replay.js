// A recorded game, move by move.

import { JunqiBoard, boardOf } from "./junqi_board.js";
import { line, showError } from "./line.js";
import { $, make } from "./page.js";
import { showMoves, showSeats, told } from "./panel.js";
import { Stepper } from "./stepper.js";
import { remember, remembered } from "./storage.js";
import { sentences, t, teamName } from "./texts.js";

export const replay = {
  lines: [],
  record: null,
  at: 0,
  stepper: new Stepper(() => replay.showPanel()),
  wanted: null,
  board: null,

  begin() {
    this.board = new JunqiBoard($("replay-board"), { onMove: () => {}, describe: (shape, place) => this.board.data ? this.board.describe(shape, place) : "" });
    $("replay-load").onclick = () => $("replay-file").click();
    $("replay-file").onchange = async () => {
      const [file] = $("replay-file").files;
      $("replay-file").value = "";
      if (file) this.openText(await file.text());
    };
    $("replay-game").onchange = () => this.openLine(Number($("replay-game").value));
    $("replay-eyes").onchange = () => this.show(this.at);
    $("replay-first").onclick = () => this.go(0);
    $("replay-back").onclick = () => this.go(this.at - 1);
    $("replay-next").onclick = () => this.go(this.at + 1);
    $("replay-last").onclick = () => this.go(Infinity);
    $("replay-play").onclick = () => (this.stepper.isOn ? this.halt() : this.run());
    $("replay-at").oninput = () => this.go(Number($("replay-at").value));
    $("replay-moves").onclick = (event) => {
      const item = event.target.closest("li");
      if (item) this.go([...item.parentNode.children].indexOf(item) + 1);
    };
    $("replay").addEventListener("keydown", (event) => {
      if (event.target.matches("input, select, textarea, .board")) return;
      if (event.key === "ArrowLeft") this.go(this.at - 1);
      else if (event.key === "ArrowRight") this.go(this.at + 1);
      else return;
      event.preventDefault();
    });
    this.showPanel();
  },

  // Before a record is open the board of `variant` stands empty.
  enter(variant) {
    const data = boardOf(variant);
    if (this.record || !data) return;
    this.board.set(data, "S");
    this.board.view.update({ shapes: [], choices: new Map(), spots: this.board.spots() });
  },

  async openText(text, at = 0, eyes = null) {
    this.lines = text.split("\n").filter((one) => one.trim());
    $("replay-game").replaceChildren(...this.lines.slice(0, 5000).map((one, index) => make("option", { value: index }, gameTitle(one, index))));
    await this.openLine(0, at, eyes);
  },

  resume() {
    const last = remembered("replay");
    if (typeof last?.line === "string") this.openText(last.line, last.at, last.eyes);
  },

  async openLine(index, at = 0, eyes = null) {
    this.halt();
    try {
      const record = await line.ask("replay_open", { line: (this.lines[index] ?? "").trim() });
      const isFirst = !this.record;
      this.record = record;
      const list = $("replay-eyes");
      const chosen = eyes ?? (isFirst ? "*" : list.value);
      list.replaceChildren(...record.eyes.map((one) => make("option", { value: one }, one === "*" ? t("replay.all") : teamName(one))));
      if (record.eyes.includes(chosen)) list.value = chosen;
      $("replay-at").max = record.moves.length;
      await this.show(at);
    } catch (error) {
      showError(error);
    }
  },

  go(at) {
    this.halt();
    this.show(at);
  },

  async show(at) {
    if (!this.record) return;
    at = Math.max(0, Math.min(at, this.record.moves.length));
    this.wanted = at;
    try {
      const scene = await line.ask("replay_show", { ply: at, eyes: $("replay-eyes").value });
      if (this.wanted !== at) return;
      const isStep = at === this.at + 1;
      this.at = at;
      const data = boardOf(this.record.variant);
      this.board.set(data, scene.eyes === "*" ? "S" : scene.eyes[0]);
      const leaving = (id, shape) => (isStep && scene.last?.to >= 0 ? (scene.last.from === shape.point ? this.board.point(scene.last.to) : shape) : null);
      this.board.view.update({ shapes: scene.pieces.map((piece) => this.board.shape(piece)), choices: new Map(), spots: this.board.spots(), leaving });
      this.board.glow(scene.last, null);
      if (isStep) this.board.battle(scene.last);
      this.scene = scene;
      remember("replay", { line: this.lines[Number($("replay-game").value)], at, eyes: scene.eyes });
      this.showPanel();
    } catch (error) {
      this.halt();
      showError(error);
    }
  },

  run() {
    if (!this.record) return;
    if (this.at >= this.record.moves.length) this.at = 0;
    const step = async () => {
      await this.show(this.at + 1);
      return this.at < this.record.moves.length;
    };
    this.stepper.start(step, 700);
  },

  halt() {
    this.stepper.halt();
  },

  showPanel() {
    const { record, scene } = this;
    $("replay-play").textContent = this.stepper.isOn ? "❚❚" : "▶";
    for (const element of document.querySelectorAll("[data-record]")) element.hidden = !record;
    if (!record || !scene) {
      $("replay-status").textContent = t("replay.none");
      return;
    }
    const data = boardOf(record.variant);
    let text = this.at ? told(scene.last, data) : t("replay.start");
    if (this.at === record.moves.length) {
      const result = record.result === "draw" ? t("status.draw") : t("status.wins", { team: teamName(record.result) });
      text = sentences(t("sentence", { text }), t("sentence", { text: t("replay.over", { result, ending: t(`ending.${record.ending}`) }) }));
    }
    $("replay-status").textContent = t("replay.status", { at: this.at, all: record.moves.length, text });
    $("replay-at").value = this.at;
    const seats = [...data.seats].map((seat) => [seat, { name: record.names[seat], who: "engine" }]);
    showSeats($("replay-seats"), seats, { ...scene, mine: "", phase: "playing" });
    showMoves($("replay-moves"), record.moves, this.at);
    const item = $("replay-moves").children[this.at - 1];
    if (item) $("replay-moves").scrollTop = item.offsetTop - $("replay-moves").clientHeight / 2;
  },
};

// The title of a recorded game, as far as its line tells without the rules.
function gameTitle(text, index) {
  try {
    const record = JSON.parse(text);
    const names = Object.values(record.engines).map((engine) => engine.name);
    return `${record.game}: ${names.join(" – ")}, ${record.result}`;
  } catch {
    return `${index + 1}: ?`;
  }
}
