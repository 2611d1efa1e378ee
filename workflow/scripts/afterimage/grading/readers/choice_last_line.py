"""Multiple choice after written reasoning: the option that the last line of a reply names.

For prompts that ask for the decision on a line of its own (metacognitive prompting, paper, footnote 5). Reasoning
weighs several options before it settles, so only the last line decides; where it names none, the whole reply is read as
plain multiple choice.
"""

from collections.abc import Sequence

from afterimage.grading.language.reply_text import window
from afterimage.grading.parsed import Ambiguity, Parsed
from afterimage.grading.readers import choice

# Limit of characters of a last line that is read as an answer.
_LONGEST = 400


def parse(text: str, options: Sequence[tuple[str, str]]) -> Parsed:
    """Read a reply as one of the options; never raises, whatever the reply.

    Returns:
        As :func:`afterimage.grading.readers.choice.parse`; the reason says which part of the reply was read.
    """
    lines = (line for line in reversed(window(text).splitlines()) if choice.normalise(line))
    last_line, before = next(lines, ""), next(lines, None)
    if before is None or len(last_line) > _LONGEST:
        return choice.parse(text, options)
    last = choice.parse(last_line, options)
    if last.answer is not None or last.ambiguity is Ambiguity.SEVERAL:
        return last._replace(why=f"last line: {last.why}")
    return choice.parse(text, options)
