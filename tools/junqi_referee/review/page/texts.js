// The texts of the report in both languages.

const TEXTS = {
  en: {
    title: "Game review", game: "Game", "language.other": "中文", "theme.dark": "Dark", "theme.light": "Light",
    "variant.siguo": "Siguo Junqi", "variant.luzhanqi": "Luzhanqi",
    "visibility.partner": "partners see each other's pieces", "visibility.dark": "partners do not see each other's pieces", "visibility.open": "all pieces are seen",
    "about": "{game}, {variant}, {visibility}. {steps} steps; {result}. {nodes} positions for each search.",
    "result.draw": "a draw ({ending})", "result.win": "{team} won ({ending})", "result.none": "unfinished",
    "seat.S": "South", "seat.E": "East", "seat.N": "North", "seat.W": "West", and: " + ", comma: ", ", both: "{a} and {b}",
    "sum.start": "Chance at the start", "sum.luck": "Luck", "sum.battles": "part of it from battles", "sum.enemy": "Losses of the enemy", "sum.own": "Own losses", "sum.end": "Result", "sum.now": "Chance at the end",
    "fact.accuracy": "Accuracy", "fact.verdicts": "Blunders {blunder}, mistakes {mistake}, inaccuracies {inaccuracy}, brilliant {brilliant}",
    "fact.phase": "Mean loss: {phases}", "phase.opening": "opening {loss}", "phase.middle": "middle game {loss}", "phase.ending": "ending {loss}",
    "fact.worst": "Worst:", "fact.best": "Best:",
    "graph.title": "Chances", "graph.label": "Chances of {team} by step; arrow keys change the step", "graph.value": "step {step}: {fair}, true {truth}",
    "legend.fair": "{team} as {eyes} could know", "legend.true": "true: with all pieces known", "legend.loss": "bars below: losses by skill, then luck in battles",
    "first": "First step", "back": "Step back", "next": "Step forward", "last": "Last step", "at": "{step} of {count}",
    "told.move": "{seat} plays {move}.", "told.pass": "{seat}'s clock ran out; the turn passes.", "told.resign": "{seat} resigns.", "told.end": "The game ends outside the rules.",
    "told.x": "The attacker won.", "told.o": "The defender won.", "told.=": "Both pieces were removed.", "told.flag": "A flag is revealed: {points}.", "told.out": "{seat} is eliminated.",
    "told.fair": "Chance in {player}'s eyes: {fair}. True: {truth}.", "told.best": "It was the best move.", "told.loss": "Loss {loss}. Better: {line}", "told.luck": "Luck: {luck}.",
    "moments.title": "Key moments", "moments.none": "There are none: no large loss and no large luck.",
    "verdict.blunder": "blunder", "verdict.mistake": "mistake", "verdict.inaccuracy": "inaccuracy", "verdict.brilliant": "brilliant", "kind.luck": "luck of {player}", "kind.eliminated": "elimination", "kind.end": "end",
    "moment.loss": "{seat} loses {loss}", "moment.luck": "{size} for {player}", "moment.step": "step {step}, {move}",
    "surprises.title": "Surprises", "surprises.none": "No outcome of a battle was less likely than 10%.", "surprise": "Surprise for {player}: {chance}. The piece on {point} was {piece}.",
    "flags.title": "Flags: when they could have been known and taken", "flags.seat": "Flag", "flags.likely": "Likely", "flags.proven": "Proven", "flags.revealed": "Revealed", "flags.reachable": "In reach", "flags.taken": "Taken", never: "never",
    "secrecy.title": "Secrecy: what the enemy had learnt", "secrecy.hint": "The letters that the enemy could not exclude, with the step from which it knew; and the probability that it gave to the truth when it last looked.",
    "secrecy.piece": "Piece", "secrecy.learnt": "Learnt (step: possible)", "secrecy.proven": "Proven", "secrecy.chance": "Chance", "secrecy.removed": "Removed", "secrecy.count": "{proven} of {count} proven", "secrecy.nothing": "nothing",
    "steps.title": "All steps", "steps.step": "Step", "steps.seat": "Seat", "steps.move": "Move", "steps.fair": "Fair", "steps.true": "True", "steps.loss": "Loss", "steps.luck": "Luck", "steps.best": "Best",
    "how.title": "How to read this",
    "how.text": "A chance is the probability to win plus half of that to draw. The fair chance uses only what the player could know; the true one knows all pieces. The loss of a move is what it was worse than the best move by fair chance: this is skill. Luck is the rest of the change: in a battle, the chance after its outcome minus the chance expected before; in other steps, what the enemy's move has shown and what a deeper search finds. Start + luck + losses of the enemy - own losses = result.",
    "piece.a": "Field Marshal", "piece.b": "General", "piece.c": "Major General", "piece.d": "Brigadier", "piece.e": "Colonel", "piece.f": "Major", "piece.g": "Captain", "piece.h": "Lieutenant", "piece.i": "Engineer", "piece.j": "Landmine", "piece.k": "Bomb", "piece.l": "Flag",
    "ending.flag": "flag", "ending.no-moves": "no moves", "ending.resigned": "resignation", "ending.no-contact": "no battle for too long", "ending.max-plies": "limit of moves", "ending.agreed": "agreed", "ending.timeout": "clock", "ending.adjudicated": "adjudicated",
  },
  zh: {
    title: "复盘", game: "对局", "language.other": "English", "theme.dark": "深色", "theme.light": "浅色",
    "variant.siguo": "四国军棋", "variant.luzhanqi": "陆战棋",
    "visibility.partner": "盟友明棋", "visibility.dark": "四暗", "visibility.open": "全明",
    "about": "{game}，{variant}，{visibility}。共 {steps} 步；{result}。每次搜索 {nodes} 个局面。",
    "result.draw": "和棋（{ending}）", "result.win": "{team}胜（{ending}）", "result.none": "未下完",
    "seat.S": "南", "seat.E": "东", "seat.N": "北", "seat.W": "西", and: "", comma: "、", both: "{a}和{b}",
    "sum.start": "开局胜率", "sum.luck": "运气", "sum.battles": "其中吃子时", "sum.enemy": "对方失误", "sum.own": "己方失误", "sum.end": "结果", "sum.now": "最后胜率",
    "fact.accuracy": "准确度", "fact.verdicts": "大错 {blunder}，错着 {mistake}，缓着 {inaccuracy}，妙手 {brilliant}",
    "fact.phase": "平均损失：{phases}", "phase.opening": "开局 {loss}", "phase.middle": "中盘 {loss}", "phase.ending": "残局 {loss}",
    "fact.worst": "最差：", "fact.best": "最佳：",
    "graph.title": "胜率", "graph.label": "{team}每一步的胜率；方向键换步", "graph.value": "第 {step} 步：{fair}，实际 {truth}",
    "legend.fair": "{team}：{eyes}所知", "legend.true": "实际：棋子全知", "legend.loss": "下方条形：先是失误，后是吃子的运气",
    "first": "第一步", "back": "上一步", "next": "下一步", "last": "最后一步", "at": "{step} / {count}",
    "told.move": "{seat}走 {move}。", "told.pass": "{seat}超时，轮到下家。", "told.resign": "{seat}投降。", "told.end": "对局不按规则结束。",
    "told.x": "进攻方胜。", "told.o": "防守方胜。", "told.=": "同归于尽。", "told.flag": "亮军旗：{points}。", "told.out": "{seat}出局。",
    "told.fair": "{player}眼中的胜率：{fair}。实际：{truth}。", "told.best": "这是最好的一着。", "told.loss": "损失 {loss}。更好的是：{line}", "told.luck": "运气：{luck}。",
    "moments.title": "关键时刻", "moments.none": "没有大的失误，也没有大的运气。",
    "verdict.blunder": "大错", "verdict.mistake": "错着", "verdict.inaccuracy": "缓着", "verdict.brilliant": "妙手", "kind.luck": "{player}走运", "kind.eliminated": "出局", "kind.end": "终局",
    "moment.loss": "{seat}损失 {loss}", "moment.luck": "{player}得 {size}", "moment.step": "第 {step} 步，{move}",
    "surprises.title": "意外", "surprises.none": "没有概率低于 10% 的吃子结果。", "surprise": "{player}没想到（{chance}）：{point} 上是{piece}。",
    "flags.title": "军旗：何时可知，何时可夺", "flags.seat": "军旗", "flags.likely": "可疑", "flags.proven": "确定", "flags.revealed": "亮旗", "flags.reachable": "可夺", "flags.taken": "被夺", never: "从未",
    "secrecy.title": "保密：对方知道了什么", "secrecy.hint": "对方不能排除的棋子，以及从第几步起知道；还有对方最后一次观察时给真相的概率。",
    "secrecy.piece": "棋子", "secrecy.learnt": "得知（步：可能）", "secrecy.proven": "确定", "secrecy.chance": "概率", "secrecy.removed": "离盘", "secrecy.count": "{count} 个中 {proven} 个已确定", "secrecy.nothing": "无",
    "steps.title": "所有步", "steps.step": "步", "steps.seat": "方", "steps.move": "着法", "steps.fair": "所知", "steps.true": "实际", "steps.loss": "损失", "steps.luck": "运气", "steps.best": "最好",
    "how.title": "如何阅读",
    "how.text": "胜率是获胜的概率加上和棋概率的一半。“所知”只用该方能知道的信息，“实际”知道所有棋子。一着的损失是它按所知胜率比最好的着法差多少，这是技术。运气是其余的变化：吃子时，是结果揭晓后的胜率减去之前的期望；其他步中，是对方的着法暴露的信息和更深的搜索。开局 + 运气 + 对方失误 - 己方失误 = 结果。",
    "piece.a": "司令", "piece.b": "军长", "piece.c": "师长", "piece.d": "旅长", "piece.e": "团长", "piece.f": "营长", "piece.g": "连长", "piece.h": "排长", "piece.i": "工兵", "piece.j": "地雷", "piece.k": "炸弹", "piece.l": "军旗",
    "ending.flag": "夺旗", "ending.no-moves": "无棋可走", "ending.resigned": "投降", "ending.no-contact": "久未吃子", "ending.max-plies": "步数上限", "ending.agreed": "议和", "ending.timeout": "超时", "ending.adjudicated": "判定",
  },
};

let language = navigator.language.startsWith("zh") ? "zh" : "en";

/**
 * A text, with `{name}` replaced by the values.
 * @param {string} key
 * @param {Record<string, any>} values
 */
function t(key, values = {}) {
  const text = TEXTS[language][key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? "");
}

const isChinese = () => language === "zh";
/** Sentences one after the other. @param {string[]} parts */
const sentences = (parts) => parts.join(isChinese() ? "" : " ");
/** @param {string} seats */
const seatNames = (seats) => [...seats].map((seat) => t(`seat.${seat}`)).join(t("and"));
/** A chance or a difference in percent. @param {number} chance @param {boolean} isSigned */
function percent(chance, isSigned = false) {
  const value = 100 * chance;
  const text = Math.abs(value) < 0.05 ? "0" : Math.abs(value).toFixed(Math.abs(value) < 9.95 ? 1 : 0);
  const sign = text === "0" ? "" : value < 0 ? "−" : isSigned ? "+" : "";
  return `${sign}${text}%`;
}
