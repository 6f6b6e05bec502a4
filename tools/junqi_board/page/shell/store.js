// What is kept from one visit to the next: by this browser, and for the host by the server too, which all its browsers
// share.

import { socket } from "../socket.js";
import { set, state } from "../state.js";
import { saveSetting, setting, valueOf } from "./storage.js";

/**
 * The messages about what changed before there was a connection, or while there was none.
 * @type {[type: string, fields: Record<string, any>][]}
 */
let unsent = [];

/** A value that was kept. @param {string} name @param {any} fallback */
export const kept = (name, fallback) => state.kept[name] ?? setting(name, fallback);

/** Keeps a value from one visit to the next. @param {string} name @param {any} value */
export const keep = (name, value) => storeValue(name, value, "keep", { name, value: JSON.stringify(value) });

/**
 * The facts of a kind by name, such as the lessons that were done; older boards kept lists of them.
 * @param {string} kind
 * @returns {Record<string, any>}
 */
export function facts(kind) {
  const found = kept(kind, {});
  return Array.isArray(found) ? Object.fromEntries(found.map((one) => [one.letters ?? one, true])) : found;
}

/**
 * Keeps a fact beside those of its kind; null removes it.
 * @param {string} kind
 * @param {string} name
 * @param {boolean | number | null} value
 */
export function addFact(kind, name, value = true) {
  const { [name]: _, ...others } = facts(kind);
  storeValue(kind, value === null ? others : { ...others, [name]: value }, "fact", { of: kind, name, value });
}

/**
 * @param {string} name
 * @param {any} value
 * @param {string} type
 * @param {Record<string, any>} fields of the message to the server
 */
function storeValue(name, value, type, fields) {
  saveSetting(name, value);
  set({ kept: { ...state.kept, [name]: value } });
  if (!(state.catalogue.isHost && socket.isOpen && socket.send(type, fields))) unsent.push([type, fields]);
}

/**
 * Takes what the server has kept, and gives it what it does not know yet.
 * @param {Record<string, string>} values as JSON
 */
export function takeKept(values) {
  const known = Object.entries(values).filter(
    ([name]) => !unsent.some(([type, fields]) => type === "keep" && fields.name === name),
  );
  set({ kept: { ...state.kept, ...Object.fromEntries(known.map(([name, value]) => [name, valueOf(() => value)])) } });
  if (state.catalogue.isHost) for (const [type, fields] of unsent) socket.send(type, fields);
  unsent = [];
}

/** A name that belongs to one game. @param {string} name @param {string} game its id */
export const ofGame = (name, game) => `${name}.${game}`;
