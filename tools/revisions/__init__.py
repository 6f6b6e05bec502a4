"""Git revisions of this project as programs: found in the repository, unpacked and compiled once, run beside others.

| file | contents |
|---|---|
| `repository` | git: which commit a text names, the uncommitted changes, the sources of either |
| `checkout` | a folder with sources: how it is run and compiled |
| `cache` | the folder of all built revisions: each filled once, locked while in use, removed after long disuse |
"""
