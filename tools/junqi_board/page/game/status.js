// The state of a game in words: whose turn it is, limits, how it ended; and the battles so far.

import { SayingText } from "../board/saying.js";
import { truthSaying } from "../record/truth.js";
import { state } from "../state.js";
import { capital, t } from "../texts.js";
import { html } from "../view.js";
import {
  endingText,
  moveSaying,
  pingText,
  povOf,
  relationOf,
  resultText,
  seatText,
  textOf,
  together,
  who,
  whoAll,
} from "../voice.js";

/**
 * What happened, the latest first: the last move, and every battle before it.
 * @param {LogProps} props
 */
export function BattleLog({ id, story, truth = [], data, pov, onPick, isHidden = false }) {
  const isTold = (/** @type {LastMove} */ entry, /** @type {number} */ index) =>
    entry.outcome !== "no-battle" || entry.out || entry.resigned || index === story.length - 1;
  const found = story
    .map((entry, index) => ({ entry, ply: index + 1 }))
    .filter(({ entry, ply }) => isTold(entry, ply - 1))
    .reverse();
  return html`<div class="card moves-card" hidden=${isHidden}>
    <ol id=${id} class="log-battles">
      ${!found.length && html`<li class="soft">${t("log.empty")}</li>`}
      ${found.map(({ ply }) => html`<li key=${ply} data-ply=${ply}>
        <button class="quiet" onClick=${() => onPick(ply)}>
          <${SayingText} saying=${truthSaying(ply - 1, story, truth, data, pov)} /></button>
      </li>`)}
    </ol>
  </div>`;
}


/** From which share of a limit on the moves towards it are counted, and from how many moves without a battle on. */
const [COUNT_FROM, QUIET_FROM] = [0.5, 20];
/** Number of moves before a limit at which the person is warned. */
const WARN_AT = 5;

/**
 * What tips may not hide: an army that has gone since the last turn of the person, or the battle of the last move.
 * @param {GameState} game
 */
export function newsOf({ last, seats }) {
  const { story } = state.shown;
  const gone = story.slice(-Object.keys(seats).length).findLast(({ out, resigned }) => resigned || out);
  return gone ?? (last && (last.out || last.resigned || last.outcome !== "no-battle") ? last : null);
}

/**
 * Whose turn it is, on a phone what the last move did or what the partner points at, and the moves towards a limit; or
 * how the game ended.
 * @param {{ game: GameState, data: BoardData }} props
 */
export function GameStatus({ game, data }) {
  const isPlaying = game.phase === "playing";
  const isMine = isPlaying && Object.keys(game.targets ?? {}).length > 0;
  const last =
    isPlaying &&
    game.last &&
    !countTexts(game, data).length &&
    !(game.mine && isOut(game)) &&
    textOf(moveSaying(newsOf(game) ?? game.last, data, povOf(game, data), false));
  const { ping } = state.chat;
  const pinged = isPlaying && ping && pingText(ping, game.pieces, data, povOf(game, data));
  // What happened is announced, with its points and its reason.
  return html`<p class="status ${isMine ? "mine" : ""}" id="status" role="status">
    <${TurnText} game=${game} data=${data} />
    ${(pinged || last) && html` <span class="last" aria-hidden="true">${pinged || last}</span>`}
  </p>`;
}

/** The status without the last move. @param {{ game: GameState, data: BoardData }} props */
export function TurnText({ game, data }) {
  const isPlaying = game.phase === "playing";
  const counts = isPlaying ? countTexts(game, data) : [];
  return html`<b>${statusText(game, data)}</b>
    ${isPlaying && isOut(game) && html` <span>${t(game.mine ? "status.out" : "status.watching")}</span>`}
    ${counts.map(({ text, isNear }) => html` <span class="count ${isNear ? "near" : ""}">${text}</span>`)}`;
}

/** Whether none of the person's armies is left. @param {GameState} game */
export const isOut = (game) => game.phase === "playing" && [...game.mine].every((seat) => !game.alive.includes(seat));

/** The other seats that have set up their pieces, or not. @param {GameState} game @param {boolean} isReady */
export const othersSetUp = ({ seats, mine }, isReady) =>
  Object.keys(seats).filter((seat) => seats[seat].ready === isReady && !mine.includes(seat)).join("");

