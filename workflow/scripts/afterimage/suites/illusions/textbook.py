"""What both suites' textbooks share: the words of the option that they suggest.

A textbook knows which illusion is meant and never looks at the image: the paper's hypothesis about vision-language
models made executable (paper, section 4.2; docs/illusion_figures.md, section 6).
"""

from collections.abc import Mapping

from afterimage.errors import AfterimageError


def text_of(option_id: str, beside: Mapping) -> str:
    """Return the text of an option.

    Args:
        option_id: The option that is suggested.
        beside: What stands beside the request: ``options`` as pairs of option id and text, and ``figure``.

    Raises:
        AfterimageError: The option is not offered.
    """
    texts = dict(beside["options"])
    if option_id not in texts:
        raise AfterimageError(
            f"textbook: option '{option_id}' of figure '{beside.get('figure')}' is not offered; "
            f"expected one of: {', '.join(texts)}."
        )
    return texts[option_id]
