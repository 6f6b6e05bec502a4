// The engine's help: what it believes of hidden pieces, and what it would play.

import { boardOf } from "../board/boards.js";
import { SayingText } from "../board/saying.js";
import { announce } from "../shell/notices.js";
import { showError, socket } from "../socket.js";
import { change, FIRST, state } from "../state.js";
import { percent, t } from "../texts.js";
import { html } from "../view.js";
import { adviceSaying, pieceSaying, povOf, textOf, together } from "../voice.js";
import { isOut } from "./status.js";

const ADVICE_MS = 1000;
const MOST_BARS = 6;

/** @param {boolean} isOn */
function showBelief(isOn) {
  socket.send("belief", { on: isOn });
  change("help", { isOn, belief: FIRST.help.belief });
}

/** The server forgets what was asked for when the connection is lost. */
export const askAgain = () => state.help.isOn && state.table.game?.may.be_helped && socket.send("belief", { on: true });

async function askAdvice() {
  change("help", { isSearching: true });
  await socket.request("advice", { ms: ADVICE_MS }).catch((error) => {
    showError(error);
    change("help", { isSearching: false });
  });
}

export const helpFailed = () => change("help", { isSearching: false, isOn: false });

/** @param {{ game: string, ply: number, points: Record<string, Chances> }} belief */
export function receiveBelief({ game, ply, points }) {
  if (state.help.isOn && game === state.table.game?.game) change("help", { belief: { ply, points } });
}

/** @param {Advice} advice */
export function receiveAdvice(advice) {
  const { game } = state.table;
  // The person may have moved meanwhile.
  const isOfNow = advice.game === game?.game && advice.ply === game?.moves?.length;
  change("help", { isSearching: false, ...(isOfNow && { advice }) });
  if (game && isOfNow) announce(textOf(adviceOf(advice, game)));
}

/** The pointer or the cursor is on a piece. @param {Shape | null} pointed */
export function pointAt(pointed) {
  if (pointed?.id !== state.help.pointed?.id) change("help", { pointed });
}

/** By point, the kinds that the hidden pieces most likely are, with all chances. @returns {Record<string, Guess>} */
export function guesses() {
  const { ply, points } = state.help.belief;
  // A battle is shown for a moment, while the server may be ahead.
  const isNow = ply === state.table.game?.moves?.length;
  const found = Object.entries(isNow ? points : {}).map(([point, chances]) => [
    point,
    { letter: likeliest(chances)[0]?.[0] ?? "", chances },
  ]);
  return Object.fromEntries(found);
}

/**
 * The advised moves as arrows, the best one first; the chances of those that are as good are said once.
 * @returns {Arrow[]}
 */
export function adviceArrows() {
  const { advice } = state.help;
  const moves = advice ? [advice, ...advice.others] : [];
  const said = moves.map(({ win }) => (win === null ? "" : percent(win)));
  return moves.map(({ from, to }, rank) => ({
    kind: `rank-${rank}`,
    from,
    to,
    tag: said.indexOf(said[rank]) === rank ? said[rank] : "",
  }));
}

/** @param {Chances} chances @returns {[letter: string, chance: number][]} */
const likeliest = (chances) => Object.entries(chances).sort((a, b) => b[1] - a[1]);

/**
 * The advised move, the chance of winning with it, and whether others are as good.
 * @param {Advice} advice
 * @param {GameState} game
 */
function adviceOf({ from, to, win, others }, game) {
  const data = boardOf(game.variant);
  const pov = data ? povOf(game, data) : { mine: game.mine, seats: "" };
  const saying = adviceSaying("advice.", from, to, game.pieces, pov, data);
  if (win === null) return saying;
  const isSame = others.length > 0 && others.every((other) => percent(other.win ?? 0) === percent(win));
  return together(saying, t("advice.win", { win: percent(win) }), isSame ? t("advice.same") : "");
}

/** @param {{ game: GameState, isHidden: boolean }} props */
export function HelpCard({ game, isHidden }) {
  const { isOn, advice, isSearching } = state.help;
  const isAllowed = game.may.be_helped && Boolean(game.mine);
  const isWatching = !game.mine || isOut(game);
  const mayAsk = !isWatching && game.phase !== "over";
  return html`<div class="card" hidden=${isHidden}>
    <div class="row">
      ${mayAsk && html`<button id="advice" disabled=${isSearching || !game.mine.includes(game.turn)}
        onClick=${askAdvice}>${t("pane.advice")}</button>`}
      ${isSearching && html`<button onClick=${() => socket.send("advice_stop")}>${t("stop")}</button>`}
      <label>
        <input type="checkbox" id="belief" checked=${isOn} disabled=${!isAllowed} onChange=${() => showBelief(!isOn)} />
        ${" "}<span>${t("pane.belief")}</span>
      </label>
    </div>
    <p class="soft">${t("help.about")}</p>
    <p id="advice-text" class="advice-text">${game.mine && isWatching ? t("status.out") : advice && html`<${SayingText}
      saying=${adviceOf(advice, game)} />`}</p>
    ${isOn && html`<p class="soft of-whole">${t("pane.whole")}</p><${Belief} game=${game} />`}
  </div>`;
}

/** The hidden piece that the bars are about, while there are guesses: that under the pointer. */
export function guessedPiece() {
  const { isOn, pointed } = state.help;
  const piece = state.table.game?.pieces.find(([, id]) => String(id) === pointed?.id);
  return isOn && piece?.[3] === "?" ? piece : undefined;
}

/** The engine's belief about the piece under the pointer. @param {{ game: GameState }} props */
function Belief({ game }) {
  const [point = -1, , seat = "", letter = ""] = guessedPiece() ?? [];
  const [chances, data] = [guesses()[point]?.chances, boardOf(game.variant)];
  if (!chances || !data) return html`<div id="belief-bars" class="bars"><p class="soft">${t("pane.none")}</p></div>`;
  return html`<div id="belief-bars" class="bars">
    <p><${SayingText} saying=${pieceSaying({ seat, letter, may: game.proven[point] }, point, povOf(game, data))} /></p>
    ${likeliest(chances).slice(0, MOST_BARS).map(([letter, chance]) => html`<div key=${letter}>
      <span>${t(`piece.${letter}`)}</span><meter min="0" max="1" value=${chance} aria-label=${t(`piece.${letter}`)} />
        <span>${percent(chance)}</span>
    </div>`)}
  </div>`;
}
