// The page of the web board. It draws what the server sends and sends what the person does; it knows no rules.

import { address } from "./address.js";
import { analysis } from "./analysis.js";
import { catalogue, readWelcome } from "./catalogue.js";
import { $, child, drawBanner, warn } from "./dom.js";
import { library } from "./games.js";
import { home } from "./home.js";
import { learnBoard } from "./junqi_board.js";
import { looks } from "./looks.js";
import { beginNavigation, followAddress, goTo } from "./navigation.js";
import { pieceTable } from "./piece_table.js";
import { play } from "./play_view.js";
import { puzzle } from "./puzzle_view.js";
import { replay } from "./replay_view.js";
import { socket } from "./socket.js";
import { set } from "./state.js";
import { keepOnServer, readRun, saveSetting } from "./storage.js";
import { learn, quiz } from "./task.js";
import { has, readTexts, switchLanguage, t, translate } from "./texts.js";
import { redraw as drawComponents } from "./view.js";

/** @type {readonly View[]} */
export const VIEWS = [home, play, learn, library, replay, quiz, puzzle, analysis];

const SHOW_AFTER_MS = 400;

export const starting = {
  /** @type {{ is_ready: boolean, share: number | null }} */
  last: { is_ready: false, share: null },
  isDenied: false,
  isDue: false,

  /**
   * Draws the boards, which the page has in a file, before the server has loaded the rules.
   * @param {import("./junqi_board.js").JunqiBoard} board
   * @param {() => boolean} isNeeded whether no game is shown yet
   */
  async begin(board, isNeeded) {
    $("starting-learn").onclick = () => goTo("learn");
    setTimeout(() => {
      this.isDue = true;
      this.draw();
    }, SHOW_AFTER_MS);
    this.draw();
    const boards = await (await fetch("/boards.json")).json();
    for (const variant of ["luzhanqi", "siguo"]) learnBoard(boards[variant]);
    // A view that was shown before, as an address leads to one, could not be drawn.
    for (const view of VIEWS) view.redraw();
    drawComponents();
    if (!isNeeded()) return;
    board.set(boards.siguo, "S");
    board.svgBoard.update({ shapes: boards.siguo.pieces.map((/** @type {Piece} */ piece) => board.shape(piece)), choices: new Map(), spots: board.spots() });
  },

  /** @param {{ is_ready: boolean, share: number | null }} message */
  receive(message) {
    this.last = message;
    this.draw();
  },

  // The address is not valid: nothing will start.
  denied() {
    this.isDenied = true;
    $("status").textContent = t("connection.denied");
    this.draw();
  },

  draw() {
    const { is_ready: isReady, share } = this.last;
    $("starting").hidden = isReady || this.isDenied || !this.isDue;
    if (share === null) $("starting-progress").removeAttribute("value");
    else $("starting-progress").value = share;
    $("starting-text").textContent = share === null ? t("starting.text") : t("starting.compiling", { percent: Math.round(100 * share) });
  },
};

/** Messages that concern the page as a whole. @type {Record<string, (message: any) => void>} */
const pageMessages = {
  welcome(message) {
    socket.welcomed();
    warn(() => message.fault, 0);
    address.take(message.token);
    readWelcome(message);
    if (message.ladder) set({ ladder: message.ladder });
    readRun(message.run);
    keepOnServer(message.kept, catalogue.isHost ? (name, value) => socket.isOpen && socket.send("keep", { name, value }) : () => true);
    for (const element of document.querySelectorAll("[data-host]")) /** @type {HTMLElement} */ (element).hidden = !catalogue.isHost;
    if (catalogue.isHost) saveSetting("token", message.token);
    for (const view of VIEWS) {
      if (view.connected) view.connected();
      else if (!$(view.id).hidden) view.show?.();
    }
    followAddress();
  },
  board: learnBoard,
  starting: (message) => starting.receive(message),
  notice(message) {
    warn(() => (has(`notice.${message.code}`) ? t(`notice.${message.code}`) : message.text));
  },
};

/** @param {Message} message */
function receive(message) {
  pageMessages[message.type]?.(message);
  for (const view of VIEWS) view.messages?.[message.type]?.(message);
  drawComponents();
}

function redraw() {
  translate();
  looks.draw();
  starting.draw();
  drawBanner();
  for (const view of VIEWS) view.redraw();
  drawComponents();
}

async function begin() {
  address.read();
  readTexts(await (await fetch("/texts.json")).json());
  translate();
  for (const view of VIEWS) view.begin();
  beginNavigation(VIEWS);
  // A click before this would be lost.
  document.body.inert = false;
  // Another token in the address, such as an invitation, means another session; the page's own entries have a state.
  addEventListener("hashchange", () => history.state ?? location.reload());
  $("status").textContent = t("starting.text");
  $("language").onclick = () => {
    switchLanguage();
    redraw();
  };
  looks.begin(redraw);
  child($("banner"), "button").onclick = () => warn(() => "");
  pieceTable.begin();
  starting.begin(play.board, () => !play.state);
  socket.onDenied = () => starting.denied();
  socket.begin(receive);
}

begin();
