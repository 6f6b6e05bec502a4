// Brain teasers in play: a request has the teaser and its moves, and the answer is shown; which one comes next.

import { Autoplay, reducedMotion } from "../shell/dom.js";
import { showAddress } from "../shell/navigation.js";
import { announce } from "../shell/notices.js";
import { remember, remembered } from "../shell/storage.js";
import { socket } from "../socket.js";
import { change, state } from "../state.js";
import { t } from "../texts.js";
import { redraw } from "../view.js";
import { countWords, isOver, keepResult, ownBest } from "./teaser_results.js";

const STEP_MS = 350;
const REDUCED_STEP_MS = 100;
/** Depth of search, in swaps, for teasers that only the goal ends. */
const SWAPS_AHEAD = 3;
const LEVELS = ["easy", "medium", "hard", "expert"];

/** Plays the solution. */
export const watching = new Autoplay(redraw);

// Asks for the teasers of the day each time: the page may have been open since yesterday.
export async function loadToday() {
  try {
    const { teasers, levels } = await socket.request("teaser_today");
    change("teaser", { today: teasers, levels });
  } catch {
    return; // without a connection: it is asked for again when there is one
  }
}

// Opens the teaser that was open before a reload, with its moves.
export async function reopenTeaser() {
  const last = remembered("teaser");
  if (variants().includes(last?.teaser?.variant) && (await openTeaser(last.teaser, last.moves, last.help))) return;
  if (!state.teaser.position && socket.isOpen) openTeaser(firstOf(variants()[0]));
}

/** @param {Teaser} teaser @param {string[]} moves @param {TeaserState["help"]} help */
export function openTeaser(teaser, moves = [], help = "") {
  // Another kind may have to be compiled: meanwhile nothing is shown.
  if (teaser.variant !== state.teaser.position?.teaser.variant) change("teaser", { position: null, reply: null });
  return showTeaser({ teaser, moves }, { help });
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
  announce(position.solved ? solvedText() : countWords(position).join(", "));
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

export const variants = () => Object.keys(state.catalogue.positions);

/**
 * The teasers to choose from: then those of the day, and last the one that is shown, if it is another.
 * @param {string} variant
 */
export function knownIn(variant) {
  const { today, asked } = state.teaser;
  const all = [...state.catalogue.positions[variant], ...today.filter((one) => one.variant === variant)];
  return asked?.teaser.variant === variant && !all.some(isOpen) ? [...all, asked.teaser] : all;
}

/** Blocks, cars, tours and so on, as the teasers of the day name them. @param {Teaser} teaser */
export const kindOf = ({ goal }) => goal.split("-")[0];

/** @param {Teaser} teaser */
const isLeft = (teaser) => !isOpen(teaser) && ownBest(teaser) === undefined;

/** The easiest of some teasers. @param {Teaser[]} teasers @returns {Teaser | undefined} */
const easiest = (teasers) => [...teasers].sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level))[0];

/** The teaser with which a variant begins: an easy one that is not solved. @param {string} variant */
export function firstOf(variant) {
  const all = knownIn(variant);
  return all.find((one) => one.level === LEVELS[0] && isLeft(one)) ?? all.find(isLeft) ?? all[0];
}

/**
 * Opens one of the day while these are not solved, the easiest first; then one of the same kind and level.
 * @param {Teaser} teaser
 */
export async function openNext(teaser) {
  const found =
    easiest(state.teaser.today.filter(isLeft)) ??
    knownIn(teaser.variant).find((one) => isLeft(one) && one.level === teaser.level);
  if (found) await openTeaser(found);
  else await openNew(teaser, teaser.level);
}

/**
 * Opens another one of a kind and a level, if possible one that was not solved.
 * @param {Teaser} like
 * @param {string} level
 */
export async function openNew(like, level) {
  const answer = await socket.ask("teaser_list", { of: kindOf(like), level: level || LEVELS[0] });
  const isOther = (/** @type {Teaser} */ one) =>
    !isOpen(one) && !state.teaser.today.some(({ position }) => position === one.position);
  /** @type {Teaser[]} */
  const others = (answer?.teasers ?? []).filter(isOther);
  const fresh = others.filter(isLeft);
  const from = fresh.length ? fresh : others;
  if (from.length) await openTeaser(from[Math.floor(Math.random() * from.length)]);
}

/** @param {Teaser} teaser */
export const isOpen = ({ variant, position }) =>
  state.teaser.asked?.teaser.variant === variant && state.teaser.asked.teaser.position === position;
