// The view of the game: the board, whose turn it is, the controls, the engine's help.

import { catalogue, fillEngines } from "./catalogue.js";
import { $, addLines, announce, child, confirmed, make, warn } from "./dom.js";
import { JunqiBoard, boardOf } from "./junqi_board.js";
import { lineupEditor } from "./lineup_editor.js";
import { marks } from "./marks.js";
import { goTo } from "./navigation.js";
import { newGame } from "./new_game.js";
import { clockText, moveText, showInvitations, showMoves, showSeats, statusText } from "./panel.js";
import { replay } from "./replay_view.js";
import { showError, socket } from "./socket.js";
import { t, teamName } from "./texts.js";
import { unfinished } from "./unfinished.js";

const ADVICE_MS = 1000;
const SHORT_TIME_MS = 20_000;

/** @implements {View} */
class PlayView {
  id = "play";
  /** @type {GameState | null} */
  state = null;
  /** @type {Record<string, Chances>} */
  belief = {};
  /** @type {Advice | null} */
  advice = null;
  /** When the state arrived, on the page's own clock. */
  receivedAt = 0;
  /** @type {GameInvitation[]} */
  invitations = [];
  /** @type {JunqiBoard} */
  board = new JunqiBoard($("play-board"), {
    onMove: (choice, id) => this.move(choice, id),
    onHover: (shape) => this.showBelief(shape),
    onMark: (shape, x, y) => this.openMarks(shape, x, y),
    describe: (shape, place) => this.board.describe(shape, place),
  });

  /** @type {Record<string, (message: any) => void>} */
  messages = {
    game: (message) => this.receive(message),
    gone: () => warn(t("game.gone"), 0),
    info: (message) => addLines($("info"), message.lines.map((/** @type {string} */ line) => (message.seats ? `${message.seats} ${line}` : line))),
    belief: (message) => this.receiveBelief(message.points),
    advice: (message) => this.receiveAdvice(message),
    notice: (message) => {
      if (message.code !== "adviser-failed") return;
      this.enableAdvice();
      $("belief").checked = false;
    },
  };

  begin() {
    $("take-back").onclick = () => socket.send("take_back");
    $("draw").onclick = () => socket.send("draw");
    $("resign").onclick = () => confirmed(t("game.resignSure")).then((yes) => yes && socket.send("resign"));
    $("pause").onclick = () => socket.send("pause", { on: !this.state?.paused });
    $("pace").onchange = () => socket.send("pace", { ms: Number($("pace").value) });
    $("belief").onchange = () => {
      this.belief = {};
      socket.send("belief", { on: $("belief").checked });
      this.showBelief(null);
      this.draw();
    };
    $("advice").onclick = () => {
      $("info").textContent = "";
      $("advice").disabled = true;
      $("advice-stop").hidden = false;
      socket.request("advice", { ms: ADVICE_MS }).catch((error) => {
        showError(error);
        this.enableAdvice();
      });
    };
    $("advice-stop").onclick = () => socket.send("advice_stop");
    $("offer-accept").onclick = () => socket.send("draw_answer", { accept: true });
    $("offer-decline").onclick = () => socket.send("draw_answer", { accept: false });
    $("fault-replace").onclick = () => {
      const [program, player] = JSON.parse($("fault-engine").value);
      socket.send("new_engine", { seats: this.state?.fault?.seats, program, player });
    };
    $("review").onclick = () => this.review();
    setInterval(() => this.showClocks(), 250);
    marks.begin(() => this.draw());
    lineupEditor.begin(this);
    unfinished.begin((game, invitations) => this.invite(game, invitations));
    newGame.begin((game, invitations) => this.invite(game, invitations));
  }

  redraw() {
    this.draw();
  }

  connected() {
    if ($("belief").checked) socket.send("belief", { on: true });
    if (catalogue.isHost) unfinished.ask();
  }

