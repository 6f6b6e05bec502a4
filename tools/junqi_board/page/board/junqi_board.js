// The Junqi board: its points and lines, its pieces, and signs for moves, battles and advice.

import { battleSign, gainOf } from "./battle_sign.js";
import { make, reducedMotion } from "../shell/dom.js";
import { wording } from "../shell/appearance.js";
import { capture, fall, BoardAnimation } from "./motion.js";
import { showRefusal } from "../shell/notices.js";
import { drawPiece, emsWide } from "./pieces.js";
import { between, curve, distance, lineThrough, nearest, plate, translate } from "./geometry.js";
import { playSound } from "./sounds.js";
import { set, state } from "../state.js";
import { low, narrow, SvgBoard } from "./svg_board.js";
import { capital, percent, t } from "../texts.js";
import { pieceOf, seatText, textOf, whyNot, whyText, withFlag } from "../voice.js";

/** @param {BoardData} data */
export function learnBoard(data) {
  if (!state.boards[data.variant]) set({ boards: { ...state.boards, [data.variant]: data } });
}

/** The board of a variant, once the server has sent it. @param {string} variant @returns {BoardData | undefined} */
export const boardOf = (variant) => state.boards[variant];

/** The team of a seat; empty for no seat. @param {BoardData} data @param {string} seat */
export const teamOf = (data, seat) => data.teams.find((team) => seat && team.includes(seat)) ?? "";

/** The two points of a move in text. @param {string} move @param {BoardData} data */
export const pointsOf = (move, data) => (move.match(/[a-q]\d+/g) ?? []).map((name) => data.points.findIndex((point) => point.name === name));

/** Whether an entry of the record is a move: `a6a10` is not `a6a1`. @param {string} entry @param {string} move */
export const isMove = (entry, move) => entry.startsWith(move) && !/^\d/.test(entry.slice(move.length));

/**
 * The seat that captured a piece in a battle; none for a piece that fell with its seat.
 * @param {LastMove} last
 * @param {string} piece
 */
function captorOf({ attacker, defender }, piece) {
  if (piece === String(attacker?.piece)) return defender?.seat;
  return piece === String(defender?.piece) ? attacker?.seat : undefined;
}

/** @param {LastMove} last */
const isBattle = ({ outcome, to }) => outcome !== "no-battle" && to >= 0;

/** What a move sounds like. @param {LastMove} last @param {string} team */
function soundOf(last, team) {
  if (last.to < 0) return "other";
  if (last.outcome === "no-battle") return "move";
  return last.flags.length || last.out ? "flag" : gainOf(last, team);
}

/** The middle column of a cross, and half the width of its arms. */
const [CENTRE, ARM] = [8, 2.6];

/**
 * By how many quarter turns a board is turned to the right, with a seat at the bottom.
 * @param {BoardData} data
 * @param {string} seat
 */
function turnsOf(data, seat) {
  // On a low screen the board lies on its side.
  const lies = low.matches && data.seats.length === 2 ? 1 : 0;
  return ((data.turns[seat] ?? 0) + lies) % 4;
}

/**
 * On which side a seat is drawn, in quarter turns from that at the bottom.
 * @param {BoardData} data
 * @param {string} bottom
 * @param {string} seat
 */
export const sideOf = (data, bottom, seat) => (data.turns[seat] - turnsOf(data, bottom) + 4) % 4;

export class JunqiBoard {
  /** What `set` was given. @type {BoardData} */
  board = /** @type {any} */ (null);
  /** The seats of the person whom it is shown to. */
  mine = "";
  /** Quarter turns to the right. */
  turns = 0;
  /** What the drawn floor depends on. */
  drawnAs = "";
  animation = new BoardAnimation();
  /** The position that is shown: of which game or task, and after how many moves. */
  shown = { of: "", at: 0 };
  /** The points that are marked. @type {number[]} */
  marked = [];

