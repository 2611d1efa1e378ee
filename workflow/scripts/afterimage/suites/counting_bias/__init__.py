"""Counting what is usual, changed by one: flags, boards and patterned grids, each with an unfamiliar twin.

After Vo, Nguyen, Taesiri, Dang, Nguyen and Kim, "Vision language models are biased" (ICLR 2026, arXiv 2505.23941).
"""
