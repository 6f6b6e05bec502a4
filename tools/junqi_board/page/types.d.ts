// Types that the page's modules share. The first part has the server's messages and their parts, with the names and
// fields of `messages.py`; the second part has the page's own, by the folder whose modules use them most.

// ---- Sent by the server ----------------------------------------------------------------------------------------
// Beside its fields a message has `type`, and an answer the `id` of its request.

// The connection

/** The first message: what can be chosen, and what the host has stored. */
interface Welcome {
  token: string;
  is_host: boolean;
  /** The known brain teasers by variant. */
  positions: Record<string, Teaser[]>;
  /** The seats of each Junqi variant. */
  tables: Record<string, string>;
  limits: Record<string, QuietLimit>;
  settings: Record<string, string>;
  facts: Record<string, Record<string, any>>;
  ladder: Ladder | null;
  problem_rating: ProblemRating | null;
  /** The day of the server, which chooses the problem of the day. */
  today: string;
  /** The address of this machine in the local network, if other devices are let in. */
  lan: string;
  has_games: boolean;
  engines: EngineChoice[];
  fault: string;
}

/** The plies without a battle that end a game of a variant; whether the side to move then loses. */
interface QuietLimit { no_contact: number; loses: boolean; }

/** A program; by level its Elo, null for full strength; by variant and level the style of its line-ups. */
interface EngineChoice {
  program: string;
  levels: Record<string, number | null>;
  styles: Record<string, Record<string, string>>;
}

/** Progress of compiling: the share is null if unknown. */
interface Starting { is_ready: boolean; share: number | null; }

/** Sent every few seconds. After `silent_s` without a message the connection is dead. */
interface Alive { silent_s: number; }

/** Something that the person should know, in words. */
interface Notice { code: string; text: string; seats: string; }

/** Why the server, or the socket, refused a request. */
interface RequestError { code: string; text: string; }

/** A setting that a tab of the host has changed. */
interface Setting { name: string; value: string; }

/** A fact that was added, or whose value has changed; null if it was removed. */
interface Fact { kind: string; fact: string; value: any; }

// Boards and positions

/** A piece on a board: its point, its number, its seat, and its letter (`?` if hidden). */
type Piece = [point: number, piece: number, seat: string, letter: string];

interface BoardPoint {
  name: string;
  x: number;
  y: number;
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
  /** Signs between the halves of a board: `mountains` or `front`. */
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
interface RemovedPiece extends KnownPiece { by: string; }

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
  /** The points of the way, with both ends; empty for a resignation or a passed turn. */
  path: number[];
  attacker: KnownPiece | null;
  defender: KnownPiece | null;
}

/** A position from one point of view. */
interface Scene {
  variant: string;
  pieces: Piece[];
  /** By point, the letters of a hidden piece, if they can be told shortly. */
  proven: Record<string, string>;
  turn: string;
  alive: string;
  counts: Record<string, number>;
  ply: number;
  quiet: number;
  last: LastMove | null;
  removed: RemovedPiece[];
  /** Only for a position that can be studied. */
  fen?: string;
  targets?: Targets;
}

/** By point, by target, the move. */
type Targets = Record<string, Record<string, string>>;

/** The position after a move. */
interface AfterMove { pieces: Piece[]; last: LastMove | null; }

// The game at the table

/** The state of the game. Before it starts there are `places` and `drafts`, afterwards `moves` and `targets`. */
interface GameState extends Scene {
  /** The id of the game: run and number of the server at its begin. */
  game: string;
  phase: "arranging" | "playing" | "over";
  mine: string;
  /** The seats whose pieces the page sees. */
  viewer: string;
  seats: Record<string, SeatState>;
  limits: Limits;
  fault: EngineFailure | null;
  result: string | null;
  ending: string | null;
  saved: string | null;
  unsaved: string | null;
  offer: DrawOffer | null;
  may: Permissions;
  places: Record<string, number[]>;
  drafts: Record<string, string>;
  /** By letter, the places of a line-up where the rules allow it. */
  allowed: Record<string, number[]>;
  /** The seats of the persons that want another game; by team, what it has won since they began to play. */
  rematch: string;
  score: Record<string, number>;
  /** The host's ladder; the change of its rating by this game; whether the game is not rated. */
  ladder: Ladder | null;
  rating_change: RatingChange | null;
  practice: boolean;
  /** Whether a rated game would not count yet; whether the person has surrendered. */
  short: boolean;
  surrendered: boolean;
  moves?: string[];
  targets?: Targets;
  /** While others move, what could be played if it were the person's turn. */
  premoves?: Targets;
  /** When the game is over: all pieces. */
  face_up?: FaceUp;
}

