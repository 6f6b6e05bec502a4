"""Siguo and luzhanqi as games of OpenSpiel, in the order of its kuhn_poker: the types, the game, its states.

Chance deals the line-ups, seat by seat and place by place, so that every legal line-up is equally likely.
A player is a seat, in the order of their turns; actions are those of `env.observation`, so every player sees the board
from its own side. Returns are 1 for each seat of the team that won, -1 for the others, 0 for a draw.
"""

from functools import cache
from math import comb, factorial, prod
from typing import Any

import numpy as np
import pyspiel

from junqi_engine.api.game import Game, View
from junqi_engine.env.observation import VISIBILITIES, Observer, check_choice, frame_of, viewer_of
from junqi_engine.errors import IllegalMove
from junqi_engine.notation.moves import format_code, format_viewer
from junqi_engine.rules.board import BOARDS, MINI_BOARDS, Army, Board, board_named
from junqi_engine.rules.layout import contains
from junqi_engine.rules.lineup import MASK_AT
from junqi_engine.rules.options import Rules
from junqi_engine.rules.pieces import BOMB, FLAG, KINDS, LETTERS, MINE

MOST_PLIES = {"siguo": 0, "luzhanqi": 0, "mini-siguo": 7, "mini-luzhanqi": 7}
"""The parameter `max_plies` if it is not given."""
SEED_BITS = 53
"""What a random number of OpenSpiel's sampler has."""


def _defaults(variant: str) -> dict[str, Any]:
    return {"visibility": "partner", "max_plies": MOST_PLIES[variant]}


def _type_of(board: Board) -> Any:
    variant, seats = board.variant, len(board.seats)
    return pyspiel.GameType(
        short_name=f"junqi_{variant.replace('-', '_')}",
        long_name=f"Junqi, {variant}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats,
        min_num_players=seats,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_defaults(variant),
    )


TYPES = {variant: _type_of(board) for variant, board in (BOARDS | MINI_BOARDS).items()}


BOUND_KINDS = (FLAG, MINE, BOMB)
"""The kinds that may not stand everywhere. The places of each contain those of the ones before it."""


@cache
def _free_places(army: Army, kind: int, begin: int) -> int:
    return sum(int(contains(MASK_AT[slot], kind)) for slot in army.slots[begin:])


def completions(army: Army, dealt: str) -> int:
    """In how many ways a line-up can be completed that begins with these letters; 0 if they break a rule."""
    remaining = [count - dealt.count(letter) for count, letter in zip(army.counts, LETTERS, strict=True)]
    places = zip(army.slots, dealt, strict=False)
    is_legal = all(contains(MASK_AT[slot], LETTERS.index(letter)) for slot, letter in places)
    if min(remaining) < 0 or not is_legal:
        return 0
    ways, taken = 1, 0
    for kind in BOUND_KINDS:
        ways *= comb(max(0, _free_places(army, kind, len(dealt)) - taken), remaining[kind])
        taken += remaining[kind]
    others = [count for kind, count in enumerate(remaining) if kind not in BOUND_KINDS]
    return ways * factorial(sum(others)) // prod(map(factorial, others))


def deal_chances(army: Army, dealt: str) -> list[tuple[int, float]]:
    """The kinds that may follow in a line-up that begins with these letters, each with its probability."""
    ways = [completions(army, dealt + letter) for letter in LETTERS]
    total = sum(ways)
    return [(kind, number / total) for kind, number in enumerate(ways) if number]


MOVE_ENTRIES = 6
"""From-point, to-point, outcome, the points of two revealed flags, the set of eliminated seats. Points are relative and
count from 1; 0 is none.
"""


