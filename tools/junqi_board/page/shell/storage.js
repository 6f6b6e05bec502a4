// What the browser stores: settings for all visits, and for this tab what it showed before a reload.

/** A value in JSON; null for nothing, and for what cannot be read. @param {() => string | null | undefined} read */
export function valueOf(read) {
  try {
    return JSON.parse(read() ?? "null");
  } catch {
    return null;
  }
}

/**
 * Stores a value. A browser that stores nothing, and a value that is too large, change nothing.
 * @param {() => void} write
 */
function tryToStore(write) {
  try {
    write();
  } catch {
    return;
  }
}

/** A setting. @param {string} name @param {any} fallback */
export const setting = (name, fallback) => valueOf(() => localStorage.getItem(`junqi.${name}`)) ?? fallback;

/** Stores a setting. @param {string} name @param {any} value */
export const saveSetting = (name, value) =>
  tryToStore(() => localStorage.setItem(`junqi.${name}`, JSON.stringify(value)));

/** What this tab remembered; null for nothing. @param {string} name */
export const remembered = (name) => valueOf(() => sessionStorage.getItem(name));

/** Remembers a value until the tab is closed. @param {string} name @param {any} value */
export const remember = (name, value) => tryToStore(() => sessionStorage.setItem(name, JSON.stringify(value)));
