// The games that are being played beside the one that is shown; the host can turn to another.

import { catalogue } from "./catalogue.js";
import { $, child, make } from "./dom.js";
import { showError, socket } from "./socket.js";
import { has, t } from "./texts.js";
import { nameText } from "./unfinished.js";

export const tables = {
  shown: 0,
  /** @type {{ game: number, variant: string, names: string[], moves: number }[]} */
  others: [],

  /** Shows the other games, for which it asks whenever another one is shown. @param {GameState} state */
  draw(state) {
    this.show();
    if (!catalogue.isHost || this.shown === state.game) return;
    this.shown = state.game;
    this.ask();
  },

  async ask() {
    try {
      const { tables: all } = await socket.request("tables");
      this.others = all.filter((/** @type {{ game: number }} */ { game }) => game !== this.shown);
      this.show();
    } catch (error) {
      showError(error);
    }
  },

  show() {
    $("tables").hidden = !this.others.length;
    child($("tables"), "ul").replaceChildren(
      ...this.others.map(({ game, variant, names, moves }) => {
        const text = [has(`variant.${variant}`) ? t(`variant.${variant}`) : variant, names.map(nameText).join(" – "), t("count.moves", { n: moves })].join(" · ");
        return make("li", {}, text, " ", make("button", { onclick: () => socket.request("sit", { game }).catch(showError) }, t("tables.sit")));
      }),
    );
  },
};
