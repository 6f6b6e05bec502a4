// The board of the brain teasers: floors, the shapes on them (blocks, tiles, gems, knights), and the way out.

import { make } from "../shell/dom.js";
import { announce, showRefusal } from "../shell/notices.js";
import { clauses, isChinese, t } from "../texts.js";
import { between, distance, least, translate } from "./geometry.js";
import { vanish } from "./motion.js";
import { SvgBoard } from "./svg_board.js";
import { drawable, hasPortrait, sizeOf } from "./teaser_shapes.js";

const TILE_UNIT = 3;
const TILE_CELLS = 5;
const LEAVE_AFTER_MS = 300;
/** The centres of neighbours are not so far apart, in cells. */
const NEXT = 1.1;
/** The room for the way out. */
const EXIT_CELLS = 0.7;
/** Distance that a solved piece travels, in cells of the board. */
const LEAVE_CELLS = 1.2;
/** Distances from the exit, in cells: of a drop on its arrow, and of the centre of a block that stands before it. */
const [AT_EXIT, BESIDE_EXIT] = [1, 1.6];

export class TeaserBoard {
  /** The position on display. @type {TeaserPosition | null} */
  position = null;
  language = "";
  /** Where a move of the person leads that is not drawn yet. @type {Place | null} */
  moved = null;
  /** The move of the last hint. @type {string | undefined} */
  hinted = undefined;

  /** @param {string} id @param {(move: string) => void} onMove */
  constructor(id, onMove) {
    /** @type {SvgBoard} */
    this.svgBoard = new SvgBoard(id, {
      onMove: ({ move, x, y }) => {
        this.moved = { x, y };
        onMove(String(move));
      },
      describe: (shape, place) => this.describe(shape, place),
      onRefuse: (shape, place, chosen) => {
        const shaken = chosen ?? shape;
        if (shaken) this.svgBoard.shake(shaken.id);
        const why = this.whyNot(shape, place, chosen);
        showRefusal(() => t(`no.teaser.${why}`));
      },
      isTry: (held, shape) => this.position?.teaser.variant === "match3" && distance(held, shape) < NEXT,
      stopOf: (targets, shape, to) => this.stopOf(targets, shape, to),
    });
  }

  /** @param {Target[]} targets @param {Place} shape @param {Place} to */
  stopOf(targets, shape, to) {
    const { teaser, exit } = this.position ?? {};
    const slides = ["klotski", "submarine"].includes(teaser?.variant ?? "");
    return slides ? stopOf(targets, shape, to, exit && { x: exit[0], y: exit[1] }) : null;
  }

  /**
   * A square in words: where it is, its shape, and whether the chosen one can go there.
   * @param {Shape | null} shape
   * @param {Place} place
   */
  describe(shape, place) {
    const isTarget = this.svgBoard.selectedChoices().some((one) => distance(one, place) < 0.1);
    return clauses(this.squareText(shape, place), ...(isTarget ? [t("point.goal")] : []));
  }

  /** @param {Shape | null} shape @param {Place} place */
  squareText(shape, place) {
    const what = shape ? shape.label || tileText(kindOf(shape)) : t("teaser.draw.empty");
    return t("teaser.draw.square", { ...this.squareOf(place), what });
  }

  /** @param {Place} place */
  squareOf(place) {
    const { teaser, floor } = /** @type {TeaserPosition} */ (this.position);
    const [left, top, size] = floor[teaser.variant === "submarine" ? 2 : 0];
    const [row, column] = [place.y - top, place.x - left].map((far) => Math.floor(far / size) + 1);
    return { row, column };
  }

  /**
   * The end of the key of the text that says why a move is refused.
   * @param {Shape | null} shape
   * @param {Place} place
   * @param {Shape | null} chosen
   */
  whyNot(shape, place, chosen) {
    const { teaser, floor, shapes } = /** @type {TeaserPosition} */ (this.position);
    if (teaser.variant === "submarine") {
      const hole = floor
        .map(centreOf)
        .slice(2)
        .find((cell) => !shapes.some((one) => distance(one, cell) < 1));
      const tile = chosen ?? shape;
      return hole &&
        tile &&
        distance(tile, hole) < NEXT * TILE_CELLS &&
        (!chosen || distance(place, hole) < TILE_CELLS / 2)
        ? "meet"
        : "beside";
    }
    if (teaser.variant !== "match3") return teaser.goal.split("-")[0];
    if (!chosen) return "none";
    if (distance(chosen, place) > NEXT) return "neighbour";
    return shape?.label === chosen.label ? "alike" : "row";
  }

  /**
   * Draws a teaser. The shapes of the one that is drawn move from where they are; the piece that solves it leaves.
   * @param {{ position: TeaserPosition | null, isOver: boolean, hint?: string }} value without a position the board is
   *   empty; a move is marked as a hint
   */
  show({ position, isOver, hint }) {
    if (position !== this.position || this.language !== String(isChinese())) this.draw(position, isOver);
    this.language = String(isChinese());
    this.showHint(hint);
  }

