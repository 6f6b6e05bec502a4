// The position that is shown: the present one of the game at the table, an earlier one, or one of a record.

import { boardOf, teamOf } from "../board/boards.js";
import { $, Autoplay } from "../shell/dom.js";
import { goToView, showAddress, turnTo } from "../shell/navigation.js";
import { warn } from "../shell/notices.js";
import { address, remember, remembered } from "../shell/storage.js";
import { setting } from "../shell/store.js";
import { showError, socket } from "../socket.js";
import { change, FIRST, set, state } from "../state.js";
import { t } from "../texts.js";
import { redraw, redrawNow } from "../view.js";
import { povOf } from "../voice.js";
import { beginningOf, capturesOf, variationOf, variationsAt, variationsFor } from "./variations.js";

export const EVERYONE = "*";
const STEP_S = 1;

/** Whether the game at the table is shown, and not another record. */
export const isTable = () => !state.shown.record || state.shown.ofGame === state.table.game?.game;

/** The moves of what is shown. @returns {string[]} */
export const movesShown = () => (isTable() ? state.table.game?.moves : state.shown.record?.moves) ?? [];

/** After how many of them. */
export const placeShown = () => state.shown.at ?? movesShown().length;

/** The variant, the seat at the bottom, the seats of the pov and its team. */
export function viewpoint() {
  const { record, viewer } = state.shown;
  const { game } = state.table;
  // In the person's own game the seats keep their names and colours for every viewer.
  const mine = isTable() ? (game?.mine ?? "") : record?.mine || (viewer === EVERYONE ? "" : viewer);
  const data = boardOf((isTable() ? game?.variant : record?.variant) ?? "");
  if (!data) return undefined;
  const pov = isTable() && game ? povOf(game, data) : { mine, seats: data.seats };
  return { data, seat: mine[0] ?? "S", mine, team: teamOf(data, mine[0]), pov };
}

/** The viewer that the person is in the game at the table. */
function ownViewer() {
  const { viewer = "", variant = "" } = state.table.game ?? {};
  return viewer.length === boardOf(variant)?.seats.length ? EVERYONE : viewer;
}

/**
 * What is shown once the game at the table has a new state. An earlier position of it stays shown while the game goes
 * on; that of another game does not.
 * @param {GameState} game
 * @returns {Shown}
 */
export function shownWith({ game, moves = [], phase, last }) {
  const { shown, table } = state;
  if (shown.record && shown.ofGame !== game) return shown.ofGame ? FIRST.shown : shown;
  const isSame = table.game?.game === game;
  const hasEnded = phase === "over" && table.game?.phase !== "over";
  const isPast = isSame && !hasEnded && shown.at !== null && shown.at < moves.length;
  const before = isSame ? shown.story.slice(0, moves.length) : [];
  const story = last && before.length === moves.length - 1 ? [...before, last] : before;
  return { ...shown, story: isWhole(story, moves) ? story : [], ...(!isPast && { at: null, comparison: null }) };
}

/** @param {LastMove[]} story @param {string[]} moves */
const isWhole = (story, moves) =>
  story.length === moves.length && story.every(({ text }, index) => text === moves[index]);

/** Asks for what all moves of the game at the table did, if that is not known. */
export async function askStory() {
  const { game } = state.table;
  if (!game || state.shown.record || isWhole(state.shown.story, game.moves ?? [])) return;
  const answer = await socket.ask("story", { viewer: "" });
  if (answer && game.game === state.table.game?.game && !state.shown.record) change("shown", { story: answer.entries });
}

/**
 * Shows the position after some moves.
 * @param {number} ply
 * @param {Shown["comparison"]} comparison the moves that arrows show
 */
export const goToMove = (ply, comparison = null) => goToSpot({ at: ply, comparison });

/** Shows a position of the game, or of a variation. @param {Partial<Spot> & Pick<Spot, "at">} spot */
export async function goToSpot(spot) {
  autoplay.halt();
  await showPosition(spot);
}

/** Steps from the place that was asked for last, so that quick presses add up. @param {number} plies */
export function stepBy(plies) {
  const { at, variation: id, step } = state.shown.awaited ?? { ...state.shown, at: placeShown() };
  const variation = variationOf(id);
  if (!variation) return goToMove(at + plies);
  const to = Math.min(step + plies, variation.moves.length);
  return goToSpot(to > variation.from ? { at, variation: id, step: to } : beginningOf(variation));
}

