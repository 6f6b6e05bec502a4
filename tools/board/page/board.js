// The page of the web board. It draws what the server sends and sends what the person does; it knows no rules.
//
// Parts, in this order: texts, the line to the server, boards in SVG, the game, the line-up, the new game,
// the replay, the puzzles, and what starts them all.

const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const still = matchMedia("(prefers-reduced-motion: reduce)");

function make(tag, attributes = {}, ...children) {
  const element = tag.startsWith("svg:") ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

function kept(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(`junqi.${name}`)) ?? fallback;
  } catch {
    return fallback;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(`junqi.${name}`, JSON.stringify(value));
  } catch {
    return; // a browser that keeps nothing still plays
  }
}

// What outlives a reload of this tab, and nothing else.
function remembered(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}

function remember(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    return; // what is too large is forgotten
  }
}

// Names a game: another server at the same address counts from 1 again, but has other tokens.
const ofGame = (name, game) => `${name}.${location.hash.slice(1, 13)}.${game}`;

// Texts

let texts = { en: {}, zh: {} };
let language = kept("language", navigator.language.startsWith("zh") ? "zh" : "en");
let pieceNames = kept("names", "names");

function t(key, values = {}) {
  const text = texts[language][key] ?? texts.en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

const has = (key) => key in texts[language];
const seatName = (seat) => t(`seat.${seat}`);
const teamName = (team) => [...team].map(seatName).join(language === "zh" ? "" : " + ");
const pieceLabel = (letter) => (pieceNames === "letters" ? letter.toUpperCase() : t(`short.${letter}`));

function translate() {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  document.title = t("title");
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = t(element.dataset.text);
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", t(element.dataset.label));
    if (element.tagName === "BUTTON") element.title = t(element.dataset.label);
  }
  for (const element of document.querySelectorAll("[data-hint]")) element.placeholder = t(element.dataset.hint);
  for (const board of document.querySelectorAll(".board")) board.setAttribute("aria-label", t("keys"));
  $("language").textContent = language === "zh" ? "English" : "中文";
  $("language").lang = language === "zh" ? "en" : "zh";
}

let liveTimer = 0;
function announce(text) {
  clearTimeout(liveTimer);
  liveTimer = setTimeout(() => ($("live").textContent = text), 60);
}

let bannerTimer = 0;
function warn(text, forSeconds = 8) {
  clearTimeout(bannerTimer);
  const banner = $("banner");
  banner.hidden = !text;
  banner.firstElementChild.textContent = text;
  if (text && forSeconds) bannerTimer = setTimeout(() => (banner.hidden = true), 1000 * forSeconds);
}

// The line to the server. It is closed when a message is larger.
const LARGEST_BYTES = 250_000;

const line = {
  socket: null,
  number: 0,
  waiting: new Map(),
  delay: 300,
  handlers: {},

  open() {
    this.socket = new WebSocket(`ws://${location.host}/socket`);
    this.socket.onopen = () => this.socket.send(JSON.stringify({ type: "hello", token: location.hash.slice(1) }));
    this.socket.onmessage = (event) => this.take(JSON.parse(event.data));
    this.socket.onclose = (event) => this.lost(event.code);
  },

  lost(code) {
    document.body.classList.add("offline");
    for (const { refuse } of this.waiting.values()) refuse({ code: "lost", text: t("line.lost") });
    this.waiting.clear();
    if (code === 4403) {
      warn(t("line.denied"), 0);
      return;
    }
    warn(t("line.lost"), 0);
    setTimeout(() => this.open(), this.delay);
    this.delay = Math.min(2 * this.delay, 4000);
  },

  say(type, fields = {}) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type, ...fields }));
  },

  // A message that is answered by its number; whoever asks shows or swallows an error.
  ask(type, fields = {}) {
    const id = ++this.number;
    if (new Blob([JSON.stringify(fields)]).size > LARGEST_BYTES) return Promise.reject({ code: "too-large", text: t("line.tooLarge") });
    return new Promise((done, refuse) => {
      this.waiting.set(id, { done, refuse });
      this.say(type, { id, ...fields });
    });
  },

  take(message) {
    const waiting = message.id ? this.waiting.get(message.id) : null;
    if (waiting) {
      this.waiting.delete(message.id);
      if (message.type === "error") waiting.refuse(message);
      else waiting.done(message);
    }
    if (message.type !== "error") this.handlers[message.type]?.(message);
    else if (!waiting) showError(message);
  },
};

function showError(error) {
  if (error.code !== "lost") warn(has(`error.${error.code}`) ? t(`error.${error.code}`) : error.text);
}

// Boards: shapes that can be taken, places that they can go to, a cursor for the keyboard.
// Everything is in units of one cell; a board is given `spots` (places that the cursor visits), `shapes` with `id`,
// `x`, `y` and `draw(group)`, and `choices`: by shape id, places with `x`, `y` and what to do.

class BoardView {
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

const near = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

// A line from a to b that leaves a gap at either end, so that it covers no name and meets a ring from outside.
function between(a, b, gapA, gapB) {
  const long = near(a, b) || 1;
  const [dx, dy] = [(b.x - a.x) / long, (b.y - a.y) / long];
  return `M${a.x + gapA * dx} ${a.y + gapA * dy}L${b.x - gapB * dx} ${b.y - gapB * dy}`;
}

// The Junqi board: what stands still, and pieces.

const boards = {};

class JunqiBoard {
  constructor(svg, options) {
    this.view = new BoardView(svg, options);
    this.data = null;
    this.turns = 0;
  }

  // Quarter turns to the right, about the middle of the board.
  turned(x, y) {
    let [width, height] = [this.data.width, this.data.height];
    for (let turn = 0; turn < this.turns; turn++) {
      [x, y] = [height - 1 - y, x];
      [width, height] = [height, width];
    }
    return { x, y };
  }

  point(number) {
    const { x, y } = this.data.points[number];
    return this.turned(x, y);
  }

  set(data, seat) {
    const turns = data.turns[seat] ?? 0;
    if (this.data === data && this.turns === turns) return;
    Object.assign(this, { data, turns });
    this.view.clear();
    const sideways = turns % 2 === 1;
    const [width, height] = sideways ? [data.height, data.width] : [data.width, data.height];
    this.view.frame(-1.05, -0.95, width + 1.1, height + 0.95 + 0.05);
    const floor = this.view.layers.floor;
    floor.append(make("svg:rect", { class: "ground", x: -1.05, y: -0.95, width: width + 1.1, height: height + 1, rx: 0.4 }));
    for (const [one, other] of data.roads) floor.append(this.edge("road", one, other));
    for (const kind of ["rail", "sleepers"])
      for (const [one, other, bend] of data.rails) floor.append(this.edge(kind, one, other, bend));
    data.points.forEach((point, number) => {
      const { x, y } = this.point(number);
      if (point.kind === "campsite") {
        floor.append(make("svg:circle", { class: "campsite", cx: x, cy: y, r: 0.43 }));
        floor.append(make("svg:circle", { class: "campsite inner", cx: x, cy: y, r: 0.33 }));
      } else {
        const size = point.kind === "headquarters" ? [0.96, 0.84, 0.34] : [0.7, 0.46, 0.08];
        const [w, h, rx] = size;
        floor.append(make("svg:rect", { class: point.kind, x: x - w / 2, y: y - h / 2, width: w, height: h, rx }));
      }
    });
    for (let file = 0; file < data.width; file++) this.label(String.fromCharCode(97 + file), file, data.height - 0.28, turns);
    for (let rank = 0; rank < data.height; rank++) this.label(data.height - rank, -0.75, rank, turns);
  }

  label(text, x, y, turns) {
    // Labels stay on the left and below, whichever seat sits there.
    const [width, height] = [this.data.width, this.data.height];
    let place = this.turned(x, y);
    const isBelow = y > height - 1;
    if (turns === 1) place = isBelow ? { x: -0.75, y: place.y } : place;
    if (turns === 2) place = isBelow ? { x: place.x, y: height - 0.28 } : { x: -0.75, y: place.y };
    if (turns === 1 && !isBelow) place = { x: place.x, y: width - 0.28 };
    if (turns === 3) place = isBelow ? { x: -0.75, y: place.y } : { x: place.x, y: width - 0.28 };
    this.view.layers.floor.append(make("svg:text", { class: "label", x: place.x, y: place.y }, String(text)));
  }

