// Every sentence of the voice of the board, with examples, in the language of the page.
() => import('/main.js').then(({modules}) => {
  const voice = modules['voice.js'], {boardOf} = modules['junqi_board.js'], found = [];
  const piece = (seat, may, number) => ({piece: number, seat, letter: may.length === 1 ? may : '?', may});
  const add = (saying) => found.push(typeof saying === 'string' ? saying : voice.textOf(saying));
  const listeners = [['luzhanqi', 'S', 'SN'], ['siguo', 'S', 'SENW'], ['siguo', 'SN', 'SENW'], ['siguo', '', 'SENW'], ['luzhanqi', '', 'SN']];
  for (const [variant, mine, seats] of listeners) {
    const data = boardOf(variant), listener = {mine, seats};
    const base = {text: '', from: 0, to: 1, path: [], resigned: null, passed: null, flags: [], out: ''};
    for (const seat of seats) {
      const other = seats[(seats.indexOf(seat) + 1) % seats.length];
      const tell = (last) => add(voice.moveSaying({...base, seat, ...last}, data, mine));
      tell({outcome: 'no-battle', attacker: piece(seat, 'f'), defender: null});
      tell({outcome: 'no-battle', attacker: piece(seat, 'abcdefghik'), defender: null});
      tell({outcome: 'attacker-won', attacker: piece(seat, 'd'), defender: piece(other, 'efghi')});
      tell({outcome: 'attacker-won', attacker: piece(seat, 'i'), defender: piece(other, 'l'), out: other});
      tell({outcome: 'defender-won', attacker: piece(seat, 'd'), defender: piece(other, 'abc')});
      tell({outcome: 'defender-won', attacker: piece(seat, 'd'), defender: piece(other, 'abcj')});
      tell({outcome: 'defender-won', attacker: piece(seat, 'd'), defender: piece(other, 'j')});
      tell({outcome: 'both-removed', attacker: piece(seat, 'a'), defender: piece(other, 'ak'), flags: [data.points.findIndex((one) => one.seat === seat)]});
      tell({outcome: 'both-removed', attacker: piece(seat, 'k'), defender: piece(other, 'abcdefghij')});
      tell({outcome: 'no-battle', attacker: null, defender: null, from: -1, to: -1, resigned: seat});
      tell({outcome: 'no-battle', attacker: null, defender: null, from: -1, to: -1, passed: seat});
      const keys = mine.includes(seat) ? [] : ['status.waits', 'status.thinking'];
      for (const key of [...keys, 'draw.offered', 'told.out']) add(voice.told(key, seat, listener));
      for (const key of ['count.quietLoss', 'count.quietLossNear']) add(voice.told(key, seat, listener, {n: 20, limit: 31, left: 3}));
      for (const ending of ['timeout', 'no-moves', 'agreed', 'no-contact']) add(voice.endingText({ending, turn: seat, result: other}, listener));
      add(voice.resultText(seats.length > 2 ? (['S', 'N'].includes(seat) ? 'SN' : 'EW') : seat, listener));
      add(voice.told('moment.cost', seat, listener, {loss: '30%'}));
      add(voice.told('moment.luck', seat, listener, {gain: '25%'}));
    }
    if (!mine) continue;
    const pieces = [[0, 1, mine[0], 'k'], [1, 30, seats[1], '?']];
    for (const kind of ['advice', 'moment']) for (const to of [1, 2]) add(voice.adviceSaying(kind, 0, to, pieces, listener));
    const shape = (seat, letter) => ({seat, letter});
    const why = (about) => add(voice.whyNot({chosen: null, clicked: null, kind: 'station', isTurn: true, isLineup: false, listener, ...about}));
    for (const letter of 'jlf') why({clicked: shape(mine[0], letter)});
    why({clicked: shape(mine[0], 'f'), kind: 'headquarters'});
    why({clicked: shape(mine[0], 'f'), isTurn: false});
    for (const seat of seats) if (!mine.includes(seat)) why({clicked: shape(seat, '?')});
    for (const letter of 'fi') why({chosen: shape(mine[0], letter)});
    why({chosen: shape(mine[0], 'f'), clicked: shape(mine[0], 'g')});
    why({chosen: shape(mine[0], 'f'), clicked: shape(seats[1], '?'), kind: 'campsite'});
    for (const letter of 'fjkl') why({chosen: shape(mine[0], letter), clicked: shape(mine[0], 'g'), isLineup: true});
    if (mine.length > 1) continue;
    const answer = {points: [0, 1], piece: 'f', best: {piece: 'c', may: 'defghi'}};
    for (const theme of ['win', 'save']) add(voice.quizSaying({...answer, is_right: true, why: '', may: ''}, theme, listener));
    for (const [reason, may] of [['quiet', ''], ['loses', 'acdejk'], ['taken', 'ak']]) add(voice.quizSaying({...answer, why: reason, may}, 'win', listener));
    for (const [reason, may] of [['ignored', ''], ['stays', 'cd']]) add(voice.quizSaying({...answer, why: reason, may}, 'save', listener));
    const chances = {one: 0.93, other: 0.07};
    for (const is_proven of [true, false]) for (const is_right of [true, false]) add(voice.quizSaying({points: [0], chances, is_proven, is_right}, 'flag', listener));
  }
  return found;
})
