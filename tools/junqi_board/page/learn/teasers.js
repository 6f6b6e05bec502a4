// The brain teasers: played by hand, with hints, or shown by a solver. A request has the teaser and the moves; the answer is
// what is shown.

import { reducedMotion, Autoplay } from "../shell/dom.js";
import { addFact, facts } from "../shell/store.js";
import { goToView, showAddress } from "../shell/navigation.js";
import { announce } from "../shell/notices.js";
import { example, generalsOf, PICTURED, TeaserBoard } from "../board/teaser_board.js";
import { Picture } from "../board/saying.js";
import { errorText, socket } from "../socket.js";
import { change, state } from "../state.js";
import { remember, remembered } from "../shell/storage.js";
import { Board } from "../board/svg_board.js";
import { capital, clauses, has, sentences, t } from "../texts.js";
import { html, redraw, Select, useEffect, useState } from "../view.js";

const PROGRESS_DELAY_MS = 250;
const STEP_MS = 350;
const REDUCED_STEP_MS = 100;
/** How many swaps are searched where nothing but the goal ends the teaser. */
const SWAPS_AHEAD = 3;
const LEVELS = ["easy", "medium", "hard", "expert"];

const board = new TeaserBoard("teaser-board", (move) => playTeaserMove(move));
/** Plays the solution. */
const watching = new Autoplay(redraw);

/** @type {View} */
export const teasers = {
  id: "teaser",
  isForHost: true,
  Component: Teasers,

  show() {
    if (!state.catalogue.isHost) return;
    loadToday();
    if (!state.teaser.position && !state.teaser.waits) reopenTeaser();
  },

  // What was asked for may have been lost with the connection.
  connected() {
    if (state.teaser.position) showTeaser(state.teaser.position);
    else if (state.view === teasers.id) this.show?.();
  },

  // The number of a teaser among those of its kind that the board knows.
  address() {
    const { variant = "", position } = state.teaser.position?.teaser ?? {};
    const number = (state.catalogue.positions[variant] ?? []).findIndex((one) => one.position === position) + 1;
    return number ? `teaser/${variant}-${number}` : "";
  },

  follow({ kind, id }) {
    const [, variant, number] = /^(.+)-(\d+)$/.exec(kind === "teaser" ? id : "") ?? [];
    const known = state.catalogue.positions[variant]?.[Number(number) - 1];
    if (!known) return false;
    if (!isOpen(known)) openTeaser(known);
    goToView(teasers.id);
    return true;
  },
};

// Asks for the teasers of the day each time: the page may have been open since yesterday.
async function loadToday() {
  try {
    const { teasers, levels } = await socket.request("teaser_today");
    change("teaser", { today: teasers, levels });
  } catch {
    return; // without a connection: it is asked for again when there is one
  }
}

// Opens the teaser that was open before a reload, with its moves.
async function reopenTeaser() {
  const last = remembered("teaser");
  if (variants().includes(last?.teaser?.variant) && (await openTeaser(last.teaser, last.moves, last.help))) return;
  if (!state.teaser.position && socket.isOpen) openTeaser(firstOf(variants()[0]));
}

/** @param {Teaser} teaser @param {string[]} moves @param {TeaserState["help"]} help */
function openTeaser(teaser, moves = [], help = "") {
  // Another kind may have to be compiled: meanwhile nothing is shown.
  if (teaser.variant !== state.teaser.position?.teaser.variant) change("teaser", { position: null, reply: null });
  return showTeaser({ teaser, moves }, { help });
}

/** @param {string} move */
const playTeaserMove = (move) => state.teaser.asked && showTeaser({ ...state.teaser.asked, moves: withMove(state.teaser.asked, move) });

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
async function showTeaser({ teaser, moves }, changes = {}) {
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
  change("teaser", { position, solution: goesOn ? solution.slice(1) : [], reply: goesOn && !isLast ? state.teaser.reply : null, ...changes });
  remember("teaser", { teaser, moves, help: state.teaser.help });
  announce(position.solved ? t("teaser.solved") : countWords(position).join(", "));
  showAddress();
  return true;
}

