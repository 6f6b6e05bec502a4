// The address of the page: `/#TOKEN`, or for the host a place: `/game/NAME#MOVE`, `/problem/ID`, `/teaser/ID`,
// `/learn/NUMBER`. The browser keeps the host's token for these, and the token that an invitation became.

import { saveSetting, setting } from "./storage.js";

/** How many invitations the browser remembers. */
const MOST_SEATS = 20;
const PLACE = /^\/(game|problem|teaser|puzzle|learn)\/([^/]+)$/;

export const address = {
  token: "",
  /** What the page was opened with, until it is shown. @type {Linked | null} */
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
