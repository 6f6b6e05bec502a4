"""Reviews of recorded games, made by `junqi-referee review`: what is reviewed, by whom, what is kept, and the report.

`junqi_engine/analysis/` says what a move was worth; here are files, processes, clusters and pages.
"""
