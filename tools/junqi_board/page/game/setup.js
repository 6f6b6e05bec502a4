// The form of a new game: players, visibility and clocks.

import { SeatIcon } from "../board/saying.js";
import { $ } from "../shell/dom.js";
import { setSetting, setting } from "../shell/store.js";
import { errorText, socket } from "../socket.js";
import { change, set, state } from "../state.js";
import { t } from "../texts.js";
import { Dialog, html, Select, useState } from "../view.js";
import { relationOf } from "../voice.js";
import { clockName, levelText } from "./levels.js";
import { mayLeave } from "./live_game.js";

/** The selectable clocks, by the effect of running out: seconds for the game or turn, and increment. */
const CLOCKS = { loses: ["", "60+1", "300+3", "600+5", "1800+10"], passes: ["30+0", "20+0", "60+0", "120+0"] };

/** A clock as a message has it; null for none. @param {string} value such as `300+3` */
function clockOf(value) {
  const [base_s, increment_s] = value.split("+").map(Number);
  return value ? { base_s, increment_s } : null;
}

/** A player of a seat as a message names it; an engine by its program and its strength. */
const player = (who = "engine", program = "", elo = /** @type {number | null} */ (null)) => ({ who, program, elo });

/** The engines to choose from: the levels of a program, or the program itself if it has none. */
const opponents = () =>
  state.catalogue.engines.flatMap(({ program, levels }) => {
    const names = Object.entries(levels).map(([name, elo]) => ({ name, text: levelText(name), elo }));
    return (names.length ? names : [{ name: "", text: program, elo: null }]).map(({ elo, ...one }) => ({
      ...one,
      value: JSON.stringify(player("engine", program, elo)),
    }));
  });

/** Opens the form with the players of the game at the table. */
export function openSetup() {
  const { game } = state.table;
  if (game?.mine) {
    const { variant, viewer } = game;
    const visibility = viewer.length > 1 ? "partner" : "dark";
    change("setup", { variant, visibility, seats: playersOf(game) });
  }
  set({ isSetupOpen: true });
}

/** The players of a game, as far as they can be chosen. @param {GameState} game */
function playersOf({ seats }) {
  const engines = opponents().map(({ value }) => ({ value, ...JSON.parse(value) }));
  const nameOf = (/** @type {any} */ { program, elo }) => (elo === null ? program : `${program} (Elo ${elo})`);
  const choices = Object.entries(seats).map(([seat, { who, name }]) => [
    seat,
    who === "engine" ? engines.find((one) => nameOf(one) === name)?.value : who,
  ]);
  return Object.fromEntries(choices.filter(([, value]) => value));
}

const closeSetup = () => set({ isSetupOpen: false });

/**
 * A game at the first seat, with the clock and at the level chosen last; whether it has begun.
 * @param {string} variant
 * @param {"engine" | "guest"} others who has the other seats
 */
export async function startQuickly(variant, others) {
  const engine = state.catalogue.engines.find(({ levels }) => Object.keys(levels).length) ?? state.catalogue.engines[0];
  const elo = engine?.levels[setting("level", "beginner")] ?? null;
  const other = others === "guest" ? player("guest") : player("engine", engine?.program, elo);
  const seats = Object.fromEntries(
    [...state.catalogue.tables[variant]].map((seat, index) => [seat, index ? other : player("me")]),
  );
  const visibility = variant === "siguo" ? "partner" : "dark";
  const answer = await socket.ask("new_game", {
    variant,
    visibility,
    seats,
    clock: clockOf(setting("clock", "")),
    time_out: "loses",
  });
  return Boolean(answer);
}

export const Setup = () =>
  html`<${Dialog} id="setup" isOpen=${state.isSetupOpen} onClose=${closeSetup}><${Form} /><//>`;

