// The line-ups before a game: the pieces on the board are exchanged, or a line-up is taken from one's own or a gallery.

import { announce } from "../shell/notices.js";
import { remember, remembered } from "../shell/storage.js";
import { addFact, factsOf, removeFact, setSetting, setting } from "../shell/store.js";
import { showError, socket } from "../socket.js";
import { change, state } from "../state.js";
import { t } from "../texts.js";
import { html, Select } from "../view.js";
import { whoAll } from "../voice.js";
import { chooseLevel, General, levelOf, levelsIn, levelText } from "./levels.js";
import { hasCompany } from "./people.js";
import { othersSetUp } from "./status.js";

/** @param {string} letters */
const sorted = (letters) => [...letters].sort().join("");

/**
 * Whether a line-up that was kept has the pieces of a draft, each where the rules allow it. Nobody vouches for what a
 * browser keeps.
 * @param {unknown} letters
 * @param {GameState} game
 */
const isLegal = (letters, { drafts, mine, allowed }) =>
  typeof letters === "string" &&
  sorted(letters) === sorted(drafts[mine[0]] ?? "") &&
  [...letters].every((letter, place) => allowed[letter].includes(place));

/** The setting with the last line-ups of a variant. @param {GameState} game */
const settingName = (game) => `lineup.${game.variant}`;

/**
 * The line-ups of the person's seats: its own edits of this game, else the last line-up, else the server's draft; and
 * whether they are sent.
 * @param {GameState} game
 */
export function lineupOf(game) {
  const { mine, seats, drafts } = game;
  const isReady = mine !== "" && [...mine].every((seat) => seats[seat].ready);
  const edits = state.lineup.game === game.game ? state.lineup.letters : null;
  // A line-up of the last game of this kind is ready again.
  const last = edits ?? remembered(`lineup.${game.game}`) ?? setting(settingName(game), {});
  const isUsed = (/** @type {string} */ seat) => !isReady && isLegal(last?.[seat], game);
  const letters = Object.fromEntries([...mine].map((seat) => [seat, isUsed(seat) ? last[seat] : drafts[seat]]));
  const seat = mine.includes(state.lineup.seat) ? state.lineup.seat : "";
  return { letters, isSent: isReady || state.lineup.sent === game.game, seat: seat || (mine[0] ?? "") };
}

/**
 * Begins with the line-ups that were edited before, if only the level has changed; sends them, if that was asked.
 * @param {GameState | null} before
 * @param {GameState} game
 */
export function beginLineup(before, game) {
  const isSameTable = before?.phase === "arranging" && before.variant === game.variant && before.mine === game.mine;
  if (isSameTable && state.lineup.game === before.game) change("lineup", { game: game.game });
  if (state.lineup.startsAtOnce) startGame();
}

export const startAtOnce = () => change("lineup", { startsAtOnce: true });

/** Uses a line-up in the game that is set up. @param {string} letters @param {string} [seat] */
function useLineup(letters, seat) {
  const { game } = state.table;
  if (!game) return;
  const now = lineupOf(game);
  const edited = { ...now.letters, [seat ?? now.seat]: letters };
  change("lineup", { game: game.game, letters: edited, seat: seat ?? now.seat });
  remember(`lineup.${game.game}`, edited);
}

async function useRandomLineup() {
  const answer = await socket.ask("lineup_random");
  const { game } = state.table;
  if (answer && game && !lineupOf(game).isSent) useLineup(answer.lineup);
}

/** Exchanges two pieces of one seat. @param {string} swap as `SEAT:PLACE:PLACE` */
export function swapPieces(swap) {
  const [seat, ...places] = swap.split(":");
  const [a, b] = places.map(Number);
  const { game } = state.table;
  if (!game) return;
  const letters = [...lineupOf(game).letters[seat]];
  [letters[a], letters[b]] = [letters[b], letters[a]];
  announce(t("arrange.swapped", { one: t(`piece.${letters[a]}`), other: t(`piece.${letters[b]}`) }));
  useLineup(letters.join(""), seat);
}

