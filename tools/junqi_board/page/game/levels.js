// The levels of the engines, and what players are called.

import { faceSample } from "../board/pieces.js";
import { Picture } from "../board/saying.js";
import { setSetting } from "../shell/store.js";
import { socket } from "../socket.js";
import { state } from "../state.js";
import { clauses, has, t } from "../texts.js";
import { html } from "../view.js";

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

/** The level of an engine: its name ends with its Elo, unless it has full strength. @param {string} name */
export function levelNamed(name) {
  const elo = /\(Elo (\d+)\)$/.exec(name)?.[1];
  return levelWith(ranked(name), elo ? Number(elo) : null);
}

/**
 * What a person calls an engine: its level; another name is that of a person.
 * @param {string} name
 */
function engineName(name) {
  const level = levelNamed(name);
  if (level) return levelText(level);
  if (has(`name.${name}`)) return t(`name.${name}`);
  return ranked(name) ? t("level.master") : name || t("engine");
}

/** Name of the host's person in a record, if none was entered. */
const HOST = "person";

/** The display name of a player in a record. @param {string} name */
export const playerName = (name) => (name === HOST ? t("is.you") : engineName(name));

/** What a player is called who has given no name. @param {Pick<SeatState, "who" | "name">} seat */
export const unnamed = ({ who, name }) =>
  who === "engine" ? name && playerName(name) : t(who === "guest" ? "name.guest" : "who.host");

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

/** The generals of the levels. */
const GENERALS = ["zhoucang", "liaohua", "huangzhong", "machao", "zhangfei", "guanyu", "zhugeliang"];

/** @param {string} level */
const generalOf = (level) => GENERALS[LEVELS.indexOf(level)];

/** @param {string} level */
export const generalName = (level) => t(`person.${generalOf(level)}`);

/** The general of a level. @param {{ level: string }} props */
export function Face({ level }) {
  const person = generalOf(level);
  return html`<${Picture} name=${person} draw=${() => faceSample(person)} />`;
}

/**
 * A level and the style of its line-ups in words; none for an engine that sets up its pieces itself.
 * @param {string} level
 */
function levelAndStyle(level) {
  const { variant = "" } = state.table.game ?? {};
  const style = state.catalogue.engines.map(({ styles }) => styles[variant]?.[level]).find(Boolean);
  return clauses(levelText(level), ...(style ? [t("general.style", { style: t(`style.${style}`) })] : []));
}

/**
 * What the general of a level says at the beginning or the end of a game; nothing for an engine without a level.
 * @param {{ level: string, when: "hello" | "bye" }} props
 */
export const General = ({ level, when }) =>
  level !== "" && html`<p class="general"><${Face} level=${level} /><span><b>${generalName(level)}</b>
    <span class="soft"> ${when === "hello" ? levelAndStyle(level) : levelText(level)}</span><br />
    ${t("plate.says", { words: t(`general.${when}.${level}`) })}
  </span></p>`;

/** @param {string} name */
export const levelText = (name) => t(`level.${name}`);

/** A clock in words: minutes, and seconds a move. @param {string} value */
export function clockName(value) {
  const [base, increment] = value.split("+").map(Number);
  return value ? t("setup.clock", { min: base / 60, s: increment }) : t("setup.noClock");
}
