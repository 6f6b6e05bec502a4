// The shapes of puzzles: blocks, tiles, gems, knights.

import { make } from "./dom.js";

/**
 * Gives each shape of a puzzle the id of the nearest one like it that was shown before, so that it moves from there.
 * @param {PuzzleState} state
 * @param {PuzzleShape[]} before
 */
export function keptIds({ shapes, choices }, before) {
  const pairs = shapes.flatMap((shape) => before.filter((old) => kindOf(old) === kindOf(shape)).map((old) => ({ shape, old, far: farness(shape, old) })));
  const used = new Set(before.map(({ id }) => id));
  /** @type {Map<string, string>} */
  const kept = new Map();
  const taken = new Set();
  for (const { shape, old } of pairs.sort((one, other) => one.far - other.far)) {
    if (kept.has(shape.id) || taken.has(old.id)) continue;
    kept.set(shape.id, old.id);
    taken.add(old.id);
  }
  shapes.forEach(({ id }, number) => kept.has(id) || kept.set(id, used.has(id) ? `${id}+${number}` : id));
  for (const one of [...shapes, ...choices]) one.id = kept.get(one.id) ?? one.id;
}

/** What a shape is; those of a kind are alike. @param {PuzzleShape} shape */
const kindOf = ({ id }) => id.split("@")[0];
/** A piece falls within its column, so a step to the side counts more. @param {Place} one @param {Place} other */
const farness = (one, other) => 3 * Math.abs(one.x - other.x) + Math.abs(one.y - other.y);

/** @param {PuzzleShape} shape @param {string} variant @returns {Shape} */
export function puzzleShape(shape, variant) {
  const { x, y, rects, tone, label: name, kind, id } = shape;
  const draw = (/** @type {SVGElement} */ group) => {
    if (kind === "gem") drawGem(group, tone, name);
    else if (kind === "step") group.append(make("svg:text", { class: "step", x: 0, y: 0 }, name));
    else if (kind === "knight") group.append(make("svg:circle", { class: "knight", r: 0.36 }), make("svg:text", { class: "knight", x: 0, y: 0.02 }, "♞"), make("svg:text", { class: "count", x: 0.36, y: -0.36 }, name));
    else if (variant === "submarine") drawTile(group, rects, kind);
    else drawBlock(group, rects, name);
  };
  // A tile lies beneath all others, its attachments above them.
  const hits = variant === "submarine" ? rects.slice(0, 1) : rects.length ? rects : undefined;
  const under = variant === "submarine" ? (/** @type {SVGElement} */ group) => group.append(make("svg:rect", { class: "tile", x: -2.38, y: -2.38, width: 4.76, height: 4.76, rx: 0.5 })) : null;
  const tops = variant === "submarine" ? rects.slice(1) : undefined;
  return { id, x, y, label: name, hits, tops, under, look: `${kind} ${name} ${tone} ${rects.length}`, class: `${kind} tone-${tone % 12}`, draw };
}

/** One outline around all cells of a block. @param {SVGElement} group @param {Rectangle[]} rects @param {string} name */
function drawBlock(group, rects, name) {
  const cells = new Set(rects.map(([x, y]) => `${x},${y}`));
  for (const [x, y, width, height] of rects) {
    const right = cells.has(`${x + 1},${y}`) ? 0 : 0.05;
    const left = cells.has(`${x - 1},${y}`) ? 0 : 0.05;
    const top = cells.has(`${x},${y - 1}`) ? 0 : 0.05;
    const bottom = cells.has(`${x},${y + 1}`) ? 0 : 0.05;
    group.append(make("svg:rect", { class: "cell", x: x + left, y: y + top, width: width - left - right + 0.005, height: height - top - bottom + 0.005 }));
    /** @type {[size: number, path: string][]} */
    const edges = [[left, `M${x + 0.05} ${y + top}V${y + 1 - bottom}`], [right, `M${x + 0.95} ${y + top}V${y + 1 - bottom}`], [top, `M${x + left} ${y + 0.05}H${x + 1 - right}`], [bottom, `M${x + left} ${y + 0.95}H${x + 1 - right}`]];
    for (const [isEdge, d] of edges) if (isEdge) group.append(make("svg:path", { class: "edge", d }));
  }
  group.append(make("svg:text", { class: "name", x: 0, y: 0.02, "font-size": 0.42 }, name));
}

/** The attachments of a tile, which is drawn beneath them. @param {SVGElement} group @param {Rectangle[]} rects @param {string} kind */
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