  /** @param {TeaserPosition | null} position @param {boolean} isOver */
  draw(position, isOver) {
    const { svgBoard: board, position: before } = this;
    this.position = position;
    if (!position) return board.clear();
    const { variant } = position.teaser;
    const isNew = variant !== before?.teaser.variant || position.teaser.position !== before.teaser.position;
    if (isNew) {
      board.at = null;
      this.drawFloor(position);
    } else keepIds(position, board.content.shapes);
    board.layers.glow.replaceChildren();
    if (position.exit && variant !== "submarine") board.layers.glow.append(exitArrow(position.exit));
    if (position.line.length > 1)
      board.layers.glow.append(make("svg:polyline", { class: "tour", points: position.line.join(" ") }));
    /** @type {Map<string, Target[]>} */
    const choices = new Map();
    if (!isOver)
      for (const choice of position.choices) choices.set(choice.id, [...(choices.get(choice.id) ?? []), choice]);
    const people = peopleOn(position);
    const gone = board.update({
      shapes: position.shapes.map((shape) => {
        const person = people.get(shape.id);
        return drawable({ ...shape, label: person ? t(`person.${person}`) : shape.label }, position.teaser, person);
      }),
      choices,
      spots: position.shapes.map(({ x, y }) => ({ x, y })),
      points: variant === "knights-tour" ? position.floor.map(centreOf) : undefined,
      selected: position.taken,
    });
    const shape = this.moved && board.shapeAt(this.moved);
    if (this.moved && shape) announce(t("teaser.moved", { what: this.squareText(shape, this.moved) }));
    this.moved = null;
    board.layers.going.append(...gone.values());
    gone.forEach(vanish);
    if (isOver && !isNew && position.moves.join() !== before.moves.join()) this.leave(position);
  }

  /** @param {TeaserPosition} position */
  drawFloor({ teaser: { variant }, width, height, floor, exit }) {
    const { svgBoard: board } = this;
    const isSubmarine = variant === "submarine";
    board.clear();
    board.svg.dataset.variant = variant;
    board.unit = isSubmarine ? TILE_UNIT : 1;
    const pad = isSubmarine ? 0.3 : 0.12;
    const [, , exitX, exitY] = exit ?? [0, 0, 0, 0];
    const below = isSubmarine ? 1.5 : exitY > 0 ? EXIT_CELLS : pad;
    const right = exitX > 0 ? EXIT_CELLS : pad;
    board.frame([-pad, -pad, width + pad + right, height + pad + below]);
    board.layers.floor.replaceChildren(
      ...floor.map(([x, y, width, height, kind]) => make("svg:rect", { class: kind, x, y, width, height })),
    );
  }

  /** Shows a move by the shadow of its shape, where it goes. @param {string | undefined} move undefined for none */
  showHint(move) {
    const { unit, layers } = this.svgBoard;
    const isNew = move !== this.hinted;
    this.hinted = move;
    layers.signs.replaceChildren();
    for (const shadow of layers.glow.querySelectorAll(".shadow")) shadow.remove();
    const choice = this.position?.choices.find((one) => one.move === move);
    const shape = this.position?.shapes.find((one) => one.id === choice?.id);
    if (!this.position || !choice || !shape) return;
    const { width, height } = this.position;
    const d = between(shape, choice, 0.2 * unit, 0.1 * unit);
    const named = this.svgBoard.content.shapes.find(({ id }) => id === shape.id) ?? null;
    const from = this.squareText(named, shape);
    if (isNew) announce(t("teaser.hint.said", { from, ...this.squareOf(choice) }));
    layers.signs.append(make("svg:path", { class: "arrow-line", d, "marker-end": "url(#arrow-head)" }));
    for (const part of this.svgBoard.drawn.get(shape.id) ?? []) {
      const shadow = /** @type {SVGElement} */ (part.cloneNode(true));
      shadow.setAttribute("class", `${part.getAttribute("class")} shadow`);
      shadow.style.transform = translate(choice);
      // A knight carries the number of its square; a closed tour ends on the first.
      const count = shadow.querySelector(".count");
      if (count) count.textContent = String((Number(count.textContent) % (width * height)) + 1);
      // It lies beneath its shape; where a swap puts a gem, there is another one.
      if (shape.kind === "gem") layers.signs.prepend(shadow);
      else layers.glow.prepend(shadow);
    }
  }

  /** The outlined piece leaves through the exit. @param {TeaserPosition} position */
  leave({ shapes, exit }) {
    const { svgBoard: board, position } = this;
    const piece = shapes.find(({ kind }) => kind === "chosen");
    if (!piece || !exit) return;
    const [, , dx, dy] = exit;
    const far = LEAVE_CELLS * board.unit + 1;
    setTimeout(() => {
      if (this.position !== position) return;
      for (const part of board.drawn.get(piece.id) ?? []) part.classList.add("departing");
      board.put(piece.id, { x: piece.x + dx * far, y: piece.y + dy * far });
    }, LEAVE_AFTER_MS);
  }
}

