"""Multiple choice: which of the offered options a reply names.

Evidence in order, the first that decides: the reply is an option's text; an announced final answer, or a last line that
is an option's text; the text after a retraction; the one option that the reply states, in the option's words or in
those of ``resources/answers``. Whatever is denied, asked, supposed, refused or only an impression does not count,
unless the options are about impressions. A reply that states two options, and concludes with neither, is ambiguous.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from afterimage.contract.readings import AMBIGUOUS, OFF_TOPIC, REFUSED
from afterimage.grading.language import affirmation
from afterimage.grading.language.evidence import (
    after_second_look,
    after_take_back,
    final_answers,
    refuses,
    without_wrong,
)
from afterimage.grading.language.former_latter import resolved
from afterimage.grading.language.known_options import Options, mark_of, options_of
from afterimage.grading.language.measured import by_measure
from afterimage.grading.language.option_words import named
from afterimage.grading.language.reply_text import prepared, window
from afterimage.grading.language.stated_options import (
    AROUND,
    NUMBERED,
    by_elimination,
    only_looks,
    stated_options,
)
from afterimage.grading.language.typography import levelled, levelled_number
from afterimage.grading.language.words import cue, load
from afterimage.grading.parsed import NOTHING, Ambiguity, Parsed, unread

_WORD = r"[^\W_]"
_SINGLE_QUOTES = "'`\u00b4\u2018\u2019\u201a\u201b\u2032\u2039\u203a"
_DOUBLE_QUOTES = '"\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d\u300e\u300f'
_HYPHENS = "-\u2010\u2011"

_STRAIGHT_QUOTES = str.maketrans(
    dict.fromkeys(_SINGLE_QUOTES, "'") | dict.fromkeys(_DOUBLE_QUOTES, '"')
)
# An apostrophe inside a word is spelling ("don't"); every other quote is punctuation around words.
_PUNCTUATION_QUOTES = re.compile(rf"(?<!{_WORD})['\"]|['\"](?!{_WORD})")
# Markdown's emphasis opens before a non-space and closes after one. A lone star before a space is a
# bullet, one between words is multiplication, an underscore between words is part of a name: those
# stay.
_EMPHASIS = re.compile(rf"(?<!{_WORD})[*_]+(?=\S)|(?<=\S)[*_]+(?!{_WORD})")
_FINAL = " .\u3002"

# "parallel" does not match in "non-parallel", nor "5" in "1.5", "5.2" or "-5".
_STARTS_WORD = (
    rf"(?<!{_WORD})(?<!{_WORD}[{_HYPHENS}'])(?!(?<=\d[.,])\d)(?!(?<=[\s(:=]-)\d)(?!(?<=^-)\d)"
)
_ENDS_WORD = rf"(?!{_WORD}|[{_HYPHENS}']{_WORD}|(?<=\d)[.,]\d)"


_GLOSS = re.compile(r"\(([^()\n]{1,40})\)")
_LABEL = re.compile(r"\W*(?:(?:option|number|choice) )?([0-9a-e])\W*")
_LISTED = re.compile(r"\W*(?:option )?([0-9a-e])[.):]+\s*([^:—\n]+)")
_PRIVATE = re.compile(r"[\ue000-\uf8ff]")
# "Right, so the left one is bigger" agrees with itself.
_OPENING = re.compile(r"(?:(?<=\n)|(?<=[.!] )|^)(?:all )?right, (?=(?:so|then|let|now|here)\b)")
# Limit of nested typography, removed layer by layer.
_PASSES = 8


class _Mention(NamedTuple):
    option_id: str
    start: int
    end: int


def parse(text: str, options: Sequence[tuple[str, str]]) -> Parsed:
    """Read a reply as one of the options; never raises, whatever the reply.

    Returns:
        The option id with outcome "exact" or "contained", or None with outcome "unparsed" and why. Options that are
        equal after normalisation cannot be distinguished.
    """
    reply = _normalised(window(text))
    if not reply:
        return NOTHING
    whole = exact(text, options)
    if whole is not None:
        return whole
    wanted = {option_id: _normalised(option) for option_id, option in options}
    return _read(prepared(text), reply, wanted)


def exact(text: str, options: Sequence[tuple[str, str]]) -> Parsed | None:
    """Read a reply that is exactly an option's text; None for any other."""
    reply = _normalised(window(text))
    equal = [option_id for option_id, option in options if _normalised(option) == reply]
    if len(equal) == 1:
        return Parsed(equal[0], "exact", "the reply is the option's text")
    if equal and reply:
        return _several("the reply", equal)
    return None


