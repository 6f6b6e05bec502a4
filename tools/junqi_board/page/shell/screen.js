// The kinds of screen on which a board lies in another way.

import { redraw } from "../view.js";

/** Screens on which the board takes the whole width, and those that are too low for it. */
export const narrow = matchMedia("(max-width: 760px) and (min-height: 501px), (max-width: 480px)");
export const low = matchMedia("(max-height: 500px) and (min-width: 481px)");
for (const query of [narrow, low]) query.addEventListener("change", redraw);
