"""Dies before it has said anything."""

import sys

sys.exit("no, thank you")
