"""A backend that counts what it is asked, and items to ask it."""

import sys
from types import ModuleType

from afterimage.contract.model import Backend
from afterimage.files.parquet import read_records, write_records
from afterimage.files.records import ITEM, RESPONSE
from afterimage.models.interface import Reply
from afterimage.stages.inference import run_model


def item(number, pixels="1", text=None):
    return {
        "item_id": f"item_{number}",
        "suite": "s",
        "stimulus_id": f"stimulus_{number}",
        "figure": "f",
        "prompt": "p",
        "question": "q",
        "messages": [
            {
                "role": "user",
                "parts": [
                    {"type": "image", "text": None, "image": 0},
                    {"type": "text", "text": text or f"Question {number}", "image": None},
                ],
            }
        ],
        "images": [{"pixels_sha256": pixels * 64, "png": f"pixels {pixels}".encode()}],
        "answer_type": "choice",
        "options": [{"option_id": "a", "text": "A."}],
        "key": "a",
        "factors": {},
    }


class Model:
    """A backend that counts its loads and what it is asked, and answers something new each time."""

    def __init__(self, folder, monkeypatch):
        self.folder = folder
        self.loads = 0
        self.asked = []
        self.repeats = []
        self.settings = {}
        self.answer = self.reply
        self.module = ModuleType("afterimage.models.counting")
        self.declare()
        monkeypatch.setitem(sys.modules, "afterimage.models.counting", self.module)

    def declare(self, **declared):
        self.module.BACKEND = Backend(lambda *given: self.load(*given), **declared)

    def load(self, entry, part):
        self.loads += 1
        return self.answer_all

    def answer_all(self, requests):
        for request in requests:
            self.asked.append(request.messages[-1].text)
            self.repeats.append(request.repeats)
            yield from self.answer(request)

    def reply(self, request):
        for repeat in request.repeats:
            yield Reply(request.number, f"answer {len(self.asked)}.{repeat}", repeat=repeat)

    def run(self, items, model="m", suite="s", **entry):
        """Run one job; returns its rows and what it asked."""
        self.asked, self.repeats, self.loads = [], [], 0
        write_records(self.folder / "items.parquet", items, ITEM)
        (self.folder / "responses.parquet").unlink(missing_ok=True)
        own = {"backend": "counting", "model_id": "id", "revision": None}
        run_model(
            {"suite": suite, "model": model, "entry": {**own, "settings": self.settings, **entry}},
            {"shards": [self.folder / "items.parquet"]},
            {"responses": self.folder / "responses.parquet"},
            {"journal": self.folder / "journal"},
        )
        return list(read_records(self.folder / "responses.parquet", RESPONSE)), self.asked

    def files(self):
        return sorted((self.folder / "journal").rglob("*.jsonl"))
