// Tips for a first game, each shown once: at the first move, the first battle, the first deduction, the first time that
// the board is enlarged; later the log, moves ahead and marks on pieces. A tip stays until the person closes it or moves on.

import { addFact, facts } from "../shell/store.js";
import { set, state } from "../state.js";
import { t } from "../texts.js";
import { html } from "../view.js";
import { mayText, whyText } from "../voice.js";

/** After how many moves there is time for what is not needed at once. */
const LATER = 10;

const closeTip = () => set({ tip: null });

/** @param {GameState} game */
export function followTips(game) {
  const { last, mine } = game;
  if (!mine || game.phase !== "playing") return closeTip();
  const isTurn = Object.keys(game.targets ?? {}).length > 0;
  const own = [last?.attacker, last?.defender].find((piece) => piece && mine.includes(piece.seat));
  const proven = Object.values(game.proven ?? {})[0];
  if (last && mine.includes(last.seat)) closeTip();
  const count = game.moves?.length ?? 0;
  if (last && own && whyText(last)) showOnce("battle");
  else if (isTurn && !count) showOnce("move");
  else if (isTurn && proven && !state.tip) showOnce("proof", proven);
  else if (isTurn && !state.tip && count >= LATER) showOnce(count < 2 * LATER ? "log" : "marks");
  else if (!isTurn && !state.tip && count >= LATER) showOnce("ahead");
}

/** The board was enlarged, or is whole again. @param {boolean} isZoomed */
export function zoomed(isZoomed) {
  if (isZoomed) showOnce("zoom");
  else if (state.tip?.name === "zoom") closeTip();
}

/** @param {string} name @param {string} may what a piece is proven to be, by letters */
function showOnce(name, may = "") {
  if (name in facts("coached")) return;
  addFact("coached", name);
  set({ tip: { name, may } });
}

export function TipCard() {
  const { tip } = state;
  return tip && html`<p id="tip" class="card tip" role="status">
    <span>${t(`tip.${tip.name}`, { may: mayText(tip.may), whole: t("board.whole") })}</span>
    <button class="quiet" aria-label=${t("close")} title=${t("close")} onClick=${closeTip}>×</button>
  </p>`;
}
