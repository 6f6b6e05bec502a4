// The types that the page's modules share, such as those of the server's messages.

/** A piece on a board: its point, its number, its seat, and its letter (`?` if hidden). */
type Piece = [point: number, piece: number, seat: string, letter: string];

/** A point on the screen, in units of a cell. */
interface Place {
  x: number;
  y: number;
}

interface BoardPoint extends Place {
  name: string;
  kind: "campsite" | "headquarters" | "station";
  seat: string | null;
}

interface BoardData {
  variant: string;
  width: number;
  height: number;
  seats: string;
  teams: string[];
  points: BoardPoint[];
  roads: [number, number][];
  rails: [one: number, other: number, bend?: [number, number]][];
  turns: Record<string, number>;
  /** What lies between the halves of a board: `mountains` or `front`. */
  signs: [x: number, y: number, kind: string][];
  /** All pieces from behind, in the file of the boards. */
  pieces?: Piece[];
}

/** A piece on the board or removed: its letter if that is certain, otherwise `?`, and the letters that it may have. */
interface KnownPiece {
  piece: number;
  seat: string;
  letter: string;
  may: string;
}

/** A piece that a battle removed, and the seat whose piece removed it; empty if that is not known. */
interface RemovedPiece extends KnownPiece {
  by: string;
}

/** The public facts of the last move. */
interface LastMove {
  text: string;
  from: number;
  to: number;
  outcome: "no-battle" | "attacker-won" | "defender-won" | "both-removed";
  seat: string;
  resigned: string | null;
  passed: string | null;
  flags: number[];
  out: string;
  /** The points of the way, with both ends; empty for what is not a move. */
  path: number[];
  attacker: KnownPiece | null;
  defender: KnownPiece | null;
}

/** A position as somebody sees it. */
interface Scene {
  variant: string;
  pieces: Piece[];
  /** By point, the letters of a hidden piece, if what is proven can be said shortly. */
  proven?: Record<string, string>;
  turn: string;
  alive: string;
  counts: Record<string, number>;
  ply: number;
  quiet: number;
  last: LastMove | null;
  removed: RemovedPiece[];
}

/** What a list of seats shows of one; a replay knows only the name. */
interface SeatState {
  who: "me" | "guest" | "engine";
  name: string;
  ready?: boolean;
  elo?: number | null;
  is_named?: boolean;
  is_here?: boolean;
  is_thinking?: boolean;
  remaining_ms?: number | null;
  is_running?: boolean;
}

/** The state of the game. Before it starts there are `places` and `drafts`, afterwards `moves`, `targets` and a scene. */
interface GameState extends Scene {
  /** The id of the game: run and number of the server at its begin. */
  game: string;
  visibility: "partner" | "dark";
  phase: "arranging" | "playing" | "over";
  mine: string;
  /** Whose pieces the page sees. */
  viewer: string;
  seats: Record<string, SeatState>;
  /** The plies without a battle, and in all, that end the game (0 for no limit); whether the side to move then loses. */
  limits: { no_contact: number; no_contact_loses: boolean; max_plies: number };
  fault: { seats: string; code: string; text: string } | null;
  result: string | null;
  ending: string | null;
  saved: string | null;
  unsaved: string | null;
  offer: { by: string; to_me: boolean } | null;
  may: { take_back: boolean; resign: boolean; hurry: boolean; be_helped: boolean; tell_partner: boolean };
  places: Record<string, number[]>;
  drafts: Record<string, string>;
  /** By letter, the places of a line-up where the rules allow it. */
  allowed: Record<string, number[]>;
  /** The seats of the persons that want another game. */
  rematch: string;
  /** The host's ladder; what the game has changed of its rating; whether the game does not count. */
  ladder: Ladder | null;
  rating_change: { rating: number; change: number } | null;
  practice: boolean;
  /** Whether a rated game would not count yet; whether the person has surrendered. */
  short: boolean;
  surrendered: boolean;
  moves?: string[];
  targets?: Targets;
  /** While others move, what could be played if it were the person's turn. */
  premoves?: Targets;
  /** When the game is over: all pieces. */
  face_up?: { pieces: Piece[]; removed: RemovedPiece[] };
}

/** What the host has reached: ratings by variant with those after the last games, wins by level, runs, Marshals captured. */
interface Ladder {
  ratings: Record<string, { rating: number; history: number[] }>;
  wins: Record<string, number>;
  streak: number;
  bestStreak: number;
  marshals: number;
}

