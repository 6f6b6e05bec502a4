// Brain teasers in play: a request has the teaser and its moves, and the answer is shown; which one comes next.

import { Autoplay, reducedMotion } from "../shell/dom.js";
import { showAddress } from "../shell/navigation.js";
import { endRefusal } from "../shell/notices.js";
import { remember, remembered } from "../shell/storage.js";
import { addFact, factsOf, removeFact } from "../shell/store.js";
import { socket } from "../socket.js";
import { change, state } from "../state.js";
import { t } from "../texts.js";
import { redraw } from "../view.js";
import { isUnsolvable } from "./teaser_faults.js";
import { isOver, keepResult, ownBest } from "./teaser_results.js";

const STEP_MS = 350;
const REDUCED_STEP_MS = 100;
/** Depth of search, in swaps, for teasers that only the goal ends. */
const SWAPS_AHEAD = 3;
export const LEVELS = ["easy", "medium", "hard", "expert"];

/** Plays the solution. */
export const watching = new Autoplay(redraw);

// Asks for the teasers each time: the page may have been open since yesterday.
export async function loadTeasers() {
  try {
    const { today, all } = await socket.request("teaser_list");
    change("teaser", { today, all });
  } catch {
    return; // without a connection: it is asked for again when there is one
  }
}

/**
 * Opens the teaser that was open before a reload, with its moves, or the first one of the list.
 * @param {Promise<void>} listed
 */
export async function reopenTeaser(listed) {
  const last = remembered("teaser");
  const isKnown = last?.teaser?.variant in state.catalogue.positions;
  if (isKnown && (await openTeaser(last.teaser, last.moves, last.help))) return;
  await listed;
  const [first] = Object.keys(state.teaser.all);
  if (first && !state.teaser.position && !state.teaser.waits) openTeaser(next(state.teaser.all[first], LEVELS[0]));
}

/** The positions whose solution was watched: solved afterwards they give no stars. @type {Set<string>} */
const seen = new Set();

/** @param {Teaser} teaser @param {string[]} moves @param {TeaserState["help"]} help */
export async function openTeaser(teaser, moves = [], help = seen.has(teaser.position) ? "seen" : "") {
  endRefusal();
  // Another kind may have to be compiled: meanwhile nothing is shown.
  if (teaser.variant !== state.teaser.position?.teaser.variant) change("teaser", { position: null, reply: null });
  const isShown = await showTeaser({ teaser, moves }, { help });
  // The wall, from which it may have been chosen, is below it.
  if (isShown) {
    scrollTo(0, 0);
    document.querySelector("#teaser .panel")?.scrollTo(0, 0);
  }
  return isShown;
}

/** @param {string} move */
export const playTeaserMove = (move) =>
  state.teaser.asked && showTeaser({ ...state.teaser.asked, moves: withMove(state.teaser.asked, move) });

/**
 * The moves and one more. Two of one block in a row are one, as the solver counts; there and back is none.
 * @param {TeaserPlace} place
 * @param {string} move
 */
export function withMove({ teaser, moves }, move) {
  const last = moves.at(-1);
  if (teaser.variant !== "klotski" || last?.[0] !== move[0]) return [...moves, move];
  const path = withoutLoops(last.slice(1) + move.slice(1));
  return [...moves.slice(0, -1), ...(path ? [move[0] + path] : [])];
}

/** A way over cells that comes to none twice. @param {string} path of the letters u, d, l and r */
function withoutLoops(path) {
  let [x, y, way] = [0, 0, ""];
  const places = ["0,0"];
  for (const step of path) {
    x += Number(step === "r") - Number(step === "l");
    y += Number(step === "d") - Number(step === "u");
    way += step;
    const before = places.indexOf(`${x},${y}`);
    if (before < 0) places.push(`${x},${y}`);
    else [places.length, way] = [before + 1, way.slice(0, before)];
  }
  return way;
}

