"""Never says `readyok`."""

import script

script.serve(isready=lambda: None)
