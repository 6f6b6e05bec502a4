// The page of the web board. It draws what the server sends and sends what the person does; it knows no rules.

import { catalogue, readWelcome } from "./catalogue.js";
import { $, child, drawBanner, warn } from "./dom.js";
import { learnBoard } from "./junqi_board.js";
import { looks } from "./looks.js";
import { beginMoveLists } from "./move_list.js";
import { beginNavigation } from "./navigation.js";
import { pieceTable } from "./piece_table.js";
import { play } from "./play_view.js";
import { socket } from "./socket.js";
import { starting } from "./starting.js";
import { keepOnServer, readRun, saveSetting, setting } from "./storage.js";
import { has, loadTexts, switchLanguage, t, translate } from "./texts.js";
import { VIEWS } from "./views.js";

/** Messages that concern the page as a whole. @type {Record<string, (message: any) => void>} */
const pageMessages = {
  welcome(message) {
    socket.welcomed();
    warn(() => message.fault, 0);
    if (message.token !== location.hash.slice(1)) history.replaceState(history.state, "", `#${message.token}`);
    readWelcome(message);
    readRun(message.run);
    keepOnServer(message.kept, catalogue.isHost ? (name, value) => socket.isOpen && socket.send("keep", { name, value }) : () => true);
    for (const element of document.querySelectorAll("[data-host]")) /** @type {HTMLElement} */ (element).hidden = !catalogue.isHost;
    if (catalogue.isHost) install(message.token);
    for (const view of VIEWS) view.connected?.();
  },
  board: learnBoard,
  starting: (message) => starting.receive(message),
  notice(message) {
    warn(() => (has(`notice.${message.code}`) ? t(`notice.${message.code}`) : message.text));
  },
};

/** Lets the browser keep the page's files, and the host's address for the installed page. @param {string} token */
function install(token) {
  saveSetting("token", token);
  navigator.serviceWorker?.register("service_worker.js").catch(() => {});
}

/** @param {Message} message */
function receive(message) {
  pageMessages[message.type]?.(message);
  for (const view of VIEWS) view.messages?.[message.type]?.(message);
}

function redraw() {
  translate();
  starting.draw();
  drawBanner();
  for (const view of VIEWS) view.redraw();
}

async function begin() {
  if (!location.hash && setting("token", "")) history.replaceState(history.state, "", `#${setting("token", "")}`);
  await loadTexts();
  translate();
  for (const view of VIEWS) view.begin();
  beginNavigation(VIEWS);
  // A click before this would be lost.
  document.body.inert = false;
  // Another token in the address, such as an invitation, means another session.
  addEventListener("hashchange", () => location.reload());
  $("status").textContent = t("starting.text");
  $("language").onclick = () => {
    switchLanguage();
    redraw();
  };
  looks.begin(redraw);
  beginMoveLists(redraw);
  child($("banner"), "button").onclick = () => warn(() => "");
  pieceTable.begin();
  starting.begin(play.board, () => !play.state);
  socket.onDenied = () => starting.denied();
  socket.begin(receive);
}

begin();
