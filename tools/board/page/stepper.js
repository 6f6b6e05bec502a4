// Steps one after another, at a pace that a person can follow.

export class Stepper {
  // `changed` is called whenever it starts or halts.
  constructor(changed) {
    this.changed = changed;
    this.run = null;
  }

  get isOn() {
    return this.run !== null;
  }

  // Does `step`, with `pause` ms between two, until it answers that it was the last, or is halted.
  start(step, pause) {
    const run = (this.run = {});
    const next = async () => {
      if (this.run !== run) return;
      if (await step()) setTimeout(next, pause);
      else if (this.run === run) this.halt();
    };
    setTimeout(next, 50);
    this.changed();
  }

  halt() {
    this.run = null;
    this.changed();
  }
}
