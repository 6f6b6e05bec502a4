// Functions of the board's page that need no browser. Its files are in the folder `page` beside a copy of this file.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** Stands for an element: it keeps what is written to it, and takes any call. */
const element = () =>
  new Proxy(() => {}, {
    get: (written, name) => (Object.hasOwn(written, name) ? written[name] : element()),
    set: (written, name, value) => Reflect.defineProperty(written, name, { value, configurable: true, writable: true }),
    apply: () => element(),
  });
const elements = {};
const $ = (id) => (elements[id] ??= element());
const store = {};
const location = { pathname: "/", hash: "" };
Object.assign(globalThis, {
  window: globalThis,
  document: { getElementById: $, querySelectorAll: () => [], createElement: element, createElementNS: element },
  localStorage: { getItem: (name) => store[name] ?? null, setItem: (name, text) => (store[name] = text) },
  location,
  history: { replaceState: (state, title, path) => (location.shown = path) },
  matchMedia: () => ({ matches: false, addEventListener: () => {} }),
});
Object.defineProperty(globalThis, "navigator", { value: { language: "en" }, configurable: true });

const page = (name) => import(`./page/${name}.js`);
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf-8"));
const { has, readTexts, switchLanguage, t } = await page("texts");
const { generalName, LEVELS } = await page("game/levels");
const { boardOf, isMove, learnBoard, sceneOf } = await page("board/boards");
const { gainOf } = await page("board/battle_sign");
const { progressText } = await page("record/end_card");
const { decisiveMoments, keyMoments, ownMistakes, playedOn, summarySaying } = await page("record/moments");
const { state } = await page("state");
const { invitedText, isTold, teamName } = await page("game/people");
const { beginLineup, lineupOf, startAtOnce } = await page("game/lineup");
const { addFact, factsOf, setSetting, setting, takeStored } = await page("shell/store");
const { receiveChat } = await page("game/people");
const { socket } = await page("socket");
const { keepIds, peopleOn, stopOf } = await page("board/teaser_board");
const { pointText } = await page("board/point_text");
const { drawingFault, positionOf } = await page("learn/teaser_editor");
const { faultText, nothingText } = await page("learn/teaser_faults");
const { withMove } = await page("learn/teaser_play");
const { loadLibrary } = await page("record/unfinished");
const { gainText } = await page("shell/ratings");
const voice = await page("voice");
readTexts(read("page/texts.json"));
Object.values(read("page/board/boards.json")).forEach(learnBoard);

const GAME = { game: 1, variant: "luzhanqi", visibility: "dark", mine: "S", seats: { S: {}, N: {} }, moves: ["a6a7"] };
const DATA = boardOf("luzhanqi");
const POV = { mine: "S", seats: "SN" };

test("a message that is too large for the server is not sent", async () => {
  socket.tried();
  const answer = socket.request("study_show", { fen: "x".repeat(300_000) });
  await assert.rejects(answer, ({ code }) => code === "too-large");
});

test("lines of the chat are said at a plate only if they come while the page is open", () => {
  const pov = { mine: "S", seats: "SENW" };
  const [old, fresh] = ["old", "fresh"].map((words) => ({ seats: "N", name: "", words, to_all: true }));
  receiveChat({ lines: [old], count: 1 }, pov);
  assert.equal(state.chat.said, null);
  receiveChat({ lines: [old, fresh], count: 2 }, pov);
  assert.equal(state.chat.said, fresh);
});

test("a rating is shown from the fifth game of its variant on", () => {
  for (const [count, english, chinese] of [
    [1, "Luzhanqi: rating after 5 games, 1 so far", "二人军棋：满 5 局有等级分，已下 1 局"],
    [4, "Luzhanqi: rating after 5 games, 4 so far", "二人军棋：满 5 局有等级分，已下 4 局"],
    [5, "rating 905 (−15)", "等级分 905（−15）"],
  ]) {
    const luzhanqi = { rating: 905.2, history: Array(count).fill(905) };
    state.ladder = { ...state.ladder, ratings: { luzhanqi, siguo: { rating: 1000, history: Array(9).fill(1000) } } };
    for (const text of [english, chinese]) {
      assert.equal(gainText({ ...GAME, rating_change: { rating: 905, change: -15 } }), text);
      switchLanguage();
    }
  }
  assert.equal(gainText({ ...GAME, rating_change: null }), "");
});

test("two moves of one block in a row are one, there and back none", () => {
  const rows = [
    ["klotski", "", "Ar", "Ar"],
    ["klotski", "Bd Ar", "Ar", "Bd Arr"],
    ["klotski", "Bd Ar", "Ad", "Bd Ard"],
    ["klotski", "Bd Ard", "Aul", "Bd"],
    ["klotski", "Arrd", "Aul", "Ar"],
    ["klotski", "Ar", "Bl", "Ar Bl"],
    ["match3", "a1b1", "a1b1", "a1b1 a1b1"],
  ];
  for (const [variant, before, move, after] of rows) {
    const moves = withMove({ teaser: { variant }, moves: before.split(" ").filter(Boolean) }, move);
    assert.equal(moves.join(" "), after);
  }
});

test("people are on the blocks of Huarongdao alone", () => {
  const block = (id, kind, ...rects) => ({ id, kind, rects });
  const shapes = [block("A", "block", [-0.5, -1], [-0.5, 0]), block("B", "block", [-1, -0.5], [0, -0.5]), block("C", "chosen", [-1, -1], [0, -1], [-1, 0], [0, 0]), block("D", "block", [-0.5, -0.5])];
  const people = (goal, those = shapes) => [...peopleOn({ teaser: { goal }, shapes: those }).values()].join(" ");
  assert.equal(people("klotski"), "zhangfei guanyu caocao soldier");
  assert.equal(people("cars"), "");
  assert.equal(people("klotski", [...shapes, block("E", "block", [-1, -1], [0, -1], [0, 0])]), "");
  assert.equal(people("klotski", [...shapes, block("F", "block", [-1.5, -0.5], [0.5, -0.5])]), "", "it is in two parts");
});

test("a board that is drawn or written is read as a position", () => {
  for (const [kind, text, position] of [
    ["klotski", "AAB\nAA.\nCCD\n", "AAB/AA./CCD goal .../AA./AA."],
    ["klotski", "BAAC\nBAAC\nI..J", "BAAC/BAAC/I..J goal ..../.AA./.AA."],
    ["klotski", "ab/.. goal b./..", "ab/.. goal b./.."],
    ["cars", "AA.\n..B\n..B", "AA...B..B"],
    ["match3", "12\n21", "12/21"],
    ["tour", " 5x6 start a1 closed\n", "5x6 start a1 closed"],
  ])
    assert.equal(positionOf(kind, text), position);
});

