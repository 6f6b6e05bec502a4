// A board in SVG: shapes that can be moved by clicks, drags and keys, and the places that they can go to.
// All coordinates are in units of one cell.

import { make, reducedMotion } from "./dom.js";
import { wording } from "./looks.js";
import { announce } from "./notices.js";
import { state } from "./state.js";
import { isChinese, t } from "./texts.js";
import { html, redraw, useLayoutEffect, useRef } from "./view.js";

/** A drag of the pointer; `shape` is null if it began beside all shapes that can move. `start` is where a zoomed board was shifted from. @typedef {{ pointer: number, from: Place, shape: Shape | null, moved: boolean, start?: number[] }} Drag */

const LEAVING_MS = 1300;
const SHAKE_MS = 120;
const LONG_TOUCH_MS = 500;
/** Cells smaller than this are enlarged for a finger, to its size. */
const [LEAST_PX, FINGER_PX] = [40, 44];
/** How far the pointer moves, in cells, until a press is a drag. */
const DRAG_FROM = 0.25;

/** Screens on which the board takes the whole width, and those that are too low for it. */
export const narrow = matchMedia("(max-width: 760px) and (min-height: 501px), (max-width: 480px)");
export const low = matchMedia("(max-height: 500px) and (min-width: 481px)");
for (const query of [narrow, low]) query.addEventListener("change", redraw);

/**
 * The place of a board, which draws itself: its pieces when one of the inputs has changed, or how they are named and laid out.
 * @param {{ board: { svgBoard: SvgBoard }, draw?: () => void, inputs?: unknown[] }} props
 */
export function Board({ board: { svgBoard }, draw = () => {}, inputs = [] }) {
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => place.current?.append(svgBoard.svg, svgBoard.exit), []);
  useLayoutEffect(() => {
    svgBoard.name();
    draw();
  }, [...inputs, state.boards, isChinese(), wording(), narrow.matches, low.matches]);
  return html`<div class="place" ref=${place}></div>`;
}

export class SvgBoard {
  layers = layers();
  /** The elements of the shapes, by id. @type {Map<string, SVGElement>} */
  drawn = new Map();
  /** The parts of shapes that lie beneath all others. @type {Map<string, SVGElement>} */
  beneath = new Map();
  /** @type {Shape[]} */
  shapes = [];
  /** @type {Map<string, Choice[]>} */
  choices = new Map();
  /** @type {Place[]} */
  spots = [];
  /** Whether the choices are for later. */
  isLater = false;
  /** The shape that is selected, waiting for its target. @type {string | null} */
  selected = null;
  /** @type {string | null} */
  alwaysSelected = null;
  /** Where the cursor of the keyboard is. @type {Place | null} */
  at = null;
  /** @type {Drag | null} */
  drag = null;
  touchTimer = 0;
  /** The size of a target, in cells. */
  unit = 1;
  /** The width of a piece, in units of a narrow one. */
  wide = 1;
  /** The whole board, as x, y, width and height. @type {Rectangle} */
  whole = [0, 0, 1, 1];
  /** The visible part. @type {Rectangle} */
  seen = [0, 0, 1, 1];

