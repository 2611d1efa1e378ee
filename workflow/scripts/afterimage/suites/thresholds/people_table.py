"""Tables of what people reached in sessions: a row a person, and one of them all, whose band stands in charts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from afterimage.files.csv_rows import read_rows
from afterimage.showing.tables.bounds import share_bounds
from afterimage.showing.tables.columns import Number, Share, Text, where_known, whole
from afterimage.showing.tables.declaration import Settings, Table, TableNote
from afterimage.statistics.quest_plus import (
    Estimate,
    Observers,
    Trial,
    estimate,
    estimate_difference,
)
from afterimage.suites.thresholds.asking_people import RESULT
from afterimage.suites.thresholds.people import naming_sides
from afterimage.suites.thresholds.steps import Steps
from afterimage.suites.thresholds.tables import FLAT

#: In the column ``person``: all of them.
ALL = "all"
_SCREEN = ("image_mm", "pixel_scale", "distance_cm")
_COLUMNS = ("condition", "track", "person", "people", "trials", "trials_right_k")
#: From which to which of people's thresholds a band reaches, shares of the people.
_QUARTILES = (0.25, 0.75)
_OF_CURVES = (
    "A person's interval is the {coverage} credible interval after all of their trials (QUEST+). Right: pictures are "
    "placed where answers are in doubt, so the share says little.",
)
_OF_SHARES = ("A person's interval is {coverage}, over pictures.",)


#: Who might answer, by the cells that are shown.
_Who = Callable[[Sequence[str]], Observers]


class Sought(NamedTuple):
    """The number that is sought, and how it is written.

    Attributes:
        name: Of its columns.
        header: For readers.
        note: What it is, one sentence.
        observers: Who might answer, by the cells that were shown; None where the number is the percentage of right
            answers.
        written: From what observers have to what the table has.
        limits: The least and the most that can be told, as the table has it.
        beyond: Words for a number below and above these.
        cells: What can be shown, where that decides who might answer.
        decimals: Digits after the point, for readers.
        compared: The track that each other one is subtracted from, and the name of what is left, which is told as a
            track of its own; None where tracks are not compared.
        readings: Takes the cells of a condition with one curve that several numbers are read off, and returns who might
            answer by the number's name, which is told as a track; None where ``observers`` have the only one.
    """

    name: str
    header: str
    note: str
    observers: _Who | None
    written: Callable[[float], float] = float
    limits: tuple[float, float] = (-np.inf, np.inf)
    beyond: tuple[str, str] = ("", "")
    cells: tuple[str, ...] = ()
    decimals: int = 2
    compared: tuple[str, str] | None = None
    readings: (
        Callable[[Sequence[str]], Mapping[str, Callable[[Sequence[str]], Observers]]] | None
    ) = None

    @property
    def bounded(self) -> tuple[str, str, str]:
        return self.name, f"{self.name}_low", f"{self.name}_high"

    @property
    def reason(self) -> tuple[str, ...]:
        """The name of the column that says why there is none; none of a percentage, which there is always."""
        return () if self.observers is None else (f"no_{self.name}",)


def threshold_of(steps: Steps) -> Sought:
    """Return the threshold of signed differences: three of four sides are named rightly."""
    return Sought(
        "threshold",
        f"Threshold, {steps.unit}",
        "Threshold: difference at which three of four answers are right, lapses apart, as in the models' table.",
        naming_sides,
        steps.at,
        (steps.least, steps.at(1)),
        (steps.below, steps.above),
        tuple(
            f"{level / steps.count:g}" for level in range(-steps.count, steps.count + 1) if level
        ),
    )


def people_table(
    name: str,
    title: str,
    suite: str,
    headers: tuple[str, str],
    sought: Sought,
    notes: tuple[TableNote, ...] = (),
) -> Table:
    """Declare the table of people's sessions.

    Args:
        name: Of its files.
        title: For readers.
        suite: Whose settings hold the file of trials.
        headers: Of what has a page of its own, and of its curves.
        sought: What is read off.
        notes: Further ones.
    """
    is_share = sought.observers is None
    return Table(
        name,
        title,
        rows=partial(_rows, suite, sought),
        csv=(*_COLUMNS, *sought.bounded, *sought.reason, "milliseconds", *_SCREEN),
        columns=(
            Text(headers[0], "condition"),
            Text(headers[1], "track", if_several=True),
            Text("Person", "person"),
            whole("People", "people", optional=True),
            *(() if is_share else (Share("Right", "trials_right_k", n="trials"),)),
            where_known(
                Number(sought.header, *sought.bounded, decimals=sought.decimals, optional=True)
            ),
            *(Text("None because", name, optional=True) for name in sought.reason),
            where_known(Number("Time, ms", "milliseconds", decimals=0)),
            where_known(Number("Picture,\nmm wide", "image_mm", decimals=0)),
        ),
        notes=(
            sought.note,
            *(_OF_SHARES if is_share else _OF_CURVES),
            "Of all people the median stands here, with their quartiles. Time: median, from the picture to the answer.",
            *notes,
        ),
        empty=("nobody has answered",),
        csv_formats=dict.fromkeys(("milliseconds", *_SCREEN), "%.2f"),
    )


def _rows(suite: str, sought: Sought, grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    read = pd.DataFrame(read_rows(settings[suite][RESULT]), dtype=str)
    names = (*_COLUMNS, *sought.bounded, *sought.reason, "milliseconds", *_SCREEN)
    rows = list(_of_conditions(read, sought, settings)) if len(read) else []
    return pd.DataFrame(rows, columns=list(names))


def _of_conditions(
    read: pd.DataFrame, sought: Sought, settings: Settings
) -> Iterator[dict[str, object]]:
    for condition, asked in read.groupby("condition", sort=False):
        for track, curves, observers in _tracks(asked, sought):
            named = {"condition": condition, "track": track}
            known: list[dict[str, object]] = []
            for person, own in asked.groupby("annotator_id", sort=True):
                parts = [own[own["track"] == curve] for curve in curves]
                if not all(map(len, parts)):
                    continue
                found = _found(parts, observers, sought.cells, settings)
                facts = _facts(pd.concat(parts))
                known.append({**named, "person": person, **facts, **_written(found, sought)})
            if known:
                yield from [*known, {**named, "person": ALL, **_together(known, sought)}]


_Told = tuple[str, tuple[str, ...], _Who | None]


def _tracks(asked: pd.DataFrame, sought: Sought) -> list[_Told]:
    """Return what is told of a condition, each with the curves behind it and who might answer."""
    if sought.readings is not None:
        read = sought.readings(sorted(asked["cell"].unique()))
        return [(name, ("",), observers) for name, observers in read.items()]
    names = sorted(asked["track"].unique())
    told: list[_Told] = [(name, (name,), sought.observers) for name in names]
    if sought.compared is None:
        return told
    base, difference = sought.compared
    return told + [(difference, (base, name), sought.observers) for name in names if name != base]


def _facts(own: pd.DataFrame) -> dict[str, object]:
    numbers = {
        name: pd.to_numeric(own[name], errors="coerce").median()
        for name in ("milliseconds", *_SCREEN)
    }
    asked = own[own["right"] != ""]
    return {"trials": len(asked), "trials_right_k": int((asked["right"] == "1").sum()), **numbers}


def _found(
    parts: Sequence[pd.DataFrame], observers: _Who | None, shown: Sequence[str], settings: Settings
) -> Estimate:
    """Return what a person's answers on one curve say, or on the first of two by how much it exceeds the second."""
    if observers is None:
        (own,) = parts
        right = (own["right"] == "1").to_numpy()
        low, high = share_bounds(right, own["stimulus_id"], settings)
        return Estimate(100 * float(right.mean()), low, high, 0.0)
    confidence = settings["confidence"]
    answered = [_answered(part, observers, shown) for part in parts]
    if len(answered) == 1:
        return estimate(*answered[0], confidence)
    return estimate_difference(answered[0], answered[1], confidence)


