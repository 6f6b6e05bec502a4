// The panel of a study: the moves with their variations, the engine's lines in words, and playing on from a position.

import { teamOf } from "../board/boards.js";
import { SayingText } from "../board/saying.js";
import { LEVELS, levelText } from "../game/levels.js";
import { setting } from "../shell/store.js";
import { errorText } from "../socket.js";
import { state } from "../state.js";
import { percent, t } from "../texts.js";
import { html, Select, useEffect, useLayoutEffect, useRef, useState } from "../view.js";
import { adviceSaying, moveSaying, textOf } from "../voice.js";
import { goToSpot, leaveVariation, placeShown } from "./replay.js";
import { playFrom, ReviewCard } from "./review_card.js";
import * as study from "./study.js";
import { Transport } from "./transport.js";
import { storyTold } from "./truth.js";
import { variationOf, variationsAt } from "./variations.js";

/** A search begins when a position has been shown for so long. */
const SEARCH_AFTER_MS = 250;
const MAX_FEN_CHARS = 4000;
/** @type {Record<string, string>} */
const SIGNS = { "attacker-won": "×", "defender-won": "†", "both-removed": "=" };

/** The actions on the position on display. @param {{ data: BoardData, pov: Pov }} props */
export function Study({ data, pov }) {
  const { record } = state.shown;
  return record && html`<${Outcomes} />
    <${Transport} />
    ${state.catalogue.isHost && html`<${EngineCard} data=${data} pov=${pov} />`}
    <${MoveList} data=${data} pov=${pov} />
    ${state.catalogue.isHost && record.line && html`<${PlayFrom} />`}
    ${record.line && html`<${ReviewCard} />`}
    ${state.catalogue.isHost && html`<${Advanced} />`}`;
}

/** The possible outcomes of a battle, to choose from. */
function Outcomes() {
  const card = useRef(/** @type {HTMLElement | null} */ (null));
  const { outcomes, fen } = state.study;
  const { variation, step } = state.shown;
  useLayoutEffect(() => card.current?.querySelector("button")?.focus(), [outcomes]);
  const before = variationOf(variation)?.moves.slice(0, step) ?? [];
  return outcomes.length > 0 && html`<div class="card alert row" ref=${card}>
    <p>${t("study.outcome")}</p>
    ${outcomes.map((move) => html`<button onClick=${() => study.tryVariation(fen, [...before, move])}>
      ${t(`outcome.${move.at(-1)}`)}</button>`)}
  </div>`;
}

/**
 * The moves of the record by their numbers, and the variations that begin at them. One entry takes the focus, which
 * follows the position.
 * @param {{ data: BoardData, pov: Pov }} props
 */
function MoveList({ data, pov }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const { variation, step } = state.shown;
  const story = storyTold();
  const at = placeShown();
  useLayoutEffect(() => {
    const current = /** @type {HTMLElement | null} */ (list.current?.querySelector("[aria-current]"));
    if (!list.current || !current) return;
    if (list.current.contains(document.activeElement)) current.focus({ preventScroll: true });
    const top = current.offsetTop - list.current.offsetTop;
    if (top < list.current.scrollTop || top + current.offsetHeight > list.current.scrollTop + list.current.clientHeight)
      list.current.scrollTop = top - list.current.clientHeight / 2;
  }, [at, variation, step]);
  const isFirst = at + variation === 0;
  const entryOf = (/** @type {LastMove} */ move, /** @type {Pick<Spot, "at" | "variation" | "step">} */ spot) => {
    const isShown = at === spot.at && variation === spot.variation && step === spot.step;
    const isReached = isShown || (isFirst && spot.at + spot.step === 1);
    return html`<${Entry} ...${{ move, spot, isShown, isReached, data, pov }} />`;
  };
  /** @type {(spot: Pick<Spot, "at" | "variation" | "step">) => Content[]} */
  const branches = (spot) =>
    variationsAt(spot).map((one) => html`<li key=${`v${one.id}`} class="variation">
      <ol>
        ${one.entries.slice(one.from).map((move, index) => {
          const here = { at: one.at, variation: one.id, step: one.from + index + 1 };
          return [entryOf(move, here), branches(here)];
        })}
      </ol>
      <button class="quiet" aria-label=${t("study.remove")} title=${t("study.remove")}
        onClick=${() => study.removeVariation(one)}>✕</button>
    </li>`);
  const atMove = (/** @type {number} */ ply) => ({ at: ply, variation: 0, step: 0 });
  const hasMoves = story.length > 0 || state.study.variations.length > 0;
  return hasMoves && html`<div class="card">
    <div class="row between"><h2>${t("study.moves")}</h2>
      ${variation > 0 && html`<button id="variation-leave" class="quiet" aria-keyshortcuts="Shift+ArrowLeft"
        title="Shift + ←" onClick=${leaveVariation}>${t("study.leave")}</button>`}</div>
    <ol id="move-list" class="move-list" ref=${list} aria-label=${t("study.moves")}>
      ${branches(atMove(0))}
      ${story.map((move, index) => [entryOf(move, atMove(index + 1)), branches(atMove(index + 1))])}
    </ol>
  </div>`;
}

