// The problems: a position with one right answer, and why an answer is right or wrong.

import { arrowsOf, boardOf, pointedRings, sceneOf } from "../board/boards.js";
import { JunqiBoard } from "../board/junqi_board.js";
import { Board, SayingText } from "../board/saying.js";
import { playSound } from "../board/sounds.js";
import { Seats } from "../game/plates.js";
import { studyPosition } from "../record/study.js";
import { $ } from "../shell/dom.js";
import { goToView, showAddress } from "../shell/navigation.js";
import { announce, endRefusal } from "../shell/notices.js";
import { FIRST_SHOWN } from "../shell/ratings.js";
import { factsOf, problemResults } from "../shell/store.js";
import { socket } from "../socket.js";
import { change, state } from "../state.js";
import { sentences, t } from "../texts.js";
import { html, redrawNow } from "../view.js";
import { rangeText, textOf, verdictSaying } from "../voice.js";
import { Task } from "./task.js";

/** The level of the problems from the person's own games. */
const OWN = "own";
/** Number of recent answers that are listed. */
const MOST_LISTED = 8;
const DAY_MS = 86_400_000;
/** Before so many are solved, easy ones of two players come first. */
const FIRST_PROBLEMS = 5;

/** Time for which the pieces lie face up before the answer is played. */
const FACE_UP_MS = 1500;

/** The name under which what is asked about can be chosen. */
const CHOICES = "choices";

const board = new JunqiBoard("problem-board", {
  hasMap: true,
  playSound,
  onMove: (choice, id) =>
    id === CHOICES && mustLook(choice) ? lookAtChoice(choice) : answerProblem(String(choice.move)),
  onHover: (shape) => tellMay(shape),
  // A hidden piece says what it may be.
  onRefuse: (shape, place, chosen) =>
    shape && !chosen && state.problem.statement?.may[Number(shape.point)]
      ? tellMay(shape)
      : board.refuse(shape, place, chosen),
});

/** @type {View} */
export const problems = {
  id: "problem",
  isForHost: true,
  Component: Problems,
  address: () => (state.problem.statement ? `problem/${state.problem.statement.problem}` : ""),

  async show() {
    await loadProblems();
    if (!state.problem.statement) await showNextProblem();
  },

  async follow({ kind, id }) {
    if (kind !== "problem") return false;
    await loadProblems();
    if (!state.problem.known.some(({ problem }) => problem === id)) return false;
    // The way back from its study.
    if (state.problem.statement?.problem !== id) await openProblem(id);
    goToView(problems.id);
    return true;
  },
};

/** Which problems there are. The server is asked each time, since the day may be another. */
async function loadProblems() {
  const found = await socket.ask("problem_list");
  if (!found) return;
  const known = found.problems.map((/** @type {string[]} */ [problem, variant, level]) => ({
    problem,
    variant,
    level,
  }));
  change("problem", { today: found.today, known });
}

export async function openProblemOfDay() {
  await loadProblems();
  await openProblem(state.problem.today);
  goToView(problems.id);
}

/** Says what the piece under the pointer may be, by all that is proven. @param {Shape | null} shape */
function tellMay(shape) {
  const may = state.problem.statement?.may[shape?.point ?? -1];
  if (may && may !== state.problem.may) change("problem", { may });
}

/** The first touch of a finger looks, the second answers. @param {Target} choice */
const mustLook = ({ move }) => board.svgBoard.isTouched && state.problem.looked !== move;

/** @param {Target} choice */
const lookAtChoice = ({ move }) => change("problem", { looked: String(move) });

/** The ids of the problems that were solved. */
const solvedProblems = () => Object.keys(factsOf("problem")).filter((id) => factsOf("problem")[id]);

/** The problems from the person's own games that are not solved. */
const ownProblems = () =>
  state.problem.known.filter(({ problem, level }) => level === OWN && !factsOf("problem")[problem]);

/** On how many days in a row, up to today or yesterday, the problem of the day was tried. */
function daysInRow() {
  const isTried = (/** @type {number} */ time) => new Date(time).toISOString().slice(0, 10) in factsOf("day");
  const today = Date.parse(state.catalogue.today);
  let days = 0;
  for (let day = isTried(today) ? today : today - DAY_MS; isTried(day); day -= DAY_MS) days += 1;
  return days;
}

