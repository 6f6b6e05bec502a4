// The end of a game, which is the head of its review: result and cause at once, what decided it, and what to do next.

import { PieceSample, SayingText } from "../board/saying.js";
import { chooseLevel, eloOf, General, levelBeside, levelOf } from "../game/levels.js";
import { hasCompany } from "../game/people.js";
import { startQuickly } from "../game/setup.js";
import { causeSaying } from "../game/status.js";
import { gainText } from "../shell/ratings.js";
import { socket } from "../socket.js";
import { change, state } from "../state.js";
import { capital, clauses, t } from "../texts.js";
import { html, useEffect, useState } from "../view.js";
import { povOf, resultKind, resultText, whoAll } from "../voice.js";
import { lossSaying } from "./loss.js";
import { decisiveMoments, momentSaying, NODES, ownMistakes, playedOn, summarySaying } from "./moments.js";
import { openOwn } from "./replay.js";
import { findBetter } from "./retry.js";
import { begunAt, isKnown, playFrom, reviewShown, showMoment, startReview } from "./review_card.js";
import { decisiveSecret, isHabit, knownSaying, storyTold, unknownAttacks } from "./truth.js";

/** @param {GameState} game */
const hasPartners = ({ seats }) => Object.keys(seats).length > 2;

/** The same game against engines of another level. @param {string} level */
async function changeLevel(level) {
  if (await socket.ask("rematch")) await chooseLevel(level);
}

/** Asks what was known before the moves of the moments. @param {Moment[]} moments */
async function askBefore(moments) {
  for (const { step } of moments) {
    if (state.review.before[step]) continue;
    const scene = await socket.ask("scene", { ply: step, viewer: "" });
    if (scene) change("review", { before: { ...state.review.before, [step]: scene } });
  }
}

/** @param {{ game: GameState, data: BoardData }} props */
export function EndCard({ game, data }) {
  useEffect(() => {
    openOwn().then(() => {
      if (state.catalogue.isHost && game.mine && game.moves?.length && !reviewShown().of) startReview(NODES.end, false);
    });
  }, [game.game]);
  const kind = resultKind(game);
  const [isSmall, fold] = useState(false);
  return html`<div id="end-card" class="card end-card ${isSmall ? "small" : ""}" data-result=${kind}>
    <button class="quiet fold" aria-label=${t("end.fold")} aria-expanded=${!isSmall} onClick=${() => fold(!isSmall)}>
      ${isSmall ? "▴" : "▾"}</button>
    <h2>${resultText(game.result ?? "", { ...povOf(game, data), surrendered: game.surrendered })}</h2>
    <p class="cause"><${SayingText} saying=${causeSaying(game, data, storyTold())} /></p>
    ${game.mine && !hasCompany(game) && html`<${General} level=${levelOf(game)} when="bye" />`}
    <p id="ladder" class="soft">${countedText(game)}</p>
    <${Onward} game=${game} kind=${kind} pov=${povOf(game, data)} />
    <${Decided} game=${game} data=${data} />
  </div>`;
}

/** The effect of the game on wins, run and rating. @param {GameState} game */
function countedText(game) {
  if (!game.mine) return "";
  if (hasCompany(game)) return t("end.friendly");
  if (game.practice || game.short) return t(game.practice ? "end.practice" : "end.short");
  const level = levelOf(game);
  const { wins, streak } = state.ladder;
  const counted = level && wins[level] ? [t("ladder.wins", { level: t(`level.${level}`), n: wins[level] })] : [];
  if (counted.length && streak > 1) counted.push(t("ladder.streak", { n: streak }));
  const gain = gainText(game);
  return capital(clauses(...counted, ...(gain ? [gain] : [])));
}

/** The seats of the persons. @param {GameState} game */
const personsOf = ({ seats }) => Object.keys(seats).filter((seat) => seats[seat].who !== "engine");

/** Who wants the same again, and who is awaited. @param {{ id: string, game: GameState, pov: Pov }} props */
export function RematchBy({ id, game, pov }) {
  const waiting = personsOf(game).filter((seat) => !game.rematch.includes(seat)).join("");
  const texts = { who: whoAll(game.rematch, pov), waiting: whoAll(waiting, pov) };
  return game.rematch && waiting && html`<p id=${id} role="status">${t("game.rematchBy", texts)}</p>`;
}

/**
 * Buttons for the next game, the same again or another level.
 * @param {{ game: GameState, kind: string, pov: Pov }} props
 */
