"""Sets up twenty-five flags."""

import script

script.serve(go=lambda position, words: script.say("bestmove @" + "l" * 25))
