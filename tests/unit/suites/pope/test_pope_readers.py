"""COCO's files, lists of segmented objects and question files: read as they are, faults in one sentence."""

import gzip
import json

import pytest

from afterimage.errors import AfterimageError
from afterimage.suites.pope.files import read_questions, strategy_of
from afterimage.suites.pope.record import Mention, coco_records, read_captions, read_instances
from afterimage.suites.pope.side_files import read_segmentation

IMAGES = [{"id": 9, "file_name": "b.jpg"}, {"id": 4, "file_name": "a.jpg"}]
CATEGORIES = [
    {"id": 1, "name": "person"},
    {"id": 90, "name": "toothbrush"},
    {"id": 13, "name": "bench"},
]
INSTANCES = {
    "images": IMAGES,
    "categories": CATEGORIES,
    "annotations": [
        {"id": 1, "image_id": 9, "category_id": 90, "bbox": [1, 2, 3, 4], "iscrowd": 0},
        {"id": 2, "image_id": 9, "category_id": 1, "iscrowd": 1},
        {"id": 3, "image_id": 9, "category_id": 90, "bbox": [5, 6, 7, 8]},
    ],
}
CAPTIONS = {
    "images": IMAGES,
    "annotations": [
        {"id": 70, "image_id": 9, "caption": "A bench. "},
        {"id": 71, "image_id": 9, "caption": "One person"},
    ],
}


def extract(text):
    """An extraction that knows two words."""
    return [
        Mention(word, 0, 0, word, word, (), "stub")
        for word in ("bench", "person")
        if word in text.lower()
    ]


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        text = content if isinstance(content, str) else json.dumps(content)
        data = text.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return write


class TestInstances:
    def test_objects_are_distinct_categories_in_order_of_annotation_crowds_included(self, write):
        read = read_instances(write("instances.json", INSTANCES))
        assert [instance.category for instance in read.images["9"].instances] == [
            "toothbrush",
            "person",
            "toothbrush",
        ]
        records = coco_records(str(write("i.json", INSTANCES)), None, None, extract, "stub 1")
        assert records[0].objects == ("toothbrush", "person")
        assert records[0].file_name == "b.jpg"
        assert records[1].objects == ()

    def test_category_ids_need_not_run_on_and_all_categories_are_known(self, write):
        assert read_instances(write("i.json", INSTANCES)).categories == (
            "person",
            "toothbrush",
            "bench",
        )

    def test_a_packed_file_is_read_too(self, write):
        assert read_instances(write("i.json.gz", INSTANCES)).images["4"].instances == ()

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            (
                {"annotations": [{"image_id": 5, "category_id": 1, "id": 8}]},
                "annotation 8 belongs to image 5",
            ),
            (
                {"annotations": [{"image_id": 9, "category_id": 2, "id": 8}]},
                "belongs to category 2",
            ),
            ({"annotations": [{"category_id": 2}]}, "annotations, entry 0: .* keys image_id"),
            ({"categories": [{"id": 1}]}, "categories, entry 0: .* keys id, name"),
            ({"images": None}, "has no list 'images'"),
        ],
    )
    def test_a_file_that_is_not_as_expected_is_one_sentence(self, write, change, sentence):
        with pytest.raises(AfterimageError, match=sentence):
            read_instances(write("i.json", INSTANCES | change))

    def test_a_missing_or_broken_file_is_one_sentence(self, write, tmp_path):
        with pytest.raises(
            AfterimageError, match="no such file; expected COCO's instance annotations"
        ):
            read_instances(tmp_path / "none.json")
        with pytest.raises(AfterimageError, match=r"not valid JSON .* expected COCO's instance"):
            read_instances(write("i.json", "{"))
        (tmp_path / "cut.json.gz").write_bytes(gzip.compress(b"{}" * 99)[:20])
        with pytest.raises(AfterimageError, match="cannot be read"):
            read_instances(tmp_path / "cut.json.gz")


class TestCaptions:
    def test_all_captions_are_united_and_keep_their_ids(self, write):
        path = write("captions.json", CAPTIONS)
        assert read_captions(path)[1]["9"] == (("70", "A bench."), ("71", "One person"))
        (record, _) = coco_records(None, str(path), None, extract, "stub 1")
        assert record.mentioned == ("bench", "person")
        assert [caption for caption, _ in record.mentions] == ["70", "71"]
        assert record.extraction == "stub 1"

    def test_a_caption_of_no_image_is_one_sentence(self, write):
        strange = CAPTIONS | {"annotations": [{"id": 1, "image_id": 5, "caption": "x"}]}
        with pytest.raises(AfterimageError, match="caption 1 belongs to image 5"):
            read_captions(write("c.json", strange))


