"""The client of engines: it starts a program that speaks the protocol, talks to it within deadlines, and ends it."""
