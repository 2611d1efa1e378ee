"""New weights at the old path: their answers are their own, and a pinned revision is kept or refused."""

import os
import sys
from types import ModuleType

import pytest

from afterimage.contract.model import Backend, ModelEntry
from afterimage.errors import AfterimageError
from afterimage.models import weights
from afterimage.models.asking import Asking
from afterimage.models.interface import Message, Reply, Request
from afterimage.models.journaling.entries import answerer_of
from afterimage.models.journaling.export import export_answers
from afterimage.models.journaling.upkeep import compact, refresh
from afterimage.models.journaling.writing import Journalist
from afterimage.models.progress import Progress
from afterimage.models.weights import known_content, present_contents, sampled_sha256

HEADER = 'model-safetensors-header:{"weight":[0,8]}'
REQUEST = Request(0, (Message("user", ("Which line is longer?",)),))


class Study:
    """A model whose weights are a folder's file, and its journal."""

    def __init__(self, folder):
        self.folder, self.journal = folder / "checkpoint", folder / "journal"
        self.folder.mkdir()
        self.loads = 0
        self.write("old")
        (self.folder / "config.json").write_text("{}")

    @property
    def weights(self):
        return self.folder / "model.safetensors"

    def write(self, text):
        """Weights of equal size under an equal header, differing in the middle of the file alone."""
        self.weights.write_text(HEADER + "0" * 250_000 + text + "0" * 9_000_000)

    def entry(self, revision=None, **settings):
        return ModelEntry("m", "weighing", str(self.folder), revision, settings)

    def ask(self, revision=None, **settings):
        """Return the model's answer, from the journal or anew."""
        with Asking(self.entry(revision, **settings), None, self.journal, Progress()) as asking:
            asking.ask({0: REQUEST.sha256}, {0: (0,)}, lambda missing: iter([REQUEST]))
        return asking.replies[0][0].text

    def load(self, entry, part):
        self.loads += 1
        text = f"answer {self.loads}"
        version = f"{entry.content}+Processor"
        return lambda requests: (
            Reply(request.number, text, revision=version) for request in requests
        )

    def record(self, revision, text):
        """Put an answer into the journal as an earlier version wrote it."""
        with Journalist(self.journal / "m", answerer_of(self.entry())) as journalist:
            journalist.record(REQUEST.sha256, Reply(0, text, revision=revision))


@pytest.fixture
def study(tmp_path, monkeypatch):
    study = Study(tmp_path)
    module = ModuleType("afterimage.models.weighing")
    module.BACKEND = Backend(study.load, weights_in_folder=True)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return study


def test_new_weights_at_the_old_path_are_asked_anew_and_both_answers_stay(study):
    assert study.ask() == study.ask() == "answer 1"
    study.write("new")
    assert study.ask() == study.ask() == "answer 2"
    study.write("old")
    assert study.ask() == "answer 1"
    assert study.loads == 2


def test_merging_the_files_of_a_journal_keeps_each_weights_answers_apart(study):
    study.ask()
    study.write("new")
    study.ask()
    assert compact(study.journal / "m", idle_seconds=-1) == (2, 1)
    assert study.ask() == "answer 2"
    study.write("old")
    assert study.ask() == "answer 1"


def test_an_export_calls_the_answers_of_all_weights_in_force(study, tmp_path):
    from afterimage.files.parquet import read_records
    from afterimage.files.records import JOURNALED_ANSWER

    study.ask()
    study.write("new")
    study.ask()
    study.record("sha256-0123456789abcdef+Processor", "a third weights'")
    study.record("sha256-0123456789abcdef+Processor", "a third weights', given twice")
    export_answers([study.journal / "m"], tmp_path / "answers.parquet")
    rows = read_records(tmp_path / "answers.parquet", JOURNALED_ANSWER)
    assert [row["in_force"] for row in rows] == [True, True, True, False]


