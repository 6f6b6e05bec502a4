// The card of interrupted games, and what it shares with the view of all games.

import { playerName } from "../game/levels.js";
import { goToView, loadView } from "../shell/navigation.js";
import { socket } from "../socket.js";
import { set, state } from "../state.js";
import { t } from "../texts.js";
import { html } from "../view.js";

/** Number of interrupted games on the card. */
const MAX_SHOWN = 3;

/** Whether the list is being asked for, and whether the games have changed since. */
const asking = { isOn: false, isAgain: false };

/** Asks for the saved games; once more if they change meanwhile, as in a game that another tab plays. */
export async function loadLibrary() {
  asking.isAgain = true;
  if (asking.isOn || !state.catalogue.isHost) return;
  asking.isOn = true;
  while (asking.isAgain) {
    asking.isAgain = false;
    storeLibrary(await socket.ask("library"));
  }
  asking.isOn = false;
}

/** @param {{ games: SavedGame[], all: number } | null} answer */
export function storeLibrary(answer) {
  if (answer) set({ library: { games: answer.games, count: answer.all } });
}

/** @param {string} name */
export async function resumeGame(name) {
  if (!(await loadView("play"))) return;
  const { mayLeave } = await import("../game/live_game.js");
  if ((await mayLeave()) && (await socket.ask("resume", { name }))) goToView("play");
}

/** The date and the time in the name of a file. @param {string} name */
export const dateText = (name) => name.replace(/^(\d{4}-\d\d-\d\d)-(\d\d)(\d\d).*$/, "$1 $2:$3");

/** The names of the players, each between the characters that do for a text what `bdi` does. @param {SavedGame} game */
export const namesOf = ({ players, mine }) =>
  players.map(([seats, name]) => (seats === mine ? t("is.you") : `\u2068${playerName(name)}\u2069`)).join(" – ");

export function Unfinished() {
  const games = state.library.games.filter((game) => game.state === "unfinished").slice(0, MAX_SHOWN);
  const textOf = (/** @type {SavedGame} */ game) =>
    t("unfinished.game", {
      date: dateText(game.name),
      variant: t(`variant.${game.variant}`),
      names: namesOf(game),
      n: game.moves,
    });
  return games.length > 0 && html`<div id="unfinished" class="card choice">
    <h2>${t("unfinished.title")}</h2>
    <ul class="slots">${games.map((game) => html`<li key=${game.name}>
      <span>${textOf(game)}</span><button onClick=${() => resumeGame(game.name)}>${t("library.resume")}</button>
    </li>`)}</ul>
  </div>`;
}
