"""All that is known about the objects of a study: from the user's tables, or made up for the drawn materials.

Standard library only, because the Snakefile imports this module whenever it is parsed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from afterimage.errors import AfterimageError
from afterimage.grading.word_form import normal_form
from afterimage.suites.texture.data import columns, simulated
from afterimage.suites.texture.data.area import large_enough
from afterimage.suites.texture.data.reading import Row, read_people
from afterimage.suites.texture.verification import Key, Votes, count_votes, derive_pairs, key_of

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
        compatible: Normal form of a right word to those of words that may not be offered beside it.
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
        found: dict[Key, tuple[str, ...]] = {}
        for pair in self.pairs:
            found[key_of(pair)] = (*found.get(key_of(pair), ()), str(pair["pair_id"]))
        return found


def load_dataset(source: Mapping) -> Dataset:
    """Read the tables and join them.

    Args:
        source: ``drawn`` (whether the objects are the drawn materials), ``copies`` (of these), ``files`` (kind of
            file, see ``KINDS``, to paths), ``area_limit``, ``area_mode``, ``votes_per_word`` and ``seed``.

    Raises:
        AfterimageError: A file is missing, a row is not what it should be, or it names what no other file has.
    """
    rows = {kind: _rows(kind, source["files"].get(kind, ())) for kind in KINDS}
    if source["drawn"]:
        rows["objects"] = simulated.object_rows(source["copies"])
        rows["triples"] = [*simulated.triple_rows(source["copies"]), *rows["triples"]]
        rows["compatible"] = [*simulated.compatible_rows(), *rows["compatible"]]
    where = next(iter(source["files"].get("objects", ())), "the drawn materials")
    known = {key_of(row) for row in rows["objects"]}
    kept = large_enough(rows["objects"], source["area_limit"], source["area_mode"], where)
    objects = {key_of(row): row for row in kept}
    for kind in ("triples", "pairs", "items_cls", "items_gen"):
        _require_known(rows[kind], known, where)
    triples = _triples_by_object(rows["triples"], objects)
    pairs = [row for row in rows["pairs"] if key_of(row) in objects]
    if not rows["pairs"]:
        # The made-up words stand in the tasks of the drawn materials whatever people have written since.
        made_up = [row for row in rows["triples"] if row.get("source") == "simulated"]
        written = _triples_by_object(made_up, objects) if source["drawn"] else triples
        pairs = derive_pairs(written, source["seed"])
    votes = rows["votes"]
    if source["drawn"]:
        votes = [*simulated.vote_rows(pairs, source["seed"]), *votes]
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
    found: dict[str, str] = {}
    for row in rows:
        word, other = normal_form(str(row["word"])), normal_form(str(row["stands_for"]))
        if found.setdefault(word, other) != other:
            raise AfterimageError(
                f"{row['path']}: line {row['line']}: '{row['word']}' stands for '{row['stands_for']}', and in a line "
                f"before for '{found[word]}'; expected one."
            )
    return found


def _rows(kind: str, paths: Sequence[str]) -> list[Row]:
    return read_people(paths, KINDS[kind])


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
    found: dict[Key, list[Row]] = {}
    for row in rows:
        if key_of(row) in objects:
            found.setdefault(key_of(row), []).append(row)
    return {key: _people_first(written) for key, written in found.items()}


def _people_first(rows: Sequence[Row]) -> tuple[Row, ...]:
    people = [row for row in rows if row.get("source") != "simulated"]
    return tuple(people or rows)


def _compatible(rows: Iterable[Row]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(normal_form(str(row["gold"])), set()).add(normal_form(str(row["word"])))
    return {gold: frozenset(words) for gold, words in found.items()}
