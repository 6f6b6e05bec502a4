// The levels of the engines, and what players are called.

import { setSetting } from "../shell/store.js";
import { socket } from "../socket.js";
import { state } from "../state.js";
import { has, t } from "../texts.js";

/** From the weakest to the strongest. */
export const LEVELS = ["beginner", "novice", "casual", "regular", "strong", "expert", "master"];

/** The engine of a name, if it has levels. @param {string | undefined} name */
const ranked = (name) =>
  state.catalogue.engines.find(({ program, levels: names }) => name?.startsWith(program) && Object.keys(names).length);

/** The first engine in a game. @param {GameState | null} state */
const engineIn = (state) => Object.values(state?.seats ?? {}).find((seat) => seat.who === "engine");

/**
 * The name of the level with an Elo; undefined for another strength.
 * @param {ReturnType<typeof ranked>} engine
 * @param {number | null} elo
 */
const levelWith = (engine, elo) => Object.entries(engine?.levels ?? {}).find(([, one]) => one === elo)?.[0];

/** The Elo of the engines of a game; null for full strength. @param {GameState} game */
export const eloOf = (game) => engineIn(game)?.elo ?? null;

/** The name of the level of the engines of a game, if it has one. @param {GameState} game */
export function levelOf(game) {
  const engine = engineIn(game);
  return levelWith(ranked(engine?.name), engine?.elo ?? null) ?? "";
}

/**
 * What a person calls an engine: its level, if the name in the record has its Elo; another name is that of a person.
 * @param {string} name
 */
function engineName(name) {
  const engine = ranked(name);
  const level = levelWith(engine, Number(/\(Elo (\d+)\)$/.exec(name)?.[1]));
  if (level) return levelText(level);
  if (has(`name.${name}`)) return t(`name.${name}`);
  return engine ? t("level.master") : name || t("engine");
}

/** What a record calls the person at the host's page, unless it has a name. */
const HOST = "person";

/** What a player of a record is called. @param {string} name */
export const playerName = (name) => (name === HOST ? t("is.you") : engineName(name));

/** The names of the levels of the engines of a game. @param {GameState} game */
export const levelsIn = (game) => Object.keys(ranked(engineIn(game)?.name)?.levels ?? {});

/** A level above or below that of a game; undefined if there is none. @param {GameState} game @param {number} step */
export function levelBeside(game, step) {
  const [names, level] = [levelsIn(game), levelOf(game)];
  return level ? names[names.indexOf(level) + step] : undefined;
}

/** Sets the level of the engines; before the first move, the game begins anew with it. @param {string} name */
export async function chooseLevel(name) {
  setSetting("level", name);
  const { game } = state.table;
  const engine = game?.phase === "arranging" && ranked(engineIn(game)?.name);
  if (engine) await socket.ask("level", { elo: engine.levels[name] ?? null });
}

/** @param {string} name */
export const levelText = (name) => t(`level.${name}`);

/** A clock in words: minutes, and seconds a move. @param {string} value */
export function clockName(value) {
  const [base, increment] = value.split("+").map(Number);
  return value ? t("setup.clock", { min: base / 60, s: increment }) : t("setup.noClock");
}
