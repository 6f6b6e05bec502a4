// The form of a new game: who plays which seats, what they see, their time.

import { catalogue, levelsOf, levelText } from "./catalogue.js";
import { $, make, refill } from "./dom.js";
import { seatIcon } from "./pieces.js";
import { errorText, socket } from "./socket.js";
import { keep, kept } from "./storage.js";
import { named, t } from "./texts.js";
import { relationOf } from "./voice.js";

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

const GUEST = { who: "guest", program: "", elo: null };

/**
 * Whom an engine's seat can have, by the values of a list: the levels of a program, or the program itself if it has none.
 * @returns {{ value: string, text: string, name: string }[]}
 */
const opponents = () =>
  catalogue.engines.flatMap(({ program }) => {
    const levels = Object.entries(levelsOf(program));
    if (!levels.length) return [{ value: JSON.stringify([program, null]), text: program, name: "" }];
    return levels.map(([name, elo]) => ({ value: JSON.stringify([program, elo]), text: levelText(name), name }));
  });

/** @returns {HTMLSelectElement[]} */
const seatSelects = () => [...$("setup-seats").querySelectorAll("select")];

export const newGame = {
  /** Asks whether the game that is being played may be left. */
  mayLeave: async () => true,

  /** @param {() => Promise<boolean>} mayLeave */
  begin(mayLeave) {
    this.mayLeave = mayLeave;
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
    refill($("setup-visibility"), (hasPartners ? ["partner", "dark"] : ["dark"]).map((name) => [name, t(`visibility.${name}`)]));
    $("setup-visibility-row").hidden = $("setup-visibility-hint").hidden = !hasPartners;
    const visibility = $("setup-visibility").value;
    $("setup-visibility-hint").textContent = t(`visibilityHint.${visibility}`);
    const chosen = new Map(seatSelects().map((select) => [select.dataset.seat, select.value]));
    const engines = opponents();
    const standard = engines.find(({ name }) => name === kept("level", "beginner")) ?? engines[0];
    const kind = `${seats} ${visibility}`;
    const isSame = $("setup-seats").dataset.kind === kind;
    $("setup-seats").dataset.kind = kind;
    $("setup-seats").replaceChildren(
      ...[...seats].map((seat, index) => {
        const role = t(`plate.${relationOf(seat, { mine: seats[0], seats })}`);
        const select = make("select", { "data-seat": seat, "aria-label": role },
          make("option", { value: "me" }, t("who.meOption")), make("option", { value: "guest" }, t("who.guestOption")),
          make("optgroup", { label: t("setup.levels") }, ...engines.map(({ value, text }) => make("option", { value }, text))));
        select.value = (isSame && chosen.get(seat)) || (index ? standard?.value : "me");
        return make("label", {}, seatIcon(seat), make("b", {}, role), select);
      }),
    );
  },

  /**
   * A game at the first seat, without clocks, at the level chosen last; whether it has begun.
   * @param {string} variant
   * @param {"engine" | "guest"} others who has the other seats
   */
  async quick(variant, others) {
    const engine = catalogue.engines.find(({ levels }) => Object.keys(levels).length) ?? catalogue.engines[0];
    const elo = engine?.levels[kept("level", "beginner")] ?? null;
    const other = others === "guest" ? GUEST : { who: "engine", program: engine?.program ?? "", elo };
    const seats = Object.fromEntries([...catalogue.tables[variant]].map((seat, index) => [seat, index ? other : { ...GUEST, who: "me" }]));
    const visibility = variant === "siguo" ? "partner" : "dark";
    const answer = await socket.ask("new_game", { variant, visibility, seats, clock: clockOf(kept("clock", "")), time_out: "loses" });
    return Boolean(answer);
  },

  // In place of the game that is shown.
  async start() {
    if (!(await this.mayLeave())) return;
    /** @type {Record<string, { who: string, program: string, elo: number | null }>} */
    const seats = {};
    for (const select of seatSelects()) {
      const isEngine = select.value.startsWith("[");
      const [program, elo] = isEngine ? JSON.parse(select.value) : ["", null];
      seats[String(select.dataset.seat)] = { who: isEngine ? "engine" : select.value, program, elo };
      const level = opponents().find(({ value }) => value === select.value)?.name;
      if (level) keep("level", level);
    }
    $("setup-go").disabled = true;
    try {
      const fields = {
        variant: $("setup-variant").value,
        visibility: $("setup-visibility").value,
        seats,
        clock: clockOf($("setup-clock").value),
        time_out: $("setup-time-out").value,
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
