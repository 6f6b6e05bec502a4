// The view of the game: the board, whose turn it is, the controls, the engine's help.

import { catalogue, levels } from "./catalogue.js";
import { firstHints } from "./first_hints.js";
import { $, announce, child, confirmed, warn } from "./dom.js";
import { endCard } from "./end_card.js";
import { helpPane } from "./help_pane.js";
import { boardOf, isMove, JunqiBoard, teamOf } from "./junqi_board.js";
import { lineupEditor } from "./lineup_editor.js";
import { pieceNotes } from "./piece_notes.js";
import { Arrivals } from "./motion.js";
import { beginSide, drawSide, goTo, showSide, turnTo } from "./navigation.js";
import { newGame } from "./new_game.js";
import { clockText, showBattles, showSeats, showStatus } from "./panel.js";
import { people, showInvitations } from "./people.js";
import { replay } from "./replay_view.js";
import { socket } from "./socket.js";
import { play as playSound } from "./sounds.js";
import { set } from "./state.js";
import { distance } from "./svg_board.js";
import { t } from "./texts.js";
import { moveSaying, textOf, told } from "./voice.js";

const SHORT_TIME_MS = 20_000;
const CLOCK_EVERY_MS = 250;

/** An earlier position; before a moment of the review with the move that was played, and a better one. @typedef {{ ply: number, scene: Scene, moment?: { played: string, better: string } }} Past */

/** @implements {View} */
class PlayView {
  id = "play";
  /** @type {GameState | null} */
  state = null;
  /** What each entry of the record did. @type {LastMove[]} */
  story = [];
  /** An earlier position that the board shows. @type {Past | null} */
  past = null;
  /** When the state arrived, on the page's own clock. */
  receivedAt = 0;
  arrivals = new Arrivals((state, at) => this.receive(state, at), ({ last, mine }) => this.isStep && last?.outcome !== "no-battle" && [last?.attacker, last?.defender].some((piece) => piece && mine.includes(piece.seat)));
  /** Whether the state that is shown is one move after that before. */
  isStep = false;
  /** A move that waits for the person's turn. `there` is what stood on its target. @type {{ choice: Choice, id: string, from: Place, there: number | null } | null} */
  planned = null;
  /** The timer of the next look at the clocks; none while no clock is running. */
  clockTimer = 0;
  /** The seats whose time is short, of which the person has been warned. @type {Set<string>} */
  warned = new Set();
  /** @type {GameInvitation[]} */
  invitations = [];
  /** @type {JunqiBoard} */
  board = new JunqiBoard($("play-board"), {
    onMove: (choice, id) => this.move(choice, id),
    onHover: (shape) => helpPane.showBelief(shape),
    onZoom: (isZoomed) => firstHints.zoomed(isZoomed),
    // With belief on, a click on a hidden piece asks about it.
    onRefuse: (shape, place, chosen) => (chosen || shape?.letter !== "?" || !helpPane.isAsked()) && this.board.refuse(shape, place, chosen),
    onMark: (shape, x, y) => this.openMarks(shape, x, y),
  });

  /** @type {Record<string, (message: any) => void>} */
  messages = {
    game: (message) => this.arrivals.come(message),
    opened: ({ game, invitations }) => this.invite(game, invitations),
    gone: () => warn(() => t("game.gone"), 0),
    talk: (message) => people.receive(message.lines),
    review: (message) => endCard.receive(message),
    belief: (message) => helpPane.receiveBelief(message),
    advice: (message) => helpPane.receiveAdvice(message),
    notice: (message) => {
      if (message.code === "adviser-failed") helpPane.failed();
    },
  };

  begin() {
    $("take-back").onclick = () => socket.send("take_back");
    $("draw").onclick = () => confirmed(t("game.drawSure"), t("game.draw")).then((yes) => yes && socket.send("draw"));
    $("resign").onclick = () => confirmed(t("game.resignSure"), t("game.resign")).then((yes) => yes && socket.send("resign"));
    $("hurry").onclick = () => socket.send("hurry");
    $("pause").onclick = () => socket.send("pause", { on: !this.state?.paused });
    $("offer-accept").onclick = () => socket.send("draw_answer", { accept: true });
    $("offer-decline").onclick = () => socket.send("draw_answer", { accept: false });
    $("fault-restart").onclick = () => socket.ask("restart_engine", { seats: this.state?.fault?.seats });
    $("review").onclick = () => this.review();
    $("plan-cancel").onclick = () => {
      this.planned = null;
      this.draw();
    };
    $("spectators").onclick = async () => {
      const answer = await socket.ask("spectators");
      if (answer && this.state) this.invite(this.state.game, [{ seats: "-", token: answer.token }]);
    };
    $("card-new").onclick = () => $("new").click();
    $("past-end").onclick = () => this.goToPast(Infinity);
    $("past-back").onclick = () => this.goToPast((this.past?.ply ?? 0) - 1);
    $("past-next").onclick = () => this.goToPast((this.past?.ply ?? 0) + 1);
    $("new").onclick = () => newGame.open();
    $("play-board").addEventListener("pointerdown", () => this.arrivals.goOn());
    this.board.follow(child($("play"), ".panel"));
    pieceNotes.begin(() => this.draw());
    helpPane.begin(this);
    endCard.begin(this);
    lineupEditor.begin(this);
    levels.begin();
    people.begin();
    firstHints.begin();
    beginSide();
    newGame.begin(() => this.mayLeave());
  }

