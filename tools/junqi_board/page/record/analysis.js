// The view of analysis: a position as a FEN, the moves that are tried on it, and the engine's best lines as arrows.

import { Board } from "../board/board.js";
import { JunqiBoard } from "../board/junqi_board.js";
import { download } from "../shell/dom.js";
import { announce } from "../shell/notices.js";
import { remember, remembered } from "../shell/storage.js";
import { errorText, socket } from "../socket.js";
import { change, state } from "../state.js";
import { t } from "../texts.js";
import { html, Select, useLayoutEffect, useRef, useState } from "../view.js";
import { seatText } from "../voice.js";

const SEARCH_MS = 5000;
const MAX_FEN_CHARS = 4000;
const COUNTS = ["1", "2", "3", "5"];

const board = new JunqiBoard("analysis-board", { onMove: ({ move }) => tryMove(String(move)) });

/** @type {View} */
export const analysis = {
  id: "analysis",
  isForHost: true,
  Component: Analysis,
  messages: { study_lines: ({ lines }) => showLines(lines) },

  show() {
    if (!state.catalogue.isHost || state.analysis.position) return;
    const last = remembered("analysis");
    if (typeof last?.fen === "string" && last.variant in state.catalogue.tables) setUpPosition(last.variant, last.fen);
    else setUpPosition(Object.keys(state.catalogue.tables)[0], "");
  },
};

/**
 * Shows a position, of which nothing has been played.
 * @param {string} variant
 * @param {string} fen empty for the start of a game
 */
const setUpPosition = (variant, fen) => showPosition([], [], { variant, start: fen });

/** @param {string} move */
const tryMove = (move) => showPosition([...(state.analysis.position?.moves ?? []), move]);

/** Asks for the position after some moves, which may be the first ones of a line. @param {string[]} moves */
async function showPosition(
  moves,
  line = state.analysis.moves,
  { variant, start } = state.analysis.position ?? { variant: "", start: "" },
) {
  change("analysis", { asked: moves });
  try {
    const answer = await socket.request("study_show", { variant, fen: start, moves: moves.join(" ") });
    if (state.analysis.asked !== moves) return;
    // A battle with a hidden piece can end in several ways.
    if (answer.type === "study_outcomes") change("analysis", { outcomes: answer.moves });
    else storePosition(answer, line);
  } catch (error) {
    if (state.analysis.asked === moves) showFailure(error);
  }
}

/** Another move replaces those that followed. @param {StudyPosition} position @param {string[]} line */
function storePosition(position, line) {
  const isOfLine = position.moves.every((move, ply) => move === line[ply]);
  change("analysis", { position, moves: isOfLine ? line : position.moves, lines: [], outcomes: [], error: null });
  remember("analysis", { variant: position.variant, fen: position.start });
}

/** @param {any} error a RequestError */
function showFailure(error) {
  if (error.code !== "lost") change("analysis", { error });
}

/** @param {number} count of the lines */
async function searchPosition(count) {
  const { position } = state.analysis;
  if (!position) return;
  change("analysis", { searches: state.analysis.searches + 1 });
  try {
    const { variant, start, moves } = position;
    const answer = await socket.request("study_search", {
      variant,
      fen: start,
      moves: moves.join(" "),
      lines: count,
      ms: SEARCH_MS,
    });
    if (state.analysis.position === position && answer.lines.length) announce(answer.lines[0].moves[0]);
  } catch (error) {
    showFailure(error);
  } finally {
    change("analysis", { searches: state.analysis.searches - 1 });
  }
}

