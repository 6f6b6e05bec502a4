import sys

from tools.training.selfplay.run import main

sys.exit(main())
