"""The subcommands of `junqi-referee`: each file defines the arguments of its commands and what they do."""
