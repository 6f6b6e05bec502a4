// The shapes of the brain teasers: blocks, cars, tiles, gems, knights; and pictures of the rules.

import { make } from "../shell/dom.js";
import { plate } from "./geometry.js";
import { face, label as words } from "./pieces.js";

/**
 * @param {TeaserShape} shape
 * @param {Pick<Teaser, "variant" | "goal">} teaser
 * @param {string} [person] the one on the block
 * @returns {Shape}
 */
export function drawable(shape, { variant, goal }, person = "") {
  const { x, y, rects, tone, label: name, kind, id } = shape;
  const isTile = variant === "submarine";
  const draw = (/** @type {SVGElement} */ group) => {
    if (kind === "gem") drawGem(group, tone, name);
    else if (kind === "step") group.append(make("svg:text", { class: "step", x: 0, y: 0 }, name));
    else if (kind === "knight") drawKnight(group, name);
    else if (isTile) drawTile(group, rects, kind);
    else if (goal === "cars") drawCar(group, rects);
    else if (person) drawPerson(group, rects, person, name);
    else drawBlock(group, rects, name);
  };
  const shown = {
    id,
    x,
    y,
    label: name,
    look: `${kind} ${name} ${person} ${tone} ${rects.length}`,
    class: `${kind} ${person ? `person of-${rects.length}` : `tone-${tone % 12}`}`,
    draw,
  };
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
    const gap = (/** @type {number} */ dx, /** @type {number} */ dy) =>
      cells.has(`${x + dx},${y + dy}`) ? -0.005 : 0.06;
    return `M${x + gap(-1, 0)} ${y + gap(0, -1)}H${x + 1 - gap(1, 0)}V${y + 1 - gap(0, 1)}H${x + gap(-1, 0)}Z`;
  });
  for (const kind of ["edge", "cell"]) group.append(make("svg:path", { class: kind, d: paths.join("") }));
  group.append(make("svg:text", { class: "name", x: 0, y: 0.02, "font-size": 0.46 }, name));
}

/**
 * On a block of a person, by its width and height: the place and the size of the face, and those of the name.
 * @type {Record<string, number[]>}
 */
const PORTRAITS = {
  "1x1": [0, -0.1, 0.68, 0, 0.31, 0.5],
  "1x2": [0, -0.32, 1.05, 0, 0.56, 0.9],
  "2x1": [-0.46, -0.02, 0.88, 0.42, 0, 0.9],
  "2x2": [0, -0.17, 1.4, 0, 0.7, 0.95],
};

/** The width and height of the cells of a block around its centre. @param {Rectangle[]} rects */
export function sizeOf(rects) {
  const [left, top] = [Math.min(...rects.map(([x]) => x)), Math.min(...rects.map(([, y]) => y))];
  return `${-2 * left}x${-2 * top}`;
}

/** True if a person fits on a block, on one, two or four cells that are a rectangle. @param {Rectangle[]} rects */
export function hasPortrait(rects) {
  const size = sizeOf(rects);
  return size in PORTRAITS && rects.length === Number(size[0]) * Number(size[2]);
}

/**
 * A block with a face and a name, made like a piece of Junqi.
 * @param {SVGElement} group
 * @param {Rectangle[]} rects
 * @param {string} person
 * @param {string} name
 */
function drawPerson(group, rects, person, name) {
  const size = sizeOf(rects);
  const [wide, high] = size.split("x").map(Number);
  const [x, y, scale, nameX, nameY, nameScale] = PORTRAITS[size];
  group.append(
    plate("shade", { x: 0, y: 0.045 }, wide - 0.08, high - 0.08, 0.12),
    plate("cell", { x: 0, y: 0 }, wide - 0.08, high - 0.08, 0.12),
    plate("bevel", { x: 0, y: 0 }, wide - 0.16, high - 0.16, 0.1),
  );
  const lines = size === "2x2" ? [name] : name.split(" ");
  group.append(
    make("svg:g", { transform: `translate(${x - scale / 2} ${y - scale / 2}) scale(${scale / 40})` }, face(person)),
    make(
      "svg:g",
      { transform: `translate(${nameX} ${nameY}) scale(${nameScale})` },
      ...words(lines, "name", size === "2x2" ? 2 : 1),
    ),
  );
}

/**
 * A car from above, or a lorry if it is longer, which drives to the right or down.
 * @param {SVGElement} group
 * @param {Rectangle[]} rects
 */
