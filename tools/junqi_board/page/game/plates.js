// The plates of the seats: name, clock, and the pieces that each has captured.

import { sideOf } from "../board/geometry.js";
import { SeatIcon } from "../board/saying.js";
import { playSound } from "../board/sounds.js";
import { low, narrow } from "../shell/dom.js";
import { capital, either, pieceLines, t } from "../texts.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../view.js";
import { relationOf, who } from "../voice.js";
import { Face, generalName, levelNamed, unnamed } from "./levels.js";
import { spokenText } from "./quick_words.js";

const SHORT_TIME_MS = 20_000;
const CLOCK_EVERY_MS = 250;

/** The time that a seat has left. @param {{ about: PlateSeat, receivedAt: number, isMine: boolean }} props */
function Clock({ about: { remaining_ms: remaining, is_running: isRunning }, receivedAt, isMine }) {
  const [, tick] = useState(0);
  const hasClock = remaining !== null && remaining !== undefined;
  const left = hasClock ? Math.max(0, remaining - (isRunning ? performance.now() - receivedAt : 0)) : Infinity;
  const isShort = left < SHORT_TIME_MS;
  useEffect(() => {
    const timer = isRunning ? setInterval(() => tick((count) => count + 1), CLOCK_EVERY_MS) : 0;
    return () => clearInterval(timer);
  }, [isRunning]);
  useEffect(() => {
    if (isShort && isRunning && isMine) playSound("clock");
  }, [isShort]);
  return html`<span class="clock ${isShort ? "short" : ""}">${hasClock ? clockText(left) : ""}</span>`;
}

/**
 * The plates of the seats: name, role, clock, and the tray of captured pieces; `bottom` is the seat at the bottom.
 * @param {SeatsProps} props
 */
export function Seats({ id, data, bottom, seatOf, about, receivedAt = 0 }) {
  const pov = { mine: about.mine, seats: data.seats };
  return html`<ul id=${id} class="seats" data-seats=${data.seats.length}>
    ${[...data.seats].map((seat) => html`<${Plate} key=${seat} ...${{ seat, about, pov, receivedAt }}
      one=${seatOf(seat)} side=${sideOf(data, bottom, seat, low.matches)} />`)}
  </ul>`;
}

/**
 * @param {{ seat: string, one: PlateSeat, about: About, pov: Pov, receivedAt: number, side: number }} props
 */
function Plate({ seat, one, about, pov, receivedAt, side }) {
  const relation = relationOf(seat, pov);
  const isOut = about.alive !== undefined && !about.alive.includes(seat);
  const isTurn = about.phase === "playing" && about.turn === seat;
  const captured = (about.removed ?? []).filter((piece) => (piece.by || piece.seat) === seat);
  const role = relation === "watched" ? capital(who(seat, pov)) : t(`plate.${relation}`);
  const level = pov.seats.length === 2 && one.who === "engine" ? levelNamed(one.name) : undefined;
  const title = one.is_named ? one.name : level ? generalName(level) : role;
  const notes = notesOf(seat, one, about, title === role ? "" : role, isOut);
  const speech = about.said?.seats[0] === seat ? "saying" : "";
  const classes = `${speech} ${isTurn ? "turn" : ""} ${isOut ? "out" : ""} ${one.is_thinking ? "thinking" : ""}`;
  return html`<li class=${classes} data-seat=${seat} data-side=${side} data-role=${relation}
    aria-current=${isTurn ? "true" : null}>
    <${SeatIcon} seat=${seat} />
    ${level && html`<${Face} level=${level} />`}
    <span class="who"><b><bdi>${title}</bdi></b>${notes.map((note) => html` <bdi
      class="note">${note}</bdi>`)}</span>
    ${captured.length > 0 && html`<${Tray} pieces=${captured} pov=${pov} />`}
    <${Clock} about=${one} receivedAt=${receivedAt} isMine=${about.mine.includes(seat)} />
  </li>`;
}

/**
 * What a plate says of a seat below its title: what it has just said or offered, or else its role if the title is a
 * name, its level, and whether it is ready, out, or away.
 * @param {string} seat
 * @param {PlateSeat} one
 * @param {About} about
 * @param {string} role
 * @param {boolean} isOut
 */
