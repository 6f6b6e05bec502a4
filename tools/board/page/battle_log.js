// The last battles of a game as sentences; a click plays one again.

import { make } from "./dom.js";
import { moveText } from "./panel.js";
import { seatIcon } from "./pieces.js";
import { sentences, t } from "./texts.js";
import { whyText } from "./why.js";

const MOST = 10;

/**
 * @param {HTMLElement} list
 * @param {LastMove[]} story
 * @param {BoardData} data
 * @param {(ply: number) => void} playAgain
 */
export function showBattles(list, story, data, playAgain) {
  const found = story.map((entry, index) => ({ entry, ply: index + 1 })).filter(({ entry }) => entry.outcome !== "no-battle" || entry.out);
  const item = (/** @type {{ entry: LastMove, ply: number }} */ { entry, ply }) => {
    const words = sentences(t("sentence", { text: moveText(entry, data) }), whyText(entry));
    return make("li", {}, make("button", { class: "quiet", onclick: () => playAgain(ply) }, seatIcon(entry.seat), make("span", {}, words)));
  };
  list.replaceChildren(...found.slice(-MOST).reverse().map(item));
}
