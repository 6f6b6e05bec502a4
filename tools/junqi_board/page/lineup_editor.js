// The line-up editor, before the game starts.

import { $, make } from "./dom.js";
import { showError, socket } from "./socket.js";
import { keep, kept, ofGame, remember, remembered } from "./storage.js";
import { named, t } from "./texts.js";

const MAX_SLOTS = 30;

/** A stored line-up. @typedef {{ name: string, letters: string }} Slot */
/** The line-up editor, as the slots use it. @typedef {{ letters: () => string, take: (letters: string) => void, mayTake: () => boolean }} Editor */

export const lineupSlots = {
  /** @type {Editor | null} */
  editor: null,
  /** By style. @type {Record<string, string> | null} */
  gallery: null,

  /** @param {Editor} editor */
  begin(editor) {
    this.editor = editor;
    $("slot-save").onclick = () => this.save();
    $("slot-name").onkeydown = (event) => event.key === "Enter" && this.save();
    $("arrange-more").ontoggle = () => $("arrange-more").open && this.ask();
  },

  /** @returns {Slot[]} */
  slots() {
    return kept("lineups", []);
  },

  // Stores the line-up that is shown; one of the same name is replaced.
  save() {
    const name = $("slot-name").value.trim() || t("slots.unnamed", { n: this.slots().length + 1 });
    const others = this.slots().filter((slot) => slot.name !== name);
    keep("lineups", [{ name, letters: this.editor?.letters() ?? "" }, ...others].slice(0, MAX_SLOTS));
    $("slot-name").value = "";
    this.draw();
  },

  /** @param {string} name */
  remove(name) {
    keep("lineups", this.slots().filter((slot) => slot.name !== name));
    this.draw();
  },

  async ask() {
    if (this.gallery) return;
    this.gallery = (await socket.ask("lineup_gallery"))?.lineups ?? null;
    this.draw();
  },

  draw() {
    const isFixed = !this.editor?.mayTake();
    const use = (/** @type {string} */ text, /** @type {string} */ letters) =>
      make("button", { disabled: isFixed, onclick: () => this.editor?.take(letters), "data-letters": letters }, text);
    $("slot-save").disabled = isFixed;
    $("slots").replaceChildren(
      ...this.slots().map(({ name, letters }) =>
        make("li", {}, use(name, letters), make("button", { class: "quiet", "aria-label": t("slots.remove", { name }), title: t("slots.remove", { name }), onclick: () => this.remove(name) }, "×"))),
    );
    $("gallery").replaceChildren(
      ...Object.entries(this.gallery ?? {}).map(([style, letters]) => make("li", {}, use(t(`style.${style}`), letters), make("span", { class: "hint" }, t(`style.${style}.about`)))),
    );
  },
};

const MAX_LETTERS = 40;
const LINEUP = /^[a-l]{25}$/;

/** What to correct first: a text that is not a line-up has no pieces to count. @param {LineupFault[]} faults */
function mostUrgent(faults) {
  const ofText = faults.filter(({ rule }) => rule === "length" || rule === "letter");
  return ofText.length ? ofText : faults;
}

/** Where the line-ups of a variant are kept. @param {GameState} state */
const keptName = (state) => `lineup.${state.variant}`;

/** The seats of the page's person. @param {GameState} state */
const ownSeats = (state) => [...state.mine];

/** The play view, as the editor uses it. @typedef {{ state: GameState | null, board: import("./junqi_board.js").JunqiBoard, draw: () => void }} Game */

