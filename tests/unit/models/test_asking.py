"""Asking one model in several rounds: loaded once at most, let go in the end, nothing asked twice."""

import gc
import sys
import weakref
from types import ModuleType

import pytest

from afterimage.contract.model import Backend, ModelEntry
from afterimage.errors import AfterimageError
from afterimage.models.asking import Asking, repeats_of
from afterimage.models.interface import Failure, Message, Reply, Request
from afterimage.models.progress import Progress

ENTRY = ModelEntry("m", "noting", "i")


class Noting:
    """A backend that notes what it is asked."""

    def __init__(self, monkeypatch):
        self.asked = []
        self.answers = []
        self.fails = ()
        self.module = ModuleType("afterimage.models.noting")
        self.module.BACKEND = Backend(lambda *given: self.load(*given))
        monkeypatch.setitem(sys.modules, "afterimage.models.noting", self.module)

    def load(self, entry, part):
        def answer(requests):
            for request in requests:
                self.asked.append((request.messages[0].text, request.repeats))
                if request.messages[0].text in self.fails:
                    yield Failure(request.number, "server error 500")
                else:
                    yield from (
                        Reply(request.number, f"{request.messages[0].text}!", repeat=repeat)
                        for repeat in request.repeats
                    )

        self.answers.append(weakref.ref(answer))
        return answer


@pytest.fixture
def backend(monkeypatch):
    return Noting(monkeypatch)


@pytest.fixture
def asking(backend, tmp_path):
    with Asking(ENTRY, None, tmp_path, Progress()) as asking:
        yield asking


def ask(asking, texts, repeats=(0,)):
    """Ask texts by number; ``repeats`` may be a mapping."""
    made = {number: Request(number, (Message("user", (text,)),)) for number, text in texts.items()}
    wanted = repeats if isinstance(repeats, dict) else dict.fromkeys(texts, repeats)

    def requests(missing):
        for number, own in missing.items():
            yield Request(number, made[number].messages, repeats=own)

    asking.ask({number: request.sha256 for number, request in made.items()}, wanted, requests)


def test_a_model_is_loaded_with_the_first_request_and_only_once(backend, asking):
    assert backend.answers == []
    ask(asking, {0: "a", 1: "b"})
    ask(asking, {2: "c"})
    assert len(backend.answers) == 1
    ask(asking, {3: "c", 4: "a"})
    assert [text for text, _ in backend.asked] == ["a", "b", "c"]
    assert asking.replies[4][0].text == "a!"


def test_a_model_is_let_go_when_the_asking_is_over(backend, tmp_path):
    with Asking(ENTRY, None, tmp_path, Progress()) as asking:
        ask(asking, {0: "a"})
    gc.collect()
    assert backend.answers[0]() is None
    assert asking.replies[0][0].text == "a!"


def test_each_request_is_asked_for_the_repeats_that_it_lacks_and_no_others(backend, asking):
    ask(asking, {0: "a", 1: "b"}, {0: (0, 1), 1: (2,)})
    ask(asking, {0: "a", 1: "b"}, {0: (1, 2), 1: (2,)})
    assert backend.asked == [("a", (0, 1)), ("b", (2,)), ("a", (2,))]
    assert sorted(asking.replies[0]) == [0, 1, 2]


def test_requests_of_the_same_content_get_all_repeats_that_any_of_them_wants(backend, asking):
    ask(asking, {0: "a", 1: "a"}, {0: (0,), 1: (0, 1)})
    assert backend.asked == [("a", (0, 1))]
    assert sorted(asking.replies[1]) == [0, 1]


def test_a_failure_is_that_of_all_requests_of_the_same_content(backend, asking):
    backend.fails = ("a",)
    ask(asking, {0: "a", 1: "b", 2: "a"})
    assert asking.failures == dict.fromkeys((0, 2), "server error 500")
    assert asking.replies.keys() == {1}


def test_progress_counts_the_journal_the_answered_and_the_failed(backend, tmp_path):
    with Asking(ENTRY, None, tmp_path, Progress()) as asking:
        ask(asking, {0: "a"}, (0, 1))
    backend.fails = ("c",)
    progress = Progress()
    with Asking(ENTRY, None, tmp_path, progress) as asking:
        ask(asking, {0: "a", 1: "b"}, (0, 1))
        ask(asking, {2: "c", 3: "a"}, (0, 1))
    assert (progress.expected, progress.from_journal) == (8, 4)
    assert (progress.answered, progress.failed) == (2, 2)


def test_an_answer_too_many_is_kept_and_named(backend, tmp_path):
    backend.load = lambda entry, part: (
        lambda requests: (Reply(request.number, "paid for", repeat=7) for request in requests)
    )
    with (
        pytest.raises(AfterimageError, match=r"gave answer number 7 .* asked for: 0\."),
        Asking(ENTRY, None, tmp_path, Progress()) as asking,
    ):
        ask(asking, {0: "a"})
    with Asking(ENTRY, None, tmp_path, Progress()) as asking:
        ask(asking, {0: "a"}, (7,))
    assert asking.replies[0][7].text == "paid for"


def test_how_many_repeats_an_entry_asks_for():
    assert repeats_of(ENTRY) == (0,)
    assert repeats_of(ENTRY.with_settings(repeats=3)) == (0, 1, 2)
