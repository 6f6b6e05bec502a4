// The state of the page, in one place: a view changes its part with `set`, and the components draw it.

import { setting } from "./shell/storage.js";
import { redraw } from "./view.js";

/** The state of the page, each part with its initial value. */
export const state = {
  /** All views, the id of the one that is shown, and whether a person has chosen it. */
  views: /** @type {readonly View[]} */ ([]),
  view: "home",
  isViewChosen: false,
  isMenuOpen: false,
  isPieceTableOpen: false,
  isSetupOpen: false,
  /**
   * What the banner says, in the language of the page, empty for no banner; whether it disappears by itself or is a
   * refusal.
   */
  notice: { text: () => "", isLasting: false, isRefusal: false },
  /** The next announcement of the screen reader. */
  announced: "",
  /** The points of the sentence that the pointer or the focus is on. */
  pointed: /** @type {number[]} */ ([]),
  /** The question to the person, and the label of the button that agrees. */
  question: /** @type {{ text: string, action: string, done: (isAgreed: boolean) => void } | null} */ (null),
  /**
   * What was chosen to be on pieces, `characters` or `names`, empty for what suits the language; and whether sounds are
   * heard.
   */
  looks: {
    pieces: setting("pieces", ""),
    sound: setting("sound", true),
    language: /** @type {"en" | "zh"} */ (setting("language", navigator.language.startsWith("zh") ? "zh" : "en")),
  },
  /** Stored values: settings by name, and facts by kind and id; null before the server has sent them. */
  store: {
    settings: /** @type {Record<string, any>} */ ({}),
    facts: /** @type {Record<string, Record<string, any>> | null} */ (null),
  },
  boards: /** @type {Record<string, BoardData>} */ ({}),
  /** The last choices in the form of a new game; the clock as seconds and increment. */
  setup: {
    variant: "luzhanqi",
    visibility: "dark",
    time_out: "loses",
    clock: "",
    seats: /** @type {Record<string, string>} */ ({}),
  },
  /** The counts of the board. */
  ladder: /** @type {Ladder} */ ({ ratings: {}, wins: {}, streak: 0, bestStreak: 0, marshals: 0, games: [] }),
  problemRating: /** @type {ProblemRating} */ ({ rating: 0, tried: 0, row: 0, best: 0 }),

  catalogue: {
    isHost: false,
    engines: /** @type {EngineChoice[]} */ ([]),
    /** The seats of each Junqi variant. */
    tables: /** @type {Record<string, string>} */ ({}),
    /** The rule on moves without a battle of each Junqi variant. */
    limits: /** @type {Record<string, { no_contact: number, loses: boolean }>} */ ({}),
    positions: /** @type {Record<string, Teaser[]>} */ ({}),
    /** The address of this machine in the local network, if other devices are let in. */
    lan: "",
    /** The day of the server, which chooses the problem of the day; empty before the server has said anything. */
    today: "",
  },

  /** Progress of the server before the first game. */
  starting: {
    is_ready: false,
    /** Share of the kernels that are compiled; null if none are being compiled. */
    share: /** @type {number | null} */ (null),
    /** The address is not valid: nothing will start. */
    isDenied: false,
    /** It takes long enough to say so. */
    isDue: false,
    /** A click before the first game has come is carried out then. */
    pending: /** @type {(() => unknown) | null} */ (null),
  },

  /** The game at the table. */
  table: {
    game: /** @type {GameState | null} */ (null),
    /** When the state arrived, on the page's own clock. */
    receivedAt: 0,
    /** Whether it is one move after that before. */
    isStep: false,
    /** The game has just ended and its final move is on display. */
    isLastStroke: false,
    /** The board has turned to another game, which this page may not see. */
    isGone: false,
    /** A move that waits for the person's turn; `there` is the piece on its target. */
    premove: /** @type {{ text: string, piece: string, from: number, to: number, there: number | null } | null} */ (
      null
    ),
    /** The invitations of a game, which may be shown a moment later. */
    invitations: { game: "", list: /** @type {{ seats: string, token: string }[]} */ ([]) },
  },

  /** The position that is shown. */
  shown: {
    /** The record, which the server has open; null for the game at the table while it goes on. */
    record: /** @type {OpenRecord | null} */ (null),
    /** The records of the open file, and which of them it is. */
    lines: /** @type {string[]} */ ([]),
    index: 0,
    /** The saved game, as an address names it; empty for other records. */
    name: "",
    /** The id of the game at the table, if it is the record of that; empty otherwise. */
    ofGame: "",
    /** The viewer of a record: a seat, a team, or `*`. */
    viewer: "",
    /** After how many moves; null for the present of the game at the table. */
    at: /** @type {number | null} */ (null),
    scene: /** @type {Scene | null} */ (null),
    story: /** @type {LastMove[]} */ ([]),
    /** The same with all pieces known, of a record. */
    truth: /** @type {LastMove[]} */ ([]),
    /** The true letters of a record's pieces by their ids, once they are known. */
    letters: /** @type {Record<string, string>} */ ({}),
    comparison: /** @type {Comparison | null} */ (null),
    /** The id of the variation from there that is shown, 0 for none, and after how many of its moves. */
    variation: 0,
    step: 0,
    /** The requested place, until it is shown. */
    awaited: /** @type {Spot | null} */ (null),
  },

  /** The line-ups of the person's seats before a game. */
  lineup: {
    /** The game of the edits, and the line-ups as the person has edited them. */
    game: "",
    letters: /** @type {Record<string, string>} */ ({}),
    /** The seat that a line-up is taken for; empty for the first one. */
    seat: "",
    /** The game for which they were sent. */
    sent: "",
    /** The next game begins with the line-up that is ready. */
    startsAtOnce: false,
    /** By style; null until it was asked for. */
    gallery: /** @type {Record<string, string> | null} */ (null),
  },

  help: {
    isOn: false,
    /** After how many moves a tip was closed; -1 for none. */
    tipClosedAt: -1,
    /** By point, the chances of the piece there, after `ply` entries of the record. */
    belief: { ply: 0, points: /** @type {Record<string, Chances>} */ ({}) },
    advice: /** @type {Advice | null} */ (null),
    isSearching: false,
    /** The piece under the pointer. */
    pointed: /** @type {Shape | null} */ (null),
  },

  review: {
    /** The line of the record. */
    of: "",
    /** The number of the request. */
    number: 0,
    /** The review before, which goes on if this one is refused. */
    replaced: /** @type {any} */ (null),
    found: /** @type {Review | null} */ (null),
    isWhole: false,
    isRunning: false,
    /** The position before each of its moments, as it was known then. */
    before: /** @type {Record<number, Scene>} */ ({}),
  },

  /** The person's marks by piece, and the menu of a piece. */
  marks: {
    letters: /** @type {Record<string, string>} */ ({}),
    menu: /** @type {{ piece: string, point: number, x: number, y: number, letters: string } | null} */ (null),
    /** Whether a click opens it. */
    isOn: false,
  },
  chat: {
    lines: /** @type {ChatLine[]} */ ([]),
    /** Number of lines so far, including those that the server has dropped; -1 before it has sent any. */
    count: -1,
    /** The game in which the person was named to the others. */
    named: "",
    isUnread: false,
    /** The last line for some seconds, for the plate of its seat. */
    said: /** @type {ChatLine | null} */ (null),
    /** A point that the partner shows, for some seconds. */
    ping: /** @type {Ping | null} */ (null),
  },
  /** Which card a narrow screen shows beside the board: `log`, `chat` or `help`. */
  side: "log",

  /** The lessons: which one is shown, -1 before the first, and the move that was tried last. */
  learn: { lessons: /** @type {Lesson[]} */ ([]), at: -1, tried: /** @type {string | null} */ (null) },

  problem: {
    known: /** @type {KnownProblem[]} */ ([]),
    today: "",
    /** The problems that this page has shown. */
    seen: /** @type {string[]} */ ([]),
    statement: /** @type {ProblemStatement | null} */ (null),
    /** The server's verdict on the answer. */
    verdict: /** @type {ProblemVerdict | null} */ (null),
    /** The answer that was given last. */
    given: "",
    /** Whether the right answer has been played. */
    isPlayed: false,
    /** The answer under a finger, which the next touch gives. */
    looked: "",
    /** The kinds of the piece that was pointed at. */
    may: "",
  },

  teaser: {
    today: /** @type {Teaser[]} */ ([]),
    /** All by kind: blocks, cars, tours and so on. */
    all: /** @type {Record<string, Teaser[]>} */ ({}),
    /** The last request, and the last answer; none while another kind is set up. */
    asked: /** @type {TeaserPlace | null} */ (null),
    position: /** @type {TeaserPosition | null} */ (null),
    /** The engine's current task. */
    waits: /** @type {"" | "setting" | "working"} */ (""),
    reply: /** @type {SolverReply | TeaserFault | null} */ (null),
    /** The moves of the solution that remain. */
    solution: /** @type {string[]} */ ([]),
    /** The help that was used, which costs the stars. */
    help: /** @type {"" | "hint" | "seen" | "solution"} */ (""),
  },

  study: {
    variations: /** @type {Variation[]} */ ([]),
    /** Whether the engine searches what is shown, and what it has found. */
    isOn: false,
    found: /** @type {StudyLines} */ ({ fen: "", lines: [] }),
    /** The possible outcomes of the move tried on the position `fen`. */
    outcomes: /** @type {string[]} */ ([]),
    fen: "",
    error: /** @type {RequestError | null} */ (null),
  },

  /** The saved games: the newest ones, and how many there are. */
  library: { games: /** @type {SavedGame[]} */ ([]), count: 0 },
};

export const FIRST = { ...state };

/** Changes what the page shows, and draws it. @param {Partial<PageState>} changes */
export function set(changes) {
  Object.assign(state, changes);
  redraw();
}

/** Changes some of a part. @template {keyof PageState} P @param {P} part @param {Partial<PageState[P]>} changes */
export const change = (part, changes) => set({ [part]: Object.assign({}, state[part], changes) });

/** Whether a game is being played, which is continued. */
export function isPlaying() {
  const { game } = state.table;
  return game?.phase === "playing" && (game.may.resign || !game.mine);
}
