"""Which stimuli each task has: one module per task, standard library only.

Each offers ``DESIGN``, made of ``cells(release)``: the stimuli of one copy of the task in their fixed order. Levels and
counts are those behind the paper's tables (docs/blindtest.md).
"""
