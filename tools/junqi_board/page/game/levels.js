// The levels of the engines, and what players are called.

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

/** Name of the host's person in a record, if none was entered. */
const HOST = "person";

/** The display name of a player in a record. @param {string} name */
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

/** By level, the hat and the beard of its general, in a square of 40. */
const FACES = [
  ["M10 15Q20 2 30 15Z", ""],
  ["M9 15Q20 4 31 15ZM18 8L20 2L22 8Z", "M15 26Q20 23 25 26Q20 25 15 26Z"],
  ["M9 15Q20 4 31 15Z", "M13 25Q20 40 27 25Q20 28 13 25Z"],
  ["M9 15Q20 5 31 15ZM10 10L4 3L14 8ZM30 10L36 3L26 8Z", ""],
  ["M9 14Q20 6 31 14Z", "M9 20Q9 36 20 36Q31 36 31 20Q27 27 20 25Q13 27 9 20Z"],
  ["M9 15Q20 1 31 15ZM6 15H34V17H6Z", "M14 25Q17 39 20 40Q23 39 26 25Q20 28 14 25Z"],
  ["M11 15V7H29V15ZM15 7L20 2L25 7Z", "M18 27Q20 39 22 27Q20 28 18 27ZM14 24Q13 30 12 33M26 24Q27 30 28 33"],
];

/** The general of a level. @param {{ level: string }} props */
export function Face({ level }) {
  const [hat, beard] = FACES[LEVELS.indexOf(level)];
  return html`<svg class="face" data-face=${level} viewBox="0 0 40 40" aria-hidden="true">
    <circle class="skin" cx="20" cy="20" r="11" /><path class="hat" d=${hat} /><path class="beard" d=${beard} />
    <path class="brow" d="M13 18L18 19.500M27 18L22 19.500" /><circle cx="16" cy="21.500" r="1.200" />
    <circle cx="24" cy="21.500" r="1.200" />
  </svg>`;
}

/**
 * A level and the style of its line-ups in words; none for an engine that sets up its pieces itself.
 * @param {string} level
 */
function levelAndStyle(level) {
  const style = state.catalogue.engines.find(({ styles }) => level in styles)?.styles[level];
  return clauses(levelText(level), ...(style ? [t("general.style", { style: t(`style.${style}`) })] : []));
}

/**
 * What the general of a level says at the beginning or the end of a game; nothing for an engine without a level.
 * @param {{ level: string, when: "hello" | "bye" }} props
 */
export const General = ({ level, when }) =>
  level !== "" && html`<p class="general"><${Face} level=${level} /><span><b>${t(`general.${level}`)}</b>
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
