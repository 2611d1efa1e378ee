"""What of a batch is in the journal already."""

from datetime import UTC, datetime

from afterimage.models.journaling.entries import (
    Answerer,
    DamagedLineError,
    decode,
    key_in,
)
from afterimage.models.journaling.files import journal_files, numbered_lines, undisturbed
from afterimage.models.openai_compatible.batch_records import BatchFolder, BatchRecord


def forget_recorded(folder: BatchFolder, answerer: Answerer) -> None:
    """Take out of the records what was answered and written down since they were made.

    A job that is killed while it fetches answers leaves its record as it was. Without this, a request whose answer
    was withdrawn in order to ask it again would get the old one, out of the old batch.

    Args:
        folder: Batches of a model; the model's journal lies around it.
        answerer: Whose batches.
    """
    records = folder.records(answerer.header())
    if not records:
        return
    keys = answerer.keys()
    wanted: dict[bytes, list[tuple[BatchRecord, str]]] = {}
    for record in records:
        for name in record.custom_ids:
            request_sha256, _, repeat = name.partition("-")
            key = keys.key(request_sha256, int(repeat)).encode("ascii")
            wanted.setdefault(key, []).append((record, name))
    for token, names in undisturbed(lambda: _recorded(folder, wanted)).items():
        folder.drop(token, names)


def _recorded(
    folder: BatchFolder, wanted: dict[bytes, list[tuple[BatchRecord, str]]]
) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for file in journal_files(folder.path.parent):
        for _, line in numbered_lines(file):
            matches = wanted.get(key_in(line) or b"")
            if matches is None:
                continue
            try:
                answered_at = decode(line).get("answered_at")
            except DamagedLineError:
                continue
            # Withdrawn or not: the batch has given what it had to give.
            for record, name in matches:
                if answered_at and _moment(answered_at) >= record.made:
                    found.setdefault(record.token, set()).add(name)
    return found


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=moment.tzinfo or UTC)
