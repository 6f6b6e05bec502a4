"""Environments for research: `aec` for PettingZoo, `Batch` for many games at once, `policy` for players as policies.

Needs the extra `env` (`pip install 'junqi-engine[env]'`). docs/environments.md describes
observations and actions.
"""

from junqi_engine.env.aec import JunqiEnv, aec
from junqi_engine.env.batch import Batch
from junqi_engine.env.frames import Frame, frame_of
from junqi_engine.env.observation import Observer
from junqi_engine.env.policies import Policy, policy

__all__ = ["Batch", "Frame", "JunqiEnv", "Observer", "Policy", "aec", "frame_of", "policy"]
