// The wall of the brain teasers: all of them, with the stars that the person has earned, to choose from.

import { state } from "../state.js";
import { capital, isChinese, t } from "../texts.js";
import { html, useEffect, useState } from "../view.js";
import { Editor } from "./teaser_editor.js";
import { isOpen, kindOf, LEVELS, openTeaser, ownTeasers } from "./teaser_play.js";
import { ownBest, starsOf } from "./teaser_results.js";

/** The teasers of a kind in groups, in the order of the wall. @param {string} kind @returns {TeaserGroup[]} */
function groupsOf(kind) {
  const all = state.teaser.all[kind] ?? [];
  const levels = LEVELS.map((level) => ({
    name: capital(t(`difficulty.${level}`)),
    teasers: all.filter((one) => one.name === kind && one.level === level),
  }));
  const known = { name: t("teaser.known"), teasers: all.filter(({ name }) => name !== kind) };
  return [known, ...levels, { name: t("teaser.draw.own"), teasers: ownTeasers(kind) }];
}

/** The name of a teaser that has one, in the language of the page. @param {Teaser} teaser */
function knownName({ name, goal }) {
  if (name === "own" || goal.startsWith(name)) return "";
  const [chinese, english = chinese] = name.split(" / ");
  return isChinese() ? chinese : english;
}

/** The kind of a teaser, and its name or its place on the wall. @param {Teaser} teaser */
export function titleOf(teaser) {
  const kind = kindOf(teaser);
  const at = (/** @type {TeaserGroup} */ { teasers }) => teasers.findIndex((one) => one.position === teaser.position);
  const group = groupsOf(kind).find((one) => at(one) >= 0);
  const name = knownName(teaser) || (group && `${group.name} ${at(group) + 1}`);
  return [t(`teaser.name.${kind}`), name].filter(Boolean).join(" · ");
}

/** The number of solved teasers and of all, such as `3/25`. @param {Teaser[]} teasers */
const progressOf = (teasers) => `${teasers.filter((one) => ownBest(one) !== undefined).length}/${teasers.length}`;

export const Today = () => html`<div class="card" id="teaser-today">
  <h2>${t("teaser.today")}</h2>
  <div class="row even three">
    ${state.teaser.today.map((one) => html`<${Tile} teaser=${one} label=${t(`teaser.name.${one.name}`)}>
      <span class="soft">${t(`difficulty.${one.level}`)}</span>
    <//>`)}
  </div>
</div>`;

/** @param {{ open: Teaser }} props */
export function Wall({ open }) {
  const { all } = state.teaser;
  const [isDrawing, draw] = useState(false);
  const [shown, show] = useState("");
  // It follows the teaser that is open.
  useEffect(() => show(kindOf(open)), [kindOf(open)]);
  return html`<div class="card" id="teaser-wall">
    <div class="row between">
      <h2>${t("teaser.wall")}</h2>
      <button id="teaser-draw" class="chip" aria-pressed=${String(isDrawing)} onClick=${() => draw(!isDrawing)}>
        ${t("teaser.draw.new")}</button>
    </div>
    <div class="row even three">
      ${Object.entries(all).map(([kind, teasers]) => html`<button class="chip tile" data-kind=${kind}
        aria-pressed=${String(kind === shown)} onClick=${() => show(kind)}>
        <b>${t(`teaser.name.${kind}`)}</b> <span class="soft">${progressOf(teasers)}</span></button>`)}
    </div>
    ${isDrawing && shown && html`<${Editor} key=${shown} kind=${shown} />`}
    ${groupsOf(shown).filter(({ teasers }) => teasers.length).map(({ name, teasers }) => html`
      <h3>${name} <span class="soft">${progressOf(teasers)}</span></h3>
      <div class="tiles" role="group" aria-label=${name}>
        ${teasers.map((one, at) => html`<${Tile} teaser=${one} label=${knownName(one) || at + 1} />`)}
      </div>`)}
  </div>`;
}

/** @param {{ teaser: Teaser, label: string, children?: Content }} props */
const Tile = ({
  teaser,
  label,
  children,
}) => html`<button class="chip tile" aria-pressed=${String(isOpen(teaser))} onClick=${() => openTeaser(teaser)}>
  <b>${label}</b>${children}<span class="stars">${starsOf(teaser, ownBest(teaser))}</span>
</button>`;
