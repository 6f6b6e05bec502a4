// Setting up a position by hand: pieces on points, what hidden pieces may be, who is to move and who sees what.

import { $, make, refill } from "./dom.js";
import { boardOf } from "./junqi_board.js";
import { pieceSample } from "./pieces.js";
import { socket } from "./socket.js";
import { distance } from "./svg_board.js";
import { seatName, t, teamName } from "./texts.js";

const LETTERS = "abcdefghijkl?";
const KINDS = "abcdefghijkl";
const REMOVE = "-";
const MAX_DISTANCE = 0.6;

/** The view, as the setter uses it. @typedef {{ state: () => AnalysisState | null, variant: () => string, show: (answer: AnalysisState) => void, fail: (error: any) => void, redraw: () => void }} Owner */

export const pieceSetter = {
  isOn: false,
  seat: "S",
  letter: "a",
  /** The hidden piece whose kinds are chosen. @type {string | null} */
  masked: null,
  /** By the name of a point, what its hidden piece may be. @type {Record<string, string>} */
  masks: {},
  /** @type {import("./junqi_board.js").JunqiBoard | null} */
  board: null,
  /** @type {Owner | null} */
  owner: null,

  /** @param {import("./junqi_board.js").JunqiBoard} board @param {Owner} owner */
  begin(board, owner) {
    Object.assign(this, { board, owner });
    $("set-on").onclick = () => {
      this.isOn = !this.isOn;
      this.masked = null;
      this.masks = masksOf(owner.state()?.fen ?? "");
      owner.redraw();
    };
    $("set-clear").onclick = () => this.send({});
    $("set-turn").onchange = () => this.send(this.pieces());
    $("set-viewer").onchange = () => this.send(this.pieces());
    $("analysis-board").addEventListener("click", (event) => this.isOn && this.put(board.svgBoard.place(event)));
    $("analysis-board").addEventListener("keydown", (event) => {
      if (this.isOn && event.key === "Enter" && board.svgBoard.at) this.put(board.svgBoard.at);
    });
  },

  /** By the name of a point, the piece that is shown there. @returns {Record<string, string>} */
  pieces() {
    const data = boardOf(this.owner?.variant() ?? "");
    return Object.fromEntries((this.owner?.state()?.pieces ?? []).map(([point, , seat, letter]) => [data?.points[point].name, seat + letter]));
  },

  /** Puts the chosen piece on the point at a place, or removes the same piece. @param {Place} place */
  put(place) {
    const spot = this.board?.spots().find((one) => distance(one, place) < MAX_DISTANCE);
    if (!spot || !this.board) return;
    const name = this.board.board.points[spot.number].name;
    const pieces = this.pieces();
    const piece = this.seat + this.letter;
    if (pieces[name]?.endsWith("?") && piece === pieces[name]) {
      this.masked = name;
      this.draw();
      return;
    }
    delete this.masks[name];
    if (this.letter === REMOVE || pieces[name] === piece) delete pieces[name];
    else pieces[name] = piece;
    this.masked = pieces[name]?.endsWith("?") ? name : null;
    this.send(pieces);
  },

  /** @param {string} letter */
  toggleMask(letter) {
    if (!this.masked) return;
    const before = this.masks[this.masked] ?? KINDS;
    const after = [...KINDS].filter((one) => before.includes(one) !== (one === letter)).join("");
    if (after) this.masks[this.masked] = after;
    this.send(this.pieces());
  },

  /** Has the server check the position. @param {Record<string, string>} pieces */
  async send(pieces) {
    const { owner } = this;
    try {
      owner?.show(await socket.request("analysis_set", { variant: owner.variant(), pieces, masks: this.masks, turn: $("set-turn").value, viewer: $("set-viewer").value }));
    } catch (error) {
      owner?.fail(error);
      this.draw();
    }
  },

  draw() {
    const state = this.owner?.state();
    const data = boardOf(this.owner?.variant() ?? "");
    if (!state || !data) return;
    $("set-on").setAttribute("aria-pressed", String(this.isOn));
    $("set-card").hidden = !this.isOn;
    if (!this.isOn) return;
    if (!data.seats.includes(this.seat)) this.seat = "S";
    const choose = (/** @type {Partial<typeof this>} */ change) => () => {
      Object.assign(this, change);
      this.draw();
    };
    $("set-seats").replaceChildren(...[...data.seats].map((seat) => make("button", { class: "chip", "aria-pressed": String(seat === this.seat), onclick: choose({ seat }) }, seatName(seat))));
    $("set-letters").replaceChildren(
      ...[...LETTERS].map((letter) => {
        return make("button", { class: "chip", "aria-label": t(`piece.${letter}`), title: t(`piece.${letter}`), "aria-pressed": String(letter === this.letter), onclick: choose({ letter }) }, pieceSample(this.seat, letter));
      }),
      make("button", { class: "chip", "aria-pressed": String(this.letter === REMOVE), onclick: choose({ letter: REMOVE }) }, t("analysis.remove")),
    );
    refill($("set-turn"), [...data.seats].map((seat) => [seat, seatName(seat)]), state.turn);
    const viewers = ["*", ...data.teams.filter((team) => team.length > 1), ...data.seats];
    refill($("set-viewer"), viewers.map((viewer) => [viewer, viewer === "*" ? t("replay.all") : teamName(viewer)]), state.fen.split(" ")[3]);
    $("set-mask").hidden = !this.masked;
    if (!this.masked) return;
    const mask = this.masks[this.masked] ?? KINDS;
    $("set-mask").replaceChildren(
      make("p", {}, t("analysis.mask", { point: this.masked })),
      ...[...KINDS].map((letter) => make("button", { class: "chip", "aria-pressed": String(mask.includes(letter)), onclick: () => this.toggleMask(letter) }, t(`piece.${letter}`))),
    );
  },
};

/** What a FEN says of hidden pieces. @param {string} fen @returns {Record<string, string>} */
function masksOf(fen) {
  const field = fen.split(" ")[6] ?? "-";
  return field === "-" ? {} : Object.fromEntries(field.split(",").map((entry) => entry.split(":")));
}
