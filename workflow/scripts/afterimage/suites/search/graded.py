"""Sensitivity and criterion of visual search on probabilities, beside those on readings."""

import pandas as pd

from afterimage.showing.columns import Number, Text, whole
from afterimage.showing.declaration import Settings, Table
from afterimage.showing.weighted import by_probability, counts_of_graded, of_scored
from afterimage.suites.search.design import CONDITIONS
from afterimage.suites.search.tables import counted, detected, set_sizes, with_bounds
from afterimage.suites.thresholds.tables import COUNTS, GRADED, NOTES, READ, SHOWN_COLUMN

_NAMES = ("d_prime", "d_prime_low", "d_prime_high", "bias")
_GROUP = ("prompt", "model", "shown")
_COLUMNS = (
    *("prompt", "model", "condition", "set_size", "shown", *COUNTS),
    *(f"{name}_{way}" for way in (READ, GRADED) for name in _NAMES),
)


# A function: each row counts the same answers twice, by reading and by weight.
def rows_of(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return a row per prompt that asks for presence, model, what was shown, condition and set size."""
    own = of_scored(grades)
    own = own[own["question"] == "present"]
    rows = []
    for names, answers in own.groupby(list(_GROUP), sort=False):
        for condition in CONDITIONS:
            asked = answers[answers["figure"] == condition]
            for size in set_sizes(asked):
                part = asked[asked["set_size"].astype(int) == size]
                row = {**dict(zip(_GROUP, names, strict=True)), "condition": condition}
                row |= {"set_size": int(size), **counts_of_graded(part)}
                for way, said in ((READ, part), (GRADED, by_probability(part))):
                    row |= _detection(said, way, settings)
                rows.append(row)
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def _detection(said: pd.DataFrame, way: str, settings: Settings) -> dict[str, float]:
    if said.empty:
        return {}
    counts = counted(said).sum(axis=0)
    found = with_bounds(lambda summed: float(detected(summed).sensitivity), counts, settings)
    values = (*found, float(detected(counts.sum(axis=0)).bias))
    return {f"{name}_{way}": value for name, value in zip(_NAMES, values, strict=True)}


SEARCH_GRADED = Table(
    "search_graded",
    "Visual search: sensitivity on probabilities",
    rows=rows_of,
    csv=_COLUMNS,
    columns=(
        *(Text("Model", "model"), Text("Prompt", "prompt", if_several=True)),
        *(Text("Condition", "condition"), Text("Set size", "set_size", numeric=True)),
        SHOWN_COLUMN,
        *(
            Number(f"{header},\n{words}", *(f"{name}_{way}" for name in names), decimals=2)
            for header, names in (("d'", _NAMES[:3]), ("Criterion", _NAMES[3:]))
            for way, words in ((READ, "read"), (GRADED, "on probabilities"))
        ),
        *(whole("No\nprobabilities", "no_scores_k"), whole("Too little\nmass", "no_mass_k")),
        whole("n", "n"),
    ),
    notes=(
        *NOTES,
        "d' and criterion: of rates of yes, log-linearly corrected as in the table search; the criterion lies below 0 "
        "where yes is said readily. {coverage} intervals by the jackknife over four groups of places.",
    ),
    empty=("no answer about presence has probabilities",),
    group_by="condition",
)
