"""The search kernels of an evaluator, compiled on first use."""

from types import ModuleType

from numba.core import types

from junqi_engine.evaluation.interface import Evaluator
from junqi_engine.kernels import record_type, specialise
from junqi_engine.rules.board import TABLES_TYPE
from junqi_engine.rules.effects import UNDO_TYPE
from junqi_engine.rules.movegen import MOVES_TYPE
from junqi_engine.rules.perft import FLAG_TYPE, UNDOS_TYPE
from junqi_engine.rules.position import POSITION_TYPE
from junqi_engine.search.alpha_beta import alpha_beta, rate_moves, search_moves, search_world
from junqi_engine.search.memory import SEARCH_TYPE, VALUES_TYPE
from junqi_engine.search.ordering import is_dropped, next_move, prioritise_battles, prioritise_quiets
from junqi_engine.search.quiescence import quiesce
from junqi_engine.search.transposition import TABLE_TYPE

OWN_PACKAGE = "junqi_engine"
_compiled: dict[str, ModuleType] = {}


def search_kernels(evaluator: Evaluator) -> ModuleType:
    """The kernels `rate_moves`, `search_world` and what they call, for the kernels of an evaluator.

    Kernels of an evaluator from outside this package are not cached: the cache does not depend on its source.
    """
    name = evaluator.kernels.name
    if name not in _compiled:
        _compiled[name] = _compile(evaluator)
    return _compiled[name]


def _compile(evaluator: Evaluator) -> ModuleType:
    evaluation = record_type(evaluator.record.dtype)
    node = (TABLES_TYPE, POSITION_TYPE, evaluation, SEARCH_TYPE, TABLE_TYPE, MOVES_TYPE, UNDOS_TYPE, FLAG_TYPE)
    lists = (TABLES_TYPE, POSITION_TYPE, evaluation, SEARCH_TYPE, MOVES_TYPE)
    integers = (types.int64,) * 5
    functions = (
        (is_dropped, types.boolean(*lists[:4], types.uint16, types.int64)),
        (prioritise_battles, types.int64(*lists, *integers[:3])),
        (prioritise_quiets, types.int64(*lists, *integers[:3])),
        (next_move, types.uint16(*lists, types.int64)),
        (quiesce, types.int64(*node, *integers)),
        (alpha_beta, types.int64(*node, *integers, types.uint64)),
        (rate_moves, types.void(*lists[:3], UNDO_TYPE, MOVES_TYPE, VALUES_TYPE)),
        (search_moves, None),
        (search_world, types.int64(*node, MOVES_TYPE, VALUES_TYPE, VALUES_TYPE, *integers[:3])),
    )
    kernels = evaluator.kernels
    bindings = {
        "after_make": kernels.after_make,
        "after_unmake": kernels.after_unmake,
        "value": kernels.value,
        "value_after": kernels.value_after,
        "value_key": kernels.value_key,
        "battle_gain": kernels.battle_gain,
    }
    is_own = kernels.value.py_func.__module__.split(".")[0] == OWN_PACKAGE
    options = {} if is_own else {"cache": False}
    return specialise(functions, bindings, kernels.name, **options)
