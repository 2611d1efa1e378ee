"""What a textbook says of an illusion: nothing differs, although it seems to."""

from collections.abc import Mapping

from afterimage.items.wording import require_known
from afterimage.suites.illusions.names import QUESTIONS
from afterimage.suites.illusions.words import text_of


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
    require_known("rule", rule)
    require_known("question", question, QUESTIONS)
    require_known("state of the inducer", factors["inducer"], ("present", "absent"))
    applies = rule == "cued" or factors["inducer"] == "present"
    suggested = factors["illusory"] if applies and question == "apparent" else factors["neutral"]
    return text_of(suggested, beside)