test("a block of an own board may have any shape, but hangs together", () => {
  assert.deepEqual(drawingFault("klotski", "AAB\nA.B\n..B\nCCC"), null, "the letter L is one");
  assert.deepEqual(drawingFault("klotski", "A.B/..B/A.C goal .../A../..A"), { code: "own-parted", text: "A" });
  assert.deepEqual(drawingFault("match3", "121\n212"), null);
  assert.deepEqual(drawingFault("klotski", " \n"), { code: "own-empty", text: "" });
  const wrong = faultText(drawingFault("match3", "33x3 / 1232"));
  assert.equal(wrong, "Row 1, column 3: this character cannot be used on this board.");
});

test("an engine's words on an own board become those of the page", () => {
  for (const [text, words] of [
    ["row 2 of the board has 1 cells, row 1 has 2", "Row 2 is not as long as row 1."],
    ["row 1, column 2: '?' is not 1..9, a..z or '.'", "Row 1, column 2: this character cannot be used on this board."],
    ["B on f6 is no car: a car is straight", "B is no car: a car covers two squares or more in a straight line."],
    ["start: 'z9' is off the board of 5 x 5", "There is no square z9 on this board."],
    ["the piece A has another shape in the goal than on the board", "In the goal, A has another shape than on the board."],
    ["the goal's piece B is not on the board", "The engine does not accept this: the goal's piece B is not on the board"],
  ])
    assert.equal(faultText({ code: "rejected", text }), words);
  assert.equal(nothingText(["unsolvable proven by 6 states"]), "It cannot be solved from here.");
  assert.equal(nothingText(["12 nodes"]), "No solution: 12 nodes");
});

test("a block that is dragged too far stops at the last target on the way", () => {
  const place = ([x, y]) => ({ x, y });
  const targets = [[1, 0], [2, 0], [2, 1], [0, -1]].map(place);
  for (const [to, stop] of [
    [[5, 0.4], [2, 0]],
    [[1.8, 1.2], [1, 0]],
    [[0.3, -4], [0, -1]],
    [[-3, 0], undefined],
    [[0, 3], undefined],
  ])
    assert.deepEqual(stopOf(targets, { x: 0, y: 0 }, place(to)) ?? undefined, stop && place(stop));
  const exit = place([2, 2.3]);
  assert.deepEqual(stopOf(targets, { x: 0, y: 0 }, place([2.4, 2.8]), exit), place([2, 1]), "the arrow takes what stands before it");
  assert.equal(stopOf(targets.slice(0, 1), { x: 0, y: 0 }, place([2.4, 2.8]), exit), null);
});

test("a shape of a teaser keeps the id of the nearest one like it", () => {
  const shapesOf = (rows) => rows.flatMap((row, y) => [...row].flatMap((kind, x) => (kind === "." ? [] : [{ id: `${kind}@${x},${y}`, x, y }])));
  const rows = [
    [["12", "31", "21"], [".2", "11", "21"], { "0,1": "1@0,0" }],
    // All fall by one, and another one comes from above.
    [["1", "1", "3"], ["1", "1", "1"], { "0,0": "1@0,0", "0,1": "1@0,1", "0,2": "1@0,2" }],
    [["1", "2", "3"], ["1", "1", "2"], { "0,0": "1@0,0", "0,2": "2@0,1" }],
  ];
  for (const [before, after, expected] of rows) {
    const [shapes, choices] = [shapesOf(after), shapesOf(after)];
    keepIds({ shapes, choices }, shapesOf(before));
    const ids = Object.fromEntries(shapes.map(({ id, x, y }) => [`${x},${y}`, id]));
    assert.deepEqual({ ...ids, ...expected }, ids);
    assert.equal(new Set(Object.values(ids)).size, shapes.length);
    assert.deepEqual(choices.map(({ id }) => id), shapes.map(({ id }) => id));
  }
  // One that returns when a move is taken back has a name of its own.
  let shapes = shapesOf(["1", ".", "."]);
  for (const after of [[".", "1", "."], ["1", "1", "."], [".", "1", "1"], ["1", "1", "1"]]) {
    const [before, now] = [shapes, shapesOf(after)];
    keepIds({ shapes: now, choices: [] }, before);
    assert.equal(new Set(now.map(({ id }) => id)).size, now.length);
    shapes = now;
  }
});

test("who lost the piece of a battle", () => {
  const rows = [
    ["attacker-won", "SN", "won"], ["attacker-won", "EW", "lost"], ["attacker-won", "", "other"],
    ["defender-won", "SN", "lost"], ["defender-won", "EW", "won"], ["defender-won", "", "other"],
    ["both-removed", "SN", "even"], ["both-removed", "EW", "even"], ["both-removed", "", "even"],
  ];
  for (const [outcome, team, gain] of rows) assert.equal(gainOf({ outcome, attacker: { seat: "S" }, defender: { seat: "E" } }, team), gain);
});

test("a line-up that was kept is sent at once only if it is legal", () => {
  const draft = "cbfahdehgegidcfkjkijgjhli";
  const places = [...draft].map((_, place) => place);
  const from = { j: places.slice(15), k: places.slice(5), l: [21, 23] };
  const allowed = Object.fromEntries([..."abcdefghijkl"].map((letter) => [letter, from[letter] ?? places]));
  const other = `bc${draft.slice(2)}`;
  const rows = [
    [{ S: other }, other], [{ S: draft.slice(1) }, draft], [{ S: `${draft}a` }, draft], [{ S: draft.replace("b", "a") }, draft], [{ S: draft.replace("a", "z") }, draft],
    [{ S: `k${draft.slice(1).replace("k", "c")}` }, draft], [{ S: `${draft.slice(0, 23)}il` }, draft], [{ S: 7 }, draft], [{ N: other }, draft], ["x", draft], [null, draft],
  ];
  for (const [last, sent] of rows) {
    setSetting("lineup.luzhanqi", last);
    startAtOnce();
    socket.request = async (_, { lineups }) => assert.deepEqual(lineups, { S: sent });
    const game = { ...GAME, phase: "arranging", drafts: { S: draft }, allowed };
    state.table = { ...state.table, game };
    beginLineup(null, game);
    assert.equal(lineupOf(game).letters.S, sent, JSON.stringify(last));
  }
});

test("an entry is a move, with or without its outcome", () => {
  const rows = [["a6a1", "a6a1", true], ["a6a1x", "a6a1", true], ["a6a10", "a6a1", false], ["a6a10x", "a6a10", true]];
  for (const [entry, move, expected] of rows) assert.equal(isMove(entry, move), expected, entry);
});