  redraw() {
    // The picture of a battle is drawn again, in the chosen look and language.
    this.board.happening.end();
    helpPane.showBelief(null);
    firstHints.draw();
    this.draw();
  }

  // Whether the game may be left: nothing is lost, but one that the person still plays or watches stops.
  async mayLeave() {
    if (this.state?.phase !== "playing" || (this.state.mine && !this.state.may.resign)) return true;
    return confirmed(t("game.leaveSure"), t("game.leave"));
  }

  connected() {
    helpPane.connected();
  }

  /** @param {GameState} state @param {number} at when it arrived */
  receive(state, at) {
    const before = this.state;
    const isNewGame = before?.game !== state.game;
    const isNewPhase = isNewGame || (before?.phase === "arranging") !== (state.phase === "arranging");
    this.state = state;
    this.receivedAt = at;
    if (state.ladder) set({ ladder: state.ladder });
    if (isNewGame) {
      this.planned = null;
      pieceNotes.load(state.game);
      this.invitations = this.invitations.filter((one) => one.game === state.game);
      this.past = null;
      this.story = [];
      helpPane.newGame();
      showSide("log");
    }
    const count = state.moves?.length ?? 0;
    const hasMoved = isNewGame || before?.moves?.length !== state.moves?.length;
    if (hasMoved) helpPane.moved();
    const isStep = !isNewPhase && Boolean(before?.moves) && (before?.moves?.length ?? 0) + 1 === count;
    this.isStep = isStep;
    if (hasMoved && !isStep) this.board.happening.end();
    this.keepStory(state);
    if (this.past && (!isStep || this.past.ply >= count)) this.past = null;
    if (isNewPhase) lineupEditor.reset(state, before);
    if (state.phase === "arranging") lineupEditor.follow(state);
    if (hasMoved) this.followPlan();
    this.draw(isStep && !this.past);
    // On a narrow screen the Start button is below the board, but the game is played above it.
    if (isNewPhase && state.phase === "playing" && before) for (const id of ["play-board", "status"]) $(id).scrollIntoView({ block: "nearest" });
    const data = boardOf(state.variant);
    if (isStep && data && state.last) announce(textOf(moveSaying(state.last, data, state.mine)));
    firstHints.follow(state);
    // A game that is being played, and the page of a guest, come before the choice of one.
    if (!before && !$("home").hidden && (state.phase !== "arranging" || !catalogue.isHost)) turnTo(this.id);
    if (before?.phase === "playing" && state.phase === "over" && !isNewGame) {
      playSound("end");
      endCard.ended();
      $("play-board").scrollIntoView({ block: "nearest" });
    }
  }

  /** Adds what the last move did; after a gap all of it is asked for. @param {GameState} state */
  async keepStory(state) {
    const moves = state.moves ?? [];
    this.story.length = Math.min(this.story.length, moves.length);
    if (state.last && this.story.length === moves.length - 1) this.story.push(state.last);
    const isWhole = this.story.length === moves.length && this.story.every((entry, index) => entry.text === moves[index]);
    if (isWhole) return;
    this.story = [];
    const answer = await socket.ask("story");
    if (!answer || answer.game !== this.state?.game || answer.entries.length < (this.state?.moves?.length ?? 0)) return;
    this.story = answer.entries;
    this.draw();
  }

  /** @param {boolean} [isStep] whether the last move is shown as it happens */
  draw(isStep = false) {
    const { state } = this;
    const data = state && boardOf(state.variant);
    if (!data) return;
    this.board.set(data, state.mine[0] ?? "S", state.mine);
    $("play-board").classList.toggle("over", !this.past && state.phase === "over");
    $("play-board").classList.toggle("mine-turn", !this.past && state.phase === "playing" && Object.keys(state.targets ?? {}).length > 0);
    if (state.phase === "arranging") lineupEditor.draw(state);
    else if (this.past) this.drawPast(this.past, teamOf(data, state.mine[0]), isStep);
    else this.drawPosition(state, teamOf(data, state.mine[0]), isStep);
    this.showPanel(state, data);
  }

