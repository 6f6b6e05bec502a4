"""The subcommands of `junqi-referee`: `arguments` defines them, `playing` and `counting` carry out the larger ones."""
