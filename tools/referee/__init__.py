"""The referee: matches, tournaments and regressions between engines that speak the text protocol.

It holds the true position, gives each engine process only what its seats may see, and keeps the record. It knows the
rules and the other end of the protocol; of any player or search it knows nothing.
"""
