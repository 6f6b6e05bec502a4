"""The subcommands of `junqi-referee`: `playing` and `counting` carry out the larger ones, the other files
define the arguments of their commands."""
