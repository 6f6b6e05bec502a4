// Line-ups that the person has stored under a name, and a gallery of good ones by style.

import { $, make } from "./dom.js";
import { showError, socket } from "./socket.js";
import { keep, kept } from "./storage.js";
import { t } from "./texts.js";

const MAX_SLOTS = 30;

/** A stored line-up. @typedef {{ name: string, letters: string }} Slot */
/** The line-up editor, as the slots use it. @typedef {{ letters: () => string, take: (letters: string) => void, mayTake: () => boolean }} Editor */

export const lineupSlots = {
  /** @type {Editor | null} */
  editor: null,
  /** By style. @type {Record<string, string> | null} */
  gallery: null,

  /** @param {Editor} editor */
  begin(editor) {
    this.editor = editor;
    $("slot-save").onclick = () => this.save();
    $("slot-name").onkeydown = (event) => event.key === "Enter" && this.save();
    $("arrange-more").ontoggle = () => $("arrange-more").open && this.ask();
  },

  /** @returns {Slot[]} */
  slots() {
    return kept("lineups", []);
  },

  // Stores the line-up that is shown; one of the same name is replaced.
  save() {
    const name = $("slot-name").value.trim() || t("slots.unnamed", { n: this.slots().length + 1 });
    const others = this.slots().filter((slot) => slot.name !== name);
    keep("lineups", [{ name, letters: this.editor?.letters() ?? "" }, ...others].slice(0, MAX_SLOTS));
    $("slot-name").value = "";
    this.draw();
  },

  /** @param {string} name */
  remove(name) {
    keep("lineups", this.slots().filter((slot) => slot.name !== name));
    this.draw();
  },

  async ask() {
    if (this.gallery) return;
    try {
      this.gallery = (await socket.request("lineup_gallery")).lineups;
    } catch (error) {
      showError(error);
    }
    this.draw();
  },

  draw() {
    const isFixed = !this.editor?.mayTake();
    const use = (/** @type {string} */ text, /** @type {string} */ letters) =>
      make("button", { disabled: isFixed, onclick: () => this.editor?.take(letters), "data-letters": letters }, text);
    $("slot-save").disabled = isFixed;
    $("slots").replaceChildren(
      ...this.slots().map(({ name, letters }) =>
        make("li", {}, use(name, letters), make("button", { class: "quiet", "aria-label": t("slots.remove", { name }), title: t("slots.remove", { name }), onclick: () => this.remove(name) }, "×"))),
    );
    $("gallery").replaceChildren(
      ...Object.entries(this.gallery ?? {}).map(([style, letters]) => make("li", {}, use(t(`style.${style}`), letters), make("span", { class: "hint" }, t(`style.${style}.about`)))),
    );
  },
};
