"""Reads its input and writes nothing."""

import script

script.serve(uci=lambda: None)
