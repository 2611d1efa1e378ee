"""The options that a reply states, clause by clause, and which of several weighs most.

Whatever is denied, asked, supposed, refused or only an impression does not count, unless the options are about
impressions.
"""

import re
from collections.abc import Iterable, Sequence

from afterimage.grading.language.evidence import (
    Clause,
    briefly,
    clauses,
    has_illusion,
    has_negation,
    is_dismissed,
    is_set_against,
    refuses,
    without_wrong,
)
from afterimage.grading.language.known_options import Options, mark_of
from afterimage.grading.language.option_words import (
    NEITHER,
    contrary,
    denied_by,
    named,
    stated_of_pronoun,
)
from afterimage.grading.language.reply_text import sentences
from afterimage.grading.language.words import cue

#: Characters around a text that is alone on its line.
AROUND = " \t\"'.,:;!`*-•{}()[]<>→>"
#: The number of a line in a list.
NUMBERED = re.compile(r"^\W*(?:option |choice )?(?:\(?[0-9a-z]{1,2}[.):]|[-*•])\s*")

# Limit of words of a name before a colon.
_HEADING = 3
_NEVER, _LOOKS, _GRANTED, _STATED = 0, 1, 2, 3
# Where the options are about looks: how things are, how others see them, how the model does.
_ACTUAL, _OTHERS_VIEW, _OWN_VIEW = 1, 2, 3


def stated_options(text: str, known: Options) -> list[str]:
    """Return the options that a part of a reply states: one, several, or none."""
    text_read = without_wrong(_without_list(text, known))
    parts = _with_headings(clauses(text_read), text_read, known)
    about_looks = known.about_looks
    # A repetitive reply has the same clause many times.
    texts = {clause.text for clause in parts if not clause.is_open}
    options_by_text = {clause_text: named(clause_text, known) for clause_text in texts}
    if about_looks:
        # A quoted text of an option about looks is about looks, too.
        parts = tuple(
            part._replace(looks=part.looks or _is_own_view(part) or _quotes(part, known))
            for part in parts
        )
    others_look, doubts = any(part.looks for part in parts), refuses(text)
    weighed = [
        (_weight(clause, about_looks, others_look), clause, option_id)
        for before, clause, behind in zip([None, *parts], parts, [*parts[1:], None], strict=False)
        if not (clause.is_open or (doubts and _is_possible(clause)))
        for option_id in _after_follow_up(options_by_text[clause.text], clause, behind, known)
        or (stated_of_pronoun(clause.text, before.text, known) if before else ())
    ]
    if not about_looks and has_illusion(text):
        weighed = [entry for entry in weighed if entry[0] > _LOOKS]
    heaviest = max((weight for weight, _, _ in weighed), default=_NEVER)
    if heaviest == _NEVER:
        return []
    if about_looks and heaviest == _OTHERS_VIEW and any(map(_is_own_view, parts)):
        # The model's own view is stated, but not understood.
        return []
    strongest = [(clause, option_id) for weight, clause, option_id in weighed if weight == heaviest]
    if _is_contradicted_later(parts, strongest, about_looks, heaviest, known):
        return []
    stated = _in_order((option_id for _, option_id in strongest), known)
    if len(stated) < 2:
        return stated
    return _concluded(strongest, known) or _at_path_end(strongest, known, text_read) or stated


def by_elimination(text: str, known: Options) -> str | None:
    """Return the one option that is left when all others are denied."""
    denied = {
        option_id
        for clause in clauses(text)
        if not (clause.is_open or clause.first_look)
        for option_id in denied_by(clause.text, known)
    }
    remaining = [option.option_id for option in known.options if option.option_id not in denied]
    return remaining[0] if len(remaining) == 1 and len(denied) > 1 else None


def only_looks(text: str, known: Options) -> str | None:
    """Return the neutral option where a reply calls another one an impression."""
    dismissed = is_dismissed(text)
    seeming = [
        clause
        for clause in clauses(text)
        if clause.looks and (dismissed or cue("only_looks").search(clause.text))
    ]
    remaining = {
        option_id for clause in seeming for option_id in contrary(named(clause.text, known), known)
    }
    return remaining.pop() if len(remaining) == 1 else None


def _is_contradicted_later(
    parts: Sequence[Clause],
    strongest: Sequence[tuple[Clause, str]],
    about_looks: bool,
    weight: int,
    known: Options,
) -> bool:
    """Tell whether a later clause without an option contradicts the statements: "looks lighter. But its value ..."."""
    last = max(clause.start for clause, _ in strongest)
    following = [
        part
        for part in parts
        if part.start > last and not (part.is_open or _compares_as(part.text, known))
    ]
    if about_looks:
        return weight == _ACTUAL and any(part.looks for part in following)
    against = [part for part in following if is_set_against(part)]
    return any(weight == _LOOKS or (part.actual and part.contrasts) for part in against)


def _compares_as(text: str, known: Options) -> bool:
    """Tell whether a text repeats the options' comparison and names none of them: "but it is in fact bigger"."""
    return known.more is not None and not known.names.search(text) and bool(known.more.search(text))