export const lineupEditor = {
  /** @type {Game | null} */
  game: null,
  /** The seat whose line-up is edited. */
  seat: "",
  /** The line-ups by seat. @type {Record<string, string>} */
  letters: {},
  /** @type {Record<string, LineupFault[]>} */
  faults: {},
  isSent: false,
  /** Whether the next game begins with the line-up that is ready. */
  startsAtOnce: false,
  /** What was typed, if it is not a line-up; the pieces remain as they are. */
  typed: "",

  /** @param {Game} game */
  begin(game) {
    this.game = game;
    $("arrange-random").onclick = () => this.request("lineup_random", {});
    $("arrange-mirror").onclick = () => this.request("lineup_mirror", { lineup: this.letters[this.seat] });
    $("arrange-letters").oninput = () => this.type($("arrange-letters").value.trim().toLowerCase());
    lineupSlots.begin({
      letters: () => this.letters[this.seat] ?? "",
      take: (letters) => this.check(letters),
      mayTake: () => !this.isSent,
    });
    $("arrange-start").onclick = () => this.start();
  },

  /**
   * Takes the line-ups of a new game, or those that were edited before a reload, or before the level was changed.
   * @param {GameState} state
   * @param {GameState | null} before
   */
  reset(state, before) {
    const isSameTable = before?.phase === "arranging" && before.variant === state.variant && before.mine === state.mine;
    const edited = isSameTable ? this.letters : {};
    this.isSent = false;
    this.typed = "";
    this.letters = { ...state.drafts, ...edited };
    this.faults = Object.fromEntries(ownSeats(state).map((seat) => [seat, []]));
    this.seat = state.mine[0] ?? "";
    if (state.phase !== "arranging") return;
    // A line-up of the last game of this kind is ready again.
    const last = remembered(ofGame("lineup", state.game)) ?? (isSameTable ? edited : kept(keptName(state), {}));
    for (const seat of ownSeats(state)) if (!state.seats[seat].ready && typeof last[seat] === "string") this.check(last[seat], seat);
    if (this.startsAtOnce) this.start();
  },

  /** Takes the line-ups that another tab with the same seats has sent. @param {GameState} state */
  follow(state) {
    if (!state.mine || !ownSeats(state).every((seat) => state.seats[seat].ready)) return;
    this.isSent = true;
    this.letters = { ...state.drafts };
    for (const seat of state.mine) this.faults[seat] = [];
  },

  /** @param {string} seat @param {string} letters */
  set(seat, letters) {
    this.letters[seat] = letters;
    if (this.game?.state) remember(ofGame("lineup", this.game.state.game), this.letters);
  },

  /** Replaces the line-up by the one that the server answers. @param {string} type @param {Record<string, any>} fields */
  async request(type, fields) {
    const seat = this.seat;
    const answer = await socket.ask(type, fields);
    if (!answer) return;
    this.typed = "";
    this.set(seat, answer.lineup);
    this.faults[seat] = answer.faults;
    this.game?.draw();
  },

  /** Takes what is typed; a text that is not a line-up changes no piece, and the server says what is wrong with it. @param {string} letters */
  async type(letters) {
    this.typed = LINEUP.test(letters) ? "" : letters;
    if (!this.typed) return this.check(letters);
    const seat = this.seat;
    const answer = await socket.ask("lineup_check", { lineup: letters.slice(0, MAX_LETTERS) });
    if (!answer || this.typed !== letters) return;
    this.faults[seat] = answer.faults.map((/** @type {LineupFault} */ fault) => ({ ...fault, places: [] }));
    this.game?.draw();
  },

  /**
   * Takes a line-up and has the server check it. Answers that were overtaken by a change are skipped.
   * @param {string} letters
   * @param {string} [ofSeat] by default the seat that is edited
   */
  async check(letters, ofSeat) {
    const seat = ofSeat ?? this.seat;
    this.typed = "";
    this.set(seat, letters);
    this.game?.draw();
    const answer = await socket.ask("lineup_check", { lineup: letters.slice(0, MAX_LETTERS) });
    if (!answer || this.letters[seat] !== answer.lineup) return;
    this.faults[seat] = answer.faults;
    this.game?.draw();
  },

  /** Exchanges two pieces of one seat; the ids of their shapes are `SEAT:PLACE`. @param {string} one @param {string} other */
  swap(one, other) {
    const [seat, first] = one.split(":");
    const [a, b] = [Number(first), Number(other.split(":")[1])];
    const letters = [...this.letters[seat]];
    [letters[a], letters[b]] = [letters[b], letters[a]];
    this.seat = seat;
    this.check(letters.join(""));
  },

  start() {
    const state = this.game?.state;
    if (!state) return;
    const broken = ownSeats(state).find((seat) => this.faults[seat].length);
    if (broken) {
      this.seat = broken;
      this.game?.draw();
      return;
    }
    this.isSent = true;
    this.startsAtOnce = false;
    keep(keptName(state), this.letters);
    socket.request("ready", { lineups: Object.fromEntries(ownSeats(state).map((seat) => [seat, this.letters[seat]])) }).catch((error) => {
      this.isSent = false;
      showError(error);
      this.game?.draw();
    });
    this.game?.draw();
  },

  /** @param {GameState} state */
  draw(state) {
    const board = this.game?.board;
    if (!board) return;
    const shapes = state.pieces.filter(([, , seat]) => !state.mine.includes(seat)).map((piece) => board.shape(piece));
    /** @type {Map<string, Choice[]>} */
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
      if (this.isSent) continue;
      // Only places where both pieces may stand; the server says which.
      const may = (/** @type {number} */ place, /** @type {number} */ to) => state.allowed[this.letters[seat][place]]?.includes(to);
      own.forEach((shape, place) => {
        const legal = own.filter((_, to) => to !== place && may(place, to) && may(to, place));
        choices.set(shape.id, legal.map(({ x, y, id }) => ({ x, y, id, isSwap: true })));
      });
    }
    board.happening.end();
    board.showWay(null);
    board.showAdvice(null);
    board.svgBoard.update({ shapes, choices, spots: shapes.filter((shape) => choices.has(shape.id)).map(({ x, y }) => ({ x, y })) });
    this.showCard(state);
  },

  /** @param {GameState} state */
  showCard(state) {
    const chooseSeat = (/** @type {string} */ seat) => {
      this.seat = seat;
      this.game?.draw();
    };
    $("arrange-seats").hidden = state.mine.length < 2;
    $("arrange-seats").replaceChildren(
      ...ownSeats(state).map((seat) =>
        make("button", { "aria-pressed": String(seat === this.seat), class: "chip", "data-seat": seat, onclick: () => chooseSeat(seat) }, armyName(seat, state)),
      ),
    );
    const input = $("arrange-letters");
    if (!this.typed && input.value.trim().toLowerCase() !== this.letters[this.seat]) input.value = this.letters[this.seat] ?? "";
    const faults = ownSeats(state).flatMap((seat) => mostUrgent(this.faults[seat]).map((fault) => ({ seat, fault })));
    $("arrange-faults").replaceChildren(
      ...faults.map(({ seat, fault }) => {
        const name = named("piece", fault.piece);
        const rule = fault.rule === "count" ? (fault.count > fault.needed ? "tooMany" : "tooFew") : fault.rule;
        const text = t(`rule.${rule}`, { count: fault.count, needed: fault.needed, n: Math.abs(fault.count - fault.needed), piece: fault.piece, name });
        return make("li", { "data-rule": fault.rule }, state.mine.length > 1 ? t("labelled", { name: armyName(seat, state), text }) : text);
      }),
    );
    lineupSlots.draw();
    for (const button of [$("arrange-random"), $("arrange-mirror"), $("arrange-letters")]) button.disabled = this.isSent;
    $("arrange-start").disabled = this.isSent || faults.length > 0;
    $("arrange-start").textContent = t(this.isSent ? "arrange.waiting" : "arrange.start");
  },
};

/** Which of the person's armies: the one at the bottom of the board, or the other. @param {string} seat @param {GameState} state */
const armyName = (seat, { mine }) => t(seat === mine[0] ? "arrange.near" : "arrange.far");
