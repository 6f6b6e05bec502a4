// Why a board is no brain teaser, or has no solution: the words of the engine in those of the page.

import { errorText } from "../socket.js";
import { t } from "../texts.js";

/** The end of the key of the page's text, and the words of the engine. @type {Record<string, RegExp>} */
const WORDS = {
  "cars.size": /^a Rush Hour string has \d+ cells, not (?<n>\d+)/,
  "cars.red": /^the car A must be in one row/,
  "cars.shape": /^(?<name>\S) on (?<squares>.*) is no car/,
  "klotski.rows": /^a position is <board>/,
  "klotski.red": /^the goal( names no piece|'s piece A is not on the board)/,
  "klotski.goal": /^the piece (?<name>\S+) has another shape in the goal/,
  "submarine.rows": /^a set-up has \d+ rows with .* not (?<n>\d+)/,
  "submarine.tiles": /^row (?<row>\d+) has (?<n>\d+) tiles/,
  "submarine.tile": /^(?<tile>.+) in row (?<row>\d+), column (?<column>\d+) is not a tile/,
  "submarine.hole": /^there must be one hole, not (?<n>\d+)/,
  "submarine.chosen": /^there must be one submarine, not (?<n>\d+)/,
  "submarine.overlap": /^(?<one>\S+) on (?<at>\S+) and (?<other>\S+) on (?<there>\S+) overlap/,
  "match3.above": /^the piece at (?<square>\S+) is above an empty cell/,
  "match3.run": /^the board has a run through (?<square>\S+)/,
  "tour.size": /^expected a board <rows>x<columns>|has at least one row and one column$/,
  "tour.off": /^(start|end): '(?<square>.*)' is (off the board|not a square)/,
  "tour.same": /^start and end are the same square/,
  "tour.closed": /^a closed tour has no end/,
  "tour.word": /^'?(?<word>[^']*)'? is not start, end or closed/,
  "tour.square": /^'?(?<word>[^']*)'? needs a square after it/,
  length: /^row (?<row>\d+) (of the \w+ )?(has \d+ cells, row 1|is empty)/,
  letter: /^(.+ in )?row (?<row>\d+), column (?<column>\d+)/,
  side: /the limit is (?<n>\d+) x \d+/,
  unsolvable: /^unsolvable/,
  ended: /^hint unknown|^no solution (found|within)/,
};

/** The most squares that the board draws. */
const MAX_CELLS = 1000;

/** An engine's words, in those of the page if it has any. @param {string} said */
function inWords(said) {
  for (const [key, pattern] of Object.entries(WORDS)) {
    const found = pattern.exec(said);
    if (found) return t(`teaser.fault.${key}`, found.groups);
  }
  return null;
}

/** Whether the solver has proven that there is no solution. @param {string[]} said */
export const isUnsolvable = (said) => said.some((text) => WORDS.unsolvable.test(text));

/** Why a board is no teaser. @param {RequestError} fault */
export function faultText(fault) {
  if (fault.code === "bad-drawing") return t("teaser.fault.cells", { n: MAX_CELLS });
  return inWords(fault.text) ?? errorText(fault);
}

/** Why the solver has found nothing. @param {string[]} said */
export function nothingText(said) {
  const words = said.map(inWords).find((text) => text !== null);
  return words ?? t("teaser.nothing", { text: said.join("; ") });
}
