"""What the figures are: which features they actually have."""

from collections.abc import Iterable, Iterator, Mapping

from afterimage.contract.task import Answer, Task
from afterimage.files.form_inputs import Inputs
from afterimage.items.form_texts import Texts
from afterimage.suites.illusion_vqa.forms import figure_questions

COLUMNS = figure_questions.COLUMNS


def tasks(inputs: Inputs, settings: Mapping, texts: Texts) -> Iterator[Task]:
    """Yield a task per representative image."""
    return figure_questions.figure_tasks("actual", inputs, settings, texts)


def rows(answers: Iterable[Answer]) -> Iterator[dict[str, str]]:
    """Yield one response per answer."""
    return figure_questions.response_rows(answers)
