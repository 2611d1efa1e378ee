"""Texture (質感, shitsukan): which words fit an object, and which words come to mind.

Source: Matsuda, Shiono, Brassard and Suzuki, "An analysis of the texture perception of large vision-language models"
(in Japanese); "the paper" in this package. Its data are not public: the suite repeats its procedure with a user's
images and words, and carries drawn materials so that everything runs without any. What the paper leaves open, and what
is done here, is listed in ``docs/texture.md``.
"""
