"""The journal under whatever happens to it, in any order: no answer lost, none asked for twice, none changed.

Jobs, refreshes, kills and other hands on the files follow each other as hypothesis draws them, the same in each run;
after each, what the journal answers is compared with what was written. What counts as an answer is read from the bytes
of the files, since each answer has a text of its own.
"""

import json
import shutil
import sys
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from types import ModuleType

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, seed, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from afterimage.contract.model import Backend, ModelEntry
from afterimage.models.asking import Asking
from afterimage.models.interface import Failure, Message, Reply, Request
from afterimage.models.journaling import upkeep
from afterimage.models.journaling.claims import Claims
from afterimage.models.journaling.entries import answerer_of
from afterimage.models.journaling.lookup import load_index
from afterimage.models.journaling.refreshing import last_refresh
from afterimage.models.journaling.writing import Journalist
from afterimage.models.progress import Progress

# Below any age: no file is too young to be merged or mended.
AT_ONCE = -3600.0
ENTRIES = [ModelEntry("m", "drawn", "i", settings={"temperature": t}) for t in (0, 1)]
ANSWERERS = [answerer_of(entry) for entry in ENTRIES]
REQUESTS = [Request(n, (Message("user", (f"Question {n}",)),)) for n in range(4)]
#: The key of each answer, by who answers, the number of the request and the repeat.
KEYS = {
    (model, request.number, repeat): who.keys().key(request.sha256, repeat)
    for model, who in enumerate(ANSWERERS)
    for request in REQUESTS
    for repeat in range(2)
}
#: How an answer begins that was changed on the disk; all others begin with "<".
DAMAGED = b'"text":"#'
#: What becomes of the lines of a file.
HANDS = {
    "line ends of Windows": lambda rows: [
        row.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") for row in rows
    ],
    "blank lines": lambda rows: [*rows[:2], *[b"\n"] * (len(rows) > 2), *rows[2:]],
    "doubled lines": lambda rows: [
        copy for row in rows for copy in [row] * (1 + row.endswith(b"\n"))
    ],
    "first line lost": lambda rows: rows[b"afterimage_journal" in rows[0] and len(rows) > 1 :],
}

models = st.sampled_from(range(len(ENTRIES)))
numbers = st.sets(st.sampled_from(range(len(REQUESTS))), min_size=1)
repeats = st.sampled_from([(0,), (1,), (0, 1)])
replies = st.builds(
    Reply,
    st.just(0),
    st.text(max_size=4),
    st.sampled_from(["stop", "length", "content_filter"]),
    prompt_tokens=st.none() | st.integers(0, 10**6),
    latency_seconds=st.none() | st.floats(0, 100),
    reasoning=st.none() | st.text(max_size=4),
)


def in_file(text):
    return b'"text":' + json.dumps(text).encode()