/** Opens a problem that was neither solved nor seen; when all are solved, any may come again. */
async function showNextProblem() {
  const solved = solvedProblems();
  const packaged = state.problem.known.filter(({ level }) => level !== OWN);
  const unsolved = packaged.filter(({ problem }) => !solved.includes(problem));
  const left = unsolved.length ? unsolved : packaged;
  const { seen: all } = state.problem;
  const seen = left.every(({ problem }) => all.includes(problem)) ? [] : all;
  const unseen = left.filter(({ problem }) => !seen.includes(problem) && problem !== state.problem.statement?.problem);
  const isFirst = solved.length < FIRST_PROBLEMS;
  const simple = unseen.filter(({ level, variant }) => isFirst && level === "easy" && variant === "luzhanqi");
  const fresh = simple.length ? simple : unseen;
  const drawn = fresh[Math.floor(Math.random() * fresh.length)] ?? left[0];
  change("problem", { seen });
  if (drawn) await openProblem(drawn.problem);
}

/** What is asked; two enemies have a Flag each. @param {ProblemStatement} statement */
function aboutText({ theme, pieces, choices }) {
  const owners = new Set(pieces.filter(([point]) => point in choices).map(([, , seat]) => seat));
  return t(theme === "flag" && owners.size > 1 ? "problem.about.flags" : `problem.about.${theme}`);
}

const UNANSWERED = { verdict: null, isPlayed: false, looked: "", may: "" };

/** @param {string} id */
async function openProblem(id) {
  endRefusal();
  const statement = await socket.ask("problem", { problem: id });
  if (!statement) return;
  change("problem", { statement, seen: [...state.problem.seen, id], ...UNANSWERED });
  showAddress();
  scrollTo(0, 0);
  announce(aboutText(statement));
}

/**
 * @param {string} given
 * @param {boolean} [isLast] whether the right answer is told in any case, as after a second wrong one
 */
export async function answerProblem(given, isLast = state.problem.verdict !== null) {
  const { problem, theme } = /** @type {ProblemStatement} */ (state.problem.statement);
  /** @type {ProblemVerdict | null} */
  const verdict = await socket.ask("problem_answer", { problem, answer: given, is_last: isLast });
  if (!verdict || problem !== state.problem.statement?.problem) return;
  change("problem", { ...UNANSWERED, verdict, given });
  if (verdict.after)
    setTimeout(() => state.problem.verdict === verdict && change("problem", { isPlayed: true }), FACE_UP_MS);
  redrawNow();
  $("problem-next").scrollIntoView({ block: "nearest" });
  announce(textOf(verdictSaying(verdict, theme, board.pov)));
}

/**
 * The position of the problem with its choices; then the pieces face up, and the right answer.
 * @returns {Drawing | null}
 */
function problemDrawing() {
  const { statement, verdict, isPlayed, looked } = state.problem;
  if (!statement) return null;
  const { variant, mine, proven, choices } = statement;
  const isDone = verdict?.face_up !== undefined;
  const after = (isPlayed && verdict?.after) || null;
  const pieces = after?.pieces ?? verdict?.face_up ?? statement.pieces;
  const isAsked = !isDone && Object.keys(choices).length > 0;
  const ring = (/** @type {string} */ kind) => (/** @type {number | string} */ point) => ({
    kind,
    point: Number(point),
  });
  const asked = [...Object.keys(choices).map(ring("marked")), ...statement.marked.map(ring("marked aim"))];
  const chosen = Object.keys(choices).filter((point) => choices[point] === looked).map(ring("marked looked"));
  const answer = verdict?.after || after ? [] : (verdict?.points ?? []).map(ring("marked"));
  return {
    scene: sceneOf(variant, pieces, { last: after?.last ?? null, proven: isDone ? {} : proven }),
    key: statement.problem,
    isPlayed: true,
    at: Number(after !== null),
    bottom: mine,
    mine,
    targets: isDone ? {} : isAsked ? { [CHOICES]: choices } : statement.targets,
    selected: isAsked ? CHOICES : undefined,
    stage: isAsked ? "asks" : "",
    rings: [...(isDone ? answer : [...asked, ...chosen]), ...pointedRings(boardOf(variant))],
    arrows: verdict?.after && !after ? arrowsOf("rank-0", verdict.answer ?? "", boardOf(variant)) : [],
  };
}

