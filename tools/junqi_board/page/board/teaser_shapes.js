// The shapes of the brain teasers: blocks, cars, tiles, gems, knights; and pictures of the rules.

import { make } from "../shell/dom.js";
import { plate } from "./geometry.js";

/** @param {TeaserShape} shape @param {Pick<Teaser, "variant" | "goal">} teaser @returns {Shape} */
export function drawable(shape, { variant, goal }) {
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
  const shown = {
    id,
    x,
    y,
    label: name,
    look: `${kind} ${name} ${tone} ${rects.length}`,
    class: `${kind} tone-${tone % 12}`,
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
  // A name of two characters stands in a block that stands.
  const isUpright = name.length === 2 && cells.size === 2 && rects[0][0] === rects[1][0];
  const lines = isUpright ? [...name] : [name];
  const size = cells.size > 2 && name.length === 2 ? 0.7 : 0.46;
  lines.forEach((text, at) =>
    group.append(
      make(
        "svg:text",
        { class: "name", x: 0, y: 0.02 + 0.56 * (at - (lines.length - 1) / 2), "font-size": size },
        text,
      ),
    ),
  );
}

/** A car from above, which drives to the right or down. @param {SVGElement} group @param {Rectangle[]} rects */
function drawCar(group, rects) {
  const half = rects.length / 2;
  const body = make("svg:g", { transform: rects.length > 1 && rects[0][0] === rects[1][0] ? "rotate(90)" : "" });
  const part = (
    /** @type {string} */ kind,
    /** @type {number} */ x,
    /** @type {number} */ wide,
    /** @type {number} */ high,
    /** @type {number} */ rx,
  ) => plate(kind, { x, y: 0 }, wide, high, rx);
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