/** @param {StudyLine[]} lines */
function showLines(lines) {
  // Lines of another position arrive late.
  const legal = Object.values(state.analysis.position?.targets ?? {}).flatMap((targets) => Object.values(targets));
  change("analysis", { lines: lines.filter(({ moves }) => legal.includes(moves[0].replace(/[xo=!#].*$/, ""))) });
}

/** Saves the position and all moves to it as a text file. @param {StudyPosition} position */
function savePosition({ variant, fen, start, moves }) {
  const text = [`# ${variant}`, fen, ...(moves.length ? [`# ${start}`, `# moves ${moves.join(" ")}`] : [])];
  download(new Blob([`${text.join("\n")}\n`], { type: "text/plain" }), "position.fen");
}

/** The position, with the first moves of the engine's lines. @returns {Drawing | null} */
function analysisDrawing() {
  const { position, lines } = state.analysis;
  if (!position) return null;
  const { start, moves, targets } = position;
  const arrows = lines.map(({ from, to, rank }) => ({ kind: `rank-${rank - 1}`, from, to, tag: String(rank) }));
  return { scene: position, key: start, at: moves.length, bottom: "S", mine: "S", targets, rings: [], arrows };
}

function Analysis() {
  const { position, outcomes, error } = state.analysis;
  const pov = { mine: "", seats: state.catalogue.tables[position?.variant ?? ""] ?? "" };
  const statusText =
    position && (position.over ? t("error.game-over") : seatText("status.waits", position.turn, pov));
  return html`
    <div class="stage"><${Board} board=${board} value=${analysisDrawing()} /></div>
    <aside class="panel">
      <p class="status" role="status">${statusText}</p>
      <p id="analysis-error" class="faults" role="status">
        ${error && errorText(error)}</p>
      ${outcomes.length > 0 && html`<${Outcomes} moves=${outcomes} />`}
      <${Start} />
      <${SearchControls} />
      <${Moves} />
    </aside>
  `;
}

/** How a battle may end, to choose from. @param {{ moves: string[] }} props */
function Outcomes({ moves }) {
  const card = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => card.current?.querySelector("button")?.focus(), [moves]);
  return html`<div class="card alert row" ref=${card}>
    <p>${t("analysis.outcome")}</p>
    ${moves.map((move) => html`<button onClick=${() => tryMove(move)}>${t(`outcome.${move.at(-1)}`)}</button>`)}
  </div>`;
}

function Start() {
  const { position } = state.analysis;
  const [typed, type] = useState("");
  useLayoutEffect(() => type(position?.fen ?? ""), [position]);
  const variants = Object.keys(state.catalogue.tables).map((name) => [name, t(`variant.${name}`)]);
  const variant = position?.variant ?? variants[0]?.[0] ?? "";
  return html`<div class="card">
    <div class="row">
      <${Select} id="analysis-variant" label=${t("setup.variant")} value=${variant} entries=${variants}
        onPick=${(/** @type {string} */ name) => setUpPosition(name, "")} />
    </div>
    <label class="wide">
      <span>${t("analysis.fen")}</span>
      <textarea id="analysis-fen" rows="3" spellcheck="false" value=${typed}
        onInput=${(/** @type {any} */ event) => type(event.currentTarget.value)} />
    </label>
    <div class="row">
      <button id="analysis-fen-open"
        onClick=${() => setUpPosition(variant, typed.replace(/\s+/g, " ").trim().slice(0, MAX_FEN_CHARS))}>
          ${t("analysis.open")}</button>
      <button onClick=${() => position && savePosition(position)}>${t("save")}</button>
    </div>
  </div>`;
}

function SearchControls() {
  const { position, lines, searches } = state.analysis;
  const [count, choose] = useState("3");
  const canSearch = Object.keys(position?.targets ?? {}).length > 0;
  return html`<div class="card">
    <div class="row">
      <button id="analysis-search" class="main" disabled=${!canSearch} onClick=${() => searchPosition(Number(count))}>
        ${t("analysis.search")}</button>
      ${searches > 0 && html`<button id="analysis-stop" onClick=${() => socket.send("study_stop")}>${t("stop")}
        </button>`}
      <${Select} id="analysis-count" label=${t("analysis.lines")} value=${count}
        entries=${COUNTS.map((one) => [one, one])} onPick=${choose} />
    </div>
    <ol id="analysis-lines" class="lines" tabindex="0" aria-label=${t("analysis.lines")}>
      ${lines.map(({ score, moves }) => html`<li><b>${scoreText(score)}</b> ${moves.join(" ")}</li>`)}
    </ol>
  </div>`;
}

/** A score of the engine: in pieces of a Lieutenant, as `cp` counts hundredths. @param {string} score */
function scoreText(score) {
  const [kind, value] = score.split(" ");
  return kind === "cp"
    ? `${Number(value) > 0 ? "+" : ""}${(Number(value) / 100).toFixed(2)}`
    : t("analysis.mate", { n: value });
}

/** The moves that were tried. That of a seat whose pieces are hidden cannot be clicked: it is typed. */
function Moves() {
  const { position, moves } = state.analysis;
  const at = position?.moves.length ?? 0;
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    const [input] = event.currentTarget.elements;
    const move = input.value.trim();
    input.value = "";
    if (move) tryMove(move);
  };
  return html`<div class="card">
    <div class="row transport">
      <button id="analysis-back" aria-label=${t("replay.back")} title=${t("replay.back")} disabled=${!at}
        onClick=${() => showPosition(moves.slice(0, at - 1))}>‹</button>
      <button aria-label=${t("replay.next")} title=${t("replay.next")} disabled=${at === moves.length}
        onClick=${() => showPosition(moves.slice(0, at + 1))}>›</button>
    </div>
    <p id="analysis-moves">
      ${moves.map((move, ply) => html`<button class="quiet" aria-current=${ply + 1 === at ? "true" : null}
        onClick=${() => showPosition(moves.slice(0, ply + 1))}>${move}</button>${" "}`)}
    </p>
    <form class="row" onSubmit=${submit}>
      <label>
        <span>${t("analysis.move")}</span>${" "}
        <input id="analysis-move" maxlength="12" size="8" spellcheck="false" autocomplete="off" />
      </label>
    </form>
  </div>`;
}
