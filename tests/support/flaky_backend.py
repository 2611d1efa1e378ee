"""A backend that leaves answers out, for studies in a workspace."""

from pathlib import Path

FLAKY = '''"""A backend whose account is closed after five answers of each job, while the file ``closed`` lies there.

It takes its time over the fifth while the file ``slow`` does.
"""

import time
from pathlib import Path

from afterimage.contract.model import Backend
from afterimage.models.interface import Failure, Reply


def load(entry, part):
    def answer(requests):
        for number, request in enumerate(requests):
            if Path("closed").exists() and number >= 5:
                yield Failure(request.number, "HTTP status 401: account closed")
                continue
            with Path("asked").open("a") as file:
                print(request.sha256, file=file)
            if number == 4 and Path("slow").exists():
                time.sleep(600)
            yield Reply(request.number, "Left.")

    return answer


BACKEND = Backend(load)
'''


def add_flaky(folder: Path) -> None:
    """Give a workflow the backend ``flaky``, whose account is closed until the file ``closed`` is removed."""
    models = folder / "workflow" / "scripts" / "afterimage" / "models"
    (models / "flaky.py").write_text(FLAKY)
    schema = folder / "workflow" / "schemas" / "backends" / "flaky.schema.yaml"
    schema.write_text("type: object\nproperties: {}\n")
    (folder / "closed").touch()
