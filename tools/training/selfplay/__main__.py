import sys

from tools.training.selfplay.command import main

sys.exit(main())
