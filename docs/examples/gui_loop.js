// The loop of a GUI, for Node: luzhanqi between an engine as North and a person as South, here played by a script.
//
//     node gui_loop.js
//     node gui_loop.js "python own_engine.py"
//
// It speaks only the protocol. The referee is a process of junqi-engine that gets both line-ups and the viewer `*`: it
// tells the legal moves, the board and the result, and rejects a list of moves that is wrong. What everyone sees of a
// battle is found by comparing the boards before and after it; the last move is shown without, as nobody answers it.
"use strict";
const { spawn } = require("node:child_process");
const { createInterface } = require("node:readline");
const LAST = { uci: "uciok", isready: "readyok", go: "bestmove" };

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

function boardOf(fen) { // what is on each point: { a12: "Ng", a11: "..", ... }
  const board = {};
  fen.split("/").forEach((rank, row) => {
    const pieces = rank.replace(/\d/g, (gap) => "..".repeat(gap)).match(/../g);
    pieces.forEach((piece, file) => (board["abcde"[file] + (12 - row)] = piece));
  });
  return board;
}

function seen(move, before, after) { // the move with its suffix: how the battle ended, and which flags it revealed
  const [from, to] = move.match(/[a-e]\d+/g);
  if (before[to] === "..") return move;
  const outcome = after[to] === before[from] ? "x" : after[to] === before[to] ? "o" : "=";
  const removed = { x: [to], o: [from], "=": [from, to] }[outcome].map((point) => before[point]);
  const flags = removed.filter((piece) => piece[1] === "a").map((piece) => piece[0] + "l"); // of a Field Marshal's seat
  const points = flags.map((flag) => Object.keys(before).find((point) => before[point] === flag));
  return [move + outcome, ...points].join("!");
}

function person({ legal, board }, ply) { // the script: the first attack, else a move that changes from turn to turn
  return legal.find((move) => board[move.match(/[a-e]\d+$/)] !== "..") ?? legal[(7 * ply) % legal.length];
}

async function main(northCommand = "junqi-engine", refereeCommand = "junqi-engine") {
  const [north, referee] = [start(northCommand), start(refereeCommand)];
  for (const engine of [north, referee]) {
    await engine("uci");
    await engine("setoption name UCI_Variant value luzhanqi", "ucinewgame", "isready");
  }
  const setUp = async (engine, seat) => `${seat}:${(await engine(`go setup ${seat}`)).at(-1).split("@")[1]}`;
  const lineups = { S: await setUp(referee, "S"), N: await setUp(north, "N") };
  const moves = [];
  const position = (lineup, viewer) => `position startpos lineup ${lineup} viewer ${viewer} moves ${moves.join(" ")}`;
  const ruled = async () => { // what the referee says of the position
    const lines = await referee(position(`${lineups.S} ${lineups.N}`, "*"), "legal", "d", "isready");
    const after = (word) => lines.find((line) => line.startsWith(`info string ${word}`))?.slice(13 + word.length);
    const [board, turn] = after("fen").split(" ");
    return { board: boardOf(board), turn, legal: after("legal").split(" "), result: after("result") };
  };

  let now = await ruled();
  while (!now.result) {
    let move = person(now, moves.length);
    if (now.turn === "N") {
      const answer = await north(position(lineups.N, "N"), "go movetime 100");
      answer.slice(0, -1).forEach((line) => console.log("    " + line));
      move = answer.at(-1).split(" ")[1];
    }
    moves.push(move); // without its suffix
    const next = await ruled();
    if (!next.result) moves[moves.length - 1] = seen(move, now.board, next.board);
    console.log(`${moves.length}. ${moves.at(-1)}`);
    now = next;
  }
  console.log(`${position(`${lineups.S} ${lineups.N}`, "*")}\n${now.result}`); // the record of the game
  [north, referee].forEach((engine) => engine("quit"));
}

main(...process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