class TestGroundTruth:
    @pytest.mark.parametrize(
        ("mode", "objects"),
        [
            ("instances", ("toothbrush", "person")),
            ("captions", ("bench", "person")),
            ("union", ("toothbrush", "person", "bench")),
            (None, ("toothbrush", "person", "bench")),
        ],
    )
    def test_annotated_objects_come_before_those_that_are_mentioned_only(
        self, write, mode, objects
    ):
        paths = str(write("i.json", INSTANCES)), str(write("c.json", CAPTIONS))
        assert coco_records(*paths, mode, extract, "stub 1")[0].objects == objects


class TestSegmentation:
    LINES = (
        '{"image": "a.jpg", "objects": ["kite", " person ", "kite", ""], "masks": 3}\n\n'
        '{"image": "b.jpg", "objects": []}\n'
    )

    def test_lines_and_arrays_are_the_same(self, write):
        rows = [json.loads(line) for line in self.LINES.split("\n") if line]
        assert read_segmentation(write("s.json", self.LINES)) == read_segmentation(
            write("a.json", rows)
        )

    def test_order_and_repetition_are_kept_and_blanks_are_not(self, write):
        first, second = read_segmentation(write("s.jsonl", self.LINES))
        assert first.entries == ("kite", "person", "kite")
        assert first.objects == ("kite", "person")
        assert second.objects == ()

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ('{"image": "a.jpg"}', "entry 1 is not as expected"),
            ('{"image": "a.jpg", "objects": "kite"}', "entry 1 is not as expected"),
            ('[{"image": "a", "objects": []}, {"image": "a", "objects": []}]', "second time"),
            ('{"image": "a", "objects": []}\n{"ima', "line 2: not valid JSON"),
            ("[1]", "entry 1 is 1; expected objects of the form"),
        ],
    )
    def test_a_fault_is_one_sentence_with_its_place(self, write, text, sentence):
        with pytest.raises(AfterimageError, match=sentence):
            read_segmentation(write("s.json", text))


QUESTION = {
    "question_id": 1,
    "image": "a.jpg",
    "text": "Is there an traffic light in the imange?",
    "label": "No ",
}


class TestQuestionFiles:
    def test_texts_are_kept_with_their_typing_errors(self, write):
        (question,) = read_questions(write("q.json", QUESTION)).questions
        assert question.text == "Is there an traffic light in the imange?"
        assert (question.question_id, question.label) == ("1", "no")

    def test_a_file_of_unknown_content_says_so(self, write):
        read = read_questions(write("q.json.gz", QUESTION))
        assert read.version == "unknown version"
        assert read.sha256 == read_questions(write("q.json", QUESTION)).sha256

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            ({"label": "maybe"}, "entry 1 is not as expected"),
            ({"text": None}, "entry 1 is not as expected"),
            ({"question_id": True}, "entry 1 is not as expected"),
        ],
    )
    def test_a_question_that_cannot_be_scored_is_one_sentence(self, write, change, sentence):
        with pytest.raises(AfterimageError, match=sentence):
            read_questions(write("q.json", QUESTION | change))

    def test_an_id_that_stands_twice_is_one_sentence(self, write):
        with pytest.raises(AfterimageError, match=r"question_id 1 .written .* occurs here for"):
            read_questions(write("q.json", [QUESTION, QUESTION | {"question_id": "01"}]))

    @pytest.mark.parametrize(
        ("name", "strategy"),
        [
            ("coco_pope_random.json", "random"),
            ("coco_pope_popular.json.gz", "popular"),
            ("aokvqa_pope_seem_adversarial.json", "adversarial"),
            ("coco_pope_random_first_release.json.gz", "random"),
            ("random.jsonl", "random"),
            ("randomized.json", None),
            ("coco_co_occur.json", None),
        ],
    )
    def test_a_files_name_tells_its_strategy(self, name, strategy):
        found = strategy_of(name)
        assert (found and found[0]) == strategy

    def test_files_of_one_set_share_the_rest_of_their_name(self):
        assert strategy_of("coco_pope_random.json")[1] == strategy_of("coco_pope_popular.json")[1]
        assert (
            strategy_of("coco_pope_random_first_release.json")[1]
            != strategy_of("coco_pope_random.json")[1]
        )