/**
 * Shows a teaser after its moves; whether that was possible.
 * @param {TeaserPlace} place
 * @param {Partial<TeaserState>} changes
 */
export async function showTeaser({ teaser, moves }, changes = {}) {
  const { asked, position: before, solution } = state.teaser;
  // A solution remains valid while its moves are played.
  const goesOn = solution.length > 0 && asked !== null && moves.join() === withMove(asked, solution[0]).join();
  if (!goesOn) watching.halt();
  const answer = await askEngine("teaser_show", { teaser, moves }, "setting");
  if (!answer) return false;
  /** @type {TeaserPosition} */
  const position = { ...answer, teaser, moves };
  const isLast = isOver(position) && before?.teaser.position === teaser.position && !isOver(before);
  if (isLast && !state.teaser.help) keepResult(position);
  change("teaser", {
    position,
    solution: goesOn ? solution.slice(1) : [],
    reply: goesOn && !isLast ? state.teaser.reply : null,
    ...changes,
  });
  remember("teaser", { teaser, moves, help: state.teaser.help });
  showAddress();
  return true;
}

/** That the teaser is solved, or that the engine has shown how. */
export const solvedText = () => t(state.teaser.help === "solution" ? "teaser.shown" : "teaser.solved");

/** Asks the solver. @param {"hint" | "solution"} what */
export async function askSolver(what) {
  const asked = /** @type {TeaserPlace} */ (state.teaser.asked);
  const { variant, swaps } = asked.teaser;
  const depth = variant !== "match3" ? 0 : swaps ? swaps - asked.moves.length : SWAPS_AHEAD;
  const reply = await askEngine("teaser_solve", { ...asked }, "working", { what, depth });
  if (!reply) return;
  const isWhole = what === "solution";
  if (isWhole) seen.add(asked.teaser.position);
  change("teaser", { reply, help: isWhole ? what : state.teaser.help || what, solution: isWhole ? reply.moves : [] });
}

/**
 * Asks the engine about a teaser after its moves. Null if it could not answer, or if something else was asked
 * meanwhile.
 * @param {"teaser_show" | "teaser_solve"} type
 * @param {TeaserPlace} asked
 * @param {"setting" | "working"} waits
 * @param {Record<string, any>} more
 */
async function askEngine(type, asked, waits, more = {}) {
  change("teaser", { asked, waits });
  const {
    teaser: { variant, position },
    moves,
  } = asked;
  const answer = await socket
    .request(type, { variant, position, moves: moves.join(" "), ...more })
    .catch((error) => ({ ...error, type: "error" }));
  const { position: shown, reply } = state.teaser;
  if (state.teaser.asked !== asked) return null;
  change("teaser", { waits: "" });
  if (answer.type !== "error") return answer;
  watching.halt();
  change("teaser", { asked: shown ?? asked, reply: answer.code === "lost" ? reply : answer });
  return null;
}

// Plays the solution, which is asked for if there is none.
export async function watchSolution() {
  if (!state.teaser.solution.length) await askSolver("solution");
  const step = async () =>
    (await playTeaserMove(state.teaser.solution[0])) === true && state.teaser.solution.length > 0;
  if (state.teaser.solution.length) watching.start(step, () => (reducedMotion.matches ? REDUCED_STEP_MS : STEP_MS));
}

export function stopSolver() {
  watching.halt();
  socket.send("teaser_stop");
}

// Facts about the teasers.

/** Blocks, cars, tours and so on. @param {Teaser} teaser */
export const kindOf = ({ goal }) => goal.split("-")[0];

/** @param {Teaser} teaser */
const isLeft = (teaser) => !isOpen(teaser) && ownBest(teaser) === undefined;

/** The easiest of some teasers. @param {Teaser[]} teasers @returns {Teaser | undefined} */
const easiest = (teasers) => [...teasers].sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level))[0];