function Onward({ game, kind, pov }) {
  const mayChange = game.mine && state.catalogue.isHost && !hasCompany(game);
  const [above, below] = [1, -1].map((step) => (mayChange ? levelBeside(game, step) : undefined));
  const isNext = kind === "won" && above;
  // Without a seat, the host may begin another game of the engines.
  const mayAsk = (game.mine || state.catalogue.isHost) && !state.table.isGone;
  const hasAsked = game.mine !== "" && game.rematch.includes(game.mine[0]);
  const asked = hasPartners(game) ? "game.rematchAsked.others" : "game.rematchAsked";
  const begins = kind === "lost" && !hasCompany(game) ? "end.again" : "game.rematch";
  const rematch = hasAsked ? asked : game.rematch ? "game.rematchAccept" : begins;
  const isWanted = mayAsk && game.rematch && !hasAsked;
  const mayTryFour = mayChange && kind === "won" && game.variant === "luzhanqi" && "siguo" in state.catalogue.tables;
  return html`<${RematchBy} id="rematch-by" game=${game} pov=${pov} />
  <div class="row even ${isWanted ? "wanted" : ""}">
    ${isNext && html`<button class="main" onClick=${() => changeLevel(above)}>
      ${t("end.nextLevel", { level: t(`level.${above}`) })}</button>`}
    ${mayAsk && html`<button id="rematch" class=${isNext ? "" : "main"} disabled=${hasAsked}
      onClick=${() => socket.ask("rematch")}>${t(rematch)}</button>`}
    ${kind === "lost" && below && html`<button onClick=${() => changeLevel(below)}>
      ${t("end.easier", { level: t(`level.${below}`) })}</button>`}
    ${mayTryFour && html`<button onClick=${() => startQuickly("siguo", "engine")}>${t("end.four")}</button>`}
  </div>`;
}

/** The review that is shown; while another one runs, the one before. */
function lastReview() {
  const now = reviewShown();
  return now.isRunning && now.replaced?.isWhole && now.replaced.of === now.of ? now.replaced : now;
}

/** The decisive moments that the review has found. @param {{ game: GameState, data: BoardData }} props */
function Decided({ game, data }) {
  const { before, found: whole, isWhole, isRunning } = lastReview();
  const found = whole && playedOn(whole, begunAt(game));
  const { story: seen, truth, record } = state.shown;
  const pov = { ...povOf(game, data), surrendered: game.surrendered };
  const { comparison } = state.shown;
  const story = storyTold();
  // All moves have a value before those around the largest falls get a better one.
  const isDone = isRunning ? found !== null && found.steps.length >= (record?.moves.length ?? 0) : isWhole;
  const moments = found && game.mine && (isDone || !isRunning) ? decisiveMoments(found, game, story) : [];
  const mistakes = isRunning || !game.mine ? [] : ownMistakes(found, game.mine).map(({ step }) => step);
  useEffect(() => void askBefore(moments), [whole]);
  const isLost = resultKind(game) === "lost";
  // Who draws or gives up decides by that.
  const isFought = game.result !== "draw" && !game.surrendered && !["resigned", "timeout"].includes(game.ending ?? "");
  const habit = isLost && unknownAttacks(seen, truth, game.mine);
  const secret = !isFought ? null : decisiveSecret(seen, truth, game.mine, isLost, moments);
  const reason = isLost && found && isDone && lossSaying(found, game, story, seen);
  const turned = secret && html`<${PieceSample} key=${secret.index} seat=${secret.enemy.seat}
    letter=${secret.enemy.letter} />`;
  const isSecret = (/** @type {Moment} */ { step }) => step === secret?.index;
  return html`<p id="end-progress" class=${reason ? "" : "soft"} role="status" aria-live=${isRunning ? "off" : null}>
      ${reason && reason.parts.length ? html`<${SayingText} saying=${reason} />` : progressText(game, moments)}</p>
    <ol hidden=${comparison !== null && !isKnown(comparison)}>
      ${found && moments.map((one) => html`<li key=${one.step}>
        <div class=${isSecret(one) ? "secret" : ""}>
          ${isSecret(one) && turned}
          <p>${isSecret(one) && html`<b>${t("secret.title")}</b>${" "}`}<${SayingText}
            saying=${momentSaying(one, found, story, pov, before[one.step], knownSaying(one.step, seen, truth))} /></p>
        </div>
        <div class="row">
          <button class="chip" data-ply=${one.step} onClick=${() => showMoment(one.step)}>${t("moment.show")}</button>
          ${state.catalogue.isHost && html`<button class="chip"
            onClick=${() => playFrom(one.step, [], eloOf(game))}>${t("review.play")}</button>`}
        </div>
      </li>`)}
    </ol>
    ${mistakes.length > 0 && html`<button id="find-better" onClick=${() => findBetter(mistakes[0])}>
      ${t("better.start", { n: mistakes.length })}</button>`}
    ${found && isWhole && !isRunning && game.mine && html`<p id="end-summary">
      <${SayingText} saying=${summarySaying(found, pov)} />
    </p>`}
    ${habit && isHabit(habit) && game.ending !== "no-moves" && html`<p id="end-habit">
      ${t("end.habit", habit)}</p>`}`;
}

/**
 * How far the review has come, or what it found if no moment decided.
 * @param {GameState} game
 * @param {Moment[]} moments
 */
export function progressText(game, moments) {
  const { found, isWhole, isRunning } = reviewShown();
  if (!game.mine) return "";
  if (isRunning) {
    const [known, count] = [found?.steps.length ?? 0, state.shown.record?.moves.length ?? 0];
    return known < count ? t("end.reviewing", { known, count }) : t("end.checking");
  }
  if (!found) return "";
  if (!isWhole) return t("review.part", { known: found.steps.length });
  return moments.length ? "" : t(hasPartners(game) ? "end.nothing.you" : "end.nothing");
}
