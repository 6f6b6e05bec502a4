"""Never sends `readyok`."""

import script

script.serve(isready=lambda: None)
