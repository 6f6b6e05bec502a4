"""The rules, notation, evaluation, players, kernels, and how the engine is installed and started."""