/** Asks the solver. @param {"hint" | "solution"} what */
async function askSolver(what) {
  const asked = /** @type {TeaserPlace} */ (state.teaser.asked);
  const { variant, swaps } = asked.teaser;
  const depth = variant !== "match3" ? 0 : swaps ? swaps - asked.moves.length : SWAPS_AHEAD;
  const reply = await askEngine("teaser_solve", { ...asked }, "working", { what, depth });
  if (!reply) return;
  const isWhole = what === "solution";
  change("teaser", { reply, help: isWhole ? what : state.teaser.help || what, solution: isWhole ? reply.moves : [] });
}

/**
 * Asks the engine about a teaser after its moves. Null if it could not answer, or if something else was asked meanwhile.
 * @param {"teaser_show" | "teaser_solve"} type
 * @param {TeaserPlace} asked
 * @param {"setting" | "working"} waits
 * @param {Record<string, any>} more
 */
async function askEngine(type, asked, waits, more = {}) {
  change("teaser", { asked, waits });
  const { teaser: { variant, position }, moves } = asked;
  const answer = await socket.request(type, { variant, position, moves: moves.join(" "), ...more }).catch((error) => ({ ...error, type: "error" }));
  const { position: shown, reply } = state.teaser;
  if (state.teaser.asked !== asked) return null;
  change("teaser", { waits: "" });
  if (answer.type !== "error") return answer;
  watching.halt();
  change("teaser", { asked: shown ?? asked, reply: answer.code === "lost" ? reply : answer });
  return null;
}

// Plays the solution, which is asked for if there is none.
async function watchSolution() {
  if (!state.teaser.solution.length) await askSolver("solution");
  const step = async () => (await playTeaserMove(state.teaser.solution[0])) === true && state.teaser.solution.length > 0;
  if (state.teaser.solution.length) watching.start(step, () => (reducedMotion.matches ? REDUCED_STEP_MS : STEP_MS));
}

function stopSolver() {
  watching.halt();
  socket.send("teaser_stop");
}

// What is known of the teasers.

const variants = () => Object.keys(state.catalogue.positions);

/**
 * The teasers to choose from: then those of the day, and last the one that is shown, if it is another.
 * @param {string} variant
 */
function knownIn(variant) {
  const { today, asked } = state.teaser;
  const all = [...state.catalogue.positions[variant], ...today.filter((one) => one.variant === variant)];
  return asked?.teaser.variant === variant && !all.some(isOpen) ? [...all, asked.teaser] : all;
}

/** Blocks, cars, tours and so on, as the teasers of the day name them. @param {Teaser} teaser */
const kindOf = ({ goal }) => goal.split("-")[0];

/** @param {Teaser} teaser */
const isLeft = (teaser) => !isOpen(teaser) && ownBest(teaser) === undefined;

/** The easiest of some teasers. @param {Teaser[]} teasers @returns {Teaser | undefined} */
const easiest = (teasers) => [...teasers].sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level))[0];

/** The teaser with which a variant begins: an easy one that is not solved. @param {string} variant */
function firstOf(variant) {
  const all = knownIn(variant);
  return all.find((one) => one.level === LEVELS[0] && isLeft(one)) ?? all.find(isLeft) ?? all[0];
}

/**
 * Opens one of the day while these are not solved, the easiest first; then one of the same kind and level.
 * @param {Teaser} teaser
 */
async function openNext(teaser) {
  const found = easiest(state.teaser.today.filter(isLeft)) ?? knownIn(teaser.variant).find((one) => isLeft(one) && one.level === teaser.level);
  if (found) await openTeaser(found);
  else await openNew(teaser, teaser.level);
}

/**
 * Opens another one of a kind and a level, if possible one that was not solved.
 * @param {Teaser} like
 * @param {string} level
 */
