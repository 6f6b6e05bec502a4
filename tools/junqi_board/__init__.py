"""The web board: a local page for playing, watching, replaying and solving, served to a browser on the same machine.

Here: the command, the HTTP and WebSocket server, access tokens, messages, engine processes. Below: `game/` is the game
as a state machine, `session/` connects it to engines, pages and files, `drawing/` turns positions into what a page
draws, `views/` answers the messages of a page, `page/` is the page itself. Imports point from `views/` to `session/` to
`game/`.
"""
