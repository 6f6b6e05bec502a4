// The page of the web board. It draws what the server sends and sends what the person does; it knows no rules.

import { learnBoard } from "./board/boards.js";
import { followPointer } from "./board/saying.js";
import { gameView } from "./game/game_view.js";
import { Marks } from "./game/marks.js";
import { Setup } from "./game/setup.js";
import { learn } from "./learn/lessons.js";
import { PieceTable } from "./learn/piece_table.js";
import { problems } from "./learn/problems.js";
import { teasers } from "./learn/teasers.js";
import { library } from "./record/library.js";
import { address } from "./shell/address.js";
import { file } from "./shell/dom.js";
import { Header } from "./shell/header.js";
import { home } from "./shell/home.js";
import { beginNavigation, followAddress } from "./shell/navigation.js";
import { Banner, Question, warn } from "./shell/notices.js";
import { saveSetting } from "./shell/storage.js";
import { takeFact, takeSetting, takeStored } from "./shell/store.js";
import { showError, socket } from "./socket.js";
import { change, set, state } from "./state.js";
import { isChinese, readTexts, t } from "./texts.js";
import { html, mount, redraw } from "./view.js";

state.views = [home, gameView, learn, library, problems, teasers];

const SHOW_AFTER_MS = 400;

function App() {
  const { isDenied } = state.starting;
  document.documentElement.lang = isChinese() ? "zh-CN" : "en";
  return html`
    <${Header} />
    <${Banner} />
    <main>
      ${isDenied && html`<div class="card denied">
        <h2>${t("connection.denied")}</h2><p>${t("connection.another")}</p>
      </div>`}
      ${!isDenied && state.views.map(({ id, Component }) => html`<section key=${id} id=${id} class="view"
        role="tabpanel" aria-labelledby="tab-${id}" hidden=${id !== state.view}>
        <${Component} />
      </section>`)}
    </main>
    <${Setup} /><${Question} /><${PieceTable} /><${Marks} />
  `;
}

/** Messages that concern the page as a whole. @type {Record<string, (message: any) => void>} */
const pageMessages = {
  welcome(message) {
    socket.welcomed();
    warn(() => message.fault, 0);
    address.take(message.token);
    const { is_host: isHost, engines, tables, limits, positions, lan, today } = message;
    set({ catalogue: { isHost, engines, tables, limits, positions, lan, today } });
    if (message.ladder) set({ ladder: message.ladder });
    if (message.problem_rating) set({ problemRating: message.problem_rating });
    if (isHost) takeStored(message);
    if (state.catalogue.isHost) saveSetting("token", message.token);
    for (const view of state.views) {
      if (view.connected) view.connected();
      else if (view.id === state.view) view.show?.();
    }
    followAddress();
  },
  setting: takeSetting,
  fact: takeFact,
  problem_rating: (problemRating) => set({ problemRating }),
  board: learnBoard,
  starting: ({ is_ready, share }) => change("starting", { is_ready, share }),
  notice: showError,
};

/** @param {Message} message */
function receiveMessage(message) {
  pageMessages[message.type]?.(message);
  for (const view of state.views) view.messages?.[message.type]?.(message);
  redraw();
}

async function beginPage() {
  address.read();
  readTexts(await file("/texts.json"));
  mount(App);
  for (const view of state.views) view.begin?.();
  beginNavigation();
  followPointer();
  // Another token in the address, such as an invitation, means another session; the page's own entries have a state.
  addEventListener("hashchange", () => history.state ?? location.reload());
  setTimeout(() => change("starting", { isDue: true }), SHOW_AFTER_MS);
  socket.onDenied = () => change("starting", { isDenied: true });
  socket.begin(receiveMessage);
  // The boards are drawn before the server has loaded the rules.
  for (const board of Object.values(await file("/board/boards.json"))) learnBoard(board);
  redraw();
}

beginPage();
