// A small engine for luzhanqi, of the level "plays". It was written from docs/protocol.md and docs/rules.md alone.
// It needs Node and no packages. For each of its moves it weighs the battle and the best answer. To see it play:
//     junqi-referee match --variant luzhanqi --engine cmd="node docs/examples/luzhanqi_engine.js" name=js \
//         --engine cmd=junqi-engine name=random option.Player=1.0 --each st=0.1 --rounds 10

const BUILT_IN = 'cbfahdehgegidcfkjkijgjhli'; // the line-up where none is given
const VALUE = { a: 100, b: 80, c: 60, d: 42, e: 30, f: 22, g: 15, h: 10, i: 20, j: 12, k: 40, l: 2000 };
// How likely a hidden piece is of each kind; landmines and flags count more, for few points can hold them.
const WEIGHT = { a: 1, b: 1, c: 2, d: 2, e: 2, f: 2, g: 3, h: 3, i: 3, j: 8, k: 2, l: 12 };

// The board: points are named a1 to e12. A board maps a point to { seat, kinds }: all that the piece may be.
const row = (rank) => [...'abcde'].map((file) => file + rank);
const column = (file) => [2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((rank) => file + rank);
const rankOf = (point) => Number(point.slice(1));
const other = (seat) => (seat === 'S' ? 'N' : 'S');
const POINTS = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].flatMap(row); // in the order of a FEN
const CAMPSITES = ['b3', 'd3', 'c4', 'b5', 'd5', 'b8', 'd8', 'c9', 'b10', 'd10'];
const HEADQUARTERS = ['b1', 'd1', 'b12', 'd12'];
const RAILWAYS = [column('a'), column('e'), row(2), row(6), row(7), row(11), ['c6', 'c7']]
  .flatMap((line) => [line, [...line].reverse()]);
const placesOf = (block) => block.filter((point) => !CAMPSITES.includes(point));
const PLACES = { S: placesOf(POINTS.slice(30)), N: placesOf(POINTS.slice(0, 30).reverse()) }; // as in a line-up
const ROADS = Object.fromEntries(POINTS.map((from) => [from, POINTS.filter((to) => isRoad(from, to))]));
const RAYS = Object.fromEntries(POINTS.map((from) => [from, RAILWAYS.filter((line) => line.slice(0, -1).includes(from))
  .map((line) => line.slice(line.indexOf(from) + 1))])); // what lies ahead on each line, each way

function isRoad(from, to) {
  const files = Math.abs(from.charCodeAt(0) - to.charCodeAt(0));
  const ranks = Math.abs(rankOf(from) - rankOf(to));
  const diagonal = files * ranks === 1 && (CAMPSITES.includes(from) || CAMPSITES.includes(to));
  return (rankOf(from) > 6) === (rankOf(to) > 6) && (files + ranks === 1 || diagonal);
}

// Where the piece on a point can go if it is of this kind.
function targets(board, from, kind) {
  if (HEADQUARTERS.includes(from) || 'jl'.includes(kind)) return [];
  const runs = RAYS[from].flatMap((ray) => ray.filter((_, at) => !ray.slice(0, at).some((point) => board[point])));
  const found = new Set([from, ...runs]);
  for (const point of kind === 'i' ? found : []) { // a Set also visits what is added meanwhile
    if (point === from || !board[point]) RAYS[point].forEach((ray) => found.add(ray[0]));
  }
  ROADS[from].forEach((point) => found.add(point));
  return [...found].filter((to) => !board[to] || (board[to].seat !== board[from].seat && !CAMPSITES.includes(to)));
}

// All moves of a seat, as [from, to]. A hidden piece moves as the first kind that it may be.
function seatMoves(board, seat) {
  const origins = POINTS.filter((point) => board[point] && board[point].seat === seat);
  return origins.flatMap((from) => targets(board, from, board[from].kinds[0]).map((to) => [from, to]));
}

function battle(attacker, defender) {
  if (attacker === 'k' || defender === 'k' || attacker === defender) return '=';
  return defender === 'l' || (defender === 'j' ? attacker === 'i' : attacker < defender) ? 'x' : 'o';
}

