// The end of a game: its result, its cause, its turning point, and what to do next.

import { catalogue, levelOf, levels, levelsOf } from "./catalogue.js";
import { $, child, download, make } from "./dom.js";
import { newGame } from "./new_game.js";
import { endingText, moveText, resultText } from "./panel.js";
import { seatIcon } from "./pieces.js";
import { socket } from "./socket.js";
import { keep, kept } from "./storage.js";
import { capital, clauses, sentences, t } from "./texts.js";

/** The play view, as the card uses it. @typedef {{ state: GameState | null, goToPast: (ply: number) => void, draw: () => void }} Game */

export const endCard = {
  /** @type {Game | null} */
  game: null,
  /** The game whose card the person has closed. */
  closed: 0,

  /** @param {Game} game */
  begin(game) {
    this.game = game;
    for (const id of ["end-close", "end-open"])
      $(id).onclick = () => {
        this.closed = id === "end-close" ? (game.state?.game ?? 0) : 0;
        game.draw();
      };
    $("save-game").onclick = () => this.save();
    $("next-level").onclick = () => this.nextLevel();
    $("try-four").onclick = () => newGame.quick("siguo", "engine");
    child($("end-card"), "ol").addEventListener("click", (/** @type {Event} */ event) => {
      const button = /** @type {Element} */ (event.target).closest("button");
      if (button) game.goToPast(Number(button.dataset.ply));
    });
  },

  async save() {
    const answer = await socket.ask("record");
    const variant = this.game?.state?.variant ?? "junqi";
    if (answer) download(new Blob([`${answer.line}\n`], { type: "application/x-ndjson" }), `${variant}-${new Date().toISOString().slice(0, 16).replace(/[:T]/g, "")}.jsonl`);
  },

  /** The level above that of the game; null if there is none. @param {GameState} state */
  levelAbove(state) {
    const [level, program] = [levelOf(state), levels.program()];
    const names = program ? Object.keys(levelsOf(program)) : [];
    return level ? (names[names.indexOf(level) + 1] ?? null) : null;
  },

  // The same game against stronger engines.
  async nextLevel() {
    const level = this.game?.state && this.levelAbove(this.game.state);
    if (!level) return;
    if (await socket.ask("rematch")) await levels.choose(level);
  },

  /** Counts a game that has just ended: wins by level, and wins in a row. @param {GameState} state */
  count(state) {
    const [level, { kind }] = [levelOf(state), resultText(state)];
    if (!level || !state.mine || !catalogue.isHost) return;
    const wins = kept("wins", {});
    if (kind === "won") keep("wins", { ...wins, [level]: (wins[level] ?? 0) + 1 });
    if (kind === "draw") return;
    const streak = kind === "won" ? kept("streak", 0) + 1 : 0;
    keep("streak", streak);
    if (streak > kept("bestStreak", 0)) keep("bestStreak", streak);
  },

  /** @param {GameState} state @param {BoardData} data */
  draw(state, data) {
    const card = $("end-card");
    const isOver = state.phase === "over";
    if (!isOver) this.closed = 0;
    card.hidden = !isOver || this.closed === state.game;
    $("end-open").hidden = !isOver || !card.hidden;
    if (!isOver) return;
    const { text, kind } = resultText(state);
    card.dataset.result = kind;
    child(card, "h2").textContent = text;
    const last = state.last && !state.last.resigned ? [t("sentence", { text: moveText(state.last, data) })] : [];
    child(card, ".cause").textContent = sentences(t("sentence", { text: capital(endingText(state)) }), ...last);
    const level = levelOf(state);
    const wins = level ? (kept("wins", {})[level] ?? 0) : 0;
    const streak = kept("streak", 0);
    const told = wins && state.mine ? [t("ladder.wins", { level: t(`level.${level}`), n: wins }), ...(streak > 1 ? [t("ladder.streak", { n: streak })] : [])] : [];
    $("ladder").textContent = clauses(...told);
    const above = state.mine && catalogue.isHost && this.levelAbove(state);
    $("next-level").hidden = !above;
    if (above) $("next-level").textContent = t("end.nextLevel", { level: t(`level.${above}`) });
    for (const [id, isMain] of /** @type {[string, boolean][]} */ ([["next-level", kind === "won"], ["rematch", kind !== "won" || !above]])) $(id).classList.toggle("main", isMain);
    $("try-four").hidden = state.variant !== "luzhanqi" || !catalogue.isHost || !("siguo" in catalogue.tables) || !state.mine;
    const points = state.uncovered?.turning_points ?? [];
    child(card, ".turning").hidden = !points.length;
    child(card, "ol").replaceChildren(
      ...points.map(([ply, entry]) => make("li", {}, make("button", { class: "quiet", "data-ply": ply }, seatIcon(entry.seat), make("small", {}, String(ply)), moveText(entry, data)))),
    );
  },
};
