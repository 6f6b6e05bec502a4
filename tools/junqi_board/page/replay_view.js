// The view of a recorded game, move by move.

import { address } from "./address.js";
import { $, child, make, refill, Stepper } from "./dom.js";
import { boardOf, JunqiBoard, pointsOf, teamOf } from "./junqi_board.js";
import { showAddress, turnTo } from "./navigation.js";
import { showBattles, showSeats } from "./panel.js";
import { ReviewCard } from "./review_view.js";
import { showError, socket } from "./socket.js";
import { remember, remembered, saveSetting, setting } from "./storage.js";
import { capital, t } from "./texts.js";
import { adviceSaying, endingText, moveSaying, resultText, shown, together, whoAll } from "./voice.js";

const STEP_S = 1;
const PACES_S = [0.3, 0.5, 1, 2, 4];
const MAX_GAMES_LISTED = 5000;
const EVERYONE = "*";

/** @implements {View} */
class ReplayView {
  id = "replay";
  /** The records of the open file. @type {string[]} */
  lines = [];
  /** The saved game that is open, as an address names it; empty for other records. */
  name = "";
  /** @type {GameRecord | null} */
  record = null;
  /** The position of ply `at`, as `eyes` saw it. @type {(Scene & { eyes: string }) | null} */
  scene = null;
  at = 0;
  /** What each entry of the record did, as the eyes `storyOf` saw it. @type {LastMove[]} */
  story = [];
  storyOf = "";
  /** The ply that was requested last: answers to earlier requests are skipped. */
  requestedAt = 0;
  stepper = new Stepper(() => this.showPanel());
  /** @type {JunqiBoard} */
  board = new JunqiBoard($("replay-board"), {
    onMove: () => {},
  });

  review = new ReviewCard({
    goTo: (ply) => this.goTo(ply),
    line: () => this.lines[Number($("replay-game").value)] ?? "",
    eyes: () => $("replay-eyes").value,
    said: (step) => this.said(step),
    listener: () => this.listener,
    advised: (move) => {
      const [from, to] = pointsOf(move, this.board.board);
      return adviceSaying("moment", from, to, this.scene?.pieces ?? [], this.listener);
    },
    showBetter: (better, played) => this.board.data && this.board.showBetter(better, played),
  });

  messages = {
    welcome: (/** @type {Message} */ message) => {
      if (message.has_games && !this.record && !remembered("replay")) this.openGiven();
    },
    review: (/** @type {any} */ message) => this.review.receive(message),
  };

  begin() {
    this.board.follow(child($("replay"), ".panel"));
    this.review.begin();
    $("replay-game").onchange = () => this.openLine(Number($("replay-game").value));
    $("replay-eyes").onchange = () => this.showPly(this.at);
    $("replay-pace").onchange = () => saveSetting("replayPace", Number($("replay-pace").value));
    $("replay-first").onclick = () => this.goTo(0);
    $("replay-back").onclick = () => this.goTo(this.at - 1);
    $("replay-next").onclick = () => this.goTo(this.at + 1);
    $("replay-last").onclick = () => this.goTo(Infinity);
    $("replay-play").onclick = () => (this.stepper.isOn ? this.stepper.halt() : this.run());
    $("replay-at").oninput = () => this.goTo(Number($("replay-at").value));
    // In the capturing phase: the keys step wherever the focus is, also on a tab or the board.
    document.addEventListener("keydown", (event) => this.key(event), true);
    this.fillPaces();
    this.showPanel();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const isElsewhere = $("replay").hidden || !this.record || document.querySelector("dialog[open]");
    const isTyping = /** @type {Element} */ (event.target).matches("input:not([type=range]), textarea");
    if (isElsewhere || isTyping || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const at = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: Infinity }[event.key];
    if (at === undefined) return;
    this.goTo(at);
    event.preventDefault();
    event.stopPropagation();
  }

  show() {
    if (this.record) this.showPly(this.at);
  }

  hide() {
    this.stepper.halt();
  }