test("what a hidden piece may be is said shortly or not at all", () => {
  const rows = [["a", "a", ""], ["abc", "c", "a"], ["abcdefghi", "i", "h"], ["jkl", "jkl", ""], ["bd", "bd", ""], ["bdfh", "", ""], ["bcde", "", ""]];
  for (const [letters, named, unnamed] of rows) {
    assert.equal(voice.mayText(letters) === "", named === "", letters);
    for (const letter of named) assert.ok(voice.mayText(letters).includes(t(`piece.${letter}`)), letters);
    for (const letter of unnamed) assert.ok(!voice.mayText(letters).includes(t(`piece.${letter}`)), letters);
  }
  assert.equal(voice.rangeText("abcdefghijkl"), t("problem.any"));
  const range = voice.rangeText("cdefgk");
  assert.ok("cgk".split("").every((letter) => range.includes(t(`piece.${letter}`))) && !range.includes(t("piece.e")));
});

test("a result is that of the person, and each winner is named once", () => {
  const rows = [["draw", "S", "draw"], ["draw", "", "draw"], ["SN", "S", "won"], ["EW", "S", "lost"], ["EW", "", "over"]];
  for (const [result, mine, kind] of rows) assert.equal(voice.resultKind({ result, mine }), kind);
  switchLanguage();
  for (const [result, seats] of [["S", "SN"], ["N", "SN"], ["SN", "SENW"], ["EW", "SENW"]]) {
    assert.equal(voice.resultText(result, { mine: "", seats }).match(/方/g).length, result.length, "a spectator reads 方 twice");
  }
  switchLanguage();
});

test("a team is called by the names of its persons, each once", () => {
  const pov = { mine: "S", seats: "SENW" };
  const named = (name) => ({ name, is_named: name !== "" });
  const game = (S, N) => ({ seats: { S: named(S), N: named(N) } });
  const names = [["老王", "小李"], ["老王", "老王"], ["", "小李"], ["", ""]];
  assert.deepEqual(
    names.map(([south, north]) => teamName(game(south, north), "SN", pov)),
    ["老王·小李", "老王", "小李", "You and your partner"],
  );
});

test("a guest reads who has invited it and who its partner is; a computer partner talks if it shows its pieces", () => {
  const pov = { mine: "E", seats: "SENW" };
  const gameWith = (partner, viewer = "EW") => ({
    mine: "E", viewer, seats: { S: { who: "me", name: "老王", is_named: true }, E: {}, N: {}, W: partner },
  });
  assert.equal(invitedText(gameWith({ who: "guest" }), pov), "老王 has invited you to this game. Your partner: guest.");
  assert.equal(invitedText({ seats: { S: { who: "me" }, N: {} } }, { mine: "N", seats: "SN" }), t("invite.from.host"));
  const told = [gameWith({ who: "engine" }), gameWith({ who: "engine" }, "E"), gameWith({ who: "guest" })];
  assert.deepEqual(told.map((game) => isTold(game, pov)), [true, false, false]);
});

test("the library is asked for once more, not once a state, while another tab plays", async () => {
  const { ask } = socket;
  const answers = [];
  socket.ask = () => new Promise((done) => answers.push(done));
  state.catalogue = { ...state.catalogue, isHost: true };
  const loaded = loadLibrary();
  for (let count = 0; count < 30; count += 1) loadLibrary();
  assert.equal(answers.length, 1);
  answers[0]({ games: [], all: 1 });
  await new Promise((done) => setTimeout(done));
  assert.equal(answers.length, 2);
  answers[1]({ games: [], all: 2 });
  await loaded;
  assert.deepEqual([answers.length, state.library.count], [2, 2]);
  socket.ask = ask;
});

test("the viewers of an own game are what they are to the person, those of another are colours", async () => {
  const { viewerText } = await page("record/transport");
  const { shown } = state;
  state.shown = { ...shown, record: {}, ofGame: "another" };
  const named = (mine, viewers) => viewers.map((viewer) => viewerText(viewer, { mine, variant: "siguo" }));
  assert.deepEqual(named("E", ["EW", "SN"]), ["You and your partner", "The enemy on your left and the enemy on your right"]);
  assert.deepEqual(named("", ["EW"]), ["Blue East and Violet West"]);
  const seats = Object.fromEntries([..."SENW"].map((seat) => [seat, { name: "老王", is_named: seat === "E" }]));
  const game = { ...GAME, variant: "siguo", mine: "S", seats, face_up: {} };
  state.table = { ...state.table, game };
  state.shown = { ...shown, record: null, at: null };
  assert.deepEqual(named("", ["E", "S"]), ["老王 (Blue), all open", "You, all open"]);
  const pov = voice.povOf(game, boardOf("siguo"));
  assert.deepEqual([..."SENW"].map((seat) => voice.who(seat, pov)), ["you", "老王", "your partner", "the enemy on your left"]);
  assert.equal(voice.who("E", { ...pov, mine: "" }), "老王 (Blue)");
  const won = { from: 0, to: 1, outcome: "attacker-won", seat: "E", flags: [], out: "" };
  const pieces = { attacker: { seat: "E", letter: "d" }, defender: { seat: "S", letter: "h" } };
  const told = voice.textOf(voice.moveSaying({ ...won, ...pieces }, boardOf("siguo"), pov, false));
  assert.equal(told, "老王's Brigadier removed your Lieutenant.");
  state.shown = shown;
});

test("a surrendered game is lost, and the partner has won it", () => {
  const about = { result: "SN", mine: "S", seats: "SENW", surrendered: true };
  assert.equal(voice.resultKind(about), "lost");
  assert.equal(voice.resultText("SN", about), t("status.partnerWon"));
  assert.ok(!voice.wonText("SN", about).includes(t("end.win")));
});

test("what decided for the person: own mistakes and bad luck after a loss, those of the enemy after a win", () => {
  const moments = [["blunder", 0.3, "S"], ["mistake", 0.3, "N"], ["mistake", 0.05, "S"], ["luck", 0.5, "N"], ["luck", 0.7, "S"], ["luck", 0.75, "N"]];
  const players = [["S", 0.2], ["N", 0]].map(([player, luck]) => ({ player, team: player, luck }));
  // The last luck is large in the eyes of the enemy alone.
  const luck = { 3: { S: -0.5, N: 0.5 }, 4: { S: 0.7, N: -0.7 }, 5: { S: -0.01, N: 0.75 } };
  // What is gained or lost comes back, but that of the moments 0, 1, 3 and 4.
  const chances = { N: [0.9, 0.6, 0.6, 0.6, 0.1, 0.1], S: [0.3, 0.3, 0.6, 0.6, 0.6, 1] };
  const stepsOf = (result) => moments.map((_, step) => ({ seat: "SN"[step % 2], text: "a1a2x", best: "a1a2", luck: luck[step] ?? {}, fair: { S: chances[result][step] } }));
  const found = { players, moments: moments.map(([kind, size, player], step) => ({ kind, size, player, step })) };
  for (const [result, told, luck] of [["N", [0, 3], "unused"], ["S", [1, 4], "slight"]]) {
    const reviewed = { ...found, steps: stepsOf(result), fair: { S: Number(result === "S") } };
    const decided = decisiveMoments(reviewed, { ...GAME, result }, moments.map(() => ({})));
    assert.deepEqual(decided.map(({ step }) => step), told);
    const summary = summarySaying({ ...reviewed, result }, { mine: "S", seats: "SN" });
    assert.ok(voice.textOf(summary).endsWith(voice.textOf(voice.say(`end.luck.${luck}`, { who: t("is.you") }))));
  }
});

