"""Visual search: is the odd one there, among how many, and do its features have to be bound together?

After arXiv 2411.00238 (binding; NeurIPS 2024) and arXiv 2510.19678 (visual search), of which the abstracts alone were
read: images, measures and words are this project's. Described in ``docs/drawn_suites.md``.
"""
