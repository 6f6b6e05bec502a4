// The saved games: the view of all, to replay, resume, export or delete, and a card of those that were interrupted.

import { $, download } from "../shell/dom.js";
import { confirmed } from "../shell/notices.js";
import { remembered } from "../shell/storage.js";
import { socket } from "../socket.js";
import { state } from "../state.js";
import { capital, clauses, t } from "../texts.js";
import { html, Select, useState } from "../view.js";
import { resultText } from "../voice.js";
import { NODES } from "./moments.js";
import { openFile, openText } from "./replay.js";
import { startReview } from "./review_card.js";
import { Advanced } from "./study_panel.js";
import { dateText, loadLibrary, namesOf, resumeGame, storeLibrary } from "./unfinished.js";

/** Suffix of the files of games. */
const ENDING = ".jsonl";
/** @type {View} */
export const library = {
  id: "library",
  isForHost: true,
  Component: Library,
  show: loadLibrary,
  messages: { game: () => state.view === "library" && loadLibrary() },

  async follow({ kind, id, at }) {
    // A record that is refused has said why.
    const { name, variation, step } = remembered("replay") ?? {};
    if (kind === "game") await replayGame(id + ENDING, { at, ...(name === id && { variation, step }) });
    return kind === "game";
  },
};

/**
 * The record of a game that is over; undefined if it cannot be read.
 * @param {string} name
 * @returns {Promise<string | undefined>}
 */
const recordOf = async (name) => (await socket.ask("library_open", { name }))?.line;

/** Shows a game that is over; whether that is possible. @param {string} name @param {Partial<Spot>} [spot] */
async function replayGame(name, spot) {
  const line = await recordOf(name);
  return line !== undefined && openText(line, { ...spot, name: name.replace(ENDING, "") });
}

/** @param {string} name */
async function reviewGame(name) {
  if (await replayGame(name)) await startReview(NODES.asked);
}

/** @param {string} name */
async function exportGame(name) {
  const line = await recordOf(name);
  if (line) download(new Blob([line], { type: "application/json" }), name);
}

/** @param {string} name */
async function deleteGame(name) {
  const key = state.library.games.some((game) => game.name === name && game.rated)
    ? "library.deleteRated"
    : "library.deleteSure";
  if (await confirmed(t(key, { date: dateText(name) }), t("library.delete")))
    storeLibrary(await socket.ask("library_delete", { name }));
}

/** Opens a file of records. @param {any} event of the input that chose it */
async function openChosen({ currentTarget: input }) {
  const [file] = input.files;
  input.value = "";
  if (file) await openFile(file);
}

function Library() {
  const [kind, choose] = useState("all");
  const { games, count: all } = state.library;
  const shown = games.filter((game) => kind === "all" || game.state === kind);
  const kinds = [["all", t("library.all")], ["over", t("library.finished")], ["unfinished", t("library.unfinished")]];
  return html`
    <div class="library-head">
      <p class="status" role="status">${t("library.count", { n: shown.length })}
        ${all > games.length && t("library.newest", { n: games.length, all })}</p>
      <${Select} id="library-filter" label=${t("library.show")} value=${kind} entries=${kinds} onPick=${choose} />
      <button onClick=${() => $("replay-file").click()}>${t("replay.load")}</button>
      <input type="file" id="replay-file" accept=".jsonl,.json,.txt,.jgs" hidden onChange=${openChosen} />
    </div>
    ${!shown.length && html`<p class="soft">${t("library.empty")}</p>`}
    <${Advanced} />
    <ul id="library-list" class="library">${shown.map((game) => html`<${Saved} key=${game.name} game=${game} />`)}</ul>
  `;
}

/** @param {{ game: SavedGame }} props */
function Saved({ game }) {
  const { name, state: kind, variant, mine, moves, result, ending, surrendered } = game;
  const isOver = kind === "over";
  const pov = { mine, seats: state.catalogue.tables[variant] ?? "", surrendered };
  const action = (/** @type {string} */ what, /** @type {(name: string) => void} */ run, isMain = false) =>
    html`<button class=${isMain ? "main" : ""} data-do=${what} onClick=${() => run(name)}>${t(`library.${what}`)}
      </button>`;
  return html`<li class="card saved ${kind}" data-name=${name}>
    <div class="saved-head">
      <b>${dateText(name)}</b>
      <span class="soft">${t(`variant.${variant}`)}</span>
      <span class="soft">${t("count.moves", { n: moves })}</span>
    </div>
    <div>${namesOf(game)}</div>
    <div>${isOver ? clauses(capital(resultText(result, pov)), t(`ending.${ending}`)) : t(`library.${kind}`)}</div>
    <div class="row">
      ${kind === "unfinished" && action("resume", resumeGame, true)}
      ${isOver && [action("study", replayGame, true), action("review", reviewGame), action("export", exportGame)]}
      ${kind !== "running" && action("delete", deleteGame)}
    </div>
  </li>`;
}
