"""Replies that decline to answer, in Japanese or English, where such words can be nothing else.

The words stand with all others in ``resources/answers/cues.yaml``.
"""

from afterimage.grading.words import cue


def is_refusal(reply: str) -> bool:
    """Tell whether a reply, NFKC-normalised, says that it does not answer."""
    return cue("refusal_alone").search(reply.replace("’", "'").lower()) is not None
