"""Listens and says nothing."""

import script

script.serve(uci=lambda: None)
