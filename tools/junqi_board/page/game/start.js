// Beginning a game from the first view.

import { goToView } from "../shell/navigation.js";
import { setSetting, setting } from "../shell/store.js";
import { isPlaying, state } from "../state.js";
import { startAtOnce, startGame } from "./lineup.js";
import { mayLeave, showTable } from "./live_game.js";
import { startQuickly } from "./setup.js";

export { showTable };

/** Begins a game against one engine, with the line-up that is ready. */
export async function playNow() {
  const { game } = state.table;
  const hasLineup = game?.phase === "arranging" && game.variant === "luzhanqi" && game.mine.length === 1;
  const isAlone = Object.values(game?.seats ?? {}).every(({ who }) => who !== "guest");
  if (isPlaying()) return showTable();
  startAtOnce();
  if (hasLineup && isAlone && !setting("clock", "")) startGame();
  else await beginGame("luzhanqi", "engine");
  showTable();
}

/**
 * @param {string} variant
 * @param {"engine" | "guest"} others who has the other seats
 * @param {boolean} [atOnce] with the line-up that is ready
 */
export async function beginGame(variant, others, atOnce = false) {
  if (!(await mayLeave())) return;
  if (atOnce) startAtOnce();
  if (await startQuickly(variant, others)) goToView("play");
}

/** Begins a game at a level. @param {string} level */
export function climb(level) {
  setSetting("level", level);
  return beginGame("luzhanqi", "engine", true);
}
