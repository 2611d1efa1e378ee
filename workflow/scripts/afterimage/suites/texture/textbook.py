"""What one would answer without looking: words that the object's name suggests.

The knowledge behind the reference responder ``textbook``. The paper suspects models of naming textures from the
object's name alone (section 4.3). A ball is smooth, shiny and light, a board flat and hard; of anything else the first
word on offer is as good as any. Both rules of the responder give the same answers here, since no figure has an inducer
that could be missing.
"""

from afterimage.contract.stimulus import Json
from afterimage.items.wording import offered

#: Object's name to words, the most typical first.
_EXPECTED = {
    "球": (
        *("つやつや", "光沢のある", "硬い", "なめらか"),
        *("透明感のある", "ふわふわ", "柔らかい", "ざらざら"),
    ),
    "板": (
        *("硬い", "ざらざら", "乾いた", "金属的"),
        *("光沢のある", "マットな", "ひび割れた", "つや消し"),
    ),
}


def answer(beside: Json, rule: str) -> str:
    """Return the option, or the three words, that the object's name suggests.

    Args:
        beside: What stands beside the request: ``question``, ``options`` as pairs of option id and text, and
            ``factors`` with ``object``.
        rule: ``cued`` or ``gated``.

    Raises:
        AfterimageError: The rule is unknown, or there are no options.
    """
    texts = list(offered(beside, rule).values())
    expected = _EXPECTED.get(beside["factors"]["object"], ())
    if beside["question"] == "describe":
        # An object without an expectation is described as the next best one is.
        return "、".join(expected[:3]) if expected else texts[-1]
    return next((word for word in expected if word in texts), texts[0])
