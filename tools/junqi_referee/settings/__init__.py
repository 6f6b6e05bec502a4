"""What is to be played: words of the command line as checked, frozen settings, and the schedule of games."""
