"""POPE: is an object in the picture or not, asked one object at a time.

Two things carry the name and are never mixed in one table. ``pope`` is the benchmark proper: Li et al., "Evaluating
Object Hallucination in Large Vision-Language Models" (arXiv 2305.10355; "the paper" in this package) and its
authors' repository, with random, popular and adversarial negatives. ``pope_blog`` is a blog's account of it ("the
blog"), whose strategies C, R and A are different tests under similar names. ``pope_extended`` is what the blog wishes
for: attributes, relations and look-alikes, on scenes whose keys are exact.
"""
