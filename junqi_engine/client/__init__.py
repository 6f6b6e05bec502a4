"""The client of engines: starts any program that speaks the protocol, talks to it within deadlines, and ends it."""