test("each move has one judgement, and the sums of the card are those of the list", () => {
  const rows = [
    [[["blunder", 0.4, "N"], ["luck", 0.39, "S"]], ["gambleWon"]],
    [[["blunder", 0.4, "N"], ["luck", 0.39, "N"]], ["gambleLost"]],
    [[["mistake", 0.12, "N"], ["luck", 0.1, "S"]], ["mistake"]],
    [[["luck", 0.39, "N"]], ["luck"]],
    [[["brilliant", 0.1, "S"], ["luck", 0.3, "S"]], ["brilliant", "luck"]],
    // A battle that was won has not failed, and a piece that was lost for nothing is no brilliant move.
    [[["blunder", 0.4, "N"], ["luck", 0.39, "N"]], ["blunder"], "a1a3x"],
    [[["brilliant", 0.1, "S"]], [], "a1a3o"],
    [[["brilliant", 0.1, "S"]], [], "a1a3x", 0.05],
  ];
  const players = ["S", "N"].map((player) => ({ player, team: player, luck: 0.9 }));
  for (const [moments, kinds, text = "a1a3", after = 0.5] of rows) {
    const luck = moments.find(([kind, , player]) => kind === "luck" && player === "S")?.[1] ?? -0.39;
    const steps = [{ seat: "S", text, best: "a1a2", loss: 0.4, luck: { S: luck, N: -luck } }, { seat: "N", text: "a1a2", best: "a1a2", luck: {}, fair: { S: after } }];
    const found = { steps, fair: { S: after }, players, result: "N", moments: moments.map(([kind, size, player]) => ({ kind, size, player, step: 0 })) };
    assert.deepEqual(keyMoments(found).map(({ kind }) => kind), kinds);
    const summary = voice.textOf(summarySaying(found, { mine: "S", seats: "SN" }));
    const count = kinds.filter((kind) => !["luck", "brilliant"].includes(kind)).length;
    assert.ok(summary.includes(`Costly moves: you ${count}, the enemy 0.`), summary);
    assert.equal(ownMistakes(found, "S").length, count);
    assert.equal(ownMistakes(playedOn(found, 1), "S").length, 0, "those before the position from which it was played on");
    assert.equal(summary.includes("Luck was even"), !kinds.includes("luck"));
  }
});

test("colours are named as they are shown: warm ones for the own team", () => {
  const named = (mine, seats) => [...seats].map((seat) => voice.colourOf(seat, { mine, seats })).join(" ");
  assert.equal(named("S", "SENW"), "Red Blue Orange Violet");
  assert.equal(named("E", "SENW"), "Blue Red Violet Orange");
  assert.equal(named("S", "SN"), "Red Blue");
  assert.equal(named("N", "SN"), "Blue Red");
});

test("a loss has one reason, from the fall that was never made up for, and one thing to do better", async () => {
  const { lossSaying } = await page("record/loss");
  const piece = (seat, letter, number = 1) => ({ seat, letter, piece: number });
  const entry = (more = {}) => ({ from: 0, to: 1, outcome: "no-battle", seat: "S", attacker: piece("S", "d"), defender: null, flags: [], out: "", ...more });
  const attack = { outcome: "defender-won", defender: piece("N", "j") };
  const reasonOf = (chances, { losses = {}, battles = [], entries = [], seen = entries, seats = "S", ...game } = {}) => {
    const steps = chances.map((chance, step) => {
      const text = `a6b5${battles.includes(step) ? "o" : ""}`;
      return { seat: seats[step % seats.length], text, best: "a6c6", line: [], loss: losses[step] ?? 0, luck: {}, fair: { S: chance } };
    });
    if (game.ending === "resigned") Object.assign(steps.at(-1), { text: "resign:S", best: "" });
    const players = ["S", "N"].map((player) => ({ player, team: player }));
    const review = { variant: "luzhanqi", result: "N", steps, moments: [], players, fair: { S: 0, N: 1 }, surprises: [] };
    return voice.textOf(lossSaying(review, { mine: "S", turn: "S", ...game }, entries.map(entry), seen.map(entry)));
  };
  const said = (...texts) => texts.join(" ");
  const mistake = (n, size) => t("loss.mistake", { n, size });
  const hidden = { ...attack, defender: piece("N", "?") };
  const walk = { outcome: "attacker-won", seat: "N", attacker: piece("N", "i", 7), defender: piece("S", "j") };
  const capture = { outcome: "attacker-won", seat: "N", attacker: piece("N", "i", 7), defender: piece("S", "l") };
  const rows = [
    [reasonOf([0.6, 0.37], { losses: { 0: 0.3 }, ending: "resigned" }), t("loss.resigned", { chance: "37%" })],
    [reasonOf([0.4, 0.05], { losses: { 0: 0.3 }, ending: "resigned" }), said(mistake(1, "30%"), t("loss.do.threats"))],
    [reasonOf([0.4], { ending: "timeout" }), t("loss.timeout", { chance: "40%" })],
    [reasonOf([0.4], { losses: { 0: 0.3 }, ending: "no-contact" }), t("loss.limit", { chance: "40%" })],
    [reasonOf([0.5, 0.5, 0], { ending: "no-moves", entries: [attack, attack, attack], seen: [hidden, hidden, hidden] }), said(t("loss.pieces", { n: 3, lost: 3 }), t("loss.do.unknown"))],
    [reasonOf([0.6, 0.1], { losses: { 0: 0.5 }, entries: [attack, {}], seen: [hidden, {}] }), said(mistake(1, "50%"), t("loss.do.unknown"))],
    [reasonOf([0.6, 0.1], { losses: { 0: 0.5 }, entries: [attack] }), said(mistake(1, "50%"), t("loss.do.sure"))],
    [reasonOf([0.6, 0.1], { losses: { 0: 0.5 }, entries: [{}] }), said(mistake(1, "50%"), t("loss.do.missed"))],
    // The mistake at the first move was made up for; the Flag fell by the last.
    [reasonOf([0.6, 0.3, 0.7, 0.69, 0], { losses: { 0: 0.3 }, seats: "SN", entries: [attack, {}, {}, walk, capture] }), said("The game turned at move 4: the enemy's Engineer walked to your Flag.", t("loss.do.flag"))],
    [reasonOf([0.6, 0.7, 0.1], { seats: "SN", losses: { 0: 0.3 } }), said(t("loss.turned", { n: 2, before: "70%", after: "10%" }), t("loss.do.threats"))],
    [reasonOf([0.7, 0.1], { battles: [0] }), said(t("loss.luck", { n: 1, before: "70%", after: "10%" }), t("loss.do.threats"))],
    [reasonOf([0.3, 0.18, 0.18], { losses: { 0: 0.2 } }), said(mistake(1, "20%"), t("loss.do.threats"))],
    [reasonOf([0.6, 0.3, 0.3, 0], { losses: { 0: 0.3 }, entries: [{}, { out: ["S"] }, {}] }), said(mistake(1, "30%"), t("loss.do.missed"))],
    [reasonOf([0.2, 0.15, 0.1], { losses: { 0: 0.05, 1: 0.05 } }), said(t("loss.small", { n: 2 }), t("loss.do.threats"))],
    [reasonOf([0.1]), ""],
  ];
  for (const [found, wanted] of rows) assert.equal(found, wanted);
});