  edge(kind, one, other, bend) {
    const a = this.point(one);
    const b = this.point(other);
    const c = bend ? this.turned(...bend) : null;
    const d = c ? `M${a.x} ${a.y}Q${c.x} ${c.y} ${b.x} ${b.y}` : `M${a.x} ${a.y}L${b.x} ${b.y}`;
    return make("svg:path", { class: kind, d });
  }

  spots() {
    return this.data.points.map((point, number) => ({ ...this.point(number), number }));
  }

  // A piece as a shape. `extra` has a mark, a guess with its chance, or faults.
  shape([point, piece, seat, letter], extra = {}) {
    const { mark, guess, isWrong } = extra;
    const look = [seat, letter, mark, guess?.letter, guess?.percent, isWrong, pieceNames, language].join();
    return {
      id: String(piece),
      ...this.point(point),
      point,
      seat,
      letter,
      look,
      class: `piece seat-${seat} ${letter === "?" ? "hidden" : ""} ${isWrong ? "wrong" : ""}`,
      draw: (group) => drawPiece(group, seat, letter, extra),
    };
  }

  describe(shape, place) {
    const number = shape?.point ?? this.spots().reduce((a, b) => (near(a, place) <= near(b, place) ? a : b)).number;
    const point = this.data.points[number];
    const words = [point.name, t(`point.${point.kind}`)];
    words.push(shape ? `${seatName(shape.seat)}, ${t(`piece.${shape.letter}`)}` : t("point.empty"));
    return words.join(", ");
  }

  // Where the last move went, and whose flag was shown.
  glow(last, advice) {
    const layer = this.view.layers.glow;
    layer.replaceChildren();
    if (last && last.from >= 0) {
      const a = this.point(last.from);
      const b = this.point(last.to);
      layer.append(make("svg:rect", { class: "came", x: a.x - 0.44, y: a.y - 0.36, width: 0.88, height: 0.72, rx: 0.1 }));
      layer.append(make("svg:rect", { class: "went", x: b.x - 0.47, y: b.y - 0.39, width: 0.94, height: 0.78, rx: 0.12 }));
      layer.append(make("svg:path", { class: "way", d: `M${a.x} ${a.y}L${b.x} ${b.y}` }));
    }
    this.view.layers.advice.replaceChildren();
    if (advice) {
      const a = this.point(advice.from);
      const b = this.point(advice.to);
      const sign = this.view.layers.advice;
      sign.append(make("svg:path", { class: "hint-way", d: between(a, b, 0.42, 0.47) }));
      sign.append(make("svg:circle", { class: "hint-way", cx: b.x, cy: b.y, r: 0.47 }));
    }
  }

