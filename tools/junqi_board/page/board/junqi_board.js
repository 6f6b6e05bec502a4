// The Junqi board: it shows a `Drawing`, and lets the last move happen.

import { low, make, narrow, reducedMotion } from "../shell/dom.js";
import { showRefusal } from "../shell/notices.js";
import { isChinese, t, wording } from "../texts.js";
import { seatText, whyNot, whyText, withFlag } from "../voice.js";
import { battleSign, gainOf, soundOf, underControls } from "./battle_sign.js";
import { boardOf, sceneOf, teamOf } from "./boards.js";
import { floorOf, namesOf } from "./floor.js";
import { between, curve, distance, layoutOf, lineThrough, nearest, plate, translate } from "./geometry.js";
import { BoardAnimation, capture, fall } from "./motion.js";
import { BoardPart } from "./part.js";
import { drawPiece } from "./pieces.js";
import { pointText } from "./point_text.js";
import { SvgBoard } from "./svg_board.js";

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

const STAGES = ["mine-turn", "over", "asks"];

/** Everything besides the value that the picture depends on. */
const screenOf = () =>
  ({ isNarrow: narrow.matches, isLow: low.matches, isChinese: isChinese(), wording: wording() });

export class JunqiBoard {
  /** The value on display, and its screen. @type {Drawing & { screen: ReturnType<typeof screenOf> }} */
  drawing = /** @type {any} */ ({ key: "", scene: sceneOf("", []), rings: [] });
  animation = new BoardAnimation();

  /**
   * @param {string} id
   * @param {Partial<BoardOptions> & Pick<BoardOptions, "onMove"> & {
   *   playSound?: ((sound: string) => void) | null, hasMap?: boolean,
   * }} options `playSound` is what moves are heard by; a board without it is silent, and says no words either
   */
  constructor(id, { playSound = null, hasMap = false, ...options }) {
    this.playSound = playSound;
    this.part = hasMap ? new BoardPart((side) => this.lookAt(side)) : null;
    this.svgBoard = new SvgBoard(id, {
      describe: (shape, place) => this.describe(shape, place),
      onRefuse: (shape, place, chosen) => this.refuse(shape, place, chosen),
      onSelect: () => this.drawMap(),
      ...options,
    });
  }

  get data() {
    return /** @type {BoardData} */ (boardOf(this.drawing.scene.variant));
  }

  get layout() {
    return layoutOf(this.data, this.drawing.bottom, this.drawing.screen);
  }

  get pov() {
    return { mine: this.drawing.mine, seats: this.data.seats, names: this.drawing.names };
  }

  /** The place of a point. @param {number} number */
  point(number) {
    const { x, y } = this.data.points[number];
    return this.layout.placeOf(x, y);
  }

  /**
   * Shows a value. The move that leads to it from the one before is shown as it happens: it goes along its way; then
   * the battle is shown, and what it removed fades. What was shown of the move before ends at once.
   * @param {Drawing} drawing
   */
  show(drawing) {
    const [shown, before] = [{ ...drawing, screen: screenOf() }, this.drawing];
    if (!boardOf(drawing.scene.variant) || JSON.stringify(shown) === JSON.stringify(before)) return;
    const { key, at, stage, result = "", scene, selected = null } = (this.drawing = shown);
    const last = scene.last && withFlag(scene.last, this.data);
    const isStep = before.key === key && before.at + 1 === at;
    const isSame = before.key === key && before.at === at && before.scene.last?.text === scene.last?.text;
    // The engine's lines and the sign of a battle would lie over each other.
    const hasLines = drawing.arrows.some(({ tag }) => tag);
    if (!last || !isSame || hasLines) this.animation.end();
    this.showFloor();
    this.showPart();
    for (const one of STAGES) this.svgBoard.svg.classList.toggle(one, one === stage);
    const [spots, choices] = [this.spots(), this.choices()];
    const shapes = this.shapes();
    const content = { shapes, choices, isLater: drawing.isPremove, selected, spots };
    const gone = this.svgBoard.update(content);
    // The pieces turn over in sequence.
    const hidden =
      stage === "over" && before.stage !== stage ? before.scene.pieces.filter((one) => one[3] === "?") : [];
    hidden.forEach(([, id], order) => this.svgBoard.element(String(id))?.style.setProperty("--order", String(order)));
    this.showWay(last);
    this.showSigns();
    this.drawMap();
    if (last && isStep) this.showStep(last, gone, result);
    else if (last && isBattle(last) && !hasLines && !this.animation.isBusy) this.showBattle(last);
  }

