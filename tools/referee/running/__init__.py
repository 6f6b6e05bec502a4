"""A whole match or tournament: many games at a time, on this machine or on a cluster, with progress on stderr."""
