import sys

from tools.training.command import menu

sys.exit(menu("tools.training.measuring"))