  /** Draws the floor, if it is another one. */
  showFloor() {
    const { svgBoard, data, layout } = this;
    const { scene: { variant }, bottom, screen } = this.drawing;
    const floor = JSON.stringify([variant, layout.turns, screen]);
    if (svgBoard.svg.dataset.floor === floor) return;
    svgBoard.svg.dataset.floor = floor;
    const view = /** @type {HTMLElement | null} */ (svgBoard.svg.closest(".view"));
    if (view) view.dataset.warm = teamOf(data, bottom);
    this.animation.end();
    svgBoard.clear();
    svgBoard.wide = layout.wide;
    const { left, right, top, bottom: low } = layout.frame;
    svgBoard.frame([left, top, right - left, low - top]);
    svgBoard.layers.floor.append(...floorOf(data, layout));
  }

  /** Whether only a part can be read: a board for four on a phone. */
  get isSmall() {
    const { isPlayed, screen } = this.drawing;
    return Boolean(this.part && isPlayed && this.data.seats.length > 2 && (screen.isNarrow || screen.isLow));
  }

  /** Shows the army that is set up, or the person's army with what is before it; elsewhere all of the board. */
  showPart() {
    const { part, isSmall, layout, svgBoard } = this;
    const { scene: { last }, mine, at, isLineup = false, rings, key } = this.drawing;
    if (!part) return;
    part.begin(key, rings.map(({ point }) => this.point(point)), layout.frame);
    if (last && mine.includes(last.seat)) part.follow(at);
    const { left, right, top, bottom: low } = layout.frame;
    const shown = isSmall ? part.rectangle(layout.frame, isLineup) : [left, top, right - left, low - top];
    if (shown.join() !== svgBoard.framed.join()) svgBoard.frame(/** @type {Rectangle} */ (shown));
    svgBoard.svg.dataset.part = isSmall ? (isLineup ? "lineup" : part.side || "whole") : "";
    svgBoard.svg.classList.toggle("in-part", isSmall && !isLineup && part.side !== "");
    part.show(isSmall && !isLineup);
    this.drawMap();
  }

  drawMap() {
    const { content: { shapes = null } = {}, layers } = this.svgBoard ?? {};
    if (!this.part || !shapes || !this.isSmall) return;
    const signs = [...layers.glow.children, ...layers.signs.children];
    this.part.draw(shapes, this.svgBoard.selectedChoices(), this.layout.frame, signs);
  }

  /** Shows a side of the board until the person has moved, or the whole board. @param {string} side */
  lookAt(side) {
    if (!this.part) return;
    this.part.choose(side, this.drawing.at);
    this.showPart();
    this.svgBoard.update({ ...this.svgBoard.content, shapes: this.shapes() });
  }

  /** The visible part of the board. */
  get visible() {
    const [left, top, width, height] = this.svgBoard.framed;
    return { left, top, right: left + width, bottom: top + height };
  }

  /** All points that the cursor of the keyboard visits; in a line-up those of its pieces. */
  spots() {
    const { scene, targets, isLineup } = this.drawing;
    const points = isLineup
      ? scene.pieces.map(([point]) => point).filter((point) => targets[point])
      : this.data.points.keys();
    return [...points].map((number) => ({ ...this.point(number), number }));
  }

  /** The number of the point that is nearest to a place. @param {Place} place */
  pointAt(place) {
    const points = [...this.data.points.keys()].map((number) => ({ ...this.point(number), number }));
    return nearest(points, place)?.number ?? 0;
  }

