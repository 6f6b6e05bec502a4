"""The games for OpenSpiel: importing this package registers `junqi_siguo` and `junqi_luzhanqi` with `pyspiel`.

Needs the extra `openspiel` (`pip install '.[openspiel]'` in a checkout). docs/environments.md describes the games.
"""

from junqi_engine.errors import extra_needed

with extra_needed("openspiel", "junqi_engine.openspiel"):
    from junqi_engine.openspiel.games import JunqiGame, JunqiObserver, JunqiState

__all__ = ["JunqiGame", "JunqiObserver", "JunqiState"]
