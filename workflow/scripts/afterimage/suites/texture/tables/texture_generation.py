"""Writing three words: people's yes or no, and words in common with people (the paper's tables 2 and 3)."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from afterimage.showing.rounding import NOT_AVAILABLE, rounded
from afterimage.showing.table_layout import Layout, Number, Text
from afterimage.suites.texture.people import People
from afterimage.suites.texture.tables.answers import data_notes, of_task
from afterimage.suites.texture.tables.judged import judgements, scored

_DECIMALS = 2
_HUMAN_WORDS = {
    "all": "all that anybody wrote about the object",
    "verified": "those that annotators accepted",
}


@dataclass(frozen=True)
class YesNoScore:
    """Equation (1) in percent with its interval, or why there is none yet.

    Attributes:
        header: What stands above the column.
    """

    header: str
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print the score of one row."""
        if row["yes_no_state"] == "incomplete":
            return f"incomplete\n({row['annotators']} annotators: {row['items_judged']} of {row['total']} items)"
        if row["yes_no_state"] == "awaited":
            return "awaited"
        if row["yes_no_state"] == "no words":
            return f"{rounded(row['yes_no'], _DECIMALS)}\nno words"
        bounds = [rounded(row[f"yes_no_{side}"], 1) for side in ("low", "high")]
        below = "" if NOT_AVAILABLE in bounds else f"\n[{', '.join(bounds)}]"
        return f"{rounded(row['yes_no'], _DECIMALS)}{below}"


@dataclass(frozen=True)
class WordAgreement:
    """Equation (2) in percent with its counts and its interval.

    Attributes:
        header: What stands above the column.
        column: ``agreement`` (over valid answers) or ``agreement_all``.
        denominator: The frame's column with the number of answers that the mean is over.
    """

    header: str
    column: str
    denominator: str
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print the agreement of one row: ``21.50 (69/321)``, ``[15.0, 28.0]``; words in common/words."""
        value = rounded(row[self.column], _DECIMALS)
        if value == NOT_AVAILABLE:
            return value
        bounds = [rounded(row[f"{self.column}_{side}"], 1) for side in ("low", "high")]
        below = "" if NOT_AVAILABLE in bounds else f"\n[{', '.join(bounds)}]"
        return f"{value} ({row['hits']}/{3 * row[self.denominator]}){below}"


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Score the words that models wrote.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: "confidence", "resamples", "seed", and in "texture" "judges" and the files "judgements" and
            "synonyms".

    Returns:
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
    answers = of_task(grades, "generation")
    return scored(answers, _people(answers, settings), settings)


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table: the paper's tables 2 and 3 side by side."""
    answers = of_task(grades, "generation")
    people = _people(answers, settings)
    columns = [Text("モデル", "model")]
    if answers["prompt"].nunique() > 1:
        columns.append(Text("Prompt", "prompt"))
    columns += [
        YesNoScore("yes/no\n人手判定スコア"),
        WordAgreement("平均\n質感語一致率", "agreement", "valid"),
        Text("N valid", "valid", numeric=True),
        WordAgreement("Invalid\nas 0", "agreement_all", "total"),
        Text("N", "total", numeric=True),
        Number("Chance, same\ncategory", "chance_same_category", decimals=_DECIMALS),
        Number("Chance,\nany object", "chance_any", decimals=_DECIMALS),
    ]
    if settings["texture"]["synonyms"]:
        columns.append(Number("Synonyms\nmerged", "agreement_synonyms", decimals=_DECIMALS))
    return Layout(
        title="Texture, generation: three words for an object (paper, tables 2 and 3)",
        columns=tuple(columns),
        notes=(*_notes(answers, people, settings), *data_notes(answers)),
        contested={"yes/no\n人手判定スコア": "yes_no", "平均\n質感語一致率": "agreement"},
    )


def _people(answers: pd.DataFrame, settings: Mapping) -> People:
    return judgements(answers, settings)


def _notes(answers: pd.DataFrame, people: People, settings: Mapping) -> list[str]:
    rules = settings["texture"]["rules"]
    interval = (
        f"{100 * settings['confidence']:.10g} % percentile bootstrap over items ({settings['resamples']} resamples, "
        f"seed {settings['seed']})"
    )
    notes = [
        "Scores in percent. yes/no 人手判定スコア: equation (1), the share of words that people accept, averaged over "
        f"annotators and items; items of invalid form count with the words that can be made out. Interval: {interval}.",
        "平均質感語一致率: equation (2), the share of words that people wrote too (words in common/words), over "
        "answers of valid form (three different words parted by 、); the column beside it counts the others as 0, as "
        "the 21.50 of the paper needs it.",
        "Chance: the same score with what people wrote about another object, of the same category or of any; the mean "
        "over all that could be drawn.",
        f"People's words: {_HUMAN_WORDS[rules['human_words']]}; the score grows with their number"
        + (f" (median {_median(answers):g} per object)." if len(answers) else "."),
    ]
    if people.answers:
        notes.append(
            f"The headline needs {settings['texture']['judges']} annotators who judge every word."
        )
    elif len(answers):
        notes.append(
            "yes/no: awaited; people have not judged the words yet (pages results/human/forms/texture/judge-*.html)."
        )
    if people.simulated:
        notes.append(f"{people.simulated} simulated judgements do not count.")
    if people.unknown:
        notes.append(f"{people.unknown} judgements are about no word of this run and do not count.")
    return notes


def _median(answers: pd.DataFrame) -> float:
    unique = answers.drop_duplicates("item")["human_words"]
    return float(unique.map(lambda words: words.count('"') // 2).median())
