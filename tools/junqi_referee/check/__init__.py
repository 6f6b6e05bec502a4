"""The conformance check: tests an engine, step by step, against the sentences of the protocol."""
