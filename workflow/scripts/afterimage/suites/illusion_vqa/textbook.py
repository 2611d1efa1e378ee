"""What a textbook says of an illusion: nothing differs, although it seems to.

The knowledge behind the reference responder ``textbook`` (specification, section 4). It is the
paper's hypothesis about vision-language models made executable (paper, section 4.2): it knows which
illusion is meant and never looks at the image.
"""

from collections.abc import Mapping

from afterimage.errors import AfterimageError, unknown_name

#: cued: the illusion's name is enough. gated: the rule is dropped when the inducer is missing.
RULES = ("cued", "gated")


def answer(beside: Mapping, rule: str) -> str:
    """Return the text of the option that the textbook suggests.

    Args:
        beside: What stands beside the request: ``question`` (actual or apparent), ``options`` as
            pairs of option id and text, and ``factors`` with ``neutral`` and ``illusory`` (option
            ids that are common knowledge about the illusion) and ``inducer`` (present or absent).
        rule: ``cued`` or ``gated``.

    Raises:
        AfterimageError: The rule, the question or the state of the inducer is unknown, or the
            suggested option is not offered.
    """
    factors, question = beside["factors"], beside["question"]
    for kind, name, valid in (
        ("rule", rule, RULES),
        ("question", question, ("actual", "apparent")),
        ("state of the inducer", factors["inducer"], ("present", "absent")),
    ):
        if name not in valid:
            raise unknown_name(kind, name, valid, "textbook")
    applies = rule == "cued" or factors["inducer"] == "present"
    option_id = factors["illusory"] if applies and question == "apparent" else factors["neutral"]
    texts = dict(beside["options"])
    if option_id not in texts:
        raise AfterimageError(
            f"textbook: option '{option_id}' of figure '{beside.get('figure')}' is not offered; "
            f"expected one of: {', '.join(texts)}."
        )
    return texts[option_id]