@pytest.mark.parametrize("revision", [None, "v1"])
def test_a_touched_but_equal_file_and_a_copied_folder_change_nothing(study, tmp_path, revision):
    study.ask(revision)
    os.utime(study.weights, (1, 1))
    assert study.ask(revision) == "answer 1"
    study.weights.rename(tmp_path / "aside")
    study.weights.write_bytes((tmp_path / "aside").read_bytes())
    assert study.ask(revision) == "answer 1"
    (study.folder / "README.md").write_text("written for people")
    assert study.ask(revision) == "answer 1"


def test_weights_of_old_size_and_old_times_are_still_seen_as_new(study):
    study.ask()
    times, sampled = study.weights.stat(), sampled_sha256(study.folder)
    study.write("new")
    # The samples that were hashed once are equal, too.
    assert sampled_sha256(study.folder) == sampled
    os.utime(study.weights, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert study.ask() == "answer 2"


def test_files_are_read_again_only_when_they_change(study, monkeypatch):
    study.ask()

    def refuse(*_):
        raise AssertionError("the files were read again")

    monkeypatch.setattr(weights, "content_sha256", refuse)
    assert study.ask() == "answer 1"
    study.write("new")
    with pytest.raises(AssertionError, match="read again"):
        study.ask()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"contents": []}', '{"contents": ["sha256-0"]}'])
def test_a_memory_that_is_not_what_was_written_is_made_anew(study, text):
    study.ask()
    (study.journal / "m" / ".weights.json").write_text(text)
    assert study.ask() == "answer 1"
    study.write("new")
    assert study.ask() == "answer 2"


def test_a_pinned_revision_refuses_other_weights_in_one_sentence(study):
    study.ask("v1")
    study.write("new")
    for settings in ({}, {"temperature": 1}):
        with pytest.raises(AfterimageError) as raised:
            study.ask("v1", **settings)
        assert "\n" not in str(raised.value)
        assert f"1 of its journaled answers came from other weights than lie in {study.folder}" in (
            str(raised.value)
        )
    assert study.loads == 1
    assert study.ask("v2") == "answer 2"
    study.write("old")
    assert study.ask("v1") == "answer 1"


def test_withdrawn_answers_refuse_nothing(study):
    study.ask("v1")
    study.write("new")
    refresh(study.journal / "m")
    assert study.ask("v1") == "answer 2"


@pytest.mark.parametrize("revision", [None, "v1"])
def test_answers_are_served_where_the_folder_is_gone(study, tmp_path, revision):
    study.ask(revision)
    known = known_content(study.entry(revision), study.journal / "m")
    study.folder.rename(tmp_path / "elsewhere")
    assert study.ask(revision) == "answer 1"
    assert known_content(study.entry(revision), study.journal / "m") == known
    assert known.startswith("sha256-")


@pytest.mark.parametrize("revision", [None, "8c85e9a4d626b7b908448be32c1ba5ad79b95e76+Processor"])
def test_answers_without_a_recorded_hash_are_served_as_before(study, revision):
    study.record(revision, "of unknown weights")
    study.write("new")
    assert study.ask() == "of unknown weights"
    assert study.loads == 0


def test_answers_with_a_hash_of_samples_are_compared_by_it(study):
    study.record(f"{sampled_sha256(study.folder)}+Processor", "sampled")
    assert study.ask() == "sampled"
    study.weights.write_text(HEADER + "trained on")
    assert study.ask() == "answer 1"


def test_only_folders_of_backends_that_say_so_are_looked_into(study, monkeypatch):
    elsewhere = ModelEntry("m", "weighing", "organisation/name")
    backend = Backend(study.load, weights_in_folder=True)
    assert present_contents(elsewhere, backend, answerer_of(elsewhere), study.journal / "m") == ()
    assert known_content(elsewhere, study.journal / "m") is None
    backend = Backend(study.load)
    sys.modules["afterimage.models.weighing"].BACKEND = backend
    entry = study.entry()
    assert present_contents(entry, backend, answerer_of(entry), study.journal / "m") == ()
    assert known_content(study.entry(), study.journal / "m") is None


def test_a_journal_that_can_only_be_read_is_read(study):
    study.ask()
    folder = study.journal / "m"
    (folder / ".weights.json").unlink()
    folder.chmod(0o555)
    try:
        assert study.ask() == "answer 1"
    finally:
        folder.chmod(0o755)