interface ChatLine {
  seats: string;
  name: string;
  words: string;
  /** Whether it is not for one's team alone. */
  to_all: boolean;
}

/** A lesson of the tutorial; `marked` are the points that its words mean, `after` has the scene after each legal move. */
interface Lesson {
  name: string;
  variant: string;
  pieces: Piece[];
  targets: Targets;
  good: string[];
  marked: number[];
  after: Record<string, { pieces: Piece[]; last: LastMove }>;
}

/** A position of the analysis, with the moves that led to it. */
interface AnalysisState extends Scene {
  start: string;
  fen: string;
  moves: string[];
  targets: Targets;
  over: string;
}

interface AnalysisLine {
  rank: number;
  score: string;
  moves: string[];
  from: number;
  to: number;
}

/** A game in the library; `name` is that of its file, `players` are seats and names. */
interface SavedGame {
  name: string;
  state: "running" | "unfinished" | "over";
  variant: string;
  players: [seats: string, name: string][];
  /** The seats of the board's host. */
  mine: string;
  moves: number;
  result: string;
  ending: string;
  /** Whether deleting it is a loss; whether the host has surrendered. */
  rated: boolean;
  surrendered: boolean;
}

interface Teaser {
  variant: string;
  /** For one of the day, its kind. */
  name: string;
  position: string;
  /** The end of the key of the text that states the goal. */
  goal: string;
  /** The least number of moves, or the most points after `swaps`; null if it is not known. */
  best: number | null;
  level: string;
  swaps: number;
}

/** A brain teaser after some moves: what is asked for. */
interface TeaserPlace {
  teaser: Teaser;
  moves: string[];
}

/** What the solver says: the moves, how many are left or how many points, and its words. */
interface SolverReply {
  type: "teaser_solution";
  what: "hint" | "solution";
  moves: string[];
  left?: number | null;
  said: string[];
}

/** A move with the probability of winning after it; null for an engine that gives none. */
interface AdvisedMove {
  move: string;
  from: number;
  to: number;
  win: number | null;
}

interface Advice extends AdvisedMove {
  /** Of which game, and after how many entries of its record. */
  game: string;
  ply: number;
  others: AdvisedMove[];
}

/** What the server says to the answer of a problem: `why` it is wrong, and for a flag the `chances` by name of a point. */
interface ProblemVerdict {
  is_right: boolean;
  /** None after a first wrong answer, nor any of what follows, but `piece`. */
  answer?: string;
  why: string;
  /** The kinds that the reason is about. */
  may: string;
  /** The ends of the right move, or the right point. */
  points?: number[];
  /** The pieces face up, in one way that agrees with all that is known; and what the answer leads to. */
  face_up?: Piece[];
  after?: { pieces: Piece[]; last: LastMove };
  piece?: string;
  best?: { piece: string; may: string };
  chances?: Record<string, number>;
  is_proven?: boolean;
}

/** By letter, the probability of a hidden piece. */
type Chances = Record<string, number>;

/** A record that the server has open; `viewers` are those from whose point of view it can be shown. */
interface OpenRecord {
  line: string;
  variant: string;
  /** The seats of the board's host; empty for another one's game. */
  mine: string;
  surrendered: boolean;
  names: Record<string, string>;
  moves: string[];
  result: string;
  ending: string;
  viewers: string[];
}

interface ReviewedStep {
  text: string;
  seat: string;
  /** What each player could know of its chance before the step, and the chance of the first team with all known. */
  fair: Record<string, number>;
  truth: number;
  loss: number;
  /** By player. */
  luck: Record<string, number>;
  best: string;
}

interface PlayerReview {
  player: string;
  team: string;
  luck: number;
  /** From 0 to 100; null without a move. */
  accuracy: number | null;
}

/** A key moment of a review: its kind, the size of the change, and the player or team that it was good for. */
interface Moment {
  step: number;
  kind: string;
  size: number;
  player: string;
}

interface Surprise {
  step: number;
  player: string;
  chance: number;
}

/** The review of a record, or of its beginning; `fair` and `truth` are as before a step, at the end. */
interface Review extends Pick<ReviewedStep, "fair" | "truth"> {
  variant: string;
  result: string | null;
  players: PlayerReview[];
  steps: ReviewedStep[];
  moments: Moment[];
  surprises: Surprise[];
}

/** The visible part of a board. */
interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

