"""The official release: ``Image_properties.json`` and ``IllusionDataset.zip``.

Hugging Face, MingZhangSJTU/IllusionBench; no licence is declared, so every user fetches it. It differs from the paper
in its counts, and it has quirks: images without file, files without annotation, options inside the text of the question
(some of them malformed), answers as numeral, as numeral with text or as text, letters and digits for categories and
difficulties whose meaning is nowhere written down. What cannot be read without guessing is left out with the reason.
"""

import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from afterimage.errors import AfterimageError, config_path, fault
from afterimage.files.json_files import read_json_list
from afterimage.files.recorded_value import id_of
from afterimage.suites.illusionbench.annotations import (
    NO_FILE,
    Choice,
    Dataset,
    Exclusion,
    Picture,
    Statement,
    about_choice,
    about_statement,
    choice_fault,
    claims_illusion,
    plain,
    short_hash,
    split_usable,
    version,
)

_WHERE = config_path("suites.illusionbench.release")
_FETCH = (
    "download Image_properties.json and IllusionDataset.zip (0.93 GB) from the Hugging Face data set "
    "MingZhangSJTU/IllusionBench and put them there, or name their places"
)
_NUMERALS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii")
# A marker stands by itself: "ii." and "ii)" and "(ii)", but not the end of a word.
_MARKER = re.compile(
    r"(?<![A-Za-z0-9])\(?(viii|vii|vi|v|iv|iii|ii|i)\s*[.):\u3001\uff0e\uff09]", re.IGNORECASE
)
_ANSWER = re.compile(
    r"\s*\(?(viii|vii|vi|v|iv|iii|ii|i)\s*(?:[.):\u3001\uff0e\uff09]+|$)\s*(.*)",
    re.IGNORECASE | re.DOTALL,
)
_TRUE_FALSE = {"true": True, "t": True, "yes": True, "false": False, "f": False, "no": False}
_IMAGE_ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".bmp")
#: Replaces the full name of an image whose base name several files share.
_SEVERAL = ""


def files(settings: Mapping[str, Any]) -> list[str]:
    """Return the two files of the release.

    Raises:
        AfterimageError: One of them is not there; says what to download and where to put it.
    """
    paths = []
    for key in ("annotations", "images"):
        path = settings["release"][key]
        if not Path(path).is_file():
            raise fault(_WHERE.below(f".{key}"), f"file '{path}' does not exist; {_FETCH}.")
        paths.append(path)
    return paths


def read(settings: Mapping[str, Any]) -> Dataset:
    """Read the release.

    Raises:
        AfterimageError: A file is not what it should be, or the table of categories or difficulties does not say
            what one of its values means.
    """
    annotations, archive = files(settings)
    entries = _entries(annotations)
    options = settings["release"]
    categories = _translated(
        entries, "Category", options["categories"], _WHERE.below(".categories"), annotations
    )
    difficulties = _translated(
        entries,
        "Difficult Level",
        options["difficulties"],
        _WHERE.below(".difficulties"),
        annotations,
    )
    members = _members(archive)
    exclusions: list[Exclusion] = []
    pictures: dict[str, Picture] = {}
    used: set[str] = set()
    for entry, category, difficulty in zip(entries, categories, difficulties, strict=True):
        named = _cell(entry["image_property"], "image_name", annotations)
        image_id = _identifier(named, pictures)
        member = _image(members, named, image_id, used)
        if isinstance(member, Exclusion):
            exclusions.append(member)
            continue
        used.add(member)
        pictures[image_id] = _picture(entry, image_id, member, category, difficulty, exclusions)
    exclusions += [
        Exclusion("file", member, "", "a file without annotation")
        for member in members.values()
        if member != _SEVERAL and member not in used
    ]
    chosen, unused = split_usable(pictures.values(), settings["leave_out"])
    return Dataset(
        tuple(chosen),
        (*exclusions, *unused),
        (annotations, archive),
        version([annotations]),
    )


