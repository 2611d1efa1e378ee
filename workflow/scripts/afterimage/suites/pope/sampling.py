"""The paper's sampling: three objects that are in the image, three that are not, one after the other.

It follows the authors' code where that departs from the paper's words: positives are the first objects in the
ground truth's order, frequencies count the drawn images only, and adversarial negatives go with the positive
just asked. Unlike the code it draws from the list of valid candidates, which is the same distribution but ends
where none is left. Each (dataset, strategy, image) puts the objects into an order of chance of its own and takes the
first valid one, so that neither further images nor the frequencies that they change move a random draw.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from afterimage.errors import config_path, fault
from afterimage.suites.pope.record import ImageRecord
from afterimage.suites.pope.seeding import rank

#: Why a pair of questions is not asked: every object of the vocabulary is in the image or was asked about.
NO_NEGATIVE_LEFT = "no_negative_left"


class Tables(NamedTuple):
    """What popular and adversarial negatives are chosen by.

    Attributes:
        frequencies: Object to how often it stands in the lists, most frequent first, ties as first seen.
        companions: Object to the others of the same images, most frequent first, ties as first seen.
    """

    frequencies: Mapping[str, int]
    companions: Mapping[str, tuple[str, ...]]


class Sampled(NamedTuple):
    """One sampled question.

    Attributes:
        question_id: Number within the strategy, from 1.
        object: What is asked about.
        label: "yes" or "no".
        positive: The object that is in the image and was asked about just before; of a positive, itself.
    """

    question_id: int
    object: str
    label: str
    positive: str


class Sample(NamedTuple):
    """The questions of one strategy.

    Attributes:
        questions: Image id to its questions, in the order in which they are asked.
        skipped: Pairs of questions that could not be asked, for want of a negative.
    """

    questions: Mapping[str, tuple[Sampled, ...]]
    skipped: int


def chosen_images(
    records: Iterable[ImageRecord], count: int, min_objects: int, seed: int, dataset: str
) -> list[ImageRecord]:
    """Draw images without replacement, of those that hold enough objects.

    The draw is an order of chance of which the first ``count`` are taken, so that a larger count keeps what a
    smaller one drew.

    Args:
        records: The dataset.
        count: How many images are wanted.
        min_objects: Entries that an image's list needs.
        seed: Chooses the draw.
        dataset: The dataset's name.

    Raises:
        AfterimageError: There are not enough images.
    """
    enough = eligible(records, min_objects)
    if len(enough) < count:
        raise fault(
            config_path("suites.pope.images"),
            f"{count} images with at least {min_objects} objects are wanted, and dataset "
            f"'{dataset}' has {len(enough)}; expected a smaller number of images or of objects.",
        )
    return sorted(enough, key=lambda record: rank(seed, dataset, record.image_id))[:count]


def eligible(records: Iterable[ImageRecord], min_objects: int) -> list[ImageRecord]:
    """Return the images whose lists hold at least so many objects, in their order."""
    return [record for record in records if len(record.entries) >= min_objects]


def tables(records: Iterable[ImageRecord]) -> Tables:
    """Count how often each object occurs, and with which others."""
    frequencies: Counter[str] = Counter()
    together: dict[str, Counter[str]] = {}
    for record in records:
        frequencies.update(record.entries)
        for name in record.objects:
            others = together.setdefault(name, Counter())
            others.update(other for other in record.objects if other != name)
    return Tables(
        dict(_by_count(frequencies)),
        {name: tuple(other for other, _ in _by_count(others)) for name, others in together.items()},
    )


def sample(
    records: Sequence[ImageRecord],
    strategy: str,
    pairs: int,
    counted: Tables,
    seed: int,
    dataset: str,
) -> Sample:
    """Sample one strategy's questions.

    Args:
        records: The drawn images, in order.
        strategy: random, popular or adversarial.
        pairs: Positives, and negatives, per image.
        counted: Frequencies and companions.
        seed: Chooses the draws.
        dataset: The dataset's name.
    """
    questions: dict[str, tuple[Sampled, ...]] = {}
    skipped, number = 0, 0
    for record in records:
        place = partial(rank, seed, dataset, strategy, record.image_id)
        asked: list[str] = []
        of_image: list[Sampled] = []
        for positive in record.objects[:pairs]:
            taken = {*record.objects, *asked, positive}
            valid = [name for name in counted.frequencies if name not in taken]
            if not valid:
                skipped += 1
                continue
            negative = _negative(strategy, positive, valid, counted, min(valid, key=place))
            asked += [positive, negative]
            of_image.append(Sampled(number + 1, positive, "yes", positive))
            of_image.append(Sampled(number + 2, negative, "no", positive))
            number += 2
        questions[record.image_id] = tuple(of_image)
    return Sample(questions, skipped)


def _negative(
    strategy: str, positive: str, valid: Sequence[str], counted: Tables, by_chance: str
) -> str:
    if strategy == "popular":
        return valid[0]
    if strategy == "adversarial":
        allowed = set(valid)
        companions = [name for name in counted.companions.get(positive, ()) if name in allowed]
        if companions:
            return companions[0]
    return by_chance


def _by_count(counts: Counter[str]) -> list[tuple[str, int]]:
    # Sorting is stable: ties keep the order in which they were first seen.
    return sorted(counts.items(), key=lambda pair: -pair[1])