interface SeatState {
  who: "me" | "guest" | "engine";
  name: string;
  ready: boolean;
  elo: number | null;
  is_named: boolean;
  is_here: boolean;
  was_here: boolean;
  is_thinking: boolean;
  remaining_ms: number | null;
  is_running: boolean;
}

/** The plies without a battle, and in all, that end the game (0 for no limit); whether the side to move then loses. */
interface Limits { no_contact: number; no_contact_loses: boolean; max_plies: number; }
interface EngineFailure { seats: string; code: string; text: string; }

interface DrawOffer { by: string; to_me: boolean; waiting: string; }

interface Permissions {
  take_back: boolean;
  resign: boolean;
  hurry: boolean;
  be_helped: boolean;
  tell_partner: boolean;
}

interface FaceUp { pieces: Piece[]; removed: RemovedPiece[]; }

interface Rating { rating: number; history: number[]; }

/** A rated game: 1 for a win, 0.5 for a draw, 0 for a loss. The level is empty for an engine at full strength. */
interface CountedGame {
  day: string;
  variant: string;
  level: string;
  score: number;
  change: number;
}

/** The host's results: ratings by variant with their history, wins by level, runs, Marshals captured. */
interface Ladder {
  ratings: Record<string, Rating>;
  wins: Record<string, number>;
  streak: number;
  bestStreak: number;
  marshals: number;
  /** The counted games, the newest last. */
  games: CountedGame[];
}

interface RatingChange { rating: number; change: number; }

/** A game has begun, with an invitation for each of its guests. */
interface OpenedGame { game: string; invitations: Invitation[]; }
interface Invitation { seats: string; token: string; }

/** The lines that the person may read, and how many there have been. */
interface ChatLines { lines: ChatLine[]; count: number; }

interface ChatLine {
  seats: string;
  name: string;
  words: string;
  /** Whether everyone may read it, not one team alone. */
  to_all: boolean;
}

/** A point that a person shows its partner. */
interface Ping { seats: string; point: number; }

interface Lineup { lineup: string; }

/** Line-ups by style. */
interface Gallery { lineups: Record<string, string>; }

/** A QR code: a text of 0 and 1 a row. */
interface QrCode { rows: string[]; }

/** By letter, the probability of a hidden piece. */
type Chances = Record<string, number>;

/** By point, the chances of the hidden pieces after `ply` entries of the record. */
interface Belief { game: string; ply: number; points: Record<string, Chances>; }

/** A move with the probability of winning after it; null for an engine that gives none. */
interface AdvisedMove {
  move: string;
  from: number;
  to: number;
  win: number | null;
}

/** Advice in a game, after `ply` entries of its record. */
interface Advice extends AdvisedMove { game: string; ply: number; others: AdvisedMove[]; }

// Records

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

/** The newest saved games, and how many there are. */
interface Library { games: SavedGame[]; all: number; }
/** The file of a record that was opened; empty for an unfinished game. */
interface AddedRecord { name: string; }

interface RecordLine { line: string; }

interface RecordLines { lines: string[]; }

