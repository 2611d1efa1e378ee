"""What was answered in each cell of strength and true difference.

One row per model, prompt, question, illusion, strength and difference: ``kind`` (see :func:`answers.cell_kind`),
``realised`` (the drawn difference, mean over the cell), ``replicates``, how often each of ``GIVEN`` was said, ``n``.
"""

import pandas as pd

from afterimage.showing.columns import Share, Text
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.values import Count, Distinct, Group, Mean, Worked, answers
from afterimage.suites.illusion_strength.answers import GIVEN, GROUP, cell_kind, given_answers

_KINDS = {
    "control": "no inducer",
    "equal": "inducer,\nno difference",
    "congruent": "inducer,\nagreeing difference",
    "conflict": "inducer,\nopposed difference",
}
_ROW = ["model", "prompt", "question", "kind"]


def _given(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return given_answers(grades)


def _kind(group: Group) -> tuple[str]:
    return (cell_kind(group.row["strength"], group.row["difference"]),)


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
    kept = ["inducer", "against", "inducer_n", "true", "true_n", "neutral", "unparsed", "n"]
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
    of=_given,
    rows=(By((*GROUP, "strength", "difference")),),
    csv=(
        *(*GROUP, "strength", "difference"),
        Mean("realised", "realised", times=1),
        Worked(("kind",), _kind, "text"),
        Distinct("replicates", "replicate"),
        *(Count(name, ("given", name)) for name in GIVEN),
        answers(),
    ),
    columns=(
        Text("Question", "question"),
        Text("Prompt", "prompt", if_several=True),
        Text("Image", "kind", _KINDS),
        Share("As the\ninducer makes\nit appear", "inducer", "inducer_n"),
        Share("Opposite", "against", "inducer_n"),
        Share("As it is\nin the image", "true", "true_n"),
        Share("The same", "neutral", "n"),
        Share("Unparsed", "unparsed", "n"),
    ),
    notes=(
        "Over all illusions, strengths and differences of the kind. Without an inducer no answer is as it makes "
        "appear; without a difference, no direction is as in the image. With an agreeing difference the first and the "
        "third column are the same answers, with an opposed one the second and the third.",
        "The CSV has the counts of every cell.",
    ),
    readers=_condensed,
    group_by="model",
)
