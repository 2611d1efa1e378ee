"""One module per task, each with ``cells``, ``geometry``, ``truth`` and ``draw``.

``cells(release)`` lists the stimuli of the task's design, which the module imports so that its code is
tracked with the drawing's;
``geometry(levels, generator, copy)`` draws what all renderings of a base figure share, ``truth`` works
out the right answer from the complete parameters, ``draw`` turns these into pixels.
"""