  /**
   * @param {string} id
   * @param {Partial<BoardOptions> & Pick<BoardOptions, "onMove"> & { isSilent?: boolean }} options
   */
  constructor(id, { isSilent = false, ...options }) {
    this.isSilent = isSilent;
    this.svgBoard = new SvgBoard(id, {
      describe: (shape, place) => this.describe(shape, place),
      onRefuse: (shape, place, chosen) => this.refuse(shape, place, chosen),
      ...options,
    });
  }

  /** A place of the board's data as it is drawn. @param {number} x @param {number} y @returns {Place} */
  turned(x, y) {
    let [width, height] = [this.board.width, this.board.height];
    for (let turn = 0; turn < this.turns; turn++) {
      [x, y] = [height - 1 - y, x];
      [width, height] = [height, width];
    }
    const [wide, high] = this.pitch;
    return { x: wide * x, y: high * y };
  }

  // How far apart the columns and the rows of the screen are: a board for two seats has wide cells, on its side high ones.
  get pitch() {
    if (this.board.seats.length > 2) return [1, 1];
    return this.turns % 2 ? [1, 1.25] : [narrow.matches ? 1.75 : 1.98, 1];
  }

  // The width of a piece, in units of a narrow one.
  get wide() {
    return this.pitch[0] > 1 ? this.pitch[0] - 0.1 : 1;
  }

  /** The place of a point. @param {number} number */
  point(number) {
    const { x, y } = this.board.points[number];
    return this.turned(x, y);
  }

  /**
   * Draws the board with a seat at the bottom.
   * @param {BoardData} data
   * @param {string} seat
   * @param {string} [mine] the seats of the person
   */
  set(data, seat, mine = seat) {
    this.mine = mine;
    const turns = turnsOf(data, seat);
    const drawnAs = [data.variant, turns, narrow.matches, document.documentElement.lang, wording()].join();
    if (this.drawnAs === drawnAs) return;
    Object.assign(this, { board: data, turns, drawnAs });
    const view = /** @type {HTMLElement | null} */ (this.svgBoard.svg.closest(".view"));
    if (view) view.dataset.warm = teamOf(data, seat);
    this.draw();
  }

  draw() {
    const { board: data, svgBoard, wide } = this;
    const { left, right, top, bottom } = this.frame();
    const [width, height] = [right - left, bottom - top];
    const isCross = data.seats.length > 2;
    this.animation.end();
    svgBoard.clear();
    svgBoard.wide = wide;
    svgBoard.zoom.frame([left, top, width, height]);
    svgBoard.layers.floor.append(
      make("svg:rect", { class: isCross ? "ground corners" : "ground", x: left, y: top, width, height, rx: 0.3 }),
      ...(isCross ? ["", ...data.seats].map((seat) => this.arm(seat)) : []),
      ...data.roads.map((road) => this.edge("road", ...road)),
      ...["rail", "sleepers"].flatMap((kind) => data.rails.map((rail) => this.edge(kind, ...rail))),
      ...data.points.flatMap(({ kind, x, y }) => floorOf(kind, this.turned(x, y), wide)),
      ...data.signs.flatMap(([x, y, kind]) => landmark(this.turned(x, y), kind)),
    );
  }

  /** The ground of a seat's army; for no seat that in the middle. @param {string} seat */
  arm(seat) {
    const places = this.board.points.filter((point) => (point.seat ?? "") === seat).map(({ x, y }) => this.turned(x, y));
    const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
    const [left, top] = [Math.min(...xs) - 0.52, Math.min(...ys) - 0.52];
    const [right, bottom] = [Math.max(...xs) + 0.52, Math.max(...ys) + 0.52];
    return make("svg:rect", { class: seat ? `arm seat-${seat}` : "cross", x: left, y: top, width: right - left, height: bottom - top, rx: 0.15 });
  }