function drawCar(group, rects) {
  const half = rects.length / 2;
  const body = make("svg:g", { transform: rects.length > 1 && rects[0][0] === rects[1][0] ? "rotate(90)" : "" });
  const part = (
    /** @type {string} */ kind,
    /** @type {number} */ x,
    /** @type {number} */ wide,
    /** @type {number} */ high,
    /** @type {number} */ rx,
    y = 0,
  ) => body.append(plate(kind, { x, y }, wide, high, rx));
  for (const x of [0.42 - half, half - 0.48]) for (const y of [-0.36, 0.36]) part("wheel", x, 0.34, 0.16, 0.05, y);
  for (const kind of ["edge", "cell"]) part(kind, 0, 2 * half - 0.14, 0.7, 0.22);
  part("glass", half - 0.56, 0.24, 0.56, 0.09);
  if (half > 1) {
    part("cargo", -0.4, 2 * half - 1.05, 0.74, 0.05);
    for (let x = 0.5 - half; x < half - 1.1; x += 0.3) part("rib", x, 0.03, 0.74, 0);
  } else {
    part("glass", 0.4 - half, 0.15, 0.5, 0.07);
    for (const y of [-0.27, 0.27]) part("glass", 0, 0.62, 0.08, 0.04, y);
    part("roof", -0.04, 0.74, 0.42, 0.12);
  }
  for (const y of [-0.24, 0.24]) body.append(make("svg:circle", { class: "light", cx: half - 0.14, cy: y, r: 0.06 }));
  group.append(body);
}

/**
 * The attachments of a tile, which is drawn beneath them.
 * @param {SVGElement} group
 * @param {Rectangle[]} rects
 * @param {string} kind
 */
function drawTile(group, rects, kind) {
  // Stalks from its middle show which parts are its own.
  const stalks = rects.slice(1).map(([x, y, width, height]) => `M0 0L${x + width / 2} ${y + height / 2}`);
  group.append(make("svg:path", { class: "stalk", d: stalks.join("") }));
  if (kind === "chosen") {
    group.append(make("svg:ellipse", { class: "hull", cx: 0, cy: 0.3, rx: 2.1, ry: 1.15 }));
    group.append(
      make("svg:path", { class: "hull", d: "M-.7 -.75V-1.6H.55V-.75Z" }),
      make("svg:path", { class: "scope", d: "M.2 -1.6V-2.15H.8" }),
    );
    for (const cx of [-1.1, 0, 1.1]) group.append(make("svg:circle", { class: "window", cx, cy: 0.3, r: 0.3 }));
  }
  for (const [x, y, width, height, part] of rects) {
    if (part !== "part") continue;
    if (kind === "chosen") {
      group.append(
        make("svg:rect", { class: "fin", x: x + 0.1, y: y + 0.1, width: width - 0.2, height: height - 0.2, rx: 0.35 }),
      );
      continue;
    }
    const middle = { x: x + width / 2, y: y + height / 2 };
    const [wide, high] = [width - 0.16, height - 0.16];
    const least = Math.min(wide, high) / 2;
    group.append(
      plate("mine", middle, wide, high, 0.75 * least),
      make("svg:circle", { class: "fuse", cx: middle.x, cy: middle.y, r: 0.38 * least }),
    );
  }
}

/**
 * @param {string} id
 * @param {number} x
 * @param {number} y
 * @param {Rectangle[]} rects
 * @param {string} kind
 * @returns {TeaserShape}
 */
const sample = (id, x, y, rects, kind) => ({
  id,
  x,
  y,
  rects,
  tone: Number(id) - 1,
  label: kind === "gem" ? id : "",
  kind,
});
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
  submarine: {
    frame: "-2.8 -2.8 15.6 5.6",
    shapes: [mined(0, 1.5), mined(10, -3.5)],
    way: "M3 2H5.6",
    marks: "M6.2 -1.2L8.4 1.2M8.4 -1.2L6.2 1.2",
  },
};

/** The variants whose rules need a picture. */
export const PICTURED = Object.keys(EXAMPLES);

/** The picture of the rules of a variant. @param {string} variant */
export function example(variant) {
  const { frame, shapes, way, marks } = EXAMPLES[variant];
  const svg = make("svg:svg", {
    class: "board example",
    viewBox: frame,
    "data-variant": variant,
    "aria-hidden": "true",
  });
  for (const one of shapes.map((shape) => drawable(shape, { variant, goal: variant }))) {
    const group = /** @type {SVGElement} */ (
      make("svg:g", { class: one.class, transform: `translate(${one.x} ${one.y})` })
    );
    if (one.under) group.append(one.under());
    one.draw(group);
    svg.append(group);
  }
  svg.append(
    make("svg:path", { class: "arrow-line", d: way, "marker-end": "url(#arrow-head)" }),
    make("svg:path", { class: "marks", d: marks }),
  );
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
  group.append(
    make(`svg:${tag}`, { class: "gem-body", ...attributes }),
    make("svg:text", { class: "name", x: 0, y: 0.04, "font-size": 0.3 }, name),
  );
}