type Rectangle = [x: number, y: number, width: number, height: number, kind?: string];

interface TeaserShape extends Place {
  id: string;
  rects: Rectangle[];
  tone: number;
  label: string;
  kind: string;
}

/** A brain teaser as it is drawn after its moves; see scenes/teasers.py. */
interface TeaserPosition extends TeaserPlace {
  solved: boolean;
  points: number | null;
  /** What the last swap of match-3 has made: by itself, then by what fell. */
  waves: number[];
  width: number;
  height: number;
  floor: [number, number, number, number, string][];
  line: [number, number][];
  shapes: TeaserShape[];
  choices: (Place & { id: string; move: string })[];
  taken: string | null;
  exit: [x: number, y: number, dx: number, dy: number] | null;
}

/** Why the server, or the socket, refused a request. */
interface RequestError {
  code: string;
  text: string;
}

/** A message of the server; its `type` says which fields it has. */
type Message = { type: string; id?: number } & Record<string, any>;

/** A shape on an SvgBoard. `hits` and `tops` are the rectangles that can be clicked, relative to the place. */
interface Shape extends Place {
  id: string;
  look: string;
  draw: (group: SVGElement) => void;
  class?: string;
  /** What of it lies beneath all others. */
  under?: () => SVGElement;
  hits?: Rectangle[];
  tops?: Rectangle[];
  point?: number;
  seat?: string;
  letter?: string;
  /** What a hidden piece may be, by all that is proven, if that is less than everything. */
  proven?: string;
  label?: string;
}

/** A place that a shape can go to. */
interface Target extends Place {
  move?: string;
  id?: string;
  /** Whether the shape changes places with the one there. */
  isSwap?: boolean;
}

interface BoardOptions {
  onMove: (target: Target, id: string) => void;
  /** The shape under the pointer or the cursor. */
  onHover?: (shape: Shape | null) => void;
  /** The board was enlarged by a touch or click, or is whole again. */
  onZoom?: (isZoomed: boolean) => void;
  /** A right click or a long touch at a place of the window. */
  onMark?: (shape: Shape, x: number, y: number) => void;
  /** What was clicked cannot move, or the chosen shape cannot go there. */
  onRefuse?: (clicked: Shape | null, place: Place, chosen: Shape | null) => void;
  /** Whether a click on a shape that can move tries to move the chosen one there. */
  isTry?: (chosen: Shape, clicked: Shape) => boolean;
  describe: (shape: Shape | null, place: Place) => string;
}

interface BoardContent {
  shapes: Shape[];
  choices: Map<string, Target[]>;
  /** What the cursor visits. */
  spots: Place[];
  /** The shape that is selected whenever no other is. */
  selected?: string | null;
  /** Whether the places are for later, when it is the person's turn. */
  isLater?: boolean;
}

/** By point, by target, the move. */
type Targets = Record<string, Record<string, string>>;

/** A frame around a point: `marked`, `marked aim`, `marked looked` or `pointed`. */
interface Ring {
  kind: string;
  point: number;
}

/** `rank-0` for the best move, `rank-1` and so on for others, `played`, `premove`; `tag` stands at its head. */
interface Arrow {
  kind: string;
  from: number;
  to: number;
  tag?: string;
}

/** Everything that a Junqi board shows; an equal value draws nothing. */
interface Drawing {
  scene: Scene;
  /** The game, record, lesson or problem, and its moves so far: a step within one key is animated. */
  key: string;
  at: number;
  bottom: string;
  /** The seats of the person. */
  mine: string;
  /** The result of the game in words, if the last move has ended it. */
  result?: string;
  targets: Targets;
  /** Whether the targets are for later, when it is the person's turn; whether they are places to exchange. */
  isPremove?: boolean;
  isLineup?: boolean;
  /** Whose targets are shown while no piece is selected: a key of `targets`. */
  selected?: string;
  /** A class of the board: `mine-turn`, `over`, `asks`. */
  stage?: string;
  /** By piece, the person's marks; by point, what the engine believes. */
  marks?: Record<string, string>;
  guesses?: Record<string, Guess>;
  rings: Ring[];
  arrows: Arrow[];
}

interface Guess {
  letter: string;
  chances: Chances;
}

/** What a piece shows beside its letter: a mark of the person, what is proven, what the engine believes, a campsite. */
interface PieceExtra {
  mark?: string;
  proven?: string;
  guess?: Guess | null;
  isSheltered?: boolean;
}