  // The visible part of the board.
  frame() {
    const isSideways = this.turns % 2 === 1;
    const [width, height] = isSideways ? [this.board.height, this.board.width] : [this.board.width, this.board.height];
    const [wide, high] = this.pitch;
    const side = this.wide / 2 + (wide === 1 ? 0 : narrow.matches ? 0.06 : 0.56);
    const end = high > 1 ? 0.6 : 0.5;
    return { left: -side, right: wide * (width - 1) + side, top: -end, bottom: high * (height - 1) + end };
  }

  /**
   * @param {string} kind
   * @param {number} one
   * @param {number} other
   * @param {[number, number]} [bend] the control point of a curve
   */
  edge(kind, one, other, bend) {
    const a = this.point(one);
    const b = this.point(other);
    const c = bend ? this.turned(...bend) : null;
    const d = c ? `M${a.x} ${a.y}Q${c.x} ${c.y} ${b.x} ${b.y}` : `M${a.x} ${a.y}L${b.x} ${b.y}`;
    return make("svg:path", { class: kind, d });
  }

  // All points, for the cursor of the keyboard.
  spots() {
    return this.board.points.map((_, number) => ({ ...this.point(number), number }));
  }

  /** The number of the point that is nearest to a place. @param {Place} place */
  pointAt(place) {
    return nearest(this.spots(), place)?.number ?? 0;
  }

  /** A piece as a shape. @param {Piece} piece @param {PieceExtra} extra @returns {Shape} */
  shape([point, piece, seat, letter], extra = {}) {
    const { mark, proven, guess } = extra;
    const isSheltered = this.board.points[point].kind === "campsite";
    const { wide } = this;
    const look = [seat, letter, mark, proven, guess && JSON.stringify(guess), isSheltered, wide, wording()].join();
    return {
      id: String(piece),
      ...this.point(point),
      point,
      seat,
      letter,
      proven,
      look,
      class: `piece seat-${seat} ${letter === "?" ? "hidden" : ""}`,
      draw: (group) => drawPiece(group, seat, letter, { ...extra, isSheltered }, wide),
    };
  }

  /**
   * The places to which each piece may go, by its id.
   * @param {Piece[]} pieces
   * @param {GameState["targets"]} [targets]
   */
  choices(pieces, targets = {}) {
    /** @type {Map<string, Target[]>} */
    const choices = new Map();
    for (const [point, piece] of pieces) {
      const moves = targets[point];
      if (moves) choices.set(String(piece), Object.entries(moves).map(([to, move]) => ({ ...this.point(Number(to)), move })));
    }
    return choices;
  }

  /**
   * A point and the piece on it, in words, and what the piece may take.
   * @param {Shape | null} shape
   * @param {Place} place
   */
  describe(shape, place) {
    const number = shape?.point ?? this.pointAt(place);
    const { name, kind } = this.board.points[number];
    const marked = this.marked.includes(number) ? [t("point.marked")] : [];
    const takes = shape ? this.takenBy(shape) : [];
    const may = takes.length ? [t("point.takes", { points: takes.join(" ") })] : [];
    return [name, shape ? this.named(shape) : t("point.empty"), t(`point.${kind}`), ...marked, ...may].join(", ");
  }

  /** The names of the points on which a piece may take another. @param {Shape} shape @returns {string[]} */
  takenBy({ id }) {
    const { shapes, choices } = this.svgBoard.content;
    const targets = (choices.get(id) ?? []).filter(({ isSwap }) => !isSwap);
    const taken = shapes.filter((one) => targets.some((target) => distance(one, target) < 0.3));
    return taken.map(({ point }) => this.board.points[Number(point)].name);
  }

  get pov() {
    return { mine: this.mine, seats: this.board.seats };
  }

  /** A piece in words. @param {Shape} shape */
  named({ seat, letter, proven }) {
    return capital(textOf({ parts: pieceOf({ seat: String(seat), letter: String(letter), may: proven }, this.pov), points: [] }));
  }

