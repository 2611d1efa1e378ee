"""Objects about which a model wrote a word that every annotator rejected (the paper's 6 of 107 and its figure 5).

One row per prompt and model of whose words people judged any, and one for every two of them together, as the paper
counts its two: ``model`` joins their names, sorted, with " + ". ``items_with_rejected`` of ``total`` objects, over both
models each object once; empty until enough annotators have judged every word. ``rejected_words``: their words.
"""

import math
from collections.abc import Iterator
from itertools import combinations

import pandas as pd

from afterimage.showing.columns import Text, whole
from afterimage.showing.declaration import Settings, Table
from afterimage.suites.texture.scores import YesNo, yes_no_score
from afterimage.suites.texture.tables.answers import by_model, data_notes, described, of_task
from afterimage.suites.texture.tables.judged import judgements, said_of

_COLUMNS = ("model", "prompt", "total", "annotators", "items_with_rejected", "rejected_words")


# A function: a row is of one model or of two, and joins their answers with people's judgements.
def _rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    answers = of_task(grades, "generation")
    people = judgements(answers, settings)
    scores: dict[str, dict[str, YesNo]] = {}
    for model, prompt, own in by_model(answers):
        said = said_of(model, people)
        if said:
            score = yes_no_score(described(own), said, settings["texture"]["judges"])
            scores.setdefault(prompt, {})[model] = score
    rows = [row for prompt, own in scores.items() for row in _of_prompt(prompt, own)]
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def _of_prompt(prompt: str, scores: dict[str, YesNo]) -> Iterator[dict]:
    for together in (1, 2):
        for models in combinations(sorted(scores), together):
            own = [scores[model] for model in models]
            complete = all(score.complete for score in own)
            yield {
                "model": " + ".join(models),
                "prompt": prompt,
                "total": max(score.items for score in own),
                "annotators": min(len(score.annotators) for score in own),
                "items_with_rejected": len(frozenset().union(*(s.rejected for s in own)))
                if complete
                else math.nan,
                "rejected_words": sum(s.rejected_words for s in own) if complete else math.nan,
            }


def _notes(grades: pd.DataFrame, settings: Settings) -> list[str]:
    return [
        f"A word is rejected where all of at least {settings['texture']['judges']} annotators say no; of two models "
        "together an object counts once. n/a: not everything has been judged.",
        "Models of which nobody has judged a word have no row (pages <results>/human/forms/texture/judge-*.html).",
    ]


TABLE = Table(
    "texture_rejected",
    "Texture, generation: objects with a word that everybody rejects (paper, figure 5)",
    rows=_rows,
    csv=_COLUMNS,
    columns=(
        Text("Model", "model"),
        Text("Prompt", "prompt", if_several=True),
        whole("Objects", "total"),
        whole("Annotators", "annotators"),
        whole("With a\nrejected word", "items_with_rejected"),
        whole("Rejected\nwords", "rejected_words"),
    ),
    notes=(_notes, data_notes("generation")),
    empty=(
        "people have not judged the models' words yet (pages <results>/human/forms/texture/judge-*.html)",
    ),
)
