"""What is known about the objects of a study: from the user's tables, or from simulated people.

Standard library only, because the Snakefile imports this module whenever it is parsed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from afterimage.contract.stimulus import Json
from afterimage.contract.suite import People, Settings
from afterimage.errors import AfterimageError
from afterimage.grading.language.typography import normal_form
from afterimage.suites.texture import columns
from afterimage.suites.texture.columns import Row, read_people
from afterimage.suites.texture.materials import (
    MATERIALS,
    MAX_COPIES,
    SHAPES,
    all_images,
    material,
    rank,
)
from afterimage.suites.texture.verification import Key, Votes, count_votes, derive_pairs, key_of

# Which objects take up enough of their image.
#
# "15% 以下 ... 除去" (paper, section 2): a share of exactly the limit is dropped. Whether it is the share
# of the mask or of the box, and what several instances count together, the paper does not say.


def large_enough(objects: Iterable[Row], limit: float, mode: str, path: str) -> list[Row]:
    """Return the objects above the limit, one row for each, in the order of their first rows.

    Args:
        objects: Rows of objects.csv, one for each object and way of measuring its area.
        limit: Share of the image, 0 to 1; what is exactly as large is dropped.
        mode: Which way of measuring counts.
        path: The file, for errors.

    Raises:
        AfterimageError: An object has no row with this way of measuring.
    """
    measured: dict[tuple[str, str], Row | None] = {}
    for row in objects:
        key = row["image_id"], row["object_id"]
        measured.setdefault(key, None)
        if row["area_mode"] == mode:
            measured[key] = row
    for (image, name), match in measured.items():
        if match is None:
            raise AfterimageError(
                f"{path}: object '{name}' of image '{image}' has no row with area_mode {mode}; "
                "expected one, or another 'area_mode' in suites.texture."
            )
    return [row for row in measured.values() if row is not None and row["area_fraction"] > limit]


# Simulated people for the drawn materials: their words and their votes, with the answers known.
#
# Workers name the words of the material; of five annotators all or all but one accept its words, three a compatible
# one (which must not become right), at most one a word of another material. Everything is marked as simulated, and
# nothing about people follows from it.

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
            "triple_id": f"{image.image_id}_{index + 1}",
            "image_id": image.image_id,
            "object_id": _OBJECT,
            "word": word,
            "worker_id": f"simulated_{index + 1}",
            "collected_at": None,
            "source": "simulated",
        }
        for image in all_images(copies)
        for index, word in enumerate(_words(image.material))
    ]


def vote_rows(pairs: list[Row], seed: int) -> Iterator[Row]:
    """Yield rows of votes.csv: five votes on each word of each verification task.

    Args:
        pairs: Rows of pairs.csv.
        seed: Chooses who votes against the majority, and where.
    """
    shown = {image.image_id: material(image.material) for image in all_images(MAX_COPIES)}
    for pair in pairs:
        known = shown[pair["image_id"]]
        for index in range(5):
            word = pair[f"w{index + 1}"]
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
    """Return rows of compatible.csv: what may not be offered as wrong with each material's words."""
    return [
        {"gold": gold, "word": word}
        for known in MATERIALS
        for gold in known.gold
        for word in known.compatible
    ]


def _words(name: str) -> tuple[str, ...]:
    known = material(name)
    return (*known.gold, *known.compatible)[:_WORDS]


# All that is known about the objects of a study: from the user's tables, or simulated for the drawn materials.

#: Kinds of file that a dataset is read from, by the keys of ``files``.
KINDS = {
    "objects": columns.OBJECTS,
    "triples": columns.TRIPLES,
    "pairs": columns.PAIRS,
    "votes": columns.VOTES,
    "items_cls": columns.CLASSIFICATION_ITEMS,
    "items_gen": columns.GENERATION_ITEMS,
    "compatible": columns.COMPATIBLE,
    "synonyms": columns.SYNONYMS,
}


