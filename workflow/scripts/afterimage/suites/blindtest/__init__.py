"""BlindTest: seven tasks that take no knowledge, only sight.

Source: Rahmanzadehgervi, Bolton, Taesiri and Nguyen, "Vision language models are blind"
(arXiv 2407.06581); "the paper" in this package. Recorded outcomes of the paper's four models are
scored again by :mod:`afterimage.suites.blindtest.rescore`.
"""
