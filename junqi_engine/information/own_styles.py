"""The styles in which this engine sets up; `go setup` draws from them, and belief expects them of an equal."""

OWN_STYLES = {
    "engine 3.2": 0.25,
    "engine 2.0": 0.25,
    "people": 0.25,
    "sensible": 0.25,
}
"""By style of `style_belief`: how often it is chosen."""
