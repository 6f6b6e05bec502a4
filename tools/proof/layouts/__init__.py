"""All layouts of classic Klotski: `python -m tools.proof.layouts FOLDER`.

`enumeration`: the layouts of one set of pieces; `survey`: their components and distances; `folder`: the results on
disk; `running`: the sets on several processes or on a Dask cluster; `table`: the results as a table.
"""
