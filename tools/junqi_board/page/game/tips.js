// Tips for a first game, each until it is closed or the person moves on: at the first move, the first battle, the first
// deduction; later the log, moves ahead and marks on pieces.

import { addFact, hasFact } from "../shell/store.js";
import { change, state } from "../state.js";
import { t } from "../texts.js";
import { html } from "../view.js";
import { mayText, whyText } from "../voice.js";
import { isOut, newsOf, TurnText } from "./status.js";

/** After how many moves there is time for what is not needed at first. */
const LATER = 10;
/** From how many moves on nobody is told of premoves any more. */
const KNOWN = 40;

/** The tip for a state of the game; undefined for none. @param {GameState | null} game */
function tipFor(game) {
  if (!game?.mine || game.phase !== "playing" || isOut(game)) return undefined;
  const isTurn = Object.keys(game.targets ?? {}).length > 0;
  const [count, proven] = [game.moves?.length ?? 0, Object.values(game.proven ?? {}).find(mayText) ?? ""];
  if (state.help.tipClosedAt === count || newsOf(game)) return undefined;
  const isOwn = (/** @type {KnownPiece | null} */ piece) => piece !== null && game.mine.includes(piece.seat);
  const isOwnBattle = (/** @type {LastMove} */ move) => (isOwn(move.attacker) || isOwn(move.defender)) && whyText(move);
  const tips = [
    { name: "battle", isDue: state.shown.story.some(isOwnBattle) },
    { name: "move", isDue: isTurn && !count },
    { name: "proof", isDue: isTurn && proven, text: proven.length > 1 ? "possible" : "certain", may: proven },
    { name: "log", isDue: isTurn && count >= LATER },
    { name: "marks", isDue: isTurn && count >= 2 * LATER },
    { name: "ahead", isDue: !isTurn && count >= LATER && count < KNOWN },
  ];
  return tips.find(({ name, isDue }) => isDue && !hasFact("tip", name));
}

/**
 * Closes the tip for a state of the game: it does not come again, and no other before the next move.
 * @param {GameState | null} game
 */
export function closeTip(game) {
  const tip = tipFor(game);
  if (!tip) return;
  addFact("tip", tip.name);
  change("help", { tipClosedAt: game?.moves?.length ?? 0 });
}

/**
 * The tip; on a phone it stands where the state would, and begins with it.
 * @param {{ game: GameState, data: BoardData, hasState?: boolean }} props
 */
export function TipCard({ game, data, hasState = false }) {
  const tip = tipFor(game);
  const close = () => closeTip(game);
  const isMine = Object.keys(game.targets ?? {}).length > 0;
  return tip && html`<p id="tip" class="card tip ${isMine ? "mine" : ""}" role="status">
    <span>${hasState && html`<${TurnText} game=${game} data=${data} /> `}
      ${t(`tip.${tip.text ?? tip.name}`, { may: mayText(tip.may ?? "") })}</span>
    <button class="quiet" aria-label=${t("close")} title=${t("close")} onClick=${close}>×</button>
  </p>`;
}
