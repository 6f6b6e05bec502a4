// The head of the page: the tabs of its views, and the switches for sounds, pieces and language.

import { set, state } from "../state.js";
import { isChinese, setLooks, switchLanguage, t, wording } from "../texts.js";
import { html } from "../view.js";
import { stepByArrow } from "./dom.js";
import { goToView, loadView } from "./navigation.js";

const LOUDSPEAKER = html`<path d="M3 8v4h3l4 3.5v-11L6 8z" /><path class="waves"
  d="M13 7q2 3 0 6M15.5 5q3.5 5 0 10" />`;
const CHARACTER = html`<path class="waves"
  d="M10 2v2.500M3.500 7.500v-3h13v3M6.500 8.500h7L10 11.500V17q0 1-2 .5M4 13h12" />`;
const PIECE = html`<path class="waves"
  d="M3 5h14v10H3zM8.5 8.500a1.500 1.500 0 1 1 2 1.400q-.5 .2-.5 .9M10 12.700v.2" />`;

export function Header() {
  const mayOpen = state.views.filter(({ isForHost }) => !isForHost || state.catalogue.isHost || !state.catalogue.today);
  const closeMenu = (/** @type {KeyboardEvent} */ { key }) => key === "Escape" && set({ isMenuOpen: false });
  return html`<header onKeyDown=${closeMenu}>
    <button id="menu" class="quiet" aria-label=${t("views")} aria-expanded=${state.isMenuOpen}
      onClick=${() => set({ isMenuOpen: !state.isMenuOpen })}>
      ☰ <span>${t("more")}</span>
    </button>
    <button id="brand" class="quiet" onClick=${() => goToView("home")}><b lang="zh">军棋</b> Junqi</button>
    <nav role="tablist" class=${state.isMenuOpen ? "open" : ""} aria-label=${t("views")}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => stepByArrow(event)?.click()}>
      ${mayOpen.map((view) => html`<${Tab} key=${view.id} view=${view} />`)}
    </nav>
    <div class="tools">
      <${Switch} id="sound" sign=${LOUDSPEAKER} text=${t("sound.switch")} isOn=${state.looks.sound}
        onClick=${() => setLooks({ sound: !state.looks.sound })} />
      <${Switch} id="look" sign=${CHARACTER} text=${t("look.characters")} isOn=${wording() === "characters"}
        onClick=${() => setLooks({ pieces: wording() === "names" ? "characters" : "names" })} />
      <button id="pieces" class="quiet" aria-label=${t("pieces.title")} title=${t("pieces.title")}
        onClick=${() => loadView("learn").then((isLoaded) => set({ isPieceTableOpen: isLoaded }))}>
        <svg viewBox="0 0 20 20" class="glyph" aria-hidden="true">${PIECE}</svg><span class="name">${t("pieces.title")}
          </span>
      </button>
      <button id="language" class="quiet" lang=${isChinese() ? "en" : "zh"} onClick=${switchLanguage}>
        ${isChinese() ? "English" : "中文"}</button>
    </div>
  </header>`;
}

/** @param {{ view: View }} props */
function Tab({ view }) {
  const isShown = view.id === state.view;
  const choose = () => {
    view.chosen?.();
    goToView(view.id);
  };
  return html`<button role="tab" id="tab-${view.id}" data-view=${view.id} aria-selected=${isShown}
    aria-controls=${view.id} tabindex=${isShown ? 0 : -1} onClick=${choose}>
    ${view.id === "home" ? html`<b lang="zh">军棋</b> Junqi` : t(`tab.${view.id}`)}
  </button>`;
}

/**
 * A button that is on or off.
 * @param {{ id: string, sign: Content, text: string, isOn: boolean, onClick: () => void }} props
 */
const Switch = ({
  id,
  sign,
  text,
  isOn,
  onClick,
}) => html`<button id=${id} class="quiet" aria-label=${text} title=${text} aria-pressed=${isOn} onClick=${onClick}>
  <svg viewBox="0 0 20 20" class="glyph" aria-hidden="true">
    ${sign}${!isOn && html`<path class="slash" d="M3 17L17 3" />`}</svg>
</button>`;
