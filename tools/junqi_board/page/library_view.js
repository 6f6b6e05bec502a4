// The view of the saved games: date, variant, players, result; to replay, resume, export or delete.

import { catalogue, HOST, playerName } from "./catalogue.js";
import { $, confirmed, download, make } from "./dom.js";
import { goTo } from "./navigation.js";
import { dateText, unfinished } from "./unfinished.js";
import { play } from "./play_view.js";
import { replay } from "./replay_view.js";
import { socket } from "./socket.js";
import { capital, clauses, named, t } from "./texts.js";
import { resultText } from "./voice.js";

/** How the name of the file of a game ends. */
export const ENDING = ".jsonl";

/** @implements {View} */
class LibraryView {
  id = "library";
  /** @type {SavedGame[]} */
  games = [];

  messages = {
    game: () => {
      if (!$("library").hidden) this.ask();
    },
  };

  begin() {
    $("library-filter").onchange = () => this.redraw();
  }

  show() {
    this.ask();
  }

  async ask() {
    if (!catalogue.isHost) return;
    this.games = (await socket.ask("library"))?.games ?? this.games;
    this.redraw();
  }

  /** The record of a game that is over; undefined if it cannot be read. @param {SavedGame} game @returns {Promise<string | undefined>} */
  async record(game) {
    return (await socket.ask("library_open", { name: game.name }))?.line;
  }

  /** @param {SavedGame} game */
  async replay(game) {
    const line = await this.record(game);
    if (!line) return;
    goTo(replay.id);
    await replay.openText(line, 0, null, game.name.replace(ENDING, ""));
  }

  /** @param {Linked} place */
  async follow({ kind, id, at }) {
    if (kind !== "game") return false;
    const line = (await socket.ask("library_open", { name: id + ENDING }))?.line;
    if (!line) return false;
    goTo(replay.id);
    await replay.openText(line, at, null, id);
    return true;
  }

  /** @param {SavedGame} game */
  async export(game) {
    const line = await this.record(game);
    if (line) download(new Blob([line], { type: "application/json" }), game.name);
  }

  /** @param {SavedGame} game */
  async resume(game) {
    if (await play.mayLeave()) await unfinished.resume(game.name);
  }

  /** @param {SavedGame} game */
  async delete(game) {
    if (!(await confirmed(t("library.deleteSure", { date: dateText(game.name) }), t("library.delete")))) return;
    this.games = (await socket.ask("library_delete", { name: game.name }))?.games ?? this.games;
    this.redraw();
  }

  redraw() {
    const filter = $("library-filter").value;
    const games = this.games.filter(({ state }) => filter === "all" || state === filter);
    $("library-status").textContent = t(games.length === 1 ? "library.one" : "library.count", { n: games.length });
    $("library-empty").hidden = games.length > 0;
    $("library-list").replaceChildren(...games.map((game) => this.item(game)));
  }

  /** @param {SavedGame} game */
  item(game) {
    const { state, variant, players, moves, result, ending } = game;
    const names = players.map(([, name]) => playerName(name));
    const listener = { mine: players.find(([, name]) => name === HOST)?.[0] ?? "", seats: variant === "luzhanqi" ? "SN" : "SENW" };
    const won = capital(resultText(result, listener));
    const outcome = state === "over" ? clauses(won, t(`ending.${ending}`)) : t(`library.${state}`);
    /** @type {HTMLElement[]} */
    const buttons = [];
    const add = (/** @type {string} */ name, /** @type {() => void} */ action, isMain = false) =>
      buttons.push(make("button", { onclick: action, class: isMain ? "main" : "", "data-do": name }, t(`library.${name}`)));
    if (state === "unfinished") add("resume", () => this.resume(game), true);
    if (state === "over") {
      add("replay", () => this.replay(game), true);
      if ($("review-start")) add("review", () => this.replay(game).then(() => $("review-start").click()));
      add("export", () => this.export(game));
    }
    if (state !== "running") add("delete", () => this.delete(game));
    return make("li", { class: `card saved ${state}`, "data-name": game.name },
      make("div", { class: "saved-head" }, make("b", {}, dateText(game.name)), make("span", { class: "hint" }, named("variant", variant)), make("span", { class: "hint" }, t("count.moves", { n: moves }))),
      make("div", {}, names.join(" – ")),
      make("div", {}, outcome),
      make("div", { class: "row" }, ...buttons));
  }
}

export const library = new LibraryView();