  /** @param {GameState} state @param {string} team @param {boolean} isStep */
  drawPosition(state, team, isStep) {
    const { board } = this;
    const pieces = state.uncovered?.pieces ?? state.pieces;
    const shapes = pieces.map((piece) => {
      const [point, id, , letter] = piece;
      const guess = letter === "?" ? helpPane.guess(point) : null;
      return board.shape(piece, { mark: pieceNotes.letters[id], guess, proven: state.proven?.[point] });
    });
    const isLater = !Object.keys(state.targets ?? {}).length;
    const choices = board.choices(state.pieces, isLater ? state.premoves : state.targets);
    board.show({ shapes, choices, isLater, last: state.last, isStep, team });
    board.showAdvice(helpPane.advice);
    board.showPlanned(this.planned && { from: this.planned.from, to: this.planned.choice });
  }

  /** Shows an earlier position, in which nothing can be moved. @param {Past} past @param {string} team @param {boolean} isStep */
  drawPast({ scene, moment }, team, isStep) {
    const { board } = this;
    if (!isStep) board.happening.end();
    board.show({ shapes: scene.pieces.map((piece) => board.shape(piece, { mark: pieceNotes.letters[piece[1]], proven: scene.proven?.[piece[0]] })), last: moment ? null : scene.last, isStep, team });
    board.showBetter(moment?.better ?? "", moment?.played);
  }

  /** Shows a move again, as it happened. @param {number} ply */
  async playAgain(ply) {
    $("play-board").scrollIntoView({ block: "nearest" });
    await this.goToPast(ply - 1);
    await this.goToPast(ply, true);
  }

  /** Shows the position before a move, with arrows for what was played and for what was better. @param {number} step @param {string} better empty if the move was good */
  async showMoment(step, better) {
    $("play-board").scrollIntoView({ block: "nearest" });
    await this.goToPast(step);
    if (this.past?.ply !== step) return;
    const played = this.story[step].text;
    this.past.moment = { played, better: isMove(played, better) ? "" : better };
    this.draw();
    announce($("past-note").textContent ?? "");
  }

  /**
   * Shows the position after some entries of the record; after the last one it is the present.
   * @param {number} ply
   * @param {boolean} [isStep] whether its move is shown as it happens
   */
  async goToPast(ply, isStep = false) {
    const { state } = this;
    if (!state?.moves) return;
    const at = Math.max(0, ply);
    if (at >= state.moves.length) {
      this.board.happening.end();
      this.past = null;
      this.draw(isStep);
      return;
    }
    const scene = await socket.ask("past", { ply: at });
    if (!scene || scene.game !== this.state?.game) return;
    this.past = { ply: at, scene };
    this.draw(isStep);
  }

  /** @param {Choice} choice @param {string} id the shape that is moved */
  move(choice, id) {
    if (this.state?.phase === "arranging") lineupEditor.swap(id, String(choice.id));
    else if (!Object.keys(this.state?.targets ?? {}).length) this.plan(choice, id);
    else this.send(choice);
  }

  /** @param {Choice} choice */
  send(choice) {
    this.planned = null;
    socket.send("move", { ply: this.state?.moves?.length, move: choice.move });
    this.draw();
  }

  /** Keeps a move until the person's turn. @param {Choice} choice @param {string} id */
  plan(choice, id) {
    const from = this.board.svgBoard.shapes.find((shape) => shape.id === id);
    if (from) this.planned = { choice, id, from: { x: from.x, y: from.y }, there: this.pieceAt(choice) };
    this.draw();
    announce(t("plan.waits"));
  }

  /** The number of the piece at a place; null if it is empty. @param {Place} place */
  pieceAt(place) {
    return this.state?.pieces.find(([point]) => distance(this.board.point(point), place) < 0.1)?.[1] ?? null;
  }

  // A planned move is played as soon as it can be; one that a change has overtaken is given up.
  followPlan() {
    const { planned, state } = this;
    if (!planned || !state) return;
    const mover = state.pieces.find(([, piece]) => String(piece) === planned.id);
    const isSame = mover && distance(this.board.point(mover[0]), planned.from) < 0.1 && this.pieceAt(planned.choice) === planned.there;
    const isTurn = Object.keys(state.targets ?? {}).length > 0;
    const isLegal = !isTurn || Object.values(state.targets?.[mover?.[0] ?? -1] ?? {}).includes(String(planned.choice.move));
    if (state.phase !== "playing" || !isSame || !isLegal) {
      this.planned = null;
      announce(t("plan.cancelled"));
    } else if (isTurn) this.send(planned.choice);
  }