function Form() {
  const { setup: choice } = state;
  const [error, setError] = useState("");
  const [isBusy, setBusy] = useState(false);
  const engines = opponents();
  const standard = engines.find(({ name }) => name === setting("level", "beginner")) ?? engines[0];
  const all = state.catalogue.tables[choice.variant] ?? "";
  const choose = (/** @type {Partial<PageState["setup"]>} */ changes) => change("setup", changes);
  const playerAt = (/** @type {string} */ seat) => choice.seats[seat] ?? (seat === all[0] ? "me" : standard?.value);

  const chooseVariant = (/** @type {string} */ variant) =>
    choose({ variant, visibility: variant === "siguo" ? "partner" : "dark", seats: {} });

  // In place of the game that is shown.
  const begin = async () => {
    if (!(await mayLeave())) return;
    setBusy(true);
    const players = [...all].map((seat) => [seat, playerAt(seat)]);
    for (const [, value] of players) {
      const level = engines.find((one) => one.value === value)?.name;
      if (level) setSetting("level", level);
    }
    const seats = Object.fromEntries(
      players.map(([seat, value]) => [seat, value.startsWith("{") ? JSON.parse(value) : player(value)]),
    );
    try {
      await socket.request("new_game", { ...choice, seats, clock: clockOf(choice.clock) });
      closeSetup();
      $("play-board").focus({ preventScroll: true });
      scrollTo(0, 0);
    } catch (failure) {
      setError(errorText(failure));
      setBusy(false);
    }
  };

  return html`<form method="dialog">
    <h2>${t("game.new")}</h2>
    <div class="grid">
      <${Select} id="setup-variant" label=${t("setup.variant")} value=${choice.variant}
        entries=${Object.keys(state.catalogue.tables).map((one) => [one, t(`variant.${one}`)])}
        onPick=${chooseVariant} />
      ${all.length > 2 && html`<${Select} id="setup-visibility" label=${t("setup.visibility")}
        value=${choice.visibility} entries=${["partner", "dark"].map((one) => [one, t(`visibility.${one}`)])}
        onPick=${(/** @type {string} */ visibility) => choose({ visibility })} />`}
      <${Select} id="setup-clock" label=${t("setup.time")} value=${choice.clock} entries=${clocksOf(choice.time_out)}
        onPick=${(/** @type {string} */ clock) => choose({ clock })} />
      ${choice.clock && html`<${Select} id="setup-time-out" label=${t("setup.timeOut")} value=${choice.time_out}
        entries=${["loses", "passes"].map((one) => [one, t(`timeOut.${one}`)])}
        onPick=${(/** @type {"loses" | "passes"} */ one) => choose({ time_out: one, clock: CLOCKS[one].at(-2) })} />`}
    </div>
    ${all.length > 2 && html`<p class="soft">${t(`visibilityHint.${choice.visibility}`)}</p>`}
    ${choice.clock && html`<p class="soft">${t(`timeOutHint.${choice.time_out}`)}</p>`}
    <div id="setup-seats" class="setup-seats" data-warm=${all.length === 2 ? all[0] : null}>
      ${[...all].map(
        (seat) => html`<${Seat} key=${choice.variant + seat} ...${{ seat, all, engines }} value=${playerAt(seat)}
        onChoose=${(/** @type {string} */ value) => choose({ seats: { ...choice.seats, [seat]: value } })} />`,
      )}
    </div>
    <p class="faults" role="alert">${error}</p>
    <div class="row end">
      <button type="button" onClick=${closeSetup}>${t("cancel")}</button>
      <button type="button" id="setup-go" class="main" disabled=${isBusy} onClick=${begin}>${t("start")}</button>
    </div>
  </form>`;
}

/** The clocks to choose from, with their names. @param {string} timeOut */
const clocksOf = (timeOut) =>
  timeOut === "passes"
    ? CLOCKS.passes.map((value) => [value, t("setup.perTurn", { n: Number(value.split("+")[0]) })])
    : CLOCKS.loses.map((value) => [value, clockName(value)]);

/**
 * Who plays a seat.
 * @param {SeatChoiceProps} props
 */
function Seat({ seat, all, engines, value, onChoose }) {
  const role = t(`plate.${relationOf(seat, { mine: all[0], seats: all })}`);
  return html`<label>
    <${SeatIcon} seat=${seat} /><b>${role}</b>
    <select data-seat=${seat} aria-label=${role} value=${value}
      onChange=${(/** @type {any} */ { target }) => onChoose(target.value)}>
      <option value="me">${t("who.meOption")}</option>
      <option value="guest">${t("who.guestOption")}</option>
      <optgroup label=${t("setup.levels")}>${engines.map((one) => html`<option value=${one.value}>${one.text}
        </option>`)}</optgroup>
    </select>
  </label>`;
}