  /**
   * What was clicked cannot move, or cannot be reached: it shakes, and the rule is told.
   * @type {NonNullable<BoardOptions["onRefuse"]>}
   */
  refuse(clicked, place, chosen) {
    const shape = clicked ?? chosen;
    if (!shape) return;
    const { isLater, choices } = this.svgBoard.content;
    const isTurn = choices.size > 0 && !isLater;
    this.svgBoard.shake(shape.id);
    const { kind } = this.board.points[this.pointAt(place)];
    const isLineup = [...choices.values()].some(([choice]) => choice?.isSwap);
    const isOverHills = chosen !== null && this.hasHills(chosen, place);
    const text = () => whyNot({ chosen, clicked, kind, isTurn, isLineup, isOverHills, pov: this.pov });
    if (text()) showRefusal(text);
  }

  /** Whether the hills lie between two places, one row beside the other. @param {Place} from @param {Place} to */
  hasHills(from, to) {
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    return this.board.signs.some(([x, y, kind]) => kind === "mountains" && distance(this.turned(x, y), middle) < 0.5);
  }

  /**
   * Shows a position. The move that leads to it from the one before is shown as it happens: it goes along its way; then the
   * battle is shown, and who was removed fades. What was shown of the move before ends at once.
   * @param {JunqiContent} content
   */
  show({ shapes, choices = new Map(), isLater, selected, of, at, last: entry = null, team = "", result = "" }) {
    const last = entry && withFlag(entry, this.board);
    const isStep = this.shown.of === of && this.shown.at + 1 === at;
    if (!last || this.shown.of !== of || this.shown.at !== at) this.animation.end();
    this.shown = { of, at };
    const gone = this.svgBoard.update({ shapes, choices, isLater, selected, spots: this.spots() });
    this.showWay(last);
    if (last && isStep) this.showStep(last, team, gone, result);
    else if (last && isBattle(last) && !this.animation.isBusy) this.showBattle(last, team);
  }

  /**
   * Lets a move happen.
   * @param {LastMove} last
   * @param {string} team
   * @param {Map<string, SVGElement>} gone the pieces that it removed
   * @param {string} result
   */
  showStep(last, team, gone, result) {
    this.animation.show(this.svgBoard.layers.going, ...gone.values());
    const places = this.places(last.path);
    const [id, end] = [String(last.attacker?.piece ?? ""), places.at(-1)];
    const lost = gone.get(id);
    if (lost && end) lost.style.transform = translate(end);
    this.animation.travel(lost ?? this.svgBoard.element(id), places, () => this.arrive(last, team, gone, result));
  }

  /**
   * The last move has been made: its battle is shown and heard; what concerns the whole board is proclaimed.
   * @param {LastMove} last
   * @param {string} team
   * @param {Map<string, SVGElement>} gone
   * @param {string} result of the game, in words, if the move has ended it
   */
  arrive(last, team, gone, result) {
    for (const [id, element] of gone) {
      if (last.defender?.letter === "l" && id === String(last.defender.piece)) this.dropFlag(element, last.defender.seat);
      else capture(element, this.trayOf(captorOf(last, id)));
    }
    if (!this.isSilent) playSound(result ? "end" : soundOf(last, team));
    const { out, flags } = last;
    this.proclaim(result || (out ? seatText("event.out", out[0], this.pov) : flags.length ? t("announce.flag") : ""));
    if (isBattle(last)) this.showBattle(last, team);
  }

  /** The Flag that was taken is turned over, and falls. @param {SVGElement} element @param {string} seat */
  dropFlag(element, seat) {
    element.replaceChildren();
    element.classList.remove("hidden");
    drawPiece(element, seat, "l", {}, this.wide);
    fall(element);
  }

  /** Shows words on a band as wide as the board, for a moment. @param {string} text empty for none */
  proclaim(text) {
    if (!text || reducedMotion.matches) return;
    const { left, right, top, bottom } = this.frame();
    const [x, y, width] = [(left + right) / 2, (top + bottom) / 2, right - left];
    const size = Math.min(width / 12, (0.92 * width) / emsWide(text));
    const band = make("svg:rect", { x: left, y: y - 1.1 * size, width, height: 2.2 * size });
    const event = make("svg:g", { class: "event" }, band, make("svg:text", { x, y, "font-size": size }, text));
    this.animation.show(this.svgBoard.layers.going, event);
  }

