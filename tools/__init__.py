"""Programs that people run beside the engine: benchmarks, matches."""