  /** Shows the addresses for the guests of a new game. @param {number} game @param {{ seats: string, token: string }[]} invitations */
  invite(game, invitations) {
    const isNew = (/** @type {string} */ seats) => invitations.some((one) => one.seats === seats);
    this.invitations = [...this.invitations.filter((one) => one.game === game && !isNew(one.seats)), ...invitations.map((one) => ({ ...one, game }))];
    this.draw();
  }

  /** @param {Shape} shape @param {number} x @param {number} y */
  openMarks(shape, x, y) {
    const { state } = this;
    if (!state || state.phase === "arranging" || shape.letter !== "?") return;
    pieceNotes.open(shape.id, x, y, state.proven?.[Number(shape.point)] ?? "abcdefghijkl");
  }

  // Shows the game, which is over, as a replay.
  async review() {
    const answer = await socket.ask("record");
    if (!answer) return;
    goTo(replay.id);
    await replay.openText(answer.line, 0, null, this.state?.saved?.match(/([\w-]+)\.jsonl$/)?.[1] ?? "");
  }

  /** @param {GameState} state @param {BoardData} data */
  showPanel(state, data) {
    const isOver = state.phase === "over";
    showStatus($("status"), state, data);
    document.title = Object.keys(state.targets ?? {}).length ? t("title.yourTurn") : t("title");
    const shown = this.past ? { ...state, ...this.past.scene } : { ...state, ...(state.uncovered && { removed: state.uncovered.removed }) };
    showSeats($("seats"), [...data.seats].map((seat) => [seat, state.seats[seat]]), shown, (seat) => this.board.sideOf(seat));
    $("fault").hidden = !state.fault;
    if (state.fault) child($("fault"), "p").textContent = t("fault.text", { text: state.fault.text });
    $("fault-restart").hidden = !catalogue.isHost;
    $("offer").hidden = !state.offer;
    if (state.offer) {
      const text = told("draw.offered", state.offer.by[0], { mine: state.mine, seats: data.seats });
      child($("offer"), "p").textContent = text;
      for (const id of ["offer-accept", "offer-decline"]) $(id).hidden = !state.offer.to_me;
    }
    $("arrange").hidden = state.phase !== "arranging" || !state.mine;
    $("take-back").hidden = !state.may.take_back && !(state.mine && state.may.pause && state.phase === "playing");
    $("take-back").disabled = !state.may.take_back;
    $("draw").hidden = $("resign").hidden = !state.may.resign;
    $("hurry").hidden = !state.may.hurry;
    $("pause").hidden = !state.may.pause || state.phase !== "playing";
    $("pause").classList.toggle("main", state.paused);
    child($("pause"), "span").textContent = t(state.paused ? "game.resume" : "game.pause");
    $("review").hidden = !isOver;
    $("new").hidden = !catalogue.isHost;
    levels.draw(state);
    people.draw(state, data);
    helpPane.draw(state);
    $("moves-card").hidden = !state.moves;
    showBattles($("log"), this.story, data, state.mine, (ply) => this.playAgain(ply));
    this.showNote(state);
    $("plan").hidden = !this.planned;
    $("spectators").hidden = !catalogue.isHost || state.phase === "arranging";
    endCard.draw(state, data);
    $("unsaved").textContent = state.unsaved ? t("game.unsaved", { reason: state.unsaved }) : "";
    showInvitations(this.invitations, state, data);
    drawSide();
    this.showClocks();
  }

  /** Says that the board shows the past, if it does. @param {GameState} state */
  showNote(state) {
    const { past } = this;
    $("past-note").hidden = !past;
    if (!past) return;
    const key = past.moment?.better ? "past.better" : past.moment ? "past.played" : "past.note";
    child($("past-note"), "span").textContent = t(key, { at: past.ply + (past.moment ? 1 : 0), all: state.moves?.length ?? 0 });
    $("past-back").disabled = past.ply === 0;
  }

  showClocks() {
    clearTimeout(this.clockTimer);
    let isAnyRunning = false;
    for (const [seat, { remaining_ms, is_running }] of Object.entries(this.state?.seats ?? {})) {
      const clock = child($("seats"), `[data-seat="${seat}"] .clock`);
      if (!clock || remaining_ms === null || remaining_ms === undefined) continue;
      isAnyRunning ||= Boolean(is_running);
      const shown_ms = remaining_ms - (is_running ? performance.now() - this.receivedAt : 0);
      clock.textContent = clockText(Math.max(0, shown_ms));
      const isShort = shown_ms < SHORT_TIME_MS;
      if (isShort && is_running && this.state?.mine.includes(seat) && !this.warned.has(seat)) playSound("clock");
      if (isShort) this.warned.add(seat);
      else this.warned.delete(seat);
      clock.classList.toggle("short", isShort);
    }
    if (isAnyRunning) this.clockTimer = window.setTimeout(() => this.showClocks(), CLOCK_EVERY_MS);
  }
}

export const play = new PlayView();
