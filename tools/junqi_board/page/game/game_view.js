// The view of a game in its three phases, line-up, play and review; a record is reviewed in the same view.

import { EndCard, RematchBy } from "../record/end_card.js";
import { PastNote, Record } from "../record/record_panel.js";
import * as replay from "../record/replay.js";
import { BetterNote } from "../record/retry.js";
import { receiveReview } from "../record/review_card.js";
import { receiveLines } from "../record/study.js";
import { Study } from "../record/study_panel.js";
import { narrow } from "../shell/dom.js";
import { goToView, turnTo } from "../shell/navigation.js";
import { confirmed, warn } from "../shell/notices.js";
import { remembered } from "../shell/storage.js";
import { socket } from "../socket.js";
import { change, state } from "../state.js";
import { t } from "../texts.js";
import { html } from "../view.js";
import { relationOf, seatText, whoAll } from "../voice.js";
import { GameBoard } from "./game_board.js";
import { askAgain, HelpCard, helpFailed, receiveAdvice, receiveBelief } from "./help.js";
import { LineupCard } from "./lineup.js";
import { arrive, cancelPremove, isMyTurn, premoveOf } from "./live_game.js";
import { isMarking, Marks, MarksNote, toggleMarks } from "./marks.js";
import {
  ChatCard, hasCompany, Invitations, isTold, NameCard, receiveChat, receivePing, Score, showSide,
} from "./people.js";
import { Seats } from "./plates.js";
import { openSetup, Setup } from "./setup.js";
import { BattleLog, GameStatus, shortTurnText, startingText } from "./status.js";
import { TipCard } from "./tips.js";

/** @type {View} */
export const gameView = {
  id: "play",
  Component: GameView,
  Overlay: () => html`<${Setup} /><${Marks} />`,

  messages: {
    welcome: (message) => {
      if (message.has_games && !state.shown.record && !remembered("replay")) replay.openGiven();
    },
    game: (message) => {
      const isFirst = !state.table.game;
      arrive(message);
      // A game that is being played, and the page of a guest, come before the choice of one.
      if (isFirst && state.view === "home" && (message.phase !== "arranging" || !state.catalogue.isHost))
        turnTo("play");
    },
    opened: ({ game, invitations: list }) => change("table", { invitations: { game, list } }),
    gone() {
      change("table", { isGone: true });
      warn(() => t("error.no-game"), 0);
    },
    chat_lines: (message) => receiveChat(message, replay.viewpoint()?.pov ?? { mine: "", seats: "SENW" }),
    ping: receivePing,
    review: receiveReview,
    study_lines: receiveLines,
    belief: receiveBelief,
    advice: receiveAdvice,
    notice({ code, seats }) {
      const { pov } = replay.viewpoint() ?? {};
      const key = code === "draw-refused" ? "draw.refused" : "draw.declined";
      if (seats && pov) warn(() => seatText(key, seats[0], pov));
      if (code === "adviser-failed") helpFailed();
    },
  },

  begin() {
    // In the capturing phase: the keys step wherever the focus is.
    document.addEventListener("keydown", replay.stepByKey, true);
  },

  chosen: replay.closeRecord,
  hide() {
    replay.autoplay.halt();
    if (state.study.isOn) socket.send("study_stop");
  },

  connected() {
    askAgain();
    replay.reopenRecord();
  },

  address: replay.recordPath,
};

function GameView() {
  const { game } = state.table;
  const view = replay.viewpoint();
  const isTable = replay.isTable();
  document.title = t(game && isMyTurn(game) ? "title.yourTurn" : "title");
  return html`<div class="stage">
      <div class="table"><${GameBoard} />${view && html`<${Plates} />`}</div>
    </div>
    <aside class="panel">
      ${!view && html`<p class="status" id="status" role="status">
        ${t(state.starting.isDenied ? "connection.denied" : "starting.text")}</p><${Starting} />`}
      ${view && isTable && game && html`<${GamePanel} game=${game} data=${view.data} pov=${view.pov} />`}
      ${view && !isTable && html`<${Record} record=${state.shown.record} data=${view.data} pov=${view.pov} />`}
    </aside>`;
}

