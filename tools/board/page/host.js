// What the server has told of itself: engines, variants, known positions; and whether this page may begin games.

import { make } from "./page.js";

export const host = { isHost: false, engines: [], variants: [], tables: {}, positions: {} };

export function meet(welcome) {
  const { is_host: isHost, engines, variants, tables, positions } = welcome;
  Object.assign(host, { isHost, engines, variants, tables, positions });
}

export function engineChoices() {
  return host.engines.flatMap(({ program, players, player }) =>
    players.map((version) => ({ value: JSON.stringify([program, version]), text: `${program} ${version}`.trim(), isDefault: version === player })),
  );
}

export function fillEngines(select) {
  const chosen = select.value;
  select.replaceChildren(...engineChoices().map(({ value, text, isDefault }) => make("option", { value, selected: isDefault }, text)));
  if (chosen) select.value = chosen;
}
