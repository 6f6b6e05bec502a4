// The form of a new game: who plays which seats, what they see, their time.

import { catalogue, engineChoices, levelsOf, levelText } from "./catalogue.js";
import { $, make, refill } from "./dom.js";
import { seatIcon } from "./pieces.js";
import { errorText, socket } from "./socket.js";
import { keep, kept, setting } from "./storage.js";
import { named, seatName, t } from "./texts.js";
import { relationOf } from "./voice.js";

/** A whole number within bounds, whatever was typed. @param {unknown} value @param {number} minimum @param {number} maximum */
const wholeNumber = (value, minimum, maximum) => Math.min(maximum, Math.max(minimum, Math.round(Number(value) || 0)));

/** By what happens when a clock runs out, the clocks to choose from: seconds of the game or turn, and increment. */
const CLOCKS = { loses: ["60+1", "300+3", "600+5", "1800+10"], passes: ["30+0", "20+0", "60+0", "120+0"] };

/** A clock as a message has it; null for none. @param {string} value such as `300+3` */
function clockOf(value) {
  const [base_s, increment_s] = value.split("+").map(Number);
  return value ? { base_s, increment_s } : null;
}

/** A clock in words: minutes, and seconds a move. @param {string} value */
export function clockName(value) {
  const [base, increment] = value.split("+").map(Number);
  return value ? t("setup.clock", { min: base / 60, s: increment }) : t("setup.noClock");
}

const GUEST = { who: "guest", program: "", player: "", elo: null };
/** The least time between two moves of engines. */
const PACE_MS = 400;

/** Wide enough for the whole form without scrolling. */
const WIDE_PX = 760;

/**
 * The levels of the default player, by the values of a list. Only one player of a program can be limited.
 * @returns {{ value: string, text: string, name: string }[]}
 */
const levelChoices = () =>
  catalogue.engines.flatMap(({ program, player }) =>
    Object.entries(levelsOf(program)).map(([name, elo]) => ({ value: JSON.stringify([program, player, elo]), text: levelText(name, elo), name })),
  );

/** @returns {HTMLSelectElement[]} */
const seatSelects = () => [...$("setup-seats").querySelectorAll("select")];