  battle(last) {
    if (!last || last.outcome === "no-battle" || last.to < 0) return;
    const { x, y } = this.point(last.to);
    const sign = make("svg:path", { d: BATTLE_SIGNS[last.outcome], transform: `translate(${x + 0.42} ${y - 0.38})` });
    const ring = make("svg:g", { class: `battle ${last.outcome}` }, make("svg:circle", { cx: x, cy: y, r: 0.62 }), sign);
    this.view.layers.going.append(ring);
    setTimeout(() => ring.remove(), 1600);
  }
}

// A cross, a shield, a burst; drawn, because not every font has them.
const BATTLE_SIGNS = {
  "attacker-won": "M-.2 -.2L.2 .2M.2 -.2L-.2 .2",
  "defender-won": "M-.22 -.22Q0 -.18 0 -.27Q0 -.18 .22 -.22V.02Q.2 .2 0 .28Q-.2 .2 -.22 .02Z",
  "both-left": "M0 -.3L.07 -.1L.26 -.16L.13 0L.26 .16L.07 .1L0 .3L-.07 .1L-.26 .16L-.13 0L-.26 -.16L-.07 -.1Z",
};

const SEAT_MARKS = {
  S: ["circle", { r: 1 }],
  E: ["path", { d: "M0 -1.1L1.05 .85H-1.05Z" }],
  N: ["rect", { x: -0.9, y: -0.9, width: 1.8, height: 1.8 }],
  W: ["path", { d: "M0 -1.3L1.15 0L0 1.3L-1.15 0Z" }],
};

function seatMark(seat, x, y, size) {
  const [tag, attributes] = SEAT_MARKS[seat];
  return make("svg:g", { class: "seat-mark", transform: `translate(${x} ${y}) scale(${size})` }, make(`svg:${tag}`, attributes));
}

function drawPiece(group, seat, letter, { mark, guess, isWrong }) {
  group.append(make("svg:rect", { class: "body", x: -0.43, y: -0.31, width: 0.86, height: 0.62, rx: 0.1 }));
  if (letter === "?") {
    const text = mark ?? guess?.letter;
    group.append(seatMark(seat, text ? -0.36 : 0, text ? -0.24 : 0, text ? 0.048 : 0.12));
    if (text) group.append(label(pieceLabel(text), mark ? "mark" : "guess", guess && !mark ? -0.05 : 0.03, guess && !mark ? 0.8 : 0.95));
    if (guess && !mark) group.append(make("svg:text", { class: "chance", x: 0, y: 0.2 }, `${guess.percent}%`));
  } else {
    group.append(seatMark(seat, -0.365, -0.245, 0.045));
    group.append(label(pieceLabel(letter), letter === "l" ? "name flag" : "name", 0.02));
  }
  if (isWrong) group.append(make("svg:text", { class: "bang", x: 0.36, y: -0.2 }, "!"));
}

function label(text, kind, y, scale = 1) {
  // Chinese has two wide signs, a letter stands alone; names have one size, and the widest are squeezed between the edges of the piece.
  const size = scale * (text.length === 1 ? 0.44 : /[a-z]/i.test(text) ? 0.275 : 0.325);
  const squeezed = size * emsWide(text) > 0.74 ? { textLength: 0.74, lengthAdjust: "spacingAndGlyphs" } : {};
  return make("svg:text", { class: kind, x: 0, y, "font-size": size, ...squeezed }, text);
}

const measured = new Map();
const ruler = document.createElement("canvas").getContext("2d");

// How wide a text of a piece is, in units of its size.
function emsWide(text) {
  if (!measured.has(text)) {
    ruler.font = `600 100px ${getComputedStyle(document.documentElement).getPropertyValue("--font")}`;
    measured.set(text, ruler.measureText(text).width / 100);
  }
  return measured.get(text);
}

// The game at the board

const play = {
  state: null,
  board: null,
  marks: {},
  belief: {},
  advice: null,
  clockAt: 0,
  seat: null,
  drafts: {},
  faults: {},
  invitations: [],

  begin() {
    this.board = new JunqiBoard($("play-board"), {
      onMove: (choice, id) => this.moved(choice, id),
      onHover: (shape) => this.showBars(shape),
      onMark: (shape, x, y) => this.openMarks(shape, x, y),
      describe: (shape, place) => this.board.describe(shape, place),
    });
    $("take-back").onclick = () => line.say("take_back");
    $("draw").onclick = () => line.say("draw");
    $("resign").onclick = () => confirmed(t("game.resignSure")).then((yes) => yes && line.say("resign"));
    $("pause").onclick = () => line.say("pause", { on: !this.state.paused });
    $("pace").onchange = () => line.say("pace", { ms: Number($("pace").value) });
    $("review").onclick = () => this.review();
    $("new").onclick = () => setup.open();
    $("belief").onchange = () => {
      this.belief = {};
      line.say("belief", { on: $("belief").checked });
      this.showBars(null);
      this.draw();
    };
    $("advice").onclick = () => {
      $("info").textContent = "";
      $("advice").disabled = true;
      $("advice-stop").hidden = false;
      line.ask("advice", { ms: 1000 }).catch((error) => { showError(error); this.rested(); });
    };
    $("advice-stop").onclick = () => line.say("advice_stop");
    $("offer-accept").onclick = () => line.say("draw_answer", { accept: true });
    $("offer-decline").onclick = () => line.say("draw_answer", { accept: false });
    $("fault-replace").onclick = () => {
      const [program, player] = JSON.parse($("fault-engine").value);
      line.say("new_engine", { seats: this.state.fault.seats, program, player });
    };
    setInterval(() => this.showClocks(), 250);
    lineup.begin();
  },

  take(state) {
    const before = this.state;
    const isNew = !before || before.game !== state.game || (before.phase === "arranging") !== (state.phase === "arranging");
    this.state = state;
    this.clockAt = performance.now();
    if (!before || before.game !== state.game) {
      this.marks = remembered(ofGame("marks", state.game)) ?? {};
      this.invitations = this.invitations.filter((one) => one.game === state.game);
      $("info").textContent = "";
      $("belief").checked = false;
    }
    const moved = !before || before.moves?.length !== state.moves?.length;
    if (moved) {
      this.advice = null;
      this.belief = {};
      this.rested();
    }
    if (isNew) lineup.reset(state);
    if (state.phase === "arranging") lineup.follow(state);
    this.draw();
    // Start lies below the board on a narrow screen, and the game is played above.
    if (isNew && state.phase === "playing" && before) for (const id of ["play-board", "status"]) $(id).scrollIntoView({ block: "nearest" });
    if (!isNew && moved && before.moves.length + 1 === state.moves.length) {
      this.board.battle(state.last);
      announce(told(state.last, boards[state.variant]));
    }
  },

  draw() {
    const state = this.state;
    const data = state && boards[state.variant];
    if (!data) return;
    this.board.set(data, state.mine[0] ?? "S");
    if (state.phase === "arranging") lineup.draw();
    else this.drawPosition(data);
    this.board.glow(state.phase === "arranging" ? null : state.last, this.advice);
    this.showPanel(data);
  },

  drawPosition(data) {
    const { state, board } = this;
    const shapes = state.pieces.map((piece) => {
      const [point, id, , letter] = piece;
      const guess = letter === "?" ? bestGuess(this.belief[point]) : null;
      return board.shape(piece, { mark: this.marks[id], guess });
    });
    const choices = new Map();
    for (const [from, targets] of Object.entries(state.targets)) {
      const id = String(state.pieces.find(([point]) => point === Number(from))[1]);
      choices.set(id, Object.entries(targets).map(([to, move]) => ({ ...board.point(Number(to)), move })));
    }
    board.view.update({
      shapes,
      choices,
      spots: board.spots(),
      leaving: (id, shape) => (state.last?.to >= 0 && state.last.from === shape.point ? board.point(state.last.to) : shape),
    });
  },

  moved(choice, id) {
    if (this.state.phase === "arranging") lineup.swap(id, choice.id);
    else line.say("move", { ply: this.state.moves.length, move: choice.move });
  },

  showPanel(data) {
    const { state } = this;
    const isOver = state.phase === "over";
    $("status").textContent = statusText(state, data);
    $("status").classList.toggle("mine", Boolean(state.targets && Object.keys(state.targets).length));
    showSeats($("seats"), [...data.seats].map((seat) => [seat, state.seats[seat]]), state);
    $("fault").hidden = !state.fault;
    if (state.fault) {
      $("fault").firstElementChild.textContent = t("fault.text", state.fault);
      fillEngines($("fault-engine"));
    }
    $("offer").hidden = !state.offer;
    if (state.offer) {
      const text = state.offer.to_me ? t("draw.offered", { seat: teamName(state.offer.by) }) : t("draw.waiting");
      $("offer").firstElementChild.textContent = text;
      for (const id of ["offer-accept", "offer-decline"]) $(id).hidden = !state.offer.to_me;
    }
    $("arrange").hidden = state.phase !== "arranging" || !state.mine;
    $("take-back").hidden = !state.may.take_back;
    $("draw").hidden = $("resign").hidden = !state.may.resign;
    $("pause").hidden = !state.may.pause || state.phase !== "playing";
    $("pause").textContent = t(state.paused ? "game.goOn" : "game.pause");
    $("review").hidden = !isOver;
    $("new").hidden = !host.isHost;
    $("pace-row").hidden = !host.isHost || isOver || !Object.values(state.seats).some((seat) => seat.who === "engine");
    if (document.activeElement !== $("pace")) $("pace").value = state.pace_ms;
    $("engine-pane").hidden = state.phase === "arranging";
    $("belief").disabled = !state.mine;
    $("advice").hidden = !state.mine || isOver;
    showMoves($("moves"), state.moves ?? [], null);
    $("moves-card").hidden = !state.moves?.length;
    $("saved").textContent = state.saved ? t("game.saved", { path: state.saved }) : "";
    showInvitations(this.invitations, state);
    this.showClocks();
  },

  showClocks() {
    const { state } = this;
    if (!state) return;
    for (const [seat, about] of Object.entries(state.seats)) {
      const clock = $("seats").querySelector(`[data-seat="${seat}"] .clock`);
      if (!clock || about.left_ms === null) continue;
      const left = about.left_ms - (about.is_running ? performance.now() - this.clockAt : 0);
      clock.textContent = clockText(Math.max(0, left));
      clock.classList.toggle("short", left < 20_000);
    }
  },

  showBars(shape) {
    const chances = shape && shape.letter === "?" ? this.belief[shape.point] : null;
    const box = $("belief-bars");
    box.replaceChildren();
    if (!$("belief").checked) return;
    if (!chances) {
      box.append(make("p", { class: "hint" }, t("pane.none")));
      return;
    }
    const rows = Object.entries(chances).sort((a, b) => b[1] - a[1]);
    for (const [letter, chance] of rows.slice(0, 6)) {
      const bar = make("meter", { min: 0, max: 1, value: chance });
      box.append(make("div", {}, make("span", {}, t(`piece.${letter}`)), bar, make("span", {}, `${Math.round(100 * chance)}%`)));
    }
  },

  takeBelief(message) {
    if (!$("belief").checked) return;
    this.belief = message.points;
    this.draw();
  },

  takeAdvice(message) {
    this.rested();
    this.advice = message;
    announce(t("pane.advises", message));
    addLines($("info"), [t("pane.advises", message)]);
    this.draw();
  },

  rested() {
    $("advice").disabled = false;
    $("advice-stop").hidden = true;
  },

  openMarks(shape, x, y) {
    if (this.state.phase === "arranging" || shape.letter !== "?") return;
    const menu = $("marks");
    const set = (letter) => {
      if (letter) this.marks[shape.id] = letter;
      else delete this.marks[shape.id];
      remember(ofGame("marks", this.state.game), this.marks);
      menu.hidden = true;
      this.draw();
      $("play-board").focus({ preventScroll: true });
    };
    const entry = (letter) => make("button", { role: "menuitem", "data-mark": letter, onclick: () => set(letter) }, letter ? t(`short.${letter}`) : t("mark.clear"));
    menu.setAttribute("aria-label", t("mark.title"));
    menu.replaceChildren(...[..."abcdefghijkl", ""].map(entry));
    menu.hidden = false;
    menu.style.left = `${Math.min(x, innerWidth - menu.offsetWidth - 8)}px`;
    menu.style.top = `${Math.min(y, innerHeight - menu.offsetHeight - 8)}px`;
    menu.firstElementChild.focus();
  },

  async review() {
    try {
      const { line: text } = await line.ask("record");
      go("replay");
      await replay.openText(text);
    } catch (error) {
      showError(error);
    }
  },
};

function bestGuess(chances) {
  const best = Object.entries(chances ?? {}).sort((a, b) => b[1] - a[1])[0];
  return best ? { letter: best[0], percent: Math.round(100 * best[1]) } : null;
}

function clockText(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return `${minutes}:${String(rest).padStart(2, "0")}`;
}

function statusText(state, data) {
  if (state.phase === "arranging") {
    const missing = Object.entries(state.seats).some(([seat, about]) => !about.ready && !state.mine.includes(seat));
    const iAmReady = [...state.mine].every((seat) => state.seats[seat].ready);
    return t(iAmReady && missing ? "status.waitLineups" : "status.arrange");
  }
  if (state.phase === "over") {
    const mineWon = state.mine && [...state.mine].some((seat) => state.result.includes(seat));
    let text = t("status.draw");
    if (state.result !== "draw") text = !state.mine ? t("status.wins", { team: teamName(state.result) }) : t(mineWon ? "status.won" : "status.lost");
    const how = `${t(`ending.${state.ending}`)}${state.detail && state.ending !== "adjudicated" ? ` (${state.detail})` : ""}`;
    return t("sentence", { text: t("about", { name: text, text: how }) });
  }
  if (state.paused) return t("status.paused");
  const seat = seatName(state.turn);
  const now = state.mine.includes(state.turn) ? "status.yourTurn" : state.seats[state.turn].is_thinking ? "status.thinking" : "status.turn";
  return sentences(...(state.last ? [t("sentence", { text: told(state.last, data) })] : []), t(now, { seat }));
}

const sentences = (...texts) => texts.join(language === "zh" ? "" : " ");

// What everyone saw of a move, in words.
function told(last, data) {
  if (!last) return "";
  if (last.resigned) return t("battle.resigned", { seat: seatName(last.resigned) });
  const name = (point) => data.points[point].name;
  const words = [t(`battle.${last.outcome}`, { seat: seatName(last.seat), from: name(last.from), to: name(last.to) })];
  for (const flag of last.flags) words.push(t("battle.flag", { at: name(flag) }));
  for (const seat of last.out) words.push(t("battle.out", { seat: seatName(seat) }));
  return words.join(language === "zh" ? "，" : ", ");
}

function showSeats(list, seats, state) {
  list.replaceChildren(
    ...seats.map(([seat, about]) => {
      const mark = make("svg:svg", { viewBox: "-1.5 -1.5 3 3", class: `seat-icon seat-${seat}` }, seatMark(seat, 0, 0, 1));
      const isOut = state.alive !== undefined && !state.alive.includes(seat);
      const notes = [];
      if (about.who === "me" && state.mine.includes(seat)) notes.push(t("who.me"));
      else if (about.who === "guest" && !state.mine.includes(seat)) notes.push(t("who.guest"));
      else if (about.who === "me") notes.push(t("who.guest"));
      else if (about.who === "guest") notes.push(t("who.me"));
      else notes.push(has(`name.${about.name}`) ? t(`name.${about.name}`) : about.name);
      if (state.phase === "arranging") notes.push(t(about.ready ? "who.ready" : about.who === "engine" ? "who.starting" : "who.arranging"));
      else if (isOut) notes.push(t("who.out"));
      else if (state.counts) notes.push(t("who.pieces", { n: state.counts[seat] }));
      if (about.who && about.who !== "engine" && !about.is_here && !state.mine.includes(seat)) notes.push(t("who.away"));
      const isTurn = state.phase === "playing" && state.turn === seat;
      const classes = `${isTurn ? "turn" : ""} ${isOut ? "out" : ""} ${about.is_thinking ? "thinking" : ""}`;
      const clock = make("span", { class: "clock" });
      const words = make("span", { class: "who" }, make("b", {}, seatName(seat)), ` ${notes.join(" · ")}`);
      return make("li", { class: classes, "data-seat": seat, "aria-current": isTurn ? "true" : null }, mark, words, clock);
    }),
  );
}

function showMoves(list, moves, at) {
  while (list.childElementCount > moves.length) list.lastElementChild.remove();
  const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  moves.forEach((move, index) => {
    let item = list.children[index];
    if (!item) list.append((item = make("li")));
    if (item.textContent !== move) item.textContent = move;
    item.classList.toggle("at", index + 1 === at);
  });
  if (at === null && isAtEnd) list.scrollTop = list.scrollHeight;
}

function showInvitations(invitations, state) {
  const open = invitations.filter(({ seats }) => !state.seats[seats[0]]?.is_here);
  $("invitations").hidden = !open.length;
  $("invitations").lastElementChild.replaceChildren(
    ...open.map(({ seats, token }) => {
      const address = `${location.origin}/#${token}`;
      const link = make("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, t("about", { name: teamName(seats), text: address }));
      return make("li", {}, link);
    }),
  );
}

function addLines(box, lines) {
  const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  const all = [...box.textContent.split("\n").filter(Boolean), ...lines];
  box.textContent = all.slice(-200).join("\n");
  if (isAtEnd) box.scrollTop = box.scrollHeight;
}

function confirmed(question) {
  const dialog = $("confirm");
  dialog.querySelector("p").textContent = question;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((done) => (dialog.onclose = () => done(dialog.returnValue === "yes")));
}

// The line-up, before the game begins

const lineup = {
  seat: "",
  letters: {},
  faults: {},
  sent: false,

  begin() {
    $("arrange-random").onclick = () => this.ask("lineup_random", {});
    $("arrange-mirror").onclick = () => this.ask("lineup_mirror", { lineup: this.letters[this.seat] });
    $("arrange-letters").oninput = () => this.check($("arrange-letters").value.trim().toLowerCase());
    $("arrange-load").onclick = () => $("arrange-file").click();
    $("arrange-file").onchange = async () => {
      const [file] = $("arrange-file").files;
      $("arrange-file").value = "";
      if (!file) return;
      const bytes = new Uint8Array(await file.slice(0, 2000).arrayBuffer());
      this.ask("lineup_load", { data: btoa(String.fromCharCode(...bytes)) });
    };
    $("arrange-save").onclick = async () => {
      try {
        const { data } = await line.ask("lineup_save", { lineup: this.letters[this.seat] });
        const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
        download(new Blob([bytes], { type: "application/octet-stream" }), `lineup-${this.seat}.jql`);
      } catch (error) {
        showError(error);
      }
    };
    $("arrange-start").onclick = () => this.start();
  },

  reset(state) {
    this.sent = false;
    this.letters = { ...state.drafts };
    this.faults = Object.fromEntries([...state.mine].map((seat) => [seat, []]));
    this.seat = state.mine[0] ?? "";
    if (state.phase !== "arranging") return;
    const last = remembered(ofGame("lineup", state.game)) ?? {};
    for (const seat of state.mine) if (!state.seats[seat].ready && typeof last[seat] === "string") this.check(last[seat], seat);
  },

  // Another tab on the same seats may have started.
  follow(state) {
    if (!state.mine || ![...state.mine].every((seat) => state.seats[seat].ready)) return;
    this.sent = true;
    this.letters = { ...state.drafts };
    for (const seat of state.mine) this.faults[seat] = [];
  },

  set(seat, letters) {
    this.letters[seat] = letters;
    remember(ofGame("lineup", play.state.game), this.letters);
  },

  async ask(type, fields) {
    const seat = this.seat;
    try {
      const answer = await line.ask(type, fields);
      this.set(seat, answer.lineup);
      this.faults[seat] = answer.faults;
      play.draw();
    } catch (error) {
      showError(error);
    }
  },

  // Of answers that overtake each other only that to the last question counts.
  async check(letters, seat = this.seat) {
    this.set(seat, letters);
    play.draw();
    try {
      const answer = await line.ask("lineup_check", { lineup: letters.slice(0, 40) });
      if (this.letters[seat] !== answer.lineup) return;
      this.faults[seat] = answer.faults;
      play.draw();
    } catch (error) {
      showError(error);
    }
  },

  // Ids of places are "seat:number".
  swap(one, other) {
    const [seat, a] = one.split(":");
    const b = Number(other.split(":")[1]);
    const letters = [...this.letters[seat]];
    [letters[a], letters[b]] = [letters[b], letters[a]];
    this.seat = seat;
    this.check(letters.join(""));
  },

  start() {
    const { state } = play;
    const broken = [...state.mine].find((seat) => this.faults[seat].length);
    if (broken) {
      this.seat = broken;
      play.draw();
      return;
    }
    this.sent = true;
    line.ask("ready", { lineups: Object.fromEntries([...state.mine].map((seat) => [seat, this.letters[seat]])) }).catch((error) => {
      this.sent = false;
      showError(error);
      play.draw();
    });
    play.draw();
  },

  draw() {
    const { state, board } = play;
    const shapes = state.pieces.filter(([, , seat]) => !state.mine.includes(seat)).map((piece) => board.shape(piece));
    const choices = new Map();
    for (const seat of state.mine) {
      const wrong = new Set(this.faults[seat].flatMap((fault) => fault.places));
      const own = state.places[seat].slice(0, this.letters[seat].length).map((point, place) => {
        const letter = this.letters[seat][place];
        const isKnown = /[a-l]/.test(letter);
        const shape = board.shape([point, 0, seat, isKnown ? letter : "?"], { isWrong: wrong.has(place), mark: isKnown ? undefined : letter });
        return { ...shape, id: `${seat}:${place}` };
      });
      shapes.push(...own);
      if (!this.sent)
        for (const shape of own) choices.set(shape.id, own.filter((other) => other !== shape).map(({ x, y, id }) => ({ x, y, id })));
    }
    board.view.update({ shapes, choices, spots: shapes.filter((shape) => choices.has(shape.id)).map(({ x, y }) => ({ x, y })) });
    this.showCard(state);
  },

  showCard(state) {
    $("arrange-seats").hidden = state.mine.length < 2;
    $("arrange-seats").replaceChildren(
      ...[...state.mine].map((seat) =>
        make("button", { "aria-pressed": String(seat === this.seat), class: "chip", "data-seat": seat, onclick: () => { this.seat = seat; play.draw(); } }, seatName(seat)),
      ),
    );
    const input = $("arrange-letters");
    if (document.activeElement !== input || input.value.trim().toLowerCase() !== this.letters[this.seat]) input.value = this.letters[this.seat] ?? "";
    const faults = [...state.mine].flatMap((seat) => this.faults[seat].map((fault) => [seat, fault]));
    $("arrange-faults").replaceChildren(
      ...faults.map(([seat, fault]) => {
        const name = has(`piece.${fault.piece}`) ? t(`piece.${fault.piece}`) : fault.piece;
        const text = t(`rule.${fault.rule}`, { ...fault, name });
        return make("li", { "data-rule": fault.rule }, state.mine.length > 1 ? t("about", { name: seatName(seat), text }) : text);
      }),
    );
    for (const id of ["arrange-random", "arrange-mirror", "arrange-load", "arrange-letters"]) $(id).disabled = this.sent;
    $("arrange-start").disabled = this.sent || faults.length > 0;
    $("arrange-start").textContent = t(this.sent ? "arrange.waiting" : "arrange.start");
  },
};

function download(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// A new game

const host = { isHost: false, engines: [], variants: [], tables: {}, positions: {} };

function engineChoices() {
  return host.engines.flatMap(({ program, players, player }) =>
    players.map((version) => ({ value: JSON.stringify([program, version]), text: `${program} ${version}`.trim(), isDefault: version === player })),
  );
}

function fillEngines(select) {
  const chosen = select.value;
  select.replaceChildren(...engineChoices().map(({ value, text, isDefault }) => make("option", { value, selected: isDefault }, text)));
  if (chosen) select.value = chosen;
}

// Puts other entries into a list; what was chosen stays so if it is still there.
function refill(select, entries) {
  const chosen = select.value;
  select.replaceChildren(...entries.map(([value, text]) => make("option", { value }, text)));
  if (entries.some(([value]) => value === chosen)) select.value = chosen;
}

const setup = {
  begin() {
    $("setup-variant").onchange = () => {
      $("setup-visibility").replaceChildren();
      this.showSeats();
    };
    $("setup-visibility").onchange = () => this.showSeats();
    $("setup-cancel").onclick = () => $("setup").close();
    $("setup-go").onclick = () => this.go();
  },

  open() {
    refill($("setup-variant"), Object.keys(host.tables).map((variant) => [variant, has(`variant.${variant}`) ? t(`variant.${variant}`) : variant]));
    $("setup-error").textContent = "";
    this.showSeats();
    $("setup").showModal();
  },

  seats() {
    return host.tables[$("setup-variant").value] ?? "";
  },

  showSeats() {
    const seats = this.seats();
    // Who has no partner sees the own pieces only, or all.
    const ways = seats.length > 2 ? ["partner", "dark", "open"].map((name) => [name, t(`visibility.${name}`)]) : ["dark", "open"].map((name) => [name, t(`visibilityOfTwo.${name}`)]);
    refill($("setup-visibility"), ways);
    const visibility = $("setup-visibility").value;
    $("setup-visibility-hint").textContent = t(`visibilityHint.${visibility}`);
    const before = new Map([...$("setup-seats").querySelectorAll("select")].map((select) => [select.dataset.seat, select.value]));
    const engines = engineChoices();
    const standard = engines.find(({ isDefault }) => isDefault) ?? engines[0];
    const isMine = (index) => (visibility === "dark" || seats.length === 2 ? index === 0 : index % 2 === 0);
    const isSame = $("setup-seats").dataset.kind === `${seats} ${visibility}`;
    $("setup-seats").dataset.kind = `${seats} ${visibility}`;
    $("setup-seats").replaceChildren(
      ...[...seats].map((seat, index) => {
        const select = make("select", { "data-seat": seat, "aria-label": seatName(seat) },
          make("option", { value: "me" }, t("who.meOption")), make("option", { value: "guest" }, t("who.guestOption")),
          ...engines.map(({ value, text }) => make("option", { value }, text)));
        select.value = (isSame && before.get(seat)) || (isMine(index) ? "me" : standard?.value);
        const mark = make("svg:svg", { viewBox: "-1.5 -1.5 3 3", class: `seat-icon seat-${seat}` }, seatMark(seat, 0, 0, 1));
        return make("label", {}, mark, make("b", {}, seatName(seat)), select);
      }),
    );
    refill($("setup-first"), [...seats].map((seat) => [seat, seatName(seat)]));
  },

  async go() {
    const seats = {};
    for (const select of $("setup-seats").querySelectorAll("select")) {
      const isEngine = select.value.startsWith("[");
      const [program, player] = isEngine ? JSON.parse(select.value) : ["", ""];
      seats[select.dataset.seat] = { who: isEngine ? "engine" : select.value, program, player };
    }
    const [base, increment] = $("setup-clock").value.split("+").map(Number);
    const limit = $("setup-limit").value;
    const whole = (value, least, most) => Math.min(most, Math.max(least, Math.round(Number(value) || 0)));
    $("setup-go").disabled = true;
    try {
      const answer = await line.ask("new_game", {
        variant: $("setup-variant").value,
        visibility: $("setup-visibility").value,
        seats,
        first: $("setup-first").value,
        clock: $("setup-clock").value ? { base_s: base, increment_s: increment } : null,
        move_ms: whole(1000 * $("setup-move").value, 1, 3_600_000),
        pace_ms: Number($("pace").value) || 0,
        no_contact: limit === "" ? null : whole(limit, 0, 1000),
        max_plies: whole($("setup-plies").value, 0, 100_000),
      });
      play.invitations = answer.invitations.map((one) => ({ ...one, game: answer.game }));
      $("setup").close();
      play.draw();
      $("play-board").focus({ preventScroll: true });
    } catch (error) {
      $("setup-error").textContent = has(`error.${error.code}`) ? t(`error.${error.code}`) : error.text;
    } finally {
      $("setup-go").disabled = false;
    }
  },
};

// Replay

const replay = {
  lines: [],
  record: null,
  at: 0,
  timer: 0,
  wanted: null,
  board: null,

  begin() {
    this.board = new JunqiBoard($("replay-board"), { onMove: () => {}, describe: (shape, place) => this.board.data ? this.board.describe(shape, place) : "" });
    $("replay-load").onclick = () => $("replay-file").click();
    $("replay-file").onchange = async () => {
      const [file] = $("replay-file").files;
      $("replay-file").value = "";
      if (file) this.openText(await file.text());
    };
    $("replay-game").onchange = () => this.openLine(Number($("replay-game").value));
    $("replay-eyes").onchange = () => this.show(this.at);
    $("replay-first").onclick = () => this.go(0);
    $("replay-back").onclick = () => this.go(this.at - 1);
    $("replay-next").onclick = () => this.go(this.at + 1);
    $("replay-last").onclick = () => this.go(Infinity);
    $("replay-play").onclick = () => (this.timer ? this.halt() : this.run());
    $("replay-at").oninput = () => this.go(Number($("replay-at").value));
    $("replay-moves").onclick = (event) => {
      const item = event.target.closest("li");
      if (item) this.go([...item.parentNode.children].indexOf(item) + 1);
    };
    $("replay").addEventListener("keydown", (event) => {
      if (event.target.matches("input, select, textarea, .board")) return;
      if (event.key === "ArrowLeft") this.go(this.at - 1);
      else if (event.key === "ArrowRight") this.go(this.at + 1);
      else return;
      event.preventDefault();
    });
    this.showPanel();
  },

  // Before a record is open the board stands empty.
  enter() {
    const data = boards[play.state?.variant];
    if (this.record || !data) return;
    this.board.set(data, "S");
    this.board.view.update({ shapes: [], choices: new Map(), spots: this.board.spots() });
  },

  async openText(text, at = 0, eyes = null) {
    this.lines = text.split("\n").filter((one) => one.trim());
    $("replay-game").replaceChildren(...this.lines.slice(0, 5000).map((one, index) => make("option", { value: index }, gameTitle(one, index))));
    await this.openLine(0, at, eyes);
  },

  resume() {
    const last = remembered("replay");
    if (typeof last?.line === "string") this.openText(last.line, last.at, last.eyes);
  },

  async openLine(index, at = 0, eyes = null) {
    this.halt();
    try {
      const record = await line.ask("replay_open", { line: (this.lines[index] ?? "").trim() });
      const isFirst = !this.record;
      this.record = record;
      const list = $("replay-eyes");
      const chosen = eyes ?? (isFirst ? "*" : list.value);
      list.replaceChildren(...record.eyes.map((one) => make("option", { value: one }, one === "*" ? t("replay.all") : teamName(one))));
      if (record.eyes.includes(chosen)) list.value = chosen;
      $("replay-at").max = record.moves.length;
      await this.show(at);
    } catch (error) {
      showError(error);
    }
  },

  go(at) {
    this.halt();
    this.show(at);
  },

  async show(at) {
    if (!this.record) return;
    at = Math.max(0, Math.min(at, this.record.moves.length));
    this.wanted = at;
    try {
      const scene = await line.ask("replay_show", { ply: at, eyes: $("replay-eyes").value });
      if (this.wanted !== at) return;
      const isStep = at === this.at + 1;
      this.at = at;
      const data = boards[this.record.variant];
      this.board.set(data, scene.eyes === "*" ? "S" : scene.eyes[0]);
      const leaving = (id, shape) => (isStep && scene.last?.to >= 0 ? (scene.last.from === shape.point ? this.board.point(scene.last.to) : shape) : null);
      this.board.view.update({ shapes: scene.pieces.map((piece) => this.board.shape(piece)), choices: new Map(), spots: this.board.spots(), leaving });
      this.board.glow(scene.last, null);
      if (isStep) this.board.battle(scene.last);
      this.scene = scene;
      remember("replay", { line: this.lines[Number($("replay-game").value)], at, eyes: scene.eyes });
      this.showPanel();
    } catch (error) {
      this.halt();
      showError(error);
    }
  },

  run() {
    if (!this.record) return;
    const step = async () => {
      if (this.at >= this.record.moves.length) this.halt();
      else await this.show(this.at + 1);
      if (this.timer) this.timer = setTimeout(step, 700);
    };
    if (this.at >= this.record.moves.length) this.at = 0;
    this.timer = setTimeout(step, 50);
    this.showPanel();
  },

  halt() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.showPanel();
  },

  showPanel() {
    const { record, scene } = this;
    $("replay-play").textContent = this.timer ? "❚❚" : "▶";
    for (const element of document.querySelectorAll("[data-record]")) element.hidden = !record;
    if (!record || !scene) {
      $("replay-status").textContent = t("replay.none");
      return;
    }
    const data = boards[record.variant];
    let text = this.at ? told(scene.last, data) : t("replay.start");
    if (this.at === record.moves.length) {
      const result = record.result === "draw" ? t("status.draw") : t("status.wins", { team: teamName(record.result) });
      text = sentences(t("sentence", { text }), t("sentence", { text: t("replay.over", { result, ending: t(`ending.${record.ending}`) }) }));
    }
    $("replay-status").textContent = t("replay.status", { at: this.at, all: record.moves.length, text });
    $("replay-at").value = this.at;
    const seats = [...data.seats].map((seat) => [seat, { name: record.names[seat], who: "engine" }]);
    showSeats($("replay-seats"), seats, { ...scene, mine: "", phase: "playing" });
    showMoves($("replay-moves"), record.moves, this.at);
    const item = $("replay-moves").children[this.at - 1];
    if (item) $("replay-moves").scrollTop = item.offsetTop - $("replay-moves").clientHeight / 2;
  },
};

// The title of a recorded game, as far as its line tells without the rules.
function gameTitle(text, index) {
  try {
    const record = JSON.parse(text);
    const names = Object.values(record.engines).map((engine) => engine.name);
    return `${record.game}: ${names.join(" – ")}, ${record.result}`;
  } catch {
    return `${index + 1}: ?`;
  }
}

// Puzzles

const puzzle = {
  state: null,
  opened: null,
  view: null,
  answer: [],
  busy: false,
  timer: 0,

  begin() {
    this.view = new BoardView($("puzzle-board"), {
      onMove: (choice) => this.move(choice.move),
      describe: (shape, place) => [shape?.label, ...(this.view.choices.get(this.view.taken) ?? []).filter((one) => near(one, place) < 0.1).map((one) => one.move)].filter(Boolean).join(", "),
    });
    $("puzzle-variant").onchange = () => this.choose();
    $("puzzle-known").onchange = () => {
      $("puzzle-position").value = $("puzzle-known").value;
      this.open();
    };
    $("puzzle-open").onclick = () => this.open();
    $("puzzle-metric").onchange = () => this.open();
    $("puzzle-load").onclick = () => $("puzzle-file").click();
    $("puzzle-file").onchange = async () => {
      const [file] = $("puzzle-file").files;
      $("puzzle-file").value = "";
      if (!file) return;
      const rows = (await file.text()).split("\n").map((row) => row.trim()).filter((row) => row && !row.startsWith("#"));
      $("puzzle-position").value = rows[0] ?? "";
      this.open();
    };
    $("puzzle-back").onclick = () => this.change("puzzle_back");
    $("puzzle-restart").onclick = () => this.change("puzzle_restart");
    $("puzzle-hint").onclick = () => this.solve("hint");
    $("puzzle-solve").onclick = () => this.solve("solution");
    $("puzzle-watch").onclick = () => this.watch();
    $("puzzle-stop").onclick = () => {
      this.halt();
      line.say("puzzle_stop");
    };
    this.showPanel();
  },

  enter() {
    if ($("puzzle-variant").childElementCount || !host.isHost) return;
    const variants = Object.keys(host.positions).filter((variant) => host.variants.includes(variant));
    $("puzzle-variant").replaceChildren(...variants.map((variant) => make("option", { value: variant }, t(`puzzle.${variant}`))));
    if (variants.includes(remembered("puzzle")?.variant)) this.resume();
    else this.choose();
  },

  // The puzzle as it stood when the page was left or the line was lost.
  async resume() {
    const { variant, position, options, moves } = remembered("puzzle") ?? this.opened;
    $("puzzle-variant").value = variant;
    this.offer();
    $("puzzle-position").value = position;
    $("puzzle-metric").value = options.Metric ?? "move";
    if (!(await this.open(moves)) && !this.state) this.choose();
  },

  choose() {
    this.offer();
    this.open();
  },

  offer() {
    const variant = $("puzzle-variant").value;
    const known = host.positions[variant] ?? [];
    $("puzzle-known").replaceChildren(...known.map(({ name, position }) => make("option", { value: position }, name)));
    $("puzzle-position").value = known[0]?.position ?? "";
    $("metric-row").hidden = variant !== "klotski";
    $("depth-row").hidden = variant !== "match3";
  },

  open(moves = []) {
    const variant = $("puzzle-variant").value;
    const options = variant === "klotski" ? { Metric: $("puzzle-metric").value } : {};
    const position = $("puzzle-position").value.replace(/\s+/g, " ").trim();
    return this.change("puzzle_open", { variant, position, options, moves: moves.join(" ") });
  },

  move(move) {
    return this.change("puzzle_move", { move }, true);
  },

  async change(type, fields = {}, keepsAnswer = false) {
    if (!keepsAnswer) {
      this.halt();
      this.answer = [];
    }
    this.working(t("puzzle.setting"));
    try {
      const state = await line.ask(type, fields);
      if (type === "puzzle_open") this.opened = fields;
      remember("puzzle", { ...this.opened, moves: state.moves });
      this.take(state, type === "puzzle_open");
      return true;
    } catch (error) {
      this.halt();
      this.fail(error);
      return false;
    } finally {
      this.rest();
    }
  },

  take(state, isNew) {
    const before = this.state;
    this.state = state;
    if (isNew || before?.variant !== state.variant) this.view.clear();
    if (isNew) $("puzzle-info").textContent = "";
    // A solution stays good as long as its moves are played.
    if (this.answer.length && state.moves.at(-1) === this.answer[0] && state.moves.length > (before?.moves.length ?? 0)) this.answer = this.answer.slice(1);
    else this.answer = [];
    this.answered("");
    this.draw(isNew);
    this.showPanel();
    const words = [t("puzzle.count", { n: state.moves.length })];
    if (state.points !== null) words.push(t("puzzle.points", { n: state.points }));
    announce(state.solved ? t("puzzle.solved") : words.join(", "));
    if (state.notes.length) addLines($("puzzle-info"), state.notes);
  },

  draw(isNew) {
    const { state, view } = this;
    view.svg.dataset.variant = state.variant;
    const pad = state.variant === "submarine" ? 0.3 : 0.12;
    view.unit = state.variant === "submarine" ? 3 : 1;
    const below = state.variant === "submarine" ? 1.5 : pad;
    view.frame(-pad, -pad, state.width + 2 * pad, state.height + pad + below);
    const parts = state.floor.map(([x, y, width, height, kind]) => make("svg:rect", { class: kind, x, y, width, height }));
    if (isNew || view.layers.floor.childElementCount !== parts.length) view.layers.floor.replaceChildren(...parts);
    view.layers.line.replaceChildren();
    if (state.line.length > 1) view.layers.line.append(make("svg:polyline", { class: "tour", points: state.line.map((place) => place.join()).join(" ") }));
    const choices = new Map();
    for (const choice of state.choices) {
      if (!choices.has(choice.id)) choices.set(choice.id, []);
      choices.get(choice.id).push(choice);
    }
    view.update({
      shapes: state.shapes.map((shape) => puzzleShape(shape, state.variant)),
      choices,
      spots: state.shapes.map(({ x, y }) => ({ x, y })),
      always: state.taken,
      leaving: (id, shape) => shape,
    });
    this.showHint(null);
  },

  showHint(move) {
    const layer = this.view.layers.advice;
    layer.replaceChildren();
    const choice = this.state?.choices.find((one) => one.move === move);
    if (!choice) return;
    const shape = this.state.shapes.find((one) => one.id === choice.id);
    const unit = this.view.unit ?? 1;
    layer.append(make("svg:path", { class: "hint-way", d: between(shape, choice, 0.3 * unit, 0.3 * unit), "stroke-width": 0.09 * unit }));
    layer.append(make("svg:circle", { class: "hint-way", cx: choice.x, cy: choice.y, r: 0.3 * unit, "stroke-width": 0.09 * unit }));
  },

  async solve(what) {
    this.halt();
    this.working(t("puzzle.working"));
    $("puzzle-info").textContent = "";
    try {
      const depth = this.state.variant === "match3" ? Number($("puzzle-depth").value) || 3 : 0;
      const answer = await line.ask("puzzle_solve", { what, depth });
      this.answer = what === "solution" ? answer.moves : [];
      const [first] = answer.moves;
      let text = t("puzzle.nothing", { text: answer.said.join("; ") });
      if (this.state.solved) text = t("puzzle.solved");
      else if (what === "hint" && first) text = t("puzzle.hintIs", { move: first });
      else if (first) text = t(this.state.variant === "match3" ? "puzzle.foundBest" : "puzzle.found", { n: answer.count });
      this.answered(text);
      this.showHint(first);
    } catch (error) {
      this.fail(error);
    } finally {
      this.rest();
    }
  },

  // Plays the solution, asking for it first if there is none.
  async watch() {
    if (this.timer) {
      this.halt();
      return;
    }
    if (!this.answer.length) await this.solve("solution");
    if (!this.answer.length) return;
    const step = async () => {
      const isPlayed = this.answer.length > 0 && (await this.move(this.answer[0]));
      if (!isPlayed || !this.answer.length) this.halt();
      if (this.timer) this.timer = setTimeout(step, still.matches ? 100 : 350);
    };
    this.timer = setTimeout(step, 50);
    this.showPanel();
  },

  halt() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.showPanel();
  },

  working(text) {
    this.busy = true;
    // What is quick does not flicker.
    clearTimeout(this.progress);
    this.progress = setTimeout(() => {
      $("puzzle-progress").hidden = false;
      this.answered(text);
    }, 250);
    this.showPanel();
  },

  rest() {
    clearTimeout(this.progress);
    this.busy = false;
    $("puzzle-progress").hidden = true;
    this.showPanel();
  },

  // Said where the answer would stand.
  fail(error) {
    if (error.code === "lost") return;
    $("puzzle-answer").classList.add("bad");
    $("puzzle-answer").textContent = has(`error.${error.code}`) && language === "zh" ? sentences(t(`error.${error.code}`), error.text) : error.text;
  },

  answered(text) {
    $("puzzle-answer").classList.remove("bad");
    $("puzzle-answer").textContent = text;
  },

  showPanel() {
    const { state } = this;
    const count = state ? state.moves.length : 0;
    const words = [t("puzzle.count", { n: count })];
    if (state && state.points !== null) words.push(t("puzzle.points", { n: state.points }));
    if (state?.solved) words.push(t("puzzle.solved"));
    else if (state && !state.choices.length && state.shapes.length) words.push(t("puzzle.stuck"));
    $("puzzle-status").textContent = words.join(" · ");
    $("puzzle-status").classList.toggle("mine", Boolean(state?.solved));
    $("puzzle-moves").textContent = state ? state.moves.join(" ") : "";
    $("puzzle-moves").parentNode.hidden = !count;
    const isWaiting = this.busy && !this.timer;
    for (const id of ["back", "restart"]) $(`puzzle-${id}`).disabled = isWaiting || !count;
    for (const id of ["hint", "solve"]) $(`puzzle-${id}`).disabled = isWaiting || Boolean(this.timer) || !state;
    $("puzzle-watch").disabled = isWaiting || !state;
    $("puzzle-stop").disabled = !this.busy && !this.timer;
  },
};

function puzzleShape(shape, variant) {
  const { x, y, rects, tone, label: name, kind, id } = shape;
  const draw = (group) => {
    if (kind === "gem") drawGem(group, tone, name);
    else if (kind === "step") group.append(make("svg:text", { class: "step", x: 0, y: 0 }, name));
    else if (kind === "knight") group.append(make("svg:circle", { class: "knight", r: 0.36 }), make("svg:text", { class: "knight", x: 0, y: 0.02 }, "♞"), make("svg:text", { class: "count", x: 0.36, y: -0.36 }, name));
    else if (variant === "submarine") drawTile(group, rects, kind);
    else drawBlock(group, rects, name);
  };
  const hits = variant === "submarine" ? [rects[0].slice(0, 4)] : rects.length ? rects : undefined;
  // What sticks out of a tile lies above all tiles.
  const under = variant === "submarine" ? (group) => group.append(make("svg:rect", { class: "tile", x: -2.38, y: -2.38, width: 4.76, height: 4.76, rx: 0.5 })) : null;
  const tops = variant === "submarine" ? rects.slice(1) : undefined;
  return { id, x, y, label: name, hits, tops, under, look: `${kind} ${name} ${tone} ${rects.length}`, class: `${kind} tone-${tone % 12}`, draw };
}

function drawBlock(group, rects, name) {
  // Cells of one block run together: one outline around them all.
  const cells = new Set(rects.map(([x, y]) => `${x},${y}`));
  for (const [x, y, width, height] of rects) {
    const right = cells.has(`${x + 1},${y}`) ? 0 : 0.05;
    const left = cells.has(`${x - 1},${y}`) ? 0 : 0.05;
    const top = cells.has(`${x},${y - 1}`) ? 0 : 0.05;
    const bottom = cells.has(`${x},${y + 1}`) ? 0 : 0.05;
    group.append(make("svg:rect", { class: "cell", x: x + left, y: y + top, width: width - left - right + 0.005, height: height - top - bottom + 0.005 }));
    const edges = [[left, `M${x + 0.05} ${y + top}V${y + 1 - bottom}`], [right, `M${x + 0.95} ${y + top}V${y + 1 - bottom}`], [top, `M${x + left} ${y + 0.05}H${x + 1 - right}`], [bottom, `M${x + left} ${y + 0.95}H${x + 1 - right}`]];
    for (const [isEdge, d] of edges) if (isEdge) group.append(make("svg:path", { class: "edge", d }));
  }
  group.append(make("svg:text", { class: "name", x: 0, y: 0.02, "font-size": 0.42 }, name));
}

function drawTile(group, rects, kind) {
  if (kind === "chosen") {
    group.append(make("svg:ellipse", { class: "hull", cx: 0, cy: 0.3, rx: 2.1, ry: 1.15 }));
    group.append(make("svg:path", { class: "hull", d: "M-.7 -.75V-1.6H.55V-.75Z" }), make("svg:path", { class: "scope", d: "M.2 -1.6V-2.15H.8" }));
    for (const cx of [-1.1, 0, 1.1]) group.append(make("svg:circle", { class: "window", cx, cy: 0.3, r: 0.3 }));
  }
  for (const [x, y, width, height, part] of rects) {
    if (part !== "part") continue;
    if (kind === "chosen") {
      group.append(make("svg:rect", { class: "fin", x: x + 0.1, y: y + 0.1, width: width - 0.2, height: height - 0.2, rx: 0.35 }));
      continue;
    }
    const [cx, cy] = [x + width / 2, y + height / 2];
    const rx = width / 2 - 0.08;
    const ry = height / 2 - 0.08;
    group.append(make("svg:rect", { class: "mine", x: cx - rx, y: cy - ry, width: 2 * rx, height: 2 * ry, rx: Math.min(rx, ry) * 0.75 }));
    group.append(make("svg:circle", { class: "fuse", cx, cy, r: Math.min(rx, ry) * 0.38 }));
  }
}

const GEMS = [
  ["circle", { r: 0.36 }],
  ["rect", { x: -0.32, y: -0.32, width: 0.64, height: 0.64, rx: 0.06 }],
  ["path", { d: "M0 -.4L.4 .32H-.4Z" }],
  ["path", { d: "M0 -.43L.38 0L0 .43L-.38 0Z" }],
  ["path", { d: "M-.2 -.37H.2L.4 0L.2 .37H-.2L-.4 0Z" }],
  ["path", { d: "M0 -.42L.12 -.13L.41 -.13L.18 .07L.26 .38L0 .2L-.26 .38L-.18 .07L-.41 -.13L-.12 -.13Z" }],
  ["path", { d: "M-.14 -.4H.14V-.14H.4V.14H.14V.4H-.14V.14H-.4V-.14H-.14Z" }],
];

function drawGem(group, tone, name) {
  const [tag, attributes] = GEMS[tone % GEMS.length];
  group.append(make(`svg:${tag}`, { class: "gem-body", ...attributes }), make("svg:text", { class: "name", x: 0, y: 0.04, "font-size": 0.3 }, name));
}

// The views, and the beginning

function show(view) {
  for (const section of document.querySelectorAll(".view")) section.hidden = section.id !== view;
  for (const tab of document.querySelectorAll("[data-view]")) {
    tab.setAttribute("aria-selected", String(tab.dataset.view === view));
    tab.tabIndex = tab.dataset.view === view ? 0 : -1;
  }
  if (view === "puzzles") puzzle.enter();
  if (view === "replay") replay.enter();
  if (view !== "replay") replay.halt();
}

// To another view, from which the browser's Back returns.
function go(view) {
  if ($(view).hidden) history.pushState({ view }, "");
  show(view);
}

function redraw() {
  translate();
  play.draw();
  replay.showPanel();
  if (replay.record) replay.show(replay.at);
  const variants = $("puzzle-variant");
  for (const option of variants.options) option.textContent = t(`puzzle.${option.value}`);
  puzzle.showPanel();
  if (replay.record) for (const option of $("replay-eyes").options) option.textContent = option.value === "*" ? t("replay.all") : teamName(option.value);
}

line.handlers = {
  welcome(message) {
    line.delay = 300;
    document.body.classList.remove("offline");
    warn(message.fault, 0);
    if (message.token !== location.hash.slice(1)) history.replaceState(history.state, "", `#${message.token}`);
    Object.assign(host, { isHost: message.is_host, engines: message.engines, variants: message.variants, tables: message.tables, positions: message.positions });
    for (const element of document.querySelectorAll("[data-host]")) element.hidden = !host.isHost;
    // What the server held for the last connection is gone with it: ask for it again.
    if (replay.record) replay.openLine(Number($("replay-game").value), replay.at);
    else replay.resume();
    if (puzzle.state) puzzle.resume();
    else if (!$("puzzles").hidden) puzzle.enter();
    if ($("belief").checked) line.say("belief", { on: true });
  },
  board(message) {
    boards[message.variant] ??= message;
  },
  game(message) {
    play.take(message);
    if (!$("replay").hidden) replay.enter();
  },
  gone() {
    warn(t("game.gone"), 0);
  },
  info: (message) => addLines($("info"), message.lines.map((text) => (message.seats ? `${message.seats} ${text}` : text))),
  belief: (message) => play.takeBelief(message),
  advice: (message) => play.takeAdvice(message),
  puzzle_info: (message) => addLines($("puzzle-info"), message.lines),
  notice(message) {
    warn(has(`notice.${message.code}`) ? t(`notice.${message.code}`) : message.text);
    if (message.code === "adviser-failed") {
      play.rested();
      $("belief").checked = false;
    }
  },
};

async function begin() {
  texts = await (await fetch("texts.json")).json();
  translate();
  play.begin();
  setup.begin();
  replay.begin();
  puzzle.begin();
  show(history.state?.view ?? "play");
  addEventListener("popstate", (event) => show(event.state?.view ?? "play"));
  // Another address was put in: an invitation, say.
  addEventListener("hashchange", () => location.reload());
  $("status").textContent = t("line.starting");
  const tabs = [...document.querySelectorAll("[data-view]")];
  for (const tab of tabs) tab.onclick = () => go(tab.dataset.view);
  document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const shown = tabs.filter((tab) => !tab.hidden);
    const place = shown.indexOf(document.activeElement);
    if (!step || place < 0) return;
    const next = shown[(place + step + shown.length) % shown.length];
    next.focus();
    go(next.dataset.view);
  });
  $("language").onclick = () => {
    language = language === "zh" ? "en" : "zh";
    keep("language", language);
    redraw();
  };
  $("names").onclick = () => {
    pieceNames = pieceNames === "names" ? "letters" : "names";
    keep("names", pieceNames);
    redraw();
  };
  $("banner").lastElementChild.onclick = () => warn("");
  document.addEventListener("pointerdown", (event) => {
    if (!$("marks").contains(event.target)) $("marks").hidden = true;
  });
  $("marks").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const entries = [...$("marks").children];
    if (step) entries.at((entries.indexOf(document.activeElement) + step) % entries.length).focus();
    else if (event.key === "Escape") {
      $("marks").hidden = true;
      $("play-board").focus();
    }
  });
  line.open();
}

begin();