function movePiece(board, from, to, outcome) {
  if (outcome !== 'o') board[to] = outcome === '=' ? null : board[from];
  board[from] = null;
}

// Rejects the command that is being carried out, unless the condition holds.
function demand(condition, code, text) {
  if (!condition) throw Object.assign(new Error(text), { code });
}

const hiddenKinds = (seat, point) => 'abcdefghik' + (PLACES[seat].indexOf(point) >= 15 ? 'j' : '')
  + (PLACES[seat].includes(point) && HEADQUARTERS.includes(point) ? 'l' : '');

function parseStart(text) {
  demand(/^startpos( viewer [SN*])?( lineup( [SN]:\S+)+)?( viewer [SN*])?$/.test(text), 'bad-position', text);
  const lineups = Object.fromEntries([...text.matchAll(/ ([SN]):(\S+)/g)].map((match) => match.slice(1)));
  const given = Object.keys(lineups).sort().reverse().join(''); // S before N
  const viewer = (text.match(/viewer (.)/) || ['', given || 'S'])[1].replace('*', 'SN');
  demand(!given || given === viewer, 'bad-lineup', 'each seat of the viewer needs one, no other seat may have one');
  const board = {};
  for (const seat of 'SN') {
    const lineup = lineups[seat] || BUILT_IN;
    const complete = [...lineup].sort().join('') === [...BUILT_IN].sort().join('');
    demand(complete && /^[^jk]{5}[^j]{10}.{6}(l|..l)/.test(lineup), 'bad-lineup', `${seat}:${lineup}`);
    PLACES[seat].forEach((point, index) => {
      board[point] = { seat, kinds: viewer.includes(seat) ? lineup[index] : hiddenKinds(seat, point) };
    });
  }
  return { board, turn: 'S', viewer, quiet: 0 };
}

function parseFen(text) {
  const form = text.match(/^fen (\S+) ([SN]) (S?N?) ([SN*]) (\d{1,7}) \d{1,7}(?: (?:-|((?:[a-e]\d+:[a-l]+,?)+)))?$/);
  const cells = form ? form[1].replace(/[2-5]/g, (count) => '1'.repeat(count)).split('/') : [];
  demand(cells.length === 12 && cells.every((rank) => /^(1|[SN][a-l?]){5}$/.test(rank)), 'bad-position', text);
  const viewer = form[4].replace('*', 'SN');
  const masks = Object.fromEntries((form[6] || '').split(',').map((mask) => mask.split(':')));
  const board = {};
  cells.join('').match(/1|../g).forEach(([seat, kind], index) => {
    const point = POINTS[index];
    if (seat === '1') return;
    demand(viewer.includes(seat) ? kind !== '?' : '?l'.includes(kind), 'leak', `${seat}${kind} on ${point}`);
    board[point] = { seat, kinds: kind === '?' ? masks[point] || hiddenKinds(seat, point) : kind };
  });
  return { board, turn: form[2], viewer, quiet: Number(form[5]), over: form[3] !== 'SN' };
}

