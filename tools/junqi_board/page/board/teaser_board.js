// The board of the brain teasers: floors, the shapes on them (blocks, tiles, gems, knights), and the way out.

import { make } from "../shell/dom.js";
import { vanish } from "./motion.js";
import { showRefusal } from "../shell/notices.js";
import { between, distance, plate } from "./geometry.js";
import { SvgBoard } from "./svg_board.js";
import { has, isChinese, t } from "../texts.js";

const TILE_UNIT = 3;
const TILE_CELLS = 5;
const LEAVE_AFTER_MS = 300;
/** The centres of neighbours are not so far apart, in cells. */
const NEXT = 1.1;
/** The room for the way out. */
const EXIT_CELLS = 0.7;
/** How far a solved piece goes, in cells of the board. */
const LEAVE_CELLS = 1.2;

export class TeaserBoard {
  /** What is drawn. @type {TeaserPosition | null} */
  position = null;
  language = "";

  /** @param {string} id @param {(move: string) => void} onMove */
  constructor(id, onMove) {
    /** @type {SvgBoard} */
    this.svgBoard = new SvgBoard(id, {
      onMove: ({ move }) => onMove(String(move)),
      describe: (shape, place) => this.describe(shape, place),
      onRefuse: (shape, place, chosen) => {
        const shaken = chosen ?? shape;
        if (shaken) this.svgBoard.shake(shaken.id);
        const why = this.whyNot(shape, place, chosen);
        showRefusal(() => t(`no.teaser.${why}`));
      },
      isTry: (held, shape) => this.position?.teaser.variant === "match3" && distance(held, shape) < NEXT,
    });
  }

  /** The shape at a place and the moves that lead there, in words. @param {Shape | null} shape @param {Place} place */
  describe(shape, place) {
    const moves = this.svgBoard.selectedChoices().filter((one) => distance(one, place) < 0.1).map((one) => one.move);
    return [shape?.label, ...moves].filter(Boolean).join(", ");
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
      const hole = floor.map(([x, y, width, height]) => ({ x: x + width / 2, y: y + height / 2 })).slice(2).find((cell) => !shapes.some((one) => distance(one, cell) < 1));
      const tile = chosen ?? shape;
      return hole && tile && distance(tile, hole) < NEXT * TILE_CELLS && (!chosen || distance(place, hole) < TILE_CELLS / 2) ? "meet" : "beside";
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
    if (isNew) this.drawFloor(position);
    else keepIds(position, board.content.shapes);
    board.layers.glow.replaceChildren();
    if (position.exit && variant !== "submarine") board.layers.glow.append(exitArrow(position.exit));
    if (position.line.length > 1) board.layers.glow.append(make("svg:polyline", { class: "tour", points: position.line.join(" ") }));
    /** @type {Map<string, Target[]>} */
    const choices = new Map();
    if (!isOver) for (const choice of position.choices) choices.set(choice.id, [...(choices.get(choice.id) ?? []), choice]);
    const names = generalsOf(position);
    const gone = board.update({
      shapes: position.shapes.map((shape) => drawable({ ...shape, label: names.get(shape.id) ?? shape.label }, position.teaser)),
      choices,
      spots: position.shapes.map(({ x, y }) => ({ x, y })),
      selected: position.taken,
    });
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
    board.zoom.frame([-pad, -pad, width + pad + right, height + pad + below]);
    board.layers.floor.replaceChildren(...floor.map(([x, y, width, height, kind]) => make("svg:rect", { class: kind, x, y, width, height })));
  }

  /** Marks a move. @param {string | undefined} move undefined for none */
  showHint(move) {
    const { unit, layers } = this.svgBoard;
    layers.signs.replaceChildren();
    const choice = this.position?.choices.find((one) => one.move === move);
    const shape = this.position?.shapes.find((one) => one.id === choice?.id);
    if (!choice || !shape) return;
    layers.signs.append(make("svg:path", { class: "arrow-line", d: between(shape, choice, 0.3 * unit, 0.3 * unit) }));
    layers.signs.append(make("svg:circle", { class: "arrow-line", cx: choice.x, cy: choice.y, r: 0.3 * unit }));
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
      board.element(piece.id)?.classList.add("departing");
      board.put(piece.id, { x: piece.x + dx * far, y: piece.y + dy * far });
    }, LEAVE_AFTER_MS);
  }
}

/** The way out, beside the board. @param {[number, number, number, number]} exit */
function exitArrow([x, y, dx, dy]) {
  const turn = dx > 0 ? 0 : dy > 0 ? 90 : dx < 0 ? 180 : 270;
  return make("svg:path", { class: "exit", d: "M.1 -.3L.5 0L.1 .3", transform: `translate(${x} ${y}) rotate(${turn})` });
}