  redraw() {
    this.board.happening.end();
    this.fillPaces();
    this.showPanel();
    this.review.redraw();
    if (!this.record) return;
    if (!$("replay").hidden) this.showPly(this.at);
    for (const option of $("replay-eyes").options) option.textContent = eyesText(option.value);
  }

  // The server forgets the record when the connection is lost.
  connected() {
    if (this.record) this.openLine(Number($("replay-game").value), this.at);
    else this.resume();
  }

  /** Opens a file of records, or a .jgs file, which the server converts to a record. @param {File} file */
  async openFile(file) {
    if (!file.name.toLowerCase().endsWith(".jgs")) return this.openText(await file.text());
    const bytes = new Uint8Array(await file.arrayBuffer());
    const data = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    const answer = await socket.ask("replay_convert", { data });
    return answer !== null && this.openText(answer.line);
  }

  address() {
    return this.record && this.name ? `game/${this.name}#${this.at}` : "";
  }

  /** Opens the first game of a file; whether that is possible. @param {string} text @param {number} at @param {string | null} eyes @param {string} name of a saved game, by which an address can name it */
  async openText(text, at = 0, eyes = null, name = "") {
    const lines = text.split("\n").filter((line) => line.trim());
    const record = await this.request(lines[0] ?? "");
    // A file whose first game cannot be opened changes nothing.
    if (!record) return false;
    Object.assign(this, { lines, name });
    $("replay-games").hidden = lines.length < 2;
    $("replay-game").replaceChildren(...lines.slice(0, MAX_GAMES_LISTED).map((line, index) => make("option", { value: index }, gameTitle(line, index))));
    await this.showRecord(record, at, eyes);
    return true;
  }

  // Opens the file with which the board was started.
  async openGiven() {
    const answer = await socket.ask("replay_given");
    if (!answer) return;
    turnTo(this.id);
    await this.openText(answer.lines.join("\n"));
  }

  // Opens the record that was open before a reload.
  resume() {
    const last = remembered("replay");
    if (typeof last?.line === "string" && address.place?.kind !== "game") this.openText(last.line, last.at, last.eyes, last.name);
  }

  /** @param {number} index which game of the file @param {number} at @param {string | null} eyes */
  async openLine(index, at = 0, eyes = null) {
    const record = await this.request(this.lines[index] ?? "");
    if (record) await this.showRecord(record, at, eyes);
  }

  /** Opens a record on the server; null if that is refused. @param {string} line @returns {Promise<GameRecord | null>} */
  async request(line) {
    this.stepper.halt();
    return socket.ask("replay_open", { line: line.trim() });
  }

  /** @param {GameRecord} record @param {number} at @param {string | null} eyes */
  async showRecord(record, at, eyes) {
    const isFirst = !this.record;
    this.record = record;
    [this.story, this.storyOf] = [[], ""];
    this.review.opened(record.moves.length);
    const list = $("replay-eyes");
    const chosen = eyes ?? (isFirst ? EVERYONE : list.value);
    refill(list, record.eyes.map((one) => [one, eyesText(one)]), chosen);
    $("replay-at").max = String(record.moves.length);
    await this.showPly(at);
    if (record.review) this.review.show(record.review, true);
  }

  /** @param {number} at */
  goTo(at) {
    this.stepper.halt();
    this.showPly(at);
  }

  /** @param {number} ply */
  async showPly(ply) {
    const { record, board } = this;
    if (!record) return;
    const at = Math.max(0, Math.min(ply, record.moves.length));
    this.requestedAt = at;
    try {
      const scene = await socket.request("replay_show", { ply: at, eyes: $("replay-eyes").value });
      const data = boardOf(record.variant);
      if (this.requestedAt !== at || !data) return;
      const isStep = at === this.at + 1 && scene.eyes === this.scene?.eyes;
      this.at = at;
      board.set(data, scene.eyes === EVERYONE ? "S" : scene.eyes[0], scene.eyes === EVERYONE ? "" : scene.eyes);
      if (!isStep) board.happening.end();
      const team = teamOf(data, scene.eyes === EVERYONE ? "" : scene.eyes[0]);
      board.show({ shapes: scene.pieces.map((/** @type {Piece} */ piece) => board.shape(piece, { proven: scene.proven?.[piece[0]] })), last: this.review.note(at) && !isStep ? null : scene.last, isStep, team });
      this.scene = scene;
      remember("replay", { line: this.lines[Number($("replay-game").value)], at, eyes: scene.eyes, name: this.name });
      showAddress();
      this.showPanel();
      await this.askStory(scene.eyes);
    } catch (error) {
      this.stepper.halt();
      showError(error);
    }
  }

