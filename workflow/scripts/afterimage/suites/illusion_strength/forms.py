"""Sessions about illusions: which target appears to have more? A page for each illusion, its inducer on and off."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from afterimage.contract.task import Session, Shown, Task
from afterimage.files.stimulus import Inputs, shown_stimuli
from afterimage.items.form_texts import Texts
from afterimage.suites.illusion_strength.questions import GUIDE
from afterimage.suites.illusion_strength.tables import NO_INDUCER
from afterimage.suites.thresholds import people

COLUMNS = people.COLUMNS
rows = people.rows


def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
    """Yield a task per image without an inducer and with the strongest one; none about images with an aid.

    Args:
        inputs: Its stimuli.
        settings: ``figures``, what ``questions.apparent_words`` returned, and ``strength``, the strongest inducer's.
        texts: The words of the form, translations of stems and options among them.
    """
    for record, png in shown_stimuli(inputs):
        figure, factors = record["figure"], dict(record["factors"])
        if factors.get(GUIDE) == "yes":
            continue
        if factors["strength"] not in (NO_INDUCER, settings["strength"]):
            continue
        entry = settings["figures"][figure][factors["variant"]]
        values = {name: texts[f"values.{word}"] for name, word in entry["values"].items()}
        prefix = f"figures.{figure}.apparent"
        translated = {
            key: {"en": english, **texts.filled(f"{prefix}.{key}", **values)}
            for key, english in (("stem", entry["stem"]), *entry["options"])
        }
        question = translated.pop("stem")
        yield people.task(record, png, _slot(figure, factors, entry), question, translated)


def _slot(figure: str, factors: Mapping[str, str], entry: Mapping[str, Any]) -> people.Put:
    difference = round(float(factors["realised"]), 3) + 0.0
    second = next(name for name, _ in entry["options"] if name != entry["first"])
    key = "" if not difference else entry["first"] if difference > 0 else second
    return people.Put(figure, factors["strength"], f"{difference:g}", entry["first"], key)


def session(shown: Sequence[Shown], settings: Mapping[str, Any]) -> Session:
    """Return the session's rules; a point of equality is that of the table ``illusion_strength``."""
    return people.session(shown, people.comparing, _is_easy)


def _is_easy(about: Mapping[str, str]) -> bool:
    """Tell whether a difference is plain to see because there is no inducer."""
    return about["track"] == NO_INDUCER and people.is_easy(about)
