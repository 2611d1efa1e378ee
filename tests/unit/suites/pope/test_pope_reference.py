"""Recorded data of others: official questions, LLaVA-1.5's answers, the paper's table, captions of five models."""

import gzip
import json
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from pope_material import english, lexicon

from afterimage.suites.pope import extraction
from afterimage.suites.pope.files import read_questions
from afterimage.suites.pope.metrics import SCORES, scores
from afterimage.suites.pope.recorded import read_recorded
from afterimage.suites.pope.rescore import COLUMNS, MEAN, rescore
from afterimage.suites.pope.sampling import object_of

STRATEGIES = ("random", "popular", "adversarial")
FILES = {
    "coco": "coco_pope_{}.json.gz",
    "coco_first_release": "coco_pope_{}_first_release.json.gz",
}


@pytest.fixture(scope="module")
def reference(reference):
    return reference / "pope"


@pytest.fixture(scope="module")
def files(reference):
    return {
        (dataset, strategy): read_questions(reference / name.format(strategy))
        for dataset, name in FILES.items()
        for strategy in STRATEGIES
    }


class TestQuestionFiles:
    def test_counts_are_those_of_the_reference(self, reference, files):
        expected = pd.read_csv(reference / "expected_questions.csv")
        assert len(expected) == 6
        for row in expected.to_dict(orient="records"):
            questions = files[row["dataset"], row["split"]].questions
            texts = [question.text for question in questions]
            counted = {
                "n_questions": len(questions),
                "n_images": len({question.image for question in questions}),
                "n_yes": sum(question.label == "yes" for question in questions),
                "n_no": sum(question.label == "no" for question in questions),
                "n_an": sum(" an " in text for text in texts),
                "n_imange": sum("imange" in text for text in texts),
                "n_objects": len({object_of(text) for text in texts}),
            }
            assert counted == {name: row[name] for name in counted}, (row["dataset"], row["split"])

    def test_the_files_versions_are_known_by_their_hashes(self, files):
        for (dataset, _), file in files.items():
            expected = "first release" if dataset == "coco_first_release" else "current release"
            assert file.version.startswith(expected)

    def test_questions_alternate_run_on_from_1_and_hold_three_positives_per_image(self, files):
        for strategy in STRATEGIES:
            questions = files["coco", strategy].questions
            assert [question.label for question in questions] == ["yes", "no"] * 1500
            assert [question.question_id for question in questions] == [
                str(n) for n in range(1, 3001)
            ]
            positives = Counter(question.image for question in questions if question.label == "yes")
            assert set(positives.values()) == {3}

    def test_positives_are_the_same_in_all_strategies_and_no_object_is_both(self, files):
        by_strategy = {
            strategy: {
                label: {
                    (q.image, object_of(q.text))
                    for q in files["coco", strategy].questions
                    if q.label == label
                }
                for label in ("yes", "no")
            }
            for strategy in STRATEGIES
        }
        assert (
            by_strategy["random"]["yes"]
            == by_strategy["popular"]["yes"]
            == by_strategy["adversarial"]["yes"]
        )
        for strategy in STRATEGIES:
            assert not by_strategy[strategy]["no"] & by_strategy["random"]["yes"]

    def test_upstreams_last_typing_error_is_kept(self, files):
        question = files["coco", "random"].questions[2785]
        assert question.text == "Is there an traffic light in the image?"
        assert object_of(question.text) == "traffic light"

    def test_every_object_is_found_in_the_words(self, files):
        for file in files.values():
            assert all(object_of(question.text) for question in file.questions)


class TestReplay:
    """Frequencies and companions decide the negatives as the sampler here has it."""

    def known(self, files):
        present, absent = {}, {}
        for strategy in STRATEGIES:
            for question in files["coco", strategy].questions:
                kind = present if question.label == "yes" else absent
                kind.setdefault(question.image, set()).add(object_of(question.text))
        return present, absent

    def pairs(self, files, strategy):
        """Yield image, what was asked about before, the positive and the negative of each pair."""
        by_image = {}
        questions = files["coco", strategy].questions
        for positive, negative in zip(questions[::2], questions[1::2], strict=True):
            before = by_image.setdefault(positive.image, [])
            names = object_of(positive.text), object_of(negative.text)
            yield positive.image, set(before), *names
            before += names

    def read(self, reference, name):
        return json.loads(gzip.decompress((reference / name).read_bytes()))

    def test_popular_negatives_never_skip_an_object_that_is_known_to_be_absent(
        self, reference, files
    ):
        frequencies = self.read(reference, "coco_ground_truth_objects.json.gz")
        order = [name for name, _ in sorted(frequencies.items(), key=lambda pair: -pair[1])]
        _, absent = self.known(files)
        violations = 0
        for image, before, positive, negative in self.pairs(files, "popular"):
            skipped = order[: order.index(negative)]
            violations += bool((set(skipped) & absent[image]) - before - {positive})
        assert violations == 0

    def test_adversarial_negatives_never_skip_one_and_three_are_not_in_the_table(
        self, reference, files
    ):
        companions = self.read(reference, "coco_co_occur.json.gz")
        _, absent = self.known(files)
        violations = fallbacks = 0
        for image, before, positive, negative in self.pairs(files, "adversarial"):
            if negative not in companions[positive]:
                fallbacks += 1
                continue
            skipped = companions[positive][: companions[positive].index(negative)]
            violations += bool((set(skipped) & absent[image]) - before - {positive})
        assert (violations, fallbacks) == (0, 3)

    def test_person_is_a_popular_negative_as_often_as_it_is_absent(self, reference, files):
        frequencies = self.read(reference, "coco_ground_truth_objects.json.gz")
        questions = [
            question
            for question in files["coco", "popular"].questions
            if question.label == "no" and object_of(question.text) == "person"
        ]
        assert len(questions) == 500 - frequencies["person"] == 152


