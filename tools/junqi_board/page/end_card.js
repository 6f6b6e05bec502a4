// The end of a game: its result and cause at once, what decided it as the review finds it, and what to do next.

import { catalogue, levelOf, levels, levelsOf } from "./catalogue.js";
import { $, child, download, make, reducedMotion } from "./dom.js";
import { isMove, pointsOf } from "./junqi_board.js";
import { goTo } from "./navigation.js";
import { newGame } from "./new_game.js";
import { causeSaying } from "./panel.js";
import { socket } from "./socket.js";
import { state as page } from "./state.js";
import { capital, clauses, percent, t } from "./texts.js";
import { adviceSaying, mayText, moveSaying, resultKind, resultText, say, shown, together, told, who } from "./voice.js";
import { gainText } from "./you.js";

/** The play view, as the card uses it. @typedef {{ state: GameState | null, story: LastMove[], showMoment: (step: number, better: string) => void, draw: () => void }} Game */

/** The positions that the review searches for each move: some seconds for a whole game. */
const NODES = 10_000;
/** How long the last stroke is seen before the card comes. */
const SCENE_MS = 1200;
const MOST_MOMENTS = 3;
/** What is worth telling: how much a move lost, or how much luck there was. */
const [LEAST_LOSS, LEAST_LUCK] = [0.1, 0.2];
/** From how much luck on it is named, and from how much it is more than slight. */
const [SOME_LUCK, MUCH_LUCK] = [0.02, 0.15];

/** @param {number} luck */
export const luckSize = (luck) => (Math.abs(luck) < SOME_LUCK ? "even" : Math.abs(luck) < MUCH_LUCK ? "slight" : "much");

/** Whether a moment is of a move that was not the best. @param {{ kind: string }} moment */
const isLoss = ({ kind }) => kind === "blunder" || kind === "mistake";

/** @param {GameState} state */
const hasPartners = ({ seats }) => Object.keys(seats).length > 2;

