// The line to the server: opened again when it is lost.

import { warn } from "./page.js";
import { has, t } from "./texts.js";

// The server closes the line when a message is larger.
const LARGEST_BYTES = 250_000;
const SHORTEST_WAIT_MS = 300;

export const line = {
  socket: null,
  number: 0,
  waiting: new Map(),
  delay: SHORTEST_WAIT_MS,
  handlers: {},

  // `handlers`: by type, what is done with a message.
  begin(handlers) {
    this.handlers = handlers;
    this.open();
  },

  open() {
    this.socket = new WebSocket(`ws://${location.host}/socket`);
    this.socket.onopen = () => this.socket.send(JSON.stringify({ type: "hello", token: location.hash.slice(1) }));
    this.socket.onmessage = (event) => this.take(JSON.parse(event.data));
    this.socket.onclose = (event) => this.lost(event.code);
  },

  // The server has answered: the next loss begins with a short wait again.
  found() {
    this.delay = SHORTEST_WAIT_MS;
    document.body.classList.remove("offline");
  },

  lost(code) {
    document.body.classList.add("offline");
    for (const { refuse } of this.waiting.values()) refuse({ code: "lost", text: t("line.lost") });
    this.waiting.clear();
    if (code === 4403) {
      warn(t("line.denied"), 0);
      return;
    }
    warn(t("line.lost"), 0);
    setTimeout(() => this.open(), this.delay);
    this.delay = Math.min(2 * this.delay, 4000);
  },

  say(type, fields = {}) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type, ...fields }));
  },

  // A message that is answered by its number; whoever asks shows or swallows an error.
  ask(type, fields = {}) {
    const id = ++this.number;
    if (new Blob([JSON.stringify(fields)]).size > LARGEST_BYTES) return Promise.reject({ code: "too-large", text: t("line.tooLarge") });
    return new Promise((done, refuse) => {
      this.waiting.set(id, { done, refuse });
      this.say(type, { id, ...fields });
    });
  },

  take(message) {
    const waiting = message.id ? this.waiting.get(message.id) : null;
    if (waiting) {
      this.waiting.delete(message.id);
      if (message.type === "error") waiting.refuse(message);
      else waiting.done(message);
    }
    if (message.type !== "error") this.handlers[message.type]?.(message);
    else if (!waiting) showError(message);
  },
};

export function showError(error) {
  if (error.code !== "lost") warn(has(`error.${error.code}`) ? t(`error.${error.code}`) : error.text);
}
