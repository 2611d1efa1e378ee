"""Genuine, fake and control illusion VQA.

Source: Shinozaki, Doi, Watahiki, Nishida and Yanaka, "Do large vision-language models understand visual
illusions?" (in Japanese, with appendices A to E); "the paper" in this package. Its images are not public:
every stimulus is drawn anew from parameters. What that leaves open is listed in ``docs/illusion_vqa.md``.
"""