def _answered(
    own: pd.DataFrame, observers: _Who, shown: Sequence[str]
) -> tuple[Observers, list[Trial]]:
    cells = sorted({*shown, *own["cell"]})
    answers = np.where(own["first"] == "1", 0, 1).tolist()
    trials = zip(map(cells.index, own["cell"]), answers, strict=True)
    return observers(cells), list(trials)


def _written(found: Estimate, sought: Sought) -> dict[str, object]:
    value, *bounds = map(sought.written, (found.median, found.low, found.high))
    reason = FLAT if found.blind > 0.5 else _beyond(value, sought)
    told = (np.nan if reason else value, *np.clip(bounds, *sought.limits))
    return {**dict(zip(sought.bounded, told, strict=True)), **dict.fromkeys(sought.reason, reason)}


def _beyond(value: float, sought: Sought) -> str:
    low, high = sought.limits
    return sought.beyond[0] if value < low else sought.beyond[1] if value > high else ""


def _together(known: Sequence[Mapping[str, Any]], sought: Sought) -> dict[str, object]:
    """Return the median of all people and their quartiles; who lies beyond what was shown lies at its end."""
    ends = {
        why: end for why, end in zip(sought.beyond, sought.limits, strict=True) if np.isfinite(end)
    }
    told = [
        (str(row[sought.reason[0]]) if sought.reason else "", row[sought.name]) for row in known
    ]
    values = [ends.get(why, value) for why, value in told if why != FLAT]
    median, low, high = np.quantile(values, (0.5, *_QUARTILES)) if values else (np.nan,) * 3
    # Where more than half lie beyond what was shown, so does the median.
    beyond = (why for why, end in ends.items() if why and median == end)
    reason = next(beyond, "") if values else FLAT
    return {
        "people": len(values),
        "trials": sum(row["trials"] for row in known),
        "trials_right_k": sum(row["trials_right_k"] for row in known),
        **dict(zip(sought.bounded, (np.nan if reason else median, low, high), strict=True)),
        **dict.fromkeys(sought.reason, reason),
        "milliseconds": float(np.nanmedian([row["milliseconds"] for row in known])),
    }