function notesOf(seat, one, about, role, isOut) {
  const isMine = about.mine.includes(seat);
  if (about.said?.seats[0] === seat) return [t("plate.says", { words: spokenText(about.said.words) })];
  if (about.offer?.by[0] === seat && about.phase === "playing")
    return [t(isMine ? "plate.offers.you" : "plate.offers")];
  const isPerson = one.who !== "engine";
  const isAway = isPerson && !one.is_here && !isMine;
  const name = one.is_named || isMine ? "" : unnamed(one);
  const isSettingUp = about.phase === "arranging";
  return [
    role,
    name,
    isSettingUp && !isAway && t(one.ready ? "who.ready" : isPerson ? "who.arranging" : "who.starting"),
    !isSettingUp && isOut && t("who.out"),
    !isSettingUp && !isOut && about.counts && countOf(seat, about.counts),
    isAway && t(one.was_here ? "who.lost" : "who.away"),
  ].filter(Boolean);
}

/**
 * The pieces that a seat has; of four seats on a small screen a number, with the words for a screen reader.
 * @param {string} seat
 * @param {Record<string, number>} counts
 */
function countOf(seat, counts) {
  const n = counts[seat];
  const text = t("who.pieces", { n });
  if (Object.keys(counts).length < 4 || !(narrow.matches || low.matches)) return text;
  return html`<span aria-hidden="true">${n}</span><span class="unseen">${text}</span>`;
}

/**
 * Shows the chips that fit whole into a tray, and the number of pieces of the others.
 * @param {HTMLElement} tray
 */
function fit(tray) {
  const chips = [.../** @type {NodeListOf<HTMLElement>} */ (tray.querySelectorAll(".lost"))];
  const rest = /** @type {HTMLElement} */ (tray.querySelector(".rest"));
  const plate = /** @type {HTMLElement} */ (tray.closest("li"));
  const isOpen = rest.ariaExpanded === "true";
  for (const one of [rest, ...chips]) one.hidden = one === rest && !isOpen;
  if (isOpen) rest.textContent = "×";
  const isFull = () => [tray, plate].some((box) => box.scrollHeight > box.clientHeight);
  for (let hidden = 0; !isOpen && chips.length && isFull(); ) {
    const last = /** @type {HTMLElement} */ (chips.pop());
    last.hidden = true;
    rest.hidden = false;
    rest.textContent = `+${(hidden += Number(last.dataset.count))}`;
  }
}

/**
 * The pieces that a seat captured, in the colours of their seats; own ones by name, others by what is proven. A number
 * stands for those that do not fit, and opens the plate.
 * @param {{ pieces: RemovedPiece[], pov: Pov }} props
 */
function Tray({ pieces, pov }) {
  /** @type {Map<string, { seat: string, may: string, count: number }>} */
  const kinds = new Map();
  for (const { seat, may } of pieces) {
    const name = may.length > 2 ? `${seat}~` : `${seat}${may}`;
    kinds.set(name, { seat, may, count: (kinds.get(name)?.count ?? 0) + 1 });
  }
  const chips = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1));
  const tray = useRef(/** @type {HTMLElement | null} */ (null));
  const [isOpen, open] = useState(false);
  useLayoutEffect(() => fit(/** @type {HTMLElement} */ (tray.current)));
  useEffect(() => {
    const element = /** @type {HTMLElement} */ (tray.current);
    const sizes = new ResizeObserver(() => fit(element));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  return html`<span class="losses" ref=${tray}>
    <span class="place" role="img" aria-label=${t("seat.captured", { n: pieces.length })}>
      ${chips.map(([name, kind]) => html`<${Captured} key=${name} ...${kind} pov=${pov} />`)}
    </span>
    <button class="rest" aria-label=${t("seat.all")} aria-expanded=${isOpen} onClick=${() => open(!isOpen)}
      onBlur=${() => open(false)} />
  </span>`;
}

/** @param {{ seat: string, may: string, count: number, pov: Pov }} props */
function Captured({ seat, may, count, pov }) {
  const isShort = may.length < 3;
  const words = isShort ? either([...may].map((letter) => t(`piece.${letter}`))) : t("piece.?");
  const text = isShort ? [...may].map((letter) => pieceLines(letter)[0]).join("/") : "?";
  const title = t("labelled", { name: capital(who(seat, pov)), text: words });
  return html`<span class="lost seat-${seat} ${may.length === 1 ? "" : "unknown"}" title=${title} data-count=${count}>
    ${text}${count > 1 && html`<small>×${count}</small>`}</span>`;
}

/** @param {number} ms */
function clockText(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return `${minutes}:${String(rest).padStart(2, "0")}`;
}
