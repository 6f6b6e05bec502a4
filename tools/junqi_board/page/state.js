// What the page shows, in one place: a view changes its part with `set`, and the components draw it.

import { setting } from "./storage.js";
import { redraw } from "./view.js";

/** @type {PageState} */
export const state = {
  view: "home",
  isMenuOpen: false,
  isPieceTableOpen: false,
  banner: () => "",
  question: null,
  boards: {},
  looks: { pieces: setting("pieces", ""), sound: setting("sound", true) },
  catalogue: { isHost: false, engines: [], tables: {}, limits: {}, positions: {}, lan: "", url: "", today: "", run: "" },
  kept: {},
  ladder: { ratings: {}, wins: {}, streak: 0, bestStreak: 0, marshals: 0 },
  analysis: { variant: "", position: null, moves: [], lines: [], outcomes: [], fault: null, isSearching: false },
  library: { games: [], kind: "all" },
  learn: { lessons: [], at: -1, tried: null },
  puzzle: { known: [], today: "", question: null, told: null, may: "" },
  teaser: { today: [], asked: null, shown: null, waits: "", told: null, solution: [], help: "" },
  starting: { is_ready: false, share: null, isDenied: false, isDue: false },
  table: { game: null, receivedAt: 0, isStep: false, isLastStroke: false, planned: null, invitations: [] },
  shown: { record: null, lines: [], index: 0, name: "", ofGame: 0, eyes: "", at: null, scene: null, story: [], moment: null },
  lineup: { letters: {}, seat: "", isSent: false, startsAtOnce: false, gallery: null },
  help: { isOn: false, belief: { ply: 0, points: {} }, advice: null, isSearching: false, pointed: null },
  review: { of: "", found: null, isWhole: false, isRunning: false, before: {} },
  notes: { letters: {}, menu: null, isOn: false },
  talk: { lines: [], isUnread: false, said: null },
  hint: null,
  side: "log",
  isSetupOpen: false,
};

/** Changes what the page shows, and draws it. @param {Partial<PageState>} changes */
export function set(changes) {
  Object.assign(state, changes);
  redraw();
}
