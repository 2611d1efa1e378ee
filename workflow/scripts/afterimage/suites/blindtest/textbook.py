"""What one would answer without looking: the answer that the figure's name suggests.

The knowledge behind the reference responder ``textbook``. There is no textbook on these figures, but
each brings a familiar picture to mind, and the paper suspects models of answering from such pictures
(for example, "five" for rings like the Olympic ones). Both rules of the responder give the same
answers here, since no figure has an inducer that could be missing.
"""

from collections.abc import Mapping

from afterimage.items.wording import offered, require_known

#: Question of the prompt to what is expected: two lines cross once; two circles in a picture are drawn
#: apart (a Venn diagram would be named so); the Olympic logo has five rings; a nested square is a
#: square in a square; a table is square and small; one line of a subway map joins two stations; the text
#: is a word, and what is drawn in red is a circle.
_EXPECTED = {
    "crossings": "1",
    "overlap": "No",
    "touch": "No",
    "letter": "e",
    "shapes": "5",
    "squares": "2",
    "size": "4x4",
    "paths": "1",
    "string": "Acknowledgement",
    "shape": "circle",
}


def answer(beside: Mapping, rule: str) -> str:
    """Return the expected answer, or the first that is possible where it is not.

    Args:
        beside: What stands beside the request: ``question`` and ``options`` as pairs of option id
            and text. "e", the commonest letter, is not in every string; then the string's first
            letter in the alphabet is named.
        rule: ``cued`` or ``gated``.

    Raises:
        AfterimageError: The rule or the question is unknown, or there are no options.
    """
    require_known("question", beside["question"], tuple(_EXPECTED))
    texts = offered(beside, rule)
    expected = _EXPECTED[beside["question"]]
    return texts.get(expected, next(iter(texts.values())))
