"""The conformance check: tests an engine against sentences of the protocol."""
