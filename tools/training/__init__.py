"""Finding and checking the numbers that players use. Each command has `--help`:

- `python -m tools.training.calibration`: how well belief predicts hidden pieces; `--fit` fits the terms of deeds
- `python -m tools.training.styles`: the styles of line-ups that belief knows
- `python -m tools.training.lineup_worth`: the value of each piece in each place of a line-up, fitted to game results
- `python -m tools.training.lineup_response`: what other line-ups score against those of `go setup`
- `python -m tools.training.value`: weights of the learned evaluator, fitted to games; `tune`: tuned by play
- `python -m tools.training.exploit`: what beats a player that stays as it is, and by how much
- `python -m tools.training.policy`: how players choose their moves, by which belief reads them
- `python -m tools.training.value_quality`: how well each evaluator predicts the winner
- `python -m tools.training.wdl_fit`: the chances of a win, a draw and a loss behind a score, fitted to game results
- `python -m tools.training.elo_scale`: the Elo of the levels of `Skill Level`, measured by matches
- `python -m tools.training.selfplay`: games of players against each other, stored as moves, to learn from
- `python -m tools.training.knowledge`: the Elo of knowing a part of the enemy's pieces, and of secrecy
- `python -m tools.training.safety`: how often a player throws away a high piece or its flag in known positions
- `python -m tools.training.find_unsafe`: new positions for it, from lost games

The commands read their arguments before they import anything heavy; the modules beside them do the work. `games` plays
and reads games, `samples` takes hidden pieces out of them, `style_tables` and `belief_fit` make the tables of belief,
`belief_quality` measures it. `lineup_fit` and `wdl_model` fit to results, `lineup_matches` plays line-ups against each
other, `value_measures` compares evaluators. `informed` plays games with more knowledge than is allowed,
`knowledge_pairs` pairs of them, `knowledge_results` records these. `unsafe_moves` has the rules of the safety suite,
`safety_suite` reads its positions, `lost_games` finds new ones. `workers` runs jobs in processes or on a
cluster, `command` ends commands.
"""