function Plates() {
  const { game, receivedAt } = state.table;
  const { record, scene, at } = state.shown;
  const { data, seat, mine } = /** @type {NonNullable<ReturnType<typeof replay.viewpoint>>} */ (replay.viewpoint());
  const own = replay.isTable() ? game : null;
  const shown = at === null ? own?.face_up && { removed: own.face_up.removed } : scene;
  const phase = replay.placeShown() === record?.moves.length ? "over" : "playing";
  const about = own ? { ...own, ...shown, said: state.chat.said } : { ...shown, mine, phase };
  const seatOf = (/** @type {string} */ one) => own?.seats[one] ?? { name: record?.names[one], who: "engine" };
  return html`<${Seats} id="seats" data=${data} bottom=${seat} seatOf=${seatOf} about=${about}
    receivedAt=${receivedAt} />`;
}

function Starting() {
  const { is_ready: isReady, share, isDenied, isDue } = state.starting;
  if (isReady || isDenied || !isDue) return null;
  return html`<div id="starting" class="card">
    <h2>${t("starting.title")}</h2>
    <p role="status">${startingText()}</p>
    <progress max="1" value=${share} aria-label=${t("starting.title")} />
    <p class="soft">${t("starting.meanwhile")}</p>
    <div class="row"><button onClick=${() => goToView("learn")}>${t("starting.learn")}</button></div>
  </div>`;
}

/**
 * The panel of the game at the table.
 * @param {{ game: GameState, data: BoardData, pov: Pov }} props
 */
function GamePanel({ game, data, pov }) {
  const isOver = game.phase === "over" && !state.table.isLastStroke;
  // During the game, those of who has gone move neither the board nor the buttons.
  const invitations = html`<${Invitations} game=${game} pov=${pov} />`;
  return html`<div class="status-box">
      <${GameStatus} game=${game} data=${data} />
      ${narrow.matches && !state.chat.ping && html`<${TipCard} game=${game} data=${data} hasState />`}
      ${premoveOf(game) && html`<div id="plan" class="past-note" role="status">
        <span>${t("premove.waits")}</span>${" "}<button onClick=${cancelPremove}>${t("cancel")}</button>
      </div>`}
      ${isMarking() && html`<${MarksNote} game=${game} data=${data} />`}
      ${game.offer && html`<${Offer} game=${game} data=${data} offer=${game.offer} pov=${pov} />`}
      ${state.shown.at !== null && (state.shown.comparison?.targets ? html`<${BetterNote}
        comparison=${state.shown.comparison} mine=${game.mine} />` : html`<${PastNote} />`)}
      ${isOver && state.shown.at !== null && html`<${RematchBy} id="rematch-past" game=${game} pov=${pov} />`}
    </div>
    ${!narrow.matches && html`<${TipCard} game=${game} data=${data} />`}
    ${isOver && html`<${EndCard} game=${game} data=${data} />`}
    <${Score} game=${game} pov=${pov} />
    <${NameCard} game=${game} pov=${pov} />
    ${game.phase === "arranging" && invitations}
    <${Controls} game=${game} pov=${pov} />
    ${game.phase !== "arranging" && invitations}
    <${Starting} />
    ${game.fault && html`<div id="fault" class="card alert">
      <p>${t("fault.text", { text: game.fault.text })}</p>
      ${state.catalogue.isHost && html`<button class="main"
        onClick=${() => socket.ask("restart_engine", { seats: game.fault?.seats })}>${t("fault.restart")}</button>`}
    </div>`}
    ${game.phase === "arranging" && game.mine && html`<${LineupCard} game=${game} pov=${pov} />`}
    ${isOver && html`<${Study} data=${data} pov=${pov} />`}
    <${Side} game=${game} data=${data} pov=${pov} />
    <p class="faults" id="unsaved">${game.unsaved ? t("error.not-saved", { text: game.unsaved }) : ""}</p>`;
}

/** @param {{ game: GameState, data: BoardData, offer: NonNullable<GameState["offer"]>, pov: Pov }} props */
function Offer({ game, data, offer, pov }) {
  const answer = (/** @type {boolean} */ accept) => socket.send("draw_answer", { accept });
  const hasAccepted = !offer.to_me && [...game.mine].some((seat) => game.alive.includes(seat));
  const isMine = game.mine.includes(offer.by[0]);
  const text = seatText(hasAccepted && !isMine ? "draw.accepted" : "draw.offered", offer.by[0], pov, {
    waiting: whoAll(offer.waiting, pov),
  });
  return html`<div id="offer" class="past-note" role="status">
    <span><b>${shortTurnText(game, data)}</b> ${text}</span>
    ${offer.to_me && html`<button class="main" onClick=${() => answer(true)}>${t("draw.accept")}</button>`}
    ${offer.to_me && html`<button onClick=${() => answer(false)}>${t("draw.decline")}</button>`}
  </div>`;
}

