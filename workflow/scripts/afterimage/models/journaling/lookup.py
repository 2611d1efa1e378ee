"""Finding the answers to requests in a model's journal."""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from afterimage.contract.model import ADAPTER
from afterimage.models.interface import Reply
from afterimage.models.journaling.entries import (
    Answerer,
    DamagedLineError,
    content_of,
    crc_of,
    is_failure,
    is_withdrawal,
    key_in,
    parse,
    reply_of,
    require_intact,
    require_matching_key,
)
from afterimage.models.journaling.files import (
    Entry,
    Fault,
    entries_in,
    fault_in,
    journal_files,
    numbered_lines,
    odd_files,
    read_header,
    require_no_links_out,
    undisturbed,
)

# File, line number, and line.
_Location = tuple[Path, int, bytes]


@dataclass
class Index:
    """The journaled answers to some requests.

    Attributes:
        answers: By key.
        faults: Lines that were skipped.
        failures: Records that earlier versions mistook for answers.
        refused: For each key that has any, the answers of other models, which do not count.
        of_other_weights: Number of keys whose only answers came from other weights than the present ones.
    """

    answers: dict[str, Reply] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    of_other_weights: int = 0
    failures: int = 0
    refused: list[list[Reply]] = field(default_factory=list)


def load_index(
    folder: Path,
    answerer: Answerer,
    numbers: Mapping[str, int],
    contents: Collection[str] = (),
    refused: Callable[[str | None], bool] = lambda version: False,
) -> Index:
    """Find the answers with the given keys.

    Of several answers with the same key the first in the order of file names counts; withdrawn ones do not. Lines with
    other keys are checked but not parsed, so memory contains only wanted answers.

    Args:
        folder: The model's folder in the journal; it need not exist.
        numbers: Each wanted key, to the number of its request.
        contents: The hashes of the folder with the model's weights: an answer with another hash does not count. Empty
            if there is none to compare with.
        refused: Tells from the version that answered whether its answer does not count.

    Raises:
        AfterimageError: A file has another version of the format, or cannot be read.
    """
    wanted = {key.encode("ascii"): key for key in numbers}
    return undisturbed(lambda: _read(folder, answerer, wanted, numbers, contents, refused))


def contents_of_answers(folder: Path, answerer: Answerer) -> Counter[str]:
    """Count a model's valid answers by the hash of the weights' folder in them, if there is one.

    Args:
        folder: The model's folder in the journal; it need not exist.
        answerer: The model; of its settings only the adapter matters.
    """
    given: dict[tuple[str, str], str] = {}
    withdrawn: set[tuple[str, str]] = set()
    for file in journal_files(folder):
        for entry in entries_in(file):
            if not isinstance(entry, Entry):
                continue
            if not entry.is_answer:
                withdrawn.add(entry.withdraws)
            elif _same_model(entry.answerer, answerer) and (content := content_of(entry.record)):
                given[entry.identity] = content
    return Counter(content for identity, content in given.items() if identity not in withdrawn)


def _same_model(found: Answerer | None, answerer: Answerer) -> bool:
    return (
        found is not None
        and replace(found, settings=answerer.settings) == answerer
        and found.setting(ADAPTER) == answerer.setting(ADAPTER)
    )


def _read(
    folder: Path,
    answerer: Answerer,
    wanted: Mapping[bytes, str],
    numbers: Mapping[str, int],
    contents: Collection[str],
    refused: Callable[[str | None], bool],
) -> Index:
    require_no_links_out(folder)
    index = Index(faults=odd_files(folder))
    found: dict[bytes, _Location] = {}
    # Answers whose key an earlier one has; they count if that one is withdrawn.
    duplicates: dict[bytes, list[_Location]] = {}
    withdrawn: set[tuple[bytes, str]] = set()
    for file in journal_files(folder):
        header = read_header(file)
        if header.answerer not in (None, answerer):
            continue
        if header.fault is not None:
            index.faults.append(header.fault)
        for number, line in numbered_lines(file):
            location = file, number, line
            try:
                require_intact(line)
                key = key_in(line)
                if key is None or key not in wanted:
                    continue
                if is_withdrawal(line):
                    withdrawn.add((key, parse(line)["withdraws"]))
                elif found.setdefault(key, location) is not location:
                    duplicates.setdefault(key, []).append(location)
            except DamagedLineError as damage:
                index.faults.append(fault_in(*location, damage))
    while found:
        key, location = found.popitem()
        name = wanted[key]
        standing = [
            record
            for candidate in (location, *duplicates.get(key, ()))
            if (key, crc_of(candidate[2])) not in withdrawn
            and (record := _record(candidate, answerer, index.faults)) is not None
        ]
        answers = [record for record in standing if not is_failure(record)]
        index.failures += len(standing) - len(answers)
        accepted = [record for record in answers if not refused(record.get("revision"))]
        if len(accepted) < len(answers):
            others = [record for record in answers if record not in accepted]
            index.refused.append([reply_of(record, numbers[name]) for record in others])
        counting = [record for record in accepted if _counts(record, contents)]
        if counting:
            index.answers[name] = reply_of(counting[0], numbers[name])
        index.of_other_weights += bool(accepted) and not counting
    return index


def _record(location: _Location, answerer: Answerer, faults: list[Fault]) -> dict[str, Any] | None:
    try:
        record = parse(location[2])
        require_matching_key(record, answerer)
        return record
    except DamagedLineError as damage:
        faults.append(fault_in(*location, damage))
        return None


def _counts(record: Mapping[str, Any], contents: Collection[str]) -> bool:
    content = content_of(record)
    return not contents or content is None or content in contents


def messages(index: Index, model_id: str) -> Iterator[tuple[int, str]]:
    """Yield sentences about the index, each with its log level."""
    if index.refused:
        yield (
            logging.INFO,
            f"{len(index.refused)} requests have answers of another model than {model_id} alone or too, which are "
            "refused",
        )
    if index.of_other_weights:
        yield (
            logging.INFO,
            f"{index.of_other_weights} answers came from other weights than lie in {model_id} now, so they are asked "
            "again",
        )
    if index.failures:
        yield (
            logging.INFO,
            f"{index.failures} recorded answers are errors of the server that an earlier version took for answers, so "
            "their requests are asked again",
        )
    for fault in index.faults:
        # A kill may leave a partial line; other damage is worth a warning.
        yield logging.INFO if fault.is_usual else logging.WARNING, str(fault)
