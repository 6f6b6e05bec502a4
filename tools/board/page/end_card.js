// The end of a game: its result and its turning points, and what to do next.

import { $, child, download, make } from "./dom.js";
import { endingText, moveText, resultText } from "./panel.js";
import { seatIcon } from "./pieces.js";
import { showError, socket } from "./socket.js";
import { t } from "./texts.js";

/** The play view, as the card uses it. @typedef {{ state: GameState | null, goToPast: (ply: number) => void, invite: (game: number, invitations: { seats: string, token: string }[]) => void }} Game */

export const endCard = {
  /** @type {Game | null} */
  game: null,

  /** @param {Game} game */
  begin(game) {
    this.game = game;
    $("save-game").onclick = () => this.save();
    child($("end-card"), "ol").addEventListener("click", (/** @type {Event} */ event) => {
      const button = /** @type {Element} */ (event.target).closest("button");
      if (button) game.goToPast(Number(button.dataset.ply));
    });
  },

  async save() {
    try {
      const { line } = await socket.request("record");
      const variant = this.game?.state?.variant ?? "junqi";
      download(new Blob([`${line}\n`], { type: "application/x-ndjson" }), `${variant}-${new Date().toISOString().slice(0, 16).replace(/[:T]/g, "")}.jsonl`);
    } catch (error) {
      showError(error);
    }
  },

  /**
   * @param {GameState} state
   * @param {BoardData} data
   */
  draw(state, data) {
    const card = $("end-card");
    const isOver = state.phase === "over";
    card.hidden = !isOver;
    if (!isOver) return;
    const { text, kind } = resultText(state);
    card.dataset.result = kind;
    child(card, "h2").textContent = text;
    child(card, ".cause").textContent = t("sentence", { text: endingText(state) });
    const points = state.uncovered?.turning_points ?? [];
    child(card, ".turning").hidden = !points.length;
    child(card, "ol").replaceChildren(
      ...points.map(([ply, entry]) => make("li", {}, make("button", { class: "quiet", "data-ply": ply }, seatIcon(entry.seat), make("small", {}, String(ply)), moveText(entry, data)))),
    );
  },
};
