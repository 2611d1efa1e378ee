"""Objects that a transformer calls nouns: a checkpoint whose labels are known, and all that one may lack."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from loopback_hub import LoopbackHub
from pope_material import english, lexicon, settings, suite_of, write_annotations
from tiny_checkpoints import require_transformers, write_tiny_token_classifier

from afterimage.errors import AfterimageError
from afterimage.suites.pope import blog, extraction
from afterimage.suites.pope.extraction import by_lexicon, by_transformer
from afterimage.suites.pope.record import read_image_records

LABELS = ("X", "NOUN", "ADJ", "VERB")
WORDS = {
    **dict.fromkeys(("dog", "bear", "hot", "car", "sofa", "cone", "star"), "NOUN"),
    **dict.fromkeys(("red", "orange", "two"), "ADJ"),
    # A later piece of a word, whose label must not count.
    **dict.fromkeys(("sits", "##s", "park"), "VERB"),
}
COMMIT = "0" * 40


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    require_transformers()
    return write_tiny_token_classifier(tmp_path_factory.mktemp("tagger") / "tiny", WORDS, LABELS)


def spec(checkpoint, revision="", labels=()):
    return {"checkpoint": str(checkpoint), "revision": revision, "labels": list(labels)}


def extract_with(checkpoint, source="coco", **named):
    chosen = spec(checkpoint, **named)
    return extraction.load("transformer", lexicon(source), english(), transformer=chosen)


def copied(checkpoint, folder, **changed):
    shutil.copytree(checkpoint, folder)
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**config, **changed}), encoding="utf-8")
    return folder


@pytest.mark.torch
class TestExtraction:
    def test_hits_of_the_lexicon_whose_last_word_is_a_noun_are_kept_with_their_attributes(
        self, checkpoint
    ):
        caption = "A bear sits on a sofa by two red hot dogs and an orange."
        found = extract_with(checkpoint)(caption)
        assert [(mention.category, mention.attributes, mention.backend) for mention in found] == [
            ("bear", (), "transformer"),
            ("couch", (), "transformer"),
            ("hot dog", ("two", "red"), "transformer"),
        ]
        assert caption[found[2].start : found[2].end] == "hot dogs"
        # The lexicon alone takes the orange, which this checkpoint calls an adjective.
        known = by_lexicon.extract(caption, lexicon(), english())
        assert {mention.category for mention in known} - {
            mention.category for mention in found
        } == {"orange"}

    def test_labels_that_are_named_count_in_place_of_nouns(self, checkpoint):
        found = extract_with(checkpoint, labels=["ADJ"])("A bear by an orange.")
        assert [mention.category for mention in found] == ["orange"]

    def test_names_of_entities_are_read_with_their_parts(self, tmp_path):
        require_transformers()
        labels, words = ("O", "B-OBJ", "I-OBJ"), {"hot": "B-OBJ", "dog": "I-OBJ", "car": "B-OBJ"}
        folder = write_tiny_token_classifier(tmp_path / "names", words, labels)
        found = extract_with(folder, labels=["OBJ"])("a hot dog, a car and a bear")
        assert [mention.category for mention in found] == ["hot dog", "car"]

    def test_nothing_of_a_text_longer_than_the_models_positions_is_left_out(self, checkpoint):
        text = ". ".join(["A red car sits"] * 60 + ["A dog sits."])
        found = extract_with(checkpoint)(text)
        assert [mention.category for mention in found] == ["car"] * 60 + ["dog"]
        assert extract_with(checkpoint)(" ") == []

    def test_it_is_described_with_the_checkpoint_and_the_hash_of_its_files(
        self, checkpoint, tmp_path
    ):
        description = extraction.described("transformer", spec(checkpoint))
        assert re.fullmatch(
            r"transformer \(tiny at sha256-[0-9a-f]{16}, transformers [\d.]+\)", description
        )
        other = copied(checkpoint, tmp_path / "tiny", problem_type=None)
        assert extraction.described("transformer", spec(other)) != description
        of_hub = extraction.described("transformer", spec("organisation/name", COMMIT))
        assert f"organisation/name at {COMMIT}" in of_hub

    def test_the_drawn_scenes_are_read_with_it_and_the_table_can_say_so(
        self, checkpoint, tmp_path, monkeypatch
    ):
        monkeypatch.chdir(tmp_path)
        chosen = {"extraction": "transformer", "transformer": {"checkpoint": str(checkpoint)}}
        made = write_annotations(**chosen)
        files = suite_of(made).side_files["annotations"]
        # Other weights at this place are another result.
        assert str(checkpoint / "model.safetensors") in files.inputs
        records = read_image_records(files.outputs[-1])["scenes"]
        mentioned = {name for record in records for name in record.mentioned}
        assert mentioned == {"car", "cone", "star"}
        (extraction_name,) = {record.extraction for record in records}
        assert extraction_name.startswith("transformer (tiny at sha256-")

    def test_the_blogs_functions_take_it(self, checkpoint):
        words = blog.load_words(extraction="transformer", checkpoint=str(checkpoint))
        text = "A bear sits by an orange."
        assert blog.extract_objects_from_description(text) == ["bear", "orange"]
        assert blog.extract_objects_from_description(text, words) == ["bear"]


@pytest.mark.torch
class TestWhatIsLacking:
    """One sentence, when the study is planned: nothing is drawn or asked."""

    @pytest.fixture(autouse=True)
    def _packages(self, monkeypatch):
        """What is checked behind the packages needs none of them."""
        monkeypatch.setattr(by_transformer, "find_spec", lambda name: True)

    @staticmethod
    def sentence(checkpoint, **named):
        chosen = settings(extraction="transformer", transformer=spec(checkpoint, **named))
        with pytest.raises(AfterimageError) as caught:
            suite_of(chosen)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    @pytest.mark.parametrize("package", by_transformer.PACKAGES)
    def test_a_package(self, package, checkpoint, monkeypatch):
        monkeypatch.setattr(
            by_transformer, "find_spec", lambda name: None if name == package else True
        )
        message = self.sentence(checkpoint)
        assert f"needs the packages torch and transformers, of which {package} cannot" in message
        assert "[transformers]" in message

    def test_a_checkpoint(self):
        assert "transformer.checkpoint: extraction 'transformer' needs a" in self.sentence("")

    def test_a_folder(self, tmp_path):
        message = self.sentence(tmp_path / "gone")
        assert "transformer.checkpoint: folder" in message
        assert "does not exist; expected" in message

    def test_a_folders_configuration(self, tmp_path):
        assert "holds no config.json; expected" in self.sentence(tmp_path)

    def test_a_folders_weights(self, checkpoint, tmp_path):
        folder = copied(checkpoint, tmp_path / "bare")
        (folder / "model.safetensors").unlink()
        assert "holds no weights; expected" in self.sentence(folder)
        (folder / "pytorch_model.bin").touch()
        assert "its weights are pickled (pytorch_model.bin)" in self.sentence(folder)

    def test_labels_of_nouns(self, checkpoint, tmp_path):
        names = dict(enumerate(("LABEL_0", "LABEL_1")))
        folder = copied(checkpoint, tmp_path / "unnamed", id2label=names)
        message = self.sentence(folder)
        assert "has the labels LABEL_0, LABEL_1; expected one of NOUN, PROPN" in message

    def test_a_label_that_is_named(self, checkpoint):
        message = self.sentence(checkpoint, labels=["NOUN", "THING"])
        assert "has the labels X, NOUN, ADJ, VERB; expected 'THING' among them" in message

    @pytest.mark.parametrize("revision", ["", "main", "0123abc"])
    def test_a_repositorys_commit(self, revision):
        message = self.sentence("organisation/name", revision=revision)
        assert f"transformer.revision: found '{revision}' for repository" in message
        assert "40 digits of a commit" in message

    def test_a_folder_has_no_commit(self, checkpoint):
        assert "expected none, since a folder" in self.sentence(checkpoint, revision=COMMIT)


#: What a process of its own does, since the hub's address is read when its library is imported.
FETCHING = """
from afterimage.errors import AfterimageError
from afterimage.suites.pope import blog

