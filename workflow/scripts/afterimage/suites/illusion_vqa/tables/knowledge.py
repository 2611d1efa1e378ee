"""Which answers are knowledge? The four classes with the image, without it, and with a blank one."""

from collections.abc import Mapping, Sequence

import pandas as pd

from afterimage.items.rows import PROBE
from afterimage.showing.rounding import rounded
from afterimage.showing.table_layout import Layout, Share, Text
from afterimage.suites.illusion_vqa.images import CONDITIONS
from afterimage.suites.illusion_vqa.tables.four_cell_layout import (
    HEADERS,
    coverage,
    human_notes,
    human_warnings,
)
from afterimage.suites.illusion_vqa.tables.four_cells import (
    CLASSES,
    four_cell_table,
    guessing_baseline,
)

CAPTION = "Which answers are knowledge: with the image, without it, with a blank one"
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
_SUBSETS = {_ALL: "all", _NAMED: "name\nsuffices"}


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Count the four classes for images, and for the same questions without them against two keys.

    Args:
        grades: Graded answers of all models, factors as columns, answers to probes among them (column ``probe``).
        settings: "confidence".

    Returns:
        The columns of :func:`four_cells.four_cell_table` and, before the condition, "shown": "image" (all four
        conditions), "text_only" or "blank" (the key of "genuine" and of "fake"). The subset "name_suffices" is the
        illusions that suggest the same option in both variants, so that no image is needed to know it.
    """
    named = _named_figures(grades)
    parts = []
    for shown, chosen in _by_shown(grades):
        conditions = CONDITIONS if shown == IMAGE else _KEYS
        for subset, part in ((_ALL, chosen), (_NAMED, chosen[chosen["figure"].isin(named)])):
            if part.empty:
                # A study of a few illusions may have none of which the name suffices.
                continue
            counted = four_cell_table(part, conditions, (_ALL,), settings["confidence"])
            counted["subset"] = subset
            counted.insert(2, "shown", shown)
            parts.append(counted)
    result = pd.concat(parts, ignore_index=True)
    return _in_order_of(grades, result)


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table: for each model, what was shown below each other."""
    prompts = list(grades["prompt"].unique())
    notes = [
        f"Cells: percent (k/n) and Wilson {coverage(settings)} interval in percent. Both correct: actual and apparent "
        "question right; apparent only: the actual question wrong; actual only: the apparent question wrong. Unparsed: "
        "at least one of the two answers names no option or several; it counts as wrong.",
        "Text only: the same two questions with the illusion's name and no image. Blank image: the same two questions "
        "about a white image of the same size. A genuine image and its fake twin then ask the same, once; the answer "
        "is scored against the key of the one and against the key of the other.",
        "A model that answers from what it knows has the same row with the genuine image and with the text; one that "
        "looks has not.",
        "Name suffices: the illusions that suggest the same option in both variants (of the others the name does not "
        "tell the side, so even perfect knowledge guesses there).",
        "Guessing: expected shares for independent uniform guesses over the options.",
        *([f"Prompt: {prompts[0]}."] if len(prompts) == 1 else []),
        *human_notes(settings),
    ]
    return Layout(
        title=CAPTION,
        columns=(
            Text("Model", "model"),
            *([Text("Prompt", "prompt")] if len(prompts) > 1 else []),
            Text("Shown", "shown_words"),
            Text("Illusions", "subset", _SUBSETS),
            *(
                Share(HEADERS[name], f"{name}_k", "n", f"{name}_low", f"{name}_high")
                for name in CLASSES
            ),
            Share("Unparsed", "unparsed_k"),
        ),
        notes=tuple(notes),
        warnings=human_warnings(settings),
        reference_rows=tuple(_guessing(grades)),
        split_by="Model",
        condensed=_readers_rows,
    )


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


def _in_order_of(grades: pd.DataFrame, frame: pd.DataFrame) -> pd.DataFrame:
    """Put the rows of each model and prompt together, in the order of the grades; else they stay as they are."""
    asked = grades[["model", "prompt"]].drop_duplicates().itertuples(index=False, name=None)
    place = {names: number for number, names in enumerate(asked)}
    order = [place[names] for names in zip(frame["model"], frame["prompt"], strict=True)]
    return frame.iloc[pd.Series(order, dtype=int).argsort(kind="stable")].reset_index(drop=True)


def _readers_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows over all illusions, and of the others those that were asked in words alone."""
    rows = frame[(frame["subset"] == _ALL) | (frame["shown"] == TEXT_ONLY)]
    words = [
        _SHOWN[shown][condition]
        for shown, condition in zip(rows["shown"], rows["condition"], strict=True)
    ]
    return rows.assign(shown_words=words)


def _guessing(grades: pd.DataFrame) -> Sequence[Mapping[str, str]]:
    images = grades[grades["condition"] == "genuine"].drop_duplicates("stimulus_id")
    shares = guessing_baseline(images["option_count"].astype(int))
    if not shares:
        return []
    cells = {HEADERS[name]: rounded(100 * shares[name]) for name in CLASSES}
    return [{"Shown": "guessing", "Illusions": _SUBSETS[_ALL], **cells}]
