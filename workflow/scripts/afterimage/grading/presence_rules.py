"""Five rules by which published evaluations read whether an object is said to be present.

Each rule takes the reply as received and knows nothing of the key, so that its reading can be stored
beside the answer and counted later. They are crude on purpose: numbers in print rest on them.
"""

import re

#: What a rule can read. "both" occurs under ``contains_label`` alone, which looks for whichever word
#: the key calls for and is satisfied by either.
YES, NO, BOTH, UNPARSED = "yes", "no", "both", ""

_DENYING_TOKENS = {"No", "no", "not"}
_WORD = re.compile(r"(?<![^\W_])(?:yes|no)(?![^\W_])")


def official(text: str) -> str:
    """Read as the evaluation script of POPE's repository does: there are two outcomes only.

    The text before the first full stop, commas removed, is split at single spaces; a token that is
    exactly "No", "no" or "not" makes it a no, everything else is a yes (an empty reply included).
    """
    tokens = text.split(".")[0].replace(",", "").split(" ")
    return NO if _DENYING_TOKENS.intersection(tokens) else YES


def contains_label(text: str) -> str:
    """Read as VCD's script does: which of the letters "yes" and "no" occur, anywhere in the text.

    That script counts a reply as right where the key occurs in it; "both" is right whatever the key.
    """
    lowered = text.lower()
    found = ("yes" in lowered, "no" in lowered)
    return {(True, True): BOTH, (True, False): YES, (False, True): NO}.get(found, UNPARSED)


def repope(text: str) -> str:
    """Read as RePOPE's script does (arXiv 2504.15707): a yes where "yes" occurs anywhere, else a no where "no" does.

    "I see no eyes" is a yes.
    """
    lowered = text.lower()
    return YES if "yes" in lowered else NO if "no" in lowered else UNPARSED


def exact(text: str) -> str:
    """Read as lmms-eval does: the whole reply, stripped and in lower case, is the word."""
    word = text.strip().lower()
    return word if word in (YES, NO) else UNPARSED


def word(text: str) -> str:
    """Read as VLMEvalKit does: the one of the words "yes" and "no" that occurs without the other."""
    words = set(_WORD.findall(text.lower()))
    said = [answer for answer in (YES, NO) if answer in words]
    return said[0] if len(said) == 1 else UNPARSED