  /** The pieces as shapes. @returns {Shape[]} */
  shapes() {
    const { scene, marks } = this.drawing;
    // On a whole board that a phone shows, they would be too small to read.
    const guesses = this.isSmall && !this.part?.side ? null : this.drawing.guesses;
    const { wide } = this.layout;
    return scene.pieces.map(([point, id, seat, letter]) => {
      const isSheltered = this.data.points[point].kind === "campsite";
      const [proven, guess] = [scene.proven?.[point], letter === "?" ? guesses?.[point] : null];
      const extra = { mark: marks?.[id], proven, guess, isSheltered };
      return {
        id: String(id),
        ...this.point(point),
        point,
        seat,
        letter,
        proven,
        look: JSON.stringify([seat, letter, extra, wide, wording()]),
        class: `piece seat-${seat} ${letter === "?" ? "hidden" : ""}`,
        draw: (group) => drawPiece(group, seat, letter, extra, wide),
      };
    });
  }

  /** The places to which each piece may go, by its id; or those that can be chosen, by the key of the targets. */
  choices() {
    const { scene, targets, isLineup: isSwap } = this.drawing;
    const idAt = new Map(scene.pieces.map(([point, id]) => [String(point), String(id)]));
    /** @type {[string, Target[]][]} */
    const found = Object.entries(targets).map(([from, moves]) => [
      idAt.get(from) ?? from,
      Object.entries(moves).map(([to, move]) => ({ ...this.point(Number(to)), move, isSwap })),
    ]);
    return new Map(found);
  }

  /**
   * A point and the piece on it, in words.
   * @param {Shape | null} shape
   * @param {Place} place
   * @returns {string}
   */
  describe(shape, place) {
    const { content } = this.svgBoard;
    const [number, target] = [shape?.point ?? this.pointAt(place), this.svgBoard.choiceAt(place, 0.5)];
    return pointText({ shape, number, content, target, data: this.data, ...this.drawing });
  }

  /**
   * What was clicked cannot move, or cannot be reached: it shakes, and the rule is told.
   * @type {NonNullable<BoardOptions["onRefuse"]>}
   */
  refuse(clicked, place, chosen) {
    const shape = clicked ?? chosen;
    if (!shape) return;
    const { targets, isPremove, isLineup = false } = this.drawing;
    const isTurn = Object.keys(targets).length > 0 && !isPremove;
    this.svgBoard.shake(shape.id);
    const { kind } = this.data.points[this.pointAt(place)];
    const isOverHills = chosen !== null && this.hasHills(chosen, place);
    const text = () => whyNot({ chosen, clicked, kind, isTurn, isLineup, isOverHills, pov: this.pov });
    if (text()) showRefusal(text);
  }

  /** Whether the hills lie between two places, one row beside the other. @param {Place} from @param {Place} to */
  hasHills(from, to) {
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    return this.data.signs.some(
      ([x, y, kind]) => kind === "mountains" && distance(this.layout.placeOf(x, y), middle) < 0.5,
    );
  }

  /**
   * Lets a move happen.
   * @param {LastMove} last
   * @param {Map<string, SVGElement>} gone the pieces that it removed
   * @param {string} result
   */
  showStep(last, gone, result) {
    this.animation.show(this.svgBoard.layers.going, ...gone.values());
    const places = this.places(last.path);
    const [id, end] = [String(last.attacker?.piece ?? ""), places.at(-1)];
    const lost = gone.get(id);
    if (lost && end) lost.style.transform = translate(end);
    this.animation.travel(lost ?? this.svgBoard.element(id), places, () => this.arrive(last, gone, result));
  }

  /**
   * The last move has been made: its battle is shown and heard; what concerns the whole board is proclaimed.
   * @param {LastMove} last
   * @param {Map<string, SVGElement>} gone
   * @param {string} result of the game, in words, if the move has ended it
   */
  arrive(last, gone, result) {
    for (const [id, element] of gone) {
      if (last.defender?.letter === "l" && id === String(last.defender.piece))
        this.dropFlag(element, last.defender.seat);
      else capture(element, this.trayOf(captorOf(last, id)));
    }
    const sound = result ? "end" : soundOf(last, this.team);
    const { out, flags } = last;
    // The battles of the first view are small, and their sign stands where words would.
    if (!this.playSound) return this.showBattle(last);
    this.playSound(sound);
    if (isBattle(last)) this.showBattle(last);
    this.proclaim(result || (out ? seatText("event.out", out[0], this.pov) : flags.length ? t("announce.flag") : ""));
  }

  /** The Flag that was taken is turned over, and falls. @param {SVGElement} element @param {string} seat */
  dropFlag(element, seat) {
    element.replaceChildren();
    element.classList.remove("hidden");
    drawPiece(element, seat, "l", {}, this.layout.wide);
    fall(element);
  }

