// The games that were interrupted, with which the host can go on.

import { playerName } from "./catalogue.js";
import { $, child, make } from "./dom.js";
import { goTo } from "./navigation.js";
import { socket } from "./socket.js";
import { named, t } from "./texts.js";

/** More are in the library. */
const MAX_SHOWN = 3;

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
