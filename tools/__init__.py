"""Programs that people run beside the engine; `jobs` and `progress` serve all of them."""
