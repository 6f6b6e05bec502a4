// The browser's storage: settings for all visits, and the state of this tab across a reload.

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

/** A remembered value of this tab; null for none. @param {string} name */
export const remembered = (name) => valueOf(() => sessionStorage.getItem(name));

/** Remembers a value until the tab is closed. @param {string} name @param {any} value */
export const remember = (name, value) => tryToStore(() => sessionStorage.setItem(name, JSON.stringify(value)));

// The address of the page: `/#TOKEN`, or for the host a place: `/game/NAME#MOVE`, `/problem/ID`, `/teaser/ID`,
// `/learn/NUMBER`. The browser keeps the host's token for these, and the token that an invitation became.

/** Number of invitations that the browser remembers. */
const MOST_SEATS = 20;
const PLACE = /^\/(game|problem|teaser|puzzle|learn)\/([^/]+)$/;

export const address = {
  token: "",
  /** The place in the address with which the page was opened, until it is shown. @type {Linked | null} */
  place: null,

  read() {
    const [, kind, id] = PLACE.exec(location.pathname) ?? [];
    const hash = location.hash.slice(1);
    // Older boards had one kind for problems and brain teasers.
    const known = kind === "puzzle" ? (/^(attack|flag|save|win)-/.test(id) ? "problem" : "teaser") : kind;
    this.place = kind ? { kind: known, id, at: Number(hash) || 0 } : null;
    const token = (kind ? "" : hash) || setting("token", "");
    this.token =
      setting("seats", []).find((/** @type {string[]} */ [invitation]) => invitation === token)?.[1] ?? token;
  },

  /**
   * Takes the token that the server gives: another one for an invitation, by which its guest comes again.
   * @param {string} token
   */
  take(token) {
    if (token !== this.token) saveSetting("seats", [...setting("seats", []), [this.token, token]].slice(-MOST_SEATS));
    this.token = token;
  },

  /** Shows the path of a place, or the token. @param {string} path empty for no place */
  show(path) {
    const isHost = this.token === setting("token", "");
    const wanted = path && isHost ? `/${path}` : `/#${this.token}`;
    if (this.token && !this.place && location.pathname + location.hash !== wanted)
      history.replaceState(history.state, "", wanted);
  },
};
