// The other games that the host can turn to: those that are being played, and those that were interrupted.

import { catalogue, playerName } from "./catalogue.js";
import { $, child, make } from "./dom.js";
import { goTo } from "./navigation.js";
import { socket } from "./socket.js";
import { named, t } from "./texts.js";

/** More are in the library. */
const MAX_SHOWN = 3;

export const tables = {
  shown: 0,
  /** @type {{ game: number, variant: string, names: string[], moves: number }[]} */
  others: [],

  /** Shows the other games, for which it asks whenever another one is shown. @param {GameState} state */
  async draw(state) {
    this.show();
    if (!catalogue.isHost || this.shown === state.game) return;
    this.shown = state.game;
    const { tables: all } = (await socket.ask("tables")) ?? { tables: [] };
    this.others = all.filter((/** @type {{ game: number }} */ { game }) => game !== this.shown);
    this.show();
  },

  show() {
    $("tables").hidden = !this.others.length;
    child($("tables"), "ul").replaceChildren(
      ...this.others.map(({ game, variant, names, moves }) => {
        const text = [named("variant", variant), names.map(playerName).join(" – "), t("count.moves", { n: moves })].join(" · ");
        return make("li", {}, text, " ", make("button", { onclick: () => socket.ask("sit", { game }) }, t("tables.sit")));
      }),
    );
  },
};

export const unfinished = {
  /** @type {SavedGame[]} */
  games: [],

  // Asks which games there are.
  async ask() {
    const { games } = (await socket.ask("library")) ?? { games: [] };
    this.games = games.filter((/** @type {SavedGame} */ { state }) => state === "unfinished");
    this.draw();
  },

  /** @param {string} name */
  async resume(name) {
    if (await socket.ask("resume", { name })) goTo("play");
  },

  draw() {
    $("unfinished").hidden = !this.games.length;
    child($("unfinished"), "ul").replaceChildren(
      ...this.games.slice(0, MAX_SHOWN).map(({ name, variant, players, moves }) => {
        const values = { date: dateText(name), variant: named("variant", variant), names: players.map(([, one]) => playerName(one)).join(" – "), n: moves };
        return make("li", {}, make("span", {}, t("unfinished.game", values)), make("button", { onclick: () => this.resume(name) }, t("unfinished.resume")));
      }),
    );
  },
};

/** The date and the time in the name of a file. @param {string} name */
export const dateText = (name) => name.replace(/^(\d{4}-\d\d-\d\d)-(\d\d)(\d\d).*$/, "$1 $2:$3");
