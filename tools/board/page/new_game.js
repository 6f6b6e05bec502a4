// A new game: who sits where, what they see, their time.

import { play } from "./game.js";
import { engineChoices, host } from "./host.js";
import { line } from "./line.js";
import { $, make } from "./page.js";
import { seatIcon } from "./pieces.js";
import { has, seatName, t } from "./texts.js";

// Puts other entries into a list; what was chosen stays so if it is still there.
function refill(select, entries) {
  const chosen = select.value;
  select.replaceChildren(...entries.map(([value, text]) => make("option", { value }, text)));
  if (entries.some(([value]) => value === chosen)) select.value = chosen;
}

export const setup = {
  begin() {
    $("new").onclick = () => this.open();
    $("setup-variant").onchange = () => {
      $("setup-visibility").replaceChildren();
      this.showSeats();
    };
    $("setup-visibility").onchange = () => this.showSeats();
    $("setup-cancel").onclick = () => $("setup").close();
    $("setup-go").onclick = () => this.go();
  },

  open() {
    refill($("setup-variant"), Object.keys(host.tables).map((variant) => [variant, has(`variant.${variant}`) ? t(`variant.${variant}`) : variant]));
    $("setup-error").textContent = "";
    this.showSeats();
    $("setup").showModal();
  },

  seats() {
    return host.tables[$("setup-variant").value] ?? "";
  },

  showSeats() {
    const seats = this.seats();
    // Who has no partner sees the own pieces only, or all.
    const ways = seats.length > 2 ? ["partner", "dark", "open"].map((name) => [name, t(`visibility.${name}`)]) : ["dark", "open"].map((name) => [name, t(`visibilityOfTwo.${name}`)]);
    refill($("setup-visibility"), ways);
    const visibility = $("setup-visibility").value;
    $("setup-visibility-hint").textContent = t(`visibilityHint.${visibility}`);
    const before = new Map([...$("setup-seats").querySelectorAll("select")].map((select) => [select.dataset.seat, select.value]));
    const engines = engineChoices();
    const standard = engines.find(({ isDefault }) => isDefault) ?? engines[0];
    const isMine = (index) => (visibility === "dark" || seats.length === 2 ? index === 0 : index % 2 === 0);
    const isSame = $("setup-seats").dataset.kind === `${seats} ${visibility}`;
    $("setup-seats").dataset.kind = `${seats} ${visibility}`;
    $("setup-seats").replaceChildren(
      ...[...seats].map((seat, index) => {
        const select = make("select", { "data-seat": seat, "aria-label": seatName(seat) },
          make("option", { value: "me" }, t("who.meOption")), make("option", { value: "guest" }, t("who.guestOption")),
          ...engines.map(({ value, text }) => make("option", { value }, text)));
        select.value = (isSame && before.get(seat)) || (isMine(index) ? "me" : standard?.value);
        const mark = seatIcon(seat);
        return make("label", {}, mark, make("b", {}, seatName(seat)), select);
      }),
    );
    refill($("setup-first"), [...seats].map((seat) => [seat, seatName(seat)]));
  },

  async go() {
    const seats = {};
    for (const select of $("setup-seats").querySelectorAll("select")) {
      const isEngine = select.value.startsWith("[");
      const [program, player] = isEngine ? JSON.parse(select.value) : ["", ""];
      seats[select.dataset.seat] = { who: isEngine ? "engine" : select.value, program, player };
    }
    const [base, increment] = $("setup-clock").value.split("+").map(Number);
    const limit = $("setup-limit").value;
    const whole = (value, least, most) => Math.min(most, Math.max(least, Math.round(Number(value) || 0)));
    $("setup-go").disabled = true;
    try {
      const answer = await line.ask("new_game", {
        variant: $("setup-variant").value,
        visibility: $("setup-visibility").value,
        seats,
        first: $("setup-first").value,
        clock: $("setup-clock").value ? { base_s: base, increment_s: increment } : null,
        move_ms: whole(1000 * $("setup-move").value, 1, 3_600_000),
        pace_ms: Number($("pace").value) || 0,
        no_contact: limit === "" ? null : whole(limit, 0, 1000),
        max_plies: whole($("setup-plies").value, 0, 100_000),
      });
      $("setup").close();
      play.invite(answer.game, answer.invitations);
      $("play-board").focus({ preventScroll: true });
    } catch (error) {
      $("setup-error").textContent = has(`error.${error.code}`) ? t(`error.${error.code}`) : error.text;
    } finally {
      $("setup-go").disabled = false;
    }
  },
};
