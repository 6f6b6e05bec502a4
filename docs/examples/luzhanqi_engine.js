// A small engine for luzhanqi, of the level "plays". It was written from docs/protocol.md and docs/rules.md alone.
// It needs Node and no packages. For each own move it weighs the battle and the best answer. To see it play:
//   junqi-referee match --variant luzhanqi --engine cmd="node docs/examples/luzhanqi_engine.js" name=js \
//     --engine cmd=junqi-engine name=random option.Player=1.0 --each st=0.1 --rounds 10
'use strict';

// Kinds of pieces: how many a seat has, and what one is worth to the move chooser.
const COUNT = { a: 1, b: 1, c: 2, d: 2, e: 2, f: 2, g: 3, h: 3, i: 3, j: 3, k: 2, l: 1 };
const VALUE = { a: 100, b: 80, c: 60, d: 42, e: 30, f: 22, g: 15, h: 10, i: 20, j: 12, k: 40, l: 2000 };
const BUILT_IN = 'cbfahdehgegidcfkjkijgjhli';
const OWN_LINEUP = 'dhfhcebkaigdckeijgifjljhg';
const NO_CONTACT_LIMIT = 31;

// The board. A point is a number from 0 (a1) to 59 (e12).
const parsePoint = (text) => text.charCodeAt(0) - 97 + 5 * (Number(text.slice(1)) - 1);
const pointName = (point) => 'abcde'[point % 5] + (Math.floor(point / 5) + 1);
const pointSet = (text) => new Set(text.split(' ').map(parsePoint));
const opponent = (seat) => (seat === 'S' ? 'N' : 'S');
const CAMPSITES = pointSet('b3 d3 c4 b5 d5 b8 d8 c9 b10 d10');
const HEADQUARTERS = pointSet('b1 d1 b12 d12');
const RAILWAYS = ['a2 a11', 'e2 e11', 'a2 e2', 'a6 e6', 'a7 e7', 'a11 e11', 'c6 c7'].map(railwayPoints);
const PLACES = { S: lineupPlaces((point) => 59 - point), N: lineupPlaces((point) => point) };
const STEPS = []; // for each point, the points that a road or a railway joins to it
const RAIL_STEPS = []; // the same for railways only
for (let point = 0; point < 60; point++) {
  RAIL_STEPS[point] = RAILWAYS.flatMap((line) => {
    const at = line.indexOf(point);
    return at < 0 ? [] : line.slice(Math.max(at - 1, 0), at + 2).filter((other) => other !== point);
  });
  STEPS[point] = RAIL_STEPS[point].concat([...Array(60).keys()].filter((other) => isRoad(point, other)));
}

function railwayPoints(ends) {
  const [first, last] = ends.split(' ').map(parsePoint);
  const stride = last - first < 5 ? 1 : 5;
  return Array.from({ length: (last - first) / stride + 1 }, (_, index) => first + index * stride);
}

// The 25 points of a line-up: the front row first, each row from the owner's left.
function lineupPlaces(turned) {
  const northern = [...Array(30).keys()].map((index) => 34 - (index % 5) + 5 * Math.floor(index / 5));
  return northern.map(turned).filter((point) => !CAMPSITES.has(point));
}

function isRoad(from, to) {
  const files = Math.abs((from % 5) - (to % 5));
  const ranks = Math.abs(Math.floor(from / 5) - Math.floor(to / 5));
  if ((from < 30) !== (to < 30)) return false;
  return files + ranks === 1 || (files === 1 && ranks === 1 && (CAMPSITES.has(from) || CAMPSITES.has(to)));
}

// Where a piece of this kind could go from a point. board[point] is null or { seat, kinds }: all it may be.
function targets(board, from, kind) {
  if (HEADQUARTERS.has(from) || kind === 'j' || kind === 'l') return [];
  const found = new Set(STEPS[from]);
  if (kind === 'i') {
    const open = [from];
    for (const point of open) {
      const fresh = RAIL_STEPS[point].filter((next) => point === from || !found.has(next));
      fresh.forEach((next) => found.add(next));
      open.push(...fresh.filter((next) => !board[next]));
    }
  } else {
    for (const line of RAILWAYS.filter((points) => points.includes(from))) {
      for (const way of [1, -1]) {
        for (let at = line.indexOf(from) + way; at >= 0 && at < line.length; at += way) {
          found.add(line[at]);
          if (board[line[at]]) break;
        }
      }
    }
  }
  const mayEnter = (to) => !board[to] || (board[to].seat !== board[from].seat && !CAMPSITES.has(to));
  return [...found].filter(mayEnter);
}

