// The view of analysis: a position as a FEN, the moves that are tried on it, and the engine's best lines as arrows.

import { catalogue } from "./catalogue.js";
import { $, announce, download, make, refill } from "./dom.js";
import { boardOf, JunqiBoard } from "./junqi_board.js";
import { errorText, socket } from "./socket.js";
import { remember, remembered } from "./storage.js";
import { between } from "./svg_board.js";
import { named, t } from "./texts.js";
import { told } from "./voice.js";

const SEARCH_MS = 5000;
const MAX_FEN_CHARS = 4000;

/** @implements {View} */
class AnalysisView {
  id = "analysis";
  /** @type {AnalysisState | null} */
  state = null;
  /** The FEN of the position before the first move. */
  start = "";
  /** The moves that were played on it. @type {string[]} */
  moves = [];
  /** How many of them are on the board. */
  at = 0;
  /** The engine's best. @type {AnalysisLine[]} */
  lines = [];
  /** How often a position, and a search, has been asked for: only the last answer counts. */
  asked = 0;
  searches = 0;
  /** Why something is not possible, in the language of the page. */
  fault = () => "";
  /** @type {JunqiBoard} */
  board = new JunqiBoard($("analysis-board"), {
    onMove: (choice) => this.play(String(choice.move)),
  });

  messages = {
    analysis_lines: (/** @type {{ lines: AnalysisLine[] }} */ message) => this.showLines(message.lines),
  };

  begin() {
    $("analysis-variant").onchange = () => this.open("");
    $("analysis-fen-open").onclick = () => this.open($("analysis-fen").value.replace(/\s+/g, " ").trim().slice(0, MAX_FEN_CHARS));
    $("analysis-save").onclick = () => this.save();
    $("analysis-back").onclick = () => this.goTo(this.at - 1);
    $("analysis-next").onclick = () => this.goTo(this.at + 1);
    $("analysis-search").onclick = () => this.search();
    // A seat whose pieces are hidden has no legal moves to click: its moves are typed.
    $("analysis-form").onsubmit = (event) => {
      event.preventDefault();
      const move = $("analysis-move").value.trim();
      $("analysis-move").value = "";
      if (move) this.play(move);
    };
    $("analysis-stop").onclick = () => socket.send("analysis_stop");
  }

  show() {
    if (!catalogue.isHost) return;
    if (!$("analysis-variant").childElementCount) this.redraw();
    if (this.state) return;
    const last = remembered("analysis");
    if (typeof last?.fen === "string" && last.variant in catalogue.tables) {
      $("analysis-variant").value = last.variant;
      this.open(last.fen);
    } else this.open("");
  }

  redraw() {
    refill($("analysis-variant"), Object.keys(catalogue.tables).map((variant) => [variant, named("variant", variant)]));
    if (this.state) this.draw();
  }

  /** Shows a position, of which nothing has been played. @param {string} fen empty for the start of a game */
  open(fen) {
    return this.request([], fen, []);
  }

  /** Shows the position after so many of the moves. @param {number} at */
  goTo(at) {
    return this.request(this.moves.slice(0, at));
  }

  /** @param {string} move */
  play(move) {
    return this.request([...this.played(), move]);
  }

  /** The moves that are on the board. */
  played() {
    return this.moves.slice(0, this.at);
  }

  /** Asks for the position after some moves; `line` stays beside it if it begins with them. @param {string[]} moves */
  async request(moves, fen = this.start, line = this.moves) {
    const number = ++this.asked;
    try {
      const answer = await socket.request("analysis_show", { variant: $("analysis-variant").value, fen, moves: moves.join(" ") });
      if (number !== this.asked) return;
      if (answer.type === "analysis_outcomes") this.offerOutcomes(answer.moves);
      else this.take(answer, line);
    } catch (error) {
      if (number === this.asked) this.fail(error);
    }
  }

  /** Another move replaces those that followed. @param {AnalysisState} state @param {string[]} line */
  take(state, line) {
    this.state = state;
    this.start = state.start;
    this.moves = state.moves.every((move, ply) => move === line[ply]) ? line : state.moves;
    this.at = state.moves.length;
    this.lines = [];
    remember("analysis", { variant: $("analysis-variant").value, fen: this.start });
    this.fault = () => "";
    $("analysis-outcomes").hidden = true;
    this.draw();
  }

