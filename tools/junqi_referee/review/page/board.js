// The board of a report: its points and lines, the pieces after some steps, and arrows.

const BOARD_NS = "http://www.w3.org/2000/svg";

/**
 * @param {string} name
 * @param {Record<string, any>} attributes
 * @param {(Node | string)[]} children
 */
function svg(name, attributes, ...children) {
  const element = document.createElementNS(BOARD_NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * The pieces before a step, by point.
 * @param {Record<string, string>[]} frames
 * @param {number} step
 */
function piecesBefore(frames, step) {
  const pieces = {};
  for (const frame of frames.slice(0, step + 1)) Object.assign(pieces, frame);
  return pieces;
}

/**
 * Draws the board. `arrows` have a class and two points.
 * @param {SVGElement} target
 * @param {any} board
 * @param {Record<string, string>} pieces
 * @param {{ kind: string, from: string, to: string }[]} arrows
 */
function drawBoard(target, board, pieces, arrows) {
  target.setAttribute("viewBox", `-0.7 -0.7 ${board.width + 0.4} ${board.height + 0.4}`);
  const line = (kind) => ([a, b]) => {
    const [[x1, y1], [x2, y2]] = [board.points[a], board.points[b]];
    return svg("line", { class: kind, x1, y1, x2, y2 });
  };
  const parts = [...board.roads.map(line("road")), ...board.rails.map(line("rail"))];
  for (const [x, y, kind] of Object.values(board.points)) {
    if (kind === "campsite") parts.push(svg("circle", { class: "station", cx: x, cy: y, r: 0.34 }));
    else parts.push(svg("rect", { class: kind, x: x - 0.36, y: y - 0.24, width: 0.72, height: 0.48, rx: 0.06 }));
  }
  for (const [point, piece] of Object.entries(pieces)) if (piece) parts.push(drawPiece(board.points[point], piece));
  for (const { kind, from, to } of arrows) parts.push(...drawArrow(kind, board.points[from], board.points[to]));
  target.replaceChildren(...parts);
}

/** A piece has its name in Chinese, or in letters. */
function drawPiece([x, y], piece) {
  const [seat, letter] = piece;
  const name = isChinese() ? t(`piece.${letter}`) : letter.toUpperCase();
  const body = svg("rect", { x: x - 0.42, y: y - 0.3, width: 0.84, height: 0.6, rx: 0.1 });
  body.style.fill = `var(--seat-${seat})`;
  const label = svg("text", { x, y: y + 0.14, "font-size": isChinese() ? 0.38 : 0.46 }, name);
  return svg("g", { class: "piece" }, svg("title", {}, `${t(`seat.${seat}`)} ${t(`piece.${letter}`)}`), body, label);
}

function drawArrow(kind, [x1, y1], [x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [tipX, tipY] = [x2 - 0.15 * dx, y2 - 0.15 * dy];
  const [baseX, baseY] = [tipX - 0.4 * dx, tipY - 0.4 * dy];
  const head = `M${tipX} ${tipY}L${baseX - 0.22 * dy} ${baseY + 0.22 * dx}L${baseX + 0.22 * dy} ${baseY - 0.22 * dx}Z`;
  return [
    svg("line", { class: `arrow ${kind}`, x1: x1 + 0.2 * dx, y1: y1 + 0.2 * dy, x2: baseX, y2: baseY }),
    svg("path", { class: `head ${kind}`, d: head }),
  ];
}
