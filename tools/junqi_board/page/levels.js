// The levels of the engines, and what players are called.

import { keep } from "./kept.js";
import { socket } from "./socket.js";
import { state } from "./state.js";
import { has, nameOf, t } from "./texts.js";

/** The levels of a program by name; Master has no Elo. @param {string} program @returns {Record<string, number | null>} */
export const levelsOf = (program) => state.catalogue.engines.find((engine) => engine.program === program)?.levels ?? {};

/** The name of the level with an Elo; null for another strength. @param {string} program @param {number} elo */
function levelNamed(program, elo) {
  const name = Object.entries(levelsOf(program)).find(([, value]) => value === elo)?.[0];
  return name && has(`level.${name}`) ? name : null;
}

/** The engine of a name, if it has levels. @param {string | undefined} name */
const ranked = (name) => state.catalogue.engines.find(({ program, levels: names }) => name?.startsWith(program) && Object.keys(names).length);

/** The first engine in a game. @param {GameState | null} state */
const engineIn = (state) => Object.values(state?.seats ?? {}).find((seat) => seat.who === "engine");

/** The name of the level of the engines of a game, if it has one. @param {GameState} state */
export function levelOf(state) {
  const engine = engineIn(state);
  const program = ranked(engine?.name);
  return program && engine ? (Object.entries(program.levels).find(([, elo]) => elo === (engine.elo ?? null))?.[0] ?? null) : null;
}

/** What a person calls an engine: its level, if the name in the record has its Elo; another name is that of a person. @param {string} name */
function engineName(name) {
  const elo = Number(/\(Elo (\d+)\)$/.exec(name)?.[1] ?? 0);
  const program = ranked(name);
  const level = program && elo ? levelNamed(program.program, elo) : null;
  if (level) return levelText(level);
  if (has(`name.${name}`)) return nameOf(name);
  return program ? t("level.master") : name || t("engine");
}

/** What a record calls the person at the host's page, unless it has a name. */
export const HOST = "person";

/** What a player of a record is called. @param {string} name */
export const playerName = (name) => (name === HOST ? t("who.me") : engineName(name));

export const levels = {
  /** The names of the levels of the engines of a game, and that which they have. @param {GameState} game @returns {[names: string[], chosen: string]} */
  of: (game) => [Object.keys(ranked(engineIn(game)?.name)?.levels ?? {}), levelOf(game) ?? ""],

  /** A level above or below that of a game; null if there is none. @param {GameState} game @param {number} step */
  beside(game, step) {
    const [names, level] = this.of(game);
    return level ? (names[names.indexOf(level) + step] ?? null) : null;
  },

  /** Sets the level of the engines; before the first move, the game begins anew with it. @param {string} name */
  async choose(name) {
    keep("level", name);
    const { game } = state.table;
    const engine = game?.phase === "arranging" && ranked(engineIn(game)?.name);
    if (engine) await socket.ask("level", { elo: engine.levels[name] ?? null });
  },
};

/** @param {string} name */
export const levelText = (name) => t(`level.${name}`);
