// The voice of the board: who did what to which piece, and why. Every sentence about a game is made here.

import { capital, clauses, either, filled, has, percent, sentences, t } from "./texts.js";

const RANKS = "abcdefghi";
const KINDS = "abcdefghijkl";
const MOST_NAMED = 3;
/** @type {Record<string, string>} */
const OTHER_COLOUR = { S: "E", E: "S", N: "W", W: "N" };
const SIDES = ["you", "right", "partner", "left"];

/** The relation of a seat to the person. @param {string} seat @param {Pov} pov */
export function relationOf(seat, { mine, seats }) {
  if (!mine) return "watched";
  if (mine.includes(seat)) return "you";
  if (seats.length === 2) return "enemy";
  return SIDES[(seats.indexOf(seat) - seats.indexOf(mine[0]) + SIDES.length) % SIDES.length];
}

/** @param {string} seat @param {Pov} pov */
export function colourOf(seat, { mine, seats }) {
  const isPair = seats.length === 2;
  const shown = isPair && seat === "N" ? "E" : seat;
  // The warm colours are those of the own team.
  return t(`colour.${(isPair ? mine === "N" : /[EW]/.test(mine)) ? OTHER_COLOUR[shown] : shown}`);
}

/**
 * A seat in a sentence: you, a person by name, your partner, an enemy; in a game that one watches its colour and name.
 * @param {string} seat
 * @param {Pov} pov
 */
export function who(seat, pov) {
  const relation = relationOf(seat, pov);
  const colour = colourOf(seat, pov);
  const name = relation !== "you" && pov.names?.[seat];
  if (name) return relation === "watched" ? t("is.named", { name, colour }) : name;
  return t(`is.${relation}`, { colour, seat: t(`seat.${seat}`) });
}

/**
 * The point of view of a page on its game: persons have the names that they gave.
 * @param {Pick<GameState, "mine" | "seats">} game
 * @param {BoardData} data
 * @returns {Pov}
 */
export const povOf = ({ mine, seats }, data) => ({
  mine,
  seats: data.seats,
  names: Object.fromEntries(Object.entries(seats).flatMap(([seat, one]) => (one.is_named ? [[seat, one.name]] : []))),
});

/** Several seats in a sentence; those of the person are named once. @param {string} team @param {Pov} pov */
export const whoAll = (team, pov) => [...new Set([...team].map((seat) => who(seat, pov)))].join(t("list.and"));

/**
 * A saying of a text, which differs where it is about the person.
 * @param {string} key
 * @param {string} seat
 * @param {Pov} pov
 * @param {Record<string, any>} [values]
 */
function aboutSeat(key, seat, pov, values = {}) {
  const own = relationOf(seat, pov) === "you" && has(`${key}.you`) ? `${key}.you` : key;
  return say(own, { who: who(seat, pov), ...values });
}

/**
 * A text in words about a seat.
 * @param {string} key
 * @param {string} seat
 * @param {Pov} pov
 * @param {Record<string, any>} [values]
 */
export const seatText = (key, seat, pov, values) => textOf(aboutSeat(key, seat, pov, values));

/**
 * @param {string} key
 * @param {Record<string, any>} [values] words, numbers, or the parts of a piece
 * @param {number[]} [points]
 * @returns {Saying}
 */
export function say(key, values = {}, points = []) {
  const [first, ...rest] = filled(key, values);
  return { parts: typeof first === "string" ? [capital(first), ...rest] : [first, ...rest], points };
}

/** Several sayings in a row. @param {...(Saying | string)} sayings @returns {Saying} */
export function together(...sayings) {
  const found = sayings
    .map((one) => (typeof one === "string" ? { parts: one ? [one] : [], points: [] } : one))
    .filter(({ parts }) => parts.length);
  return {
    parts: found.flatMap(({ parts }, index) => (index ? [sentences("", ""), ...parts] : parts)),
    points: found.flatMap(({ points }) => points),
  };
}

/** A saying in words, as it is read aloud. @param {Saying} saying */
export const textOf = ({ parts }) => parts.map((part) => (typeof part === "string" ? part : part.text)).join("");

