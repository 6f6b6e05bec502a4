import sys

from junqi_training.selfplay.run import main

sys.exit(main())
