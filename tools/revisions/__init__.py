"""Git revisions of this project as programs: found in the repository, unpacked and compiled once, run beside others.

| file | contents |
|---|---|
| `repository` | git: which commit a text names, the uncommitted changes, the sources of either |
| `cache` | folders with sources: how one is run and compiled; filled once, locked while in use, removed if unused |
"""