/** The possible kinds of a hidden piece in a few words, or an empty text. @param {string} letters */
export function mayText(letters) {
  if (letters.length > 1 && RANKS.startsWith(letters))
    return t("piece.atLeast", { piece: t(`piece.${letters.at(-1)}`) });
  return letters.length <= MOST_NAMED ? either([...letters].map((letter) => t(`piece.${letter}`))) : "";
}

/** All that a piece may be: a run of ranks by its ends, other kinds by name. @param {string} letters */
export function rangeText(letters) {
  if (letters === KINDS) return t("problem.any");
  const runs = letters.match(/a?b?c?d?e?f?g?h?i?/)?.[0] ?? "";
  const isRun = runs.length > MOST_NAMED && KINDS.includes(runs);
  const names = [...(isRun ? letters.slice(runs.length) : letters)].map((letter) => t(`piece.${letter}`));
  return either([
    ...(isRun ? [t("problem.range", { high: t(`piece.${runs[0]}`), low: t(`piece.${runs.at(-1)}`) })] : []),
    ...names,
  ]);
}

/**
 * Whose piece it is, what it is, and what is proven about it.
 * @param {{ seat: string, letter: string, may?: string }} piece
 * @param {Pov} pov
 * @returns {(string | NamedPiece)[]}
 */
export function pieceOf({ seat, letter, may = "" }, pov) {
  const named = { text: t(letter === "?" ? "piece.unknown" : `piece.${letter}`), seat, letter };
  const relation = relationOf(seat, pov);
  const owner = relation !== "you" && pov.names?.[seat] ? "watched" : relation;
  const parts = filled(`of.${owner}`, { piece: named, who: who(seat, pov) });
  const proven = letter === "?" && may ? mayText(may) : "";
  return proven ? [...parts, t("piece.proven", { may: proven })] : parts;
}

/**
 * A piece in words that stand alone; the board marks it while they are pointed at.
 * @param {{ seat: string, letter: string, may?: string }} piece
 * @param {number} point
 * @param {Pov} pov
 * @returns {Saying}
 */
export function pieceSaying(piece, point, pov) {
  const [first, ...rest] = pieceOf(piece, pov);
  return { parts: [typeof first === "string" ? capital(first) : first, ...rest], points: [point] };
}

/** Whether a move has taken the Flag of the piece that it attacked. @param {LastMove} last @param {BoardData} data */
const hasTakenFlag = ({ outcome, defender, out, to }, data) =>
  outcome !== "defender-won" &&
  defender !== null &&
  out.includes(defender.seat) &&
  data.points[to]?.kind === "headquarters";

/**
 * A move as everyone knows it afterwards: what was taken in a headquarters was the Flag, if its seat is out.
 * @param {LastMove} last
 * @param {BoardData} data
 * @returns {LastMove}
 */
export const withFlag = (last, data) =>
  last.defender && hasTakenFlag(last, data) ? { ...last, defender: { ...last.defender, letter: "l", may: "l" } } : last;

/**
 * What happened at an entry of the record, and why.
 * @param {LastMove} entry
 * @param {BoardData} data
 * @param {Pov} pov
 * @param {boolean} [hasReason]
 */
export function moveSaying(entry, data, pov, hasReason = true) {
  const last = withFlag(entry, data);
  const { attacker, defender, outcome, seat } = last;
  const points = last.from < 0 ? [] : [last.from, last.to];
  /** @type {Saying[]} */
  const found = [];
  if (last.resigned) found.push(say("event.resigned", { who: who(seat, pov) }));
  else if (last.passed) found.push(aboutSeat("event.passed", seat, pov));
  else if (outcome === "no-battle" || !attacker || !defender) {
    const isKnown = attacker && attacker.letter !== "?";
    found.push(
      isKnown
        ? say("event.moved", { piece: pieceOf(attacker, pov) }, points)
        : say("event.moved.hidden", { who: who(seat, pov) }, points),
    );
  } else {
    const isCaptured = outcome === "attacker-won" && defender.letter === "l";
    found.push(
      say(
        `event.${isCaptured ? "captured" : outcome}`,
        { attacker: pieceOf(attacker, pov), defender: pieceOf(defender, pov) },
        points,
      ),
    );
    if (hasReason) found.push(together(whyText(last)));
  }
  for (const flag of last.flags)
    found.push(say("event.flag", { flag: pieceOf({ seat: data.points[flag].seat ?? "", letter: "l" }, pov) }, [flag]));
  const isFallen = (/** @type {string} */ out) =>
    last.resigned || last.passed || (hasTakenFlag(last, data) && out === defender?.seat);
  for (const out of last.out) found.push(aboutSeat(isFallen(out) ? "event.out" : "event.stuck", out, pov));
  return together(...found);
}

