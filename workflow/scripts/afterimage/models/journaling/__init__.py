"""The response journal: every answer of a model, kept from the moment it is received.

One folder per model, outside ``results/``. Files are only ever appended to, each by one process, so that no locks
are needed and network file systems are safe. The first line of a file says who answers, every other line is one
answer or the withdrawal of one. docs/journal.md describes the form and what may be relied on.

``entries``  one line: keys, writing, checking
``files``    the files of a folder and what stands in them
``writing``  recording answers
``appending``  the file that they are appended to
``claims``   which job asks which answers
``leases``   files by which jobs know of each other who is alive
``lookup``   finding the answers to requests
``telling``  what is said of a look into it
``upkeep``   listing, verifying, compacting, refreshing
``repairs``  line ends, lost first lines, what tables cannot hold
``export``   answers as a Parquet file
``command``  the command ``afterimage journal``
"""