/** A record that the server has open; `viewers` are those from whose point of view it can be shown. */
interface Replay {
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

interface Story { entries: LastMove[]; }

/** The person's legal moves at an earlier position. */
interface PastTargets { targets: Targets; }

interface ReviewedStep {
  text: string;
  seat: string;
  /** Each player's winning chance by its knowledge before the step; the first team's with all pieces known. */
  fair: Record<string, number>;
  truth: number;
  loss: number;
  /** By player. */
  luck: Record<string, number>;
  best: string;
  /** The moves that the search expected, from the best one on. */
  line: string[];
}

interface PlayerReview {
  player: string;
  team: string;
  luck: number;
}

/** A key moment of a review: its kind, the size of the change, and the player or team that it was good for. */
interface Moment {
  step: number;
  kind: string;
  size: number;
  player: string;
}

interface Surprise { step: number; player: string; chance: number; }

/** The review of a record, or of its beginning; `fair` and `truth` are as before a step, at the end. */
interface Review {
  variant: string;
  result: string | null;
  players: PlayerReview[];
  fair: Record<string, number>;
  truth: number;
  steps: ReviewedStep[];
  moments: Moment[];
  surprises: Surprise[];
}

/** A review as far as it has come, with the number of the request. */
interface GrowingReview { number: number; review: Review; }
interface ReviewEnd { is_whole: boolean; }

/** A position to study, after some moves. */
interface StudyPosition extends Scene {
  start: string;
  moves: string[];
  over: string;
}

/** The ways in which a battle with a hidden piece may end. */
interface StudyOutcomes { moves: string[]; }

/** A line of the engine; `win` is the chance of the side to move, null from an engine that gives none. */
interface StudyLine {
  rank: number;
  win: number | null;
  moves: string[];
  from: number;
  to: number;
}

/** The engine's lines of the position of a FEN. */
interface StudyLines { fen: string; lines: StudyLine[]; }

// Problems and brain teasers

type ListedProblem = [problem: string, variant: string, level: string];

interface ProblemList {
  problems: ListedProblem[];
  /** The problem of the day. */
  today: string;
}

/** A problem: what is asked about, or the moves that may be played; `may` is by point what a hidden piece may be. */
interface ProblemStatement {
  problem: string;
  theme: string;
  level: string;
  variant: string;
  mine: string;
  pieces: Piece[];
  proven: Record<string, string>;
  alive: string;
  counts: Record<string, number>;
  targets: Targets;
  choices: Record<string, string>;
  marked: number[];
  may: Record<string, string>;
}

/** The verdict on an answer: `why` it is wrong, and for a flag the `chances` by name of a point. */
interface ProblemVerdict {
  is_right: boolean;
  why: string;
  /** The kinds that the reason is about. */
  may: string;
  piece?: string;
  /** Absent after a first wrong answer, as all that follows. */
  answer?: string;
  /** The ends of the right move, or the right point. */
  points?: number[];
  /** The pieces face up, in one way that agrees with all that is known; and what the answer leads to. */
  face_up?: Piece[];
  fen?: string;
  after?: AfterMove;
  best?: PieceReason;
  chances?: Record<string, number>;
  is_proven?: boolean;
}

/** The rating of problems, how many were tried, and the run of right first answers with the longest one. */
interface ProblemRating { rating: number; tried: number; row: number; best: number; }

/** Why a move is right: its piece, and what the enemy may be. */
interface PieceReason { piece: string; may: string; }

interface Teaser {
  variant: string;
  /** A name in Chinese and English; of one from the list of the days its kind, of the person's own `own`. */
  name: string;
  position: string;
  /** The end of the key of the text that states the goal. */
  goal: string;
  /** The least number of moves, or the most points after `swaps`; null if it is not known. */
  best: number | null;
  level: string;
  swaps: number;
}

/** The teasers of the day, and all by kind. */
interface TeaserList { today: Teaser[]; all: Record<string, Teaser[]>; }

interface TeaserShape {
  id: string;
  x: number;
  y: number;
  rects: Rectangle[];
  tone: number;
  label: string;
  kind: string;
}

/** A legal move: the shape that moves, and where its centre comes to. */
interface TeaserChoice {
  move: string;
  id: string;
  x: number;
  y: number;
}

/** A brain teaser as it is drawn; see scenes/teasers.py. */
interface TeaserScene {
  solved: boolean;
  points: number | null;
  /** Points of the last swap of match-3: of the match itself, then of each cascade. */
  waves: number[];
  width: number;
  height: number;
  floor: Rectangle[];
  line: [number, number][];
  shapes: TeaserShape[];
  choices: TeaserChoice[];
  taken: string | null;
  exit: [x: number, y: number, dx: number, dy: number] | null;
}

/** A solver's reply: the moves, the number of moves left or of points, and its text. */
interface SolverReply {
  type: "teaser_solution";
  what: "hint" | "solution";
  moves: string[];
  left?: number | null;
  said: string[];
}

// ---- Of the page -----------------------------------------------------------------------------------------------

/** A message of the server; its `type` says which fields it has. */
type Message = { type: string; id?: number } & Record<string, any>;

// state.js, main.js, voice.js

type PageState = typeof import("./state.js").state;

/**
 * A point of view: the person's seats, none if it only watches; the seats of the board; the names of persons by seat;
 * whether it has surrendered.
 */
interface Pov {
  mine: string;
  seats: string;
  names?: Record<string, string>;
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

/** A place that an address names: a kind, which of them, and the move of a game. */
interface Linked {
  kind: string;
  id: string;
  at: number;
}

interface View {
  /** Loads its modules, and says whether it could; none once they are there. Until then the messages wait. */
  load?: () => Promise<boolean>;
  wait?: (message: Message) => void;
  /** The kind of place in an address that this view shows. */
  kind?: string;
  /** Its dialogs and menus, over any view. */
  Overlay?: () => Content;
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

type Content = import("./vendor/preact.js").Content;

// board/

/** A point on the screen, in units of a cell. */
interface Place {
  x: number;
  y: number;
}

type Rectangle = [x: number, y: number, width: number, height: number, kind?: string];

/** The visible part of a board. */
interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A shape on an SvgBoard. `hits` and `tops` are the rectangles that can be clicked, relative to the place. */
interface Shape extends Place {
  id: string;
  look: string;
  draw: (group: SVGElement) => void;
  class?: string;
  /** The part of it that lies beneath all other shapes. */
  under?: () => SVGElement;
  hits?: Rectangle[];
  tops?: Rectangle[];
  point?: number;
  seat?: string;
  letter?: string;
  /** The kinds that a hidden piece may still be, if any is excluded. */
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
  /** A click, before anything else; true if that is all it does. */
  onTap?: (shape: Shape | null, place: Place) => boolean;
  /** Another shape, or none, was selected. */
  onSelect?: () => void;
  /** A right click or a long touch on a shape or beside all, at a place of the window. */
  onMark?: (shape: Shape | null, place: Place, x: number, y: number) => void;
  /** The clicked shape cannot move, or the chosen shape cannot go there. */
  onRefuse?: (clicked: Shape | null, place: Place, chosen: Shape | null) => void;
  /** Whether a click on a shape that can move tries to move the chosen one there. */
  isTry?: (chosen: Shape, clicked: Shape) => boolean;
  /** The target of a shape that was dropped beyond all, at a place; null if that is no move. */
  stopOf?: (targets: Target[], shape: Place, to: Place) => Target | null;
  describe: (shape: Shape | null, place: Place) => string;
}

interface BoardContent {
  shapes: Shape[];
  choices: Map<string, Target[]>;
  /** The places that the cursor visits. */
  spots: Place[];
  /** Where a click that is no move is answered; the same places if there are no others. */
  points?: Place[];
  /** The shape that is selected whenever no other is. */
  selected?: string | null;
  /** Whether the places are for later, when it is the person's turn. */
  isLater?: boolean;
}

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

/** A point of a board to describe, with what is shown there. */
interface PointAbout extends Pick<Drawing, "rings" | "guesses" | "mine" | "scene" | "marks"> {
  shape: Shape | null;
  number: number;
  content: BoardContent;
  data: BoardData;
  /** What the chosen piece may do there. */
  target: Target | null;
}

interface BoardProps<T> {
  board: {
    svgBoard: import("./board/svg_board.js").SvgBoard;
    part?: import("./board/part.js").BoardPart | null;
    show: (value: T) => void;
  };
  value: T | null;
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
  /** By seat, the names that persons gave. */
  names?: Record<string, string>;
  /** The result of the game in words, if the last move has ended it. */
  result?: string;
  targets: Targets;
  /** Whether the targets are for later, when it is the person's turn; whether they are places to exchange. */
  isPremove?: boolean;
  isLineup?: boolean;
  /** The key of the `targets` that are shown while no piece is selected. */
  selected?: string;
  /** A class of the board: `mine-turn`, `over`, `asks`. */
  stage?: string;
  /** Whether the person plays now: on a phone a board for four then shows the part that matters. */
  isPlayed?: boolean;
  /** Whether the names of columns and rows are shown. */
  hasNames?: boolean;
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

/** Additions to the letter of a piece: the person's mark, the proven kinds, the engine's belief, a campsite. */
interface PieceExtra {
  mark?: string;
  proven?: string;
  guess?: Guess | null;
  isSheltered?: boolean;
}

/** Where a battle is shown; one of `frames` bounds its sign, which covers a `taken` place only where it must. */
interface BattlePlace {
  place: Place;
  frames: Frame[];
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

/** A refused move: a shape that cannot move, or not to that place; `kind` is that of the point there. */
interface Refusal {
  chosen: Shape | null;
  clicked: Shape | null;
  kind: string;
  isTurn: boolean;
  isLineup: boolean;
  isOverHills: boolean;
  pov: Pov;
}

// game/

/** A seat as its plate shows it; a replay knows only the name. */
type PlateSeat = Pick<SeatState, "who" | "name"> & Partial<SeatState>;

/** A position as the plates show it. */
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
  seatOf: (seat: string) => PlateSeat;
  about: About;
  receivedAt?: number;
}

interface LogProps {
  id: string;
  story: LastMove[];
  /** With all pieces known, if they are. */
  truth?: LastMove[];
  data: BoardData;
  pov: Pov;
  onPick: (ply: number) => void;
  isHidden?: boolean;
}

interface SeatChoiceProps {
  seat: string;
  all: string;
  engines: { value: string; text: string }[];
  value: string;
  onChoose: (value: string) => void;
}

// record/

type Shown = PageState["shown"];

/** The open record, with its line. */
interface OpenRecord extends Replay {
  /** Empty for a position that is studied, which has a FEN. */
  line: string;
  fen: string;
  /** The id of the problem whose position it is. */
  problem?: string;
}

/**
 * A variation from the position after `at` moves, which is that of the FEN; `entries` are what its moves did. The first
 * `from` moves are those of its parent, another variation; the parent is 0 if it begins at the record.
 */
interface Variation {
  id: number;
  parent: number;
  from: number;
  at: number;
  fen: string;
  moves: string[];
  entries: LastMove[];
}

/** A place in a game: after `at` moves, and after `step` moves of a variation from there, given by its id. */
interface Spot {
  at: number;
  viewer: string;
  comparison: Comparison | null;
  variation: number;
  step: number;
}

/** A reviewed move. With `targets`, the person is asked for a better one; `tried` is the answer. */
interface Comparison {
  /** The move played and the better one; empty for none. */
  played: string;
  better: string;
  targets?: Targets;
  tried?: string;
}

/** An entry of the list of moves; the one that is reached with Tab is that of the position that is shown. */
interface EntryProps {
  move: LastMove;
  spot: Pick<Spot, "at" | "variation" | "step">;
  isShown: boolean;
  isReached: boolean;
  data: BoardData;
  pov: Pov;
}

interface GraphProps {
  id: string;
  review: Review;
  mine: string;
  count: number;
  at: number;
  label: string;
  onPick: (step: number) => void;
}

// learn/

/** A lesson of the tutorial; `marked` are the points that its words mean; `after` is by move. */
interface Lesson {
  name: string;
  variant: string;
  pieces: Piece[];
  targets: Targets;
  good: string[];
  marked: number[];
  after: Record<string, AfterMove & { last: LastMove }>;
}

type KnownProblem = Pick<ProblemStatement, "problem" | "variant" | "level">;

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

/** A brain teaser after some moves: what is asked for. */
interface TeaserPlace {
  teaser: Teaser;
  moves: string[];
}

/** A brain teaser after its moves, as it is drawn. */
interface TeaserPosition extends TeaserPlace, TeaserScene {}

type TeaserState = PageState["teaser"];

/** Some teasers of the wall, under one heading. */
interface TeaserGroup { name: string; teasers: Teaser[]; }

type TeaserFault = { type: "error" } & RequestError;

// shell/

interface SelectProps {
  id: string;
  label: string;
  value: string;
  entries: string[][];
  onPick: (value: string) => void;
  kind?: "wide";
}