/** The turn, or the end of the game, in words. @param {GameState} game @param {BoardData} data */
export function statusText(game, data) {
  const pov = povOf(game, data);
  if (game.phase === "arranging") {
    const missing = othersSetUp(game, false);
    const iAmReady = [...game.mine].every((seat) => game.seats[seat].ready);
    if (!iAmReady || !missing) return t("status.arrange");
    return state.starting.is_ready ? t("arrange.waiting", { who: whoAll(missing, pov) }) : startingText();
  }
  if (game.phase === "over")
    return t("sentence", { text: capital(resultText(game.result ?? "", { ...pov, surrendered: game.surrendered })) });
  if (game.mine === game.turn) return t("status.mine");
  if (game.mine.includes(game.turn)) return t(game.turn === game.mine[0] ? "status.near" : "status.far");
  return seatText(game.seats[game.turn].is_thinking ? "status.thinking" : "status.waits", game.turn, pov);
}

/** Whose turn it is, as short as the title of a plate. @param {GameState} game @param {BoardData} data */
export function shortTurnText(game, data) {
  const pov = povOf(game, data);
  const relation = relationOf(game.turn, pov);
  if (relation === "you" || relation === "watched") return statusText(game, data);
  return t("status.toMove", { name: pov.names?.[game.turn] ?? t(`plate.${relation}`) });
}

export const startingText = () =>
  state.starting.share === null
    ? t("starting.text")
    : t("starting.compiling", { percent: Math.round(100 * state.starting.share) });

/**
 * The moves towards the limits of the game, early enough to do something about them.
 * @param {GameState} game
 * @param {BoardData} data
 * @returns {{ text: string, isNear: boolean }[]}
 */
function countTexts(game, data) {
  const { limits, quiet, ply, alive, turn } = game;
  /** The seat to move after some moves. @param {number} left */
  const seatAfter = (left) => {
    const seats = [...data.seats].filter((seat) => alive.includes(seat));
    return seats[(seats.indexOf(turn) + left) % seats.length];
  };
  return [
    {
      key: limits.no_contact_loses ? "count.quietLoss" : "count.quiet",
      n: quiet,
      limit: limits.no_contact,
      from: QUIET_FROM,
    },
    { key: "count.plies", n: ply, limit: limits.max_plies, from: Infinity },
  ]
    .filter(({ n, limit, from }) => limit && n < limit && n >= Math.min(from, COUNT_FROM * limit))
    .map(({ key, n, limit }) => {
      const left = limit - n;
      const isNear = left <= WARN_AT;
      const loser = seatAfter(left);
      const isMine = key === "count.quietLoss" && game.mine.includes(loser);
      const text = t(`${key}${isNear ? "Near" : ""}${isMine ? ".you" : ""}`, {
        n,
        limit,
        left,
        who: who(loser, povOf(game, data)),
      });
      return { text: capital(text), isNear };
    });
}

/** The endings that the last entry of the record tells. */
export const BY_MOVE = ["flag", "resigned", "no-moves"];

/**
 * Why the game ended: what the last move did, or another cause; before it, how the person's last army fell, and who of
 * the losers had resigned.
 * @param {GameState} game
 * @param {BoardData} data
 * @param {LastMove[]} story with the true pieces, once they are known
 */
export function causeSaying(game, data, story) {
  const pov = povOf(game, data);
  const last = story.length === game.moves?.length ? story.at(-1) : game.last;
  const isByMove = last && BY_MOVE.includes(game.ending ?? "");
  const isExit = (/** @type {LastMove} */ { out, resigned }) =>
    [...game.mine].some((seat) => resigned === seat || out.includes(seat));
  const exit = last && isExit(last) ? null : story.filter(isExit).at(-1);
  const isOther = (/** @type {string | null} */ seat) =>
    seat && !game.result?.includes(seat) && who(seat, pov) !== who(last?.seat ?? "", pov);
  const isEnd = (/** @type {LastMove} */ entry) =>
    entry === exit || (game.ending === "resigned" && isOther(entry.resigned));
  return together(
    ...story.filter((entry) => entry !== last && isEnd(entry)).map((entry) => moveSaying(entry, data, pov, false)),
    isByMove ? moveSaying(last, data, pov) : endingText(game, pov),
  );
}
