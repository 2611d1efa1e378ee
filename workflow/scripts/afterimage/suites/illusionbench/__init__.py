"""IllusionBench+: whether a model sees an illusion, knows what causes it, and still sees what is there.

Source: Zhang, Zhang, Wei, Liu, Zhai and Min, "IllusionBench+: A large-scale and comprehensive benchmark for visual
illusion understanding in vision-language models" (arXiv 2501.00848); "the paper" in this package. Its images are
read from a folder or from the official release, which every user fetches; a small set with the same kinds of question
is drawn here, so that the suite runs without either. Another benchmark of almost the same name (Hemmat and others,
shapes hidden in scenes) is something else.
"""
