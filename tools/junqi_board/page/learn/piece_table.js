// The table of all pieces, a dialog that every view can open.

import { PieceSample } from "../board/saying.js";
import { set, state } from "../state.js";
import { has, t } from "../texts.js";
import { Dialog, html } from "../view.js";

/** The number of each piece of a seat, by rank. */
const COUNTS = { a: 1, b: 1, c: 2, d: 2, e: 2, f: 2, g: 3, h: 3, i: 3, k: 2, j: 3, l: 1 };
const RULES = ["start", "equal", "secret", "marshal", "camp", "proven"];

export const openPieceTable = () => set({ isPieceTableOpen: true });
const closePieceTable = () => set({ isPieceTableOpen: false });

export const PieceTable = () => html`<${Dialog} id="pieces-table" aria-labelledby="pieces-title"
  isOpen=${state.isPieceTableOpen} onClose=${closePieceTable}>
  <${PieceRows} />
<//>`;

function PieceRows() {
  const { siguo, luzhanqi } = state.catalogue.limits;
  return html`
    <h2 id="pieces-title" tabindex="-1" autofocus>${t("pieces.title")}</h2>
    <p class="soft">${t("pieces.order")}</p>
    <table>
      <thead>
        <tr><td></td>${["piece", "number", "special"].map((name) => html`<th scope="col">${t(`pieces.${name}`)}</th>`)}
          </tr>
      </thead>
      <tbody>${Object.entries(COUNTS).map(([letter, count]) => html`<${Row} letter=${letter} count=${count} />`)}
        </tbody>
    </table>
    <ul class="soft">
      ${RULES.map((name) => html`<li>${t(`pieces.rule.${name}`)}</li>`)}
      ${siguo && luzhanqi && html`<li>
        ${t("pieces.rule.quiet", { siguo: siguo.no_contact, luzhanqi: luzhanqi.no_contact })}</li>`}
    </ul>
    <div class="row end"><button id="pieces-close" class="main" onClick=${closePieceTable}>${t("close")}</button></div>
  `;
}

/** @param {{ letter: string, count: number }} props */
const Row = ({ letter, count }) => html`<tr>
  <td><${PieceSample} seat="S" letter=${letter} /></td>
  <th scope="row">${t(`piece.${letter}`)}</th>
  <td class="number">${count}</td>
  <td>${has(`special.${letter}`) && t(`special.${letter}`)}</td>
</tr>`;