  /** @param {GameState} state */
  receive(state) {
    const before = this.state;
    const isNewGame = before?.game !== state.game;
    const isNewPhase = isNewGame || (before?.phase === "arranging") !== (state.phase === "arranging");
    this.state = state;
    this.receivedAt = performance.now();
    if (isNewGame) {
      marks.load(state.game);
      this.invitations = this.invitations.filter((one) => one.game === state.game);
      $("info").textContent = "";
      $("belief").checked = false;
    }
    const hasMoved = !before || before.moves?.length !== state.moves?.length;
    if (hasMoved) {
      this.advice = null;
      this.belief = {};
      this.enableAdvice();
    }
    if (isNewGame && before && catalogue.isHost) unfinished.ask();
    if (isNewPhase) lineupEditor.reset(state);
    if (state.phase === "arranging") lineupEditor.follow(state);
    this.draw();
    // On a narrow screen the Start button is below the board, but the game is played above it.
    if (isNewPhase && state.phase === "playing" && before) for (const id of ["play-board", "status"]) $(id).scrollIntoView({ block: "nearest" });
    if (!isNewPhase && before?.moves && before.moves.length + 1 === state.moves?.length) {
      this.board.battle(state.last);
      announce(moveText(state.last, boardOf(state.variant)));
    }
  }

  draw() {
    const { state } = this;
    const data = state && boardOf(state.variant);
    if (!data) return;
    this.board.set(data, state.mine[0] ?? "S");
    if (state.phase === "arranging") lineupEditor.draw(state);
    else this.drawPosition(state);
    this.board.glow(state.phase === "arranging" ? null : state.last, this.advice);
    this.showPanel(state, data);
  }

  /** @param {GameState} state */
  drawPosition(state) {
    const { board } = this;
    const shapes = state.pieces.map((piece) => {
      const [point, id, , letter] = piece;
      const guess = letter === "?" ? bestGuess(this.belief[point]) : null;
      return board.shape(piece, { mark: marks.letters[id], guess });
    });
    /** @type {Map<string, Choice[]>} */
    const choices = new Map();
    for (const [from, targets] of Object.entries(state.targets ?? {})) {
      const piece = state.pieces.find(([point]) => point === Number(from));
      if (piece) choices.set(String(piece[1]), Object.entries(targets).map(([to, move]) => ({ ...board.point(Number(to)), move })));
    }
    const { last } = state;
    board.svgBoard.update({
      shapes,
      choices,
      spots: board.spots(),
      leaving: (shape) => (last && last.to >= 0 && last.from === shape.point ? board.point(last.to) : shape),
    });
  }

  /**
   * @param {Choice} choice
   * @param {string} id the shape that is moved
   */
  move(choice, id) {
    if (this.state?.phase === "arranging") lineupEditor.swap(id, String(choice.id));
    else socket.send("move", { ply: this.state?.moves?.length, move: choice.move });
  }

  /**
   * Shows the addresses for the guests of a new game.
   * @param {number} game
   * @param {{ seats: string, token: string }[]} invitations
   */
  invite(game, invitations) {
    this.invitations = invitations.map((one) => ({ ...one, game }));
    this.draw();
  }

  /**
   * @param {Shape} shape
   * @param {number} x
   * @param {number} y
   */
  openMarks(shape, x, y) {
    if (this.state?.phase !== "arranging" && shape.letter === "?") marks.open(shape.id, x, y);
  }

  // Shows the game, which is over, as a replay.
  async review() {
    try {
      const { line } = await socket.request("record");
      goTo(replay.id);
      await replay.openText(line);
    } catch (error) {
      showError(error);
    }
  }

