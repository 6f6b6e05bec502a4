// What the person has reached against the levels, as the board counts it: a rating with its graph, wins, runs, Marshals captured.

import { catalogue, levelsOf } from "./catalogue.js";
import { $, make } from "./dom.js";
import { kept } from "./storage.js";
import { clauses, has, t } from "./texts.js";

const GRAPH = { width: 240, height: 56, edge: 5 };

/** The rating of a level: its Elo; full strength is one level above the last. @param {string} level */
function ratingOf(level) {
  const levels = catalogue.engines.map(({ program }) => levelsOf(program)).find((names) => level in names) ?? {};
  const elos = Object.values(levels).filter((elo) => elo !== null).map(Number);
  return levels[level] ?? 2 * (elos.at(-1) ?? 0) - (elos.at(-2) ?? 0);
}

export const achievements = {
  /** What the board has counted. @type {Ladder} */
  ladder: { ratings: {}, wins: {}, streak: 0, bestStreak: 0, marshals: 0 },

  /** What a game changed, in words; empty if it did not count. @param {GameState} state */
  gainText({ gain }) {
    return gain ? t("you.gain", { rating: gain.rating, change: gain.change < 0 ? `−${-gain.change}` : `+${gain.change}` }) : "";
  },

  /** The card of the first view. */
  draw() {
    const { wins, streak, bestStreak, marshals } = this.ladder;
    const ratings = Object.entries(this.ladder.ratings);
    const best = Object.keys(wins).filter((level) => wins[level] && has(`level.${level}`)).sort((a, b) => ratingOf(a) - ratingOf(b)).at(-1);
    const facts = [
      ...(best ? [t("you.best", { level: t(`level.${best}`) })] : []),
      ...(streak > 1 ? [t("ladder.streak", { n: streak })] : []),
      ...(bestStreak > streak ? [t("ladder.best", { n: bestStreak })] : []),
      ...(marshals ? [t("you.marshals", { n: marshals })] : []),
      ...(kept("quiz", {}).solved ? [t("you.puzzles", { n: kept("quiz", {}).solved })] : []),
    ];
    $("you-card").hidden = !facts.length && !ratings.length;
    $("you-name").textContent = kept("name", "") || t("you.title");
    $("you-facts").textContent = clauses(...facts);
    $("you-ratings").replaceChildren(
      ...ratings.map(([variant, { rating, history }]) => {
        const words = [make("b", {}, String(Math.round(rating))), make("span", { class: "hint" }, t("you.rating", { variant: t(`home.name.${variant}`) }))];
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
