// The first view: play now, learn, play with friends; below, what was begun before.

import { catalogue } from "./catalogue.js";
import { daily } from "./daily_view.js";
import { $, make } from "./dom.js";
import { learn } from "./learn_view.js";
import { library } from "./library_view.js";
import { lineupEditor } from "./lineup_editor.js";
import { goTo } from "./navigation.js";
import { newGame, QUICK_CLOCKS } from "./new_game.js";
import { unfinished } from "./other_games.js";
import { play } from "./play_view.js";
import { keep, kept, saveSetting, setting } from "./storage.js";
import { clauses, t } from "./texts.js";

/** A clock in minutes and seconds. @param {string} value */
const clockName = (value) => value.replace(/^\d+/, (seconds) => String(Number(seconds) / 60));

/** @implements {View} */
class HomeView {
  id = "home";
  arrived = () => {};
  /** Kept when the first game has come: a click before that is carried out then. */
  isReady = /** @type {Promise<void>} */ (new Promise((done) => (this.arrived = done)));
  messages = { game: () => this.arrived() };

  begin() {
    $("home-play").onclick = () => this.playNow();
    $("home-four").onclick = () => this.begun("siguo", "engine");
    $("home-more").onclick = () => newGame.open(play.state?.phase === "playing");
    $("home-learn").onclick = () => goTo(learn.id);
    $("home-friend").onclick = () => this.begun("luzhanqi", "guest");
    $("home-friends").onclick = () => this.begun("siguo", "guest");
    $("home-last").onclick = () => library.replayLast();
    $("home-daily").onclick = () => goTo(daily.id);
    $("home-puzzles").onclick = () => goTo("puzzles");
    $("advanced").checked = setting("advanced", false);
    $("advanced").onchange = () => {
      saveSetting("advanced", $("advanced").checked);
      this.redraw();
    };
    this.redraw();
  }

  show() {
    this.redraw();
    if (catalogue.isHost) unfinished.ask();
  }

  connected() {
    this.show();
  }

  redraw() {
    document.body.classList.toggle("advanced", $("advanced").checked);
    $("home-level").textContent = t("home.level", { level: t(`level.${kept("level", "beginner")}`) });
    $("home-clocks").replaceChildren(
      ...QUICK_CLOCKS.map((value) => make("button", { class: "chip", "data-clock": value, "aria-pressed": String(kept("clock", "") === value), onclick: () => this.setClock(value) }, value ? clockName(value) : t("home.noClock"))),
    );
    this.drawLadder();
    daily.drawHome();
    unfinished.draw();
  }

  /** @param {string} value */
  setClock(value) {
    keep("clock", value);
    this.redraw();
    /** @type {HTMLElement | null} */ ($("home-clocks").querySelector("[aria-pressed=true]"))?.focus();
  }

  // The levels as rungs: the wins on each, and the one that is chosen. A click begins a game there.
  drawLadder() {
    const names = Object.keys(catalogue.engines.find((engine) => Object.keys(engine.levels).length)?.levels ?? {});
    const [wins, streak, level] = [kept("wins", {}), kept("streak", 0), kept("level", "beginner")];
    $("ladder-card").hidden = !names.length;
    $("ladder-streak").textContent = clauses(...(streak > 1 ? [t("ladder.streak", { n: streak })] : []), t("ladder.best", { n: Math.max(streak, kept("bestStreak", 0)) }));
    $("rungs").replaceChildren(
      ...names.map((name) =>
        make("li", {}, make("button", { class: wins[name] ? "rung won" : "rung", "aria-current": name === level ? "true" : null, onclick: () => this.climb(name) },
          make("b", {}, t(`level.${name}`)), make("span", { class: "hint" }, wins[name] ? t("ladder.count", { n: wins[name] }) : t("ladder.none")))),
      ),
    );
  }

  /** Begins a game at a level. @param {string} name */
  async climb(name) {
    keep("level", name);
    this.redraw();
    await this.begun("luzhanqi", "engine", true);
  }

  // A game against one engine, with the line-up that is ready.
  async playNow() {
    await this.isReady;
    const { state } = play;
    const hasLineup = !kept("clock", "") && state?.phase === "arranging" && state.variant === "luzhanqi" && state.mine.length === 1 && Object.values(state.seats).every(({ who }) => who !== "guest");
    if (state?.phase === "playing" && (state.may.resign || !state.mine)) return goTo(play.id);
    lineupEditor.startsAtOnce = true;
    if (hasLineup) lineupEditor.start();
    else await this.begun("luzhanqi", "engine");
    goTo(play.id);
  }

  /** @param {string} variant @param {"engine" | "guest"} others who has the other seats @param {boolean} [atOnce] with the line-up that is ready */
  async begun(variant, others, atOnce = false) {
    await this.isReady;
    if (!(await play.mayLeave())) return;
    lineupEditor.startsAtOnce ||= atOnce;
    if (await newGame.quick(variant, others)) goTo(play.id);
  }
}

export const home = new HomeView();