export async function startGame() {
  const { game } = state.table;
  if (!game) return;
  const { letters } = lineupOf(game);
  change("lineup", { sent: game.game, startsAtOnce: false });
  setSetting(settingName(game), letters);
  await socket.request("ready", { lineups: letters }).catch((error) => {
    change("lineup", { sent: "" });
    showError(error);
  });
}

async function askGallery() {
  if (!state.lineup.gallery) change("lineup", { gallery: (await socket.ask("lineup_gallery"))?.lineups ?? null });
}

/** @param {{ game: GameState, pov: Pov }} props */
export function LineupCard({ game, pov }) {
  const { seat, isSent } = lineupOf(game);
  const [ready, missing] = [true, false].map((isReady) => whoAll(othersSetUp(game, isReady), pov));
  return html`<div id="arrange" class="card">
    <h2>${t("arrange.title")}</h2>
    ${!hasCompany(game) && html`<${General} level=${levelOf(game)} when="hello" />`}
    <p class="soft">${t("arrange.hint")}</p>
    ${state.catalogue.isHost && html`<${Level} game=${game} />`}
    ${game.mine.length > 1 && html`<div class="row">
      ${[...game.mine].map((one, place) => html`<button class="chip" data-seat=${one} aria-pressed=${one === seat}
        onClick=${() => change("lineup", { seat: one })}>
        ${t(place ? "arrange.far" : "arrange.near")}
      </button>`)}
    </div>`}
    <button id="arrange-random" disabled=${isSent} onClick=${useRandomLineup}>${t("arrange.random")}</button>
    <button id="arrange-start" class="main big" disabled=${isSent} onClick=${startGame}>
      ${isSent && missing ? t("arrange.waiting", { who: missing }) : t("start")}</button>
    ${hasCompany(game) && ready && html`<p id="arrange-ready">✓ ${t("arrange.ready", { who: ready })}</p>`}
    <details id="arrange-more" onToggle=${askGallery}>
      <summary>${t("slots.title")}</summary>
      <${Slots} game=${game} />
    </details>
  </div>`;
}

/** The level of the engines, with which the game begins anew. @param {{ game: GameState }} props */
function Level({ game }) {
  const entries = levelsIn(game).map((name) => [name, levelText(name)]);
  return entries.length > 0 && html`<${Select} kind="wide" id="level" label=${t("level.choose")} value=${levelOf(game)}
    entries=${entries} onPick=${chooseLevel} />`;
}

/** One's own line-ups, and those of the gallery. @param {{ game: GameState }} props */
function Slots({ game }) {
  const { gallery } = state.lineup;
  const { isSent, letters: current, seat } = lineupOf(game);
  const use = (/** @type {string} */ text, /** @type {string} */ letters) =>
    html`<button data-letters=${letters} disabled=${isSent || !isLegal(letters, game)}
      onClick=${() => useLineup(letters)}>${text}</button>`;
  const own = (/** @type {string} */ letters, /** @type {number} */ index) => {
    const name = t("slots.name", { n: index + 1 });
    const remove = t("slots.remove", { name });
    return html`<li key=${letters}>
      ${use(name, letters)}<button class="quiet" aria-label=${remove} title=${remove}
        onClick=${() => removeFact("lineup", letters)}>×</button>
    </li>`;
  };
  return html`<button id="slot-save" disabled=${isSent} onClick=${() => addFact("lineup", current[seat])}>
    ${t("slots.save")}</button>
    <ul id="slots" class="slots">${Object.keys(factsOf("lineup")).map(own)}</ul>
    <p class="soft">${t("gallery.title")}</p>
    <ul id="gallery" class="slots">
      ${Object.entries(gallery ?? {}).map(([style, letters]) => html`<li key=${style}>
        ${use(t(`style.${style}`), letters)}<span class="soft">${t(`style.${style}.about`)}</span>
      </li>`)}
    </ul>`;
}