test("a partner's resignation is among the reasons, and all resignations of the losers are told", async () => {
  const [{ lossSaying }, { causeSaying }] = [await page("record/loss"), await page("game/status")];
  const resigned = (seat) => ({ seat, resigned: seat, out: seat, outcome: "no-battle", from: -1, to: -1, flags: [], attacker: null, defender: null });
  const story = ["N", "S"].map(resigned);
  const players = ["SN", "EW"].map((team) => ({ player: team, team }));
  const steps = [0.72, 0.2].map((SN, step) => ({ seat: "NS"[step], text: `resign:${"NS"[step]}`, best: "", loss: 0, luck: {}, fair: { SN, EW: 1 - SN } }));
  const review = { variant: "siguo", result: "EW", steps, moments: [], players, fair: { SN: 0, EW: 1 }, surprises: [] };
  const game = { mine: "S", turn: "E", ending: "no-flag", result: "EW", moves: ["resign:N", "resign:S"], seats: {}, last: story[1] };
  assert.equal(voice.textOf(lossSaying({ ...review, steps: [steps[0], { ...steps[1], text: "a1a2" }] }, game, story, story)), t("loss.partner", { before: "72%", after: "20%" }));
  for (const mine of ["S", "N", "E"]) {
    const told = voice.textOf(causeSaying({ ...game, mine, ending: "resigned" }, boardOf("siguo"), story));
    assert.equal(told.match(/resigned\./g).length, 2, told);
  }
});

test("players are told by their names, computers as such, and a piece by what is proven", async () => {
  const { invitedText, teamName } = await page("game/people");
  const seat = (who, name = "") => ({ who, name: name || "script", is_named: Boolean(name) });
  const game = { mine: "E", seats: { S: seat("me", "Bob"), E: seat("guest"), N: seat("engine"), W: seat("engine") } };
  const pov = { mine: "E", seats: "SENW", names: { S: "Bob" } };
  assert.deepEqual(["SN", "EW"].map((team) => teamName(game, team, pov)), ["Bob·computer", "You and your partner"]);
  assert.ok(invitedText(game, pov).endsWith("Your partner: computer (script)."));
  const about = { chosen: null, kind: "station", isTurn: true, isLineup: false, isOverHills: false, pov };
  const told = voice.whyNot({ ...about, clicked: { seat: "S", letter: "?", proven: "abc" } });
  assert.equal(told, "That is Bob's piece (Major General or higher). Choose one of yours first.");
  assert.equal(t("end.skill", { own: 1, n: 19, who: "the enemy", other: 2, m: 20 }), "Best move found: you 1 time in 19, the enemy 2 times in 20.");
});

test("a better move says what it was good for", async () => {
  const { purposeSaying } = await page("record/purpose");
  const at = (name) => DATA.points.findIndex((point) => point.name === name);
  const pieces = [["a2", "S", "e"], ["d2", "S", "h"], ["b1", "S", "l"], ["b8", "N", "c"], ["c8", "N", "g"], ["e8", "N", "k"], ["e9", "N", "g"], ["e2", "S", "c"], ["e7", "S", "h"]].map(([name, seat, letter], id) => [at(name), id, seat, letter]);
  const quiet = { from: at("e1"), to: at("e2"), outcome: "no-battle", seat: "S", defender: null };
  const taking = (from, to, letter) => ({ from: at(from), to: at(to), outcome: "attacker-won", attacker: { seat: "N", letter: "c", piece: 3 }, defender: { seat: "S", letter } });
  const purposeOf = (best, { line = [], next = [] } = {}) => {
    const found = purposeSaying({ seat: "S", best, line: [best, ...line] }, pieces, [quiet, ...next], DATA, { mine: "S", seats: "SN" });
    return typeof found === "string" ? found : voice.textOf(found);
  };
  const rows = [
    [purposeOf("a2c8"), "It would have won."],
    [purposeOf("a2b8"), "It would have failed here, but by what was known it was better."],
    [purposeOf("a2e8"), "Both would have gone, which was still better."],
    [purposeOf("a2a6", { next: [taking("b8", "a2", "e")] }), "Where it stood, the enemy's Major General removed it next."],
    [purposeOf("a2a6", { next: [taking("b8", "b1", "l")] }), "The enemy's Major General took the Flag soon after."],
    [purposeOf("a2b8", { next: [taking("b8", "b1", "l")] }), "The enemy's Major General took the Flag soon after."],
    [purposeOf("a2a6", { line: ["b8b7", "a6c8"] }), "From there it attacks the enemy's Captain."],
    [purposeOf("a2a6", { line: ["b8b7", "a6b8"] }), "", "an attack that would fail is no purpose"],
    [purposeOf("a2a6", { line: ["b8b7", "a6a5", "c8b8", "b1a1"] }), ""],
    [purposeOf("a2a6", { line: ["c8a5", "a6a5"] }), "From there it attacks the enemy's Captain.", "it comes within reach"],
    [purposeOf("d2d6", { line: ["b8b7", "a2c8"] }), "", "the piece has no part in the attack"],
    [purposeOf("e7d7", { line: ["b8b7", "e2e8"] }), "", "the attack would fail"],
    [purposeOf("e7d7", { line: ["b8b7", "e2e9"] }), "It prepares the attack of your Major General on the enemy's Captain."],
    [purposeOf("a2b2"), "There it guards the Flag."],
    [purposeOf("a2a6", { next: [taking("b8", "d2", "h")] }), "Instead, the enemy's Major General removed your Lieutenant next."],
    [purposeOf("a2b3"), "", "no piece could attack it where it stood"],
    [purposeOf("e7d8"), "There no piece can attack it."],
  ];
  for (const [found, wanted, why] of rows) assert.equal(found, wanted, why);
});