@dataclass(frozen=True)
class Dataset:
    """What is known about the objects that are large enough.

    Attributes:
        objects: Rows of objects.csv by image and object id, in the order of the file.
        too_small: How many objects the area filter dropped.
        triples: Object to the rows of triples.csv about it; where people wrote any, only theirs.
        pairs: Rows of pairs.csv: verification tasks, in order.
        votes: What people think of the words of each task.
        compatible: Normal form of a right word to those of words that may not be offered with it.
        synonyms: Normal form to the normal form that it counts as, for a separate analysis.
        fixed_classification: Rows of items_cls.csv, which stay as they are.
        fixed_generation: Rows of items_gen.csv; where there are any, no others are asked about.
    """

    objects: Mapping[Key, Row]
    too_small: int
    triples: Mapping[Key, tuple[Row, ...]]
    pairs: tuple[Row, ...]
    votes: Votes
    compatible: Mapping[str, frozenset[str]]
    synonyms: Mapping[str, str]
    fixed_classification: tuple[Row, ...]
    fixed_generation: tuple[Row, ...]

    @cached_property
    def tasks_of(self) -> Mapping[Key, tuple[str, ...]]:
        """Object to the ids of its verification tasks."""
        tasks: dict[Key, tuple[str, ...]] = {}
        for pair in self.pairs:
            tasks[key_of(pair)] = (*tasks.get(key_of(pair), ()), str(pair["pair_id"]))
        return tasks


def load_dataset(source: Json) -> Dataset:
    """Read the tables and join them.

    Args:
        source: ``drawn`` (whether the objects are the drawn materials), ``copies`` (of these), ``files`` (kind of
            file, see ``KINDS``, to paths), ``area_limit``, ``area_mode``, ``votes_per_word`` and ``seed``.

    Raises:
        AfterimageError: A file is missing, a row is not what it should be, or it names what no other file has.
    """
    rows = {
        kind: read_people(source["files"].get(kind, ()), table) for kind, table in KINDS.items()
    }
    if source["drawn"]:
        rows["objects"] = object_rows(source["copies"])
        rows["triples"] = [*triple_rows(source["copies"]), *rows["triples"]]
        rows["compatible"] = [*compatible_rows(), *rows["compatible"]]
    where = next(iter(source["files"].get("objects", ())), "the drawn materials")
    known = {key_of(row) for row in rows["objects"]}
    kept = large_enough(rows["objects"], source["area_limit"], source["area_mode"], where)
    objects = {key_of(row): row for row in kept}
    for kind in ("triples", "pairs", "items_cls", "items_gen"):
        _require_known(rows[kind], known, where)
    triples = _triples_by_object(rows["triples"], objects)
    pairs = [row for row in rows["pairs"] if key_of(row) in objects]
    if not rows["pairs"]:
        # Tasks of the drawn materials use the simulated words, whatever people have written since.
        made_up = [row for row in rows["triples"] if row.get("source") == "simulated"]
        written = _triples_by_object(made_up, objects) if source["drawn"] else triples
        pairs = derive_pairs(written, source["seed"])
    votes = rows["votes"]
    if source["drawn"]:
        votes = [*vote_rows(pairs, source["seed"]), *votes]
    counted = count_votes(pairs, votes, source["votes_per_word"])
    # Votes on objects that the area filter drops are no fault; on tasks that nobody set they are.
    set_tasks = {row["pair_id"] for row in rows["pairs"]}
    strange = [row for row in counted.stray if set_tasks and row["pair_id"] not in set_tasks]
    if strange:
        raise AfterimageError(
            f"{strange[0]['path']}: line {strange[0]['line']}: pair_id '{strange[0]['pair_id']}' is in no row of "
            f"{source['files']['pairs'][0]}; expected votes on its tasks."
        )
    return Dataset(
        objects=objects,
        too_small=len(known) - len(objects),
        triples=triples,
        pairs=tuple(pairs),
        votes=counted,
        compatible=_compatible(rows["compatible"]),
        synonyms=synonyms_of(rows["synonyms"]),
        fixed_classification=tuple(row for row in rows["items_cls"] if key_of(row) in objects),
        fixed_generation=tuple(row for row in rows["items_gen"] if key_of(row) in objects),
    )


