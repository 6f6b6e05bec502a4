// The buttons that step through a game, and the choice of what is shown: a game of the file, and its viewer.

import { boardOf } from "../board/boards.js";
import { setSetting } from "../shell/store.js";
import { state } from "../state.js";
import { capital, t } from "../texts.js";
import { html, Select } from "../view.js";
import { colourOf, who } from "../voice.js";
import * as replay from "./replay.js";

const PACES_S = [0.3, 0.5, 1, 2, 4];
const MAX_GAMES_LISTED = 5000;

/** The label and the tip of a button without words. @param {string} key */
export const named = (key) => ({ "aria-label": t(key), title: t(key) });

/** Steps through a record, and chooses its viewer. */
export function Transport() {
  const { lines, index, record, viewer } = state.shown;
  const at = replay.placeShown();
  const { isOn } = replay.autoplay;
  const step = (/** @type {string} */ key, /** @type {string} */ sign, /** @type {number} */ plies) =>
    html`<button id="replay-${key}" ...${named(`replay.${key}`)} onClick=${() => replay.stepBy(plies)}>${sign}
      </button>`;
  return html`<div class="card" id="transport">
    <div class="row transport">
      ${step("first", "|‹", -Infinity)}
      ${step("back", "‹", -1)}
      <button id="replay-play" class="main" ...${named(isOn ? "stop" : "replay.play")}
        onClick=${() => (isOn ? replay.autoplay.halt() : replay.playRecord())}>${isOn ? "❚❚" : "▶"}</button>
      ${step("next", "›", 1)}
      ${step("last", "›|", Infinity)}
      <select aria-label=${t("replay.pace")} value=${replay.pace_s()}
        onChange=${(/** @type {any} */ { target }) => setSetting("replayPace", target.value)}>
        ${PACES_S.map((s) => html`<option value=${s}>${t("replay.paceIs", { s })}</option>`)}
      </select>
    </div>
    <input type="range" id="replay-at" min="0" max=${replay.movesShown().length} value=${at}
      aria-label=${t("replay.at")}
      onInput=${(/** @type {any} */ { target }) => replay.goToMove(Number(target.value))} />
    ${lines.length > 1 && html`<${Select} kind="wide" id="replay-game" label=${t("replay.game")} value=${index}
      entries=${lines.slice(0, MAX_GAMES_LISTED).map((line, number) => [number, titleOf(line, number)])}
        onPick=${(/** @type {string} */ one) => replay.openLine(Number(one))} />`}
    ${record && html`<${Select} id="replay-viewer" label=${t("replay.viewer")} value=${viewer}
      entries=${record.viewers.map((one) => [one, viewerText(one, record)])} onPick=${replay.showViewer} />`}
  </div>`;
}

/**
 * The name of a viewer: in a game of the person the persons' names, or what the seats are to it; else the colours.
 * @param {string} viewer
 * @param {OpenRecord} record
 */
export function viewerText(viewer, record) {
  if (viewer === replay.EVERYONE) return t("replay.all");
  const own = replay.isTable() ? state.table.game : null;
  const pov = { mine: own ? own.mine : record.mine, seats: boardOf(record.variant)?.seats ?? "SENW" };
  const nameOf = (/** @type {string} */ seat) =>
    own?.seats[seat].is_named
      ? t("is.named", { name: own.seats[seat].name, colour: colourOf(seat, pov) })
      : who(seat, pov);
  const name = capital([...new Set([...viewer].map(nameOf))].join(t("list.and")));
  // At the end of the game all pieces lie open, whoever looks.
  return own?.face_up && state.shown.at === null ? t("replay.open", { name }) : name;
}

/**
 * The title of a recorded game in the list; the server checks the record only when it is opened.
 * @param {string} line
 * @param {number} number
 */
function titleOf(line, number) {
  try {
    const record = JSON.parse(line);
    const names = Object.values(record.engines).map((engine) => engine.name);
    return `${record.game}: ${names.join(" – ")}, ${record.result}`;
  } catch {
    return `${number + 1}: ?`;
  }
}