export const newGame = {
  /** Asks whether the game that is being played may be left. */
  mayLeave: async () => true,

  /** @param {() => Promise<boolean>} mayLeave */
  begin(mayLeave) {
    this.mayLeave = mayLeave;
    $("setup-more").open = innerWidth >= WIDE_PX;
    $("setup-variant").onchange = () => {
      $("setup-visibility").replaceChildren();
      this.showSeats();
    };
    $("setup-visibility").onchange = () => this.showSeats();
    $("setup-time-out").onchange = () => this.showClocks();
    $("setup-cancel").onclick = () => $("setup").close();
    $("setup-go").onclick = () => this.start();
  },

  open() {
    refill($("setup-variant"), Object.keys(catalogue.tables).map((variant) => [variant, named("variant", variant)]), $("setup-variant").value || "luzhanqi");
    $("setup-error").textContent = "";
    this.showSeats();
    refill($("setup-time-out"), ["loses", "passes"].map((name) => [name, t(`timeOut.${name}`)]));
    this.showClocks();
    $("setup").showModal();
  },

  showClocks() {
    const timeOut = $("setup-time-out").value === "passes" ? "passes" : "loses";
    const clocks = CLOCKS[timeOut].map((value) => [value, timeOut === "passes" ? t("setup.perTurn", { n: Number(value.split("+")[0]) }) : clockName(value)]);
    refill($("setup-clock"), timeOut === "passes" ? clocks : [["", t("setup.noClock")], ...clocks]);
    $("setup-time-out-hint").textContent = t(`timeOutHint.${timeOut}`);
  },

  showSeats() {
    const seats = catalogue.tables[$("setup-variant").value] ?? "";
    const hasPartners = seats.length > 2;
    const visibilities = hasPartners ? ["partner", "dark", "open"].map((name) => [name, t(`visibility.${name}`)]) : ["dark", "open"].map((name) => [name, t(`visibilityOfTwo.${name}`)]);
    refill($("setup-visibility"), visibilities);
    const visibility = $("setup-visibility").value;
    const { no_contact, loses } = catalogue.limits[$("setup-variant").value] ?? { no_contact: 0, loses: false };
    $("setup-limit-label").textContent = t(loses ? "setup.limitLoss" : "setup.limitDraw");
    $("setup-limit-rule").textContent = t(loses ? "setup.limitRule.loss" : "setup.limitRule.draw");
    $("setup-limit").placeholder = String(no_contact);
    $("setup-visibility-hint").textContent = t(`visibilityHint.${visibility}`);
    const chosen = new Map(seatSelects().map((select) => [select.dataset.seat, select.value]));
    const engines = engineChoices();
    const ranked = levelChoices();
    const standard = ranked.find(({ name }) => name === kept("level", "beginner")) ?? engines.find(({ isDefault }) => isDefault) ?? engines[0];
    const kind = `${seats} ${visibility}`;
    const isSame = $("setup-seats").dataset.kind === kind;
    $("setup-seats").dataset.kind = kind;
    $("setup-seats").replaceChildren(
      ...[...seats].map((seat, index) => {
        const relation = t(`plate.${relationOf(seat, { mine: seats[0], seats })}`);
        const role = setting("advanced", false) ? t("labelled", { name: seatName(seat), text: relation }) : relation;
        const select = make("select", { "data-seat": seat, "aria-label": role },
          make("option", { value: "me" }, t("who.meOption")), make("option", { value: "guest" }, t("who.guestOption")),
          ...(ranked.length ? [make("optgroup", { label: t("setup.levels") }, ...ranked.map(({ value, text }) => make("option", { value }, text)))] : []),
          make("optgroup", { label: t("setup.versions"), "data-advanced": true }, ...engines.map(({ value, text }) => make("option", { value }, text))));
        select.value = (isSame && chosen.get(seat)) || (index ? standard?.value : "me");
        return make("label", {}, seatIcon(seat), make("b", {}, role), select);
      }),
    );
    refill($("setup-first"), [...seats].map((seat) => [seat, seatName(seat)]));
  },

  /**
   * A game at the first seat, without clocks, at the level chosen last; whether it has begun.
   * @param {string} variant
   * @param {"engine" | "guest"} others who has the other seats
   */
  async quick(variant, others) {
    const engine = catalogue.engines.find(({ levels }) => Object.keys(levels).length) ?? catalogue.engines[0];
    const elo = engine?.levels[kept("level", "beginner")] ?? null;
    const other = others === "guest" ? GUEST : { who: "engine", program: engine?.program ?? "", player: engine?.player ?? "", elo };
    const seats = Object.fromEntries([...catalogue.tables[variant]].map((seat, index) => [seat, index ? other : { ...GUEST, who: "me" }]));
    const visibility = variant === "siguo" ? "partner" : "dark";
    const answer = await socket.ask("new_game", { variant, visibility, seats, first: Object.keys(seats)[0], clock: clockOf(kept("clock", "")), time_out: "loses", move_ms: 1000, pace_ms: PACE_MS, no_contact: null, max_plies: 0 });
    return Boolean(answer);
  },

  // In place of the game that is shown.
  async start() {
    if (!(await this.mayLeave())) return;
    /** @type {Record<string, { who: string, program: string, player: string, elo: number | null }>} */
    const seats = {};
    for (const select of seatSelects()) {
      const isEngine = select.value.startsWith("[");
      const [program, player, elo = null] = isEngine ? JSON.parse(select.value) : ["", ""];
      seats[String(select.dataset.seat)] = { who: isEngine ? "engine" : select.value, program, player, elo };
      const level = levelChoices().find(({ value }) => value === select.value);
      if (level) keep("level", level.name);
    }
    const limit = $("setup-limit").value;
    $("setup-go").disabled = true;
    try {
      const fields = {
        variant: $("setup-variant").value,
        visibility: $("setup-visibility").value,
        seats,
        first: $("setup-first").value,
        clock: clockOf($("setup-clock").value),
        time_out: $("setup-time-out").value,
        move_ms: wholeNumber(1000 * Number($("setup-move").value), 1, 3_600_000),
        pace_ms: Number($("pace").value) || 0,
        no_contact: limit === "" ? null : wholeNumber(limit, 0, 1000),
        max_plies: wholeNumber($("setup-plies").value, 0, 100_000),
      };
      await socket.request("new_game", fields);
      $("setup").close();
      $("play-board").focus({ preventScroll: true });
    } catch (error) {
      $("setup-error").textContent = errorText(error);
    } finally {
      $("setup-go").disabled = false;
    }
  },
};