/** How many shapes have come whose id another one had kept. */
let newcomers = 0;

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
  for (const { id } of shapes) if (!kept.has(id) && used.has(id)) kept.set(id, `${id}+${++newcomers}`);
  for (const one of [...shapes, ...choices]) one.id = kept.get(one.id) ?? one.id;
}

/** What a shape is; those of a kind are alike. @param {{ id: string }} shape */
const kindOf = ({ id }) => id.split("@")[0];
/** A piece falls within its column, so a step to the side counts more. @param {Place} one @param {Place} other */
const farness = (one, other) => 3 * Math.abs(one.x - other.x) + Math.abs(one.y - other.y);

/** Their names, which not every language has. */
const GENERALS = "teaser.generals";

/**
 * The names of the blocks of Huarongdao by id, where the language has them: Cao Cao, up to five generals, and soldiers.
 * @param {TeaserPosition} position
 */
export function generalsOf({ teaser, shapes }) {
  const generals = shapes.filter(({ rects }) => rects.length === 2).sort((a, b) => (a.id < b.id ? -1 : 1));
  const isOne = shapes.every(({ rects, kind }) => (kind === "chosen" ? rects.length === 4 : rects.length <= 2));
  if (teaser.goal !== "klotski" || !isOne || generals.length > 5 || !has(GENERALS)) return new Map();
  const [cao, soldier, ...names] = t(GENERALS).split(" ");
  // Guan Yu lies, as he does in most layouts.
  const lying = generals.find(({ rects: [[, y], [, below]] }) => y === below);
  const order = [...(lying ? [lying] : []), ...generals.filter((one) => one !== lying)];
  return new Map(shapes.map((shape) => [shape.id, shape.kind === "chosen" ? cao : (names[order.indexOf(shape)] ?? soldier)]));
}

/** @param {TeaserShape} shape @param {Pick<Teaser, "variant" | "goal">} teaser @returns {Shape} */
function drawable(shape, { variant, goal }) {
  const { x, y, rects, tone, label: name, kind, id } = shape;
  const isTile = variant === "submarine";
  const draw = (/** @type {SVGElement} */ group) => {
    if (kind === "gem") drawGem(group, tone, name);
    else if (kind === "step") group.append(make("svg:text", { class: "step", x: 0, y: 0 }, name));
    else if (kind === "knight") drawKnight(group, name);
    else if (isTile) drawTile(group, rects, kind);
    else if (goal === "cars") drawCar(group, rects);
    else drawBlock(group, rects, name);
  };
  const shown = { id, x, y, label: name, look: `${kind} ${name} ${tone} ${rects.length}`, class: `${kind} tone-${tone % 12}`, draw };
  if (!isTile) return { ...shown, hits: rects.length ? rects : undefined };
  // A tile lies beneath all others, its attachments above them.
  const under = () => plate("tile", { x: 0, y: 0 }, 4.76, 4.76, 0.5);
  return { ...shown, under, hits: rects.slice(0, 1), tops: rects.slice(1) };
}

/** @param {SVGElement} group @param {string} count of its moves */
function drawKnight(group, count) {
  group.append(
    make("svg:circle", { class: "knight", r: 0.36 }),
    make("svg:text", { class: "knight", x: 0, y: 0.02 }, "♞"),
    make("svg:text", { class: "count", x: 0.36, y: -0.36 }, count),
  );
}

/**
 * One outline around all cells of a block: their edges, over which they lie.
 * @param {SVGElement} group
 * @param {Rectangle[]} rects
 * @param {string} name
 */
function drawBlock(group, rects, name) {
  const cells = new Set(rects.map(([x, y]) => `${x},${y}`));
  const paths = rects.map(([x, y]) => {
    const gap = (/** @type {number} */ dx, /** @type {number} */ dy) => (cells.has(`${x + dx},${y + dy}`) ? -0.005 : 0.06);
    return `M${x + gap(-1, 0)} ${y + gap(0, -1)}H${x + 1 - gap(1, 0)}V${y + 1 - gap(0, 1)}H${x + gap(-1, 0)}Z`;
  });
  for (const kind of ["edge", "cell"]) group.append(make("svg:path", { class: kind, d: paths.join("") }));
  // A name of two characters stands in a block that stands.
  const isUpright = name.length === 2 && cells.size === 2 && rects[0][0] === rects[1][0];
  const lines = isUpright ? [...name] : [name];
  const size = cells.size > 2 && name.length === 2 ? 0.7 : 0.46;
  lines.forEach((text, at) => group.append(make("svg:text", { class: "name", x: 0, y: 0.02 + 0.56 * (at - (lines.length - 1) / 2), "font-size": size }, text)));
}

