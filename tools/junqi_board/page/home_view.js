// The first view: play now, learn, play with friends; below, what was begun before.

import { catalogue } from "./catalogue.js";
import { daily } from "./daily_view.js";
import { $, child } from "./dom.js";
import { learn } from "./learn_view.js";
import { lineupEditor } from "./lineup_editor.js";
import { goTo } from "./navigation.js";
import { newGame } from "./new_game.js";
import { unfinished } from "./other_games.js";
import { play } from "./play_view.js";
import { keep, kept, saveSetting, setting } from "./storage.js";
import { clauses, t } from "./texts.js";

/** @param {string} id @returns {HTMLElement[]} */
const buttonsIn = (id) => [...$(id).querySelectorAll("button")];

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
    $("home-more").onclick = async () => {
      await this.isReady;
      newGame.open(play.state?.phase === "playing");
    };
    $("home-learn").onclick = () => goTo(learn.id);
    $("home-friend").onclick = () => this.begun("luzhanqi", "guest");
    $("home-friends").onclick = () => this.begun("siguo", "guest");
    for (const button of buttonsIn("rungs")) button.onclick = () => this.climb(String(button.dataset.level));
    for (const button of buttonsIn("home-clocks"))
      button.onclick = () => {
        keep("clock", button.dataset.clock);
        this.redraw();
      };
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

  redraw() {
    document.body.classList.toggle("advanced", $("advanced").checked);
    $("home-level").textContent = t("home.level", { level: t(`level.${kept("level", "beginner")}`) });
    const friends = catalogue.url || catalogue.lan ? "home.friends.lan" : "home.friends.about";
    $("home-friends-about").dataset.text = friends;
    $("home-friends-about").textContent = t(friends);
    for (const button of buttonsIn("home-clocks")) button.setAttribute("aria-pressed", String(kept("clock", "") === button.dataset.clock));
    this.drawLadder();
    daily.drawHome();
    unfinished.draw();
  }

  // The levels as rungs: the wins on each, and the one that is chosen.
  drawLadder() {
    const names = Object.keys(catalogue.engines.find((engine) => Object.keys(engine.levels).length)?.levels ?? {});
    const [wins, streak, level] = [kept("wins", {}), kept("streak", 0), kept("level", "beginner")];
    $("ladder-card").hidden = catalogue.engines.length > 0 && !names.length;
    const best = Math.max(streak, kept("bestStreak", 0));
    $("ladder-streak").textContent = best ? clauses(...(streak > 1 ? [t("ladder.streak", { n: streak })] : []), t("ladder.best", { n: best })) : t("ladder.begin");
    for (const button of buttonsIn("rungs")) {
      const name = String(button.dataset.level);
      button.classList.toggle("won", Boolean(wins[name]));
      button.toggleAttribute("aria-current", name === level);
      child(button, "span").textContent = t("ladder.count", { n: wins[name] ?? 0 });
    }
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