/** The first one that is not solved, if possible of a level. @param {Teaser[]} teasers @param {string} level */
const next = (teasers, level) =>
  teasers.find((one) => one.level === level && isLeft(one)) ?? teasers.find(isLeft) ?? teasers[0];

/**
 * Opens one of the day while these are not solved, the easiest first; then one of the same kind and level.
 * @param {Teaser} teaser
 */
export function openNext(teaser) {
  const { today, all } = state.teaser;
  openTeaser(easiest(today.filter(isLeft)) ?? next(all[kindOf(teaser)] ?? [teaser], teaser.level));
}

const OWN = "own_teaser";

/** The person's own teasers of a kind. @param {string} kind @returns {Teaser[]} */
export const ownTeasers = (kind) =>
  Object.keys(state.teaser.all[kind] ? factsOf(OWN) : {})
    .filter((id) => id.startsWith(`${kind}|`))
    .map((id) => ownTeaser(kind, id.split("|")[1]));

/** @param {string} kind @param {string} position @returns {Teaser} */
function ownTeaser(kind, position) {
  const { variant } = state.teaser.all[kind][0];
  const tour = /\b(closed|end)\b/.exec(kind === "tour" ? position : "");
  const goal = tour ? `tour-${tour[0]}` : kind;
  return { variant, name: "own", position, goal, best: null, level: "", swaps: 0 };
}

/**
 * Sets up a position, which is kept as a teaser of the person unless it is known. Returns why it is none; then the
 * former teaser stays.
 * @param {string} kind
 * @param {string} position
 * @returns {Promise<RequestError | null>}
 */
export async function openOwn(kind, position) {
  const known = state.teaser.all[kind].find((one) => one.position === position);
  const teaser = known ?? ownTeaser(kind, position);
  const fault = known ? null : ((await faultOf(teaser)) ?? (await unsolvedFault(teaser)));
  if (fault && fault.code !== UNSOLVED) return fault;
  if ((await openTeaser(teaser)) && !known) addFact(OWN, `${kind}|${position}`);
  if (fault && isOpen(teaser)) change("teaser", { reply: { ...fault, type: "error" } });
  return null;
}

const UNSOLVED = "own-unsolved";
/** Time for which a solution of an own teaser is looked for before it is opened. */
const TRY_MS = 5000;

/** That a teaser has no solution, or that none was found in time; null for a solved one. @param {Teaser} teaser */
async function unsolvedFault({ variant, position }) {
  // Points can be collected on any board.
  if (variant === "match3") return null;
  change("teaser", { waits: "working" });
  const timer = setTimeout(() => socket.send("teaser_stop"), TRY_MS);
  const fields = { variant, position, moves: "", what: "solution", depth: 0 };
  const answer = await socket.request("teaser_solve", fields).catch((error) => error);
  clearTimeout(timer);
  change("teaser", { waits: "" });
  if (answer.code || answer.moves.length) return answer.code ? answer : null;
  return { code: isUnsolvable(answer.said) ? "own-unsolvable" : UNSOLVED, text: "" };
}

/** Why a position is no teaser: it is refused, solved, or without a move. @param {Teaser} teaser */
async function faultOf({ variant, position }) {
  change("teaser", { waits: "setting" });
  const scene = await socket.request("teaser_show", { variant, position, moves: "" }).catch((error) => error);
  change("teaser", { waits: "" });
  if (scene.code) return scene;
  const code = scene.solved ? "own-solved" : "own-stuck";
  return scene.solved || !scene.choices.length ? { code, text: "" } : null;
}

/** @param {Teaser} teaser */
export function deleteOwn(teaser) {
  removeFact(OWN, `${kindOf(teaser)}|${teaser.position}`);
  openNext(teaser);
}

/** @param {Teaser} teaser */
export const isOpen = ({ variant, position }) =>
  state.teaser.asked?.teaser.variant === variant && state.teaser.asked.teaser.position === position;
