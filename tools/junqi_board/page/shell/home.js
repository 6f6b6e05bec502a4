// The first view: play now, learn, play with friends; below, what was begun before.

import { boardOf, loadLessons, sceneOf } from "../board/boards.js";
import { JunqiBoard } from "../board/junqi_board.js";
import { Board } from "../board/saying.js";
import { clockName, Face, generalName, LEVELS } from "../game/levels.js";
import { loadLibrary, Unfinished } from "../record/unfinished.js";
import { change, isPlaying, set, state } from "../state.js";
import { t } from "../texts.js";
import { html, useEffect, useState } from "../view.js";
import { reducedMotion } from "./dom.js";
import { goToView, loadView } from "./navigation.js";
import { You } from "./ratings.js";
import { factsOf, setSetting, setting } from "./store.js";

/** Time for which a position is shown before its battle, and after it. */
const [BEFORE_MS, AFTER_MS] = [2000, 4500];
const CLOCKS = ["", "60+1", "300+3", "600+5"];

const board = new JunqiBoard("home-board", { onMove: () => {} });

/** Does something when the first game has come. @param {() => unknown} action */
function whenReady(action) {
  if (state.table.game) action();
  else change("starting", { pending: action });
}

/** Does what waited for the first game, if that has come. */
export function doPending() {
  const { pending } = state.starting;
  if (!pending || !state.table.game) return;
  change("starting", { pending: null });
  pending();
}

/**
 * Begins a game, when one has come and the modules of the game are there.
 * @param {(start: typeof import("../game/start.js")) => unknown} begin
 */
const startWith = (begin) =>
  whenReady(async () => {
    if (await loadView("play")) begin(await import("../game/start.js"));
  });

async function openSetup() {
  if (await loadView("play")) set({ isSetupOpen: true });
}

async function openProblemOfDay() {
  if (await loadView("problem")) await (await import("../learn/problems.js")).openProblemOfDay();
}

/** @type {View} */
export const home = {
  id: "home",
  Component: Home,
  // After the view of the game has taken it.
  messages: { game: () => queueMicrotask(doPending) },

  show() {
    loadLibrary();
    loadLessons();
  },
};

/** The battles of the lessons in turn: first the position, then the effect of the move. */
function BattleDemo() {
  const [at, goOn] = useState(0);
  const battles = state.learn.lessons.filter(
    ({ good, after, variant }) => variant === "luzhanqi" && after[good[0]].last.defender,
  );
  const lesson = battles[Math.floor(at / 2) % battles.length];
  const data = boardOf("luzhanqi");
  const isStill = reducedMotion.matches;
  const isAfter = isStill || at % 2 === 1;
  const isRunning = !isStill && state.view === "home" && lesson && data;
  useEffect(() => {
    const timer = isRunning && setTimeout(() => goOn(at + 1), isAfter ? AFTER_MS : BEFORE_MS);
    return () => clearTimeout(timer || 0);
  }, [at, isRunning]);
  const { pieces, last } = (lesson && isAfter && lesson.after[lesson.good[0]]) || {
    pieces: lesson?.pieces,
    last: null,
  };
  const value = pieces && {
    scene: sceneOf("luzhanqi", pieces, { last }), key: lesson.name, at: Number(isAfter), bottom: "S", mine: "S",
    targets: {}, rings: [], arrows: [],
  };
  return html`<div class="stage" inert><${Board} board=${board} value=${value} /></div>`;
}

/** @param {{ title: string, about?: string, children?: Content }} props */
const HomeCard = ({ title, about, children }) =>
  html`<div class="card choice"><h2>${title}</h2>${about && html`<p>${about}</p>`}${children}</div>`;

