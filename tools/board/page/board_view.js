// A board in SVG: shapes that can be taken, places that they can go to, a cursor for the keyboard.
// Everything is in units of one cell; a board is given `spots` (places that the cursor visits), `shapes` with `id`,
// `x`, `y` and `draw(group)`, and `choices`: by shape id, places with `x`, `y` and what to do.

import { announce, make, still } from "./page.js";

export class BoardView {
  constructor(svg, { onMove, onHover = () => {}, onMark = () => {}, describe = () => "" }) {
    Object.assign(this, { svg, onMove, onHover, onMark, describe });
    this.layers = {};
    for (const name of ["floor", "line", "glow", "under", "shapes", "going", "advice", "targets", "cursor"])
      svg.append((this.layers[name] = make("svg:g", { class: name })));
    this.drawn = new Map();
    this.beneath = new Map();
    this.shapes = [];
    this.choices = new Map();
    this.spots = [];
    this.taken = null;
    this.always = null;
    this.at = null;
    this.drag = null;
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("pointermove", (event) => this.drift(event));
    svg.addEventListener("pointerup", (event) => this.release(event));
    svg.addEventListener("pointercancel", () => this.cancelDrag());
    // A finger leaves when it is lifted; what it has touched stays shown.
    svg.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.onHover(null));
    svg.addEventListener("contextmenu", (event) => this.mark(event));
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("focus", () => this.drawCursor());
    svg.addEventListener("blur", () => this.layers.cursor.replaceChildren());
  }

  frame(x, y, width, height) {
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.svg.style.setProperty("--ratio", width / height);
  }

  clear() {
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
    this.drawn.clear();
    this.beneath.clear();
    this.update({ shapes: [], choices: new Map(), spots: [] });
  }

  update({ shapes, choices, spots, always = null, leaving = () => null }) {
    this.choices = choices;
    this.spots = spots;
    this.always = always;
    const old = new Map(this.shapes.map((shape) => [shape.id, shape]));
    this.shapes = shapes;
    for (const shape of shapes) {
      let group = this.drawn.get(shape.id);
      if (!group) {
        group = make("svg:g", { "data-id": shape.id });
        this.drawn.set(shape.id, group);
      }
      // In document order, so that shapes are found in a fixed order; kept elements keep their motion.
      if (group.parentNode !== this.layers.shapes) this.layers.shapes.append(group);
      group.setAttribute("class", `shape ${shape.class ?? ""} ${choices.has(shape.id) ? "movable" : ""}`);
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
    for (const [id, shape] of old) this.dismiss(id, leaving(id, shape));
    if (this.taken !== null && !choices.has(this.taken)) this.taken = null;
    if (this.taken === null && always !== null) this.taken = always;
    this.drawTargets();
    this.drawCursor();
  }

  // Moves a shape and what of it lies beneath all others.
  put(id, x, y) {
    for (const group of [this.drawn.get(id), this.beneath.get(id)]) group?.style.setProperty("transform", `translate(${x}px, ${y}px)`);
  }

  dismiss(id, to) {
    const group = this.drawn.get(id);
    this.drawn.delete(id);
    this.beneath.get(id)?.remove();
    this.beneath.delete(id);
    if (!group) return;
    if (!to || still.matches) {
      group.remove();
      return;
    }
    this.layers.going.append(group);
    group.removeAttribute("data-id");
    requestAnimationFrame(() => {
      group.style.transform = `translate(${to.x}px, ${to.y}px)`;
      group.classList.add("leaving");
    });
    setTimeout(() => group.remove(), 1300);
  }

  take(id) {
    this.taken = id ?? this.always;
    this.drawTargets();
  }

  drawTargets() {
    const places = this.choices.get(this.taken) ?? [];
    this.layers.targets.replaceChildren(
      ...places.map((choice) => {
        const isHit = this.shapes.some((shape) => shape.id !== this.taken && near(shape, choice) < 0.3);
        return make("svg:circle", {
          class: isHit ? "target hit" : "target",
          cx: choice.x,
          cy: choice.y,
          r: isHit ? 0.42 * (this.unit ?? 1) : 0.17 * (this.unit ?? 1),
          "data-move": choice.move ?? "",
        });
      }),
    );
    for (const groups of [this.drawn, this.beneath]) for (const [id, group] of groups) group.classList.toggle("taken", id === this.taken);
  }

  place(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return { x: point.x, y: point.y };
  }

  shapeAt(place) {
    const body = [[-0.45, -0.38, 0.9, 0.76]];
    const isIn = (shape, rectangles) => {
      const [x, y] = [place.x - shape.x, place.y - shape.y];
      return rectangles.some(([left, top, width, height]) => x >= left && x <= left + width && y >= top && y <= top + height);
    };
    const shapes = [...this.shapes].reverse();
    return shapes.find((shape) => isIn(shape, shape.tops ?? [])) ?? shapes.find((shape) => isIn(shape, shape.hits ?? body)) ?? null;
  }

  choiceAt(place, within) {
    const choices = this.choices.get(this.taken) ?? [];
    const best = choices.reduce((a, b) => (a && near(a, place) <= near(b, place) ? a : b), null);
    return best && near(best, place) <= within * (this.unit ?? 1) ? best : null;
  }

  press(event) {
    if (event.button !== 0) return;
    const place = this.place(event);
    const shape = this.shapeAt(place);
    this.svg.setPointerCapture(event.pointerId);
    this.drag = { from: place, shape: shape && this.choices.has(shape.id) ? shape : null, before: this.taken, moved: false };
  }

  drift(event) {
    const place = this.place(event);
    if (!this.drag) {
      this.onHover(this.shapeAt(place));
      return;
    }
    const { from, shape } = this.drag;
    if (!shape) return;
    const dx = place.x - from.x;
    const dy = place.y - from.y;
    if (!this.drag.moved && Math.hypot(dx, dy) < 0.25 * (this.unit ?? 1)) return;
    if (!this.drag.moved) {
      this.drag.moved = true;
      this.take(shape.id);
      const group = this.drawn.get(shape.id);
      group.classList.add("dragged");
      this.layers.shapes.append(group);
    }
    this.put(shape.id, shape.x + dx, shape.y + dy);
  }

  release(event) {
    const drag = this.drag;
    if (!drag) return;
    this.drag = null;
    const place = this.place(event);
    if (drag.moved) {
      const { shape } = drag;
      this.drawn.get(shape.id)?.classList.remove("dragged");
      const drop = { x: shape.x + place.x - drag.from.x, y: shape.y + place.y - drag.from.y };
      const choice = this.choiceAt(drop, 0.75);
      this.put(shape.id, shape.x, shape.y);
      if (choice) this.choose(choice);
      else this.take(null);
      return;
    }
    this.at = place;
    this.onHover(this.shapeAt(place));
    this.act(place, drag.shape);
  }

  cancelDrag() {
    const shape = this.drag?.shape;
    this.drag = null;
    if (!shape) return;
    this.drawn.get(shape.id)?.classList.remove("dragged");
    this.put(shape.id, shape.x, shape.y);
  }

  // A click, or Enter on the cursor.
  act(place, shape) {
    const choice = this.taken === null ? null : this.choiceAt(place, 0.5);
    if (choice) this.choose(choice);
    else if (shape && shape.id !== this.taken && this.choices.has(shape.id)) {
      this.take(shape.id);
      announce(this.describe(shape, place));
    } else this.take(null);
  }

  choose(choice) {
    const id = this.taken;
    this.take(null);
    this.onMove(choice, id);
  }

  mark(event) {
    event.preventDefault();
    const shape = this.shapeAt(this.place(event));
    if (shape) this.onMark(shape, event.clientX, event.clientY);
  }

  // The cursor goes to the nearest spot that lies in the arrow's direction.
  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const spots = [...this.spots, ...(this.choices.get(this.taken) ?? [])];
    const here = this.at ? spots.reduce((a, b) => (near(a, this.at) <= near(b, this.at) ? a : b), spots[0]) : null;
    if (step && spots.length) {
      let best = null;
      for (const spot of spots) {
        if (!here) break;
        const dx = spot.x - here.x;
        const dy = spot.y - here.y;
        const along = dx * step[0] + dy * step[1];
        const aside = Math.abs(dx * step[1]) + Math.abs(dy * step[0]);
        if (along < 0.05 || aside > 2 * along) continue;
        const cost = along + 2.2 * aside;
        if (!best || cost < best.cost) best = { spot, cost };
      }
      this.at = best?.spot ?? here ?? this.start();
      this.drawCursor();
      const shape = this.shapeAt(this.at);
      this.onHover(shape);
      announce(this.describe(shape, this.at));
    } else if (event.key === "Enter" || event.key === " ") {
      if (!this.at) this.at = this.start();
      if (this.at) this.act(this.at, this.shapeAt(this.at));
      this.drawCursor();
    } else if (event.key === "Escape") this.take(null);
    else if (event.key.toLowerCase() === "m" && this.at && this.shapeAt(this.at)) {
      const box = this.layers.cursor.getBoundingClientRect();
      this.onMark(this.shapeAt(this.at), box.right, box.bottom);
    } else return;
    event.preventDefault();
  }

  // Where the cursor begins: on the lowest shape that can move.
  start() {
    const movable = this.shapes.filter((shape) => this.choices.has(shape.id));
    return movable.reduce((a, b) => (a && a.y >= b.y ? a : b), null) ?? this.spots[0] ?? null;
  }

  drawCursor() {
    this.layers.cursor.replaceChildren();
    if (!this.at || document.activeElement !== this.svg || !this.svg.matches(":focus-visible")) return;
    const unit = this.unit ?? 1;
    const { x, y } = this.at;
    const size = { x: x - 0.48 * unit, y: y - 0.4 * unit, width: 0.96 * unit, height: 0.8 * unit, rx: 0.12 * unit };
    this.layers.cursor.append(make("svg:rect", size));
  }
}

export const near = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

// A line from a to b that leaves a gap at either end, so that it covers no name and meets a ring from outside.
export function between(a, b, gapA, gapB) {
  const long = near(a, b) || 1;
  const [dx, dy] = [(b.x - a.x) / long, (b.y - a.y) / long];
  return `M${a.x + gapA * dx} ${a.y + gapA * dy}L${b.x - gapB * dx} ${b.y - gapB * dy}`;
}
