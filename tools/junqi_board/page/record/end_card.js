// The end of a game, which is the head of its review: result and cause at once, what decided it, and what to do next.

import { download } from "../shell/dom.js";
import { isMove, pointsOf } from "../board/junqi_board.js";
import { chooseLevel, levelBeside, levelOf } from "../game/levels.js";
import { causeSaying } from "../game/status.js";
import { SayingText } from "../board/saying.js";
import { socket } from "../socket.js";
import { change, state } from "../state.js";
import { capital, clauses, percent, t } from "../texts.js";
import { html, useEffect, useState } from "../view.js";
import { adviceSaying, mayText, moveSaying, resultKind, resultText, say, seatText, together, who } from "../voice.js";
import { gainText } from "../shell/ratings.js";
import { findBetter, ownMistakes } from "./retry.js";
import { openOwn } from "./replay.js";
import { isKnown, isLoss, LEAST_LOSS, luckSize, MIN_LUCK, playFrom, reviewShown, showMoment, startReview } from "./review_card.js";
import { openSetup, startQuickly } from "../game/setup.js";

/** The positions that are searched for each move: some seconds for a whole game. */
const NODES = 10_000;
const MOST_MOMENTS = 3;

/** @param {GameState} game */
const hasPartners = ({ seats }) => Object.keys(seats).length > 2;

async function saveGame() {
  const answer = await socket.ask("record");
  const name = `${state.table.game?.variant ?? "junqi"}-${new Date().toISOString().slice(0, 16).replace(/[:T]/g, "")}.jsonl`;
  if (answer) download(new Blob([`${answer.line}\n`], { type: "application/x-ndjson" }), name);
}

/** The same game against engines of another level. @param {string} level */
async function changeLevel(level) {
  if (await socket.ask("rematch")) await chooseLevel(level);
}

/**
 * What decided for the person: its own mistakes after a loss, those of the enemy after a win; brilliant moves, and much
 * luck.
 * @param {any} found
 * @param {GameState} game
 * @param {LastMove[]} story
 * @returns {any[]}
 */
export function decisive(found, game, story) {
  const isMine = (/** @type {string} */ player) => [...player].some((seat) => game.mine.includes(seat));
  const isLost = resultKind(game) === "lost";
  const isOwn = (/** @type {{ seat: string }} */ { seat }) => game.mine.includes(seat);
  // Whoever is out has no part in what follows; among four, what the others did to each other is not told either.
  const last = found.steps.findLastIndex(isOwn) + Object.keys(game.seats).length;
  const isInvolved = (/** @type {number} */ step) => [story[step]?.attacker, story[step]?.defender].some((piece) => piece && game.mine.includes(piece.seat));
  const isTold = (/** @type {any} */ { kind, size, player, step }) => {
    if (!found.steps[step]) return false;
    const isOfMine = isOwn(found.steps[step]);
    if (step > last || (hasPartners(game) && !isOfMine && !isInvolved(step))) return false;
    if (kind === "luck") return size >= MIN_LUCK && isMine(player) !== isLost;
    if (kind === "brilliant") return isOfMine;
    return isLoss({ kind }) && size >= LEAST_LOSS && found.steps[step].best && (isLost ? isOfMine : !isMine(player));
  };
  const all = found.moments.filter(isTold).sort((/** @type {any} */ a, /** @type {any} */ b) => b.size - a.size);
  return all.slice(0, MOST_MOMENTS).sort((/** @type {any} */ a, /** @type {any} */ b) => a.step - b.step);
}

/** Skill and luck, in one sentence each. @param {any} found @param {GameState} game @param {BoardData} data */
export function summary({ players }, game, data) {
  const pov = { mine: game.mine, seats: data.seats };
  const mine = players.find((/** @type {any} */ { player }) => player.includes(game.mine[0]));
  const other = players.find((/** @type {any} */ { team }) => team !== mine?.team);
  if (!mine || !other || mine.accuracy === null || other.accuracy === null) return [];
  const luck = mine.luck - other.luck;
  const key = luck > 0 && luckSize(luck) !== "even" && resultKind(game) === "lost" ? "unused" : luckSize(luck);
  const lucky = who(luck > 0 ? game.mine[0] : other.player[0], pov);
  return [say("end.skill", { own: mine.accuracy.toFixed(0), who: who(other.player[0], pov), other: other.accuracy.toFixed(0) }), say(`end.luck.${key}`, { who: lucky })];
}

/**
 * A moment in words: what happened, what it meant, what was known, and what was better.
 * @param {any} moment
 * @param {GameState} game
 * @param {BoardData} data
 */
function momentSaying({ step, kind, size, player }, game, data) {
  const entry = state.shown.story[step];
  const pov = { mine: game.mine, seats: data.seats };
  const { seat, best } = reviewShown().found.steps[step];
  const happened = moveSaying(entry, data, game.mine);
  const scene = reviewShown().before[step];
  if (kind === "brilliant") return together(happened, t("moment.brilliant"));
  if (kind === "luck") return together(happened, seatText("moment.luck", player[0], pov, { gain: percent(size) }));
  const known = mayText(scene?.proven?.[entry.to] ?? "");
  const [from, to] = pointsOf(best ?? "", data);
  return together(
    happened,
    say(game.mine.includes(seat) ? "moment.cost.you" : "moment.cost", { who: who(seat, pov), loss: percent(size) }),
    known ? say("moment.known", { may: known }) : "",
    scene && to !== undefined && !isMove(entry.text, best) ? adviceSaying("moment", from, to, scene.pieces, pov) : "",
  );
}

