// What the page shows, in one place: a view changes its part with `set`, and the components draw it.

import { redraw } from "./view.js";

/** @type {PageState} */
export const state = {
  ladder: { ratings: {}, wins: {}, streak: 0, bestStreak: 0, marshals: 0 },
  analysis: { variant: "", position: null, moves: [], lines: [], outcomes: [], fault: null, isSearching: false },
  library: { games: [], kind: "all" },
  learn: { lessons: [], at: -1, tried: null },
  quiz: { known: [], today: "", question: null, told: null, may: "" },
};

/** Changes what the page shows, and draws it. @param {Partial<PageState>} changes */
export function set(changes) {
  Object.assign(state, changes);
  redraw();
}