/** A problem: what is asked about, or the moves that may be played; `may` is by point what a hidden piece may be. */
interface ProblemStatement extends Pick<Lesson, "variant" | "pieces" | "targets" | "marked">, Pick<Scene, "alive" | "counts"> {
  problem: string;
  theme: string;
  level: string;
  mine: string;
  proven: Record<string, string>;
  choices: Record<string, string>;
  may: Record<string, string>;
}

type KnownProblem = Pick<ProblemStatement, "problem" | "variant" | "level">;

/** A point of view: the person's seats, none if it only watches; the seats of the board; whether it has surrendered. */
interface Pov {
  mine: string;
  seats: string;
  surrendered?: boolean;
}

/** A piece that a sentence names: it is shown as a small picture with its name. */
interface NamedPiece {
  text: string;
  seat: string;
  letter: string;
}

/** Words and pieces in order, and the points that they are about. */
interface Saying {
  parts: (string | NamedPiece)[];
  points: number[];
}

/** Where a battle is shown; `frame` bounds its sign, which covers a `taken` place only where it must. */
interface BattlePlace {
  place: Place;
  frame: Frame;
  taken: Place[];
  scale: number;
  /** The width of a piece. */
  wide: number;
}

/** A picture of a rule: what moves along a way, and what is marked then. */
interface Example {
  frame: string;
  shapes: TeaserShape[];
  way: string;
  marks: string;
}

/** What cannot move, or cannot go where it was sent; `kind` is that of the point there. */
interface Refusal {
  chosen: Shape | null;
  clicked: Shape | null;
  kind: string;
  isTurn: boolean;
  isLineup: boolean;
  isOverHills: boolean;
  pov: Pov;
}

/** What the plates show of a position. */
interface About extends Partial<Pick<Scene, "alive" | "counts" | "turn" | "removed">> {
  mine: string;
  phase: string;
  said?: ChatLine | null;
  offer?: GameState["offer"];
}

interface SeatsProps {
  id: string;
  data: BoardData;
  bottom: string;
  seatOf: (seat: string) => SeatState;
  about: About;
  receivedAt?: number;
}

interface LogProps {
  id: string;
  story: LastMove[];
  data: BoardData;
  mine: string;
  onPick: (ply: number) => void;
  isHidden?: boolean;
}

interface GraphProps {
  id: string;
  review: Review;
  count: number;
  at: number;
  label: string;
  onPick: (step: number) => void;
}

interface SeatChoiceProps {
  seat: string;
  all: string;
  engines: { value: string; text: string }[];
  value: string;
  onChoose: (value: string) => void;
}

interface SelectProps {
  id: string;
  label: string;
  value: string;
  entries: string[][];
  onPick: (value: string) => void;
  kind?: "wide";
}

type Content = import("./vendor/preact.js").Content;

interface TaskProps {
  of: "learn" | "problem";
  title?: string;
  text: string;
  task?: string;
  note?: string;
  answer: Content;
  isGood: boolean;
  children?: Content;
}

type PageState = typeof import("./state.js").state;
type Shown = PageState["shown"];
type TeaserState = PageState["teaser"];

/** A move that is looked at. The person is asked for a better one where there are `targets`; `tried` is its answer. */
interface Comparison {
  /** What was played, and what was better; empty for nothing. */
  played: string;
  better: string;
  targets?: Targets;
  tried?: string;
}

type TeaserFault = { type: "error" } & RequestError;

/** A place that an address names: a kind, which of them, and the move of a game. */
interface Linked {
  kind: string;
  id: string;
  at: number;
}

interface View {
  /** The id of its section, and the end of that of its tab. */
  id: string;
  Component: () => Content;
  isForHost?: boolean;
  /** Called once, when the page has been drawn first. */
  begin?(): void;
  /** Called whenever the view becomes visible. */
  show?(): void;
  /** Called when its tab is clicked. */
  chosen?(): void;
  /** Called whenever another view becomes visible. */
  hide?(): void;
  /** Called whenever the server has welcomed the page, also after a lost connection; without it `show`, if visible. */
  connected?(): void;
  /** The path of what it shows, which the address of the page then has; empty for none. */
  address?(): string;
  /** Shows what an address names; whether it could. */
  follow?(place: Linked): boolean | Promise<boolean>;
  /** By type, what to do with the server's messages. */
  messages?: Record<string, (message: any) => void>;
}