/** Asks what was known before the moves of the moments. @param {any[]} moments */
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
      if (state.catalogue.isHost && game.mine && game.moves?.length && !reviewShown().of) startReview(NODES, false);
    });
  }, [game.game]);
  const kind = resultKind(game);
  const [isSmall, fold] = useState(false);
  return html`<div id="end-card" class="card end-card ${isSmall ? "small" : ""}" data-result=${kind}>
    <button class="quiet fold" aria-label=${t("end.fold")} aria-expanded=${!isSmall} onClick=${() => fold(!isSmall)}>${isSmall ? "▴" : "▾"}</button>
    <h2>${resultText(game.result ?? "", { mine: game.mine, seats: data.seats, surrendered: game.surrendered })}</h2>
    <p class="cause"><${SayingText} saying=${causeSaying(game, data, state.shown.story)} /></p>
    <p id="ladder" class="soft">${countedText(game)}</p>
    <${Onward} game=${game} kind=${kind} />
    <${Decided} game=${game} data=${data} />
    <div class="row">
      ${state.catalogue.isHost && html`<button class="quiet" onClick=${openSetup}>${t("game.new")}</button>`}
      <button id="save-game" class="quiet" onClick=${saveGame}>${t("save")}</button>
    </div>
  </div>`;
}

/** What the game changed of the wins, the run and the rating. @param {GameState} game */
function countedText(game) {
  if (!game.mine) return "";
  if (game.practice || game.short) return t(game.practice ? "end.practice" : "end.short");
  const level = levelOf(game);
  const { wins, streak } = state.ladder;
  const counted = level && wins[level] ? [t("ladder.wins", { level: t(`level.${level}`), n: wins[level] })] : [];
  if (counted.length && streak > 1) counted.push(t("ladder.streak", { n: streak }));
  const gain = gainText(game);
  return capital(clauses(...counted, ...(gain ? [gain] : [])));
}

/** What to do next: the same again, or another level. @param {{ game: GameState, kind: string }} props */
function Onward({ game, kind }) {
  const mayChange = game.mine && state.catalogue.isHost;
  const [above, below] = [1, -1].map((step) => (mayChange ? levelBeside(game, step) : undefined));
  const isNext = kind === "won" && above;
  // Without a seat, the host may begin another game of the engines.
  const mayAsk = Boolean(game.mine) || state.catalogue.isHost;
  const hasAsked = game.mine !== "" && game.rematch.includes(game.mine[0]);
  const rematch = hasAsked ? "game.rematchAsked" : game.rematch ? "game.rematchAccept" : kind === "lost" ? "end.again" : "game.rematch";
  const mayTryFour = mayChange && kind === "won" && game.variant === "luzhanqi" && "siguo" in state.catalogue.tables;
  return html`<div class="row even">
    ${isNext && html`<button class="main" onClick=${() => changeLevel(above)}>${t("end.nextLevel", { level: t(`level.${above}`) })}</button>`}
    ${mayAsk && html`<button id="rematch" class=${isNext ? "" : "main"} disabled=${hasAsked} onClick=${() => socket.ask("rematch")}>${t(rematch)}</button>`}
    ${kind === "lost" && below && html`<button onClick=${() => changeLevel(below)}>${t("end.easier", { level: t(`level.${below}`) })}</button>`}
    ${mayTryFour && html`<button onClick=${() => startQuickly("siguo", "engine")}>${t("end.four")}</button>`}
  </div>`;
}

/** What decided the game, as the review has found it. @param {{ game: GameState, data: BoardData }} props */
function Decided({ game, data }) {
  const { of, found, isWhole, isRunning } = reviewShown();
  const { story, comparison } = state.shown;
  const moments = found && game.mine ? decisive(found, game, story).filter(({ step }) => story[step]) : [];
  const mistakes = isRunning || !game.mine ? [] : ownMistakes(game.mine);
  useEffect(() => void askBefore(moments), [found]);
  return html`<p id="end-progress" class="soft" role="status">${progressText(game, moments)}</p>
    <ol hidden=${comparison !== null && !isKnown(comparison)}>
      ${of && moments.map((one) => html`<li key=${one.step}>
        <p><${SayingText} saying=${momentSaying(one, game, data)} /></p>
        <div class="row">
          <button class="chip" data-ply=${one.step} onClick=${() => showMoment(one.step)}>${t("moment.show")}</button>
          <button class="chip" onClick=${() => playFrom(one.step)}>${t("review.play")}</button>
        </div>
      </li>`)}
    </ol>
    ${mistakes.length > 0 && html`<button id="find-better" onClick=${() => findBetter(mistakes[0])}>${t("better.start", { n: mistakes.length })}</button>`}
    ${found && isWhole && !isRunning && game.mine && html`<p id="end-summary">
      ${summary(found, game, data).flatMap((saying) => [html`<${SayingText} saying=${saying} />`, " "])}
    </p>`}`;
}

/**
 * How far the review has come, or what it found if no moment decided.
 * @param {GameState} game
 * @param {any[]} moments
 */
export function progressText(game, moments) {
  const { found, isWhole, isRunning } = reviewShown();
  if (!game.mine) return "";
  if (isRunning) return t("end.reviewing");
  if (!found) return "";
  if (!isWhole) return t("review.part", { known: found.steps.length });
  return moments.length ? "" : t(hasPartners(game) ? "end.nothing.you" : "end.nothing");
}