// All moves of a seat, as [from, to]. A hidden piece is taken for an engineer only if it must be one.
function seatMoves(board, seat) {
  const origins = [...board.keys()].filter((point) => board[point] && board[point].seat === seat);
  return origins.flatMap((from) => {
    const kind = [...board[from].kinds].find((letter) => !'ijl'.includes(letter)) || board[from].kinds[0];
    return targets(board, from, kind).map((to) => [from, to]);
  });
}

function battle(attacker, defender) {
  if (attacker === 'k' || defender === 'k' || attacker === defender) return '=';
  if (defender === 'l') return 'x';
  if (defender === 'j') return attacker === 'i' ? 'x' : 'o';
  return attacker < defender ? 'x' : 'o';
}

// Moves the piece; outcome is x, o, = or empty.
function place(board, from, to, outcome) {
  if (outcome !== 'o') board[to] = outcome === '=' ? null : board[from];
  board[from] = null;
}

class Rejected extends Error {
  constructor(code, text) {
    super(`info string error ${code} ${text}`);
  }
}

function demand(condition, code, text) {
  if (!condition) throw new Rejected(code, text);
}

// What a hidden piece may be: in its own block nearly anything, elsewhere a kind that moves.
function possibleKinds(seat, point) {
  const row = seat === 'S' ? Math.floor(point / 5) : 11 - Math.floor(point / 5);
  return 'abcdefghik' + (row < 2 ? 'j' : '') + (row < 2 && HEADQUARTERS.has(point) ? 'l' : '');
}

function checkLineup(seat, letters) {
  demand([...letters].sort().join('') === [...BUILT_IN].sort().join(''), 'bad-lineup', `${seat}: 25 right pieces`);
  demand('bd'.includes(pointName(PLACES.S[letters.indexOf('l')])[0]) && letters.indexOf('l') > 19,
    'bad-lineup', `${seat}: the flag must be in a headquarters`);
  demand(letters.indexOf('j') >= 15, 'bad-lineup', `${seat}: landmines belong in the two back rows`);
  demand(letters.indexOf('k') >= 5, 'bad-lineup', `${seat}: a bomb must not be in the front row`);
}

// position startpos [lineup S:<25 letters> ...] [viewer SEATS]
function parseStart(words) {
  const lineups = {};
  let viewer = '';
  for (let index = 0; index < words.length; index++) {
    const lineup = words[index].match(/^([SN]):(.*)$/);
    if (words[index] === 'viewer' && !viewer) viewer = words[++index] || '';
    else if (lineup && !lineups[lineup[1]]) lineups[lineup[1]] = lineup[2];
    else demand(words[index] === 'lineup', 'bad-position', `unexpected '${words[index]}'`);
  }
  const given = Object.keys(lineups);
  if (!viewer) viewer = given.length === 2 ? '*' : given[0] || 'S';
  const seats = ['S', 'N'].filter((seat) => viewer === '*' || viewer === seat);
  demand(seats.length > 0, 'bad-position', `unknown viewer '${viewer}'`);
  demand(!given.length || given.sort().join() === [...seats].sort().join(), 'bad-lineup', 'not those of the viewer');
  const board = Array(60).fill(null);
  for (const seat of ['S', 'N']) {
    if (given.length && seats.includes(seat)) checkLineup(seat, lineups[seat]);
    PLACES[seat].forEach((point, index) => {
      const hidden = possibleKinds(seat, point).replace(index < 5 ? 'k' : '', '');
      board[point] = { seat, kinds: seats.includes(seat) ? (lineups[seat] || BUILT_IN)[index] : hidden };
    });
  }
  return { board, turn: 'S', alive: 'SN', viewer: seats.join(''), quiet: 0 };
}
