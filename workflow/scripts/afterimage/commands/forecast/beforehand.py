"""What is known of a study before anything is drawn: its images and, of most suites, its questions."""

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tabulate import tabulate

from afterimage.contract.design import Reader
from afterimage.contract.parts import resolve
from afterimage.contract.stimulus import Shown
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import spec_of
from afterimage.stages.human_filter import has_human_filter

logger = logging.getLogger(__name__)


class SuiteSize(NamedTuple):
    """One suite.

    Attributes:
        images: How many there are.
        questions: What each model is asked about them, once; None if only the drawn images tell.
        are_most: Whether people's decisions may still leave some out.
    """

    suite: str
    images: int
    questions: int | None
    is_upper_bound: bool = False


def unmade(plan: Plan) -> list[str]:
    """Return the suites with missing items."""
    return [
        suite
        for suite in plan.suites
        if not all(
            Path(plan.results, "items", suite, f"{shard}.parquet").is_file()
            for shard in plan.all_shards(suite)
        )
    ]


def suite_sizes(plan: Plan, suites: Iterable[str]) -> Iterator[SuiteSize]:
    """Yield what is known of each suite; no image is drawn or decoded."""
    for suite in suites:
        images = len(plan.studied[suite].positions)
        yield SuiteSize(suite, images, _questions(plan, suite), has_human_filter(plan, suite))


def as_table(suites: Iterable[SuiteSize]) -> str:
    rows = [(suite.suite, f"{suite.images:,}", _in_words(suite)) for suite in suites]
    table: str = tabulate(
        rows,
        headers=("suite", "images", "questions"),
        disable_numparse=True,
        colalign=("left", "right", "right"),
    )
    return table


def _in_words(suite: SuiteSize) -> str:
    if suite.questions is None:
        return ""
    return f"{'up to ' if suite.is_upper_bound else ''}{suite.questions:,}"


def _questions(plan: Plan, suite: str) -> int | None:
    try:
        images = list(_images(plan, suite))
        return sum(_requested(plan, suite, shard, images) for shard in plan.all_shards(suite))
    except Exception as error:
        # Questions may need what only a drawing, or a file of the run, knows: sizes after rounding, sampled objects.
        logger.debug("%s: questions are not known beforehand: %r", suite, error)
        return None


def _images(plan: Plan, suite: str) -> Iterator[Shown]:
    studied = plan.studied[suite]
    for figure in studied.figures:
        spec = studied.drawing_spec(figure)
        design = resolve(spec["design"])
        if isinstance(design, Reader):
            yield from design.shown(figure, spec["settings"])
        else:
            for spec_of_image in design.specs(figure, spec["settings"]):
                yield Shown(spec_of_image.stimulus_id, factors=spec_of_image.factors, figure=figure)


def _requested(plan: Plan, suite: str, shard: str, images: list[Shown]) -> int:
    spec = spec_of(plan, "make_items", suite=suite, shard=shard)
    if "probes" in spec:
        raise NotImplementedError("probes are made of the items")
    ids = set(spec["stimuli"])
    chosen = [image for image in images if image.stimulus_id in ids]
    questions = resolve(spec["questions"])(chosen, spec["bank"], spec["settings"], images)
    return sum(1 for _ in questions)
