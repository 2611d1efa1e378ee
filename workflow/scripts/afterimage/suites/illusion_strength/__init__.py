"""The illusions of the suite illusion_vqa over a grid of inducer strengths and true differences.

Beyond the paper (Shinozaki, Doi, Watahiki, Nishida and Yanaka): a slope tells seeing from knowing where one cell
cannot. Described in ``docs/illusion_strength.md``.
"""
