"""Writing three words: people's yes or no, and words in common with people (the paper's tables 2 and 3).

One row per model and prompt; scores in percent. Equation (1): ``yes_no`` with percentile bounds from
resampling items, empty while ``yes_no_state`` is "awaited" or "incomplete" (0 with "no words"; with
``yes_no_partial`` over what has been judged); ``yes_no_valid_only`` over valid answers; ``yes_k`` of
``judged_words``; ``items_judged``, of each annotator; answers ``without_words``; ``rejected_words`` by
all annotators, ``items_with_rejected``, ``items_all_rejected``. Equation (2): ``hits``, ``valid`` of
``total`` answers, ``agreement`` over the valid ones, ``agreement_all`` with the others as 0, both with
bounds; the same score with the words about other objects, ``chance_same_category`` and
``chance_any``; ``median_human_words``; ``agreement_synonyms`` where there is a table of synonyms.
``invalid_*``: answers of invalid form, by reason.
"""

from collections.abc import Iterator
from functools import partial

import pandas as pd

from afterimage.showing.columns import Column, Number, Printed, Row, Text, bounds_text, whole
from afterimage.showing.declaration import Best, PaperForm, Settings, Table
from afterimage.showing.rounding import NOT_AVAILABLE, rounded
from afterimage.suites.texture.tables.answers import data_notes, of_task
from afterimage.suites.texture.tables.judged import COLUMNS, judgements, scored

_DECIMALS = 2
_HUMAN_WORDS = {
    "all": "all that anybody wrote about the object",
    "verified": "those that annotators accepted",
}


# A function: both scores join answers with people's judgements, words and synonyms, each a file of its own.
def _rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    answers = of_task(grades, "generation")
    return scored(answers, judgements(answers, settings), settings)


def _yes_no(row: Row) -> str:
    """Print equation (1) in percent with its interval, or why there is none yet."""
    if row["yes_no_state"] == "incomplete":
        return f"incomplete\n({row['annotators']} annotators: {row['items_judged']} of {row['total']} items)"
    if row["yes_no_state"] == "awaited":
        return "awaited"
    printed = rounded(row["yes_no"], _DECIMALS)
    if row["yes_no_state"] == "no words":
        return f"{printed}\nno words"
    return f"{printed}{bounds_text(row, 'yes_no_low', 'yes_no_high', 1, optional=True)}"


def _agreement(column: str, denominator: str, row: Row) -> str:
    """Print equation (2) in percent: ``21.50 (69/321)``, ``[15.0, 28.0]``; words in common/words."""
    value = rounded(row[column], _DECIMALS)
    if value == NOT_AVAILABLE:
        return value
    below = bounds_text(row, f"{column}_low", f"{column}_high", 1, optional=True)
    return f"{value} ({row['hits']}/{3 * row[denominator]}){below}"


def _notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    answers = of_task(grades, "generation")
    people = judgements(answers, settings)
    rules = settings["texture"]["rules"]
    interval = (
        f"{100 * settings['confidence']:.10g} %, Wilson's on what the answers are worth, one about each item "
        "(docs/statistics.md)"
    )
    yield from (
        "Scores in percent. Accepted by people (yes/no 人手判定スコア): equation (1), the share of words, averaged "
        "over annotators and items; items of invalid form count with the words that can be made out. "
        f"Interval: {interval}.",
        "Agreement with people (平均質感語一致率): equation (2), the share of words that people wrote too "
        "(words in common/words), over answers of valid form (three different words, commas between them); the column "
        "beside it counts the others as 0, as the 21.50 of the paper needs it.",
        "Chance: the same score with what people wrote about another object, of the same category or of any; the mean "
        "over all that could be drawn.",
        f"People's words: {_HUMAN_WORDS[rules['human_words']]}; the score grows with their number"
        + (f" (median {_median(answers):g} per object)." if len(answers) else "."),
    )
    if people.answers:
        yield f"The headline needs {settings['texture']['judges']} annotators who judge every word."
    elif len(answers):
        yield (
            "yes/no: awaited; people have not judged the words yet (pages <results>/human/forms/texture/judge-*.html)."
        )
    if people.simulated:
        yield f"{people.simulated} simulated judgements do not count."
    if people.unknown:
        yield f"{people.unknown} judgements are about no word of this run and do not count."


def _median(answers: pd.DataFrame) -> float:
    unique = answers.drop_duplicates("item")["human_words"]
    return float(unique.map(lambda words: words.count('"') // 2).median())


def _columns(grades: pd.DataFrame, settings: Settings) -> tuple[Column, ...]:
    synonyms = Number("Synonyms\nmerged", "agreement_synonyms", decimals=_DECIMALS)
    return (
        Text("Model", "model"),
        Text("Prompt", "prompt", if_several=True),
        Printed("Accepted\nby people", _yes_no),
        Printed("Agreement\nwith people", partial(_agreement, "agreement", "valid")),
        whole("N valid", "valid"),
        Printed("Invalid\nas 0", partial(_agreement, "agreement_all", "total")),
        whole("N", "total"),
        Number("Chance, same\ncategory", "chance_same_category", decimals=_DECIMALS),
        Number("Chance,\nany object", "chance_any", decimals=_DECIMALS),
        *([synonyms] if settings["texture"]["synonyms"] else []),
    )


TABLE = Table(
    "texture_generation",
    "Texture, generation: three words for an object (paper, tables 2 and 3)",
    rows=_rows,
    csv=COLUMNS,
    columns=_columns,
    notes=(_notes, data_notes("generation")),
    best=Best({"Accepted\nby people": "yes_no", "Agreement\nwith people": "agreement"}),
    paper=PaperForm(
        "Generation of three words for an object: words that people accept, and that people wrote too (tables 2 and 3 "
        "of Matsuda et al.).",
        (
            Text("Model", "model"),
            Number("Accepted by people", "yes_no", decimals=_DECIMALS),
            Number("Agreement with people", "agreement", decimals=_DECIMALS),
        ),
        lambda frame: frame,
        "Percent of words; agreement over answers of valid form.",
    ),
)
