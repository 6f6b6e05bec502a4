// The line-ups before a game: the pieces on the board are exchanged, or a line-up is taken from one's own or a gallery.

import { addFact, facts, keep, kept, ofGame } from "../shell/store.js";
import { chooseLevel, levelOf, levelsIn, levelText } from "./levels.js";
import { showError, socket } from "../socket.js";
import { change, state } from "../state.js";
import { remember, remembered } from "../shell/storage.js";
import { t } from "../texts.js";
import { html, Select } from "../view.js";

/** @param {string} letters */
const sorted = (letters) => [...letters].sort().join("");

/**
 * Whether a line-up that was kept has the pieces of a draft, each where the rules allow it. Nobody vouches for what a browser keeps.
 * @param {unknown} letters
 * @param {GameState} game
 */
const isLegal = (letters, { drafts, mine, allowed }) =>
  typeof letters === "string" && sorted(letters) === sorted(drafts[mine[0]] ?? "") && [...letters].every((letter, place) => allowed[letter].includes(place));

/** Where the line-ups of a variant are kept. @param {GameState} game */
const keptName = (game) => `lineup.${game.variant}`;

/**
 * Takes the line-ups of a new game, or those that were edited before a reload, or before the level was changed.
 * @param {GameState} game
 * @param {GameState | null} before
 */
export function takeLineups(game, before) {
  const isSameTable = before?.phase === "arranging" && before.variant === game.variant && before.mine === game.mine;
  // A line-up of the last game of this kind is ready again.
  const last = remembered(ofGame("lineup", game.game)) ?? (isSameTable ? state.lineup.letters : kept(keptName(game), {}));
  const isUsed = (/** @type {string} */ seat) => game.phase === "arranging" && !game.seats[seat].ready && isLegal(last[seat], game);
  const letters = Object.fromEntries([...game.mine].map((seat) => [seat, isUsed(seat) ? last[seat] : game.drafts?.[seat]]));
  change("lineup", { letters, seat: game.mine[0] ?? "", isSent: false });
  if (game.phase === "arranging" && state.lineup.startsAtOnce) startGame();
}

/** Takes the line-ups that another tab with the same seats has sent. @param {GameState} game */
export function followLineups({ mine, seats, drafts }) {
  if (mine && [...mine].every((seat) => seats[seat].ready)) change("lineup", { isSent: true, letters: { ...drafts } });
}

export const startAtOnce = () => change("lineup", { startsAtOnce: true });

/** @param {string} letters @param {string} seat */
function useLineup(letters, seat = state.lineup.seat) {
  change("lineup", { seat, letters: { ...state.lineup.letters, [seat]: letters } });
  if (state.table.game) remember(ofGame("lineup", state.table.game.game), state.lineup.letters);
}

async function useRandomLineup() {
  const answer = await socket.ask("lineup_random");
  if (answer && !state.lineup.isSent) useLineup(answer.lineup);
}

/** Exchanges two pieces of one seat. @param {string} swap as `SEAT:PLACE:PLACE` */
export function swapPieces(swap) {
  const [seat, ...places] = swap.split(":");
  const [a, b] = places.map(Number);
  const letters = [...state.lineup.letters[seat]];
  [letters[a], letters[b]] = [letters[b], letters[a]];
  useLineup(letters.join(""), seat);
}

export async function startGame() {
  const { game } = state.table;
  if (!game) return;
  change("lineup", { isSent: true, startsAtOnce: false });
  keep(keptName(game), state.lineup.letters);
  await socket.request("ready", { lineups: state.lineup.letters }).catch((error) => {
    change("lineup", { isSent: false });
    showError(error);
  });
}

const storeLineup = () => addFact("lineups", state.lineup.letters[state.lineup.seat]);

async function askGallery() {
  if (!state.lineup.gallery) change("lineup", { gallery: (await socket.ask("lineup_gallery"))?.lineups ?? null });
}

/** @param {{ game: GameState }} props */
export function LineupCard({ game }) {
  const { seat, isSent } = state.lineup;
  return html`<div id="arrange" class="card">
    <h2>${t("arrange.title")}</h2>
    <p class="soft">${t("arrange.hint")}</p>
    ${state.catalogue.isHost && html`<${Level} game=${game} />`}
    ${game.mine.length > 1 && html`<div class="row">
      ${[...game.mine].map((one, place) => html`<button class="chip" data-seat=${one} aria-pressed=${one === seat} onClick=${() => change("lineup", { seat: one })}>
        ${t(place ? "arrange.far" : "arrange.near")}
      </button>`)}
    </div>`}
    <button id="arrange-random" disabled=${isSent} onClick=${useRandomLineup}>${t("arrange.random")}</button>
    <button id="arrange-start" class="main big" disabled=${isSent} onClick=${startGame}>${t(isSent ? "arrange.waiting" : "start")}</button>
    <details id="arrange-more" onToggle=${askGallery}>
      <summary>${t("slots.title")}</summary>
      <${Slots} game=${game} />
    </details>
  </div>`;
}

/** The level of the engines, with which the game begins anew. @param {{ game: GameState }} props */
function Level({ game }) {
  const entries = levelsIn(game).map((name) => [name, levelText(name)]);
  return entries.length > 0 && html`<${Select} kind="wide" id="level" label=${t("level.choose")} value=${levelOf(game)} entries=${entries} onPick=${chooseLevel} />`;
}

/** One's own line-ups, and those of the gallery. @param {{ game: GameState }} props */
function Slots({ game }) {
  const { isSent, gallery } = state.lineup;
  const use = (/** @type {string} */ text, /** @type {string} */ letters) =>
    html`<button data-letters=${letters} disabled=${isSent || !isLegal(letters, game)} onClick=${() => useLineup(letters)}>${text}</button>`;
  const own = (/** @type {string} */ letters, /** @type {number} */ index) => {
    const name = t("slots.name", { n: index + 1 });
    const remove = t("slots.remove", { name });
    return html`<li key=${letters}>
      ${use(name, letters)}<button class="quiet" aria-label=${remove} title=${remove} onClick=${() => addFact("lineups", letters, null)}>×</button>
    </li>`;
  };
  return html`<button id="slot-save" disabled=${isSent} onClick=${storeLineup}>${t("slots.save")}</button>
    <ul id="slots" class="slots">${Object.keys(facts("lineups")).map(own)}</ul>
    <p class="soft">${t("gallery.title")}</p>
    <ul id="gallery" class="slots">
      ${Object.entries(gallery ?? {}).map(([style, letters]) => html`<li key=${style}>
        ${use(t(`style.${style}`), letters)}<span class="soft">${t(`style.${style}.about`)}</span>
      </li>`)}
    </ul>`;
}
