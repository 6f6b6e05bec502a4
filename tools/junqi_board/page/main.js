// The page of the web board. It draws what the server sends and sends what the person does; it knows no rules.

import { address } from "./address.js";
import { analysis } from "./analysis.js";
import { catalogue, readWelcome } from "./catalogue.js";
import { $, child, drawBanner, warn } from "./dom.js";
import { library } from "./games.js";
import { home } from "./home.js";
import { learnBoard } from "./junqi_board.js";
import { looks } from "./looks.js";
import { beginNavigation, followAddress } from "./navigation.js";
import { pieceTable } from "./piece_table.js";
import { play } from "./play/game_view.js";
import { socket } from "./socket.js";
import { set, state } from "./state.js";
import { keepOnServer, readRun, saveSetting } from "./storage.js";
import { learn, quiz } from "./task.js";
import { teasers } from "./teasers.js";
import { has, readTexts, switchLanguage, t, translate } from "./texts.js";
import { redraw as drawComponents } from "./view.js";

/** @type {readonly View[]} */
export const VIEWS = [home, play, learn, library, quiz, teasers, analysis];

const SHOW_AFTER_MS = 400;

/** @param {Partial<Starting>} changes */
const start = (changes) => set({ starting: { ...state.starting, ...changes } });

// Draws the boards, which the page has in a file, before the server has loaded the rules.
async function loadBoards() {
  for (const board of Object.values(await (await fetch("/boards.json")).json())) learnBoard(board);
  // A view that was shown before, as an address leads to one, could not be drawn.
  for (const view of VIEWS) view.redraw();
  drawComponents();
}

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
  starting: ({ is_ready, share }) => start({ is_ready, share }),
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
  $("language").onclick = () => {
    switchLanguage();
    redraw();
  };
  looks.begin(redraw);
  child($("banner"), "button").onclick = () => warn(() => "");
  pieceTable.begin();
  setTimeout(() => start({ isDue: true }), SHOW_AFTER_MS);
  loadBoards();
  // The address is not valid: nothing will start.
  socket.onDenied = () => start({ isDenied: true });
  socket.begin(receive);
}

begin();