test("an agreed draw and a resignation are no luck", async () => {
  const { stepSaying } = await page("record/moments");
  const story = [{ from: -1, to: -1, outcome: "no-battle", seat: "S", attacker: null, defender: null, flags: [], out: "" }];
  const saidOf = (text, result) => {
    const steps = [{ seat: "S", text, luck: { S: -0.44, N: 0.44 } }];
    const review = { variant: "luzhanqi", result, steps, players: [], surprises: [], moments: [{ step: 0, kind: "luck", size: 0.44, player: "N" }] };
    return [keyMoments(review).length, voice.textOf(stepSaying(review, 0, story, { mine: "S", seats: "SN" }, null)).includes("44%")];
  };
  const ends = [["a6a7x", "draw"], ["resign:S", "N"], ["a6a7x", "N"]];
  assert.deepEqual(ends.map((end) => saidOf(...end)), [[0, false], [0, false], [1, true]]);
});

test("when all lies open, a better attack names the true piece, and what was known of it", async () => {
  const { momentSaying } = await page("record/moments");
  const review = { variant: "luzhanqi", steps: [{ seat: "S", text: "a6b5", best: "a6a7", line: ["a6a7"], loss: 0.3 }], players: [], moments: [] };
  const story = [{ from: 0, to: 1, outcome: "no-battle", seat: "S", attacker: { seat: "S", letter: "c" }, defender: null, flags: [], out: "" }];
  const at = (name) => DATA.points.findIndex((point) => point.name === name);
  const before = { pieces: [[at("a6"), 3, "S", "c"], [at("a7"), 40, "N", "?"]], proven: {} };
  const saidOf = (letters, proven, battle) => {
    state.shown = { ...state.shown, letters };
    return voice.textOf(momentSaying({ step: 0, kind: "blunder", size: 0.3, player: "S" }, review, story, { mine: "S", seats: "SN" }, { ...before, proven }, battle));
  };
  const bomb = t("piece.k");
  assert.ok(!saidOf({}, {}).includes(bomb) && !saidOf({}, {}).includes(t("truth.unknown")), "before it is known");
  assert.ok(saidOf({ 40: "k" }, {}).includes(bomb) && saidOf({ 40: "k" }, {}).endsWith(t("truth.unknown")));
  const known = saidOf({ 40: "k" }, { [at("a7")]: "jk" });
  assert.ok(known.includes(bomb) && known.endsWith(t("truth.known", { may: voice.mayText("jk") })), known);
  const both = saidOf({ 40: "k" }, { [at("a7")]: "jk" }, t("truth.unknown"));
  assert.ok(both.indexOf(t("truth.unknown")) < both.indexOf(t("moment.cost.you", { loss: "30%" })), "what was known of the battle is beside it");
  state.shown = { ...state.shown, letters: {} };
});

test("the card tells the chance at a resignation, and counts the best moves of a team as those of its side", async () => {
  const { chanceGivenUp } = await page("record/moments");
  const players = ["SN", "EW"].map((player) => ({ player, team: player }));
  const moves = [["S", "a1a2o", "a1a2"], ["E", "a1a10", "a1a1"], ["N", "a1a3", "a1a2"]];
  const steps = [
    ...moves.map(([seat, text, best]) => ({ seat, text, best, luck: {}, fair: { SN: 0.6, EW: 0.4 } })),
    { seat: "S", text: "resign:S", best: "", fair: { SN: 0.72, EW: 0.28 } },
  ];
  const found = { players, steps, moments: [], result: "EW" };
  assert.equal(chanceGivenUp(found, "SN"), 0.72);
  assert.equal(chanceGivenUp(found, "E"), null);
  const said = voice.textOf(summarySaying(found, { mine: "SN", seats: "SENW" }));
  assert.ok(said.startsWith(t("end.skill.sides", { own: 1, n: 2, other: 0, m: 1 })), said);
});

test("attacks on unknown pieces are counted, with the pieces that they cost", async () => {
  const { unknownAttacks } = await page("record/truth");
  const piece = (seat, letter, number) => ({ seat, letter, may: letter, piece: number });
  const fight = (attacker, defender, outcome) => ({ from: 1, to: 2, outcome, seat: attacker.seat, out: "", flags: [], attacker, defender });
  const truth = [
    fight(piece("S", "h", 1), piece("N", "j", 30), "defender-won"),
    fight(piece("N", "c", 31), piece("S", "e", 2), "attacker-won"),
    fight(piece("S", "f", 3), piece("N", "c", 31), "defender-won"),
    fight(piece("S", "a", 4), piece("N", "c", 31), "attacker-won"),
  ];
  const hide = (one) => (one.seat === "N" ? { ...one, letter: "?" } : one);
  const story = truth.map((one) => ({ ...one, attacker: hide(one.attacker), defender: hide(one.defender) }));
  assert.deepEqual(unknownAttacks(story, truth, "S"), { n: 3, lost: 2, still: 1 });
  assert.deepEqual(unknownAttacks(truth, truth, "S"), { n: 0, lost: 0, still: 0 }, "what was known is no habit");
});

test("the card says that an attacked headquarters did not hold the Flag", async () => {
  const { momentSaying } = await page("record/moments");
  const review = { variant: "luzhanqi", steps: [{ seat: "S", text: "b11b12", loss: 0 }], players: [], moments: [] };
  const saidOf = (to, letter) => {
    const story = [{ from: 0, to: DATA.points.findIndex(({ name }) => name === to), outcome: "attacker-won", seat: "S", flags: [], out: "",
      attacker: { seat: "S", letter: "d", may: "d" }, defender: { seat: "N", letter, may: letter } }];
    return voice.textOf(momentSaying({ step: 0, kind: "luck", size: 0.3, player: "N" }, review, story, { mine: "S", seats: "SN" }));
  };
  const said = t("moment.noFlag");
  assert.deepEqual([["b12", "h"], ["b12", "l"], ["b11", "h"]].map((one) => saidOf(...one).includes(said)), [true, false, false]);
});

test("when all lies open, what killed a piece is named beside what was known of it", async () => {
  const { decisiveSecret, truthSaying } = await page("record/truth");
  const piece = (seat, letter, number, may = letter) => ({ seat, letter, may, piece: number });
  const fight = (attacker, defender, outcome) => ({ from: 1, to: 2, outcome, seat: attacker.seat, out: "", flags: [], attacker, defender });
  const truth = [fight(piece("S", "h", 1), piece("N", "d", 30), "defender-won"), fight(piece("S", "b", 2), piece("N", "k", 31), "both-removed")];
  const story = truth.map((one) => ({ ...one, defender: { ...one.defender, letter: "?", may: "abcdefghijkl" } }));
  assert.equal(decisiveSecret(story, truth, "S", true, []), null, "no battle decided");
  const secret = decisiveSecret(story, truth, "S", true, [{ step: 1, size: 0.3 }]);
  assert.deepEqual([secret.index, secret.enemy.letter], [1, "k"]);
  assert.equal(decisiveSecret(story, truth, "S", true, [{ step: 0, size: 0.3 }]).index, 0);
  const said = voice.textOf(truthSaying(1, story, truth, DATA, POV));
  assert.ok(said.includes("General and the enemy's Bomb"), said);
  assert.ok(said.endsWith(`${t("truth.still")} ${t("truth.unknown")}`), said);
  const shown = { ...fight(piece("N", "?", 31, "abc"), piece("S", "d", 3), "attacker-won") };
  const later = voice.textOf(truthSaying(2, [shown, ...story], [shown, ...truth], DATA, POV));
  assert.ok(later.endsWith(t("truth.known", { may: voice.mayText("abc") })), "as it was before the battle, and it has moved");
  assert.equal(voice.textOf(truthSaying(1, story, [], DATA, POV)), voice.textOf(voice.moveSaying(story[1], DATA, POV)));
});

