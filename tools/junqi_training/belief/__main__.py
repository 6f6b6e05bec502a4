import sys

from junqi_training.command import menu

sys.exit(menu("junqi_training.belief"))
