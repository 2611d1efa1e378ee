"""Asking a model in batches, of whichever form its server has."""

from faulty_model import asked, journal_of
from loopback_api import LoopbackApi
from loopback_batches import Desk, FileDesk
from loopback_other_batches import GeminiDesk, MessageDesk

from afterimage.models.asking import Asking

#: Form to its desk, and up to how many requests stand in a batch of Gemini's itself.
DESKS = {
    "openai": (FileDesk, None),
    "anthropic": (MessageDesk, None),
    "gemini inline": (GeminiDesk, 100),
    "gemini file": (GeminiDesk, 0),
}
#: The forms whose results are a file of lines.
IN_LINES = ("openai", "anthropic", "gemini file")


def ask(
    desk: Desk, folder, count=1, port=0, react=None, settings=None, **client
) -> tuple[Asking, LoopbackApi]:
    """Ask so many questions in batches, as ``faulty_model.asked`` does; ``react`` stands before the desk."""
    common = {"mode": "batch", "batches": str(journal_of(folder) / "batches")}
    options = {"batch_form": desk.form, "poll_seconds": 0.01, "retries": 1, **common, **client}
    return asked(react or desk, folder, count, port, settings, **options)


def answers(asking: Asking) -> dict[int, str]:
    """Return the answer to each question."""
    return {number: replies[0].text for number, replies in asking.replies.items()}


def expected(*numbers: int) -> dict[int, str]:
    """Return what a desk answers to these questions."""
    return {number: f"answer to Question {number}" for number in numbers}


def records(folder) -> list[str]:
    """Return the names of what is noted of batches under way."""
    return sorted(path.name for path in (journal_of(folder) / "batches").iterdir())
