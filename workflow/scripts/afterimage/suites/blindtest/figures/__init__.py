"""Values that say how tasks are drawn (``Drawn`` in ``copies.py``), each named like its task, in capitals."""
