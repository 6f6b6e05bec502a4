// The line-up, before the game begins.

import { line, showError } from "./line.js";
import { $, download, make } from "./page.js";
import { ofGame, remember, remembered } from "./storage.js";
import { has, seatName, t } from "./texts.js";

export const lineup = {
  game: null,
  seat: "",
  letters: {},
  faults: {},
  sent: false,

  // `game` has the `state` and the `board`, and draws.
  begin(game) {
    this.game = game;
    $("arrange-random").onclick = () => this.ask("lineup_random", {});
    $("arrange-mirror").onclick = () => this.ask("lineup_mirror", { lineup: this.letters[this.seat] });
    $("arrange-letters").oninput = () => this.check($("arrange-letters").value.trim().toLowerCase());
    $("arrange-load").onclick = () => $("arrange-file").click();
    $("arrange-file").onchange = async () => {
      const [file] = $("arrange-file").files;
      $("arrange-file").value = "";
      if (!file) return;
      const bytes = new Uint8Array(await file.slice(0, 2000).arrayBuffer());
      this.ask("lineup_load", { data: btoa(String.fromCharCode(...bytes)) });
    };
    $("arrange-save").onclick = async () => {
      try {
        const { data } = await line.ask("lineup_save", { lineup: this.letters[this.seat] });
        const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
        download(new Blob([bytes], { type: "application/octet-stream" }), `lineup-${this.seat}.jql`);
      } catch (error) {
        showError(error);
      }
    };
    $("arrange-start").onclick = () => this.start();
  },

  reset(state) {
    this.sent = false;
    this.letters = { ...state.drafts };
    this.faults = Object.fromEntries([...state.mine].map((seat) => [seat, []]));
    this.seat = state.mine[0] ?? "";
    if (state.phase !== "arranging") return;
    const last = remembered(ofGame("lineup", state.game)) ?? {};
    for (const seat of state.mine) if (!state.seats[seat].ready && typeof last[seat] === "string") this.check(last[seat], seat);
  },

  // Another tab on the same seats may have started.
  follow(state) {
    if (!state.mine || ![...state.mine].every((seat) => state.seats[seat].ready)) return;
    this.sent = true;
    this.letters = { ...state.drafts };
    for (const seat of state.mine) this.faults[seat] = [];
  },

  set(seat, letters) {
    this.letters[seat] = letters;
    remember(ofGame("lineup", this.game.state.game), this.letters);
  },

  async ask(type, fields) {
    const seat = this.seat;
    try {
      const answer = await line.ask(type, fields);
      this.set(seat, answer.lineup);
      this.faults[seat] = answer.faults;
      this.game.draw();
    } catch (error) {
      showError(error);
    }
  },

  // Of answers that overtake each other only that to the last question counts.
  async check(letters, seat = this.seat) {
    this.set(seat, letters);
    this.game.draw();
    try {
      const answer = await line.ask("lineup_check", { lineup: letters.slice(0, 40) });
      if (this.letters[seat] !== answer.lineup) return;
      this.faults[seat] = answer.faults;
      this.game.draw();
    } catch (error) {
      showError(error);
    }
  },

  // Ids of places are "seat:number".
  swap(one, other) {
    const [seat, a] = one.split(":");
    const b = Number(other.split(":")[1]);
    const letters = [...this.letters[seat]];
    [letters[a], letters[b]] = [letters[b], letters[a]];
    this.seat = seat;
    this.check(letters.join(""));
  },

  start() {
    const { state } = this.game;
    const broken = [...state.mine].find((seat) => this.faults[seat].length);
    if (broken) {
      this.seat = broken;
      this.game.draw();
      return;
    }
    this.sent = true;
    line.ask("ready", { lineups: Object.fromEntries([...state.mine].map((seat) => [seat, this.letters[seat]])) }).catch((error) => {
      this.sent = false;
      showError(error);
      this.game.draw();
    });
    this.game.draw();
  },

  draw() {
    const { state, board } = this.game;
    const shapes = state.pieces.filter(([, , seat]) => !state.mine.includes(seat)).map((piece) => board.shape(piece));
    const choices = new Map();
    for (const seat of state.mine) {
      const wrong = new Set(this.faults[seat].flatMap((fault) => fault.places));
      const own = state.places[seat].slice(0, this.letters[seat].length).map((point, place) => {
        const letter = this.letters[seat][place];
        const isKnown = /[a-l]/.test(letter);
        const shape = board.shape([point, 0, seat, isKnown ? letter : "?"], { isWrong: wrong.has(place), mark: isKnown ? undefined : letter });
        return { ...shape, id: `${seat}:${place}` };
      });
      shapes.push(...own);
      if (!this.sent)
        for (const shape of own) choices.set(shape.id, own.filter((other) => other !== shape).map(({ x, y, id }) => ({ x, y, id })));
    }
    board.view.update({ shapes, choices, spots: shapes.filter((shape) => choices.has(shape.id)).map(({ x, y }) => ({ x, y })) });
    this.showCard(state);
  },

  showCard(state) {
    $("arrange-seats").hidden = state.mine.length < 2;
    $("arrange-seats").replaceChildren(
      ...[...state.mine].map((seat) =>
        make("button", { "aria-pressed": String(seat === this.seat), class: "chip", "data-seat": seat, onclick: () => { this.seat = seat; this.game.draw(); } }, seatName(seat)),
      ),
    );
    const input = $("arrange-letters");
    if (document.activeElement !== input || input.value.trim().toLowerCase() !== this.letters[this.seat]) input.value = this.letters[this.seat] ?? "";
    const faults = [...state.mine].flatMap((seat) => this.faults[seat].map((fault) => [seat, fault]));
    $("arrange-faults").replaceChildren(
      ...faults.map(([seat, fault]) => {
        const name = has(`piece.${fault.piece}`) ? t(`piece.${fault.piece}`) : fault.piece;
        const text = t(`rule.${fault.rule}`, { ...fault, name });
        return make("li", { "data-rule": fault.rule }, state.mine.length > 1 ? t("about", { name: seatName(seat), text }) : text);
      }),
    );
    for (const id of ["arrange-random", "arrange-mirror", "arrange-load", "arrange-letters"]) $(id).disabled = this.sent;
    $("arrange-start").disabled = this.sent || faults.length > 0;
    $("arrange-start").textContent = t(this.sent ? "arrange.waiting" : "arrange.start");
  },
};