  /** Shows the pieces of a battle until the next move. @param {LastMove} last @param {string} team */
  showBattle(last, team) {
    const gain = gainOf(last, team);
    // On a small cross a caption would be too small to read.
    const hasCaption = !narrow.matches || this.board.seats.length < 4;
    const place = this.point(last.to);
    // In an upper or lower arm it stays there: the plates lie over the corners.
    const isInArm = this.board.seats.length > 2 && Math.abs(place.x - CENTRE) < ARM;
    const frame = { ...this.frame(), ...(isInArm ? { left: CENTRE - ARM, right: CENTRE + ARM } : {}) };
    const size = { scale: narrow.matches && this.wide === 1 ? 1.25 : 1, wide: this.wide };
    const sign = battleSign(last, gain, place, frame, this.svgBoard.content.shapes, size, hasCaption ? whyText(last) : "");
    this.animation.show(this.svgBoard.layers.going, sign);
  }

  /** The places along a path of points; a curve between two of them has several. @param {number[]} path */
  places(path) {
    return path.flatMap((point, index) => {
      const next = path[index + 1];
      const bend = this.board.rails.find(([one, other, bend]) => bend && [one, other].includes(point) && [one, other].includes(next))?.[2];
      return bend ? curve(this.point(point), this.turned(...bend), this.point(next)) : [this.point(point)];
    });
  }

  /** Marks the way of the last move. @param {LastMove | null} last */
  showWay(last) {
    const { glow } = this.svgBoard.layers;
    glow.replaceChildren();
    if (!last || last.from < 0) return;
    glow.append(make("svg:path", { class: "way", d: lineThrough(this.places(last.path)) }));
    glow.append(this.ring(last.from, "came", [0.94, 0.76, 0.1]), this.ring(last.to, "went", [1.02, 0.78, 0.12]));
  }

  /**
   * A frame around a point.
   * @param {number} number
   * @param {string} kind
   * @param {number[]} size its width, height and roundness
   */
  ring(number, kind, [width, height, rx] = [1.04, 0.88, 0.16]) {
    return plate(kind, this.point(number), width * this.wide, height, rx);
  }

  /**
   * Where the pieces that a seat captured are listed, as a place of the board; null without a seat or its card.
   * @param {string | undefined} seat
   */
  trayOf(seat) {
    const { svg } = this.svgBoard;
    const box = svg.closest(".table")?.querySelector(`.seats [data-seat="${seat}"]`)?.getBoundingClientRect();
    const grid = svg.getScreenCTM()?.inverse();
    return box?.width && grid ? new DOMPoint(box.left + box.width / 2, box.top + box.height / 2).matrixTransform(grid) : null;
  }

  /** Shows a move that is premove, but not played. @param {{ from: Place, to: Place } | null} move */
  showPlanned(move) {
    this.svgBoard.layers.plan.replaceChildren(...(move ? [way("premove", move.from, move.to)] : []));
  }

  /** @param {number[]} points */
  showPointed(points) {
    this.svgBoard.layers.rings.replaceChildren(...points.map((number) => this.ring(number, "pointed")));
  }

  /** Shows on the board the points of the sentence that is pointed at or has the focus. @param {HTMLElement} panel */
  follow(panel) {
    for (const type of ["pointerover", "focusin"])
      panel.addEventListener(type, ({ target }) => {
        const item = /** @type {Element} */ (target).closest("button, p, [data-points]");
        const said = /** @type {HTMLElement | null | undefined} */ (item?.matches("[data-points]") ? item : item?.querySelector("[data-points]"));
        this.showPointed(said?.dataset.points?.split(" ").map(Number) ?? []);
      });
    for (const type of ["pointerleave", "focusout"]) panel.addEventListener(type, () => this.showPointed([]));
  }

