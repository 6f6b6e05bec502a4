// The page of the web board. It draws what the server sends and sends what the person does; it knows no rules.

import { play } from "./game.js";
import { host, meet } from "./host.js";
import { learnBoard } from "./junqi_board.js";
import { line, showError } from "./line.js";
import { setup } from "./new_game.js";
import { $, addLines, warn } from "./page.js";
import { puzzle } from "./puzzles.js";
import { replay } from "./replay.js";
import { has, loadTexts, switchLanguage, switchNames, t, teamName, translate } from "./texts.js";
import { beginViews, go } from "./views.js";

function redraw() {
  translate();
  play.draw();
  replay.showPanel();
  if (replay.record) replay.show(replay.at);
  const variants = $("puzzle-variant");
  for (const option of variants.options) option.textContent = t(`puzzle.${option.value}`);
  puzzle.showPanel();
  if (replay.record) for (const option of $("replay-eyes").options) option.textContent = option.value === "*" ? t("replay.all") : teamName(option.value);
}

// The game that is over, as a replay.
async function review() {
  try {
    const { line: text } = await line.ask("record");
    go("replay");
    await replay.openText(text);
  } catch (error) {
    showError(error);
  }
}

const handlers = {
  welcome(message) {
    line.found();
    warn(message.fault, 0);
    if (message.token !== location.hash.slice(1)) history.replaceState(history.state, "", `#${message.token}`);
    meet(message);
    for (const element of document.querySelectorAll("[data-host]")) element.hidden = !host.isHost;
    // What the server held for the last connection is gone with it: ask for it again.
    if (replay.record) replay.openLine(Number($("replay-game").value), replay.at);
    else replay.resume();
    if (puzzle.state) puzzle.resume();
    else if (!$("puzzles").hidden) puzzle.enter();
    if ($("belief").checked) line.say("belief", { on: true });
  },
  board: learnBoard,
  game(message) {
    play.take(message);
    if (!$("replay").hidden) replay.enter(message.variant);
  },
  gone() {
    warn(t("game.gone"), 0);
  },
  info: (message) => addLines($("info"), message.lines.map((text) => (message.seats ? `${message.seats} ${text}` : text))),
  belief: (message) => play.takeBelief(message),
  advice: (message) => play.takeAdvice(message),
  puzzle_info: (message) => addLines($("puzzle-info"), message.lines),
  notice(message) {
    warn(has(`notice.${message.code}`) ? t(`notice.${message.code}`) : message.text);
    if (message.code === "adviser-failed") {
      play.rested();
      $("belief").checked = false;
    }
  },
};

async function begin() {
  await loadTexts();
  translate();
  play.begin();
  setup.begin();
  replay.begin();
  puzzle.begin();
  beginViews();
  // Another address was put in: an invitation, say.
  addEventListener("hashchange", () => location.reload());
  $("status").textContent = t("line.starting");
  $("review").onclick = review;
  $("language").onclick = () => {
    switchLanguage();
    redraw();
  };
  $("names").onclick = () => {
    switchNames();
    redraw();
  };
  $("banner").lastElementChild.onclick = () => warn("");
  line.begin(handlers);
}

begin();
