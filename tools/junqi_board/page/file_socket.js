// In the file of a review this module takes the place of `socket.js`: what a server would answer is in the file.

import { warn } from "./dom.js";

/** A recorded game in the file: what `replay_open` answers, and its scenes. @typedef {{ record: GameRecord, scenes: Scene[] }} FiledGame */

/** @type {{ texts: Record<string, Record<string, string>>, boards: BoardData[], lines: string[], games: string[] }} */
export const filed = JSON.parse(document.getElementById("data")?.textContent ?? "null");

/** The game that is open. @type {FiledGame | null} */
let game = null;

/** A game, which is compressed. @param {string} packed in base64 @returns {Promise<FiledGame>} */
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

/** @type {Record<string, (fields: any) => Promise<any>>} */
const ANSWERS = {
  async replay_open({ line }) {
    game = await unpack(filed.games[filed.lines.indexOf(line)]);
    return game.record;
  },
  replay_show: async ({ ply, eyes }) => ({ ...game?.scenes[ply], eyes }),
  replay_story: async () => ({ entries: game?.scenes.slice(1).map(({ last }) => last) }),
};

export const socket = {
  isOpen: false,
  send: () => false,
  /** @param {string} type @param {any} fields */
  request: (type, fields) => ANSWERS[type](fields),
  /** @param {string} type @param {any} fields */
  ask: (type, fields) => ANSWERS[type](fields),
};

/** @param {any} error */
export const errorText = (error) => String(error.message);
/** @param {any} error */
export const showError = (error) => warn(() => errorText(error));