export const endCard = {
  /** @type {Game | null} */
  game: null,
  /** The review of the game that is over, as far as it is known. @type {any} */
  review: null,
  isWhole: false,
  /** Whether the review has ended, also before it was whole. */
  isDone: false,
  /** The game that is reviewed, and its record. */
  reviewed: 0,
  line: "",
  /** What was known before the moves of the moments, by ply. @type {Map<number, Scene>} */
  before: new Map(),
  /** Until when the last stroke is seen, on the page's clock. */
  sceneUntil: 0,

  /** @param {Game} game */
  begin(game) {
    this.game = game;
    $("save-game").onclick = () => this.save();
    $("next-level").onclick = () => this.changeLevel(1);
    $("easier").onclick = () => this.changeLevel(-1);
    $("try-four").onclick = () => newGame.quick("siguo", "engine");
  },

  async save() {
    const answer = await socket.ask("record");
    const variant = this.game?.state?.variant ?? "junqi";
    if (answer) download(new Blob([`${answer.line}\n`], { type: "application/x-ndjson" }), `${variant}-${new Date().toISOString().slice(0, 16).replace(/[:T]/g, "")}.jsonl`);
  },

  /** A level above or below that of the game; null if there is none. @param {GameState} state @param {number} step */
  levelBeside(state, step) {
    const [level, program] = [levelOf(state), levels.program()];
    const names = program ? Object.keys(levelsOf(program)) : [];
    return level ? (names[names.indexOf(level) + step] ?? null) : null;
  },

  /** The same game against stronger or weaker engines. @param {number} step */
  async changeLevel(step) {
    const level = this.game?.state && this.levelBeside(this.game.state, step);
    if (level && (await socket.ask("rematch"))) await levels.choose(level);
  },

  // A game has just ended: its last stroke is seen, then the card comes.
  ended() {
    this.sceneUntil = performance.now() + (reducedMotion.matches ? 0 : SCENE_MS);
    setTimeout(() => {
      this.game?.draw();
      // Where the game was decided stays in sight beside the card.
      $("play-board").querySelector(".glow > :last-child")?.scrollIntoView({ block: "center" });
    }, reducedMotion.matches ? 0 : SCENE_MS);
  },

  /** Begins the review of a game that is over. @param {GameState} state */
  async startReview(state) {
    if (this.reviewed === state.game || !catalogue.isHost || !state.moves?.length) return;
    Object.assign(this, { reviewed: state.game, review: null, isWhole: false, isDone: false, before: new Map(), line: "" });
    this.line = (await socket.ask("record"))?.line ?? "";
    const isWanted = this.line && this.reviewed === state.game;
    const answer = isWanted ? await socket.request("review_start", { line: this.line, nodes: NODES }).catch(() => null) : null;
    // Another game may have ended meanwhile.
    if (this.reviewed !== state.game) return;
    this.isWhole = Boolean(answer?.is_whole);
    this.isDone = true;
    this.game?.draw();
  },

  /** @param {{ review: any, is_whole: boolean }} message */
  async receive({ review }) {
    const state = this.game?.state;
    if (state?.phase !== "over" || this.isDone || review.variant !== state.variant) return;
    this.review = review;
    for (const { step } of this.moments(state)) {
      if (this.before.has(step)) continue;
      const scene = await socket.ask("past", { ply: step });
      if (scene) this.before.set(step, scene);
    }
    this.game?.draw();
  },

  /** What decided for the person: its own mistakes after a loss, those of the enemy after a win; brilliant moves, and much luck. @param {GameState} state @returns {any[]} */
  moments(state) {
    const isMine = (/** @type {string} */ player) => [...player].some((seat) => state.mine.includes(seat));
    const isLost = resultKind(state) === "lost";
    const isOwn = (/** @type {{ seat: string }} */ { seat }) => state.mine.includes(seat);
    // Whoever is out has no part in what follows; among four, what the others did to each other is not told either.
    const last = (this.review?.steps.findLastIndex(isOwn) ?? 0) + Object.keys(state.seats).length;
    const isInvolved = (/** @type {number} */ step) => [this.game?.story[step]?.attacker, this.game?.story[step]?.defender].some((piece) => piece && state.mine.includes(piece.seat));
    const isTold = (/** @type {any} */ { kind, size, player, step }) => {
      if (!this.review.steps[step]) return false;
      const isOfMine = isOwn(this.review.steps[step]);
      if (step > last || (hasPartners(state) && !isOfMine && !isInvolved(step))) return false;
      if (kind === "luck") return size >= LEAST_LUCK && isMine(player) !== isLost;
      if (kind === "brilliant") return isOfMine;
      return isLoss({ kind }) && size >= LEAST_LOSS && this.review.steps[step].best && (isLost ? isOfMine : !isMine(player));
    };
    const found = (this.review?.moments ?? []).filter(isTold).sort((/** @type {any} */ a, /** @type {any} */ b) => b.size - a.size);
    return found.slice(0, MOST_MOMENTS).sort((/** @type {any} */ a, /** @type {any} */ b) => a.step - b.step);
  },

  /** A moment in words: what happened, what it meant, what was known, and what was better. @param {any} moment @param {GameState} state @param {BoardData} data */
  momentSaying({ step, kind, size, player }, state, data) {
    const entry = this.game?.story[step];
    if (!entry) return null;
    const listener = { mine: state.mine, seats: data.seats };
    const { seat, best } = this.review.steps[step];
    const parts = [moveSaying(entry, data, state.mine)];
    const scene = this.before.get(step);
    if (kind === "brilliant") return together(...parts, t("moment.brilliant"));
    if (kind === "luck") return together(...parts, told("moment.luck", player[0], listener, { gain: percent(size) }));
    parts.push(say(state.mine.includes(seat) ? "moment.cost.you" : "moment.cost", { who: who(seat, listener), loss: percent(size) }));
    const known = scene?.proven?.[entry.to];
    if (known && mayText(known)) parts.push(say("moment.known", { may: mayText(known) }));
    const [from, to] = pointsOf(best ?? "", data);
    if (scene && to !== undefined && !isMove(entry.text, best)) parts.push(adviceSaying("moment", from, to, scene.pieces, listener));
    return together(...parts);
  },

  /** Skill and luck, in one sentence each. @param {GameState} state @param {BoardData} data */
  summary(state, data) {
    const listener = { mine: state.mine, seats: data.seats };
    const players = this.review?.players ?? [];
    const mine = players.find((/** @type {any} */ { player }) => player.includes(state.mine[0]));
    const other = players.find((/** @type {any} */ { team }) => team !== mine?.team);
    if (!mine || !other || mine.accuracy === null || other.accuracy === null) return [];
    const luck = mine.luck - other.luck;
    const key = luck > 0 && luckSize(luck) !== "even" && resultKind(state) === "lost" ? "unused" : luckSize(luck);
    const lucky = who(luck > 0 ? state.mine[0] : other.player[0], listener);
    return [say("end.skill", { own: mine.accuracy.toFixed(0), who: who(other.player[0], listener), other: other.accuracy.toFixed(0) }), say(`end.luck.${key}`, { who: lucky })];
  },

  /** @param {GameState} state @param {BoardData} data */
  draw(state, data) {
    const card = $("end-card");
    const isOver = state.phase === "over" && performance.now() >= this.sceneUntil;
    card.hidden = !isOver;
    if (!isOver) return;
    if (state.mine) this.startReview(state);
    const kind = resultKind(state);
    card.dataset.result = kind;
    child(card, "h2").textContent = resultText(state.result ?? "", { mine: state.mine, seats: data.seats });
    child(card, ".cause").replaceChildren(shown(causeSaying(state, data, this.game?.story ?? [])));
    this.drawWins(state);
    const [above, below] = [1, -1].map((step) => (state.mine && catalogue.isHost ? this.levelBeside(state, step) : null));
    $("next-level").hidden = kind !== "won" || !above;
    if (above) $("next-level").textContent = t("end.nextLevel", { level: t(`level.${above}`) });
    $("easier").hidden = kind !== "lost" || !below;
    if (below) $("easier").textContent = t("end.easier", { level: t(`level.${below}`) });
    const isNext = kind === "won" && Boolean(above);
    $("next-level").classList.toggle("main", isNext);
    $("rematch").classList.toggle("main", !isNext);
    $("try-four").hidden = state.variant !== "luzhanqi" || kind !== "won" || !catalogue.isHost || !("siguo" in catalogue.tables) || !state.mine;
    this.drawMoments(state, data);
  },

  /** @param {GameState} state */
  drawWins(state) {
    const level = levelOf(state);
    const wins = level ? (page.ladder.wins[level] ?? 0) : 0;
    const { streak } = page.ladder;
    const counted = wins && state.mine ? [t("ladder.wins", { level: t(`level.${level}`), n: wins }), ...(streak > 1 ? [t("ladder.streak", { n: streak })] : [])] : [];
    const gain = gainText(state);
    $("ladder").textContent = state.mine && state.practice ? t("end.practice") : capital(clauses(...counted, ...(gain ? [gain] : [])));
  },

  /** @param {GameState} state @param {BoardData} data */
  drawMoments(state, data) {
    const isMine = this.reviewed === state.game;
    const moments = isMine && this.review ? this.moments(state) : [];
    const list = child($("end-card"), "ol");
    const isNothing = isMine && this.isWhole && this.review && !moments.length;
    const isStopped = isMine && this.isDone && !this.isWhole && this.review;
    $("end-progress").textContent = isMine && !this.isDone ? t("end.reviewing") : isStopped ? t("review.part", { known: this.review.steps.length }) : isNothing ? t(hasPartners(state) ? "end.nothing.you" : "end.nothing") : "";
    const items = moments.map((moment) => ({ moment, saying: this.momentSaying(moment, state, data) }));
    list.replaceChildren(
      ...items.filter(({ saying }) => saying).map(({ moment, saying }) => {
        const { step } = moment;
        const best = (isLoss(moment) && this.review.steps[step].best) || "";
        const show = make("button", { class: "chip", "data-ply": step, onclick: () => this.game?.showMoment(step, best) }, t("moment.show"));
        const play = make("button", { class: "chip", onclick: () => playFrom(this.line, step, state.eyes) }, t("moment.play"));
        return make("li", {}, make("p", {}, shown(/** @type {any} */ (saying))), make("div", { class: "row" }, show, play));
      }),
    );
    $("end-summary").replaceChildren(...(isMine && this.isWhole ? this.summary(state, data) : []).flatMap((one) => [shown(one), " "]));
  },
};

/** Begins a game from a position of a record, with what those seats knew; it counts as practice. @param {string} line @param {number} ply @param {string} eyes */
export async function playFrom(line, ply, eyes) {
  const answer = await socket.ask("play_from", { line: line.trim(), ply, eyes });
  if (!answer) return;
  goTo("play");
}
