// The games that are being played beside the one that is shown; the host can turn to another.

import { catalogue } from "./catalogue.js";
import { $, child, make } from "./dom.js";
import { showError, socket } from "./socket.js";
import { has, t } from "./texts.js";
import { nameText } from "./unfinished.js";

export const tables = {
  shown: 0,

  /** Asks for the other games whenever another one is shown. @param {GameState} state */
  draw(state) {
    if (!catalogue.isHost || this.shown === state.game) return;
    this.shown = state.game;
    this.ask();
  },

  async ask() {
    try {
      /** @type {{ game: number, variant: string, names: string[], moves: number }[]} */
      const all = (await socket.request("tables")).tables;
      const others = all.filter(({ game }) => game !== this.shown);
      $("tables").hidden = !others.length;
      child($("tables"), "ul").replaceChildren(
        ...others.map(({ game, variant, names, moves }) => {
          const text = [has(`variant.${variant}`) ? t(`variant.${variant}`) : variant, names.map(nameText).join(" – "), t(moves === 1 ? "count.move" : "count.moves", { n: moves })].join(" · ");
          return make("li", {}, text, " ", make("button", { onclick: () => socket.request("sit", { game }).catch(showError) }, t("tables.sit")));
        }),
      );
    } catch (error) {
      showError(error);
    }
  },
};