def _entries(path: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = read_json_list(path, "images")
    for number, entry in enumerate(entries, start=1):
        whole = isinstance(entry, dict) and isinstance(entry.get("image_property"), dict)
        if not whole or not isinstance(entry.get("qa_data"), list):
            raise AfterimageError(
                f"{path}: entry {number} is not an object with 'image_property' and 'qa_data'; expected the official "
                "release's form."
            )
    return entries


def _translated(
    entries: Sequence[Mapping[str, Any]], key: str, table: Mapping[str, str], where: str, path: str
) -> list[str]:
    """Translate every value of a property; the table must know each, since the release says nowhere what it means."""
    values = [_cell(entry["image_property"], key, path) for entry in entries]
    unknown = sorted(set(values) - set(table))
    if unknown:
        counts = ", ".join(
            f"{value!r}: {count}" for value, count in sorted(Counter(values).items())
        )
        raise fault(
            where,
            f"says nothing about {key} {unknown[0]!r} of {path}; expected an entry for each value "
            f"({counts} images; the paper has classical 164, real_scene 597, no_illusion 245, ishihara 26, trap 19).",
        )
    return [table[value] for value in values]


def _members(archive: str) -> dict[str, str]:
    """Return the images of the archive by base name, lower case; what macOS adds is passed over."""
    try:
        with zipfile.ZipFile(archive) as file:
            names = file.namelist()
    except zipfile.BadZipFile:
        raise AfterimageError(
            f"{archive}: is not a ZIP archive; expected IllusionDataset.zip, downloaded whole."
        ) from None
    members: dict[str, str] = {}
    for name in names:
        path = PurePosixPath(name)
        if path.name.startswith("._") or "__MACOSX" in path.parts:
            continue
        if path.suffix.lower() in _IMAGE_ENDINGS:
            base = path.name.lower()
            members[base] = _SEVERAL if base in members else name
    return members


def _find(members: Mapping[str, str], named: str) -> str | None:
    """Return the archive's file for an annotated name, which may lack its ending or have another one."""
    base = PurePosixPath(named.replace("\\", "/")).name.lower()
    if base in members:
        return members[base]
    stem = PurePosixPath(base).stem if base.endswith(_IMAGE_ENDINGS) else base
    same = [member for name, member in members.items() if PurePosixPath(name).stem == stem]
    return (same[0] if len(same) == 1 else _SEVERAL) if same and stem else None


def _image(
    members: Mapping[str, str], named: str, image_id: str, used: Iterable[str]
) -> str | Exclusion:
    """Return the archive's file for an annotated name, or why there is none for it."""
    member = _find(members, named)
    if not named:
        reason = "no image name"
    elif member is None:
        reason = NO_FILE
    elif member == _SEVERAL:
        reason = "several image files of this name"
    elif member in used:
        reason = "annotated a second time"
    else:
        return member
    return Exclusion("image", image_id, image_id, reason, named)


def _identifier(named: str, taken: Iterable[str]) -> str:
    """Make an image's name usable in file names, and different from all others."""
    stem = PurePosixPath(named.replace("\\", "/")).stem or "unnamed"
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", stem)
    return name if name not in taken else f"{name}_{short_hash(named)}"


def _picture(
    entry: Mapping[str, Any],
    image_id: str,
    member: str,
    category: str,
    difficulty: str,
    exclusions: list[Exclusion],
) -> Picture:
    statements: list[Statement] = []
    choices: list[Choice] = []
    for number, question in enumerate(entry["qa_data"], start=1):
        made = _question(question, f"{image_id}-{number}", image_id)
        if isinstance(made, Exclusion):
            exclusions.append(made)
        elif isinstance(made, Statement):
            statements.append(made)
        else:
            choices.append(made)
    golden = _cell(entry["image_property"], "Description", image_id)
    if claims_illusion(golden) is None:
        reason = "no sentence on the presence of an illusion" if golden else "no description"
        exclusions.append(Exclusion("description", image_id, image_id, reason))
        golden = ""
    return Picture(
        image_id, member, category, difficulty, tuple(statements), tuple(choices), golden or None
    )


def _cell(row: Mapping[str, Any], key: str, where: str) -> str:
    return id_of(row.get(key), f"{where}: key '{key}'").strip()


def _question(question: object, item_id: str, image_id: str) -> Statement | Choice | Exclusion:
    row = question if isinstance(question, Mapping) else {}
    try:
        kind = _cell(row, "Question Type", item_id).lower()
        text, answer = (_cell(row, key, item_id) for key in ("Question", "Correct Answer"))
    except AfterimageError as error:
        return Exclusion("question", item_id, image_id, "not in texts", str(error))
    if kind not in ("tf", "select"):
        return Exclusion("question", item_id, image_id, "unknown type of question", kind)
    name = "true_false" if kind == "tf" else "multiple_choice"
    if not text:
        return Exclusion(name, item_id, image_id, "no text")
    if kind == "tf":
        gold = _TRUE_FALSE.get(plain(answer))
        if gold is None:
            return Exclusion(
                name, item_id, image_id, "the answer is neither true nor false", answer
            )
        return Statement(item_id, text, gold, about_statement(text))
    stem, options = split_options(text)
    if not options:
        return Exclusion(name, item_id, image_id, "no options in the text")
    if not stem:
        return Exclusion(name, item_id, image_id, "no question before the options")
    reason = choice_fault(options, 0)
    if reason:
        return Exclusion(name, item_id, image_id, reason, f"{len(options)} options")
    index = gold_index(answer, options)
    if isinstance(index, str):
        return Exclusion(name, item_id, image_id, index, answer)
    return Choice(item_id, stem, tuple(options), index, about_choice(stem))


def split_options(text: str) -> tuple[str, list[str]]:
    """Split a question from the options inside its text.

    The options are the longest run of markers i, ii, iii, ... in this order that starts at i; of several, the last, so
    that an "i." inside the question starts none.

    Returns:
        The question before the first marker, and the options; no options where there are fewer than two markers.
    """
    markers = list(_MARKER.finditer(text))
    best: list[re.Match[str]] = []
    for start, marker in enumerate(markers):
        if marker[1].lower() == _NUMERALS[0]:
            run = list(_run(markers[start:]))
            best = run if len(run) >= len(best) else best
    if len(best) < 2:
        return text.strip(), []
    ends = [*(marker.start() for marker in best[1:]), len(text)]
    options = [
        text[marker.end() : end].strip().strip(";,").strip()
        for marker, end in zip(best, ends, strict=True)
    ]
    return text[: best[0].start()].strip(), options


def _run(markers: Sequence[re.Match[str]]) -> Iterator[re.Match[str]]:
    wanted = iter(_NUMERALS)
    numeral = next(wanted)
    for marker in markers:
        if marker[1].lower() == numeral:
            yield marker
            numeral = next(wanted, "")


def gold_index(answer: str, options: Sequence[str]) -> int | str:
    """Return which option an answer names ("ii. text", "ii)" or the text alone), or why none."""
    if not answer:
        return "no answer"
    texts = [plain(option) for option in options]
    marked = _ANSWER.fullmatch(answer)
    stated = plain(marked[2] if marked else answer)
    if marked is None:
        named = [index for index, text in enumerate(texts) if text == stated]
        return named[0] if len(named) == 1 else "the answer is not among the options"
    index = _NUMERALS.index(marked[1].lower())
    if index >= len(options):
        return "the answer is not among the options"
    if stated and stated != texts[index]:
        return "numeral and text of the answer disagree"
    return index
