// What is kept from one visit to the next: by this browser, and for the host by the server too, which all its browsers share.

import { socket } from "./socket.js";
import { set, state } from "./state.js";
import { saveSetting, setting, valueOf } from "./storage.js";

/** The names of what changed before there was a connection, or while there was none. @type {Set<string>} */
const unsent = new Set();

/** A value that was kept. @param {string} name @param {any} fallback */
export const kept = (name, fallback) => state.kept[name] ?? setting(name, fallback);

/** Keeps a value from one visit to the next. @param {string} name @param {any} value */
export function keep(name, value) {
  saveSetting(name, value);
  set({ kept: { ...state.kept, [name]: value } });
  const isSent = state.catalogue.isHost && socket.isOpen && socket.send("keep", { name, value: JSON.stringify(value) });
  if (!isSent) unsent.add(name);
}

/** Takes what the server has kept, and gives it what it does not know yet. @param {Record<string, string>} values as JSON */
export function takeKept(values) {
  const known = Object.entries(values).filter(([name]) => !unsent.has(name));
  set({ kept: { ...state.kept, ...Object.fromEntries(known.map(([name, value]) => [name, valueOf(() => value)])) } });
  if (state.catalogue.isHost) for (const name of unsent) socket.send("keep", { name, value: JSON.stringify(state.kept[name]) });
  unsent.clear();
}

/** A name that belongs to one game. @param {string} name @param {string} game its id */
export const ofGame = (name, game) => `${name}.${game}`;