def _after_follow_up(
    stated: set[str], clause: Clause, following: Clause | None, known: Options
) -> set[str]:
    """Return the options after the next clause affirms or denies them by a verb alone: "seems longer, but isn't"."""
    follows = following is not None and (
        # "They look different. They aren't."
        following.sentence == clause.sentence or (clause.looks and following.is_whole)
    )
    value = briefly(following.text) if following is not None and follows else None
    if value is None or not stated or has_negation(clause.text) == (value == "no"):
        return stated
    return contrary(stated, known)


def _with_headings(parts: Sequence[Clause], text: str, known: Options) -> tuple[Clause, ...]:
    """Join a name before a colon to what follows: "Left half: uniform." is about the left half only."""
    joined: list[Clause] = []
    for part in parts:
        before = joined[-1] if joined else None
        heads = (
            before is not None
            and before.sentence == part.sentence
            and text.startswith(":", before.start + before.length)
            and len(before.text.split()) <= _HEADING
            and (_names_side(before.text, known) or _compares(before.text, known))
        )
        joined.append(part._replace(text=f"{joined.pop().text}: {part.text}") if heads else part)
    return tuple(joined)


def _names_side(text: str, known: Options) -> bool:
    """Tell whether a text names one of the options that only say which one: left, not the same."""
    found = {known.number(match) for match in known.names.finditer(text)}
    return len(found) == 1 and known.options[found.pop()].concept not in NEITHER


def _compares(text: str, known: Options) -> bool:
    """Tell whether a text is just one side of the options' comparison: "smaller"."""
    sides = [side for side in (known.more, known.less) if side is not None]
    return any(side.fullmatch(text.strip()) for side in sides)


def _is_own_view(clause: Clause) -> bool:
    """Tell whether a clause states the model's own view."""
    return not clause.is_open and cue("own_view").search(clause.text) is not None


def _is_possible(clause: Clause) -> bool:
    """Tell whether a clause only says that something is possible."""
    return cue("possible").search(clause.text) is not None and not cue("commits").search(
        clause.text
    )


def _quotes(clause: Clause, known: Options) -> bool:
    """Tell whether a clause has the whole text of an option."""
    return any(mark_of(number) in clause.text for number, _ in enumerate(known.options))


def _weight(clause: Clause, about_looks: bool, others_look: bool) -> int:
    """Return the strength of a clause's statement: stated, conceded, an impression, or nothing."""
    if about_looks:
        if cue("others_view").search(clause.text) and not _is_own_view(clause):
            return _OTHERS_VIEW
        if clause.looks:
            return _OWN_VIEW
        if clause.first_look or clause.actual:
            return _NEVER if others_look else _ACTUAL
        return _ACTUAL if others_look else _OWN_VIEW
    if clause.first_look:
        return _NEVER
    if clause.looks and clause.grants:
        return _NEVER
    if clause.looks:
        return _LOOKS
    # "The sides look curved, though they are straight" says how they are.
    return _GRANTED if clause.grants else _STATED


def _concluded(strongest: Sequence[tuple[Clause, str]], known: Options) -> list[str]:
    """Return the one option of the last conclusion, or of the last statement of how things are, not how they look."""
    actual = _in_order((option_id for clause, option_id in strongest if clause.actual), known)
    if len(actual) == 1:
        return actual
    for kind in ("concludes", "actual"):
        sentences = sorted({c.sentence for c, _ in strongest if getattr(c, kind)}, reverse=True)
        for sentence in sentences[:1]:
            stated = _in_order(
                (option_id for c, option_id in strongest if c.sentence == sentence), known
            )
            if len(stated) == 1:
                return stated
    return []


def _at_path_end(strongest: Sequence[tuple[Clause, str]], known: Options, text: str) -> list[str]:
    """Return the one option where a path ends, or that the only sentence of the last paragraph states."""
    ends = [(c, option_id) for c, option_id in strongest if cue("ends_at").search(c.text)]
    if ends and not any(option.compares for option in known.options):
        last = ends[-1][0]
        stated = _in_order((option_id for c, option_id in ends if c.start == last.start), known)
        if len(stated) > 1:
            # "It passes under the green one and ends at the purple square."
            end = list(cue("ends_at").finditer(last.text))[-1].end()
            stated = _in_order(named(last.text[end:], known), known)
        return stated if len(stated) == 1 else []
    before, separator, paragraph = text.rstrip().rpartition("\n\n")
    if not separator or len(sentences(paragraph)) > 1:
        return []
    stated = _in_order((option_id for c, option_id in strongest if c.start > len(before)), known)
    return stated if len(stated) == 1 else []


def _in_order(found: Iterable[str], known: Options) -> list[str]:
    ids = set(found)
    return [option.option_id for option in known.options if option.option_id in ids]


def _without_list(text: str, known: Options) -> str:
    """Remove a list of several options, each on its own line."""
    marks = {mark_of(number) for number, _ in enumerate(known.options)}
    lines = text.split("\n")
    alone = [NUMBERED.sub("", line).strip(AROUND) for line in lines]
    if len({line for line in alone if line in marks}) < 2:
        return text
    return "\n".join(line for line, bare in zip(lines, alone, strict=True) if bare not in marks)
