"""Questions: images become items of one question each; the image stands before the text.

An image whose file is missing gives no item, so no model is ever asked about it; what is not asked is counted in the
factor ``asked_of`` of every item that is.
"""

from collections.abc import Iterator, Sequence

from afterimage.contract.question import Option, Question, ask
from afterimage.contract.stimulus import Json, Shown, is_missing
from afterimage.suites.pope.asking import benchmark, by_blog, extended
from afterimage.suites.pope.asking.question import Asking
from afterimage.suites.pope.names import BLOG, EXTENDED, NESTED, POPE, QUESTIONS
from afterimage.suites.pope.record import ImageRecord, read_image_records


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Yield the questions of all variants about each image.

    Args:
        images: Those of the shard.
        words: What ``bank.question_words`` returned.
        settings: Those that bear on the questions.
        available: All images of the suite: objects are sampled by how often they occur in all of them.
    """
    asked = _asked(words, settings, available)
    bookkeeping = {variant: asking.factor() for variant, asking in asked.items()}
    for shown in images:
        image_id = shown.factors["image_id"]
        if is_missing(shown.factors):
            continue
        own = {"dataset": shown.factors["dataset"], "image_id": image_id}
        for variant, asking in asked.items():
            for one in asking.questions.get(image_id, ()):
                yield Question(
                    shown,
                    "/".join((variant, *one.place, one.prompt)),
                    ask(shown, one.text),
                    asking.answer_type,
                    one.key,
                    tuple(Option(name, text) for name, text in one.answers),
                    prompt=one.prompt,
                    question=one.kind,
                    factors={**own, **one.factors, "asked_of": bookkeeping[variant]},
                )


def _asked(words: Json, settings: Json, available: Sequence[Shown]) -> dict[str, Asking]:
    """Return what each variant asks."""
    plain, nested = _records(settings, available)
    missing = {shown.factors["image_id"] for shown in available if is_missing(shown.factors)}
    asked = {}
    if POPE in settings["variants"]:
        asked[POPE] = benchmark.ask(plain, missing, words, settings)
    if BLOG in settings["variants"]:
        asked[BLOG] = by_blog.ask(plain, missing, words, settings)
    if EXTENDED in settings["variants"]:
        asked[EXTENDED] = extended.ask(plain, nested, words, settings)
    return asked


def _records(
    settings: Json, available: Sequence[Shown]
) -> tuple[list[ImageRecord], list[ImageRecord]]:
    """Return what is known of the images, and of the scenes with something in a box, in order."""
    if settings["source"] == QUESTIONS:
        names = [(shown.factors["image_id"], shown.questions) for shown in available]
        return [ImageRecord(image, image, questions=asked) for image, asked in names], []
    figures = read_image_records(settings["records"])
    nested = figures.pop(NESTED, [])
    (plain,) = figures.values()
    return plain, nested