class Journal(RuleBasedStateMachine):
    """The files of a model, and beside them what was written into them."""

    def __init__(self):
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="journal-"))
        self.folder = self.root / "m"
        self.folder.mkdir()
        self.texts = (f"<{number}> " for number in count())
        #: Each answer that is recorded, by its text: its place and the reply.
        self.written = {}
        #: The moments of the refreshes in force, and the texts that each withdrew.
        self.refreshes = []
        self.moment = datetime(2030, 1, 1, tzinfo=UTC)
        self.claimed = set()
        module = ModuleType("afterimage.models.drawn")
        module.BACKEND = Backend(lambda entry, part: self.backend(entry))
        sys.modules[module.__name__] = module

    def teardown(self):
        del sys.modules["afterimage.models.drawn"]
        shutil.rmtree(self.root)

    def files(self):
        return sorted(self.folder.glob("*.jsonl"))

    def content(self):
        return b"".join(file.read_bytes() for file in self.files())

    def standing(self):
        withdrawn = set().union(*(texts for _, texts in self.refreshes))
        return {text: one for text, one in self.written.items() if text not in withdrawn}

    def expected(self):
        """Return the reply at each place: of several answers the first in the order of the files counts."""
        content = self.content()
        places = {text: content.find(in_file(text)) for text in self.standing()}
        assert -1 not in places.values()
        found = {}
        for text in sorted(places, key=places.get):
            found.setdefault(*self.written[text])
        return found

    @invariant()
    def what_is_read_is_what_was_written(self):
        found = {}
        for model, who in enumerate(ANSWERERS):
            own = {key: place[1] for place, key in KEYS.items() if place[0] == model}
            found.update(load_index(self.folder, who, own).answers)
        expected = self.expected()
        assert found == {KEYS[place]: reply for place, reply in expected.items()}
        last = self.refreshes[-1][0] if self.refreshes else ""
        assert last_refresh(self.folder) == last
        survey = upkeep.survey(self.folder)
        assert survey.answers == len(expected)
        assert survey.duplicates == len(self.standing()) - len(expected)
        assert survey.withdrawn == len(self.written) - len(self.standing())
        assert survey.files == len(self.files())
        # Without its line break it counts as torn off.
        lines = [line for file in self.files() for line in file.read_bytes().split(b"\n")[:-1]]
        assert len(survey.damaged) == sum(DAMAGED in line for line in lines)

    @rule(
        wanted=st.tuples(models, numbers, repeats),
        drawn=replies,
        failing=st.just(frozenset()) | numbers,
        meanwhile=st.sampled_from(["", "another job", "compact"]),
        others=numbers,
    )
    def job(self, wanted, drawn, failing, meanwhile, others):
        acts = {
            "another job": lambda: self.ask(wanted[0], others, (0, 1), waits=False),
            "compact": self.compact,
        }
        self.meanwhile = acts.get(meanwhile)
        self.drawn, self.failing = drawn, failing
        self.ask(*wanted)

    def ask(self, model, numbers, repeats, waits=True):
        """Ask what is neither there nor asked by another job at this moment, each once, and nothing else."""
        wanted = {(model, number, repeat) for number in numbers for repeat in repeats}
        missing = wanted - self.expected().keys() - self.claimed
        self.claimed |= missing
        self.asked = asked = []
        with Asking(ENTRIES[model], None, self.root, Progress()) as asking:
            asking.begin(waits=waits)
            asking.ask(
                {number: REQUESTS[number].sha256 for number in numbers},
                dict.fromkeys(numbers, repeats),
                lambda left: (replace(REQUESTS[n], repeats=own) for n, own in left.items()),
            )
        self.claimed -= missing
        there = self.expected()
        lost = missing - there.keys()
        assert len(asked) == len(set(asked))
        assert missing - lost <= set(asked) <= missing
        assert {number for _, number, _ in lost} == asking.failures.keys()
        assert {
            (model, number, repeat): reply
            for number, own in asking.replies.items()
            for repeat, reply in own.items()
        } == {place: there[place] for place in wanted & there.keys()}

    def backend(self, entry):
        asked = self.asked
        model = entry.settings["temperature"]

        def answer(requests):
            for request in requests:
                for repeat in request.repeats:
                    place = model, request.number, repeat
                    asked.append(place)
                    if request.number in self.failing:
                        yield Failure(request.number, "server error 500")
                        break
                    reply = self.reply(place, self.drawn)
                    yield reply
                    # It is on file before the next one is taken.
                    self.written[reply.text] = place, reply
                meanwhile, self.meanwhile = self.meanwhile, None
                if meanwhile is not None:
                    meanwhile()

        return answer

    def reply(self, place, drawn):
        _, number, repeat = place
        text = next(self.texts) + drawn.text
        return replace(drawn, number=number, repeat=repeat, text=text)

    @rule(place=st.sampled_from(sorted(KEYS)), drawn=replies, lost=st.integers(0, 2) | st.just(99))
    def killed(self, place, drawn, lost):
        """A job that nobody knew of answers: its lease stays, and of its last line so many bytes are missing."""
        model, number, _ = place
        reply = self.reply(place, drawn)
        with Claims(self.folder).claim([KEYS[place]]) as claim:
            beat, holder, key = claim.lease.path.read_text().splitlines()
        # Another process has its number by now.
        holder = json.dumps({**json.loads(holder), "started": "1"})
        claim.lease.path.write_text("\n".join([beat, holder, key]))
        with Journalist(self.folder, ANSWERERS[model]) as journalist:
            journalist.record(REQUESTS[number].sha256, reply)
        content = journalist.path.read_bytes()
        journalist.path.write_bytes(content[: len(content) - lost])
        if lost <= len("\n"):
            self.written[reply.text] = place, reply

    @rule(act=st.sampled_from(["refresh", "restore", "compact", "repair"]))
    def maintained(self, act):
        before = self.expected()
        vars(Journal)[act](self)
        if act in ("compact", "repair"):
            assert self.expected() == before

    def compact(self):
        is_sound = DAMAGED not in self.content() and all(
            b"afterimage_journal" in file.read_bytes() for file in self.files()
        )
        upkeep.compact(self.folder, AT_ONCE)
        if is_sound and not self.claimed:
            # One for each that answers, and one of withdrawals.
            assert len(self.files()) <= len(ENTRIES) + 1
        assert upkeep.compact(self.folder, AT_ONCE) == (len(self.files()),) * 2

    def repair(self):
        assert upkeep.repair(self.folder, AT_ONCE)[1] == []
        assert upkeep.survey(self.folder).repairable == []
        assert upkeep.repair(self.folder, AT_ONCE) == (0, [])

    def refresh(self):
        self.moment += timedelta(seconds=1)
        texts = frozenset(self.standing())
        before = {file: file.read_bytes() for file in self.files()}
        assert upkeep.refresh(self.folder, lambda: self.moment) == len(texts)
        assert all(file.read_bytes() == content for file, content in before.items())
        if texts:
            self.refreshes.append((self.moment.isoformat(), texts))

    def restore(self):
        moment, texts = self.refreshes.pop() if self.refreshes else ("", ())
        found, withdrawals = upkeep.restore(self.folder)
        assert found == moment
        assert withdrawals >= len(texts)

    @precondition(lambda self: self.files())
    @rule(
        hand=st.sampled_from(["damaged", "damaged", "first", "last", *HANDS]),
        which=st.integers(0, 9),
    )
    def handled(self, hand, which):
        file = self.files()[which % len(self.files())]
        content = file.read_bytes()
        if hand in HANDS:
            file.write_bytes(b"".join(HANDS[hand](content.splitlines(keepends=True))))
        elif hand == "damaged":
            # The first answer in it, and where compacting left the same line a second time.
            for text in [text for text in self.written if in_file(text) in content][:1]:
                del self.written[text]
                for one in self.files():
                    hurt = in_file(text).replace(b'"<', b'"#', 1)
                    one.write_bytes(one.read_bytes().replace(in_file(text), hurt))
        else:
            file.rename(file.with_name(f"{'0z'[hand == 'last']}{file.name.lstrip('0z')}"))


@pytest.mark.parametrize("number", range(3))
def test_no_answer_is_lost_or_asked_for_twice_whatever_happens(number):
    run_state_machine_as_test(
        seed(number)(type("Drawn", (Journal,), {})),
        settings=settings(
            max_examples=5,
            stateful_step_count=20,
            database=None,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )
