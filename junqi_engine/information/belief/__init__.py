"""Belief: how likely each hidden piece is of each kind, and worlds sampled from that.

    P(kinds | view) = sum over opponents o = (style s, policy q) of P(o | view) * P(kinds | o, view)

    P(o | view)  ~  prior(s, q) * Z(s, masks * L(q)) / Z(s) * E(q) ** EVIDENCE_EXPONENT

    L(q)  tempered likelihood of the seat's moves by policy q, by piece and kind
    E(q)  evidence: the probability of the seat's moves by policy q
    Z     sum of the weights of all line-ups, estimated by Sinkhorn scaling; the masks are what is proven

The posterior marginals sum to the piece counts. Read the files in this order:

    SeatView.record -> public_record -> move_likelihoods (policy.active_rows) -> L, E
    SeatView.masks  -> marginals.allowed_kinds -> masks
    styles.json     -> styles.load_styles, opponents.load_opponents -> prior
    prior, masks, L, E -> styles.posterior_of_styles -> styles.combine_partners
                       -> opponents.belief -> marginals (25, 12) by seat
    marginals -> rounding.draw_lineups -> worlds.sample_worlds (repair) -> worlds (n, 128)

| file | contents |
|---|---|
| `policy` | how a kind of player chooses its moves: the active rows of a move, a weight for each row and kind |
| `move_likelihoods` | the likelihood of each move of the record, by policy, piece and kind (naive Bayes) |
| `marginals` | marginal probabilities of kinds, and their normalisation to the piece counts (Sinkhorn) |
| `styles` | styles of line-ups, and their posterior for one seat or two partners |
| `opponents` | pairs of style and policy: the belief of the newest player |
| `rounding` | line-ups of one seat drawn from marginals, together as even as whole numbers allow |
| `worlds` | worlds: line-ups of all seats, repaired where they contradict a battle |
"""