test("an earlier position stays while its game goes on, not with another game", async () => {
  const { shownWith } = await page("record/replay");
  const rows = [[{ game: 1, moves: ["a", "b", "c"] }, 1], [{ game: 1, moves: ["a"] }, null], [{ game: 2, moves: ["a", "b", "c"] }, null]];
  for (const [now, at] of [...rows, [{ game: 1, moves: ["a", "b"], phase: "over" }, null]]) {
    state.table = { ...state.table, game: { game: 1, moves: ["a", "b"], phase: "playing" } };
    state.shown = { ...state.shown, record: null, ofGame: "", at: 1, story: [] };
    assert.equal(shownWith({ phase: "playing", last: null, ...now }).at, at);
  }
});

test("a review that was stopped says nothing of the whole game", () => {
  state.shown = { ...state.shown, record: { line: "x" } };
  for (const [isWhole, text] of [[false, t("review.part", { known: 3 })], [true, t("end.nothing")]]) {
    state.review = { ...state.review, of: "x", isWhole, found: { players: [], steps: Array(3).fill({ text: "a1a2", seat: "S" }) } };
    assert.equal(progressText({ ...GAME, result: "N" }, []), text);
  }
});

test("a review that is refused leaves the one before", async () => {
  const { receiveReview, startReview } = await page("record/review_card");
  state.shown = { ...state.shown, record: { line: "x" } };
  const answers = [];
  socket.request = () => new Promise((done, refuse) => answers.push({ done, refuse }));
  startReview(1000);
  startReview(1000, false);
  const [first, second] = [1, 2].map((step) => state.review.number - 2 + step);
  receiveReview({ review: "begun", number: first });
  answers[1].refuse({ code: "busy" });
  await new Promise((done) => setTimeout(done));
  assert.deepEqual([state.review.number, state.review.found, state.review.isRunning], [first, "begun", true]);
  receiveReview({ review: "late", number: second });
  answers[0].done({ is_whole: true });
  await new Promise((done) => setTimeout(done));
  assert.deepEqual([state.review.found, state.review.isRunning, state.review.isWhole], ["begun", false, true]);
});

test("what is believed waits with the move while a battle is shown", async () => {
  const { Arrivals } = await page("game/arrivals");
  const { guesses, receiveBelief } = await page("game/help");
  state.help = { ...state.help, isOn: true };
  const arrivals = new Arrivals((game) => (state.table = { ...state.table, game }), ({ moves }) => moves.length === 1);
  for (const moves of [["battle"], ["battle", "next"]]) arrivals.come({ ...GAME, moves });
  receiveBelief({ game: "of another", ply: 2, points: { 7: { a: 1 } } });
  receiveBelief({ game: GAME.game, ply: 2, points: { 7: { a: 0.4, b: 0.6 } } });
  assert.equal(guesses()[7], undefined);
  arrivals.goOn();
  assert.equal(guesses()[7].letter, "b");
});

test("a reply is shown when the person's clock runs, not after the battle", async () => {
  const { Arrivals } = await page("game/arrivals");
  const { arrive } = await page("game/live_game");
  for (const [remaining_ms, isShown] of [[null, false], [60_000, true]]) {
    const shown = [];
    const arrivals = new Arrivals((game) => shown.push(game.moves.length), () => true);
    for (const moves of [["battle"], ["battle", "battle"], ["battle", "battle", "next"]]) {
      const seats = { S: { is_running: moves.length === 3, remaining_ms }, N: {} };
      arrive({ ...GAME, seats, moves }, arrivals);
    }
    assert.equal(shown.at(-1) === 3, isShown);
  }
});

test("a quick word is read in the language of the page, any other line as it is", async () => {
  const { QUICK_WORDS, quickLine, spokenText } = await page("game/quick_words");
  assert.equal(new Set(QUICK_WORDS.map((word) => spokenText(quickLine(word)))).size, 6);
  assert.deepEqual(["!attack", "!nothing", "attack"].map(spokenText), ["I attack!", "!nothing", "attack"]);
});

test("an empty point can be shown to a partner, and has no other menu", async () => {
  const { openMarksMenu } = await page("game/marks");
  const menuAt = (partner) => {
    state.marks = { ...state.marks, menu: null };
    state.table.game = { ...GAME, phase: "playing", may: { tell_partner: partner } };
    openMarksMenu(null, 7, 1, 2);
    return state.marks.menu;
  };
  assert.deepEqual([menuAt(true), menuAt(false)], [{ piece: "", point: 7, x: 1, y: 2, letters: "" }, null]);
  Object.assign(state, { marks: { ...state.marks, menu: null }, table: { ...state.table, game: null } });
});

test("every level has a general with a name, a first and a last word", () => {
  for (const level of LEVELS)
    for (const key of ["general.hello", "general.bye"]) assert.ok(has(`${key}.${level}`), `${key}.${level}`);
  assert.equal(new Set(LEVELS.map(generalName)).size, LEVELS.length);
});

test("facts of this browser are added to those of the server, and settings are the server's", () => {
  const sent = [];
  socket.request = async (type, fields) => sent.push([type, ...Object.values(fields)]);
  addFact("learned", "roads");
  setSetting("clock", "300+3");
  state.catalogue = { ...state.catalogue, isHost: true };
  sent.length = 0;
  const facts = { learned: { bombs: true }, problem: { "save-1a2b3c": false } };
  takeStored({ settings: { level: '"master"', broken: "{" }, facts });
  assert.deepEqual([setting("clock"), setting("level"), setting("broken", 1)], ["300+3", "master", 1]);
  assert.deepEqual(Object.keys(factsOf("learned")), ["bombs", "roads"]);
  assert.deepEqual(sent, [["fact", "learned", "roads", true]]);
});

