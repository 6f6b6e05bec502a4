// Own brain teasers: a board that is drawn with letters, or written as text.

import { state } from "../state.js";
import { t } from "../texts.js";
import { html, useEffect, useState } from "../view.js";
import { faultText } from "./teaser_faults.js";
import { openOwn } from "./teaser_play.js";

/** By kind, the letters to draw with; A is the block or the car that leaves. */
const BRUSHES = /** @type {Record<string, string>} */ ({
  klotski: ".ABCDEFGHIJKL", cars: ".ABCDEFGHIJKL", match3: "123456",
});
/** A board to begin with; of other kinds the first one that is known. */
const FIRST = /** @type {Record<string, string>} */ ({
  klotski: "BAAC\nBAAC\nDEEF\nDGHF\nI..J", cars: "....B.\n....B.\nAA..B.\n...CC.\n......\n......", tour: "5x6 start a1",
});

/** @param {string} text */
const rowsOf = (text) => text.trim().split(/\s*[\n/]\s*/);

/**
 * A board as its engine reads it. A block A leaves at the bottom, in the middle, unless the text has another goal.
 * @param {string} kind
 * @param {string} text
 */
export function positionOf(kind, text) {
  const rows = rowsOf(text);
  if (kind === "cars") return rows.join("");
  if (kind !== "klotski" || text.includes("goal")) return rows.join("/");
  const block = rows.filter((row) => row.includes("A"));
  const left = Math.min(...block.map((row) => row.indexOf("A")));
  const right = Math.max(...block.map((row) => row.lastIndexOf("A")));
  const shifted = block.map((row) => {
    const cells = [...row.slice(left, right + 1)].map((cell) => (cell === "A" ? "A" : ".")).join("");
    return cells.padStart(Math.floor((row.length + cells.length) / 2), ".").padEnd(row.length, ".");
  });
  const empty = rows.slice(block.length).map((row) => ".".repeat(row.length));
  return `${rows.join("/")} goal ${[...empty, ...shifted].join("/")}`;
}

/** The first character of a row of match-3 that is no kind: the engine knows more of them than the board draws. */
const NO_KIND = /[^1-9.]/;

/**
 * What the page itself sees: that nothing is drawn, a wrong character, or a block whose squares do not hang together.
 * @param {string} kind
 * @param {string} text
 */
export function drawingFault(kind, text) {
  if (!text.trim()) return { code: "own-empty", text: "" };
  const rows = rowsOf(text.split(" goal")[0]);
  const wrong = kind === "match3" ? rows.findIndex((row) => NO_KIND.test(row)) : -1;
  if (wrong >= 0)
    return { code: "rejected", text: `row ${wrong + 1}, column ${rows[wrong].search(NO_KIND) + 1}` };
  const cells = rows.flatMap((row, y) => [...row].map((letter, x) => ({ letter, x, y })));
  for (const letter of kind === "klotski" ? new Set(cells.map((cell) => cell.letter)) : []) {
    if (letter === ".") continue;
    const [first, ...others] = cells.filter((cell) => cell.letter === letter);
    const whole = [first];
    for (const { x, y } of whole)
      whole.push(...others.filter((one) => !whole.includes(one) && Math.abs(one.x - x) + Math.abs(one.y - y) === 1));
    if (whole.length <= others.length) return { code: "own-parted", text: letter };
  }
  return null;
}

/** @param {{ kind: string }} props */
export function Editor({ kind }) {
  const [text, write] = useState(FIRST[kind] ?? state.teaser.all[kind][0].position.replaceAll("/", "\n"));
  const brushes = [...(BRUSHES[kind] ?? "")];
  const [brush, choose] = useState(brushes[1]);
  const [told, tell] = useState(/** @type {{ fault: RequestError, text: string, asked: unknown } | null} */ (null));
  const play = async () => {
    const fault = drawingFault(kind, text) ?? (await openOwn(kind, positionOf(kind, text)));
    tell(fault && { fault, text, asked: state.teaser.asked });
  };
  // It is about this text, until another teaser is opened.
  const fault = told?.text === text && told.asked === state.teaser.asked ? told.fault : null;
  const isTrying = state.teaser.waits === "working";
  const lines = text.split("\n");
  const paint = (/** @type {number} */ at) =>
    write((/** @type {string} */ before) => before.slice(0, at) + brush + before.slice(at + 1));
  const stroke = (/** @type {PointerEvent} */ { buttons, clientX, clientY }) => {
    const cell = /** @type {HTMLElement | null} */ (document.elementFromPoint(clientX, clientY));
    if (buttons && cell?.dataset.at) paint(Number(cell.dataset.at));
  };
  const cellsOf = (/** @type {string} */ line, /** @type {number} */ row) => {
    const start = lines.slice(0, row).join(" ").length + Math.min(row, 1);
    return [...line].map((letter, column) => html`<button class=${classOf(letter)} data-at=${start + column}
      aria-label=${t("teaser.draw.square", { row: row + 1, column: column + 1, what: nameOf(letter) })}
      onClick=${() => paint(start + column)}>${letter}</button>`);
  };
  // It opens below the fold.
  useEffect(() => document.getElementById("teaser-editor")?.scrollIntoView({ block: "start" }), []);
  return html`<div id="teaser-editor">
    <p>${t(`teaser.draw.about.${kind}`)}</p>
    ${brushes.length > 0 && !text.includes("goal") && html`
      <div class="tiles" role="group" aria-label=${t("teaser.draw.brush")}>
        ${brushes.map((one) => html`<button class=${classOf(one)} aria-pressed=${String(one === brush)}
          aria-label=${nameOf(one)} onClick=${() => choose(one)}>${one}</button>`)}
      </div>
      <div class="drawing" onPointerDown=${stroke} onPointerMove=${stroke}>
        ${lines.map((line, row) => html`<div>${cellsOf(line, row)}</div>`)}
      </div>`}
    <label class="wide"><span>${t("teaser.draw.text")}</span>
      <textarea id="teaser-text" rows=${lines.length + 1} spellcheck="false" value=${text}
        onInput=${(/** @type {any} */ { target }) => write(target.value)}></textarea></label>
    <button id="teaser-play" class="main" disabled=${isTrying} onClick=${play}>
      ${t(isTrying ? "teaser.working" : "teaser.draw.play")}</button>
    ${fault && html`<p class="faults" role="alert">${faultText(fault)}</p>`}
  </div>`;
}

/** The content of a square, in words. @param {string} letter */
const nameOf = (letter) => (letter === "." ? t("teaser.draw.empty") : letter);

/** The look of a letter: A is red. @param {string} letter */
const classOf = (letter) =>
  letter === "A" ? "drawn chosen" : letter === "." ? "" : `drawn tone-${(parseInt(letter, 36) || 0) % 12}`;