/** @param {EntryProps} props */
const Entry = ({ move, spot, isShown, isReached, data, pov }) => {
  const ply = spot.at + spot.step;
  // A column for each team, in which the moves stay after a variation.
  return html`<li key=${ply} data-column=${data.teams.indexOf(teamOf(data, move.seat))}>
    <button class="quiet" aria-current=${isShown ? "true" : null} tabindex=${isReached ? 0 : -1}
      aria-label=${`${ply}. ${textOf(moveSaying(move, data, pov, false))}`} onClick=${() => goToSpot(spot)}>
      <${Words} move=${move} ply=${ply} data=${data} />
    </button>
  </li>`;
};

/**
 * A move in short: its number, the piece, its way, and what came of it.
 * @param {{ move: LastMove, ply: number, data: BoardData }} props
 */
function Words({ move, ply, data }) {
  const { attacker, seat, from, to, outcome } = move;
  const name = (/** @type {number} */ point) => data.points[point]?.name ?? "";
  const letter = attacker?.letter ?? "?";
  // A resignation and a passed turn are of no piece.
  const piece = from < 0 ? "–" : letter === "?" ? "?" : t(`short.${letter}`);
  const way = from < 0 ? t(move.resigned ? "study.resigned" : "timeOut.passes") : `${name(from)}–${name(to)}`;
  return html`<small>${ply}</small>
    <b class="lost seat-${attacker?.seat ?? seat}">${piece}</b>
    <span>${way} ${SIGNS[outcome] ?? ""}</span>`;
}

/** The switch of the engine, and its lines in words. @param {{ data: BoardData, pov: Pov }} props */
function EngineCard({ data, pov }) {
  const { isOn, error } = state.study;
  const { record, scene } = state.shown;
  const fen = scene?.fen ?? "";
  const variant = record?.variant ?? "";
  const isHidden = scene?.pieces.some(([, , seat, letter]) => seat === scene.turn && letter === "?");
  const isSearching = isOn && fen !== "" && !isHidden && state.view === "play";
  useEffect(() => {
    const timer = isSearching ? setTimeout(() => study.searchPosition(variant, fen), SEARCH_AFTER_MS) : 0;
    return () => clearTimeout(timer);
  }, [isSearching, fen]);
  return html`<div class="card">
    <label><input type="checkbox" role="switch" id="study-engine" checked=${isOn} onChange=${study.toggleEngine} />
      ${" "}<span>${t("engine")}</span></label>
    ${isOn && html`<p class="soft">${t(!fen ? "error.game-over" : isHidden ? "study.hidden" : "study.engine")}</p>`}
    <ol id="study-lines" class=${isOn ? "lines on" : "lines"}>
      ${scene && study.linesShown().map(({ from, to, win, rank }) => html`<li key=${rank}>
        <${SayingText} saying=${adviceSaying("study.", from, to, scene.pieces, pov, data)} />
        ${" "}<b>${win === null ? "" : percent(win)}</b>
      </li>`)}
    </ol>
    <p class="faults" role="status">${error && errorText(error)}</p>
  </div>`;
}

/** A game from the position that is shown, against a level. */
function PlayFrom() {
  const engine = state.catalogue.engines.find(({ levels }) => Object.keys(levels).length);
  const names = LEVELS.filter((level) => level in (engine?.levels ?? {}));
  const [level, choose] = useState(setting("level", "beginner"));
  const { variation, step } = state.shown;
  const moves = variationOf(variation)?.moves.slice(0, step) ?? [];
  const begin = () => playFrom(placeShown(), moves, engine?.levels[level] ?? null);
  return html`<div class="card row">
    <button id="review-play" onClick=${begin}>${t("review.play")}</button>
    ${names.length > 0 && html`<${Select} id="play-level" label=${t("teaser.level")} value=${level}
      entries=${names.map((name) => [name, levelText(name)])} onPick=${choose} />`}
  </div>`;
}

/** Setting up a position of a FEN, and typing a move. That of a seat whose pieces are hidden cannot be clicked. */
export function Advanced() {
  const { record, scene } = state.shown;
  const [typed, type] = useState("");
  const variants = Object.keys(state.catalogue.tables).map((name) => [name, t(`variant.${name}`)]);
  const [chosen, choose] = useState("");
  const variant = chosen || (record?.variant ?? variants[0]?.[0] ?? "");
  useLayoutEffect(() => type(scene?.fen ?? ""), [scene]);
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    const [input] = event.currentTarget.elements;
    if (input.value.trim()) study.playOn(input.value.trim());
    input.value = "";
  };
  return html`<details id="advanced" class="card">
    <summary>${t("study.advanced")}</summary>
    <${Select} id="study-variant" label=${t("setup.variant")} value=${variant} entries=${variants} onPick=${choose} />
    <label class="wide">
      <span>${t("study.fen")}</span>
      <textarea id="study-fen" rows="3" spellcheck="false" value=${typed}
        onInput=${(/** @type {any} */ event) => type(event.currentTarget.value)} />
    </label>
    <div class="row"><button id="study-set-up"
      onClick=${() => study.studyPosition(variant, typed.replace(/\s+/g, " ").trim().slice(0, MAX_FEN_CHARS))}>
      ${t("study.setUp")}</button></div>
    ${scene?.fen && html`<form class="row" onSubmit=${submit}>
      <label><span>${t("study.type")}</span>${" "}
        <input id="study-move" maxlength="12" size="8" spellcheck="false" autocomplete="off" /></label>
    </form>`}
  </details>`;
}