  /** @param {string} id @param {BoardOptions} options */
  constructor(id, { onMove, onHover = () => {}, onMark = () => {}, onRefuse = () => {}, onZoom = () => {}, describe }) {
    /** @type {SVGSVGElement} */
    this.svg = make("svg:svg", { id, class: "board", tabindex: 0, role: "application" });
    /** Shows the whole board again, while it is enlarged. */
    this.exit = make("button", { class: "whole-board", hidden: true, onclick: () => this.show(this.whole) });
    this.onZoom = onZoom;
    this.onMove = onMove;
    this.onHover = onHover;
    this.onMark = onMark;
    this.onRefuse = onRefuse;
    this.describe = describe;
    this.svg.append(...Object.values(this.layers));
    this.svg.addEventListener("pointerdown", (event) => this.press(event));
    this.svg.addEventListener("pointermove", (event) => this.pointerMoved(event));
    this.svg.addEventListener("pointerup", (event) => this.release(event));
    this.svg.addEventListener("pointercancel", () => this.cancelDrag());
    // A finger leaves the board when it is lifted; what it has touched remains shown.
    this.svg.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.onHover(null));
    this.svg.addEventListener("contextmenu", (event) => this.mark(event));
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("focus", () => this.drawCursor());
    this.svg.addEventListener("blur", () => this.layers.cursor.replaceChildren());
  }

  // Says what can be done, in the language of the page.
  name() {
    this.svg.setAttribute("aria-label", t("board.keys"));
    this.exit.textContent = t("board.whole");
  }

  /** Sets the visible part. @param {number} x @param {number} y @param {number} width @param {number} height */
  frame(x, y, width, height) {
    this.whole = [x, y, width, height];
    this.show(this.whole);
    /** @type {SVGSVGElement | HTMLElement} */ (this.svg.closest(".view") ?? this.svg).style.setProperty("--ratio", String(width / height));
  }

  /** @param {Rectangle} part */
  show(part) {
    const wasZoomed = !this.exit.hidden;
    this.seen = part;
    this.svg.setAttribute("viewBox", part.slice(0, 4).join(" "));
    this.svg.classList.toggle("zoomed", this.isZoomed);
    this.exit.hidden = !this.isZoomed;
    if (wasZoomed !== this.isZoomed) this.onZoom(this.isZoomed);
  }

  get isZoomed() {
    return this.seen[2] < this.whole[2];
  }

  /**
   * Shows the part around a place, moved so that it lies within the board.
   * @param {Place} place its centre
   * @param {number} share of the board's width and height
   */
  showAround({ x, y }, share) {
    const [left, top, width, height] = this.whole;
    const [wide, high] = [width * share, height * share];
    const within = (/** @type {number} */ from, /** @type {number} */ least, /** @type {number} */ most) => Math.min(Math.max(from, least), most);
    this.show([within(x - wide / 2, left, left + width - wide), within(y - high / 2, top, top + height - high), wide, high]);
  }

  /** Enlarges the board if its targets are too small for a finger. @param {Place} place */
  enlarge(place) {
    const cell = (this.svg.getBoundingClientRect().width / this.whole[2]) * this.unit;
    if (cell < LEAST_PX && !this.isZoomed) this.showAround(place, cell / FINGER_PX);
  }

  clear() {
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
    this.drawn.clear();
    this.beneath.clear();
    this.update({ shapes: [], choices: new Map(), spots: [] });
  }

  /** @param {BoardContent} content */
  update({ shapes, choices, spots, selected = null, leaving = () => null, farewell, isLater = false }) {
    this.isLater = isLater;
    this.choices = choices;
    this.spots = spots;
    this.alwaysSelected = selected;
    const old = new Map(this.shapes.map((shape) => [shape.id, shape]));
    this.shapes = shapes;
    for (const shape of shapes) {
      const group = this.drawn.get(shape.id) ?? /** @type {SVGElement} */ (make("svg:g", { "data-id": shape.id }));
      this.drawn.set(shape.id, group);
      // Elements are appended in the order of the shapes. Those that are kept keep their transition.
      if (group.parentNode !== this.layers.shapes) this.layers.shapes.append(group);
      group.setAttribute("class", `shape ${shape.class ?? ""} ${choices.has(shape.id) ? (isLater ? "later" : "movable") : ""}`);
      if (shape.under && !this.beneath.has(shape.id)) {
        const under = make("svg:g", { class: group.getAttribute("class") });
        shape.under(under);
        this.beneath.set(shape.id, under);
        this.layers.under.append(under);
      }
      this.put(shape.id, shape.x, shape.y);
      if (group.dataset.look !== shape.look) {
        group.dataset.look = shape.look;
        group.replaceChildren();
        shape.draw(group);
      }
      old.delete(shape.id);
    }
    for (const [id, shape] of old) {
      if (farewell) this.part(id, shape, farewell);
      else this.dismiss(id, leaving(shape));
    }
    if (this.selected !== null && !choices.has(this.selected)) this.selected = null;
    this.selected ??= selected;
    this.drawTargets();
    this.drawCursor();
  }

  /** Moves a shape, with its part beneath the others. @param {string} id @param {number} x @param {number} y */
  put(id, x, y) {
    for (const group of [this.drawn.get(id), this.beneath.get(id)]) group?.style.setProperty("transform", `translate(${x}px, ${y}px)`);
  }

  /** Gives up a shape, whose element is handed over. @param {string} id @param {Shape} shape @param {(group: SVGElement, shape: Shape) => void} farewell */
  part(id, shape, farewell) {
    const group = this.drawn.get(id);
    this.drawn.delete(id);
    group?.removeAttribute("data-id");
    group?.classList.remove("movable", "later");
    if (group) farewell(group, shape);
  }

  /** Removes a shape; with a place it fades on the way there. @param {string} id @param {Place | null} to */
  dismiss(id, to) {
    const group = this.drawn.get(id);
    this.drawn.delete(id);
    this.beneath.get(id)?.remove();
    this.beneath.delete(id);
    if (!group) return;
    if (!to || reducedMotion.matches) {
      group.remove();
      return;
    }
    this.layers.going.append(group);
    group.removeAttribute("data-id");
    requestAnimationFrame(() => {
      group.style.transform = `translate(${to.x}px, ${to.y}px)`;
      group.classList.add("leaving");
    });
    setTimeout(() => group.remove(), LEAVING_MS);
  }

  /** @param {string | null} id */
  select(id) {
    this.selected = id ?? this.alwaysSelected;
    this.drawTargets();
  }

  drawTargets() {
    const places = this.selectedChoices();
    this.layers.targets.replaceChildren(
      ...places.map((choice) => {
        const isTaken = this.shapes.some((shape) => shape.id !== this.selected && distance(shape, choice) < 0.3);
        return make("svg:circle", {
          class: isTaken ? `target ${choice.isSwap ? "swap" : "hit"}` : "target",
          cx: choice.x,
          cy: choice.y,
          r: isTaken ? 0.42 * this.unit : 0.17 * this.unit,
          "data-move": choice.move ?? "",
        });
      }),
    );
    for (const groups of [this.drawn, this.beneath]) for (const [id, group] of groups) group.classList.toggle("taken", id === this.selected);
  }

  /** @returns {Choice[]} */
  selectedChoices() {
    return (this.selected !== null && this.choices.get(this.selected)) || [];
  }

  /** The place of the pointer. @param {MouseEvent} event @returns {Place} */
  place(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM()?.inverse());
    return { x: point.x, y: point.y };
  }

  /** Where a place is in the window. @param {Place} place @returns {Place} */
  onScreen({ x, y }) {
    return new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM() ?? undefined);
  }

  /** The topmost shape at a place. @param {Place} place @returns {Shape | null} */
  shapeAt(place) {
    const isIn = (/** @type {Shape} */ shape, /** @type {Rectangle[]} */ rectangles) => {
      const [x, y] = [place.x - shape.x, place.y - shape.y];
      return rectangles.some(([left, top, width, height]) => x >= left && x <= left + width && y >= top && y <= top + height);
    };
    const shapes = [...this.shapes].reverse();
    return shapes.find((shape) => isIn(shape, shape.tops ?? [])) ?? shapes.find((shape) => isIn(shape, shape.hits ?? [[-0.48 * this.wide, -0.4, 0.96 * this.wide, 0.8]])) ?? null;
  }

  /** The target at a place, at most `within` units away. @param {Place} place @param {number} within @returns {Choice | null} */
  choiceAt(place, within) {
    const best = nearest(this.selectedChoices(), place);
    return best && distance(best, place) <= within * this.unit ? best : null;
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0 || this.isSecond(event)) return;
    const place = this.place(event);
    const shape = this.shapeAt(place);
    this.svg.setPointerCapture(event.pointerId);
    this.drag = { pointer: event.pointerId, from: place, shape: shape && this.choices.has(shape.id) ? shape : null, moved: false };
    if (event.pointerType === "touch" && this.isZoomed && !this.drag.shape) this.drag.start = [event.clientX, event.clientY, ...this.seen.slice(0, 2).map(Number)];
    // Not every browser has a context menu for a long touch. A piece that can move is dragged instead.
    clearTimeout(this.touchTimer);
    if (event.pointerType !== "mouse" && shape && !this.drag.shape) {
      this.touchTimer = setTimeout(() => {
        this.drag = null;
        this.onMark(shape, event.clientX, event.clientY);
      }, LONG_TOUCH_MS);
    }
  }

  /** Whether another finger already drags: a second one does nothing. @param {PointerEvent} event */
  isSecond({ pointerId }) {
    return this.drag !== null && this.drag.pointer !== pointerId && this.svg.hasPointerCapture(this.drag.pointer);
  }

  /** @param {PointerEvent} event */
  pointerMoved(event) {
    if (this.isSecond(event)) return;
    const place = this.place(event);
    if (!this.drag) {
      this.onHover(this.shapeAt(place));
      return;
    }
    const { from, shape } = this.drag;
    const dx = place.x - from.x;
    const dy = place.y - from.y;
    if (!this.drag.moved && Math.hypot(dx, dy) < DRAG_FROM * this.unit) return;
    clearTimeout(this.touchTimer);
    if (this.drag.start) this.pan(event, this.drag);
    if (!shape) {
      this.drag.moved = true;
      return;
    }
    if (!this.drag.moved) {
      this.drag.moved = true;
      this.select(shape.id);
      const group = this.drawn.get(shape.id);
      group?.classList.add("dragged");
      if (group) this.layers.shapes.append(group);
    }
    this.put(shape.id, shape.x + dx, shape.y + dy);
  }

  /** A finger beside all pieces that can move shifts the visible part. @param {PointerEvent} event @param {Drag} drag */
  pan(event, drag) {
    const [clientX, clientY, x, y] = drag.start ?? [0, 0, 0, 0];
    const [, , wide, high] = this.seen;
    const cell = this.svg.getBoundingClientRect().width / wide;
    this.showAround({ x: x + wide / 2 - (event.clientX - clientX) / cell, y: y + high / 2 - (event.clientY - clientY) / cell }, wide / this.whole[2]);
  }

  /** @param {PointerEvent} event */
  release(event) {
    const drag = this.drag;
    if (this.isSecond(event)) return;
    clearTimeout(this.touchTimer);
    if (!drag) return;
    this.drag = null;
    const place = this.place(event);
    const { shape } = drag;
    if (drag.moved && !shape) return;
    if (drag.moved && shape) {
      this.drawn.get(shape.id)?.classList.remove("dragged");
      const drop = { x: shape.x + place.x - drag.from.x, y: shape.y + place.y - drag.from.y };
      const choice = this.choiceAt(drop, 0.75);
      this.put(shape.id, shape.x, shape.y);
      if (choice) this.choose(choice);
      else this.select(null);
      return;
    }
    this.at = place;
    this.onHover(this.shapeAt(place));
    // The first touch of a crowded army enlarges it and selects the piece; one beside all pieces shows the whole board.
    if (!this.choiceAt(place, 0.5)) {
      if (!this.shapeAt(place)) this.show(this.whole);
      else if (event.pointerType === "touch") this.enlarge(place);
    }
    this.act(place, this.shapeAt(place));
  }

  cancelDrag() {
    const shape = this.drag?.shape;
    clearTimeout(this.touchTimer);
    this.drag = null;
    if (!shape) return;
    this.drawn.get(shape.id)?.classList.remove("dragged");
    this.put(shape.id, shape.x, shape.y);
  }

  /** A click, or Enter at the cursor. @param {Place} place @param {Shape | null} shape */
  act(place, shape) {
    const choice = this.choiceAt(place, 0.5);
    if (choice) this.choose(choice);
    else if (shape && shape.id !== this.selected && this.choices.has(shape.id)) {
      this.select(shape.id);
      announce(this.describe(shape, place));
    } else {
      const chosen = this.shapes.find(({ id }) => id === this.selected) ?? null;
      this.select(null);
      const isOnPoint = shape !== null || (chosen !== null && this.spots.some((spot) => distance(spot, place) < 0.5 * this.unit));
      if (this.choices.size && isOnPoint && (!shape || shape.id !== chosen?.id)) this.onRefuse(shape, place, chosen);
    }
  }

  /** Shakes a shape for a moment: it cannot do what it was asked. @param {string} id */
  shake(id) {
    if (reducedMotion.matches) return;
    const shifts = [0, -0.06, 0.06, 0].map((x) => ({ transform: `translate(${x * this.unit}px, 0)` }));
    this.drawn.get(id)?.animate(shifts, { duration: SHAKE_MS, composite: "add" });
  }

  /** @param {Choice} choice */
  choose(choice) {
    const id = this.selected;
    this.select(null);
    this.show(this.whole);
    if (id !== null) this.onMove(choice, id);
  }

  /** @param {MouseEvent} event */
  mark(event) {
    event.preventDefault();
    const shape = this.shapeAt(this.place(event));
    if (shape) this.onMark(shape, event.clientX, event.clientY);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const direction = DIRECTIONS[event.key];
    const shape = this.at && this.shapeAt(this.at);
    if (direction && this.spots.length + this.selectedChoices().length) this.moveCursor(direction);
    else if (event.key === "Enter" || event.key === " ") {
      this.at ??= this.cursorStart();
      if (this.at) this.act(this.at, this.shapeAt(this.at));
      this.drawCursor();
    } else if (event.key === "Escape") this.select(null);
    else if (event.key.toLowerCase() === "m" && shape) {
      const box = this.layers.cursor.getBoundingClientRect();
      this.onMark(shape, box.right, box.bottom);
    } else return;
    event.preventDefault();
  }

  /** Moves the cursor to the nearest spot in a direction; a step aside counts more than a step along. @param {[number, number]} direction */
  moveCursor([stepX, stepY]) {
    const spots = [...this.spots, ...this.selectedChoices()];
    const here = this.at && nearest(spots, this.at);
    /** @type {{ spot: Place, cost: number } | null} */
    let best = null;
    for (const spot of here ? spots : []) {
      const dx = spot.x - (here?.x ?? 0);
      const dy = spot.y - (here?.y ?? 0);
      const along = dx * stepX + dy * stepY;
      const aside = Math.abs(dx * stepY) + Math.abs(dy * stepX);
      if (along < 0.05 || aside > 2 * along) continue;
      const cost = along + 2.2 * aside;
      if (!best || cost < best.cost) best = { spot, cost };
    }
    this.at = best?.spot ?? here ?? this.cursorStart();
    this.drawCursor();
    if (!this.at) return;
    const shape = this.shapeAt(this.at);
    this.onHover(shape);
    announce(this.describe(shape, this.at));
  }

  /** Where the cursor begins: on the lowest shape that can move. @returns {Place | null} */
  cursorStart() {
    const movable = this.shapes.filter((shape) => this.choices.has(shape.id));
    const lowest = movable.length ? movable.reduce((a, b) => (a.y >= b.y ? a : b)) : null;
    return lowest ?? this.spots[0] ?? null;
  }

  drawCursor() {
    this.layers.cursor.replaceChildren();
    if (!this.at || document.activeElement !== this.svg || !this.svg.matches(":focus-visible")) return;
    const { unit } = this;
    const { x, y } = this.at;
    const wide = unit * this.wide;
    const size = { x: x - 0.48 * wide, y: y - 0.4 * unit, width: 0.96 * wide, height: 0.8 * unit, rx: 0.12 * unit };
    this.layers.cursor.append(make("svg:rect", size));
  }
}

/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The layers of a board, from the bottom to the top.
function layers() {
  const group = (/** @type {string} */ name) => /** @type {SVGElement} */ (make("svg:g", { class: name }));
  return {
    floor: group("floor"),
    line: group("line"),
    glow: group("glow"),
    under: group("under"),
    shapes: group("shapes"),
    going: group("going"),
    advice: group("advice"),
    targets: group("targets"),
    cursor: group("cursor"),
  };
}

/** @param {Place} a @param {Place} b */
export const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * @template {Place} T
 * @param {T[]} places
 * @param {Place} place
 * @returns {T | null}
 */
const nearest = (places, place) => (places.length ? places.reduce((a, b) => (distance(a, place) <= distance(b, place) ? a : b)) : null);

/**
 * The path of a line from a to b with a gap at either end, which keeps names and rings visible.
 * @param {Place} a
 * @param {Place} b
 * @param {number} gapA
 * @param {number} gapB
 */
export function between(a, b, gapA, gapB) {
  const length = distance(a, b) || 1;
  const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  return `M${a.x + gapA * dx} ${a.y + gapA * dy}L${b.x - gapB * dx} ${b.y - gapB * dy}`;
}