/** Leaves a variation, which stays in the list, for the position where it begins. */
export function leaveVariation() {
  const variation = variationOf(state.shown.variation);
  if (variation) goToSpot(beginningOf(variation));
}

/** Goes into the first variation that begins at the position that is shown. */
function enterVariation() {
  const { variation, step } = state.shown;
  const [first] = variationsAt({ at: placeShown(), variation, step });
  if (first) goToSpot({ at: first.at, variation: first.id, step: first.from + 1 });
}

/** @param {Partial<Spot> & Pick<Spot, "at">} spot whose viewer changes together with the scene */
async function showPosition({ comparison = null, variation = 0, step = 0, ...spot }) {
  const { record, awaited } = state.shown;
  const count = movesShown().length;
  const at = Math.max(0, Math.min(spot.at, count));
  const viewer = spot.viewer ?? awaited?.viewer ?? state.shown.viewer;
  const now = { at, viewer, comparison, variation, step };
  if (isTable() && at === count && !variation && (!record || viewer === ownViewer()))
    return change("shown", { ...now, at: null, scene: null, awaited: null });
  change("shown", { awaited: now });
  // They are about the position before.
  change("study", { outcomes: [], error: null });
  if (!awaited) positions.shown = showAwaited();
  await positions.shown;
}

/** Resolved when what was asked for is shown. */
const positions = { shown: Promise.resolve() };

/** Shows one position after the other while a key is held down, and at last the one that was asked for last. */
async function showAwaited() {
  const { record } = state.shown;
  const game = state.table.game?.game;
  const isOther = () => record !== state.shown.record || (!record && game !== state.table.game?.game);
  while (state.shown.awaited && !isOther()) {
    const { awaited } = state.shown;
    try {
      const scene = await sceneOfSpot(awaited, record);
      if (!state.shown.awaited || isOther()) return;
      const isLast = awaited === state.shown.awaited;
      change("shown", { ...awaited, scene, awaited: isLast ? null : state.shown.awaited });
      if (isLast) rememberPlace();
      redrawNow();
    } catch (error) {
      autoplay.halt();
      showError(error);
      if (!isOther()) change("shown", { awaited: null });
    }
  }
}

/** @param {Spot} spot @param {OpenRecord | null} record @returns {Promise<Scene>} */
async function sceneOfSpot({ at, viewer, variation: id, step }, record) {
  const variation = variationOf(id);
  const inRecord = () => socket.request("scene", { ply: at, viewer: record ? viewer : "" });
  if (!record || (record.line && !variation)) return inRecord();
  const moves = variation?.moves.slice(0, step) ?? [];
  const fields = { variant: record.variant, fen: variation?.fen ?? record.fen, moves: moves.join(" ") };
  const [scene, before] = await Promise.all([socket.request("study_show", fields), record.line ? inRecord() : null]);
  const captured = variation?.entries.slice(0, step).flatMap(capturesOf) ?? [];
  return { ...scene, removed: [...(before?.removed ?? []), ...captured] };
}

/** A reload, and the address, lead to what is shown. */
function rememberPlace() {
  const { record, ofGame, at, viewer, name, variation, step } = state.shown;
  if (record && !ofGame) {
    const { line, variant, fen, mine, problem } = record;
    remember("replay", { line, variant, fen, mine, problem, at, viewer, name, variation, step });
  }
  showAddress();
}

/** Shows a move again, as it happened. @param {number} ply */
export async function playAgain(ply) {
  $("play-board").scrollIntoView({ block: "nearest" });
  await goToMove(ply - 1);
  await showPosition({ at: ply });
}

export const autoplay = new Autoplay(redraw);

export async function playRecord() {
  if (placeShown() >= movesShown().length) await showPosition({ at: 0 });
  const step = async () => {
    await showPosition({ at: placeShown() + 1 });
    return placeShown() < movesShown().length;
  };
  autoplay.start(step, () => 1000 * pace_s());
}

export const pace_s = () => Number(setting("replayPace", STEP_S));