def _read(prose: str, reply: str, wanted: dict[str, str]) -> Parsed:
    known = options_of(tuple((option_id, text) for option_id, text in wanted.items()))
    by_yes_or_no = _by_yes_or_no(prose, known, affirmation.bare)
    if by_yes_or_no is not None:
        return Parsed(
            by_yes_or_no, "contained", "yes or no to the question that the options answer"
        )
    marked = resolved(_without_glosses(_marked(prose, wanted), known), known)
    taken_back = after_take_back(marked)
    if taken_back is not None:
        found = stated_options(taken_back[1], known)
        if len(found) == 1:
            return Parsed(found[0], "contained", "what stands behind a take-back")
        return unread(AMBIGUOUS, "the reply takes back what it said and names no other option")
    last = _last_line(without_wrong(marked), known)
    if last is not None:
        return Parsed(last, "contained", "the last line is the option's text")
    for segment in final_answers(marked):
        found = stated_options(segment, known) or _numbered(segment, marked, known)
        if len(found) == 1:
            return Parsed(found[0], "contained", "the announced answer")
        if found:
            return _several("the announced answer", found)
    return _body(marked, reply, wanted, known)


def _by_yes_or_no(text: str, known: Options, read: Callable[[str], str | None]) -> str | None:
    """Read a yes or no where the options mean these."""
    concepts = {option.concept: option.option_id for option in known.options}
    affirmed = load("options")["affirmed"]
    if set(concepts) != set(affirmed.values()):
        return None
    value = read(text)
    return None if value is None else concepts[affirmed[value]]


def _denial_named(marked: str, known: Options) -> bool:
    """Tell whether a reply names the option that means no."""
    found = {known.named(match).concept for match in known.names.finditer(marked)}
    return load("options")["affirmed"]["no"] in found


def _body(marked: str, reply: str, wanted: dict[str, str], known: Options) -> Parsed:
    second = after_second_look(marked)
    found = stated_options(second, known) if second else []
    if len(found) != 1:
        found = stated_options(marked, known)
    if len(found) == 1:
        if _is_unsettled(marked, found, known):
            return unread(AMBIGUOUS, "the reply says that something else holds, and not what")
        return Parsed(found[0], "contained", "the reply says this option alone to be so")
    measured = by_measure(marked, known)
    if measured is not None:
        return Parsed(measured, "contained", "what the reply measures, and nothing else")
    if found:
        return _several("the reply", found)
    remaining = by_elimination(marked, known) or only_looks(marked, known)
    # "Slanted? They are not" denies what was named, not what was asked.
    brief = affirmation.leading if _denial_named(marked, known) else affirmation.brief_answer
    remaining = remaining or _by_yes_or_no(marked, known, brief)
    if remaining is not None:
        return Parsed(remaining, "contained", "the reply denies all other options")
    if refuses(marked):
        open_option = _leaving_open(marked, wanted)
        if open_option is not None:
            return Parsed(open_option, "contained", "the reply leaves open what this option does")
        return unread(REFUSED, "the reply gives no answer")
    if known.names.search(marked):
        return unread(AMBIGUOUS, "the reply names options and says none to be so")
    # Texts that are no words, such as "'o'. 'r'.", are found without their quotes only.
    named_text = _named(reply, wanted)
    if len(named_text) == 1:
        return Parsed(
            named_text[0], "contained", "the reply contains the text of this option alone"
        )
    return unread(OFF_TOPIC, "the reply names no option")


def _several(what: str, found: Sequence[str]) -> Parsed:
    why = f"{what} names several options: {', '.join(found)}"
    return unread(AMBIGUOUS, why, Ambiguity.SEVERAL)


def _leaving_open(marked: str, wanted: dict[str, str]) -> str | None:
    """Return the one option that leaves the question open, where the reply saw an image and leaves it open, too."""
    found = [option_id for option_id, text in wanted.items() if cue("leaves_open").search(text)]
    saw = not (cue("nothing_shown").search(marked) or cue("unseen").search(marked))
    return found[0] if len(found) == 1 and saw and cue("leaves_open").search(marked) else None


def _is_unsettled(marked: str, found: Sequence[str], known: Options) -> bool:
    """Tell whether a reply retracts its statement, "it is the other way round", and does not repeat it."""
    marks = list(cue("unsettled").finditer(marked))
    return bool(marks) and stated_options(marked[marks[-1].end() :], known) != found


