// The page of the web board. It draws what the server sends and sends what the person does; it knows no rules.

import { learnBoard } from "./board/boards.js";
import { followPointer } from "./board/saying.js";
import { file } from "./shell/dom.js";
import { Header } from "./shell/header.js";
import { doPending, home } from "./shell/home.js";
import { beginNavigation, followAddress, loadView } from "./shell/navigation.js";
import { Banner, Question, warn } from "./shell/notices.js";
import { address, saveSetting } from "./shell/storage.js";
import { takeFact, takeSetting, takeStored } from "./shell/store.js";
import { showError, socket } from "./socket.js";
import { change, FIRST, set, state } from "./state.js";
import { isChinese, readTexts, t } from "./texts.js";
import { html, mount, redraw, redrawNow } from "./view.js";

state.views = [
  home,
  lazily("play", async () => (await import("./game/game_view.js")).gameView),
  lazily("learn", async () => (await import("./learn/lessons.js")).learn, { kind: "learn" }),
  lazily("library", async () => (await import("./record/library.js")).library, { kind: "game", isForHost: true }),
  lazily("problem", async () => (await import("./learn/problems.js")).problems, { kind: "problem", isForHost: true }),
  lazily("teaser", async () => (await import("./learn/teasers.js")).teasers, { kind: "teaser", isForHost: true }),
];

const SHOW_AFTER_MS = 400;

/**
 * A view whose modules are loaded when it is needed first; its messages wait until then.
 * @param {string} id
 * @param {() => Promise<View>} load
 * @param {Partial<View>} [about]
 * @returns {View}
 */
function lazily(id, load, about) {
  const waiting = /** @type {Message[]} */ ([]);
  let loading = /** @type {Promise<boolean> | null} */ (null);
  const begin = async () => {
    const loaded = await load().catch((error) => {
      loading = null;
      // Without a connection it is tried again when there is one.
      if (!socket.isOpen) return;
      warn(() => t("view.notLoaded"), 0);
      reportError(error);
    });
    if (!loaded) return false;
    if (id === "play") set({ table: FIRST.table });
    Object.assign(view, loaded, { load: undefined, wait: undefined });
    view.begin?.();
    for (const message of waiting) view.messages?.[message.type]?.(message);
    if (state.catalogue.today) view.connected?.();
    // The game may have come before the modules that show it.
    doPending();
    redrawNow();
    return true;
  };
  /** @type {View} */
  const view = {
    id,
    Component: () => null,
    wait: (message) => waiting.push(message),
    load: () => (loading ??= begin()),
    ...about,
  };
  return view;
}

function App() {
  const { isDenied } = state.starting;
  document.documentElement.lang = isChinese() ? "zh-CN" : "en";
  return html`
    <${Header} />
    <${Banner} />
    <main>
      ${isDenied && html`<div class="card denied">
        <h1>${t("connection.denied")}</h1><p>${t("connection.another")}</p>
      </div>`}
      ${!isDenied && state.views.map(({ id, Component }) => html`<section key=${id} id=${id} class="view"
        role="tabpanel" aria-labelledby="tab-${id}" hidden=${id !== state.view}>
        <h1 class="unseen">${id === "home" ? t("title") : t(`tab.${id}`)}</h1>
        <${Component} />
      </section>`)}
    </main>
    <${Question} />
    ${state.views.map(({ id, Overlay }) => Overlay && html`<${Overlay} key=${id} />`)}
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
      else if (view.id === state.view) (view.load ?? view.show)?.call(view);
    }
    if (message.has_games) loadView("play");
    followAddress();
  },
  /** @param {GameState} game */
  game(game) {
    // The first view shows that a game waits to be set up, without the modules that play it.
    // Without a connection, the next state loads them.
    if (state.view === "play" || game.phase !== "arranging" || !state.catalogue.isHost)
      loadView("play");
    else if (state.views.some(({ id, load }) => id === "play" && load)) change("table", { game });
  },
  setting: takeSetting,
  fact: takeFact,
  problem_rating: (problemRating) => set({ problemRating }),
  board: learnBoard,
  starting: ({ is_ready, share }) => change("starting", { is_ready, share }),
  notice: (message) => message.seats || showError(message),
};

/** @param {Message} message */
function receiveMessage(message) {
  pageMessages[message.type]?.(message);
  for (const view of state.views) {
    view.wait?.(message);
    view.messages?.[message.type]?.(message);
  }
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