class JunqiObserver:
    """An observer as OpenSpiel defines it: `tensor` is flat, `dict` has its parts by name.

    With perfect recall the text is `View.information_state`, and the tensor has all moves; without it, they are the FEN
    of the view and the arrays of `env.observation.Observer`. Before all line-ups are dealt, a player sees the pieces
    that it has got.
    """

    def __init__(self, game: Any, wanted: Any, params: Any = None) -> None:
        single = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if params or not wanted.public_info or wanted.private_info != single:
            raise ValueError("junqi is observed with public information and that of one player, without parameters")
        self._observer, self._perfect_recall = Observer(game.variant), wanted.perfect_recall
        seats, points = len(game.seats), len(frame_of(game.variant, 0).absolute)
        shapes: dict[str, tuple[int, ...]] = {"player": (seats,)}
        if self._perfect_recall:
            shapes |= {
                "lineups": (seats, len(frame_of(game.variant, 0).board.army.indices), KINDS),
                "moves": (game.max_game_length(), MOVE_ENTRIES),
            }
        else:
            shapes |= {"observation": (points, self._observer.channels), "counts": (self._observer.count_entries,)}
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict = {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}

    def set_from(self, state: Any, player: int) -> None:
        """Fill the tensor with what a player sees."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if self._perfect_recall:
            for seat, lineup in state.seen_lineups(player).items():
                for place, letter in enumerate(lineup):
                    self.dict["lineups"][seat, place, LETTERS.index(letter)] = 1
        if state.is_dealt:
            view = state.view(player)
            if self._perfect_recall:
                self._set_moves(view, player)
            else:
                found = self._observer.observe(view, view.seats[player])
                self.dict["observation"][:], self.dict["counts"][:] = found["observation"], found["counts"]

    def string_from(self, state: Any, player: int) -> str:
        """What a player sees, as a text."""
        if not state.is_dealt:
            return f"player {player} dealt {state.seen_lineups(player)}"
        view = state.view(player)
        return f"player {player} {view.information_state() if self._perfect_recall else view.fen()}"

    def _set_moves(self, view: View, player: int) -> None:
        relative = self._observer.frame(player).relative
        for row, seen in zip(self.dict["moves"], view.state.record, strict=False):
            row[:2] = relative[[seen.from_point, seen.to_point]] + 1
            row[2] = seen.outcome
            for entry, flag in enumerate(seen.shown_flags):
                row[3 + entry] = relative[flag] + 1
            row[5] = sum(1 << (seat - player) % len(view.seats) for seat in seen.eliminated)


class JunqiGame(pyspiel.Game):
    """A game of OpenSpiel.

    `visibility` is what a seat sees: its own pieces (`dark`), also its partner's (`partner`), or all
    (`open`). `max_plies` ends a game in a draw; 0 does not. `JunqiError` for another visibility or number.

    >>> import pyspiel, junqi_engine.openspiel
    >>> game = pyspiel.load_game("junqi_luzhanqi(visibility=dark,max_plies=100)")
    >>> game.num_players(), game.max_game_length()
    (2, 100)
    """

    variant: str

    def __init__(self, params: Any = None) -> None:
        board = board_named(self.variant)
        self.seats, given = board.seats, {**_defaults(self.variant), **(params or {})}
        self.visibility, self.rules = (
            str(given["visibility"]),
            Rules.of(board, Rules(max_plies=int(given["max_plies"]))),
        )
        check_choice("visibility", self.visibility, VISIBILITIES)
        # Each battle removes a piece, and the limit of plies without a battle runs between two of them.
        pieces = len(self.seats) * len(board.army.indices)
        longest = (pieces + 1) * (self.rules.no_contact or 0)
        info = pyspiel.GameInfo(
            num_distinct_actions=frame_of(self.variant, 0).actions,
            max_chance_outcomes=KINDS,
            num_players=len(self.seats),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=min(longest, self.rules.max_plies or longest),
        )
        super().__init__(TYPES[self.variant], info, params or {})

    def new_initial_state(self) -> "JunqiState":
        """The state before the first piece is dealt."""
        return JunqiState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> JunqiObserver:
        """What fills observations and information states."""
        return JunqiObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)

    def max_chance_nodes_in_history(self) -> int:
        """The pieces that are dealt."""
        return len(self.seats) * len(board_named(self.variant).army.indices)

    def __reduce__(self) -> tuple[Any, ...]:
        """By name and parameters: OpenSpiel's own pickling loses what `__init__` has set."""
        return _load, (str(self),)


def _load(text: str) -> pyspiel.Game:
    """A game by its name and parameters, also where this module is imported to unpickle it."""
    return pyspiel.load_game(text)