  /** Asks what each entry did, unless that is known. @param {string} eyes */
  async askStory(eyes) {
    const { record } = this;
    if (this.storyOf === eyes) return;
    this.storyOf = eyes;
    const { entries } = await socket.request("replay_story", { eyes });
    if (record !== this.record || this.storyOf !== eyes) return;
    this.story = entries;
    this.showPanel();
  }

  /** Shows a move again, as it happened. @param {number} ply */
  async playAgain(ply) {
    this.stepper.halt();
    await this.showPly(ply - 1);
    await this.showPly(ply);
  }

  run() {
    const { record } = this;
    if (!record) return;
    if (this.at >= record.moves.length) this.at = 0;
    const step = async () => {
      await this.showPly(this.at + 1);
      return this.at < record.moves.length;
    };
    this.stepper.start(step, () => 1000 * Number($("replay-pace").value));
  }

  // Who hears the sentences: the seats whose eyes the game is seen with.
  get listener() {
    const mine = this.scene && this.scene.eyes !== EVERYONE ? this.scene.eyes : "";
    return { mine, seats: this.board.data?.seats ?? "SN" };
  }

  /** What a move did; null until that is known. @param {number} step from 0 */
  said(step) {
    const data = this.record && boardOf(this.record.variant);
    return data && this.story[step] ? moveSaying(this.story[step], data, this.listener.mine) : null;
  }

  showPanel() {
    const { record, scene } = this;
    const data = record && boardOf(record.variant);
    $("replay-play").textContent = this.stepper.isOn ? "❚❚" : "▶";
    for (const element of document.querySelectorAll("[data-record]")) /** @type {HTMLElement} */ (element).hidden = !record;
    if (!record || !scene || !data) return;
    const { listener } = this;
    const isLast = this.at === record.moves.length;
    const note = this.review.note(this.at);
    const place = note || (this.at ? t("replay.status", { at: this.at, all: record.moves.length }) : t("replay.start"));
    const end = isLast ? [capital(t("sentence", { text: resultText(record.result, listener) })), endingText({ ...record, turn: scene.turn }, listener)] : [];
    $("replay-status").replaceChildren(shown(together(place, scene.last && !note ? moveSaying(scene.last, data, listener.mine, false) : "", ...end)));
    $("replay-at").value = String(this.at);
    this.review.showAt(this.at);
    const isOver = this.at === record.moves.length;
    const state = { ...scene, mine: listener.mine, phase: isOver ? "over" : "playing" };
    showBattles($("replay-log"), this.story.slice(0, this.at), data, listener.mine, (ply) => this.playAgain(ply));
    showSeats($("replay-seats"), [...data.seats].map((seat) => [seat, { name: record.names[seat], who: "engine" }]), state, (seat) => this.board.sideOf(seat));
  }

  // The choice of the time between two moves.
  fillPaces() {
    refill($("replay-pace"), PACES_S.map((s) => [String(s), t("replay.paceIs", { s })]), $("replay-pace").value || String(setting("replayPace", STEP_S)));
  }
}

/** Whose eyes the board is seen with. @param {string} eyes */
const eyesText = (eyes) => (eyes === EVERYONE ? t("replay.all") : capital(whoAll(eyes, { mine: "", seats: replay.board.data?.seats ?? "SENW" })));

/** The title of a recorded game in the list; the server checks the record only when it is opened. @param {string} line @param {number} index */
function gameTitle(line, index) {
  try {
    const record = JSON.parse(line);
    const names = Object.values(record.engines).map((engine) => engine.name);
    return `${record.game}: ${names.join(" – ")}, ${record.result}`;
  } catch {
    return `${index + 1}: ?`;
  }
}

export const replay = new ReplayView();
