"""Environments for research: `aec` is a PettingZoo environment, `policy` a player of this project as a policy.

Needs the extra `env` (`pip install 'junqi-engine[env]'`). docs/environments.md describes
observations and actions.
"""

from junqi_engine.env.aec import JunqiEnv, aec
from junqi_engine.env.frames import Frame, frame_of
from junqi_engine.env.observation import Observer
from junqi_engine.env.policies import Policy, policy

__all__ = ["Frame", "JunqiEnv", "Observer", "Policy", "aec", "frame_of", "policy"]