class TestRecordedAnswers:
    @pytest.mark.parametrize("given", [False, True], ids=["answers alone", "with question files"])
    def test_every_expected_row_comes_out(self, reference, given):
        frame = rescore(reference, reference if given else None).set_index(["model", "split"])
        expected = pd.read_csv(reference / "expected.csv").set_index(["model", "split"])
        assert list(frame.index) == list(expected.index)
        for key, row in expected.iterrows():
            found = frame.loc[key]
            assert found["n"] == row["n"]
            assert found["n_questions"] == row["n_questions_in_split"]
            assert 100 * found["f1"] == pytest.approx(row["recomputed_f1_pct"], abs=5e-5)
            if key[1] != MEAN:
                for name in COLUMNS[4:]:
                    assert found[name] == pytest.approx(row[name], abs=5e-7), (key, name)
            # As printed: cut or rounded to one decimal.
            assert 100 * found["f1"] == pytest.approx(row["published_f1_pct"], abs=0.1)

    def test_f1_is_87_14_and_86_25_and_84_46(self, reference):
        frame = rescore(reference).set_index("split")
        assert [round(100 * frame.loc[name, "f1"], 2) for name in (*STRATEGIES, MEAN)] == [
            *(87.14, 86.25, 84.46),
            85.95,
        ]

    def test_all_answers_are_joined_to_the_first_release_without_a_remark(self, reference):
        splits = read_recorded(reference, reference).models["llava-v1.5-13b"]
        assert [split.questions.version.split(" (")[0] for split in splits.values()] == [
            "first release"
        ] * 3
        assert all(split.remarks == () for split in splits.values())


class TestPublishedTable:
    def test_the_papers_table_3_follows_from_its_confusion_counts(self, reference):
        table = pd.read_csv(reference / "published_table3.csv")
        assert len(table) == 15
        names = ("accuracy_pct", "precision_pct", "recall_pct", "f1_pct", "yes_pct")
        unequal = []
        for row in table.to_dict(orient="records"):
            tp, fn = map(int, row["tp_fn_of_1500"].split("/"))
            fp, tn = map(int, row["fp_tn_of_1500"].split("/"))
            found = scores(np.array([tp, fp, tn, fn, 0, 0]))
            unequal += [
                (row["split"], row["model"], name, round(100 * value, 2))
                for name, value in zip(names, found, strict=True)
                if abs(100 * value - row[name]) > 0.0051
            ]
        assert len(names) == len(SCORES)
        assert unequal == [("popular", "MiniGPT-4", "f1_pct", 72.22)]


@pytest.fixture(scope="module")
def rows(reference):
    """Captions that five models gave of COCO images."""
    text = gzip.decompress((reference / "captions_sample.jsonl.gz").read_bytes()).decode()
    return [json.loads(line) for line in text.splitlines()]


class TestCaptions:
    """Extraction on captions of models. The numbers are this suite's own and stand in docs/pope.md."""

    @pytest.mark.parametrize(
        "name", [name for name in ("lexicon", "tagger") if extraction.is_available(name)]
    )
    def test_mentions_are_found_and_few_of_them_are_known_to_be_absent(self, rows, name):
        extract = extraction.load(name, lexicon(), english())
        mentions = without = known = present = absent = 0
        for row in rows:
            found = {mention.category for mention in extract(row["caption"])}
            mentions += len(found)
            without += not found
            if "known_present" in row:
                known += len(found)
                present += len(found & set(row["known_present"]))
                absent += len(found & set(row["known_absent"]))
        assert len(rows) == 570
        if name == "lexicon":
            assert (mentions, without, known, present, absent) == (1323, 22, 409, 276, 36)
        assert present > 6 * absent
