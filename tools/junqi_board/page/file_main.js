// The file of a review: the page with one view only, which shows what is in the file.

import { $, child, drawBanner, warn } from "./dom.js";
import { filed } from "./file_socket.js";
import { learnBoard } from "./junqi_board.js";
import { looks } from "./looks.js";
import { beginMoveLists } from "./move_list.js";
import { replay } from "./replay_view.js";
import { readTexts, switchLanguage, translate } from "./texts.js";

function redraw() {
  translate();
  drawBanner();
  replay.redraw();
}

readTexts(filed.texts);
filed.boards.forEach(learnBoard);
replay.begin();
$("replay").hidden = false;
$("language").onclick = () => {
  switchLanguage();
  redraw();
};
looks.begin(redraw);
beginMoveLists(redraw);
child($("banner"), "button").onclick = () => warn(() => "");
for (const one of document.querySelectorAll("nav, #menu, #pieces, #replay-load, .view:not(#replay)")) one.remove();
translate();
document.body.inert = false;
replay.openText(filed.lines.join("\n"));
// Paper is white, and nothing on it can be opened.
addEventListener("beforeprint", () => {
  document.documentElement.dataset.scheme = "light";
  for (const one of document.querySelectorAll("details")) one.open = true;
});
addEventListener("afterprint", () => looks.apply());