class JunqiState(pyspiel.State):
    """A state of OpenSpiel: the pieces that are dealt so far, then the true game."""

    def __init__(self, game: JunqiGame) -> None:
        super().__init__(game)
        # OpenSpiel copies a state by a deep copy of each attribute: all of these are cheap.
        self._variant, self._visibility, self._max_plies = game.variant, game.visibility, game.rules.max_plies
        self._dealt = ""
        self._played: Game | None = None

    @property
    def _board(self) -> Board:
        return board_named(self._variant)

    @property
    def _each(self) -> int:
        return len(self._board.army.indices)

    @property
    def _dealt_to_seat(self) -> str:
        """What the seat has whose line-up is being dealt."""
        return self._dealt[len(self._dealt) // self._each * self._each :]

    @property
    def is_dealt(self) -> bool:
        """Whether all line-ups are complete."""
        return self._played is not None

    @property
    def true_game(self) -> Game:
        """The game of the library; ValueError before all line-ups are dealt."""
        if self._played is None:
            raise ValueError("the line-ups are not dealt yet")
        return self._played

    def view(self, player: int) -> View:
        """What a player may know; ValueError before all line-ups are dealt."""
        board = self._board
        return self.true_game.view(format_viewer(board, viewer_of(board, self._visibility, player)))

    def seen_lineups(self, player: int) -> dict[int, str]:
        """By seat, what is dealt so far of the line-ups that a player sees."""
        viewer = viewer_of(self._board, self._visibility, player)
        starts = range(0, len(self._dealt), self._each)
        lineups = {seat: self._dealt[start : start + self._each] for seat, start in enumerate(starts)}
        return {seat: lineup for seat, lineup in lineups.items() if contains(viewer, seat)}

    def current_player(self) -> int:
        """The seat to move, chance, or nobody once the game has ended."""
        if self._played is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self._played.is_game_over() else self._played.state.turn

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return self._played is not None and self._played.is_game_over()

    def returns(self) -> list[float]:
        """By player: 1 for a win, -1 for a loss, 0 for a draw or a game that continues."""
        seats = self._board.seats
        return [0.0] * len(seats) if self._played is None else list(self._played.returns().values())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The kinds that the next place may get, with their probabilities."""
        return deal_chances(self._board.army, self._dealt_to_seat)

    def resample_from_infostate(self, player: int, sampler: Any) -> "JunqiState":
        """A state that the player cannot tell from this one; `sampler` gives random numbers from 0 to 1.

        Hidden pieces weigh the same for every kind that is possible. ValueError before all line-ups are dealt.
        """
        [drawn] = self.view(player).sample(1, int(sampler() * (1 << SEED_BITS)), "uniform")
        state = self.get_game().new_initial_state()
        history = self.history()[len(self._dealt) :]
        for action in [*(LETTERS.index(letter) for letter in "".join(drawn.lineups.values())), *history]:
            state.apply_action(action)
        return state

    def _legal_actions(self, player: int) -> list[int]:
        frame = frame_of(self._variant, player)
        return sorted(map(frame.action_of, self.true_game.state.legal_moves()))

    def _apply_action(self, action: int) -> None:
        if self._played is not None:
            self._played.push(self._move_of(self._played.state.turn, action))
            return
        if not (0 <= action < KINDS and completions(self._board.army, self._dealt_to_seat + LETTERS[action])):
            raise IllegalMove("illegal-move", f"chance does not deal {action} after {self._dealt_to_seat!r}")
        self._dealt += LETTERS[action]
        seats = self._board.seats
        if len(self._dealt) == len(seats) * self._each:
            lineups = np.array(list(self._dealt)).reshape(len(seats), self._each)
            by_seat = {letter: "".join(lineup) for letter, lineup in zip(seats, lineups, strict=True)}
            self._played = Game(self._variant, by_seat, rules=Rules(max_plies=self._max_plies))

    def _action_to_string(self, player: int, action: int) -> str:
        return LETTERS[action] if player == pyspiel.PlayerId.CHANCE else self._move_of(player, action)

    def _move_of(self, player: int, action: int) -> str:
        return format_code(self._board, frame_of(self._variant, player).move_of(action))

    def __str__(self) -> str:
        return f"dealt {self._dealt}" if self._played is None else str(self._played)


for _variant in TYPES:
    pyspiel.register_game(TYPES[_variant], type(f"JunqiGame_{_variant}", (JunqiGame,), {"variant": _variant}))
