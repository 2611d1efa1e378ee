"""Made-up people for the drawn materials: their words and their votes, with the answers known.

Workers name the words of the material; of five annotators all or all but one accept its
words, three a compatible one (which must not become right), at most one a word of another material. Everything is
marked as simulated, and nothing about people follows from it. Standard library only.
"""

from collections.abc import Iterator

from afterimage.suites.texture.data.reading import Row
from afterimage.suites.texture.materials import MATERIALS, MOST_COPIES, SHAPES, all_images, material
from afterimage.suites.texture.seeding import rank

_OBJECT = "o1"
#: How many of a material's words the workers name; the third is a compatible one.
_WORDS = 3
_ANNOTATORS = 5


def object_rows(copies: int) -> list[Row]:
    """Return rows of objects.csv: one object in each drawn image of so many copies, measured in all three ways."""
    return [
        {
            "image_id": image.image_id,
            "object_id": _OBJECT,
            "object_ja": SHAPES[image.layout.shape],
            "category": image.layout.shape,
            "area_fraction": share,
            "area_mode": mode,
        }
        for image in all_images(copies)
        for mode, share in (
            ("mask_union", image.layout.area_fraction),
            ("mask_largest", image.layout.area_fraction),
            ("bbox", image.layout.box_fraction),
        )
    ]


def triple_rows(copies: int) -> list[Row]:
    """Return rows of triples.csv: three words for each drawn object."""
    return [
        {
            "triple_id": f"{image.image_id}_{place + 1}",
            "image_id": image.image_id,
            "object_id": _OBJECT,
            "word": word,
            "worker_id": f"simulated_{place + 1}",
            "collected_at": None,
            "source": "simulated",
        }
        for image in all_images(copies)
        for place, word in enumerate(_words(image.material))
    ]


def vote_rows(pairs: list[Row], seed: int) -> Iterator[Row]:
    """Yield rows of votes.csv: five votes on each word of each verification task.

    Args:
        pairs: Rows of pairs.csv.
        seed: Chooses who votes against the majority, and where.
    """
    shown = {image.image_id: material(image.material) for image in all_images(MOST_COPIES)}
    for pair in pairs:
        known = shown[pair["image_id"]]
        for place in range(5):
            word = pair[f"w{place + 1}"]
            lot = int(rank(seed, "votes", pair["pair_id"], word), 16)
            if word in known.gold:
                accepting = _ANNOTATORS - lot % 2
            elif word in known.compatible:
                accepting = 3
            else:
                accepting = lot % 2
            for turn in range(_ANNOTATORS):
                yield {
                    "pair_id": pair["pair_id"],
                    "word": word,
                    "annotator_id": f"simulated_{1 + (turn + lot // 2) % _ANNOTATORS}",
                    "vote": turn < accepting,
                    "source": "simulated",
                    "form_id": None,
                    "answered_at": None,
                }


def compatible_rows() -> list[Row]:
    """Return rows of compatible.csv: what may not be offered as wrong beside each material's words."""
    return [
        {"gold": gold, "word": word}
        for known in MATERIALS
        for gold in known.gold
        for word in known.compatible
    ]


def _words(name: str) -> tuple[str, ...]:
    known = material(name)
    return (*known.gold, *known.compatible)[:_WORDS]
