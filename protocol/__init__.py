"""The text protocol: text in, text out. Importing it is cheap; the games behind it are loaded by the worker."""