function Problems() {
  const { statement } = state.problem;
  const data = statement && boardOf(statement.variant);
  const about = { ...statement, phase: "playing", turn: statement?.mine };
  const theme = t(`problem.theme.${statement?.theme}`);
  const level = statement && t(`${statement.theme === OWN ? "problem.motive" : "difficulty"}.${statement.level}`);
  const head = [
    ...(statement?.problem === state.problem.today ? [t("problem.today")] : []),
    ...(statement?.variant === "siguo" ? [t("variant.siguo")] : []),
    level ? t("problem.head", { theme, level }) : theme,
  ].join(" · ");
  return html`
    <div class="stage">
      <div class="table">
        <${Board} board=${board} value=${problemDrawing()} />
        ${data && html`<${Seats} id="problem-seats" data=${data} bottom=${statement.mine}
          seatOf=${() => ({ name: "", who: "engine" })} about=${about} />`}
      </div>
    </div>
    ${data && html`<aside class="panel">
      <${ProblemTask} statement=${statement} head=${head} />
      <${ProblemRecord} />
    </aside>`}
  `;
}

/** @param {{ statement: ProblemStatement, head: string }} props */
function ProblemTask({ statement, head }) {
  const { problem, theme, variant, mine } = statement;
  const { verdict, given, may, looked } = state.problem;
  const isDone = verdict?.face_up !== undefined;
  const about = may ? t("problem.may", { may: rangeText(may) }) : isDone ? t("problem.face_up") : t("problem.point");
  const note = looked ? sentences(...(may ? [about] : []), t("problem.looked")) : about;
  const own = ownProblems();
  const saying = verdict && html`<${SayingText} saying=${verdictSaying(verdict, theme, board.pov)} />`;
  return html`<${Task} of="problem" title=${head} text=${aboutText(statement)} note=${note} answer=${saying}
    isGood=${verdict?.is_right}>
    ${verdict && !isDone && html`<button id="problem-show" onClick=${() => answerProblem(given, true)}>
      ${t("problem.show")}</button>`}
    <button id="problem-next" class=${isDone ? "main" : ""} onClick=${showNextProblem}>${t("problem.next")}</button>
    ${verdict?.fen && html`<button id="problem-study"
      onClick=${() => studyPosition(variant, String(verdict.fen), { mine, problem })}>${t("library.study")}</button>`}
    <button onClick=${openProblemOfDay}>${t("problem.today")}</button>
    ${own.length > 0 && html`<button id="problem-own" onClick=${() => openProblem(own[0].problem)}>
      ${t("problem.fromGames", { n: own.length })}</button>`}
  <//>`;
}

/** @type {Record<string, string>} */
const WAS = { true: "problem.was.right", false: "problem.was.wrong", 2: "problem.was.later" };

/** The number of solved problems, the rating, the days in a row, and the last answers. */
function ProblemRecord() {
  const { row, best, rating, tried } = state.problemRating;
  const days = daysInRow();
  const [first, later] = [true, 2].map((value) => problemResults().filter((result) => result === value).length);
  const texts = [
    t("problem.record", { n: first, row, best }),
    ...(later > 0 ? [t("problem.record.later", { n: later })] : []),
    ...(tried < FIRST_SHOWN ? [] : [t("problem.rating", { rating: Math.round(rating) })]),
    ...(days > 0 ? [t("problem.days", { n: days })] : []),
  ];
  const last = Object.entries(factsOf("problem")).slice(-MOST_LISTED).reverse();
  return html`<div id="problem-record" class="card">
    <p>${sentences(...texts)}</p>
    <ul id="problem-history" class="slots" aria-label=${t("problem.history")}>${last.map(([id, result]) => html`
      <li><button class="quiet ${result === true ? "good" : ""}" onClick=${() => openProblem(id)}>
        ${t(WAS[String(result)], { theme: t(`problem.theme.${id.split("-")[0]}`) })}
      </button></li>`)}
    </ul>
  </div>`;
}
