// The saved games that were interrupted, which the host can resume.

import { $, child, make } from "./dom.js";
import { goTo } from "./navigation.js";
import { showError, socket } from "./socket.js";
import { has, t } from "./texts.js";

/** More are in the library. */
const MAX_SHOWN = 3;

export const unfinished = {
  /** @type {UnfinishedGame[]} */
  games: [],
  /** @type {(game: number, invitations: { seats: string, token: string }[]) => void} */
  onResumed: () => {},

  /** @param {(game: number, invitations: { seats: string, token: string }[]) => void} onResumed */
  begin(onResumed) {
    this.onResumed = onResumed;
  },

  // Asks which games there are.
  async ask() {
    try {
      this.games = (await socket.request("unfinished")).games;
    } catch (error) {
      showError(error);
    }
    this.draw();
  },

  /** @param {string} name */
  async resume(name) {
    try {
      const { game, invitations } = await socket.request("resume", { name });
      this.onResumed(game, invitations);
      goTo("play");
    } catch (error) {
      showError(error);
    }
  },

  draw() {
    $("unfinished").hidden = !this.games.length;
    child($("unfinished"), "ul").replaceChildren(
      ...this.games.slice(0, MAX_SHOWN).map(({ name, variant, names, moves }) => {
        const values = { date: dateText(name), variant: variantText(variant), names: names.map(nameText).join(" – "), n: moves };
        return make("li", {}, make("span", {}, t("unfinished.game", values)), make("button", { onclick: () => this.resume(name) }, t("unfinished.resume")));
      }),
    );
  },
};

/** The date and the time in the name of a file. @param {string} name */
export const dateText = (name) => name.replace(/^(\d{4}-\d\d-\d\d)-(\d\d)(\d\d).*$/, "$1 $2:$3");
/** @param {string} variant */
const variantText = (variant) => (has(`variant.${variant}`) ? t(`variant.${variant}`) : variant);
/** @param {string} name */
export const nameText = (name) => (has(`name.${name}`) ? t(`name.${name}`) : name);