// Plays a word of the move list, and keeps of the kinds of both pieces those that explain the outcome.
function play(state, word) {
  const form = word.match(/^(?:([a-e]\d+)([a-e]\d+)([xo=]?)|(resign:|pass:)[SN])((?:![a-e]\d+)*)((?:#[SN])*)$/);
  demand(form, 'bad-move', word);
  demand(!state.over, 'game-over', word);
  const [from, to, suffix, leave, flags, out] = form.slice(1);
  state.over = leave === 'resign:' || out !== ''; // an elimination ends the game of two
  if (from) playMove(state, from, to, suffix);
  for (const flag of flags.split('!').map((point) => state.board[point]).filter(Boolean)) {
    const hidden = Object.values(state.board).filter((p) => p && p.seat === flag.seat && p.kinds.length > 1);
    hidden.forEach((piece) => { piece.kinds = piece === flag ? 'l' : piece.kinds.replace(/[al]/g, ''); });
  }
  state.turn = other(state.turn);
}

function playMove(state, from, to, suffix) {
  const [piece, enemy] = [state.board[from], state.board[to]];
  let kinds = [...(piece ? piece.kinds : '')].filter((kind) => targets(state.board, from, kind).includes(to));
  demand(kinds.length > 0 && piece.seat === state.turn, 'illegal-move', from + to);
  const outcome = suffix || (enemy && kinds.length + enemy.kinds.length === 2 ? battle(kinds[0], enemy.kinds) : '');
  demand(!enemy || outcome, 'missing-outcome', from + to);
  if (enemy) {
    kinds = kinds.filter((kind) => [...enemy.kinds].some((against) => battle(kind, against) === outcome));
    enemy.kinds = [...enemy.kinds].filter((own) => kinds.some((kind) => battle(kind, own) === outcome)).join('');
    state.over = state.over || enemy.kinds === 'l';
  }
  demand(kinds.length > 0 && (enemy || !outcome), 'impossible-outcome', from + to);
  piece.kinds = kinds.join('');
  movePiece(state.board, from, to, outcome);
  state.quiet = enemy ? 0 : state.quiet + 1;
}

function expectedGain(attacker, defender) {
  let [sum, total] = [0, 1e-9];
  for (const kind of attacker.kinds.replace(/[jl]/g, '')) {
    for (const against of defender.kinds) {
      const [weight, outcome] = [WEIGHT[kind] * WEIGHT[against], battle(kind, against)];
      sum += weight * ((outcome === 'o' ? 0 : VALUE[against]) - (outcome === 'x' ? 0 : VALUE[kind]));
      total += weight;
    }
  }
  return sum / total;
}

// The gain of a move, less that of the best answer, with a little for the way forward.
function scoreMove({ board, turn, quiet }, [from, to]) {
  const gain = board[to] ? expectedGain(board[from], board[to]) : 0;
  const overdue = board[to] && quiet % 2 ? Math.max(0, quiet - 15) * 5 : 0; // 31 quiet plies lose the game
  const advance = (rankOf(to) - rankOf(from)) * (turn === 'S' ? 1 : -1);
  const next = { ...board };
  movePiece(next, from, to, 'x');
  const attacks = seatMoves(next, other(turn)).filter(([, point]) => next[point]);
  const loss = Math.max(0, ...attacks.map(([start, point]) => expectedGain(next[start], next[point])));
  return gain + advance + overdue - loss + Math.random();
}

let game = parseStart('startpos');
const COMMANDS = { // a command that is not here is ignored
  uci: () => console.log('id name luzhanqi.js\nid author a reader of the protocol\n'
    + 'option name UCI_Variant type combo default luzhanqi var luzhanqi\ninfo string protocol-version 2\nuciok'),
  setoption: ([, name, , to]) => demand(!/^UCI_Variant$/i.test(name) || /^luzhanqi$/i.test(to), 'bad-value', `${to}`),
  position(words) {
    const [start, moves = ''] = words.join(' ').split(' moves');
    const state = start.startsWith('fen') ? parseFen(start) : parseStart(start);
    moves.split(' ').filter(Boolean).forEach((word) => play(state, word));
    game = state;
  },
  go([word]) {
    if (word === 'setup') return console.log(`bestmove @${BUILT_IN}`);
    const scored = seatMoves(game.board, game.turn).map((move) => [scoreMove(game, move), move.join('')]);
    demand(scored.length > 0 && !game.over, 'game-over', 'the game has ended');
    demand(game.viewer.includes(game.turn), 'not-our-seat', `${game.turn} is to move`);
    return console.log(`bestmove ${scored.reduce((best, next) => (next[0] > best[0] ? next : best))[1]}`);
  },
  isready: () => console.log('readyok'),
  quit: () => process.exit(0),
};

function carryOut(line) {
  const words = line.split(/[ \t\r]+/);
  const at = words.findIndex((word) => Object.hasOwn(COMMANDS, word));
  if (/^[ \t\r]*#/.test(line) || at < 0) return;
  try {
    COMMANDS[words[at]](words.slice(at + 1).filter(Boolean));
  } catch (error) {
    console.log(`info string error ${error.code || 'internal'} ${error.message.slice(0, 200)}`);
    if (words[at] === 'go') console.log('bestmove (none)');
  }
}

process.stdout.on('error', () => process.exit(1));
let rest = ''; // the beginning of a line that is still to end
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  lines.forEach(carryOut);
}).on('end', () => carryOut(rest));
