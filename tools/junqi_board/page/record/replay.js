// The position that is shown: the present one of the game at the table, an earlier one, or one of a record.

import { boardOf, teamOf } from "../board/boards.js";
import { address } from "../shell/address.js";
import { $, Autoplay } from "../shell/dom.js";
import { goToView, showAddress, turnTo } from "../shell/navigation.js";
import { warn } from "../shell/notices.js";
import { remember, remembered } from "../shell/storage.js";
import { kept } from "../shell/store.js";
import { showError, socket } from "../socket.js";
import { change, FIRST, set, state } from "../state.js";
import { t } from "../texts.js";
import { redraw, redrawNow } from "../view.js";

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
  // In an own game the seats keep their names and colours, whoever the viewer is.
  const mine = isTable() ? (game?.mine ?? "") : record?.mine || (viewer === EVERYONE ? "" : viewer);
  const data = boardOf((isTable() ? game?.variant : record?.variant) ?? "");
  return data && { data, seat: mine[0] ?? "S", mine, team: teamOf(data, mine[0]), pov: { mine, seats: data.seats } };
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
export async function goToMove(ply, comparison = null) {
  autoplay.halt();
  await showPosition(ply, comparison);
}

/** Steps from the place that was asked for last, so that quick presses add up. @param {number} plies */
export const stepBy = (plies) => goToMove((state.shown.awaited?.at ?? placeShown()) + plies);

/**
 * @param {number} ply
 * @param {Shown["comparison"]} comparison
 * @param {string} viewer which changes together with the scene
 */
async function showPosition(ply, comparison = null, viewer = state.shown.awaited?.viewer ?? state.shown.viewer) {
  const count = movesShown().length;
  const at = Math.max(0, Math.min(ply, count));
  const { record } = state.shown;
  if (isTable() && at === count && (!record || viewer === ownViewer()))
    return change("shown", { at: null, scene: null, comparison: null, viewer, awaited: null });
  const awaited = { at, viewer };
  change("shown", { awaited });
  try {
    const scene = await socket.request("scene", { ply: at, viewer: record ? viewer : "" });
    // Only the last answer counts.
    if (awaited !== state.shown.awaited) return;
    change("shown", { at, scene, comparison, viewer, awaited: null });
    if (record && !state.shown.ofGame) remember("replay", { line: record.line, at, viewer, name: state.shown.name });
    showAddress();
    redrawNow();
  } catch (error) {
    autoplay.halt();
    showError(error);
    if (awaited === state.shown.awaited) change("shown", { awaited: null });
  }
}

/** Shows a move again, as it happened. @param {number} ply */
export async function playAgain(ply) {
  $("play-board").scrollIntoView({ block: "nearest" });
  await goToMove(ply - 1);
  await showPosition(ply);
}

export const autoplay = new Autoplay(redraw);

export async function playRecord() {
  if (placeShown() >= movesShown().length) await showPosition(0);
  const step = async () => {
    await showPosition(placeShown() + 1);
    return placeShown() < movesShown().length;
  };
  autoplay.start(step, () => 1000 * pace_s());
}

export const pace_s = () => Number(kept("replayPace", STEP_S));

/** Shows the position to another viewer. @param {string} viewer */
export async function showViewer(viewer) {
  await showPosition(placeShown(), null, viewer);
  await askRecordStory();
}

async function askRecordStory() {
  const { record, viewer } = state.shown;
  const answer = await socket.ask("story", { viewer });
  if (answer && record === state.shown.record && viewer === state.shown.viewer)
    change("shown", { story: answer.entries });
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
async function openNextRecord(line, { at = 0, ...about }, file) {
  // Another record has been chosen meanwhile, or another game has come.
  const isOld = () => about.ofGame && (!isTable() || about.ofGame !== state.table.game?.game);
  if (isOld()) return false;
  autoplay.halt();
  // A record that cannot be opened changes nothing.
  const answer = await socket.request("replay_open", { line: line.trim() }).catch((error) => refuseRecord(error, file));
  if (!answer || isOld()) return false;
  const viewer = about.viewer && answer.viewers.includes(about.viewer) ? about.viewer : EVERYONE;
  set({ shown: { ...FIRST.shown, ...about, at, viewer, record: { ...answer, line: line.trim() } } });
  await Promise.all([at === null ? null : showPosition(at), askRecordStory()]);
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
  if (!(await openRecord(lines[0] ?? "", { ...about, lines }, file))) return false;
  goToView("play");
  return true;
}

/** Opens another game of the file. @param {number} index */
export function openLine(index) {
  const { lines, viewer } = state.shown;
  return openRecord(lines[index] ?? "", { lines, index, viewer });
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
    at: state.shown.at,
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
  return answer && openText(answer.line);
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
  if (record) openRecord(record.line, { ...about, at });
  else if (typeof last?.line === "string" && address.place?.kind !== "game") openRecord(last.line, last);
}

export const recordPath = () =>
  state.shown.record && state.shown.name && state.shown.at !== null ? `game/${state.shown.name}#${state.shown.at}` : "";

/** Left, Right, Home and End step wherever the focus is, but for what uses them itself. @param {KeyboardEvent} event */
export function stepByKey(event) {
  const isElsewhere = state.view !== "play" || !state.shown.record || document.querySelector("dialog[open]");
  const isTaken = /** @type {Element} */ (event.target).matches(
    "input:not([type=range]), textarea, select, [role=tab]",
  );
  if (isElsewhere || isTaken || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const plies = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
  if (plies === undefined) return;
  stepBy(plies);
  event.preventDefault();
  event.stopPropagation();
}
