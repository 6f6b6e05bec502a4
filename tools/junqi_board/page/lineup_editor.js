// The line-up editor, before the game starts.

import { $, make } from "./dom.js";
import { showError, socket } from "./socket.js";
import { keep, kept, ofGame, remember, remembered } from "./storage.js";
import { t } from "./texts.js";

const MAX_SLOTS = 30;

/** A stored line-up. @typedef {{ name: string, letters: string }} Slot */
/** The line-up editor, as the slots use it. @typedef {{ shown: () => string, take: (letters: string) => void, mayTake: (letters: string) => boolean, isSent: boolean }} Editor */

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
    keep("lineups", [{ name, letters: this.editor?.shown() ?? "" }, ...others].slice(0, MAX_SLOTS));
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
    const use = (/** @type {string} */ text, /** @type {string} */ letters) =>
      make("button", { disabled: !this.editor?.mayTake(letters), onclick: () => this.editor?.take(letters), "data-letters": letters }, text);
    $("slot-save").disabled = !this.editor || this.editor.isSent;
    $("slots").replaceChildren(
      ...this.slots().map(({ name, letters }) =>
        make("li", {}, use(name, letters), make("button", { class: "quiet", "aria-label": t("slots.remove", { name }), title: t("slots.remove", { name }), onclick: () => this.remove(name) }, "×"))),
    );
    $("gallery").replaceChildren(
      ...Object.entries(this.gallery ?? {}).map(([style, letters]) => make("li", {}, use(t(`style.${style}`), letters), make("span", { class: "hint" }, t(`style.${style}.about`)))),
    );
  },
};

/** @param {string} letters */
const sorted = (letters) => [...letters].sort().join("");

/**
 * Whether a line-up that was kept has the pieces of a draft, each where the rules allow it. Nobody vouches for what a browser keeps.
 * @param {unknown} letters
 * @param {GameState} state
 */
const isLegal = (letters, { drafts, mine, allowed }) =>
  typeof letters === "string" && sorted(letters) === sorted(drafts[mine[0]] ?? "") && [...letters].every((letter, place) => allowed[letter].includes(place));

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
  isSent: false,
  /** Whether the next game begins with the line-up that is ready. */
  startsAtOnce: false,

  /** @param {Game} game */
  begin(game) {
    this.game = game;
    $("arrange-random").onclick = () => this.random();
    lineupSlots.begin(this);
    $("arrange-start").onclick = () => this.start();
  },

  /**
   * Takes the line-ups of a new game, or those that were edited before a reload, or before the level was changed.
   * @param {GameState} state
   * @param {GameState | null} before
   */
  reset(state, before) {
    const isSameTable = before?.phase === "arranging" && before.variant === state.variant && before.mine === state.mine;
    // A line-up of the last game of this kind is ready again.
    const last = remembered(ofGame("lineup", state.game)) ?? (isSameTable ? this.letters : kept(keptName(state), {}));
    this.isSent = false;
    this.letters = { ...state.drafts };
    this.seat = state.mine[0] ?? "";
    if (state.phase !== "arranging") return;
    for (const seat of state.mine) if (!state.seats[seat].ready && isLegal(last[seat], state)) this.letters[seat] = last[seat];
    if (this.startsAtOnce) this.start();
  },

  /** Takes the line-ups that another tab with the same seats has sent. @param {GameState} state */
  follow(state) {
    if (!state.mine || !ownSeats(state).every((seat) => state.seats[seat].ready)) return;
    this.isSent = true;
    this.letters = { ...state.drafts };
  },

  /** The line-up that is shown of the seat that is edited. */
  shown() {
    return this.letters[this.seat] ?? "";
  },

  /** @param {string} letters */
  take(letters) {
    this.letters[this.seat] = letters;
    if (this.game?.state) remember(ofGame("lineup", this.game.state.game), this.letters);
    this.game?.draw();
  },

  /** @param {string} letters */
  mayTake(letters) {
    const state = this.game?.state;
    return state?.phase === "arranging" && !this.isSent && isLegal(letters, state);
  },

  async random() {
    const answer = await socket.ask("lineup_random");
    if (answer && !this.isSent) this.take(answer.lineup);
  },

  /** Exchanges two pieces of one seat; the ids of their shapes are `SEAT:PLACE`. @param {string} one @param {string} other */
  swap(one, other) {
    const [seat, first] = one.split(":");
    const [a, b] = [Number(first), Number(other.split(":")[1])];
    const letters = [...this.letters[seat]];
    [letters[a], letters[b]] = [letters[b], letters[a]];
    this.seat = seat;
    this.take(letters.join(""));
  },

  start() {
    const state = this.game?.state;
    if (!state) return;
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
      const own = state.places[seat].map((point, place) => ({ ...board.shape([point, 0, seat, this.letters[seat][place]]), id: `${seat}:${place}` }));
      shapes.push(...own);
      if (this.isSent) continue;
      // Only places where both pieces may stand; the server says which.
      const may = (/** @type {number} */ place, /** @type {number} */ to) => state.allowed[this.letters[seat][place]].includes(to);
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
    lineupSlots.draw();
    for (const button of [$("arrange-random"), $("arrange-start")]) button.disabled = this.isSent;
    $("arrange-start").textContent = t(this.isSent ? "arrange.waiting" : "arrange.start");
  },
};

/** Which of the person's armies: the one at the bottom of the board, or the other. @param {string} seat @param {GameState} state */
const armyName = (seat, { mine }) => t(seat === mine[0] ? "arrange.near" : "arrange.far");
