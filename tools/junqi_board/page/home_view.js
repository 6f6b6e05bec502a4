// The first view: play now, learn, play with friends; below, what was begun before.

import { achievements } from "./achievements.js";
import { catalogue } from "./catalogue.js";
import { $, child, reducedMotion } from "./dom.js";
import { boardOf, JunqiBoard } from "./junqi_board.js";
import { lineupEditor } from "./lineup_editor.js";
import { goTo } from "./navigation.js";
import { clockName, newGame } from "./new_game.js";
import { unfinished } from "./unfinished.js";
import { play } from "./play_view.js";
import { keep, kept } from "./storage.js";
import { dayText, learn, loadLessons, openPuzzleOfDay } from "./task.js";
import { t } from "./texts.js";

/** How long a position is seen before its battle, and after it; how soon a board is looked for again. */
const [BEFORE_MS, AFTER_MS, BOARD_MS] = [2000, 4500, 200];

/** @param {string} id @returns {HTMLElement[]} */
const buttonsIn = (id) => [...$(id).querySelectorAll("button")];

/** @implements {View} */
class HomeView {
  id = "home";
  arrived = () => {};
  /** Kept when the first game has come: a click before that is carried out then. */
  isReady = /** @type {Promise<void>} */ (new Promise((done) => (this.arrived = done)));
  messages = {
    game: () => {
      this.arrived();
      if (!$("home").hidden) this.redraw();
    },
  };
  board = new JunqiBoard($("home-board"), { onMove: () => {} });
  /** The battles of the lessons, which the board shows by turns. @type {Lesson[]} */
  battles = [];
  shown = 0;
  timer = 0;

  begin() {
    $("home-play").onclick = () => this.playNow();
    $("home-four").onclick = () => this.begun("siguo", "engine");
    $("home-more").onclick = async () => {
      await this.isReady;
      newGame.open();
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
    $("home-quiz").onclick = () => openPuzzleOfDay();
    $("home-puzzles").onclick = () => goTo("puzzles");
    this.redraw();
  }

  show() {
    this.redraw();
    if (catalogue.isHost) unfinished.ask();
    this.showBattle();
  }

  hide() {
    clearTimeout(this.timer);
  }

  // A battle of a lesson: the position, then the move, then the next one.
  async showBattle() {
    clearTimeout(this.timer);
    if (!this.battles.length) this.battles = (await loadLessons()).filter(({ good, after, variant }) => variant === "luzhanqi" && after[good[0]].last.defender);
    const data = boardOf("luzhanqi");
    if ($("home").hidden) return;
    if (!data) {
      this.timer = window.setTimeout(() => this.showBattle(), BOARD_MS);
      return;
    }
    const isAfter = this.drawBattle(data, !reducedMotion.matches);
    if (reducedMotion.matches) return;
    this.shown++;
    this.timer = window.setTimeout(() => this.showBattle(), isAfter ? AFTER_MS : BEFORE_MS);
  }

  /** Draws the position before or after a battle; which of them. @param {BoardData} data @param {boolean} isStep whether it is shown as it happens */
  drawBattle(data, isStep) {
    const lesson = this.battles[Math.floor(this.shown / 2) % this.battles.length];
    const isAfter = reducedMotion.matches || this.shown % 2 === 1;
    const { pieces, last } = isAfter ? lesson.after[lesson.good[0]] : { pieces: lesson.pieces, last: null };
    this.board.set(data, "S");
    this.board.show({ shapes: pieces.map((piece) => this.board.shape(piece)), last, isStep: isAfter && isStep, team: "S", isSilent: true });
    return isAfter;
  }

  // Whether a game is being played, which is continued.
  get isPlaying() {
    const { state } = play;
    return state?.phase === "playing" && (state.may.resign || !state.mine);
  }

  redraw() {
    $("home-play").dataset.text = this.isPlaying ? "home.continue" : "home.play.go";
    $("home-play").textContent = t($("home-play").dataset.text ?? "");
    const friends = catalogue.url || catalogue.lan ? "home.friends.lan" : "home.friends.about";
    $("home-friends-about").dataset.text = friends;
    $("home-friends-about").textContent = t(friends);
    for (const button of buttonsIn("home-clocks")) {
      button.textContent = clockName(String(button.dataset.clock));
      button.setAttribute("aria-pressed", String(kept("clock", "") === button.dataset.clock));
    }
    const data = boardOf("luzhanqi");
    if (data && this.battles.length) {
      this.board.happening.end();
      this.drawBattle(data, false);
    }
    this.drawLadder();
    achievements.draw();
    $("home-quiz-done").textContent = dayText();
    unfinished.draw();
  }

  // The levels as rungs: the wins on each, and the one that is chosen.
  drawLadder() {
    const names = Object.keys(catalogue.engines.find((engine) => Object.keys(engine.levels).length)?.levels ?? {});
    const [{ wins }, level] = [achievements.ladder, kept("level", "beginner")];
    $("ladder-card").hidden = catalogue.engines.length > 0 && !names.length;
    const goal = names.find((name) => !wins[name]) ?? "";
    $("home-level").textContent = goal || !names.length ? t("home.goal", { level: t(`level.${goal || level}`) }) : t("home.top");
    for (const button of buttonsIn("rungs")) {
      const name = String(button.dataset.level);
      button.classList.toggle("won", Boolean(wins[name]));
      button.toggleAttribute("aria-current", name === level);
      button.classList.toggle("goal", name === goal);
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
    if (this.isPlaying) return goTo(play.id);
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
