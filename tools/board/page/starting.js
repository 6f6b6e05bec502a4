// The first seconds: the board at once, how far the engine has compiled, and what can be done meanwhile.

import { $ } from "./dom.js";
import { learnBoard } from "./junqi_board.js";
import { goTo } from "./navigation.js";
import { t } from "./texts.js";

const SHOW_AFTER_MS = 400;

export const starting = {
  /** @type {{ is_ready: boolean, share: number | null }} */
  last: { is_ready: false, share: null },
  isDenied: false,
  isDue: false,

  /**
   * Draws the boards, which the page has in a file, before the server has loaded the rules.
   * @param {import("./junqi_board.js").JunqiBoard} board
   * @param {() => boolean} isNeeded whether no game is shown yet
   */
  async begin(board, isNeeded) {
    $("starting-learn").onclick = () => goTo("learn");
    setTimeout(() => {
      this.isDue = true;
      this.draw();
    }, SHOW_AFTER_MS);
    this.draw();
    const boards = await (await fetch("boards.json")).json();
    for (const variant of ["luzhanqi", "siguo"]) learnBoard(boards[variant]);
    if (!isNeeded()) return;
    board.set(boards.siguo, "S");
    board.svgBoard.update({ shapes: boards.siguo.pieces.map((/** @type {Piece} */ piece) => board.shape(piece)), choices: new Map(), spots: board.spots() });
  },

  /** @param {{ is_ready: boolean, share: number | null }} message */
  receive(message) {
    this.last = message;
    this.draw();
  },

  // The address is not valid: nothing will start.
  denied() {
    this.isDenied = true;
    $("status").textContent = t("connection.denied");
    this.draw();
  },

  draw() {
    const { is_ready: isReady, share } = this.last;
    $("starting").hidden = isReady || this.isDenied || !this.isDue;
    if (share === null) $("starting-progress").removeAttribute("value");
    else $("starting-progress").value = share;
    $("starting-text").textContent = share === null ? t("starting.text") : t("starting.compiling", { percent: Math.round(100 * share) });
  },
};
