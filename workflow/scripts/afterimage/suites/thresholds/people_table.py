"""Tables of people's results in sessions: a row for each person, and one for all, which charts draw as a band."""

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
#: Quantiles of people's thresholds at the ends of the band.
_QUARTILES = (0.25, 0.75)
_OF_CURVES = (
    "A person's interval is the {coverage} credible interval after all of their trials (QUEST+). Right: pictures are "
    "placed where answers are in doubt, so the share says little.",
)
_OF_SHARES = ("A person's interval is {coverage}, over pictures.",)


#: Possible observers, by the cells that are shown.
_ObserversOf = Callable[[Sequence[str]], Observers]


class Sought(NamedTuple):
    """The number that is estimated, and how it is written.

    Attributes:
        name: Of its columns.
        header: For readers.
        note: Its definition, one sentence.
        observers: Possible observers, by the cells that were shown; None if the number is the percentage of right
            answers.
        written: Converts from the observers' unit to the table's.
        limits: The smallest and the largest number that is reported, in the table's unit.
        beyond: Words for a number below and above these.
        cells: All cells that can be shown, where the possible observers depend on them.
        decimals: Digits after the point, for readers.
        compared: The track from which each other one is subtracted, and the name of the difference, which is listed as
            a track; None if tracks are not compared.
        readings: For conditions with one curve that gives several numbers: returns the possible observers by the
            number's name, listed as a track, from the cells of a condition; None if ``observers`` give the only one.
    """

    name: str
    header: str
    note: str
    observers: _ObserversOf | None
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
        """The column that says why there is no number; a percentage always exists and has no such column."""
        return () if self.observers is None else (f"no_{self.name}",)


def threshold_of(steps: Steps) -> Sought:
    """Return the threshold of signed differences, at which three of four sides are named rightly."""
    return Sought(
        "threshold",
        f"Threshold, {steps.unit}",
        "Threshold: difference at which three of four answers are right, excluding lapses, as in the "
        "models' table.",
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
        suite: The suite whose settings name the file of trials.
        headers: Of conditions, which have a page each, and of tracks.
        sought: The number that is estimated.
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
            "All people: median and quartiles. Time: median, from the picture to the answer.",
            *notes,
        ),
        empty=("nobody has answered",),
        csv_formats=dict.fromkeys(("milliseconds", *_SCREEN), "%.2f"),
    )


def _rows(suite: str, sought: Sought, grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    read = pd.DataFrame(read_rows(settings[suite][RESULT]), dtype=str)
    names = (*_COLUMNS, *sought.bounded, *sought.reason, "milliseconds", *_SCREEN)
    rows = list(_condition_rows(read, sought, settings)) if len(read) else []
    return pd.DataFrame(rows, columns=list(names))


def _condition_rows(
    read: pd.DataFrame, sought: Sought, settings: Settings
) -> Iterator[dict[str, object]]:
    for condition, trials in read.groupby("condition", sort=False):
        for track, curves, observers in _tracks(trials, sought):
            named = {"condition": condition, "track": track}
            known: list[dict[str, object]] = []
            for person, person_trials in trials.groupby("annotator_id", sort=True):
                parts = [person_trials[person_trials["track"] == curve] for curve in curves]
                if not all(map(len, parts)):
                    continue
                found = _person_estimate(parts, observers, sought.cells, settings)
                facts = _trial_facts(pd.concat(parts))
                known.append(
                    {**named, "person": person, **facts, **_estimate_columns(found, sought)}
                )
            if known:
                yield from [*known, {**named, "person": ALL, **_row_of_all(known, sought)}]


_Track = tuple[str, tuple[str, ...], _ObserversOf | None]


def _tracks(trials: pd.DataFrame, sought: Sought) -> list[_Track]:
    """Return the tracks that are listed for a condition, each with its curves and the possible observers."""
    if sought.readings is not None:
        read = sought.readings(sorted(trials["cell"].unique()))
        return [(name, ("",), observers) for name, observers in read.items()]
    names = sorted(trials["track"].unique())
    tracks: list[_Track] = [(name, (name,), sought.observers) for name in names]
    if sought.compared is None:
        return tracks
    base, difference = sought.compared
    return tracks + [(difference, (base, name), sought.observers) for name in names if name != base]


def _trial_facts(trials: pd.DataFrame) -> dict[str, object]:
    numbers = {
        name: pd.to_numeric(trials[name], errors="coerce").median()
        for name in ("milliseconds", *_SCREEN)
    }
    scored = trials[trials["right"] != ""]
    return {"trials": len(scored), "trials_right_k": int((scored["right"] == "1").sum()), **numbers}


def _person_estimate(
    parts: Sequence[pd.DataFrame],
    observers: _ObserversOf | None,
    shown: Sequence[str],
    settings: Settings,
) -> Estimate:
    """Return the estimate from a person's answers on one curve, or the difference between two curves' estimates."""
    if observers is None:
        (trials,) = parts
        right = (trials["right"] == "1").to_numpy()
        low, high = share_bounds(right, trials["stimulus_id"], settings)
        return Estimate(100 * float(right.mean()), low, high, 0.0)
    confidence = settings["confidence"]
    answered = [_observers_and_trials(part, observers, shown) for part in parts]
    if len(answered) == 1:
        return estimate(*answered[0], confidence)
    return estimate_difference(answered[0], answered[1], confidence)


def _observers_and_trials(
    part: pd.DataFrame, observers: _ObserversOf, shown: Sequence[str]
) -> tuple[Observers, list[Trial]]:
    cells = sorted({*shown, *part["cell"]})
    answers = np.where(part["first"] == "1", 0, 1).tolist()
    trials = zip(map(cells.index, part["cell"]), answers, strict=True)
    return observers(cells), list(trials)


def _estimate_columns(found: Estimate, sought: Sought) -> dict[str, object]:
    value, *bounds = map(sought.written, (found.median, found.low, found.high))
    reason = FLAT if found.blind > 0.5 else _beyond(value, sought)
    numbers = (np.nan if reason else value, *np.clip(bounds, *sought.limits))
    return {
        **dict(zip(sought.bounded, numbers, strict=True)),
        **dict.fromkeys(sought.reason, reason),
    }


def _beyond(value: float, sought: Sought) -> str:
    low, high = sought.limits
    return sought.beyond[0] if value < low else sought.beyond[1] if value > high else ""


def _row_of_all(known: Sequence[Mapping[str, Any]], sought: Sought) -> dict[str, object]:
    """Return the median of all people and their quartiles; results outside the range shown count as its limits."""
    ends = {
        why: end for why, end in zip(sought.beyond, sought.limits, strict=True) if np.isfinite(end)
    }
    results = [
        (str(row[sought.reason[0]]) if sought.reason else "", row[sought.name]) for row in known
    ]
    values = [ends.get(why, value) for why, value in results if why != FLAT]
    median, low, high = np.quantile(values, (0.5, *_QUARTILES)) if values else (np.nan,) * 3
    # Where more than half are outside the range shown, so is the median.
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
