"""The content words of a question, in order, as stems."""

import re

WORD = re.compile(r"[^\W_]+(?:['.-][^\W_]+)*")
# Words without meaning for the question.
STOP = frozenset(
    WORD.findall(
        "a an the is are was were be been do does did has have had of in on at to for by with from and or it "
        "its this that these those there any some all as into image picture figure photo given shown "
        "according based can could you see i we which whether anywhere answer please yes no using above below map "
        "chart table one two three four each other "
    )
)
# A preamble before the verb only says where to look: "According to the map, is ...".
_PREAMBLE = re.compile(r"^.*,\s*(?=(?:is|are|was|were|does|do|did|has|have|can|will)\b)", re.DOTALL)


def content(question: str) -> list[str]:
    """Return the distinct stems of a question's content words, in order."""
    words = [word for word in WORD.findall(main_question(question)) if word not in STOP]
    return list(dict.fromkeys(map(stem, words)))


def main_question(question: str) -> str:
    """Return the last question of a text, from its verb on."""
    parts = [part for part in re.split(r"(?<=[.!?])\s+|\n", question.strip()) if part.strip()]
    questions = [part for part in parts if part.rstrip().endswith("?")]
    return _PREAMBLE.sub("", (questions or parts or [""])[-1])


def stem(word: str) -> str:
    for ending in ("ping", "ting", "ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word
