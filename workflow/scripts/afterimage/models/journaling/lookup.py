"""Finding the answers to requests in a model's journal."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from afterimage.models.interface import Reply
from afterimage.models.journaling.entries import (
    Answerer,
    DamagedLineError,
    crc_of,
    is_withdrawal,
    key_in,
    parse,
    reply_of,
    require_intact,
)
from afterimage.models.journaling.files import (
    Fault,
    fault_in,
    journal_files,
    numbered_lines,
    read_header,
    undisturbed,
)


@dataclass
class Index:
    """The journaled answers to some requests, by key, and the lines that had to be passed over."""

    answers: dict[str, Reply] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


def load_index(folder: Path, answerer: Answerer, numbers: Mapping[str, int]) -> Index:
    """Find the answers with the given keys.

    Of several answers with one key the first in the order of file names counts; withdrawn ones do not. Lines of
    other keys are checked but not parsed, so memory holds the answers asked for and no more.

    Args:
        folder: The model's folder in the journal; it need not exist.
        answerer: Who answers; files of others are skipped.
        numbers: The keys looked for, and the number of the request to which each is an answer.

    Raises:
        AfterimageError: A file follows another version of the form, or cannot be read.
    """
    wanted = {key.encode("ascii"): key for key in numbers}
    return undisturbed(lambda: _read(folder, answerer, wanted, numbers))


def _read(
    folder: Path, answerer: Answerer, wanted: Mapping[bytes, str], numbers: Mapping[str, int]
) -> Index:
    index = Index()
    found: dict[bytes, bytes] = {}
    # Answers whose key another one has, earlier in the order; they count where that one is withdrawn.
    later: dict[bytes, list[bytes]] = {}
    withdrawn: set[tuple[bytes, str]] = set()
    for file in journal_files(folder):
        header = read_header(file)
        if header.answerer not in (None, answerer):
            continue
        if header.fault is not None:
            index.faults.append(header.fault)
        for number, line in numbered_lines(file):
            try:
                require_intact(line)
            except DamagedLineError as damage:
                index.faults.append(fault_in(file, number, line, damage))
                continue
            key = key_in(line)
            if key is None or key not in wanted:
                continue
            if is_withdrawal(line):
                withdrawn.add((key, parse(line)["withdraws"]))
            elif found.setdefault(key, line) is not line:
                later.setdefault(key, []).append(line)
    while found:
        key, line = found.popitem()
        for candidate in (line, *later.get(key, ())):
            if (key, crc_of(candidate)) not in withdrawn:
                name = wanted[key]
                index.answers[name] = reply_of(parse(candidate), numbers[name])
                break
    return index