  /** Marks the points that a task means, and those to be attacked. @param {number[]} points @param {number[]} aims */
  showMarked(points, aims = []) {
    this.advise([...points.map((number) => this.ring(number, "marked")), ...aims.map((number) => this.ring(number, "marked aim"))]);
    this.marked = [...points, ...aims];
  }

  /**
   * Shows moves that are advised, the best one boldest; the chances of those that are as good are said once.
   * @param {Advice | null} advice
   */
  showAdvice(advice) {
    const moves = advice ? [advice, ...advice.others] : [];
    const said = moves.map(({ win }) => (win === null ? "" : percent(win)));
    const arrows = moves.map(({ from, to }, rank) => this.arrow(`rank-${rank}`, from, to, said.indexOf(said[rank]) === rank ? said[rank] : ""));
    this.advise(arrows.reverse());
  }

  /**
   * Shows a better move, and the one that was played as a dashed arrow; none for an empty text.
   * @param {string} better
   * @param {string} [played]
   */
  showBetter(better, played = "") {
    const arrows = [["played", played], ["rank-0", better]].flatMap(([kind, text]) => {
      const [from, to] = pointsOf(text, this.board);
      return to === undefined ? [] : [this.arrow(kind, from, to)];
    });
    this.advise(arrows);
  }

  /** @param {Element[]} shown the last one on top */
  advise(shown) {
    this.marked = [];
    this.svgBoard.layers.advice.replaceChildren(...shown);
  }

  /**
   * An arrow from point to point.
   * @param {string} kind
   * @param {number} from
   * @param {number} to
   * @param {string} [tag] what is said at its head
   */
  arrow(kind, from, to, tag = "") {
    const [a, b] = [this.point(from), this.point(to)];
    const at = { x: b.x, y: b.y + 0.42 };
    const words = tag ? [plate("arrow-tag", at, 0.8, 0.38, 0.14), make("svg:text", { class: "arrow-chance", x: at.x, y: at.y + 0.01 }, tag)] : [];
    return make("svg:g", { class: `arrow ${kind}` }, way("arrow-line", a, b, kind === "played" ? "played" : "arrow"), ...words);
  }
}

/**
 * A line with a head.
 * @param {string} kind
 * @param {Place} a
 * @param {Place} b
 * @param {string} head as a marker of index.html names it
 */
const way = (kind, a, b, head = "arrow") => make("svg:path", { class: kind, d: between(a, b, 0.3, 0.34), "marker-end": `url(#${head}-head)` });

/**
 * A point of the board.
 * @param {BoardPoint["kind"]} kind
 * @param {Place} place
 * @param {number} wide the width of a piece
 * @returns {Element[]}
 */
function floorOf(kind, place, wide) {
  if (kind === "station") return [plate(kind, place, 0.74 * wide, 0.46, 0.08)];
  if (kind === "headquarters") return [plate(kind, place, 0.98 * wide, 0.88, 0.34)];
  const ellipse = (/** @type {string} */ part, /** @type {number} */ r) =>
    make("svg:ellipse", { class: part, cx: place.x, cy: place.y, rx: r * Math.min(wide, 1.5), ry: r });
  return [ellipse("campsite", 0.43), ellipse("campsite inner", 0.33)];
}

/**
 * What lies between the halves of a board: mountains, or the front line.
 * @param {Place} place
 * @param {string} kind
 * @returns {Element[]}
 */
function landmark(place, kind) {
  const { x, y } = place;
  const isFront = kind === "front";
  const mountains = make("svg:path", { class: "mountains", d: "M-.46 .3L-.2 -.22L-.04 .06L.14 -.3L.46 .3Z", transform: `translate(${x} ${y})` });
  const name = make("svg:text", { class: "landmark", x, y: y + (isFront ? 0.01 : 0.14) }, t(`board.${kind}`));
  return [isFront ? plate("front", place, 0.88, 0.38, 0.1) : mountains, name];
}
