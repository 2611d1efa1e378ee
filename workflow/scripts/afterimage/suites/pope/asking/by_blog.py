"""The blog's C, R and A: one question per image and strategy, in the blog's words."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from afterimage.errors import AfterimageError
from afterimage.suites.pope.asking.benchmark import expectation
from afterimage.suites.pope.asking.question import CHINESE_ANSWERS, Asking, Question
from afterimage.suites.pope.blog import Probe, Rules
from afterimage.suites.pope.blog import ask as probe
from afterimage.suites.pope.language.english import English
from afterimage.suites.pope.names import BLOG
from afterimage.suites.pope.record import ImageRecord
from afterimage.suites.pope.sampling import tables
from afterimage.suites.pope.seeding import generator
from afterimage.suites.pope.wording import filled

#: The prompt id of the blog's question.
PROMPT = "blog"


def ask(
    records: Sequence[ImageRecord], missing: Collection[str], words: Mapping, settings: Mapping
) -> Asking:
    """Ask all questions of the variant ``pope_blog``; arguments as those of :func:`benchmark.ask`.

    Raises:
        AfterimageError: An object or an attribute has no Chinese name, and one is asked for.
    """
    english = English.from_data(words["english"])
    rules = Rules(english, settings["blog"]["r_exclude_present"])
    counted = tables(records)
    asked: dict[str, list[Question]] = {record.image_id: [] for record in records}
    bookkeeping: dict[str, dict[str, object]] = {}
    for strategy in settings["blog"]["strategies"]:
        skipped: Counter[str] = Counter()
        questions = image_missing = 0
        for record in records:
            draw = generator(
                settings["seed"], settings["dataset"], f"blog {strategy}", record.image_id
            )
            found = probe(strategy, record, words["vocabulary"], draw, rules)
            if isinstance(found, str):
                skipped[found] += 1
                continue
            questions += 1
            image_missing += record.image_id in missing
            factors = {
                "variant": BLOG,
                "strategy": strategy,
                "object": found.name,
                "attributes": " ".join(found.attributes),
                "original": " ".join(found.original),
                "caption_id": found.source,
                "gold_conflict": "yes" if found.gold_conflict else "no",
                "weak_gold": "yes" if _is_weak(strategy, found, record, english) else "no",
                **expectation(record, found.name, counted, len(records)),
            }
            text = filled(words["blog"], _phrase(found, words["chinese"], english), english)
            kind = "attribute" if strategy == "A" else "existence"
            asked[record.image_id].append(
                Question((strategy,), PROMPT, kind, text, found.label, factors)
            )
        bookkeeping[strategy] = {
            "images": len(records),
            "questions": questions,
            "image_missing": image_missing,
            "skipped": dict(sorted(skipped.items())),
            "extraction": next((one.extraction for one in records if one.extraction), ""),
            "caption_source": settings["blog"]["caption_source"],
        }
    return Asking(
        {image: tuple(of_image) for image, of_image in asked.items()},
        bookkeeping,
        CHINESE_ANSWERS,
        "presence_blog",
    )


def _phrase(found: Probe, chinese: Mapping[str, str], english: English) -> str:
    """Return the object with its attributes, in the caption's language or in Chinese."""
    if not chinese:
        return english.phrase(found.attributes, found.name)
    for word in (*found.attributes, found.name):
        if word not in chinese:
            raise AfterimageError(
                f"config: suites.pope.name_table: no Chinese word for '{word}', which a question names; "
                "expected a line for every object and attribute."
            )
    return "".join(chinese[word] for word in (*found.attributes, found.name))


def _is_weak(strategy: str, found: Probe, record: ImageRecord, english: English) -> bool:
    """Tell whether a key may be wrong: the object, or what it is like, is known from captions alone."""
    if strategy == "C":
        return bool(record.instances) and found.name not in record.annotated
    if strategy == "R":
        return not record.instances
    changed = set(found.attributes) - set(found.original)
    dimensions = {english.dimension_of(value) for value in changed}
    known = [one.attributes for one in record.instances if one.category == found.name]
    # Counting instances needs no attribute, but crowds are one instance.
    is_known = bool(known) and all(
        dimension == "count" or all(dimension in attributes for attributes in known)
        for dimension in dimensions
    )
    return not is_known
