// The WebSocket to the server. It is opened again whenever the connection is lost.

import { warn } from "./shell/notices.js";
import { address } from "./shell/storage.js";
import { has, t } from "./texts.js";

// The server closes the connection at a larger message.
const MAX_BYTES = 250_000;
const MIN_DELAY_MS = 300;
const MAX_DELAY_MS = 4000;
const CLOSE_WRONG_TOKEN = 4403;

/** @typedef {{ done: (answer: Message) => void, refuse: (error: RequestError) => void }} Request */

export const socket = {
  /** @type {WebSocket | null} */
  connection: null,
  lastId: 0,
  /** @type {Map<number, Request>} */
  requests: new Map(),
  delay: MIN_DELAY_MS,
  /** The timer of the next attempt to connect. */
  timer: 0,
  /** The timer that gives up a silent connection, and the time after which it does; 0 before the server has told it. */
  silence: 0,
  silentMs: 0,
  /** Whether the first attempt to connect has ended, well or not; the requests that wait for that. */
  isTried: false,
  /** @type {(() => void)[]} */
  waiting: [],
  /** @type {(message: Message) => void} */
  onMessage: () => {},
  /** Called when the address is not valid. */
  onDenied: () => {},

  /** @param {(message: Message) => void} onMessage called with every message of the server except errors */
  begin(onMessage) {
    this.onMessage = onMessage;
    // The browser closes no socket when the network goes, and tries none when it comes back.
    addEventListener("offline", () => this.isOpen && this.giveUp());
    addEventListener("online", () => this.isOpen || this.giveUp());
    this.connect();
  },

  // The connection is dead, though the browser may learn that only after minutes.
  giveUp() {
    if (!this.connection) return;
    Object.assign(this.connection, { onopen: null, onmessage: null, onclose: null });
    this.connection.close();
    this.delay = MIN_DELAY_MS;
    this.closed();
  },

  connect() {
    const connection = new WebSocket(`${location.origin.replace(/^http/, "ws")}/socket`);
    this.connection = connection;
    this.expectMessage();
    connection.onopen = () => connection.send(JSON.stringify({ type: "hello", token: address.token }));
    connection.onmessage = (event) => this.receive(JSON.parse(event.data));
    connection.onclose = (event) => this.closed(event.code);
  },

  // Behind a dead router nothing else tells that the connection is lost.
  expectMessage() {
    clearTimeout(this.silence);
    if (this.silentMs) this.silence = window.setTimeout(() => this.giveUp(), this.silentMs);
  },

  tried() {
    this.isTried = true;
    for (const go of this.waiting.splice(0)) go();
  },

  // The server has answered: after the next loss, the first attempt comes soon again.
  welcomed() {
    this.delay = MIN_DELAY_MS;
    this.tried();
    document.body.classList.remove("offline");
  },

  /** @param {number} [code] why the connection was closed */
  closed(code) {
    this.tried();
    clearTimeout(this.silence);
    document.body.classList.add("offline");
    for (const { refuse } of this.requests.values()) refuse({ code: "lost", text: t("connection.lost") });
    this.requests.clear();
    if (code === CLOSE_WRONG_TOKEN) {
      warn(() => t("connection.denied"), 0);
      this.onDenied();
      return;
    }
    warn(() => t("connection.lost"), 0);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.connect(), this.delay);
    this.delay = Math.min(2 * this.delay, MAX_DELAY_MS);
  },

  get isOpen() {
    return this.connection?.readyState === WebSocket.OPEN;
  },

  /**
   * Sends a message that needs no answer. Without a connection the person is told that it was not sent.
   * @param {string} type
   * @param {Record<string, any>} fields
   * @returns {boolean} whether it was sent
   */
  send(type, fields = {}) {
    if (this.isOpen) this.connection?.send(JSON.stringify({ type, ...fields }));
    else warn(() => t("connection.notSent"), 0);
    return this.isOpen;
  },

  /**
   * Sends a message and waits for the answer with its id. The promise is rejected with a RequestError, at once if there
   * is no connection. While the page connects for the first time, the message waits.
   * @param {string} type
   * @param {Record<string, any>} fields
   * @returns {Promise<any>}
   */
  request(type, fields = {}) {
    if (!this.isTried) return new Promise((done) => this.waiting.push(() => done(this.request(type, fields))));
    const id = ++this.lastId;
    if (new Blob([JSON.stringify(fields)]).size > MAX_BYTES)
      return Promise.reject({ code: "too-large", text: t("connection.tooLarge") });
    return new Promise((done, refuse) => {
      if (this.send(type, { id, ...fields })) this.requests.set(id, { done, refuse });
      else refuse({ code: "lost", text: t("connection.notSent") });
    });
  },

  /**
   * The answer to a message; null if it was refused, which the banner says.
   * @param {string} type
   * @param {Record<string, any>} fields
   * @returns {Promise<any>}
   */
  async ask(type, fields = {}) {
    try {
      return await this.request(type, fields);
    } catch (error) {
      showError(error);
      return null;
    }
  },

  /** @param {Message} message */
  receive(message) {
    if (message.type === "alive") this.silentMs = 1000 * message.silent_s;
    this.expectMessage();
    if (message.type === "alive") return;
    const request = message.id ? this.requests.get(message.id) : undefined;
    if (message.id && request) {
      this.requests.delete(message.id);
      if (message.type === "error") request.refuse(/** @type {any} */ (message));
      else request.done(message);
    }
    if (message.type !== "error") this.onMessage(message);
    else if (!request) showError(message);
  },
};

/**
 * The text of an error: in the language of the page if it has one, else as the server sent it.
 * @param {any} error a RequestError
 * @returns {string}
 */
export const errorText = ({ code, text }) => (has(`error.${code}`) ? t(`error.${code}`, { text }) : text);

/** Shows a RequestError in the banner. @param {any} error */
export function showError(error) {
  if (error.code !== "lost") warn(() => errorText(error));
}
