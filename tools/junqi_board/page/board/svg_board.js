// A board in SVG: shapes that can be moved by clicks, drags and keys, and the places that they can go to.
// All coordinates are in units of one cell.

import { make, reducedMotion } from "../shell/dom.js";
import { announce, endRefusal } from "../shell/notices.js";
import { t } from "../texts.js";
import { ahead, distance, isIn, least, nearest, plate, translate } from "./geometry.js";

const SHAKE_MS = 120;
const LONG_TOUCH_MS = 500;
/** Distance of the pointer, in cells, at which a press becomes a drag. */
const DRAG_FROM = 0.25;
/** How near to a target, in cells, a click and a dropped shape must be. */
const [CLICK_WITHIN, DROP_WITHIN] = [0.5, 0.75];
/** From the bottom to the top. */
const LAYERS = /** @type {const} */ (["floor", "glow", "under", "shapes", "going", "signs", "targets", "cursor"]);
/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @type {BoardContent} */
const NOTHING = { shapes: [], choices: new Map(), spots: [] };

export class SvgBoard {
  /** @type {Record<typeof LAYERS[number], SVGElement>} */
  layers = /** @type {any} */ (Object.fromEntries(
    LAYERS.map((name) => [name, make("svg:g", { class: name, "aria-hidden": "true" })]),
  ));
  /**
   * The elements of the shapes, by id: the shape, and what of it lies beneath all others.
   * @type {Map<string, SVGElement[]>}
   */
  drawn = new Map();
  /** The content on display. @type {BoardContent} */
  content = NOTHING;
  /** The shape that is selected, waiting for its target. @type {string | null} */
  selected = null;
  /** Where the cursor of the keyboard is. @type {Place | null} */
  at = null;
  /**
   * The pointer is pressed; the shape is null beside all that can move.
   * @type {{ from: Place, shape: Shape | null, moved: boolean } | null}
   */
  drag = null;
  touchTimer = 0;
  /** The visible rectangle. @type {Rectangle} */
  framed = [0, 0, 1, 1];
  /** Whether a finger was used last. */
  isTouched = false;
  /** The size of a target, in cells. */
  unit = 1;
  /** The width of a piece, in units of a narrow one. */
  wide = 1;

