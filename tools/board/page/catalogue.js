// What the server offers: engines, variants, known puzzle positions; and whether this page is the host's.

import { make } from "./dom.js";

export const catalogue = {
  isHost: false,
  /** @type {{ program: string, players: string[], player: string, levels: Record<string, number | null> }[]} */
  engines: [],
  /** @type {string[]} */
  variants: [],
  /** The seats of each Junqi variant. @type {Record<string, string>} */
  tables: {},
  /** The rule on moves without a battle of each Junqi variant. @type {Record<string, { no_contact: number, loses: boolean }>} */
  limits: {},
  /** @type {Record<string, KnownPuzzle[]>} */
  positions: {},
  /** The address of this machine in the local network, if other devices are let in. */
  lan: "",
};

/** @param {Message} welcome */
export function readWelcome(welcome) {
  const { is_host: isHost, engines, variants, tables, limits, positions, lan } = welcome;
  Object.assign(catalogue, { isHost, engines, variants, tables, limits, positions, lan });
}

/** @returns {EngineChoice[]} */
export function engineChoices() {
  return catalogue.engines.flatMap(({ program, players, player }) =>
    players.map((version) => ({ value: JSON.stringify([program, version]), text: `${program} ${version}`.trim(), isDefault: version === player })),
  );
}

/**
 * Fills a list with the engines; the choice remains if there was one.
 * @param {HTMLSelectElement} select
 */
export function fillEngines(select) {
  const chosen = select.value;
  select.replaceChildren(...engineChoices().map(({ value, text, isDefault }) => make("option", { value, selected: isDefault }, text)));
  if (chosen) select.value = chosen;
}
