// The first view: play now, learn, play with friends; below, what was begun before.

import { catalogue } from "./catalogue.js";
import { $ } from "./dom.js";
import { learn } from "./learn_view.js";
import { library } from "./library_view.js";
import { lineupEditor } from "./lineup_editor.js";
import { goTo } from "./navigation.js";
import { newGame } from "./new_game.js";
import { play } from "./play_view.js";
import { kept, saveSetting, setting } from "./storage.js";
import { t } from "./texts.js";
import { unfinished } from "./unfinished.js";

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
    unfinished.draw();
  }

  // A game against one engine, with the line-up that is ready.
  async playNow() {
    await this.isReady;
    const { state } = play;
    const hasLineup = state?.phase === "arranging" && state.variant === "luzhanqi" && state.mine.length === 1 && Object.values(state.seats).every(({ who }) => who !== "guest");
    if (state?.phase === "playing" && (state.may.resign || !state.mine)) return goTo(play.id);
    lineupEditor.startsAtOnce = true;
    if (hasLineup) lineupEditor.start();
    else await this.begun("luzhanqi", "engine");
    goTo(play.id);
  }

  /** @param {string} variant @param {"engine" | "guest"} others who has the other seats */
  async begun(variant, others) {
    await this.isReady;
    if ((await play.mayLeave()) && (await newGame.quick(variant, others))) goTo(play.id);
  }
}

export const home = new HomeView();
