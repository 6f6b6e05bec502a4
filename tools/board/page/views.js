// The views of the page, one at a time, and the tabs that lead to them.

import { play } from "./game.js";
import { $ } from "./page.js";
import { puzzle } from "./puzzles.js";
import { replay } from "./replay.js";

function show(view) {
  for (const section of document.querySelectorAll(".view")) section.hidden = section.id !== view;
  for (const tab of document.querySelectorAll("[data-view]")) {
    tab.setAttribute("aria-selected", String(tab.dataset.view === view));
    tab.tabIndex = tab.dataset.view === view ? 0 : -1;
  }
  if (view === "puzzles") puzzle.enter();
  if (view === "replay") replay.enter(play.state?.variant);
  if (view !== "replay") replay.halt();
}

// To another view, from which the browser's Back returns.
export function go(view) {
  if ($(view).hidden) history.pushState({ view }, "");
  show(view);
}

export function beginViews() {
  show(history.state?.view ?? "play");
  addEventListener("popstate", (event) => show(event.state?.view ?? "play"));
  const tabs = [...document.querySelectorAll("[data-view]")];
  for (const tab of tabs) tab.onclick = () => go(tab.dataset.view);
  document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const shown = tabs.filter((tab) => !tab.hidden);
    const place = shown.indexOf(document.activeElement);
    if (!step || place < 0) return;
    const next = shown[(place + step + shown.length) % shown.length];
    next.focus();
    go(next.dataset.view);
  });
}
