// The loop of a GUI, for Node: one engine plays East and West (in luzhanqi North), a person the others, here a script.
//
//     node gui_loop.js siguo > game.jsonl
//     node gui_loop.js luzhanqi "python own_engine.py" > game.jsonl
//     junqi-referee replay game.jsonl 1
//
// It speaks only the protocol and knows no rules. The referee is a process of junqi-engine that gets all line-ups and the
// viewer `*`: it tells the legal moves, the board, every move with its suffix, the result and the ending, and rejects a
// list of moves that is wrong. Moves go to stderr, the record of the game to stdout.
"use strict";
const { spawn } = require("node:child_process");
const { createInterface } = require("node:readline");
const LAST = { uci: "uciok", isready: "readyok", go: "bestmove" };
const TEAMS = { siguo: ["SN", "EW"], luzhanqi: ["S", "N"] };

function start(command) { // gives a function that sends lines, and returns the answer to the last of them
  const child = spawn(command, { shell: true, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.on("error", () => {}); // the process has ended, as the next answer tells
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (...said) => {
    child.stdin.write(said.join("\n") + "\n");
    const last = LAST[said.at(-1).split(" ")[0]];
    const answer = [];
    while (last && !answer.at(-1)?.startsWith(last)) {
      const { value, done } = await lines.next();
      if (done || value.startsWith("info string error")) throw new Error(`${command}: ${value ?? "it has ended"}`);
      answer.push(value);
    }
    return answer;
  };
}

function occupied(fen) { // the points on which a piece stands
  const ranks = fen.split("/").map((rank) => rank.replace(/\d+/g, (gap) => "..".repeat(gap)).match(/../g));
  const named = ranks.map((pieces, row) => pieces.map((piece, file) =>
    piece === ".." ? [] : "abcdefghijklmnopq"[file] + (ranks.length - row)));
  return new Set(named.flat(2));
}

function person({ legal, taken }, ply) { // the script: the first attack, else a move that changes from turn to turn
  return legal.find((move) => taken.has(move.match(/[a-q]\d+$/)[0])) ?? legal[(7 * ply) % legal.length];
}

async function main(variant = "siguo", engineCommand = "junqi-engine", refereeCommand = "junqi-engine") {
  const [engine, referee] = [start(engineCommand), start(refereeCommand)];
  for (const each of [engine, referee]) {
    await each("uci");
    await each(`setoption name UCI_Variant value ${variant}`, "ucinewgame", "isready");
  }
  const [ours, theirs] = TEAMS[variant];
  const lineups = {};
  for (const seat of ours) lineups[seat] = (await referee(`go setup ${seat}`)).at(-1).split("@")[1];
  for (const seat of theirs) {
    lineups[seat] = (await engine(`position startpos viewer ${theirs}`, `go setup ${seat}`)).at(-1).split("@")[1];
  }
  const position = (seats, viewer, moves) => `position startpos lineup ${[...seats].map((seat) =>
    `${seat}:${lineups[seat]}`).join(" ")} viewer ${viewer} moves ${moves.join(" ")}`;
  const ruled = async (moves) => { // what the referee says of the position after these moves
    const lines = await referee(position(ours + theirs, "*", moves), "legal", "moves", "d", "isready");
    const after = (word) => lines.find((line) => line.startsWith(`info string ${word}`))?.slice(13 + word.length);
    const [board, turn] = after("fen").split(" ");
    const words = (word) => after(word).split(" ").filter(Boolean);
    return { taken: occupied(board), turn, legal: words("legal"), moves: words("moves"), result: after("result"),
      ending: after("ending") };
  };

  let now = await ruled([]);
  while (!now.result) {
    let move = person(now, now.moves.length);
    if (theirs.includes(now.turn)) {
      const answer = await engine(position(theirs, theirs, now.moves), "go movetime 20");
      answer.slice(0, -1).forEach((line) => console.error("    " + line));
      move = answer.at(-1).split(" ")[1];
    }
    now = await ruled([...now.moves, move]); // it adds the suffix
    console.error(`${now.moves.length}. ${now.moves.at(-1)}`);
  }
  console.log(JSON.stringify({ game: 1, variant, visibility: "partner", engines: { [ours]: { name: "person" },
    [theirs]: { name: engineCommand } }, seed: 0, rules: { version: 2 }, lineups, first: "S", moves: now.moves,
    times_ms: now.moves.map(() => 0), scores: now.moves.map(() => null), result: now.result.replace(" wins", ""),
    ending: now.ending, detail: "" }));
  [engine, referee].forEach((each) => each("quit"));
}

main(...process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