def _without_glosses(text: str, known: Options) -> str:
    """Remove the brackets around an option's name, "the lower figure (blue)", and measurements in brackets."""

    def inner(gloss: re.Match[str]) -> str:
        if known.names.fullmatch(gloss[1]):
            return gloss[1]
        is_measure = any(map(str.isdigit, gloss[1])) and not known.names.search(gloss[1])
        return "" if is_measure and len(gloss[1]) > 1 else gloss[0]

    return _GLOSS.sub(inner, text)


def _marked(text: str, wanted: dict[str, str]) -> str:
    """Replace each option's whole text by a single character, longer texts first."""
    text = _OPENING.sub("", _PRIVATE.sub(" ", text))
    if not any("_" in option for option in wanted.values()):
        text = text.replace("_", " ")
    numbered = sorted(enumerate(wanted.values()), key=lambda entry: -len(entry[1]))
    for number, option in numbered:
        # Options of the same text cannot be distinguished.
        there = all(word in text for word in option.split())
        if option and there and list(wanted.values()).count(option) == 1:
            text = _whole_words(option).sub(mark_of(number), text)
    return text


def _last_line(marked: str, known: Options) -> str | None:
    """Return the option that is alone on the last of several lines, but not at the end of a list of options."""
    lines = [line.strip(AROUND) for line in marked.split("\n") if line.strip(AROUND)]
    marks = {mark_of(number): option.option_id for number, option in enumerate(known.options)}
    if len(lines) < 2 or lines[-1] not in marks:
        return None
    before = NUMBERED.sub("", lines[-2])
    return None if before in marks and before != lines[-1] else marks[lines[-1]]


def _numbered(segment: str, marked: str, known: Options) -> list[str]:
    """Return the option with the announced number or letter in the reply's own list."""
    announced = _LABEL.fullmatch(segment)
    if announced is None:
        return []
    listed = (_LISTED.match(line) for line in marked.split("\n"))
    named_options = [named(line[2], known) for line in listed if line and line[1] == announced[1]]
    return sorted(named_options[0]) if len(named_options) == 1 else []


def contained(text: str, options: Sequence[tuple[str, str]]) -> list[str]:
    """Return the ids of the options whose whole text a reply contains, affirmed or not."""
    wanted = {option_id: _normalised(option) for option_id, option in options}
    return _named(normalise(window(text)), wanted)


def normalise(text: str) -> str:
    """Remove irrelevant differences: case, spaces, quotes, emphasis, final periods.

    Unicode compatibility forms and invisible characters are removed as well.
    """
    # Each step can uncover work for another (a quote inside emphasis inside quotes).
    for _ in range(_PASSES):
        if (simpler := _normalised_once(text)) == text:
            break
        text = simpler
    return text


# The same few options are offered with every question, and a reply is looked at several times.
_normalised = lru_cache(maxsize=4096)(normalise)


def _normalised_once(text: str) -> str:
    text = levelled(text)
    if text.isascii():
        # Nothing to fold, nothing invisible: the common case, without a look at every sign.
        text = text.translate(_STRAIGHT_QUOTES).lower()
    else:
        text = unicodedata.normalize("NFKC", text.translate(_STRAIGHT_QUOTES)).casefold()
        text = unicodedata.normalize("NFKC", text).translate(_STRAIGHT_QUOTES)
        for sign in set(text):
            if unicodedata.category(sign) == "Cf":
                text = text.replace(sign, "")
    if "*" in text or "_" in text:
        text = _EMPHASIS.sub("", text)
    if "'" in text or '"' in text:
        text = _PUNCTUATION_QUOTES.sub("", text)
    return levelled_number(" ".join(text.split()).rstrip(_FINAL))


def _named(reply: str, wanted: dict[str, str]) -> list[str]:
    mentions = [
        _Mention(option_id, found.start(), found.end())
        for option_id, option in wanted.items()
        if option
        for found in _whole_words(option).finditer(reply)
    ]
    ids = {mention.option_id for mention in mentions if not _is_inside_longer(mention, mentions)}
    return [option_id for option_id in wanted if option_id in ids]


@lru_cache(maxsize=4096)
def _whole_words(option: str) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, option.split()))
    return re.compile(rf"{_STARTS_WORD}{words}{_ENDS_WORD}")


def _is_inside_longer(mention: _Mention, mentions: Sequence[_Mention]) -> bool:
    return any(
        other.start <= mention.start
        and mention.end <= other.end
        and other.end - other.start > mention.end - mention.start
        for other in mentions
    )