/** The points of a move, for a screen reader. @param {LastMove} last @param {BoardData} data */
export const wayText = ({ from, to }, { points }) =>
  points[from] ? t("announce.way", { from: points[from].name, to: points[to].name }) : "";

/**
 * The reason of the outcome of a battle, as far as the person can know it; empty without a battle.
 * @param {LastMove | null} last
 */
export function whyText(last) {
  const { attacker, defender, outcome } = last ?? {};
  if (!attacker || !defender || outcome === "no-battle") return "";
  const known = [attacker, defender].filter(({ letter }) => letter !== "?");
  const name = (/** @type {KnownPiece} */ piece) => t(`piece.${piece.letter}`);
  if (outcome === "both-removed") {
    if (known.some(({ letter }) => letter === "k" || letter === "j")) return t("why.bomb");
    if (known.length === 1) return t("why.equalOrBomb");
    return t(known.length ? "why.equal" : "why.both");
  }
  const [winner, loser] = outcome === "attacker-won" ? [attacker, defender] : [defender, attacker];
  if (loser.letter === "l") return "";
  if (winner.letter === "j") return t("why.mineHolds");
  if (loser.letter === "j") return t("why.mineCleared");
  if (winner.letter !== "?" && loser.letter !== "?")
    return t("why.outranks", { winner: name(winner), loser: name(loser) });
  if (loser.letter !== "?")
    return t(winner.may.includes("j") ? "why.strongerOrMine" : "why.stronger", { piece: name(loser) });
  // Only of a lower rank can be said that it was weaker.
  const isLower = [...loser.may].every((letter) => RANKS.includes(letter) && letter > winner.letter);
  return winner.letter !== "?" && isLower ? t("why.weaker", { piece: name(winner) }) : "";
}

/**
 * Why a piece cannot move, or cannot go where it was sent.
 * @param {Refusal} about
 */
export function whyNot({ chosen, clicked, kind, isTurn, isLineup, isOverHills, pov }) {
  const named = (/** @type {Shape} */ { letter }) => t(`piece.${letter}`);
  const isOwn = (/** @type {Shape} */ { seat }) => pov.mine.includes(String(seat));
  if (chosen && isLineup) {
    const bound = [chosen, clicked].find((one) => "jkl".includes(one?.letter ?? "?"));
    return clicked && isOwn(clicked) ? t(bound ? `no.swap.${bound.letter}` : "no.swap") : "";
  }
  if (chosen) {
    if (clicked && isOwn(clicked)) return t("no.own");
    if (clicked && kind === "campsite") return t("no.campsite");
    if (isOverHills) return t("no.hills");
    return t(chosen.letter === "i" ? "no.far.i" : "no.far", { piece: named(chosen) });
  }
  if (!clicked) return "";
  if (!isOwn(clicked))
    return textOf(
      say("no.enemy", {
        piece: pieceOf({ seat: String(clicked.seat), letter: String(clicked.letter), may: clicked.proven }, pov),
      }),
    );
  if (!isTurn) return t("error.not-your-turn");
  if (clicked.letter === "j") return t("no.mine");
  if (clicked.letter === "l") return t("no.flag");
  return kind === "headquarters" ? t("no.headquarters") : t("no.blocked", { piece: named(clicked) });
}

/**
 * A point in words: the piece there, or whose place it is.
 * @param {number} point
 * @param {Piece[]} pieces
 * @param {BoardData} data
 * @param {Pov} pov
 */
function placeOf(point, pieces, data, pov) {
  const [, , owner, letter] = pieces.find(([at]) => at === point) ?? [];
  if (owner) return pieceOf({ seat: owner, letter: String(letter) }, pov);
  const { kind, seat } = data.points[point];
  const place = t(kind === "station" ? "place.area" : `point.${kind}`);
  return seat ? filled(`of.${relationOf(seat, pov)}`, { piece: place, who: who(seat, pov) }) : t("place.centre");
}

