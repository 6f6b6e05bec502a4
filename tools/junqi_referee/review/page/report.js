// The page of a report: it shows what is in the element `data`, and the step that is chosen.

const data = JSON.parse(element("data").textContent ?? "");
let number = 0;
let at = 0;
let theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

const game = () => data.games[number];
const board = () => data.boards[game().variant];
const playerOf = (step) => game().players.find(({ player }) => player === step.player);
const teamNumber = (seats) => Math.max(0, board().teams.findIndex((team) => team.includes(seats[0])));

/** @param {string} id @returns {any} */
function element(id) {
  return document.getElementById(id);
}

/**
 * @param {string} name
 * @param {Record<string, any>} attributes
 * @param {(Node | string)[]} children
 */
function make(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** The name of a player: its seats, and who plays them. */
function titleOf(player) {
  const named = game().players.find((one) => one.player === player || one.team === player);
  const name = named?.player === player ? named.name : "";
  return name && name !== player ? `${seatNames(player)} (${name})` : seatNames(player);
}

const dot = (seat) => {
  const made = make("span", { class: "seat", "aria-hidden": "true" });
  made.style.background = `var(--seat-${seat})`;
  return made;
};

const stepButton = (step, text) => {
  const made = make("button", { type: "button" }, text);
  made.onclick = () => goTo(step);
  return made;
};

// What is shown once for each game and language

function showGame() {
  document.documentElement.lang = isChinese() ? "zh-CN" : "en";
  for (const one of document.querySelectorAll("[data-text]")) one.textContent = t(String(/** @type {any} */ (one).dataset.text));
  element("language").textContent = t("language.other");
  element("language").lang = isChinese() ? "en" : "zh";
  for (const id of ["first", "back", "next", "last"]) element(id).setAttribute("aria-label", t(id));
  const { steps, nodes, variant, visibility } = game();
  element("about").textContent = t("about", {
    game: `${t("game")} ${game().game}`,
    variant: t(`variant.${variant}`),
    visibility: t(`visibility.${visibility}`),
    steps: steps.length,
    result: outcomeText(),
    nodes: nodes.toLocaleString(isChinese() ? "zh-CN" : "en"),
  });
  document.body.dataset.variant = variant;
  document.title = `${t("title")}: ${game().players.map(({ player }) => titleOf(player)).join(" – ")}`;
  element("players").replaceChildren(...game().players.map(playerCard));
  showGraph();
  showMoments();
  showFlags();
  showSecrecy();
  showSurprises();
  showSteps();
  goTo(Math.min(at, game().steps.length));
}

function outcomeText() {
  const { result, ending } = game();
  const how = TEXTS[language][`ending.${ending}`] ?? ending;
  if (result === null) return t("result.none");
  return result === "draw" ? t("result.draw", { ending: how }) : t("result.win", { team: seatNames(result), ending: how });
}

function playerCard(player) {
  const rows = [
    ["sum.start", percent(player.start)],
    ["sum.luck", percent(player.luck, true)],
    ["sum.battles", percent(player.battle_luck, true)],
    ["sum.enemy", percent(player.enemy_loss, true)],
    ["sum.own", percent(-player.loss, true)],
    [game().result === null ? "sum.now" : "sum.end", percent(player.end)],
  ];
  const sum = make("dl", { class: "sum" });
  for (const [key, text] of rows) {
    const isTotal = key === "sum.end" || key === "sum.now" ? "total" : "";
    sum.append(make("dt", { class: isTotal }, key === "sum.battles" ? `(${t(key)}` : t(key)), make("dd", { class: isTotal }, key === "sum.battles" ? `${text})` : text));
  }
  const facts = make("ul", { class: "facts" }, make("li", {}, t("fact.verdicts", player.verdicts)));
  const phases = Object.entries(player.by_phase).map(([phase, [, loss]]) => t(`phase.${phase}`, { loss: percent(loss) }));
  if (phases.length) facts.append(make("li", {}, t("fact.phase", { phases: phases.join(t("comma")) })));
  for (const key of ["worst", "best"]) {
    if (!player[key].length) continue;
    const item = make("li", {}, `${t(`fact.${key}`)} `);
    for (const step of player[key]) item.append(stepButton(step, `${step + 1}. ${game().steps[step].text}`), " ");
    facts.append(item);
  }
  const accuracy = player.accuracy === null ? "" : `${t("fact.accuracy")} ${player.accuracy.toFixed(0)}`;
  const heading = make("h2", {}, make("span", {}, ...[...player.player].map(dot), titleOf(player.player)), make("small", {}, accuracy));
  const card = make("article", { class: "card player" }, heading, sum, facts);
  card.style.setProperty("--team", `var(--team-${teamNumber(player.player)})`);
  return card;
}

function showGraph() {
  drawGraph(element("graph"), game(), game().steps.length, goTo);
  markStep(element("graph"), at, game().steps.length);
  const line = (kind) => svg("svg", { viewBox: "0 0 26 12", "aria-hidden": "true" }, svg("line", { class: kind, x1: 0, x2: 26, y1: 6, y2: 6, "stroke-width": 3 }));
  const [first] = board().teams;
  const entries = board().teams.map((team, index) => make("span", {}, line(`team-${index}`), t("legend.fair", { team: seatNames(first), eyes: seatNames(team) })));
  entries.push(make("span", {}, line("true"), t("legend.true")), make("span", {}, t("legend.loss")));
  element("legend").replaceChildren(...entries);
  element("graph").setAttribute("aria-label", t("graph.label", { team: seatNames(first) }));
  element("graph").setAttribute("role", "slider");
  element("graph").setAttribute("aria-valuemin", "0");
  element("graph").setAttribute("aria-valuemax", String(game().steps.length));
}

function showMoments() {
  const items = game().moments.map((moment) => {
    const step = game().steps[moment.step];
    const isVerdict = step.verdict === moment.kind;
    const kind = isVerdict ? t(`verdict.${moment.kind}`) : t(`kind.${moment.kind}`, { player: seatNames(moment.player) });
    const isLoss = isVerdict && moment.kind !== "brilliant";
    const size = isLoss ? t("moment.loss", { seat: seatNames(step.seat), loss: percent(step.loss) }) : moment.kind === "luck" ? t("moment.luck", { size: percent(moment.size, true), player: seatNames(moment.player) }) : "";
    const button = stepButton(moment.step, "");
    button.dataset.step = String(moment.step);
    button.append(make("span", { class: `mark ${moment.kind}` }, kind), ` ${size}`, make("small", {}, t("moment.step", { step: moment.step + 1, move: stepText(step) })));
    return make("li", {}, button);
  });
  element("moments").replaceChildren(...(items.length ? items : [make("li", {}, t("moments.none"))]));
}

const stepText = (step) => (step.seat ? `${t(`seat.${step.seat}`)} ${step.text}` : step.text);
const cell = (text, kind = "") => make("td", kind ? { class: kind } : {}, text);
const row = (cells) => make("tr", {}, ...cells);
const heads = (keys) => make("thead", {}, row(keys.map((key) => make("th", { scope: "col" }, t(key)))));

function showFlags() {
  const columns = ["likely", "proven", "revealed", "reachable", "taken"];
  const rows = game().flags.map((flag) => row([
    make("td", {}, dot(flag.seat), `${t(`seat.${flag.seat}`)} ${flag.point}`),
    ...columns.map((key) => cell(flag[key] === null ? t("never") : String(flag[key] + (key === "taken" || key === "reachable" ? 1 : 0)), "number")),
  ]));
  element("flags").replaceChildren(heads(["flags.seat", ...columns.map((key) => `flags.${key}`)]), make("tbody", {}, ...rows));
}

function showSurprises() {
  const items = game().surprises.map((one) => {
    const button = stepButton(one.step, surpriseText(one));
    button.append(make("small", {}, t("moment.step", { step: one.step + 1, move: stepText(game().steps[one.step]) })));
    return make("li", {}, button);
  });
  element("surprises").replaceChildren(...(items.length ? items : [make("li", {}, t("surprises.none"))]));
}

/** What a player did not expect, and how likely it was. */
const surpriseText = ({ player, seat, point, letter, chance }) =>
  t("surprise", { player: seatNames(player), piece: `${t(`seat.${seat}`)} ${t(`piece.${letter}`)}`, point, chance: percent(chance) });

function showSecrecy() {
  const lists = [...board().seats].map((seat) => {
    const own = game().pieces.filter((piece) => piece.seat === seat);
    const proven = own.filter((piece) => piece.proven !== null).length;
    const rows = own.map((piece) => row([
      cell(`${t(`piece.${piece.letter}`)} ${piece.point}`),
      cell(piece.learnt.slice(1).map(([step, letters]) => `${step}: ${letters.toUpperCase()}`).join("; ") || t("secrecy.nothing")),
      cell(piece.proven === null ? "" : String(piece.proven), "number"),
      cell(piece.chance === null ? "" : percent(piece.chance), "number"),
      cell(piece.removed === null ? "" : String(piece.removed + 1), "number"),
    ]));
    const table = make("table", {}, heads(["piece", "learnt", "proven", "chance", "removed"].map((key) => `secrecy.${key}`)), make("tbody", {}, ...rows));
    return make("details", {}, make("summary", {}, dot(seat), `${t(`seat.${seat}`)}: ${t("secrecy.count", { proven, count: own.length })}`), make("div", { class: "scroll" }, table));
  });
  element("secrecy").replaceChildren(...lists);
}

function showSteps() {
  const rows = game().steps.map((step) => {
    const made = row([
      make("td", { class: "number" }, stepButton(step.step, String(step.step + 1))),
      make("td", {}, ...(step.seat ? [dot(step.seat), t(`seat.${step.seat}`)] : [])),
      cell(step.text),
      cell(step.player ? percent(step.fair[step.player]) : "", "number"),
      cell(percent(step.truth), "number"),
      make("td", { class: `number ${step.verdict ?? ""}` }, step.loss >= 0.0005 ? percent(step.loss) : ""),
      cell(step.player ? percent(step.luck[step.player], true) : "", "number"),
      cell(step.best && !step.text.startsWith(step.best) ? step.best : ""),
    ]);
    made.dataset.step = String(step.step);
    return made;
  });
  element("steps").replaceChildren(heads(["step", "seat", "move", "fair", "true", "loss", "luck", "best"].map((key) => `steps.${key}`)), make("tbody", {}, ...rows));
}

// What is shown of the chosen step: the position before it, what it was, and the arrows of the played and the best move

/** Chooses a step, from 0; the number of steps is the end of the game. @param {number} step */
function goTo(step) {
  const count = game().steps.length;
  at = Math.max(0, Math.min(count, step));
  const chosen = game().steps[at] ?? null;
  drawBoard(element("board"), board(), piecesBefore(game().frames, at), arrowsOf(chosen));
  markStep(element("graph"), at, count);
  element("at").textContent = t("at", { step: at, count });
  const told = tell(chosen);
  element("told").replaceChildren(...told.map((text) => make("p", {}, text)));
  element("board").setAttribute("aria-label", told[0]);
  const [first] = board().teams;
  element("graph").setAttribute("aria-valuenow", String(at));
  element("graph").setAttribute("aria-valuetext", t("graph.value", { step: at, fair: `${seatNames(first)} ${percent(teamChances(game())[0][at])}`, truth: percent(trueChances(game())[at]) }));
  for (const one of document.querySelectorAll("[data-step]")) one.setAttribute("aria-current", String(Number(/** @type {any} */ (one).dataset.step) === at));
}

/** The arrows of a step; none at the end. */
function arrowsOf(step) {
  if (!step) return [];
  const arrows = [];
  const add = (kind, text) => {
    const [, from, to] = text.match(/^([a-z]\d+)([a-z]\d+)/) ?? [];
    if (from) arrows.push({ kind, from, to });
  };
  if (step.best && !step.text.startsWith(step.best)) add("best", step.best);
  if (step.seat) add("played", step.text);
  return arrows;
}

/** What happened in a step, as paragraphs. */
function tell(step) {
  if (!step) return [`${outcomeText()}${isChinese() ? "。" : "."}`];
  const [, , , outcome, flags, out] = step.text.match(/^([a-z]\d+)([a-z]\d+)([xo=]?)((?:![a-z]\d+)*)(.*)$/) ?? [];
  const seat = step.seat ? t(`seat.${step.seat}`) : "";
  const kind = step.text.startsWith("pass:") ? "pass" : step.text.startsWith("resign:") ? "resign" : step.text === "end" ? "end" : "move";
  const first = [t(`told.${kind}`, { seat, move: step.text })];
  if (outcome) first.push(t(`told.${outcome}`));
  if (flags) first.push(t("told.flag", { points: flags.slice(1).split("!").join(t("comma")) }));
  for (const letter of (out ?? step.text).match(/#([A-Z])/g) ?? []) first.push(t("told.out", { seat: t(`seat.${letter[1]}`) }));
  const told = [sentences(first)];
  if (!step.player) return told;
  const player = playerOf(step);
  const truth = teamNumber(player.player) ? 1 - step.truth : step.truth;
  told.push(t("told.fair", { player: seatNames(player.player), fair: percent(step.fair[player.player]), truth: percent(truth) }));
  const verdict = step.verdict ? `${t(`verdict.${step.verdict}`)}${isChinese() ? "：" : ": "}` : "";
  if (step.best) told.push(verdict + (step.text.startsWith(step.best) ? t("told.best") : t("told.loss", { loss: percent(step.loss), line: step.line.slice(0, 6).join(" ") })));
  const lucks = Object.entries(step.luck).filter(([, luck]) => Math.abs(luck) >= 0.005);
  if (lucks.length) told.push(t("told.luck", { luck: lucks.map(([one, luck]) => `${seatNames(one)} ${percent(luck, true)}`).join(t("comma")) }));
  for (const one of game().surprises) if (one.step === step.step) told.push(surpriseText(one));
  return told;
}

function showTheme() {
  document.documentElement.dataset.theme = theme;
  element("theme").textContent = t(theme === "dark" ? "theme.light" : "theme.dark");
}

function begin() {
  element("game").replaceChildren(...data.games.map((one, index) => make("option", { value: index }, String(one.game))));
  element("game-row").hidden = data.games.length < 2;
  element("game").onchange = () => {
    number = Number(element("game").value);
    at = 0;
    showGame();
  };
  element("language").onclick = () => {
    language = isChinese() ? "en" : "zh";
    showGame();
    showTheme();
  };
  element("theme").onclick = () => {
    theme = theme === "dark" ? "light" : "dark";
    showTheme();
  };
  for (const [id, step] of Object.entries({ first: -Infinity, back: -1, next: 1, last: Infinity })) element(id).onclick = () => goTo(at + step);
  document.addEventListener("keydown", (event) => {
    if (/** @type {Element} */ (event.target).matches("select") || event.altKey || event.ctrlKey || event.metaKey) return;
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    if (!(event.key in steps)) return;
    goTo(at + steps[event.key]);
    event.preventDefault();
  });
  addEventListener("resize", showGraph);
  // Paper is white: print the light theme, with all details open.
  addEventListener("beforeprint", () => {
    document.documentElement.dataset.theme = "light";
    for (const one of document.querySelectorAll("details")) one.open = true;
  });
  addEventListener("afterprint", showTheme);
  showTheme();
  showGame();
}

begin();
