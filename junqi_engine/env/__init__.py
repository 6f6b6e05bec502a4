"""Environments for research: `aec` for PettingZoo, `Batch` for many games at once, `policy` for players as policies.

`aec` and `JunqiEnv` need the extra `env` (`pip install '.[env]'` in a checkout), and are loaded at their first use.
docs/environments.md describes observations and actions.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from junqi_engine.env.batch import Batch
from junqi_engine.env.observation import Frame, Observer, frame_of
from junqi_engine.env.policies import Policy, policy

if TYPE_CHECKING:
    from junqi_engine.env.pettingzoo_env import JunqiEnv, aec

__all__ = [
    "Batch", "Frame", "JunqiEnv", "Observer", "Policy", "aec", "frame_of", "policy",
]  # fmt: skip


if not TYPE_CHECKING:  # otherwise every misspelt name would have the type Any

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            value = globals()[name] = getattr(import_module("junqi_engine.env.pettingzoo_env"), name)
        except ModuleNotFoundError as error:
            text = f"junqi_engine.env.{name} needs {error.name}: install junqi-engine with its extra `env`"
            raise ModuleNotFoundError(text, name=error.name) from None
        return value