/** Shows the position to another viewer. @param {string} viewer */
export async function showViewer(viewer) {
  await showPosition({ at: placeShown(), viewer });
  await askRecordStory();
}

async function askRecordStory() {
  const { record, viewer, truth } = state.shown;
  const askStoryOf = (/** @type {string} */ one) => socket.ask("story", { viewer: one });
  const isOpen = truth.length > 0 || viewer === EVERYONE;
  const [open, start, seen] = await Promise.all([
    isOpen ? null : askStoryOf(EVERYONE),
    isOpen ? null : socket.ask("scene", { ply: 0, viewer: EVERYONE }),
    askStoryOf(viewer),
  ]);
  if (!seen || record !== state.shown.record || viewer !== state.shown.viewer) return;
  const entries = viewer === EVERYONE ? seen.entries : (open?.entries ?? truth);
  const letters = start && Object.fromEntries(start.pieces.map((/** @type {Piece} */ piece) => [piece[1], piece[3]]));
  change("shown", { story: seen.entries, truth: entries, letters: letters ?? state.shown.letters });
}

/** Says why a record cannot be opened, and in which file it is. @param {RequestError} error @param {string} file */
function refuseRecord(error, file) {
  if (file && error.code === "bad-message") warn(() => t("replay.noGame", { name: file }));
  else if (file && error.code === "bad-record")
    warn(() => t("replay.badFile", { name: file, reason: error.text }));
  else showError(error);
}

/** The record that is being opened: the server has one at a time. @type {Promise<boolean>} */
let opening = Promise.resolve(false);

/** The connection over which a record was opened last. */
const server = { connection: /** @type {WebSocket | null} */ (null) };

/**
 * Opens a record on the server and shows it; whether that is possible.
 * @param {string} line
 * @param {Partial<Shown>} about
 * @param {string} [file] from which it comes
 */
function openRecord(line, about, file = "") {
  opening = opening.then(() => openNextRecord(line, about, file));
  return opening;
}

/** @param {string} line @param {Partial<Shown>} about @param {string} file @returns {Promise<boolean>} */
async function openNextRecord(line, { at: first = 0, variation = 0, step = 0, ...about }, file) {
  // Another record has been chosen meanwhile, or another game has come.
  const isOld = () => about.ofGame && (!isTable() || about.ofGame !== state.table.game?.game);
  if (isOld()) return false;
  autoplay.halt();
  // A record that cannot be opened changes nothing.
  const answer = await socket.request("replay_open", { line: line.trim() }).catch((error) => refuseRecord(error, file));
  if (!answer || isOld()) return false;
  server.connection = socket.connection;
  const viewer = about.viewer && answer.viewers.includes(about.viewer) ? about.viewer : EVERYONE;
  const record = { ...answer, line: line.trim(), fen: "" };
  // A game that has just ended may have been stepped through meanwhile.
  const { at } = about.ofGame ? (state.shown.awaited ?? state.shown) : { at: first };
  set({ shown: { ...FIRST.shown, ...about, at, viewer, record }, study: studyOf(record) });
  const spot = variationOf(variation)?.at === at ? { variation, step } : {};
  await Promise.all([at === null ? null : showPosition({ at, ...spot }), askRecordStory()]);
  return true;
}

/**
 * Opens the first game of a file in the view of the game.
 * @param {string} text
 * @param {Partial<Shown>} about
 * @param {string} [file] its name
 */
export async function openText(text, about = {}, file = "") {
  const lines = text.split("\n").filter((line) => line.trim());
  const { view } = state;
  if (!(await openRecord(lines[0] ?? "", { ...about, lines }, file))) return false;
  // Meanwhile the person may have gone elsewhere.
  if (state.view === view) goToView("play");
  if (file) await keepRecord();
  return true;
}

/** Keeps the record of a file in Games, and shows its address. */
async function keepRecord() {
  const { record } = state.shown;
  const answer = state.catalogue.isHost && record && (await socket.ask("library_add", { line: record.line }));
  if (!answer?.name || record !== state.shown.record) return;
  change("shown", { name: answer.name.replace(/\.jsonl$/, "") });
  rememberPlace();
}

