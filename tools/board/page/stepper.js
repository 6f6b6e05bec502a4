// Repeats a step, at a pace that a person can follow.

export class Stepper {
  /** The current run; another object means another run. @type {object | null} */
  run = null;

  /** @param {() => void} onChange called whenever the stepper starts or halts */
  constructor(onChange) {
    this.onChange = onChange;
  }

  get isOn() {
    return this.run !== null;
  }

  /**
   * Repeats a step until it returns false or the stepper is halted.
   * @param {() => Promise<boolean>} step
   * @param {() => number} pauseMs the time between two steps, asked before each
   */
  start(step, pauseMs) {
    const run = (this.run = {});
    const next = async () => {
      if (this.run !== run) return;
      if (await step()) setTimeout(next, pauseMs());
      else if (this.run === run) this.halt();
    };
    setTimeout(next, 50);
    this.onChange();
  }

  halt() {
    this.run = null;
    this.onChange();
  }
}
