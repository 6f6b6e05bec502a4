// What the person has reached against the levels: a rating with its graph, wins, runs, Marshals captured. The server keeps it.

import { catalogue, levelOf, levelsOf } from "./catalogue.js";
import { $, make } from "./dom.js";
import { rated } from "./glicko2.js";
import { keep, kept } from "./storage.js";
import { clauses, has, t } from "./texts.js";
import { resultKind } from "./voice.js";

/** @typedef {import("./glicko2.js").Rated & { history: number[] }} Rating by variant: now, and after each of the last games */

/** How far off a person's first rating may be, the usual one for Glicko-2; and that of a level. */
const [NEW_DEVIATION, NEW_VOLATILITY, LEVEL_DEVIATION] = [350, 0.06, 50];
/** From which deviation on a rating is a rough guess, as sites for games have it. */
const ROUGH_DEVIATION = 110;
const MOST_KEPT = 100;
const GRAPH = { width: 240, height: 56, edge: 5 };
const SCORES = { won: 1, draw: 0.5, lost: 0 };

/** The rating of a level: its Elo; full strength is one level above the last. @param {string} level */
function ratingOf(level) {
  const levels = catalogue.engines.map(({ program }) => levelsOf(program)).find((names) => level in names) ?? {};
  const elos = Object.values(levels).filter((elo) => elo !== null).map(Number);
  return levels[level] ?? 2 * (elos.at(-1) ?? 0) - (elos.at(-2) ?? 0);
}

export const achievements = {
  /** The rating after the last game, and what that changed. @type {{ game: number, rating: number, change: number, isRough: boolean } | null} */
  gain: null,

  /** Counts a game that has just ended, unless the person was helped or saw everything. @param {GameState} state */
  count(state) {
    const [level, kind] = [levelOf(state), resultKind(state)];
    if (!level || !state.mine || !catalogue.isHost || kind === "over") return;
    const wins = kept("wins", {});
    if (kind === "won") keep("wins", { ...wins, [level]: (wins[level] ?? 0) + 1 });
    const streak = kind === "won" ? kept("streak", 0) + 1 : kind === "draw" ? kept("streak", 0) : 0;
    keep("streak", streak);
    if (streak > kept("bestStreak", 0)) keep("bestStreak", streak);
    const isMine = (/** @type {string} */ seat) => Boolean(seat) && state.mine.includes(seat);
    const marshals = state.uncovered?.removed.filter(({ may, seat, by }) => may === "a" && isMine(by) && !isMine(seat)) ?? [];
    if (marshals.length) keep("marshals", kept("marshals", 0) + marshals.length);
    const ratings = kept("ratings", {});
    const rating = ratingOf(level);
    /** @type {Rating} */
    const before = ratings[state.variant] ?? { rating, deviation: NEW_DEVIATION, volatility: NEW_VOLATILITY, history: [] };
    const after = rated(before, [{ rating, deviation: LEVEL_DEVIATION, score: SCORES[kind] }]);
    keep("ratings", { ...ratings, [state.variant]: { ...after, history: [...before.history, Math.round(after.rating)].slice(-MOST_KEPT) } });
    const [now, old] = [after, before].map((one) => Math.round(one.rating));
    this.gain = { game: state.game, rating: now, change: now - old, isRough: after.deviation > ROUGH_DEVIATION };
  },

  /** What a game changed, in words; empty if it did not count. @param {GameState} state */
  gainText({ game }) {
    if (this.gain?.game !== game) return "";
    const { rating, change, isRough } = this.gain;
    return t(isRough ? "you.gain.rough" : "you.gain", { rating, change: change < 0 ? `−${-change}` : `+${change}` });
  },

  /** The card of the first view. */
  draw() {
    const [wins, streak, marshals] = [kept("wins", {}), kept("streak", 0), kept("marshals", 0)];
    /** @type {[string, Rating][]} */
    const ratings = Object.entries(kept("ratings", {}));
    const best = Object.keys(wins).filter((level) => wins[level] && has(`level.${level}`)).sort((a, b) => ratingOf(a) - ratingOf(b)).at(-1);
    const facts = [
      ...(best ? [t("you.best", { level: t(`level.${best}`) })] : []),
      ...(streak > 1 ? [t("ladder.streak", { n: streak })] : []),
      ...(kept("bestStreak", 0) > streak ? [t("ladder.best", { n: kept("bestStreak", 0) })] : []),
      ...(marshals ? [t("you.marshals", { n: marshals })] : []),
      ...(kept("quiz", {}).solved ? [t("you.puzzles", { n: kept("quiz", {}).solved })] : []),
    ];
    $("you-card").hidden = !facts.length && !ratings.length;
    $("you-name").textContent = kept("name", "") || t("you.title");
    $("you-facts").textContent = clauses(...facts);
    $("you-ratings").replaceChildren(
      ...ratings.map(([variant, { rating, deviation, history }]) => {
        const words = [make("b", {}, String(Math.round(rating))), make("span", { class: "hint" }, t("you.rating", { variant: t(`home.name.${variant}`), n: Math.round(2 * deviation) }))];
        return make("li", {}, make("p", {}, ...words), graph(history));
      }),
    );
  },
};

/** The ratings after the last games as a line. @param {number[]} history */
function graph(history) {
  const { width, height, edge } = GRAPH;
  const [least, most] = [Math.min(...history), Math.max(...history)];
  const x = (/** @type {number} */ index) => edge + ((width - 2 * edge) * index) / Math.max(1, history.length - 1);
  const y = (/** @type {number} */ rating) => edge + ((height - 2 * edge) * (most - rating)) / Math.max(1, most - least);
  const line = history.map((rating, index) => `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(rating).toFixed(1)}`).join("");
  const end = make("svg:circle", { cx: x(history.length - 1), cy: y(history.at(-1) ?? 0), r: 4 });
  const label = t("you.graph", { n: history.length, least, most });
  return make("svg:svg", { class: "sparkline", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, make("svg:path", { d: line }), end);
}