def synonyms_of(rows: Iterable[Row]) -> dict[str, str]:
    """Return the normal form of each word to that of the one it counts as.

    Raises:
        AfterimageError: Two words that are read alike count as different ones.
    """
    synonyms: dict[str, str] = {}
    for row in rows:
        word, target = normal_form(str(row["word"])), normal_form(str(row["stands_for"]))
        if synonyms.setdefault(word, target) != target:
            raise AfterimageError(
                f"{row['path']}: line {row['line']}: '{row['word']}' stands for '{row['stands_for']}', and in a line "
                f"before for '{synonyms[word]}'; expected one."
            )
    return synonyms


def _require_known(rows: Iterable[Row], known: Iterable[Key], where: str) -> None:
    known = set(known)
    for row in rows:
        image, name = key_of(row)
        if (image, name) not in known:
            raise AfterimageError(
                f"{row['path']}: line {row['line']}: object '{name}' of image '{image}' is in no row of {where}."
            )


def _triples_by_object(
    rows: Iterable[Row], objects: Mapping[Key, Row]
) -> dict[Key, tuple[Row, ...]]:
    triples: dict[Key, list[Row]] = {}
    for row in rows:
        if key_of(row) in objects:
            triples.setdefault(key_of(row), []).append(row)
    return {key: _people_first(written) for key, written in triples.items()}


def _people_first(rows: Sequence[Row]) -> tuple[Row, ...]:
    people = [row for row in rows if row.get("source") != "simulated"]
    return tuple(people or rows)


def _compatible(rows: Iterable[Row]) -> dict[str, frozenset[str]]:
    compatible: dict[str, set[str]] = {}
    for row in rows:
        compatible.setdefault(normal_form(str(row["gold"])), set()).add(
            normal_form(str(row["word"]))
        )
    return {gold: frozenset(words) for gold, words in compatible.items()}


# Which tables a study reads about its objects, and what else items and tables depend on.

_RULES = (
    *("accepting_votes", "choices", "classification_items", "generation_items", "human_words"),
    *("neg_max_votes", "seed", "votes_per_word"),
)


def dataset_source(
    settings: Settings, people: People, kinds: tuple[str, ...] = tuple(KINDS)
) -> dict[str, Any]:
    """Return what :func:`afterimage.suites.texture.dataset.load_dataset` needs, of some kinds of table."""
    files: dict[str, list[str]] = {}
    for kind in kinds:
        if settings.data is not None:
            path = Path(settings.data) / KINDS[kind].file
            # What is missing has not been collected yet; images and objects have to be there.
            if path.is_file():
                files[kind] = [path.as_posix()]
        answered = people.get(kind)
        if answered is not None:
            files[kind] = [*files.get(kind, ()), answered]
    return {
        "area_limit": settings.area_limit,
        "area_mode": settings.area_mode,
        "copies": settings.scale,
        "drawn": settings.data is None,
        "files": files,
        "seed": settings.seed,
        "votes_per_word": settings.votes_per_word,
    }


def files_of(source: Json) -> list[str]:
    """Return the tables of :func:`dataset_source`, the user's and those that came back from pages."""
    return [path for paths in source["files"].values() for path in paths]


def rules(settings: Settings) -> dict[str, Any]:
    """Return the settings that decide how items are made."""
    return {name: settings[name] for name in _RULES}


def people_files(kind: str, settings: Settings, people: People) -> list[str]:
    """Return the files of people's answers, ``classified`` or ``judgements``; none is a normal state."""
    return [path for path in (settings[kind], people.get(kind)) if path is not None]


def table_settings(table: str, settings: Settings, people: People) -> dict[str, Any]:
    """Return what the tables depend on besides grades and statistics: rules, data, and files of people's answers."""
    return {
        "texture": {
            "classified": people_files("classified", settings, people),
            "dataset": dataset_source(settings, people),
            "judgements": people_files("judgements", settings, people),
            "judges": settings.judges,
            "rules": rules(settings),
        }
    }