  /** @param {string} id @param {BoardOptions} options */
  constructor(id, options) {
    /** @type {SVGSVGElement} */
    this.svg = make("svg:svg", { id, class: "board", tabindex: 0, role: "application" }, ...Object.values(this.layers));
    this.options = options;
    this.svg.addEventListener("pointerdown", (event) => this.press(event));
    this.svg.addEventListener("pointermove", (event) => this.pointerMoved(event));
    this.svg.addEventListener("pointerup", (event) => this.release(event));
    this.svg.addEventListener("pointercancel", (event) => event.isPrimary && this.endDrag());
    // A finger leaves the board when it is lifted; the shape it touched stays on display.
    this.svg.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.options.onHover?.(null));
    this.svg.addEventListener("contextmenu", (event) => this.mark(event));
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("focus", () => {
      // Once it has the focus, any key makes that visible.
      this.svg.classList.toggle("by-keys", this.svg.matches(":focus-visible"));
      this.drawCursor();
    });
    this.svg.addEventListener("blur", () => this.layers.cursor.replaceChildren());
  }

  // Display.

  /** Shows a rectangle of the board. @param {Rectangle} frame */
  frame(frame) {
    this.framed = frame;
    this.svg.setAttribute("viewBox", frame.join(" "));
    const view = /** @type {HTMLElement | null} */ (this.svg.closest(".view"));
    (view ?? this.svg).style.setProperty("--ratio", String(frame[2] / frame[3]));
  }

  clear() {
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
    this.drawn.clear();
    this.update(NOTHING);
  }

  /**
   * Shows shapes, which keep their elements while they are there. Returns the elements of those that have gone, by id:
   * they are off the board.
   * @param {BoardContent} content
   */
  update(content) {
    const { shapes, choices } = (this.content = content);
    /** @type {Map<string, SVGElement>} */
    const gone = new Map();
    for (const [id, parts] of this.drawn) {
      if (shapes.some((shape) => shape.id === id)) continue;
      const [group] = parts;
      gone.set(id, group);
      group.removeAttribute("data-id");
      group.classList.remove("movable", "later");
      for (const part of parts) part.remove();
      this.drawn.delete(id);
    }
    for (const shape of shapes) this.drawShape(shape);
    if (this.selected !== null && !choices.has(this.selected)) this.selected = null;
    this.select(this.selected);
    this.drawCursor();
    return gone;
  }

  /** @param {Shape} shape */
  drawShape({ id, x, y, look, draw, under, class: kind = "" }) {
    const parts = this.drawn.get(id) ?? this.addShape(id, under);
    const [group] = parts;
    const use = this.content.choices.has(id) ? (this.content.isLater ? "later" : "movable") : "";
    for (const part of parts) part.setAttribute("class", `shape ${kind} ${use}`);
    this.put(id, { x, y });
    if (group.dataset.look === look) return;
    group.dataset.look = look;
    group.replaceChildren();
    draw(group);
  }

  /** The elements of a new shape. @param {string} id @param {Shape["under"]} under */
  addShape(id, under) {
    const parts = [make("svg:g", { "data-id": id })];
    this.layers.shapes.append(parts[0]);
    if (under) {
      parts.push(make("svg:g", {}, under()));
      this.layers.under.append(parts[1]);
    }
    this.drawn.set(id, parts);
    return parts;
  }

  /** The element of a shape. @param {string} id @returns {SVGElement | undefined} */
  element(id) {
    return this.drawn.get(id)?.[0];
  }

  /** @param {string} id @param {Place} place */
  put(id, place) {
    for (const part of this.drawn.get(id) ?? []) part.style.transform = translate(place);
  }

  /** Shakes a shape for a moment: it cannot do what it was asked. @param {string} id */
  shake(id) {
    if (reducedMotion.matches) return;
    const shifts = [0, -0.06, 0.06, 0].map((x) => ({ transform: translate({ x: x * this.unit, y: 0 }) }));
    this.element(id)?.animate(shifts, { duration: SHAKE_MS, composite: "add" });
  }

  // Selection.

  /** @param {string | null} id */
  select(id) {
    this.selected = id ?? this.content.selected ?? null;
    this.layers.targets.replaceChildren(...this.selectedChoices().map((choice) => this.target(choice)));
    this.options.onSelect?.();
    for (const [id, parts] of this.drawn)
      for (const part of parts) part.classList.toggle("taken", id === this.selected);
  }

  /** @param {Target} choice */
  target(choice) {
    const isTaken = this.content.shapes.some((shape) => shape.id !== this.selected && distance(shape, choice) < 0.3);
    const kind = isTaken ? (choice.isSwap ? "swap" : "hit") : "";
    const about = { class: `target ${kind}`, "data-move": choice.move ?? "" };
    if (!isTaken || this.unit > 1)
      return make("svg:circle", { ...about, cx: choice.x, cy: choice.y, r: (isTaken ? 0.42 : 0.17) * this.unit });
    // A piece is marked around its letters.
    const width = 1.02 * this.wide;
    return make("svg:rect", { ...about, x: choice.x - width / 2, y: choice.y - 0.41, width, height: 0.82, rx: 0.13 });
  }

  /** @returns {Target[]} */
  selectedChoices() {
    return (this.selected !== null && this.content.choices.get(this.selected)) || [];
  }

  /** The target at a place. @param {Place} place @param {number} far how far away it may be */
  choiceAt(place, far) {
    const best = nearest(this.selectedChoices(), place);
    return best && distance(best, place) <= far * this.unit ? best : null;
  }

  /** The topmost shape at a place. @param {Place} place */
  shapeAt(place) {
    /** @type {Rectangle[]} */
    const whole = [[-0.48 * this.wide, -0.4, 0.96 * this.wide, 0.8]];
    const shapes = [...this.content.shapes].reverse();
    return (
      shapes.find((shape) => isIn(shape.tops ?? [], shape, place)) ??
      shapes.find((shape) => isIn(shape.hits ?? whole, shape, place)) ??
      null
    );
  }

  /** A click, or Enter at the cursor. @param {Place} place */
  act(place) {
    const shape = this.shapeAt(place);
    if (this.options.onTap?.(shape, place)) return;
    const chosen = this.content.shapes.find(({ id }) => id === this.selected) ?? null;
    const choice = this.choiceAt(place, CLICK_WITHIN);
    if (choice) this.choose(choice);
    else if (
      shape &&
      shape !== chosen &&
      this.content.choices.has(shape.id) &&
      !(chosen && this.options.isTry?.(chosen, shape))
    ) {
      this.select(shape.id);
      announce(t("board.chosen", { what: this.options.describe(shape, place) }));
    } else {
      this.select(null);
      const points = this.content.points ?? this.content.spots;
      const isOnPoint = shape || (chosen && points.some((point) => distance(point, place) < 0.5 * this.unit));
      if (this.content.choices.size && isOnPoint && shape !== chosen) this.options.onRefuse?.(shape, place, chosen);
      else announce(this.options.describe(shape, place));
    }
  }

  /** @param {Target} choice */
  choose(choice) {
    const id = this.selected;
    this.select(null);
    endRefusal();
    if (id !== null) this.options.onMove(choice, id);
  }

  // The pointer. Only the first finger counts.

  /** The place of the pointer. @param {MouseEvent} event @returns {Place} */
  place(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM()?.inverse());
    return { x, y };
  }

  /** Where a place is in the window. @param {Place} place @returns {Place} */
  onScreen({ x, y }) {
    return new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM() ?? undefined);
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    this.endDrag();
    this.svg.classList.remove("by-keys");
    this.isTouched = event.pointerType === "touch";
    const from = this.place(event);
    const shape = this.shapeAt(from);
    const isMovable = shape !== null && this.content.choices.has(shape.id);
    this.svg.setPointerCapture(event.pointerId);
    this.drag = { from, shape: isMovable ? shape : null, moved: false };
    // Not every browser has a context menu for a long touch. A piece that can move is dragged or placed instead.
    if (event.pointerType === "mouse" || isMovable || (!shape && this.selected !== null)) return;
    this.touchTimer = setTimeout(() => {
      this.drag = null;
      this.options.onMark?.(shape, from, event.clientX, event.clientY);
    }, LONG_TOUCH_MS);
  }

  /** @param {PointerEvent} event */
  pointerMoved(event) {
    if (!event.isPrimary) return;
    const { drag } = this;
    const place = this.place(event);
    if (!drag) {
      this.options.onHover?.(this.shapeAt(place));
      return;
    }
    const { from, shape } = drag;
    if (!drag.moved && distance(from, place) < DRAG_FROM * this.unit) return;
    if (!drag.moved && shape) this.lift(shape);
    drag.moved = true;
    clearTimeout(this.touchTimer);
    if (shape) this.put(shape.id, dragged(shape, from, place));
  }

  /** Puts the shape that is dragged above all others. @param {Shape} shape */
  lift({ id }) {
    this.select(id);
    const group = this.element(id);
    group?.classList.add("dragged");
    if (group) this.layers.shapes.append(group);
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { drag } = this;
    if (!drag || !event.isPrimary) return;
    const place = this.place(event);
    this.endDrag();
    if (!drag.moved) this.click(place);
    else if (drag.shape) {
      const to = dragged(drag.shape, drag.from, place);
      const choice = this.choiceAt(to, DROP_WITHIN) ?? this.options.stopOf?.(this.selectedChoices(), drag.shape, to);
      if (choice) return this.choose(choice);
      this.select(null);
      if (distance(to, drag.shape) > DROP_WITHIN * this.unit) this.options.onRefuse?.(this.shapeAt(to), to, drag.shape);
    } else if (this.content.choices.size) {
      const held = this.shapeAt(drag.from);
      if (held) this.options.onRefuse?.(held, drag.from, null);
    }
  }

  // Returns the dragged shape to its place.
  endDrag() {
    clearTimeout(this.touchTimer);
    const shape = this.drag?.shape;
    this.drag = null;
    if (!shape) return;
    this.element(shape.id)?.classList.remove("dragged");
    this.put(shape.id, shape);
  }

  /** @param {Place} place */
  click(place) {
    const shape = this.shapeAt(place);
    this.at = place;
    this.options.onHover?.(shape);
    this.act(place);
  }

  /** @param {MouseEvent} event */
  mark(event) {
    event.preventDefault();
    const place = this.place(event);
    this.options.onMark?.(this.shapeAt(place), place, event.clientX, event.clientY);
  }

  // The keyboard.

  /** @param {KeyboardEvent} event */
  key(event) {
    this.isTouched = false;
    const direction = DIRECTIONS[event.key];
    const shape = this.at && this.shapeAt(this.at);
    if (direction && this.content.spots.length + this.selectedChoices().length) this.moveCursor(direction);
    else if (event.key === "Enter" || event.key === " ") {
      this.at ??= this.cursorStart();
      if (this.at) this.act(this.at);
      this.drawCursor();
    } else if (event.key === "Escape") {
      this.select(null);
      announce(this.at ? this.options.describe(shape, this.at) : "");
    }
    else if (event.key.toLowerCase() === "m" && this.at) {
      const box = this.layers.cursor.getBoundingClientRect();
      this.options.onMark?.(shape, this.at, box.right, box.bottom);
    } else return;
    event.preventDefault();
  }

  /** Moves the cursor from the spot where it is, and says what is there. @param {[number, number]} direction */
  moveCursor(direction) {
    const spots = [...this.content.spots, ...this.selectedChoices()];
    const here = this.at && nearest(spots, this.at);
    this.at = here ? ahead(spots, here, direction) : this.cursorStart();
    this.drawCursor();
    if (!this.at) return;
    const shape = this.shapeAt(this.at);
    this.options.onHover?.(shape);
    announce(this.options.describe(shape, this.at));
  }

  /** Where the cursor begins: on the lowest shape that can move. @returns {Place | null} */
  cursorStart() {
    const movable = this.content.shapes.filter(({ id }) => this.content.choices.has(id));
    return least(movable, ({ y }) => -y) ?? this.content.spots[0] ?? null;
  }

  drawCursor() {
    const isSeen = this.at && document.activeElement === this.svg && this.svg.matches(":focus-visible");
    const { unit } = this;
    this.layers.cursor.replaceChildren(
      ...(this.at && isSeen ? [plate("", this.at, 0.96 * unit * this.wide, 0.8 * unit, 0.12 * unit)] : []),
    );
  }
}

/**
 * Where a shape is that the pointer drags.
 * @param {Place} shape
 * @param {Place} from where it was taken
 * @param {Place} to
 * @returns {Place}
 */
const dragged = (shape, from, to) => ({ x: shape.x + to.x - from.x, y: shape.y + to.y - from.y });
