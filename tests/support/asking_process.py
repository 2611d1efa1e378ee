"""A job in a process of its own that asks a server questions through a journal. Run as a program.

    python asking_process.py URL JOURNAL FIRST LAST ANSWERS [STALE_SECONDS] [CLIENT]

Writes the texts of the answers to questions FIRST to LAST, both included, to the file ANSWERS, as JSON.
"""

import json
import logging
import sys
from pathlib import Path

from faulty_model import entry, request

from afterimage.files.paths import write_text
from afterimage.models.asking import Asking
from afterimage.models.journaling import leases
from afterimage.models.progress import Progress


def main(url, journal, first, last, answers, stale_seconds="120", client="{}"):
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    # As jobs on other nodes are known, but sooner.
    leases.STALE_SECONDS = float(stale_seconds)
    leases.SECONDS_BETWEEN_BEATS = leases.STALE_SECONDS / 8
    numbers = range(int(first), int(last) + 1)
    options = {"concurrency": 4, **json.loads(client)}
    with Asking(entry(url, **options), None, Path(journal), Progress()) as asking:
        asking.ask(
            {number: request(number).sha256 for number in numbers},
            dict.fromkeys(numbers, (0,)),
            lambda missing: map(request, missing),
        )
    given = {number: replies[0].text for number, replies in asking.replies.items()}
    write_text(answers, json.dumps({"answers": given, "failures": asking.failures}))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