async function openNew(like, level) {
  const answer = await socket.ask("teaser_list", { of: kindOf(like), level: level || LEVELS[0] });
  const isOther = (/** @type {Teaser} */ one) => !isOpen(one) && !state.teaser.today.some(({ position }) => position === one.position);
  /** @type {Teaser[]} */
  const others = (answer?.teasers ?? []).filter(isOther);
  const fresh = others.filter(isLeft);
  const from = fresh.length ? fresh : others;
  if (from.length) await openTeaser(from[Math.floor(Math.random() * from.length)]);
}

/** @param {Teaser} teaser */
const isOpen = ({ variant, position }) => state.teaser.asked?.teaser.variant === variant && state.teaser.asked.teaser.position === position;

/** Whether nothing remains to be done. @param {TeaserPosition} position */
const isOver = ({ solved, teaser: { swaps }, moves }) => solved || (swaps > 0 && moves.length >= swaps);

/** The moves that were needed, or the points where these count. @param {TeaserPosition} position */
const resultOf = ({ teaser, points, moves }) => (teaser.swaps ? (points ?? 0) : moves.length);

/** @param {Teaser} teaser @param {number} result */
const resultText = ({ swaps }, result) => t(swaps ? "teaser.points" : "count.moves", { n: result });

// What the person has solved in any visit.

const MOST_STARS = 3;
/** With so much more than the fewest moves there are two stars, with more one. */
const TWO_STARS = 1.25;

/** The name under which a solved teaser is kept. @param {Teaser} teaser */
const keyOf = ({ variant, position }) => [variant, position, variant === "klotski" ? "move" : ""].join("|");

/**
 * The person's least number of moves, or most points; undefined if the teaser has not been solved.
 * @param {Teaser} teaser
 * @returns {number | undefined}
 */
const ownBest = (teaser) => facts("solved")[keyOf(teaser)];

/**
 * How far a result is from another one of the teaser: more than 1 if it is worse.
 * @param {Teaser} teaser
 * @param {number} result
 * @param {number} other
 */
const farness = ({ swaps }, result, other) => (swaps ? other / Math.max(result, 1) : result / other);

/** @param {TeaserPosition} position */
function keepResult(position) {
  const { teaser } = position;
  const [result, before] = [resultOf(position), ownBest(teaser)];
  if (before !== undefined && farness(teaser, result, before) >= 1) return;
  addFact("solved", keyOf(teaser), result);
}

/**
 * Three stars for a best result, a tick where the best is not known.
 * @param {Teaser} teaser
 * @param {number | undefined} result undefined for no stars
 */
function starsOf(teaser, result) {
  if (result === undefined) return "";
  if (teaser.best === null) return "✓";
  const far = farness(teaser, result, teaser.best);
  const stars = far <= 1 ? MOST_STARS : far <= TWO_STARS ? 2 : 1;
  return "★".repeat(stars) + "☆".repeat(MOST_STARS - stars);
}

// How it looks.

function Teasers() {
  const { asked, position, reply, today } = state.teaser;
  const hint = reply?.type === "teaser_solution" && reply.what === "hint" ? reply.moves[0] : undefined;
  const value = { position, isOver: position !== null && isOver(position), hint };
  return html`
    <div class="stage"><${Board} board=${board} value=${value} /></div>
    <aside class="panel">
      <${TeaserStatus} position=${position} />
      ${asked && html`
        <${TeaserCard} teaser=${asked.teaser} />
        <${Controls} asked=${asked} />
      `}
      <${Reply} />
      ${today.length > 0 && html`<${Today} />`}
    </aside>
  `;
}

/** The moves, and the points of a teaser that has points. @param {TeaserPosition} position */
const countWords = ({ moves, points }) => [t("count.moves", { n: moves.length }), ...(points === null ? [] : [t("teaser.points", { n: points })])];

/** @param {{ position: TeaserPosition | null }} props */
function TeaserStatus({ position }) {
  const words = position ? countWords(position) : [t("teaser.setting")];
  if (position?.solved) words.push(t("teaser.solved"));
  else if (position && !isOver(position) && !position.choices.length) words.push(t("teaser.stuck"));
  return html`<p class="status ${position && isOver(position) ? "mine" : ""}" id="teaser-status" role="status">${words.join(" · ")}</p>`;
}

