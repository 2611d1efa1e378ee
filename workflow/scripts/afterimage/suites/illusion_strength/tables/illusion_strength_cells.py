"""What was answered in each cell of strength and true difference."""

import pandas as pd

from afterimage.showing.accuracy import unparsed_share
from afterimage.showing.columns import Share, Text
from afterimage.showing.declaration import Settings, Table
from afterimage.suites.illusion_strength.psychometrics import (
    GIVEN,
    GROUP,
    INSTEAD,
    cell_counts,
    given_answers,
)

_KINDS = {
    "control": "no inducer",
    "equal": "inducer,\nno difference",
    "congruent": "inducer,\nagreeing difference",
    "conflict": "inducer,\nopposed difference",
}
_ROW = ["model", "prompt", "question", "kind"]


# A function: of some thousand small cells, one grouping for all is a hundred times as fast as a row each.
def rows_of(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Count answers per cell.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: Unused.

    Returns:
        One row per model, prompt, question, illusion, strength and difference: see :func:`answers.cell_counts`.

    Raises:
        AfterimageError: As in :func:`answers.given_answers`.
    """
    return cell_counts(given_answers(grades))


def _condensed(cells: pd.DataFrame) -> pd.DataFrame:
    inducer, true = cells["strength"], cells["difference"]
    first, second = cells["first"], cells["second"]
    counts = cells.assign(
        inducer=first.where(inducer > 0, second).where(inducer != 0, 0),
        against=second.where(inducer > 0, first).where(inducer != 0, 0),
        inducer_n=cells["n"].where(inducer != 0, 0),
        true=first.where(true > 0, second).where(true != 0, 0),
        true_n=cells["n"].where(true != 0, 0),
    )
    kept = [
        "inducer",
        "against",
        "inducer_n",
        "true",
        "true_n",
        "neutral",
        "unparsed",
        *INSTEAD,
        "n",
    ]
    rows = counts.groupby(_ROW, sort=False)[kept].sum().reset_index()
    order = {kind: place for place, kind in enumerate(_KINDS)}
    asked = dict.fromkeys(zip(rows["model"], rows["prompt"], rows["question"], strict=True))
    places = {names: place for place, names in enumerate(asked)}
    rank = [
        (places[model, prompt, question], order[kind])
        for model, prompt, question, kind in rows[_ROW].itertuples(index=False, name=None)
    ]
    return rows.iloc[sorted(range(len(rows)), key=rank.__getitem__)].reset_index(drop=True)


TABLE = Table(
    "illusion_strength_cells",
    "What is answered where inducer and true difference agree, conflict or are absent",
    rows=rows_of,
    csv=(*GROUP, "strength", "difference", "realised", "kind", "replicates", *GIVEN, *INSTEAD, "n"),
    columns=(
        Text("Question", "question"),
        Text("Prompt", "prompt", if_several=True),
        Text("Image", "kind", _KINDS),
        Share("As the\ninducer makes\nit appear", "inducer", "inducer_n"),
        Share("Opposite", "against", "inducer_n"),
        Share("As it is\nin the image", "true", "true_n"),
        Share("The same", "neutral", "n"),
        *unparsed_share(end=""),
    ),
    notes=(
        "Over all illusions, strengths and differences of the kind. Without an inducer no answer is as it makes "
        "appear; without a difference, no direction is as in the image. With an agreeing difference the first and the "
        "third column are the same answers, with an opposed one the second and the third.",
        "Who does not look has no row: whoever guesses says each answer that is offered equally often, in every row; "
        "whoever always answers alike says one and no other.",
        "The CSV has the counts of every cell.",
    ),
    readers=_condensed,
    group_by="model",
)