test("an address has a token or a place, and follows what the host sees", async () => {
  const { address } = await page("shell/storage");
  store["junqi.seats"] = JSON.stringify([["INVITATION", "GUEST"]]);
  const rows = [
    { path: "/", hash: "#HOST", kept: "HOST", token: "HOST", shown: "/learn/1" },
    { path: "/learn/2", hash: "", kept: "HOST", token: "HOST", place: { kind: "learn", id: "2", at: 0 } },
    { path: "/puzzle/save-1a2b3c", hash: "", kept: "HOST", token: "HOST", place: { kind: "problem", id: "save-1a2b3c", at: 0 } },
    { path: "/puzzle/klotski-3", hash: "", kept: "HOST", token: "HOST", place: { kind: "teaser", id: "klotski-3", at: 0 } },
    { path: "/game/x", hash: "#12", kept: "HOST", token: "HOST", place: { kind: "game", id: "x", at: 12 } },
    { path: "/learn/2", hash: "", kept: "", token: "", place: { kind: "learn", id: "2", at: 0 } },
    { path: "/", hash: "#GUEST", kept: "HOST", token: "GUEST" },
    { path: "/", hash: "#INVITATION", kept: "", token: "GUEST", shown: "/#GUEST" },
  ];
  for (const { path, hash, kept: token, ...expected } of rows) {
    store["junqi.token"] = JSON.stringify(token);
    Object.assign(location, { pathname: path, hash, shown: undefined });
    address.read();
    address.show("learn/1");
    assert.deepEqual([address.token, address.place, location.shown], [expected.token, expected.place ?? null, expected.shown]);
  }
});

test("no lesson says what is not so", () => {
  const kinds = read("kinds.json");
  const gone = [/and was removed|removed each other/, /反被吃掉|同归于尽/];
  const words = { weaker: /weaker|小/, stronger: /stronger|大/, clears: /clears|能排/, mine: /Landmine|地雷/ };
  for (const _ of gone) {
    const isChinese = t("tab.play") !== "Play";
    for (const { name, variant, after } of read("page/learn/lessons.json")) {
      for (const [move, { last, pieces }] of Object.entries(after)) {
        const [said, why] = [voice.textOf(voice.moveSaying(last, boardOf(variant), { mine: "S", seats: boardOf(variant).seats })), voice.whyText(last)];
        const stands = pieces.some(([, piece]) => piece === last.attacker.piece);
        assert.equal(gone[Number(isChinese)].test(said), !stands, said);
        if (last.outcome === "no-battle") continue;
        const [mine, other] = [last.attacker.letter, kinds[name][move.match(/[a-q]\d+/g)[1]]];
        assert.ok(last.defender.may.includes(other), said);
        const isLower = [...last.defender.may].every((letter) => letter <= "i" && letter > mine);
        assert.ok(!words.weaker.test(why) || isLower, why);
        assert.ok(!words.stronger.test(why) || other < mine || words.mine.test(why), why);
        assert.ok(!words.clears.test(why) || mine + other === "ij", why);
      }
    }
    switchLanguage();
  }
});

test("an army that falls says why: its Flag, no piece that can move, or its own will", () => {
  const named = (name) => DATA.points.findIndex((point) => point.name === name);
  const battle = (to, outcome, seat) => ({ from: named("c6"), to: named(to), outcome, seat: "S", out: [seat], flags: [], attacker: { seat: "S", letter: "d", may: "d" }, defender: { seat: "N", letter: "?", may: "jl" } });
  const headquarters = DATA.points.find(({ kind, seat }) => kind === "headquarters" && seat === "N").name;
  const rows = [
    [battle(headquarters, "attacker-won", "N"), "The enemy is out."],
    [battle("c7", "attacker-won", "N"), "The enemy is out: no piece can move."],
    [battle(headquarters, "defender-won", "S"), "You are out: none of your pieces can move."],
    [{ from: -1, to: -1, outcome: "no-battle", seat: "N", resigned: "N", out: ["N"], flags: [] }, "The enemy is out."],
  ];
  for (const [last, told] of rows) assert.ok(voice.textOf(voice.moveSaying(last, DATA, POV)).endsWith(told), told);
});

test("a reader hears what was chosen: the piece, its targets, and what the engine believes of another", async () => {
  const { JunqiBoard } = await page("board/junqi_board");
  const board = new JunqiBoard("heard", { onMove: () => {} });
  const named = (name) => DATA.points.findIndex((point) => point.name === name);
  const [own, other] = [named("a2"), named("a11")];
  const targets = { [own]: { [named("a3")]: "a2a3", [named("b2")]: "a2b2" } };
  const pieces = [[own, 1, "S", "h"], [other, 2, "N", "?"]];
  const guesses = { [other]: { letter: "f", chances: { f: 0.6, g: 0.4 } } };
  board.drawing = { ...board.drawing, scene: sceneOf("luzhanqi", pieces), bottom: "S", mine: "S", targets, guesses, screen: { isNarrow: false, isLow: false } };
  board.svgBoard.content = { shapes: board.shapes(), choices: board.choices(), spots: [] };
  const said = (id) => board.describe(board.svgBoard.content.shapes.find((shape) => shape.id === id), { x: 0, y: 0 });
  assert.match(said("1"), /^Your Lieutenant, 2 targets, a2/);
  assert.match(said("2"), /probably Major 60%, Captain 40%/);
});

test("a point says the last move, one's mark, and that the chosen piece may attack there", () => {
  const about = { data: DATA, rings: [], mine: "S", content: { shapes: [], choices: new Map(), spots: [] } };
  const numberOf = (name) => DATA.points.findIndex((point) => point.name === name);
  const scene = sceneOf("luzhanqi", [], { last: { from: numberOf("a7"), to: numberOf("a6") } });
  const shape = { id: "30", seat: "N", letter: "?" };
  const told = (name, more = {}) => pointText({ ...about, scene, shape: null, number: numberOf(name), ...more });
  const there = { shape, marks: { 30: "k" }, target: {} };
  assert.equal(told("a6", there), "The enemy's piece, can be attacked, your mark: Bomb, moved here last, a6, point");
  assert.equal(told("a7"), "empty, the last move began here, a7, point");
  assert.equal(voice.wayText(scene.last, DATA), "From a7 to a6.");
});

test("a point that the partner shows, and the target of advice, are told by the piece there or its place", () => {
  const data = boardOf("siguo");
  const pov = { mine: "S", seats: data.seats };
  const numberOf = (name) => data.points.findIndex((point) => point.name === name);
  const pieces = [[numberOf("a9"), 1, "W", "?"], [numberOf("g6"), 2, "S", "g"]];
  const rows = [
    ["a9", "the left enemy's piece"], ["c10", "the left enemy's campsite"], ["l7", "the right enemy's area"],
    ["h17", "your partner's headquarters"], ["i9", "the centre"], ["h5", "your campsite"],
  ];
  for (const [name, what] of rows) {
    const told = voice.pingText({ seats: "N", point: numberOf(name) }, pieces, data, pov);
    assert.equal(told, `Your partner points at ${what}.`);
    const advice = voice.adviceSaying("advice.", numberOf("g6"), numberOf(name), pieces, pov, data);
    const move = `Move your Captain along the arrow, to ${what}.`;
    assert.equal(voice.textOf(advice), name === "a9" ? `Attack ${what} with your Captain.` : move);
  }
});