/** A car from above, which drives to the right or down. @param {SVGElement} group @param {Rectangle[]} rects */
function drawCar(group, rects) {
  const half = rects.length / 2;
  const body = make("svg:g", { transform: rects.length > 1 && rects[0][0] === rects[1][0] ? "rotate(90)" : "" });
  const part = (/** @type {string} */ kind, /** @type {number} */ x, /** @type {number} */ wide, /** @type {number} */ high, /** @type {number} */ rx) => plate(kind, { x, y: 0 }, wide, high, rx);
  body.append(part("edge", 0, 2 * half - 0.14, 0.78, 0.22), part("cell", 0, 2 * half - 0.14, 0.78, 0.22));
  body.append(part("glass", half - 0.56, 0.22, 0.6, 0.08), part("glass", 0.34 - half, 0.14, 0.56, 0.07));
  for (const y of [-0.24, 0.24]) body.append(make("svg:circle", { class: "light", cx: half - 0.15, cy: y, r: 0.06 }));
  group.append(body);
}

/**
 * The attachments of a tile, which is drawn beneath them.
 * @param {SVGElement} group
 * @param {Rectangle[]} rects
 * @param {string} kind
 */
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
    const middle = { x: x + width / 2, y: y + height / 2 };
    const [wide, high] = [width - 0.16, height - 0.16];
    const least = Math.min(wide, high) / 2;
    group.append(plate("mine", middle, wide, high, 0.75 * least), make("svg:circle", { class: "fuse", cx: middle.x, cy: middle.y, r: 0.38 * least }));
  }
}

/**
 * @typedef {{ frame: string, shapes: TeaserShape[], way: string, marks: string }} Example what moves along a way, and what is marked then
 */

/**
 * @param {string} id
 * @param {number} x
 * @param {number} y
 * @param {Rectangle[]} rects
 * @param {string} kind
 * @returns {TeaserShape}
 */
const sample = (id, x, y, rects, kind) => ({ id, x, y, rects, tone: Number(id) - 1, label: kind === "gem" ? id : "", kind });
/** A tile with a mine. @param {number} x @param {number} mine where the mine begins */
const mined = (x, mine) => sample("2", x, 0, [[-2.5, -2.5, 5, 5, "tile"], [mine, -1.5, 2, 3, "part"]], "block");

/**
 * Pictures of the rules, by variant: a swap that makes a row of three, and two mines that would meet.
 * @type {Record<string, Example>}
 */
const EXAMPLES = {
  match3: {
    frame: "-.1 -.1 3.2 2.2",
    shapes: [..."121312"].map((kind, at) => sample(kind, (at % 3) + 0.5, Math.floor(at / 3) + 0.5, [], "gem")),
    way: "M1.5 .8V1.2",
    marks: "M.04 .04H2.96V.96H.04Z",
  },
  submarine: { frame: "-2.8 -2.8 15.6 5.6", shapes: [mined(0, 1.5), mined(10, -3.5)], way: "M3 2H5.6", marks: "M6.2 -1.2L8.4 1.2M8.4 -1.2L6.2 1.2" },
};

/** The variants whose rules need a picture. */
export const PICTURED = Object.keys(EXAMPLES);

/** The picture of the rules of a variant. @param {string} variant */
export function example(variant) {
  const { frame, shapes, way, marks } = EXAMPLES[variant];
  const svg = make("svg:svg", { class: "board example", viewBox: frame, "data-variant": variant, "aria-hidden": "true" });
  for (const one of shapes.map((shape) => drawable(shape, { variant, goal: variant }))) {
    const group = /** @type {SVGElement} */ (make("svg:g", { class: one.class, transform: `translate(${one.x} ${one.y})` }));
    if (one.under) group.append(one.under());
    one.draw(group);
    svg.append(group);
  }
  svg.append(make("svg:path", { class: "arrow-line", d: way, "marker-end": "url(#arrow-head)" }), make("svg:path", { class: "marks", d: marks }));
  return svg;
}

/** @type {[tag: string, attributes: Record<string, any>][]} */
const GEMS = [
  ["circle", { r: 0.36 }],
  ["rect", { x: -0.32, y: -0.32, width: 0.64, height: 0.64, rx: 0.06 }],
  ["path", { d: "M0 -.4L.4 .32H-.4Z" }],
  ["path", { d: "M0 -.43L.38 0L0 .43L-.38 0Z" }],
  ["path", { d: "M-.2 -.37H.2L.4 0L.2 .37H-.2L-.4 0Z" }],
  ["path", { d: "M0 -.42L.12 -.13L.41 -.13L.18 .07L.26 .38L0 .2L-.26 .38L-.18 .07L-.41 -.13L-.12 -.13Z" }],
  ["path", { d: "M-.14 -.4H.14V-.14H.4V.14H.14V.4H-.14V.14H-.4V-.14H-.14Z" }],
];

/** @param {SVGElement} group @param {number} tone @param {string} name */
function drawGem(group, tone, name) {
  const [tag, attributes] = GEMS[tone % GEMS.length];
  group.append(make(`svg:${tag}`, { class: "gem-body", ...attributes }), make("svg:text", { class: "name", x: 0, y: 0.04, "font-size": 0.3 }, name));
}
