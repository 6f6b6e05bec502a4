// Values stored between visits: settings, whose last value stays, and facts, which are added one by one. The server
// stores those of the host, for all its browsers; this browser has a copy.

import { socket } from "../socket.js";
import { set, state } from "../state.js";
import { saveSetting, setting as savedSetting, valueOf } from "./storage.js";

/** The kinds of facts that the page adds itself and that stay. */
const ADDED = ["learned", "tip", "teaser"];

/** A setting. @param {string} name @param {any} fallback */
export const setting = (name, fallback) => state.store.settings[name] ?? savedSetting(name, fallback);

/** @param {string} name @param {any} value */
export function setSetting(name, value) {
  takeSetting({ name, value: JSON.stringify(value) });
  tellServer("setting", { name, value: JSON.stringify(value) });
}

/**
 * The facts of a kind by id, the newest last, such as the lessons that were completed.
 * @param {string} kind
 * @returns {Record<string, any>}
 */
export const factsOf = (kind) => (state.store.facts ?? savedSetting("facts", {}))[kind] ?? {};

/** The results of the problems: true for a right first answer, false for a wrong one, and 2 for a right later one. */
export const problemResults = () => Object.values(factsOf("problem"));

/** @param {string} kind @param {string} fact */
export const hasFact = (kind, fact) => fact in factsOf(kind);

/** @param {string} kind @param {string} fact @param {true | number} value */
export function addFact(kind, fact, value = true) {
  takeFact({ kind, fact, value });
  tellServer("fact", { kind, fact, value });
}

/** @param {string} kind @param {string} fact */
export function removeFact(kind, fact) {
  takeFact({ kind, fact, value: null });
  tellServer("fact", { kind, fact, value: null });
}

/**
 * Tells the server of the host what has changed. Before the page is connected for the first time, the message waits; a
 * guest's is refused.
 * @param {string} type
 * @param {Record<string, any>} fields
 */
function tellServer(type, fields) {
  if (state.catalogue.isHost || !socket.isTried) socket.request(type, fields).catch(() => undefined);
}

/** @param {Setting} change */
export function takeSetting({ name, value }) {
  const parsed = valueOf(() => value);
  saveSetting(name, parsed);
  set({ store: { ...state.store, settings: { ...state.store.settings, [name]: parsed } } });
}

/** @param {Fact} change */
export function takeFact({ kind, fact, value }) {
  const { [fact]: _, ...others } = factsOf(kind);
  takeFacts({ ...state.store.facts, [kind]: value === null ? others : { ...others, [fact]: value } });
}

/** @param {Record<string, Record<string, any>>} facts */
function takeFacts(facts) {
  saveSetting("facts", facts);
  set({ store: { ...state.store, facts } });
}

/**
 * Takes what the server has stored for the host, and sends it the facts that only this browser has.
 * @param {Pick<Welcome, "settings" | "facts">} welcome
 */
export function takeStored({ settings, facts }) {
  const own = ADDED.flatMap((kind) => Object.entries(factsOf(kind)).map(([fact, value]) => ({ kind, fact, value })));
  for (const [name, value] of Object.entries(settings)) takeSetting({ name, value });
  takeFacts(facts);
  for (const { kind, fact, value } of own) if (!hasFact(kind, fact)) addFact(kind, fact, value);
}
