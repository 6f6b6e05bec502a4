// The boards as data, positions that are made on the page, and moves in text.

import { file } from "../shell/dom.js";
import { change, set, state } from "../state.js";

/** @param {BoardData} data */
export function learnBoard(data) {
  if (!state.boards[data.variant]) set({ boards: { ...state.boards, [data.variant]: data } });
}

/** The board of a variant, once the server has sent it. @param {string} variant @returns {BoardData | undefined} */
export const boardOf = (variant) => state.boards[variant];

/**
 * A position of which only the pieces are known.
 * @param {string} variant
 * @param {Piece[]} pieces
 * @param {Partial<Scene>} [more]
 * @returns {Scene}
 */
export const sceneOf = (variant, pieces, more) => {
  const unknown = { proven: {}, turn: "", alive: "", counts: {}, ply: 0, quiet: 0, last: null, removed: [] };
  return { ...unknown, variant, pieces, ...more };
};

/** The team of a seat; empty for no seat. @param {BoardData} data @param {string} seat */
export const teamOf = (data, seat) => data.teams.find((team) => seat && team.includes(seat)) ?? "";

/** The two points of a move in text. @param {string} move @param {BoardData} data */
export const pointsOf = (move, data) =>
  (move.match(/[a-q]\d+/g) ?? []).map((name) => data.points.findIndex((point) => point.name === name));

/**
 * The arrow of a move in text; none for an empty one.
 * @param {string} kind
 * @param {string} move
 * @param {BoardData | undefined} data
 * @returns {Arrow[]}
 */
export function arrowsOf(kind, move, data) {
  const [from, to] = data ? pointsOf(move, data) : [];
  return to === undefined ? [] : [{ kind, from, to }];
}

/** Whether an entry of the record is a move: `a6a10` is not `a6a1`. @param {string} entry @param {string} move */
export const isMove = (entry, move) => entry.startsWith(move) && !/^\d/.test(entry.slice(move.length));

/**
 * Frames around the points of the sentence under the pointer, which may be about another board.
 * @param {BoardData | undefined} data
 */
export const pointedRings = (data) =>
  state.pointed.filter((point) => data?.points[point]).map((point) => ({ kind: "pointed", point }));

const course = { lessons: /** @type {Promise<Lesson[]> | null} */ (null) };

/** The lessons, whose battles the first view shows; they are fetched once. */
export async function loadLessons() {
  course.lessons ??= file("/learn/lessons.json");
  const lessons = await course.lessons;
  if (!state.learn.lessons.length) change("learn", { lessons });
  return lessons;
}