  /** Shows words on a band as wide as the board, for a moment. @param {string} text empty for none */
  proclaim(text) {
    if (!text || reducedMotion.matches) return;
    const { left, right, top, bottom } = (this.isSmall && this.part?.clear(this.visible)) || this.visible;
    const [x, y, width] = [(left + right) / 2, (top + bottom) / 2, right - left];
    const words = make("svg:text", { x, y, "font-size": 1 }, text);
    const event = make("svg:g", { class: "event" }, words);
    this.animation.show(this.svgBoard.layers.going, event);
    const size = Math.min(width / 12, (0.92 * width) / words.getComputedTextLength());
    words.setAttribute("font-size", size);
    event.prepend(make("svg:rect", { x: left, y: y - 1.1 * size, width, height: 2.2 * size }));
  }

  /** Shows the pieces of a battle until the next move. @param {LastMove} last */
  showBattle(last) {
    const gain = gainOf(last, this.team);
    const { wide } = this.layout;
    const clear = this.isSmall && this.part?.side ? this.part.clear(this.visible) : null;
    // On a small cross a caption would be too small to read.
    const hasCaption = clear || !narrow.matches || this.data.seats.length < 4;
    const [place, frames] = [this.point(last.to), clear ? [this.visible, clear] : [this.visible]];
    const taken = [...this.svgBoard.content.shapes, ...underControls(this.svgBoard.svg)];
    const about = { place, frames, taken, scale: narrow.matches && wide === 1 ? 1.25 : 1, wide };
    const sign = battleSign(last, gain, about, hasCaption ? whyText(last) : "");
    this.animation.show(this.svgBoard.layers.going, sign);
  }

  /** The places along a path of points; a curve between two of them has several. @param {number[]} path */
  places(path) {
    return path.flatMap((point, index) => {
      const next = path[index + 1];
      const isEdge = (/** @type {BoardData["rails"][0]} */ [one, other]) =>
        [one, other].includes(point) && [one, other].includes(next);
      const bend = this.data.rails.find(isEdge)?.[2];
      return bend ? curve(this.point(point), this.layout.placeOf(...bend), this.point(next)) : [this.point(point)];
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
    return plate(kind, this.point(number), width * this.layout.wide, height, rx);
  }

  /**
   * Where the pieces that a seat captured are listed, as a place of the board; null without a seat or its card.
   * @param {string | undefined} seat
   */
  trayOf(seat) {
    const { svg } = this.svgBoard;
    const box = svg.closest(".table")?.querySelector(`.seats [data-seat="${seat}"]`)?.getBoundingClientRect();
    const grid = svg.getScreenCTM()?.inverse();
    return box?.width && grid
      ? new DOMPoint(box.left + box.width / 2, box.top + box.height / 2).matrixTransform(grid)
      : null;
  }

  /** Shows frames around points, and arrows, the first one on top. */
  showSigns() {
    const { rings, arrows, hasNames } = this.drawing;
    const signs = [
      ...(hasNames ? namesOf(this.data, this.layout) : []),
      ...rings.map(({ kind, point }) => this.ring(point, kind)),
      ...arrows.map((one) => this.arrow(one)).reverse(),
    ];
    this.svgBoard.layers.signs.replaceChildren(...signs);
  }

  /** @param {Arrow} arrow */
  arrow({ kind, from, to, tag }) {
    const [a, b] = [this.point(from), this.point(to)];
    const at = { x: b.x, y: b.y + 0.42 };
    const head = `url(#${kind === "played" ? kind : "arrow"}-head)`;
    const line = make("svg:path", { class: "arrow-line", d: between(a, b, 0.3, 0.34), "marker-end": head });
    const text = make("svg:text", { class: "arrow-chance", x: at.x, y: at.y + 0.01 }, tag ?? "");
    return make(
      "svg:g",
      { class: `arrow ${kind}` },
      line,
      ...(tag ? [plate("arrow-tag", at, 0.8, 0.38, 0.14), text] : []),
    );
  }

  /** The person's team; empty for none. */
  get team() {
    return teamOf(this.data, this.drawing.mine[0]);
  }
}