/** What somebody points at. @param {Ping} ping @param {Piece[]} pieces @param {BoardData} data @param {Pov} pov */
export const pingText = ({ seats, point }, pieces, data, pov) =>
  seatText("ping.told", seats[0], pov, { what: placeOf(point, pieces, data, pov) });

/**
 * A move that is advised: what to attack, or which piece to move.
 * @param {"advice." | "moment." | "review." | "study."} kind the beginning of the key
 * @param {number} from
 * @param {number} to
 * @param {Piece[]} pieces
 * @param {Pov} pov
 * @param {BoardData} [data] for the target's place in words, and the names of both points
 */
export function adviceSaying(kind, from, to, pieces, pov, data) {
  const at = (/** @type {number} */ point) => pieces.find(([place]) => place === point);
  const named = (/** @type {Piece | undefined} */ piece) =>
    piece ? pieceOf({ seat: piece[2], letter: piece[3] }, pov) : t("piece.unknown");
  const place = data ? placeOf(to, pieces, data, pov) : "";
  const way = [from, to].map((point) => data?.points[point].name).join("–");
  const about = { piece: named(at(from)), target: named(at(to)), place, way, point: data?.points[to].name };
  return say(`${kind}${at(to) ? "attack" : "move"}`, about, [from, to]);
}

/** Whether the team of the person has won. @param {string | null} result @param {string} mine */
const isOfWinners = (result, mine) => [...mine].some((seat) => result?.includes(seat));

/**
 * How a game ended for the page's person; one that was surrendered is lost, even if the partner has won it.
 * @param {{ result: string | null, mine: string, surrendered?: boolean }} about
 * @returns {"won" | "lost" | "draw" | "over"}
 */
export function resultKind({ result, mine, surrendered }) {
  if (surrendered) return "lost";
  if (result === "draw") return "draw";
  if (!mine) return "over";
  return isOfWinners(result, mine) ? "won" : "lost";
}

/** The result of a game, as it is proclaimed. @param {string} result @param {Pov} pov */
export const wonText = (result, pov) =>
  isOfWinners(result, pov.mine) && !pov.surrendered ? t("end.win") : capital(resultText(result, pov));

/** The result of a game in words. @param {string} result the winners, or `draw` @param {Pov} pov */
export function resultText(result, pov) {
  if (result === "draw") return t(pov.surrendered ? "status.lost" : "status.draw");
  if (pov.mine && !isOfWinners(result, pov.mine)) return t("status.lost");
  if (pov.mine) return t(pov.surrendered ? "status.partnerWon" : "status.won");
  return t("status.wins", { team: whoAll(result, pov) });
}

/**
 * Why a game ended.
 * @param {{ ending: string | null, turn: string, result: string | null }} state
 * @param {Pov} pov
 */
export function endingText({ ending, turn, result }, pov) {
  const isOfLoser = (ending === "timeout" || ending === "no-moves") && turn && !result?.includes(turn);
  return isOfLoser ? seatText(`ended.${ending}`, turn, pov) : t("sentence", { text: capital(t(`ending.${ending}`)) });
}

/**
 * Why the answer to a problem is right or wrong, and what was better.
 * @param {ProblemVerdict} found
 * @param {string} theme
 * @param {Pov} pov
 */
export function verdictSaying({ is_right, answer, why, may, piece, best, points, chances, is_proven }, theme, pov) {
  const verdict = t(is_right ? "problem.right" : "problem.wrong");
  const own = (/** @type {string | undefined} */ letter) => pieceOf({ seat: pov.mine, letter: letter ?? "" }, pov);
  const fault = why ? [say(`problem.${why}`, { piece: own(piece), may: rangeText(may) })] : [];
  if (!answer) return together(verdict, ...fault, t("problem.again"));
  if (chances) {
    const [most, ...others] = Object.values(chances)
      .sort((a, b) => b - a)
      .map(percent);
    return together(
      verdict,
      say(is_proven ? "problem.proven" : "problem.likely", { best: most, others: clauses(...others) }, points),
    );
  }
  const key = theme === "save" ? "problem.saves" : theme === "own" ? "problem.best" : "problem.wins";
  const reason = { piece: own(best?.piece), may: rangeText(best?.may ?? "") };
  if (is_right) return together(verdict, say(key, reason, points));
  return together(verdict, ...fault, say("problem.better", { reason: filled(key, reason) }, points));
}
