"""Which answers are knowledge? The four classes with the image, without it, and with a blank one.

The columns of the other tables of the four classes and, before the condition, "shown": "image" (all four conditions),
"text_only" or "blank" (the key of "genuine" and of "fake"). The subset "name_suffices" is the illusions that suggest
the same option in both variants, so that no image is needed to know it.
"""

from collections.abc import Iterator

import pandas as pd

from afterimage.items.option_order import PROBE
from afterimage.showing.columns import Text
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.interval_notes import interval_note
from afterimage.suites.illusion_vqa.images import CONDITIONS
from afterimage.suites.illusion_vqa.tables.four_cell_table import (
    HUMAN_NOTE,
    PROMPT,
    SHARES,
    human_warnings,
    prompt_note,
)
from afterimage.suites.illusion_vqa.tables.four_cells import (
    COUNTED,
    OF_NO_PAPER,
    counted_units,
    in_subset,
)
from afterimage.suites.illusion_vqa.tables.not_looking import NOT_LOOKING, NOTE
from afterimage.suites.illusions.names import VARIANTS

#: What was shown; all but the image itself are probes.
IMAGE = "image"
TEXT_ONLY = "text_only"
BLANK = "blank"
#: Without an image, twins are the same question: it has the key of the genuine image and that of the fake.
_KEYS = ("genuine", "fake")
_ALL, _NAMED = "all", "name_suffices"
_SHOWN = {
    IMAGE: {
        "genuine": "genuine image",
        "fake": "fake image",
        "control_genuine": "control of genuine",
        "control_fake": "control of fake",
    },
    TEXT_ONLY: {"genuine": "text only,\nkey of genuine", "fake": "text only,\nkey of fake"},
    BLANK: {"genuine": "blank image,\nkey of genuine", "fake": "blank image,\nkey of fake"},
}
_SUBSETS = {_ALL: "all", _NAMED: "name\nsuffices", OF_NO_PAPER: "not in\nthe paper"}


def _named(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return grades.assign(named=grades["figure"].isin(_named_figures(grades)))


def _shown(grades: pd.DataFrame, settings: Settings) -> Iterator[tuple[dict, pd.DataFrame]]:
    """Part one model's answers by what was shown, the illusions that count, and the condition or key.

    Two variants of each illusion alone: without an image the further ones ask the same.
    """
    grades = grades[grades["variant"].isin(VARIANTS)]
    for shown, part in _by_shown(grades):
        papers, later = (in_subset(part, subset, part) for subset in (_ALL, OF_NO_PAPER))
        subsets = {_ALL: papers, _NAMED: papers[papers["named"]], OF_NO_PAPER: later}
        for subset, chosen in subsets.items():
            if chosen.empty:
                # A study of a few illusions may have none of which the name suffices.
                continue
            units = counted_units(chosen, settings)
            for condition in CONDITIONS if shown == IMAGE else _KEYS:
                names = {"shown": shown, "condition": condition, "subset": subset}
                yield names, units[units["condition"] == condition]


def _by_shown(grades: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    probes = grades[PROBE]
    parts = [(IMAGE, grades[probes.isna()])]
    parts += [(shown, grades[probes == shown]) for shown in (TEXT_ONLY, BLANK)]
    return [(shown, part) for shown, part in parts if len(part)]


def _named_figures(grades: pd.DataFrame) -> list[str]:
    """Return the illusions whose illusory option is the same in both variants."""
    asked = grades[["figure", "variant", "illusory"]].drop_duplicates()
    options = asked.groupby("figure")["illusory"].agg(["nunique", "size"])
    return list(options.index[(options["nunique"] == 1) & (options["size"] > 1)])


def _readers_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows over all illusions, and of the others those that were asked in words alone."""
    rows = frame[(frame["subset"] != _NAMED) | (frame["shown"] == TEXT_ONLY)]
    words = [
        _SHOWN[shown][condition]
        for shown, condition in zip(rows["shown"], rows["condition"], strict=True)
    ]
    return rows.assign(shown_words=words)


TABLE = Table(
    "knowledge",
    "Which answers are knowledge: with the image, without it, with a blank one",
    of=_named,
    rows=(By("model", references=NOT_LOOKING), By("prompt"), _shown),
    csv=("kind", "model", "prompt", "shown", "condition", "subset", *COUNTED),
    columns=(
        Text("Model", "model"),
        Text("Answer", "answer", optional=True),
        PROMPT,
        Text("Shown", "shown_words"),
        Text("Illusions", "subset", _SUBSETS),
        *SHARES,
    ),
    notes=(
        "Cells: percent (k/n). Both correct: actual and apparent question "
        "right; apparent only: the actual question wrong; actual only: the apparent question wrong. Unparsed: at least "
        "one of the two answers names no option or several; it counts as wrong.",
        interval_note("illusions, all variants of one together"),
        "Text only: the same two questions with the illusion's name and no image. Blank image: the same two questions "
        "about a white image of the same size. A genuine image and its fake twin then ask the same, once; the answer "
        "is scored against the key of the one and against the key of the other.",
        "A model that answers from what it knows has the same row with the genuine image and with the text; one that "
        "looks has not.",
        "Name suffices: the illusions that suggest the same option in both variants (of the others the name does not "
        "tell the side, so even perfect knowledge guesses there).",
        NOTE,
        prompt_note,
        HUMAN_NOTE,
    ),
    warnings=(human_warnings,),
    readers=_readers_rows,
    split_by="Model",
)