function Home() {
  const begin = (/** @type {string} */ variant, /** @type {"engine" | "guest"} */ others) => () =>
    startWith((start) => start.beginGame(variant, others));
  // It is the host's page until the server says something else.
  const isHost = state.catalogue.isHost || !state.catalogue.today;
  return html`
    <${BattleDemo} />
    <div class="panel">
      ${isPlaying() && html`<${Running} />`}
      ${!isPlaying() && html`<${HomeCard} title=${t("home.play")} about=${t("home.play.about")}>
        <button id="home-play" class="main big" onClick=${() => startWith((start) => start.playNow())}>
          ${t("home.play.go")}</button>
        <div class="row clocks" role="group" aria-label=${t("home.clock")}>
          ${CLOCKS.map((clock) => html`<button class="chip" aria-pressed=${setting("clock", "") === clock}
            onClick=${() => setSetting("clock", clock)}>${clockName(clock)}</button>`)}
        </div>
        <div class="row even">
          <button onClick=${begin("siguo", "engine")}>${t("home.four")}</button>
          <button onClick=${() => whenReady(openSetup)}>${t("home.more")}</button>
        </div>
      <//>`}
      <${Rungs} />
      <${You} />
      <div class="pair">
        <${HomeCard} title=${t("home.learn")} about=${t("home.learn.about")}>
          <button class="big" onClick=${() => goToView("learn")}>${t("tab.learn")}</button>
        <//>
        ${isHost && html`<${HomeCard} title=${t("problem.today")}>
          <p class="soft">${dayText()}</p>
          <button class="big" onClick=${openProblemOfDay}>${t("problem.go")}</button>
        <//>`}
      </div>
      <${HomeCard} title=${t("home.friends")}
        about=${t(state.catalogue.lan ? "home.friends.lan" : "home.friends.about")}>
        <div class="row even">
          <button onClick=${begin("luzhanqi", "guest")}>${t("home.two")}</button>
          <button id="home-friends" onClick=${begin("siguo", "guest")}>${t("home.four")}</button>
        </div>
      <//>
      <${Unfinished} />
      <div class="row below"><button onClick=${() => goToView("teaser")}>${t("tab.teaser")}</button></div>
    </div>
  `;
}

function Running() {
  const { game } = state.table;
  return game && html`<${HomeCard} title=${t("home.running")}
    about=${t("home.running.about", { variant: t(`variant.${game.variant}`), n: game.moves?.length ?? 0 })}>
    <button id="home-play" class="main big" onClick=${() => startWith((start) => start.showTable())}>
      ${t("home.continue")}</button>
  <//>`;
}

/** The levels as rungs: the wins on each, the one that is chosen, and the next goal. */
function Rungs() {
  const { wins } = state.ladder;
  const names = Object.keys(state.catalogue.engines.find(({ levels }) => Object.keys(levels).length)?.levels ?? {});
  const chosen = setting("level", "beginner");
  const goal = names.find((name) => !wins[name]) ?? "";
  const isKnown = names.length > 0;
  return (isKnown || !state.catalogue.engines.length) && html`<${HomeCard} title=${t("ladder.title")}
    about=${goal || !isKnown ? t("home.goal", { level: t(`level.${goal || chosen}`) }) : t("home.top")}>
    <ol class="rungs">${LEVELS.map((level) => html`<li>
      <button class="rung ${wins[level] ? "won" : ""} ${level === goal ? "goal" : ""}" data-level=${level}
        aria-current=${level === chosen ? "true" : null} onClick=${() => startWith((start) => start.climb(level))}>
        <${Face} level=${level} /><b>${generalName(level)}</b><span>${t(`level.${level}`)}</span>
        <span class="soft">${t("ladder.count", { n: wins[level] ?? 0 })}</span>
      </button>
    </li>`)}</ol>
  <//>`;
}

/** Whether today's problem was solved, in words. */
function dayText() {
  const { [state.catalogue.today]: isSolved } = factsOf("day");
  return t(isSolved === undefined ? "problem.today.new" : isSolved ? "problem.today.solved" : "problem.today.tried");
}