/** Which teaser it is, its goal, the best that is known, and how it ended. @param {{ teaser: Teaser }} props */
function TeaserCard({ teaser }) {
  const { position, help } = state.teaser;
  const all = knownIn(teaser.variant);
  const isOfGenerals = position?.teaser === teaser && generalsOf(position).size > 0;
  return html`<div class="card">
    <p id="teaser-goal" class="task">${t(`teaser.goal.${isOfGenerals ? "huarongdao" : teaser.goal}`, { n: teaser.swaps })}</p>
    ${PICTURED.includes(teaser.variant) && html`<div class="row rule">
      <p>${t(`teaser.rule.${teaser.variant}`)}</p>
      <${Picture} name=${teaser.variant} draw=${() => example(teaser.variant)} />
    </div>`}
    <p id="teaser-best" class="soft">${recordsText(teaser)}</p>
    ${position && isOver(position) && position.moves.length > 0 && html`<div id="teaser-done" class="done-card" role="status">
      <b>${doneText(position)}</b> <span id="teaser-stars" class="stars">${!help && starsOf(teaser, resultOf(position))}</span>
      <button class="main" onClick=${() => openNext(teaser)}>${t("teaser.next")}</button>
    </div>`}
    <div class="grid pair">
      <${Select}
        id="teaser-variant"
        label=${t("teaser.kind")}
        value=${teaser.variant}
        entries=${variants().map((variant) => [variant, t(`teaser.name.${variant}`)])}
        onPick=${(/** @type {string} */ variant) => openTeaser(firstOf(variant))}
      />
      <${Select}
        id="teaser-known"
        label=${t("teaser.which")}
        value=${String(all.findIndex(isOpen))}
        entries=${all.map((one, index) => [String(index), `${nameOf(one)} ${starsOf(one, ownBest(one))}`.trim()])}
        onPick=${(/** @type {string} */ index) => openTeaser(all[Number(index)])}
      />
    </div>
    <${New} like=${teaser} />
  </div>`;
}

/** Another teaser of the kind, of a level to choose. @param {{ like: Teaser }} props */
function New({ like }) {
  const levels = state.teaser.levels[kindOf(like)] ?? [];
  const [wanted, want] = useState("");
  const level = [wanted, like.level].find((one) => levels.includes(one)) ?? levels[0] ?? "";
  return html`<div class="grid pair new">
    <${Select} id="teaser-level" label=${t("teaser.level")} value=${level} entries=${levels.map((one) => [one, capital(t(`difficulty.${one}`))])} onPick=${want} />
    <button id="teaser-new" disabled=${!levels.length} onClick=${() => openNew(like, level)}>${t("teaser.new")}</button>
  </div>`;
}

/** A teaser of the day is named by its kind where its variant has several. @param {Teaser} known */
function nameOf(known) {
  const { today } = state.teaser;
  if (!today.includes(known)) return has(`teaser.today.${known.name}`) ? `${t(`teaser.today.${known.name}`)}, ${t(`difficulty.${known.level}`)}` : known.name;
  return today.filter(({ variant }) => variant === known.variant).length > 1 ? t("teaser.today.of", { kind: t(`teaser.today.${known.name}`) }) : t("teaser.today.one");
}

/** How hard it is, the best that is known, and the person's own. @param {Teaser} teaser */
function recordsText(teaser) {
  const { level, best } = teaser;
  const own = ownBest(teaser);
  const words = [];
  if (best !== null) words.push(t("teaser.best", { what: resultText(teaser, best) }));
  if (own !== undefined) words.push(t("teaser.own", { what: resultText(teaser, own) }));
  const records = words.length ? [t("sentence", { text: clauses(...words) })] : [];
  return sentences(...(level ? [t("difficulty.is", { level: t(`difficulty.${level}`) })] : []), ...records);
}

