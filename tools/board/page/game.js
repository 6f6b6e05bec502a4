// The game at the board.

import { fillEngines, host } from "./host.js";
import { JunqiBoard, boardOf } from "./junqi_board.js";
import { line, showError } from "./line.js";
import { lineup } from "./lineup.js";
import { marks } from "./marks.js";
import { $, addLines, announce, confirmed, make } from "./page.js";
import { clockText, showInvitations, showMoves, showSeats, statusText, told } from "./panel.js";
import { t, teamName } from "./texts.js";

export const play = {
  state: null,
  board: null,
  belief: {},
  advice: null,
  clockAt: 0,
  invitations: [],

  begin() {
    this.board = new JunqiBoard($("play-board"), {
      onMove: (choice, id) => this.moved(choice, id),
      onHover: (shape) => this.showBars(shape),
      onMark: (shape, x, y) => this.mark(shape, x, y),
      describe: (shape, place) => this.board.describe(shape, place),
    });
    $("take-back").onclick = () => line.say("take_back");
    $("draw").onclick = () => line.say("draw");
    $("resign").onclick = () => confirmed(t("game.resignSure")).then((yes) => yes && line.say("resign"));
    $("pause").onclick = () => line.say("pause", { on: !this.state.paused });
    $("pace").onchange = () => line.say("pace", { ms: Number($("pace").value) });
    $("belief").onchange = () => {
      this.belief = {};
      line.say("belief", { on: $("belief").checked });
      this.showBars(null);
      this.draw();
    };
    $("advice").onclick = () => {
      $("info").textContent = "";
      $("advice").disabled = true;
      $("advice-stop").hidden = false;
      line.ask("advice", { ms: 1000 }).catch((error) => { showError(error); this.rested(); });
    };
    $("advice-stop").onclick = () => line.say("advice_stop");
    $("offer-accept").onclick = () => line.say("draw_answer", { accept: true });
    $("offer-decline").onclick = () => line.say("draw_answer", { accept: false });
    $("fault-replace").onclick = () => {
      const [program, player] = JSON.parse($("fault-engine").value);
      line.say("new_engine", { seats: this.state.fault.seats, program, player });
    };
    setInterval(() => this.showClocks(), 250);
    marks.begin(() => this.draw());
    lineup.begin(this);
  },

  take(state) {
    const before = this.state;
    const isNew = !before || before.game !== state.game || (before.phase === "arranging") !== (state.phase === "arranging");
    this.state = state;
    this.clockAt = performance.now();
    if (!before || before.game !== state.game) {
      marks.recall(state.game);
      this.invitations = this.invitations.filter((one) => one.game === state.game);
      $("info").textContent = "";
      $("belief").checked = false;
    }
    const moved = !before || before.moves?.length !== state.moves?.length;
    if (moved) {
      this.advice = null;
      this.belief = {};
      this.rested();
    }
    if (isNew) lineup.reset(state);
    if (state.phase === "arranging") lineup.follow(state);
    this.draw();
    // Start lies below the board on a narrow screen, and the game is played above.
    if (isNew && state.phase === "playing" && before) for (const id of ["play-board", "status"]) $(id).scrollIntoView({ block: "nearest" });
    if (!isNew && moved && before.moves.length + 1 === state.moves.length) {
      this.board.battle(state.last);
      announce(told(state.last, boardOf(state.variant)));
    }
  },

  draw() {
    const state = this.state;
    const data = state && boardOf(state.variant);
    if (!data) return;
    this.board.set(data, state.mine[0] ?? "S");
    if (state.phase === "arranging") lineup.draw();
    else this.drawPosition(data);
    this.board.glow(state.phase === "arranging" ? null : state.last, this.advice);
    this.showPanel(data);
  },

  drawPosition(data) {
    const { state, board } = this;
    const shapes = state.pieces.map((piece) => {
      const [point, id, , letter] = piece;
      const guess = letter === "?" ? bestGuess(this.belief[point]) : null;
      return board.shape(piece, { mark: marks.letters[id], guess });
    });
    const choices = new Map();
    for (const [from, targets] of Object.entries(state.targets)) {
      const id = String(state.pieces.find(([point]) => point === Number(from))[1]);
      choices.set(id, Object.entries(targets).map(([to, move]) => ({ ...board.point(Number(to)), move })));
    }
    board.view.update({
      shapes,
      choices,
      spots: board.spots(),
      leaving: (id, shape) => (state.last?.to >= 0 && state.last.from === shape.point ? board.point(state.last.to) : shape),
    });
  },

  moved(choice, id) {
    if (this.state.phase === "arranging") lineup.swap(id, choice.id);
    else line.say("move", { ply: this.state.moves.length, move: choice.move });
  },

  // Addresses for the guests of a game that begins.
  invite(game, invitations) {
    this.invitations = invitations.map((one) => ({ ...one, game }));
    this.draw();
  },

  mark(shape, x, y) {
    if (this.state.phase !== "arranging" && shape.letter === "?") marks.open(shape.id, x, y);
  },

  showPanel(data) {
    const { state } = this;
    const isOver = state.phase === "over";
    $("status").textContent = statusText(state, data);
    $("status").classList.toggle("mine", Boolean(state.targets && Object.keys(state.targets).length));
    showSeats($("seats"), [...data.seats].map((seat) => [seat, state.seats[seat]]), state);
    $("fault").hidden = !state.fault;
    if (state.fault) {
      $("fault").firstElementChild.textContent = t("fault.text", state.fault);
      fillEngines($("fault-engine"));
    }
    $("offer").hidden = !state.offer;
    if (state.offer) {
      const text = state.offer.to_me ? t("draw.offered", { seat: teamName(state.offer.by) }) : t("draw.waiting");
      $("offer").firstElementChild.textContent = text;
      for (const id of ["offer-accept", "offer-decline"]) $(id).hidden = !state.offer.to_me;
    }
    $("arrange").hidden = state.phase !== "arranging" || !state.mine;
    $("take-back").hidden = !state.may.take_back;
    $("draw").hidden = $("resign").hidden = !state.may.resign;
    $("pause").hidden = !state.may.pause || state.phase !== "playing";
    $("pause").textContent = t(state.paused ? "game.goOn" : "game.pause");
    $("review").hidden = !isOver;
    $("new").hidden = !host.isHost;
    $("pace-row").hidden = !host.isHost || isOver || !Object.values(state.seats).some((seat) => seat.who === "engine");
    if (document.activeElement !== $("pace")) $("pace").value = state.pace_ms;
    $("engine-pane").hidden = state.phase === "arranging";
    $("belief").disabled = !state.mine;
    $("advice").hidden = !state.mine || isOver;
    showMoves($("moves"), state.moves ?? [], null);
    $("moves-card").hidden = !state.moves?.length;
    $("saved").textContent = state.saved ? t("game.saved", { path: state.saved }) : "";
    showInvitations(this.invitations, state);
    this.showClocks();
  },

  showClocks() {
    const { state } = this;
    if (!state) return;
    for (const [seat, about] of Object.entries(state.seats)) {
      const clock = $("seats").querySelector(`[data-seat="${seat}"] .clock`);
      if (!clock || about.remaining_ms === null) continue;
      const remaining = about.remaining_ms - (about.is_running ? performance.now() - this.clockAt : 0);
      clock.textContent = clockText(Math.max(0, remaining));
      clock.classList.toggle("short", remaining < 20_000);
    }
  },

  showBars(shape) {
    const chances = shape && shape.letter === "?" ? this.belief[shape.point] : null;
    const box = $("belief-bars");
    box.replaceChildren();
    if (!$("belief").checked) return;
    if (!chances) {
      box.append(make("p", { class: "hint" }, t("pane.none")));
      return;
    }
    const rows = Object.entries(chances).sort((a, b) => b[1] - a[1]);
    for (const [letter, chance] of rows.slice(0, 6)) {
      const bar = make("meter", { min: 0, max: 1, value: chance });
      box.append(make("div", {}, make("span", {}, t(`piece.${letter}`)), bar, make("span", {}, `${Math.round(100 * chance)}%`)));
    }
  },

  takeBelief(message) {
    if (!$("belief").checked) return;
    this.belief = message.points;
    this.draw();
  },

  takeAdvice(message) {
    this.rested();
    this.advice = message;
    announce(t("pane.advises", message));
    addLines($("info"), [t("pane.advises", message)]);
    this.draw();
  },

  rested() {
    $("advice").disabled = false;
    $("advice-stop").hidden = true;
  },
};

function bestGuess(chances) {
  const best = Object.entries(chances ?? {}).sort((a, b) => b[1] - a[1])[0];
  return best ? { letter: best[0], percent: Math.round(100 * best[1]) } : null;
}
