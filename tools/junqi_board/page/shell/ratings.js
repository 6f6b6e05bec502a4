// The person's results against the levels, as the board counts them: rating, wins, runs, Marshals captured.

import { LEVELS } from "../game/levels.js";
import { state } from "../state.js";
import { clauses, t } from "../texts.js";
import { html } from "../view.js";
import { problemResults, setting } from "./store.js";

/** A rating is shown after so many games, or problems. */
export const FIRST_SHOWN = 5;

/** The number of games of a rating that is not shown yet; empty for a shown one. @param {string} variant */
function fewText(variant) {
  const n = state.ladder.ratings[variant]?.history.length ?? 0;
  return n < FIRST_SHOWN ? t("you.few", { variant: t(`variant.${variant}`), n, of: FIRST_SHOWN }) : "";
}

/** @param {number} change */
const signed = (change) => (change < 0 ? `−${-change}` : `+${change}`);

/** The change of the rating by a game, in words; empty if the game did not count. @param {GameState} game */
export function gainText({ rating_change: gain, variant }) {
  if (!gain) return "";
  return (
    fewText(variant) ||
    t("you.gain", { rating: gain.rating, change: signed(gain.change) })
  );
}

/** Number of counted games that are listed. */
const MOST_LISTED = 10;

/**
 * The ratings after the last games, as a line from left to right.
 * @param {{ history: number[], label: string }} props
 */
function RatingGraph({ history, label }) {
  const [low, high] = [Math.min(...history), Math.max(...history)];
  const points = history.map((rating, index) => {
    const height = high > low ? (rating - low) / (high - low) : 0.5;
    return `${(100 * index) / (history.length - 1)},${28 - 26 * height}`;
  });
  return html`<figure class="rating-graph"><svg viewBox="0 0 100 30" preserveAspectRatio="none" role="img"
    aria-label=${label}><polyline points=${points.join(" ")} /></svg><figcaption class="soft">
    ${label}</figcaption></figure>`;
}

/** The graph of each rating, and the games that were counted last. */
function Counted() {
  const { ratings, games } = state.ladder;
  const shown = Object.entries(ratings).filter(([variant, { history }]) => !fewText(variant) && history.length > 1);
  const graphs = shown.map(([variant, { history }]) => {
    const ends = { variant: t(`variant.${variant}`), low: Math.min(...history), high: Math.max(...history) };
    return html`<${RatingGraph} history=${history} label=${t("you.graph", ends)} />`;
  });
  const line = (/** @type {CountedGame} */ { day, variant, level, score, change }) => {
    const opponent = t(level ? `level.${level}` : "plate.enemy");
    const texts = { day, variant: t(`variant.${variant}`), level: opponent, change: signed(change) };
    return html`<li>${t(score === 1 ? "you.game.won" : score ? "you.game.drawn" : "you.game.lost", texts)}</li>`;
  };
  return games.length > 0 && html`<details id="you-games">
    <summary>${t("you.games")}</summary>
    ${graphs}
    <ul class="slots">${games.slice(-MOST_LISTED).reverse().map(line)}</ul>
  </details>`;
}

/** The card of the first view; none before there is something to tell. */
export function You() {
  const { ratings, wins, streak, bestStreak, marshals } = state.ladder;
  const best = LEVELS.filter((level) => wins[level]).at(-1);
  const { rating: ofProblems, tried } = state.problemRating;
  const solved = problemResults().filter((result) => result === true).length;
  const facts = [
    best && t("you.best", { level: t(`level.${best}`) }),
    streak > 1 && t("ladder.streak", { n: streak }),
    bestStreak > streak && t("ladder.best", { n: bestStreak }),
    marshals && t("you.marshals", { n: marshals }),
    solved && t("you.problems", { n: solved }),
  ].flatMap((fact) => fact || []);
  const rated = Object.entries(ratings);
  return (facts.length > 0 || rated.length > 0) && html`<div id="you-card" class="card choice">
    <h2><bdi>${setting("name", "") || t("you.title")}</bdi></h2>
    <ul id="you-ratings" class="ratings">
      ${rated.map(([variant, { rating }]) => html`<li>
        ${!fewText(variant) && html`<b>${Math.round(rating)}</b>`}
        <span class="soft">${fewText(variant) || t("you.rating", { variant: t(`variant.${variant}`) })}</span>
      </li>`)}
      ${tried >= FIRST_SHOWN && html`<li>
        <b>${Math.round(ofProblems)}</b>
        <span class="soft">${t("you.rating", { variant: t("tab.problem") })}</span>
      </li>`}
    </ul>
    <p>${clauses(...facts)}</p>
    <${Counted} />
  </div>`;
}
