"""The styles in which this engine sets up; `go setup` draws from them, and belief expects them of an equal."""

OWN_STYLES = {
    "engine before 2026-11-22": 0.25,
    "engine before 2026-11-21": 0.25,
    "people": 0.25,
    "sensible": 0.25,
}
"""By style of `style_belief`: how often it is chosen."""
