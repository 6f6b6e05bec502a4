// The states of a game as they come: the next one waits while a battle is on display.

import { reducedMotion } from "../shell/dom.js";

/** Time for which a battle is shown, unless the person continues. */
const HOLD_MS = 2000;

export class Arrivals {
  /** @type {{ state: GameState, at: number }[]} */
  waiting = [];
  game = "";
  timer = 0;

  /**
   * @param {(state: GameState, at: number) => void} show is given a state, and when it arrived
   * @param {(state: GameState) => boolean} isBattle whether the state that was just shown is one to look at
   */
  constructor(show, isBattle) {
    this.show = show;
    this.isBattle = isBattle;
  }

  /** @param {GameState} state */
  come(state) {
    const arrival = { state, at: performance.now() };
    const mustWait = this.timer && state.game === this.game;
    this.waiting = mustWait ? [...this.waiting, arrival] : [arrival];
    if (!mustWait) this.goOn();
  }

  // Shows what has come since, up to the next battle.
  goOn() {
    clearTimeout(this.timer);
    this.timer = 0;
    while (this.waiting.length && !this.timer) {
      const { state, at } = /** @type {{ state: GameState, at: number }} */ (this.waiting.shift());
      this.game = state.game;
      this.show(state, at);
      if (this.isBattle(state) && !reducedMotion.matches) this.timer = window.setTimeout(() => this.goOn(), HOLD_MS);
    }
  }
}