  /** A battle with a hidden piece can end in several ways. @param {string[]} moves */
  offerOutcomes(moves) {
    $("analysis-outcomes").hidden = false;
    $("analysis-outcomes").replaceChildren(
      make("p", { "data-text": "analysis.outcome" }, t("analysis.outcome")),
      ...moves.map((move) => {
        const key = `outcome.${move.at(-1)}`;
        return make("button", { "data-text": key, onclick: () => this.play(move) }, t(key));
      }),
    );
    /** @type {HTMLElement} */ ($("analysis-outcomes").querySelector("button"))?.focus();
  }

  /** @param {any} error a RequestError */
  fail(error) {
    if (error.code === "lost") return;
    this.fault = () => (error.code === "bad-position" ? error.text : errorText(error));
    $("analysis-error").textContent = this.fault();
  }

  async search() {
    if (!this.state) return;
    const { state } = this;
    const number = ++this.searches;
    $("analysis-stop").hidden = false;
    try {
      const lines = Number($("analysis-count").value);
      const answer = await socket.request("analysis_search", { variant: $("analysis-variant").value, fen: this.start, moves: this.played().join(" "), lines, ms: SEARCH_MS });
      if (this.state === state && answer.lines.length) announce(answer.lines[0].moves[0]);
    } catch (error) {
      this.fail(error);
    } finally {
      if (number === this.searches) $("analysis-stop").hidden = true;
    }
  }

  /** @param {AnalysisLine[]} lines */
  showLines(lines) {
    // Lines of another position arrive late.
    const legal = Object.values(this.state?.targets ?? {}).flatMap((targets) => Object.values(targets));
    this.lines = lines.filter(({ moves }) => legal.includes(moves[0].replace(/[xo=!#].*$/, "")));
    this.drawLines();
  }

  // Saves the position and all moves to it as a text file.
  save() {
    const text = [`# ${$("analysis-variant").value}`, this.state?.fen, ...(this.at ? [`# ${this.start}`, `# moves ${this.played().join(" ")}`] : [])];
    download(new Blob([`${text.join("\n")}\n`], { type: "text/plain" }), "position.fen");
  }

  draw() {
    const { state, board } = this;
    const data = boardOf($("analysis-variant").value);
    if (!state || !data) return;
    board.set(data, "S");
    const choices = board.choices(state.pieces, state.targets);
    board.show({ shapes: state.pieces.map((piece) => board.shape(piece)), choices, last: state.last });
    $("analysis-error").textContent = this.fault();
    $("analysis-status").textContent = state.over ? t("analysis.over") : told("status.waits", state.turn, { mine: "", seats: board.board.seats });
    $("analysis-fen").value = state.fen;
    $("analysis-back").disabled = !this.at;
    $("analysis-next").disabled = this.at === this.moves.length;
    $("analysis-search").disabled = !Object.keys(state.targets).length;
    $("analysis-moves").replaceChildren(...this.moves.flatMap((move, ply) => [make("button", { class: "quiet", "aria-current": ply + 1 === this.at ? "true" : null, onclick: () => this.goTo(ply + 1) }, move), " "]));
    this.drawLines();
  }

  drawLines() {
    const layer = this.board.svgBoard.layers.advice;
    layer.replaceChildren();
    for (const { from, to, rank } of [...this.lines].reverse()) {
      const [a, b] = [this.board.point(from), this.board.point(to)];
      const strength = { class: "hint-way", opacity: 1 - 0.17 * (rank - 1) };
      layer.append(make("svg:path", { ...strength, d: between(a, b, 0.42, 0.47) }), make("svg:circle", { ...strength, cx: b.x, cy: b.y, r: 0.47 }));
      layer.append(make("svg:text", { class: "rank", x: b.x + 0.42, y: b.y - 0.36 }, String(rank)));
    }
    $("analysis-lines").replaceChildren(...this.lines.map(({ score, moves }) => make("li", {}, make("b", {}, scoreText(score)), " ", moves.join(" "))));
  }
}

/** A score of the engine: in pieces of a Lieutenant, as `cp` counts hundredths. @param {string} score */
function scoreText(score) {
  const [kind, value] = score.split(" ");
  return kind === "cp" ? `${Number(value) > 0 ? "+" : ""}${(Number(value) / 100).toFixed(2)}` : t("analysis.mate", { n: value });
}

export const analysis = new AnalysisView();