for commit in {commits}:
    try:
        words = blog.load_words(extraction="transformer", checkpoint="me/tagger", revision=commit)
        print(blog.extract_objects_from_description("A bear by an orange.", words))
    except AfterimageError as error:
        print(error)
"""


@pytest.mark.torch
def test_a_repository_is_fetched_at_its_commit_and_its_labels_are_looked_at_before_its_weights(
    checkpoint, scripts, tmp_path
):
    files = {file.name: file.read_bytes() for file in checkpoint.iterdir()}
    config = json.loads(files["config.json"])
    unnamed = {**config, "id2label": {0: "LABEL_0"}, "label2id": {"LABEL_0": 0}}
    commits = {
        "a" * 40: files,
        "b" * 40: {**files, "config.json": json.dumps(unnamed).encode()},
        # The branch's newest, which nobody asks for.
        "c" * 40: {},
    }
    with LoopbackHub("me/tagger", commits) as hub:
        environment = {"HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "0"}
        output = subprocess.run(
            [sys.executable, "-c", FETCHING.format(commits=["b" * 40, "a" * 40])],
            env={**os.environ, **environment, "PYTHONPATH": str(scripts)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
    assert "has the labels LABEL_0; expected one of NOUN" in output[0]
    assert output[1] == "['bear']"
    assert [name for name, _ in hub.fetched][:2] == ["config.json", "config.json"]
    assert [name for name, _ in hub.fetched].count("model.safetensors") == 1


@pytest.mark.torch
class TestLoading:
    """What only the files themselves can say is one sentence, too."""

    def test_a_checkpoint_that_was_taught_something_else(self, checkpoint, tmp_path):
        from safetensors.torch import load_file, save_file

        folder = copied(checkpoint, tmp_path / "headless")
        path = folder / "model.safetensors"
        weights = {
            name: value for name, value in load_file(path).items() if "classifier" not in name
        }
        save_file(weights, path, metadata={"format": "pt"})
        with pytest.raises(
            AfterimageError, match=r"lack the weights 'classifier\.bias' and 1 other"
        ):
            extract_with(folder)

    def test_a_repository_that_cannot_be_reached(self, monkeypatch, tmp_path):
        from huggingface_hub import constants

        require_transformers()
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
        with pytest.raises(AfterimageError, match=r"'organisation/name' cannot be loaded \("):
            extract_with("organisation/name", revision=COMMIT)

    def test_weights_that_are_torn(self, checkpoint, tmp_path):
        folder = copied(checkpoint, tmp_path / "torn")
        path = folder / "model.safetensors"
        path.write_bytes(path.read_bytes()[:100])
        with pytest.raises(AfterimageError, match=r"torn' cannot be loaded \("):
            extract_with(folder)
