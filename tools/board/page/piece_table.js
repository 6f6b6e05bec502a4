// The table of the pieces: rank, number, and what is special about each. It can be opened at any time.

import { catalogue } from "./catalogue.js";
import { $, make } from "./dom.js";
import { drawPiece } from "./pieces.js";
import { t } from "./texts.js";

/** The number of each piece of a seat, by rank. */
const COUNTS = { a: 1, b: 1, c: 2, d: 2, e: 2, f: 2, g: 3, h: 3, i: 3, k: 2, j: 3, l: 1 };

export const pieceTable = {
  begin() {
    $("pieces").onclick = () => this.open();
    $("pieces-close").onclick = () => $("pieces-table").close();
  },

  open() {
    child("tbody").replaceChildren(
      ...Object.entries(COUNTS).map(([letter, count]) => {
        const piece = make("svg:g", { class: "piece seat-S" });
        drawPiece(piece, "S", letter, {});
        const picture = make("svg:svg", { viewBox: "-.47 -.35 .94 .7", class: "board sample", "aria-hidden": "true" }, piece);
        return make("tr", {}, make("td", {}, picture), make("th", { scope: "row" }, t(`piece.${letter}`)), make("td", { class: "number" }, String(count)), make("td", {}, t(`special.${letter}`)));
      }),
    );
    const { siguo, luzhanqi } = catalogue.limits;
    $("pieces-quiet").textContent = t("pieces.rule.quiet", { siguo: siguo?.no_contact, luzhanqi: luzhanqi?.no_contact });
    $("pieces-quiet").hidden = !siguo || !luzhanqi;
    $("pieces-table").showModal();
    $("pieces-table").scrollTop = 0;
  },
};

/** @param {string} selector */
const child = (selector) => /** @type {HTMLElement} */ ($("pieces-table").querySelector(selector));
