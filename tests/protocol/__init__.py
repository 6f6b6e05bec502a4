"""The text protocol, the session and the contest's dialect."""