/** @param {Rectangle} rectangle @returns {Place} */
const centreOf = ([x, y, width, height]) => ({ x: x + width / 2, y: y + height / 2 });

/**
 * Where a block stops that is dragged past an obstacle or out through the exit: the farthest target along the drag, at
 * most as far; on the arrow of the exit the target beside it.
 * @template {Place} T
 * @param {T[]} targets
 * @param {Place} shape
 * @param {Place} to
 * @param {Place | null} [exit]
 */
export function stopOf(targets, shape, to, exit) {
  if (exit && distance(to, exit) < AT_EXIT) {
    const nearest = least(targets, (one) => distance(one, exit));
    return nearest && distance(nearest, exit) < BESIDE_EXIT ? nearest : null;
  }
  const [dx, dy] = [to.x - shape.x, to.y - shape.y];
  const isAcross = Math.abs(dx) > Math.abs(dy);
  const along = (/** @type {Place} */ { x, y }) =>
    isAcross ? (x - shape.x) * Math.sign(dx) : (y - shape.y) * Math.sign(dy);
  const aside = (/** @type {Place} */ { x, y }) => Math.abs(isAcross ? y - shape.y : x - shape.x);
  const ahead = targets.filter((one) => aside(one) < 0.1 && along(one) > 0 && along(one) <= along(to));
  return least(ahead, (one) => -along(one));
}

/** The way out, beside the board. @param {[number, number, number, number]} exit */
function exitArrow([x, y, dx, dy]) {
  const turn = dx > 0 ? 0 : dy > 0 ? 90 : dx < 0 ? 180 : 270;
  return make("svg:path", {
    class: "exit",
    d: "M.1 -.3L.5 0L.1 .3",
    transform: `translate(${x} ${y}) rotate(${turn})`,
  });
}

/**
 * Gives each shape of a teaser the id of the nearest one like it that was shown before, so that it moves from there.
 * @param {TeaserPosition} state
 * @param {(Place & { id: string })[]} before
 */
export function keepIds({ shapes, choices }, before) {
  const alike = (/** @type {{ id: string }} */ shape) => before.filter((old) => kindOf(old) === kindOf(shape));
  const pairs = shapes.flatMap((shape) => alike(shape).map((old) => ({ shape, old, far: farness(shape, old) })));
  const used = new Set(before.map(({ id }) => id));
  /** @type {Map<string, string>} */
  const kept = new Map();
  const taken = new Set();
  for (const { shape, old } of pairs.sort((one, other) => one.far - other.far)) {
    if (kept.has(shape.id) || taken.has(old.id)) continue;
    kept.set(shape.id, old.id);
    taken.add(old.id);
  }
  // One that comes while another has its id gets a new one.
  for (const { id } of shapes) {
    const free = [id, ...shapes.map((_, number) => `${id}+${number}`)].find((one) => !used.has(one)) ?? id;
    if (!kept.has(id)) kept.set(id, free);
    used.add(free);
  }
  for (const one of [...shapes, ...choices]) one.id = kept.get(one.id) ?? one.id;
}

/** The kind of a shape; shapes of a kind look the same. @param {{ id: string }} shape */
const kindOf = ({ id }) => id.split("@")[0];

/** A tile of Submarine Adventure in words: what lies on it, and at which sides or corners. @param {string} name */
function tileText(name) {
  const [letter, sides = ""] = name.split(":");
  return clauses(t(`tile.${letter}`), ...(sides.match(/[ns][we]|[nesw]/g) ?? []).map((side) => t(`tile.at.${side}`)));
}
/** A piece falls within its column, so a step to the side counts more. @param {Place} one @param {Place} other */
const farness = (one, other) => 3 * Math.abs(one.x - other.x) + Math.abs(one.y - other.y);

/** Cao Cao, a soldier, and the generals in the order in which they get their blocks. */
const PEOPLE = ["caocao", "soldier", "guanyu", "zhangfei", "zhaoyun", "machao", "huangzhong", "zhoucang", "liaohua"];

/**
 * The people on the blocks of Huarongdao, by id: Cao Cao, up to seven generals, and soldiers; nobody on other blocks.
 * @param {Pick<TeaserPosition, "teaser" | "shapes">} position
 * @returns {Map<string, string>}
 */
export function peopleOn({ teaser, shapes }) {
  const generals = shapes.filter(({ rects }) => rects.length === 2).sort((a, b) => (a.id < b.id ? -1 : 1));
  const isOne = shapes.every(({ rects, kind }) => hasPortrait(rects) && (kind === "chosen") === (rects.length === 4));
  const [cao, soldier, ...names] = PEOPLE;
  if (teaser.goal !== "klotski" || !isOne || generals.length > names.length) return new Map();
  // Guan Yu lies, as he does in most layouts.
  const lying = generals.find(({ rects }) => sizeOf(rects) === "2x1");
  const order = [...(lying ? [lying] : []), ...generals.filter((one) => one !== lying)];
  return new Map(shapes.map((one) => [one.id, one.kind === "chosen" ? cao : (names[order.indexOf(one)] ?? soldier)]));
}
