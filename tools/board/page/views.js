// The views of the page, in the order of their tabs. To add one, write its module, add it here, and add its tab and its
// section to index.html.

import { analysis } from "./analysis_view.js";
import { home } from "./home_view.js";
import { learn } from "./learn_view.js";
import { library } from "./library_view.js";
import { play } from "./play_view.js";
import { puzzle } from "./puzzle_view.js";
import { replay } from "./replay_view.js";

/** @type {readonly View[]} */
export const VIEWS = [home, play, learn, library, replay, puzzle, analysis];