/** @param {TeaserPosition} position */
function doneText(position) {
  const { teaser } = position;
  const result = resultOf(position);
  const alone = teaser.best === null ? "done" : farness(teaser, result, teaser.best) <= 1 ? "doneBest" : "doneMore";
  const key = { hint: "doneHelped", solution: "doneShown", "": alone }[state.teaser.help];
  return t(`teaser.${key}`, { what: resultText(teaser, result), best: resultText(teaser, teaser.best ?? 0) });
}

/** @param {{ asked: TeaserPlace }} props */
function Controls({ asked }) {
  const { position, waits } = state.teaser;
  const isWaiting = waits !== "" && !watching.isOn;
  const isBusy = waits === "working" || watching.isOn;
  const isFirst = !position?.moves.length;
  const isDone = !position || isOver(position);
  return html`<div class="row even" id="teaser-controls">
    <button id="teaser-back" disabled=${isWaiting || isFirst} onClick=${() => showTeaser({ ...asked, moves: asked.moves.slice(0, -1) })}>${t("teaser.undo")}</button>
    <button id="teaser-restart" disabled=${isWaiting || isFirst} onClick=${() => openTeaser(asked.teaser)}>${t("teaser.restart")}</button>
    <button id="teaser-hint" disabled=${isWaiting || isBusy || isDone} onClick=${() => askSolver("hint")}>${t("teaser.hint")}</button>
    ${isBusy && html`<button onClick=${stopSolver}>${t("stop")}</button>`}
    ${!isBusy && html`<button id="teaser-watch" disabled=${isWaiting || isDone} onClick=${watchSolution}>${t("teaser.watch")}</button>`}
  </div>`;
}

/** What the engine has said, or that it is at work, if that takes a while. */
function Reply() {
  const { waits, reply, position } = state.teaser;
  const isLate = useLate(waits !== "");
  return html`
    ${isLate && html`<progress></progress>`}
    <p id="teaser-answer" class="answer ${reply?.type === "error" && !isLate ? "bad" : ""}" role="status">
      ${isLate ? t(`teaser.${waits}`) : reply ? replyText(reply) : position && gainText(position)}
    </p>
  `;
}

/** Whether something has lasted for a while. @param {boolean} isOn */
function useLate(isOn) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(isOn), isOn ? PROGRESS_DELAY_MS : 0);
    return () => clearTimeout(timer);
  }, [isOn]);
  return isOn && isLate;
}

/** What the last swap of match-3 has earned, and for what. @param {TeaserPosition} position */
function gainText({ moves, waves: [own, ...fallen] }) {
  const more = fallen.reduce((sum, one) => sum + one, 0);
  return moves.length && own ? t(more ? "teaser.gain.chain" : "teaser.gain", { n: own + more, own, more }) : "";
}

/** @param {SolverReply | TeaserFault} reply */
function replyText(reply) {
  if (reply.type === "error") return errorText(reply);
  const { what, moves, left, said } = reply;
  if (!moves.length) return t("teaser.nothing", { text: said.join("; ") });
  const isMatch = state.teaser.asked?.teaser.variant === "match3";
  const { solution, position } = state.teaser;
  // A teaser without an end has no card that says so.
  if (what === "solution" && !solution.length) return t("teaser.doneShown", { what: t("teaser.points", { n: position?.points ?? 0 }) });
  if (what === "solution") return t(isMatch ? "teaser.foundBest" : "teaser.found", { n: state.teaser.solution.length });
  return sentences(t("teaser.hintIs"), ...(left ? [t(isMatch ? "teaser.leftPoints" : "teaser.found", { n: left })] : []));
}

const Today = () => html`<div class="card" id="teaser-today">
  <h2>${t("teaser.today")}</h2>
  <div id="teaser-today-list" class="row even three">${state.teaser.today.map((one) => html`<${OfToday} known=${one} />`)}</div>
</div>`;

/** @param {{ known: Teaser }} props */
const OfToday = ({ known }) => html`<button class="chip" aria-pressed=${String(isOpen(known))} onClick=${() => openTeaser(known)}>
  <b>${t(`teaser.today.${known.name}`)}</b>
  <span class="soft">${t(`difficulty.${known.level}`)}</span>
  <span class="stars">${starsOf(known, ownBest(known))}</span>
</button>`;
