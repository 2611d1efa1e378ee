"""The kinds of file that pass between stages, one module each.

One module per kind, and not one for all, because a stage's code fingerprint covers every module that
it imports: a new column of the grades must not redraw a stimulus.
"""