  /**
   * @param {GameState} state
   * @param {BoardData} data
   */
  showPanel(state, data) {
    const isOver = state.phase === "over";
    $("status").textContent = statusText(state, data);
    $("status").classList.toggle("mine", Object.keys(state.targets ?? {}).length > 0);
    showSeats($("seats"), [...data.seats].map((seat) => [seat, state.seats[seat]]), state);
    $("fault").hidden = !state.fault;
    if (state.fault) {
      child($("fault"), "p").textContent = t("fault.text", { text: state.fault.text });
      fillEngines($("fault-engine"));
    }
    $("offer").hidden = !state.offer;
    if (state.offer) {
      const text = state.offer.to_me ? t("draw.offered", { seat: teamName(state.offer.by) }) : t("draw.waiting");
      child($("offer"), "p").textContent = text;
      for (const id of ["offer-accept", "offer-decline"]) $(id).hidden = !state.offer.to_me;
    }
    $("arrange").hidden = state.phase !== "arranging" || !state.mine;
    $("take-back").hidden = !state.may.take_back;
    $("draw").hidden = $("resign").hidden = !state.may.resign;
    $("pause").hidden = !state.may.pause || state.phase !== "playing";
    $("pause").textContent = t(state.paused ? "game.resume" : "game.pause");
    $("review").hidden = !isOver;
    $("new").hidden = !catalogue.isHost;
    $("pace-row").hidden = !catalogue.isHost || isOver || !Object.values(state.seats).some((seat) => seat.who === "engine");
    if (document.activeElement !== $("pace")) $("pace").value = String(state.pace_ms);
    $("engine-pane").hidden = state.phase === "arranging";
    $("belief").disabled = !state.mine;
    $("advice").hidden = !state.mine || isOver;
    showMoves($("moves"), state.moves ?? [], null);
    $("moves-card").hidden = !state.moves?.length;
    $("saved").textContent = state.unsaved ? t("game.unsaved", { reason: state.unsaved }) : state.saved ? t("game.saved", { path: state.saved }) : "";
    $("saved").classList.toggle("faults", Boolean(state.unsaved));
    unfinished.draw(state);
    showInvitations(this.invitations, state);
    this.showClocks();
  }

  showClocks() {
    for (const [seat, { remaining_ms, is_running }] of Object.entries(this.state?.seats ?? {})) {
      const clock = child($("seats"), `[data-seat="${seat}"] .clock`);
      if (!clock || remaining_ms === null || remaining_ms === undefined) continue;
      const shown_ms = remaining_ms - (is_running ? performance.now() - this.receivedAt : 0);
      clock.textContent = clockText(Math.max(0, shown_ms));
      clock.classList.toggle("short", shown_ms < SHORT_TIME_MS);
    }
  }

  /**
   * Shows what the engine believes of a piece.
   * @param {Shape | null} shape
   */
  showBelief(shape) {
    const chances = shape?.letter === "?" ? this.belief[Number(shape.point)] : null;
    const box = $("belief-bars");
    box.replaceChildren();
    if (!$("belief").checked) return;
    if (!chances) {
      box.append(make("p", { class: "hint" }, t("pane.none")));
      return;
    }
    for (const [letter, chance] of likeliest(chances).slice(0, 6)) {
      const bar = make("meter", { min: 0, max: 1, value: chance });
      box.append(make("div", {}, make("span", {}, t(`piece.${letter}`)), bar, make("span", {}, `${Math.round(100 * chance)}%`)));
    }
  }

  /** @param {Record<string, Chances>} points */
  receiveBelief(points) {
    if (!$("belief").checked) return;
    this.belief = points;
    this.draw();
  }

  /** @param {Advice} advice */
  receiveAdvice(advice) {
    this.enableAdvice();
    this.advice = advice;
    const text = t("pane.advises", { move: advice.move });
    announce(text);
    addLines($("info"), [text]);
    this.draw();
  }

  enableAdvice() {
    $("advice").disabled = false;
    $("advice-stop").hidden = true;
  }
}

/**
 * @param {Chances} chances
 * @returns {[letter: string, chance: number][]}
 */
const likeliest = (chances) => Object.entries(chances).sort((a, b) => b[1] - a[1]);

/** @param {Chances | undefined} chances */
function bestGuess(chances) {
  const best = chances && likeliest(chances)[0];
  return best ? { letter: best[0], percent: Math.round(100 * best[1]) } : null;
}

export const play = new PlayView();