/** The study of a record with its variations; whether the engine is on remains. @param {OpenRecord} record */
const studyOf = (record) => ({ ...FIRST.study, isOn: state.study.isOn, variations: variationsFor(record) });

/**
 * Opens a position in the view of the game; rejected if it is none.
 * @param {string} variant
 * @param {string} fen empty for the start of a game
 * @param {Partial<Shown> & Pick<OpenRecord, "problem"> & { mine?: string }} [spot] the variation that is shown; of a
 *   problem its id and the person's seats
 */
export async function openPosition(variant, fen, { variation = 0, step = 0, mine = "", problem } = {}) {
  autoplay.halt();
  const scene = await socket.request("study_show", { variant, fen, moves: "" });
  const about = { surrendered: false, names: {}, moves: [], result: "", ending: "", viewers: [EVERYONE] };
  const record = { ...about, mine, problem, line: "", variant, fen: scene.fen };
  const shown = { ...FIRST.shown, record, viewer: EVERYONE, at: 0, scene };
  set({ shown, study: studyOf(record) });
  if (variationOf(variation)) await goToSpot({ at: 0, variation, step });
  rememberPlace();
  return true;
}

/** Opens another game of the file. @param {number} index */
export async function openLine(index) {
  const { lines, viewer } = state.shown;
  if (await openRecord(lines[index] ?? "", { lines, index, viewer })) await keepRecord();
}

/** Opens the record of the game at the table, which is over: it can be shown to any viewer. */
export async function openOwn() {
  const { game } = state.table;
  const answer = await socket.ask("record");
  if (!answer || !game || game.game !== state.table.game?.game || !isTable()) return;
  const name = game.saved?.match(/([\w-]+)\.jsonl$/)?.[1] ?? "";
  await openRecord(answer.line, {
    name,
    ofGame: game.game,
    viewer: ownViewer(),
    story: state.shown.story,
  });
}

export function closeRecord() {
  if (isTable()) return;
  autoplay.halt();
  remember("replay", null);
  set({ shown: FIRST.shown });
  askStory();
  showAddress();
}

/** Opens a file of records, or a .jgs file, which the server converts to a record. @param {File} file */
export async function openFile(file) {
  if (!file.name.toLowerCase().endsWith(".jgs")) return openText(await file.text(), {}, file.name);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const data = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const answer = await socket.request("replay_convert", { data }).catch((error) => refuseRecord(error, file.name));
  return answer && openText(answer.line, {}, file.name);
}

export async function openGiven() {
  const answer = await socket.ask("replay_given");
  if (!answer) return;
  turnTo("play");
  await openText(answer.lines.join("\n"));
}

/** The server forgets the record when the connection is lost, and the page when it is loaded again. */
export function reopenRecord() {
  const { record, at, ...about } = state.shown;
  const last = remembered("replay");
  // The view may be loaded after a record was opened for it.
  if (record && server.connection === socket.connection) return;
  if (record?.line) openRecord(record.line, { ...about, at });
  else if (record || typeof last?.line !== "string" || address.place?.kind === "game") return;
  else if (last.line) openRecord(last.line, last);
  else if (last.variant in state.catalogue.tables) openPosition(last.variant, last.fen, last).catch(showError);
}

export const recordPath = () =>
  state.shown.record && state.shown.name && state.shown.at !== null ? `game/${state.shown.name}#${state.shown.at}` : "";

/**
 * Left, Right, Home and End step wherever the focus is, but for what uses them itself, as a board that was reached with
 * Tab; with Shift, Right goes into a variation and Left leaves it.
 * @param {KeyboardEvent} event
 */
export function stepByKey(event) {
  const isElsewhere = state.view !== "play" || !state.shown.record || document.querySelector("dialog[open]");
  const isTaken = /** @type {Element} */ (event.target).matches(
    "input:not([type=range], [type=checkbox]), textarea, select, [role=tab], .board.by-keys",
  );
  if (isElsewhere || isTaken || event.altKey || event.ctrlKey || event.metaKey) return;
  const plies = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
  if (plies === undefined || (event.shiftKey && Math.abs(plies) > 1)) return;
  if (!event.shiftKey) stepBy(plies);
  else if (plies > 0) enterVariation();
  else leaveVariation();
  event.preventDefault();
  event.stopPropagation();
}