/** @param {"draw" | "resign"} what a message that ends the game, asked about first @param {string} question */
const sendIfSure = (what, question) =>
  confirmed(question, t(`game.${what}`)).then((yes) => yes && socket.send(what));

/** @param {{ game: GameState, pov: Pov }} props */
function Controls({ game, pov }) {
  const { may, mine, phase } = game;
  const hasPartner = [...game.alive].some((seat) => relationOf(seat, pov) === "partner");
  const isAlone = Boolean(mine) && may.be_helped && phase === "playing";
  return html`<div id="controls">
    ${state.catalogue.isHost && html`<${Control} id="new" sign="M10 4v12M4 10h12" text=${t("game.new")}
      onClick=${openSetup} />`}
    ${(may.take_back || isAlone) && html`<${Control} id="take-back" sign="M4 8h8a4 4 0 0 1 0 8H7M8 4L4 8l4 4"
      text=${t("game.takeBack")} disabled=${!may.take_back} onClick=${() => socket.send("take_back")} />`}
    ${may.resign && html`<${Control} id="draw" sign="M4 8h12M4 12.500h12" text=${t("game.draw")}
      onClick=${() => sendIfSure("draw", t("game.drawSure"))} />`}
    ${may.resign && html`<${Control} id="resign" sign="M5 3v14M5 4h10l-3 3 3 3H5" text=${t("game.resign")}
      onClick=${() => sendIfSure("resign", t(hasPartner ? "game.resignSure.partner" : "game.resignSure"))} />`}
    ${mine && phase === "playing" && html`<${Control} id="marks-toggle" aria-pressed=${state.marks.isOn}
      disabled=${state.shown.at !== null} sign="M5 4h7l3 3v9H5zM8 9h4M8 12h4" text=${t("mark.button")}
        onClick=${toggleMarks} />`}
    ${may.hurry && html`<${Control} id="hurry" class="main" sign="M4 5l5 5-5 5M11 5l5 5-5 5" text=${t("game.hurry")}
      onClick=${() => socket.send("hurry")} />`}
  </div>`;
}

/** A button with a sign. @param {{ sign: string, text: string, [attribute: string]: unknown }} props */
const Control = ({ sign, text, ...rest }) => html`<button ...${rest}>
  <svg viewBox="0 0 20 20" class="glyph" aria-hidden="true"><path class="waves" d=${sign} /></svg><span>${text}</span>
</button>`;

/**
 * The log, the chat and the help, of which one is shown.
 * @param {{ game: GameState, data: BoardData, pov: Pov }} props
 */
function Side({ game, data, pov }) {
  const cards = [
    { name: "log", text: "side.log", isThere: Boolean(game.moves) },
    { name: "chat", text: "chat.title", isThere: hasCompany(game) || isTold(game, pov) || state.chat.lines.length > 0 },
    { name: "help", text: "side.help", isThere: game.phase !== "arranging" && game.may.be_helped },
  ].filter(({ isThere }) => isThere);
  const isThere = (/** @type {string} */ card) => cards.some(({ name }) => name === card);
  const shown = isThere(state.side) ? state.side : "log";
  return html`${game.phase !== "arranging" && html`<div class="side" id="side">
      ${cards.map(({ name, text }) => html`<button data-side=${name}
        class=${name === "chat" && state.chat.isUnread ? "unread" : ""} aria-pressed=${state.side === name}
        onClick=${() => showSide(name)}>${t(text)}</button>`)}
    </div>`}
    ${isThere("log") && html`<${BattleLog} id="log" isHidden=${shown !== "log"} story=${state.shown.story}
      truth=${state.shown.truth} data=${data} pov=${pov} onPick=${replay.playAgain} />`}
    ${isThere("help") && html`<${HelpCard} isHidden=${shown !== "help"} game=${game} />`}
    ${isThere("chat") && html`<${ChatCard} game=${game} isHidden=${shown !== "chat"} pov=${pov} />`}`;
}
