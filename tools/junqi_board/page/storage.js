// What the browser stores: settings for all visits, and for this tab what it showed before a reload.

/** A setting. @param {string} name @param {any} fallback */
export function setting(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(`junqi.${name}`) ?? "null") ?? fallback;
  } catch {
    return fallback;
  }
}

/** Stores a setting. A browser that stores nothing still plays. @param {string} name @param {any} value */
export function saveSetting(name, value) {
  try {
    localStorage.setItem(`junqi.${name}`, JSON.stringify(value));
  } catch {
    return;
  }
}

/** What this tab remembered; null for nothing. @param {string} name */
export function remembered(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** Remembers a value until the tab is closed. A value that is too large is not stored. @param {string} name @param {any} value */
export function remember(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    return;
  }
}

let run = "";
/** The name of this start of the server, which counts its games from 1. @param {string} name */
export const readRun = (name) => (run = name);

/** A name that belongs to one game. @param {string} name @param {number} game */
export const ofGame = (name, game) => `${name}.${run}.${game}`;

/** What the server keeps for the host, by name. @type {Record<string, string>} */
let onServer = {};
/** What changed while there was no connection, by name. @type {Record<string, string>} */
let unsent = {};
/** @type {(name: string, value: string) => boolean} */
let sendToServer = () => false;

/**
 * Takes what the server has kept, and from now on gives it what changes. What changed while there was no connection is sent now.
 * @param {Record<string, string>} values
 * @param {(name: string, value: string) => boolean} send whether it could be sent
 */
export function keepOnServer(values, send) {
  onServer = { ...values, ...unsent };
  for (const [name, value] of Object.entries(unsent)) send(name, value);
  unsent = {};
  sendToServer = send;
}

/** What was kept: by the server, or else by this browser. @param {string} name @param {any} fallback */
export function kept(name, fallback) {
  try {
    return JSON.parse(onServer[name] ?? "null") ?? setting(name, fallback);
  } catch {
    return fallback;
  }
}

/** Keeps a value from one visit to the next. @param {string} name @param {any} value */
export function keep(name, value) {
  saveSetting(name, value);
  onServer[name] = JSON.stringify(value);
  if (!sendToServer(name, onServer[name])) unsent[name] = onServer[name];
}
