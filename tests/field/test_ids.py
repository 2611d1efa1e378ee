"""Ids by which rows of others' files are joined: not unique, of another type, or different in case or folder alone.

Public reports: obss/sahi#98 and dbolya/yolact#103 (one id for two images or annotations), pedropro/TACO#46 and
cvat-ai/cvat#2155 (annotations), pylabel-project/pylabel#46 and cvat-ai/cvat#298 (ids as texts here, as numbers there).
"""

import copy
import json

import pytest
from release_samples import hallusionbench_question, illusionvqa_entry, picture, write_illusionvqa

from afterimage.errors import AfterimageError
from afterimage.files.human_responses import read_responses
from afterimage.files.row_ids import RowIds, id_text, name_text, require_one_spelling
from afterimage.suites.blindtest import outcomes as blindtest
from afterimage.suites.hallusionbench import dataset as hallusionbench
from afterimage.suites.hallusionbench.rescore import read_recorded as hallusionbench_answers
from afterimage.suites.illusionbench import folder as illusionbench
from afterimage.suites.images.folder import require_images
from afterimage.suites.pope.files import read_questions, require_same_names
from afterimage.suites.pope.record import coco_records, read_captions, read_instances
from afterimage.suites.pope.recorded import read_recorded as pope_answers
from afterimage.suites.pope.side_files import read_segmentation
from afterimage.suites.shahgir_illusionvqa import dataset
from afterimage.suites.shahgir_illusionvqa.rescore import read_recorded as illusionvqa_answers
from afterimage.suites.texture import columns
from afterimage.suites.texture.coco import tables_from
from afterimage.suites.texture.columns import read_people, read_rows

SQUARE = [[0, 0, 40, 0, 40, 40, 0, 40]]
INSTANCES = {
    "images": [
        {"id": number, "file_name": f"im{number}.png", "width": 64, "height": 48}
        for number in (1, 2, 3)
    ],
    "categories": [{"id": 1, "name": "apple"}, {"id": 7, "name": "teddy bear"}],
    "annotations": [
        {"id": 10, "image_id": 1, "category_id": 7, "bbox": [0, 0, 9, 9], "segmentation": SQUARE},
        {"id": 11, "image_id": 2, "category_id": 1, "bbox": [0, 0, 9, 9], "segmentation": SQUARE},
        {"id": 12, "image_id": 3, "category_id": 1, "bbox": [0, 0, 9, 9], "segmentation": SQUARE},
    ],
}
JAPANESE = {"apple": "りんご", "teddy bear": "テディベア", "Apple": "りんご", "teddy_bear": "くま"}


def changed(name, place, /, **values):
    """COCO's file with other values in one entry."""
    content = copy.deepcopy(INSTANCES)
    content[name][place] |= values
    return content


def added(name, **values):
    """COCO's file with one more entry: the first with other values."""
    content = copy.deepcopy(INSTANCES)
    content[name].append(content[name][0] | values)
    return content


def file_with(folder, content, name="instances.json"):
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def read_for_pope(path):
    return {record.file_name: record.annotated for record in read_instances(path).images.values()}


def read_for_texture(path):
    found = {}
    for row in tables_from(path, JAPANESE, 0.15).objects:
        found.setdefault(f"{row['image_id']}.png", {})[row["category"]] = None
    return {image: tuple(objects) for image, objects in found.items()}


COCO_READERS = pytest.mark.parametrize("read", [read_for_pope, read_for_texture])


@COCO_READERS
class TestCoco:
    @pytest.mark.parametrize(
        ("content", "places"),
        [
            (changed("images", 2, id=1), ("images, entry 2", "images, entry 0")),
            (changed("images", 2, id="1"), ("written 1 and '1'", "images, entry 0")),
            (changed("images", 2, id=1.0), ("images, entry 2", "images, entry 0")),
            (changed("images", 2, id="001"), ("images, entry 2", "images, entry 0")),
            (changed("images", 2, file_name="im1.png"), ("'im1.png'", "images, entry 0")),
            (changed("images", 2, file_name="IM1.png"), ("case alone", "images, entry 0")),
            (changed("images", 2, file_name="more/im1.png"), ("folder alone", "'im1.png'")),
            (changed("categories", 1, id=1), ("categories, entry 1", "categories, entry 0")),
            (changed("categories", 1, id="1"), ("categories, entry 1", "categories, entry 0")),
            (changed("categories", 1, name="Apple"), ("case alone", "categories, entry 0")),
            (changed("annotations", 2, id=10), ("annotations, entry 2", "annotations, entry 0")),
            (changed("annotations", 2, id="10"), ("annotations, entry 2", "annotations, entry 0")),
        ],
    )
    def test_two_that_cannot_be_told_apart_are_refused_and_both_named(
        self, read, content, places, tmp_path
    ):
        with pytest.raises(AfterimageError) as error:
            read(file_with(tmp_path, content))
        assert all(place in str(error.value) for place in places), str(error.value)
        assert len(str(error.value).splitlines()) == 1

    @pytest.mark.parametrize(
        ("name", "key", "write"),
        [
            ("annotations", "category_id", str),
            ("annotations", "category_id", float),
            ("annotations", "image_id", str),
            ("annotations", "image_id", lambda one: f"{one:06d}"),
            ("annotations", "image_id", lambda one: f"{one}.0"),
            ("categories", "id", str),
            ("images", "id", str),
            ("images", "id", float),
        ],
    )
    def test_an_id_of_another_type_is_the_same_id(self, read, name, key, write, tmp_path):
        expected = read(file_with(tmp_path, INSTANCES))
        content = copy.deepcopy(INSTANCES)
        for entry in content[name]:
            entry[key] = write(entry[key])
        assert read(file_with(tmp_path, content)) == expected
        assert expected["im1.png"] == ("teddy bear",)

    @pytest.mark.parametrize("value", [None, True, 1.5, [1], float("nan"), " "])
    def test_what_is_no_id_is_named_as_it_was_found(self, read, value, tmp_path):
        for name, key in (("annotations", "category_id"), ("images", "id")):
            with pytest.raises(AfterimageError, match=r"entry 1: found .* id .*; expected a whole"):
                read(file_with(tmp_path, changed(name, 1, **{key: value})))

    @pytest.mark.parametrize(
        ("key", "value", "sentence"),
        [("category_id", "8", "category 8, which"), ("image_id", 8, "image 8, which")],
    )
    def test_an_id_that_is_not_there_is_named(self, read, key, value, sentence, tmp_path):
        with pytest.raises(AfterimageError, match=f"annotation 11 belongs to {sentence}"):
            read(file_with(tmp_path, changed("annotations", 1, **{key: value})))

    @pytest.mark.parametrize("name", ["images", "categories", "annotations"])
    def test_an_entry_that_repeats_another_in_full_counts_once(self, read, name, tmp_path, caplog):
        expected = read(file_with(tmp_path, INSTANCES))
        assert read(file_with(tmp_path, added(name))) == expected
        assert ("repeat another in full" in caplog.text) == (name != "categories")

    def test_annotations_without_ids_are_read(self, read, tmp_path):
        expected = read(file_with(tmp_path, INSTANCES))
        content = copy.deepcopy(INSTANCES)
        for entry in content["annotations"]:
            entry["id"] = None
        del content["annotations"][0]["id"]
        assert read(file_with(tmp_path, content)) == expected


def test_images_that_differ_in_their_ending_alone_would_have_one_name_in_texture(tmp_path):
    content = changed("images", 2, file_name="im1.jpg")
    with pytest.raises(AfterimageError, match=r"'im1' occurs here .* first in .*'im1\.png'"):
        tables_from(file_with(tmp_path, content), JAPANESE, 0.15)
    content = changed("categories", 0, name="teddy_bear")
    with pytest.raises(AfterimageError, match="'teddy_bear' occurs here for the second time"):
        tables_from(file_with(tmp_path, content), JAPANESE, 0.15)


class TestInstancesAndCaptions:
    CAPTIONS = {  # noqa: RUF012
        "images": INSTANCES["images"],
        "annotations": [{"id": 5, "image_id": "2", "caption": "An apple."}],
    }

    def read(self, folder, captions):
        paths = file_with(folder, INSTANCES), file_with(folder, captions, "captions.json")
        return coco_records(*map(str, paths), None, lambda text: [], "none")

    def test_an_id_is_one_image_in_both(self, tmp_path):
        records = self.read(tmp_path, self.CAPTIONS)
        assert [len(record.captions) for record in records] == [0, 1, 0]

    @pytest.mark.parametrize(
        ("images", "sentence"),
        [
            ([{"id": 2, "file_name": "other.png"}], "image id 2 is 'other.png', and 'im2.png' in"),
            ([{"id": 2, "file_name": "IM2.png"}], "image id 2 is 'IM2.png', and 'im2.png' in"),
            ([{"id": 2, "file_name": "val/im2.png"}], "'val/im2.png', and 'im2.png' in"),
            (
                [{"id": 2, "file_name": "im2.png"}, {"id": 9, "file_name": "im3.png"}],
                "image 'im3.png' has the id 9, and 3 in",
            ),
        ],
    )
    def test_an_id_that_is_another_image_in_the_other_file_is_refused(
        self, images, sentence, tmp_path
    ):
        with pytest.raises(AfterimageError, match=sentence):
            self.read(tmp_path, self.CAPTIONS | {"images": images})

    def test_captions_with_one_id_are_refused(self, tmp_path):
        twice = [{"id": 5, "image_id": 1, "caption": "A pear."}, *self.CAPTIONS["annotations"]]
        path = file_with(tmp_path, self.CAPTIONS | {"annotations": twice})
        with pytest.raises(AfterimageError, match="caption id 5 occurs here for the second time"):
            read_captions(path)


QUESTION = {"question_id": 1, "image": "a.jpg", "text": "Is there a cat?", "label": "yes"}


class TestQuestionFiles:
    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            ({"label": "no"}, "entry 2: question_id 1 occurs here .* entry 1;"),
            ({"question_id": "1"}, r"question_id 1 \(written 1 and '1'\) occurs here"),
            (
                {"question_id": 1.0, "text": "?"},
                r"question_id 1 \(written 1 and 1\.0\) occurs here",
            ),
            ({"question_id": 2, "image": "A.jpg"}, r"'A\.jpg' differs from 'a\.jpg' .* in case"),
            ({"question_id": 2, "image": "b/a.jpg"}, "differs from 'a.jpg' .* in its folder"),
            ({"question_id": None}, "entry 2 is not as expected: found question_id None"),
            ({"question_id": [2]}, "entry 2 is not as expected: found question_id"),
        ],
    )
    def test_what_cannot_be_told_apart_is_refused(self, change, sentence, tmp_path):
        with pytest.raises(AfterimageError, match=sentence):
            read_questions(file_with(tmp_path, [QUESTION, QUESTION | change]))

    def test_a_question_that_repeats_another_in_full_is_asked_once(self, tmp_path):
        read = read_questions(file_with(tmp_path, [QUESTION, QUESTION]))
        assert (len(read.questions), read.repeated) == (1, 1)

    def test_one_image_has_one_name_in_all_files(self, tmp_path):
        files = [
            read_questions(file_with(tmp_path, [QUESTION | {"image": image}], f"{number}.json"))
            for number, image in enumerate(("a.jpg", "val2014/a.jpg"))
        ]
        with pytest.raises(AfterimageError, match=r"1\.json: image .* \(.*0\.json\) in its folder"):
            require_same_names(files)

    def test_lists_of_objects_too(self, tmp_path):
        rows = [{"image": "a.jpg", "objects": ["cat"]}, {"image": "A.jpg", "objects": ["dog"]}]
        with pytest.raises(AfterimageError, match=r"entry 2: image .A\.jpg. differs .* in case"):
            read_segmentation(file_with(tmp_path, rows))


class TestHallusionBench:
    @staticmethod
    def write(folder, *changes):
        rows = [hallusionbench_question("VS", "1", "0", "1") | change for change in changes]
        file_with(folder, rows, hallusionbench.LABELS)
        return hallusionbench.figures(str(folder))

    def test_numbers_and_texts_are_one_id(self, tmp_path):
        changes = [{"set_id": one, "question_id": str(index)} for index, one in enumerate("0 ")]
        changes[1] = {"set_id": 0.0, "figure_id": 1, "question_id": 1, "visual_input": 1.0}
        (of_figure,) = self.write(tmp_path, *changes).values()
        assert [(name, len(asked)) for name, asked in of_figure.items()] == [("VS_chart_0_1", 2)]

    @pytest.mark.parametrize(
        "changes",
        [
            ({"subcategory": "Chart"}, {"subcategory": "chart"}),
            ({"subcategory": "a b"}, {"subcategory": "a-b"}),
            ({"set_id": "a"}, {"set_id": "A"}),
        ],
    )
    def test_figures_that_differ_in_case_or_signs_alone_are_refused(self, tmp_path, changes):
        with pytest.raises(AfterimageError, match=r"entry 1: figure .*entry 0"):
            self.write(tmp_path, *changes)

    def test_image_files_that_differ_in_case_alone_are_refused(self, tmp_path):
        changes = [
            {"filename": name, "set_id": one} for name, one in (("x/A.png", "0"), ("x/a.png", "1"))
        ]
        with pytest.raises(AfterimageError, match=r"entry 1: image 'x/a\.png' differs .*entry 0"):
            self.write(tmp_path, *changes)

    def test_an_id_that_is_none_is_named(self, tmp_path):
        with pytest.raises(AfterimageError, match="entry 0: found set_id None"):
            self.write(tmp_path, {"set_id": None})

    def test_recorded_answers_know_a_question_however_its_ids_are_written(self, tmp_path):
        row = hallusionbench_question("VS", "1", "0", "1") | {"response": "Yes"}
        numbers = {"set_id": 0, "figure_id": 1.0, "question_id": 0, "gt_answer": 1}
        file_with(tmp_path, "\n".join(map(json.dumps, [row, row | numbers])), "a.jsonl")
        (read,) = hallusionbench_answers(tmp_path)
        assert "1 questions stand twice" in read.notes[0]


class TestIllusionVqa:
    @pytest.mark.parametrize(("image", "how"), [("A1.jpg", "case"), ("x/a1.jpg", "its folder")])
    def test_images_that_differ_in_case_or_folder_alone_are_refused(self, tmp_path, image, how):
        write_illusionvqa(tmp_path)
        rows = [illusionvqa_entry(one, "A cat.") for one in ("a1.jpg", image)]
        file_with(tmp_path / "comprehension", rows, "eval_labels.json")
        with pytest.raises(AfterimageError, match=f"entry 1: image .*entry 0. in {how} alone"):
            dataset.questions(str(tmp_path), "comprehension")

    def test_answers_are_joined_to_items_however_the_id_is_written(self, tmp_path):
        item = {"subset": "s", "id": 3, "image": "a.jpg", "category": "size", "gold_index": 0}
        item["options"] = ["A.", "B."]
        answers = [
            {"subset": "s", "model": f"m{index}", "condition": "c", "id": one, "response": "a"}
            for index, one in enumerate((3, "3", 3.0, "3.0"))
        ]
        file_with(tmp_path, "\n".join(map(json.dumps, [item, *answers])), "all.jsonl")
        assert [run.answers[0].item.item_id for run in illusionvqa_answers(tmp_path).runs] == [
            "3"
        ] * 4
        other = json.dumps(item | {"id": "3", "gold_index": 1})
        file_with(tmp_path, other, "more.jsonl")
        with pytest.raises(AfterimageError, match="item 3 of s occurs twice, with different"):
            illusionvqa_answers(tmp_path)


class TestIllusionBench:
    HEADER = "image_id,file,category,difficulty,width,height,source,licence"

    def write(self, folder, images, statements=()):
        lines = [f"{image},a.png,classical,easy,,,," for image in images]
        file_with(folder, "\n".join([self.HEADER, *lines]), "images.csv")
        about = {"statement": "It is so.", "gold": True, "about": "semantic"}
        rows = [{"item_id": item, "image_id": image, **about} for item, image in statements]
        for name in ("tf.jsonl", "mcq.jsonl", "golden.jsonl"):
            file_with(folder, "\n".join(map(json.dumps, rows)) if name == "tf.jsonl" else "", name)
        picture(folder / "a.png", "white")
        return illusionbench.read({"folder": str(folder), "leave_out": []})

    @pytest.mark.parametrize(
        ("images", "statements", "sentence"),
        [
            (["a", "a"], [], r"line 3: image_id 'a' occurs here .* line 2"),
            (["a", "A"], [], r"line 3: image_id 'A' differs from 'a' .* line 2\) in case alone"),
            (["a"], [("t", "a"), ("t", "a")], "item_id 't' occurs here for the second time"),
            (["a"], [("t", "a"), ("T", "a")], "item_id 'T' differs from 't' .* in case alone"),
            (["a"], [("t", "A")], r"tf\.jsonl, line 1: image_id 'A' differs from 'a'"),
        ],
    )
    def test_rows_that_cannot_be_told_apart_are_refused(
        self, tmp_path, images, statements, sentence
    ):
        with pytest.raises(AfterimageError, match=sentence):
            self.write(tmp_path, images, statements)


def test_own_images_that_differ_in_case_alone_are_refused_and_folders_tell_them_apart(tmp_path):
    for name in ("one/a.png", "two/a.png", "two/A.png"):
        picture(tmp_path / name, "white")
    header = "image,question,options,answer"
    file_with(tmp_path, f"{header}\none/a.png,Q?,,yes\ntwo/a.png,Q?,,yes\n", "questions.csv")
    require_images("mine", str(tmp_path), "ignore")
    rows = "two/a.png,Q?,,yes\ntwo/A.png,Q?,,no\n"
    file_with(tmp_path, f"{header}\n{rows}", "questions.csv")
    with pytest.raises(AfterimageError, match=r"line 3, .*'two/A\.png' differs from 'two/a\.png'"):
        require_images("mine", str(tmp_path), "ignore")


class TestPeople:
    @pytest.mark.parametrize(
        "names", [("Ann", "ann"), ("7", "7.0"), ("Émile", "émile"), ("P1", "p1")]
    )
    def test_one_person_is_not_two(self, names):
        places = zip(names, ("a.csv: line 2", "b.csv: line 5"), strict=True)
        with pytest.raises(AfterimageError, match=r"b\.csv: line 5: .*a\.csv: line 2.* alone"):
            require_one_spelling("annotator_id", places)

    def test_nor_in_a_file_of_responses(self, tmp_path):
        rows = "participant_id,image_id,question,option_id\nAnn,i,q,o\nann,i,q,o\n"
        with pytest.raises(AfterimageError, match="line 3: participant_id 'ann' differs"):
            read_responses(file_with(tmp_path, rows, "people.csv"))

    def test_votes_of_two_files_are_told_apart_together(self, tmp_path):
        header = "pair_id,word,annotator_id,vote,source\n"
        paths = [
            str(file_with(tmp_path, f"{header}p,赤い,{name},1,human\n", f"{name}.csv"))
            for name in ("Ann", "ann_")
        ]
        assert len(read_people(paths, columns.VOTES)) == 2
        file_with(tmp_path, f"{header}p,赤い,ANN,1,human\n", "ann_.csv")
        with pytest.raises(AfterimageError, match="annotator_id 'ANN' differs from 'Ann'"):
            read_people(paths, columns.VOTES)

    @pytest.mark.parametrize(("second", "how"), [("t1", "second time"), ("T1", "in case alone")])
    def test_an_id_stands_in_one_row_of_one_file(self, tmp_path, second, how):
        header = "triple_id,image_id,object_id,word,worker_id,collected_at\n"
        first, other = (f"{one},im,o,甘い,w,\n" for one in ("t1", second))
        path = file_with(tmp_path, f"{header}{first}{other}", "triples.csv")
        with pytest.raises(AfterimageError, match=f"line 3: triple_id .*line 2.*{how}|{how}"):
            read_rows(path, columns.TRIPLES)
        paths = [
            str(file_with(tmp_path, f"{header}{row}", f"{index}.csv"))
            for index, row in enumerate((first, other))
        ]
        with pytest.raises(AfterimageError, match=r"1\.csv: line 2: triple_id .*0\.csv: line 2"):
            read_people(paths, columns.TRIPLES)


def test_a_stimulus_of_recorded_outcomes_has_one_truth(tmp_path):
    outcome = dict.fromkeys(blindtest.OUTCOME_COLUMNS, "x") | {
        "task": "grid",
        "stimulus_id": "s1",
        "truth": "3",
        "correct": "1",
    }
    stimuli = [outcome, outcome | {"truth": "4"}]
    for name, columns_of, rows in (
        ("outcomes.csv", blindtest.OUTCOME_COLUMNS, [outcome]),
        ("stimuli.csv", blindtest.STIMULUS_COLUMNS, stimuli),
        ("prompts.csv", blindtest.PROMPT_COLUMNS, [outcome | {"prompt_text": "x"}]),
    ):
        lines = [columns_of, *([row[column] for column in columns_of] for row in rows)]
        file_with(tmp_path, "\n".join(map(",".join, lines)), name)
    with pytest.raises(AfterimageError, match=r"'s1' .* occurs with the truth '3' and with"):
        blindtest.read_recorded(tmp_path)


def test_ids_as_texts():
    same = [7, 7.0, "7", "007", " 7 ", "7.0", "７"]
    assert {id_text(one) for one in same} == {"7"}
    assert [id_text(one) for one in (0, "0", "00", "0.0", "-0")] == ["0"] * 5
    assert [id_text(one) for one in ("a7", "7a", "1.5", "v1.0")] == ["a7", "7a", "1.5", "v1.0"]
    assert [id_text(one) for one in (None, True, 1.5, "", " ", [7], float("inf"))] == [None] * 7
    assert name_text("7.0") == "7.0"


def test_a_row_is_found_however_its_id_is_written_and_no_other():
    rows = RowIds("row id")
    rows.add("Cat", 1, "line 1")
    rows.add(7, 2, "line 2")
    assert rows.find("7.0", "there") == "7"
    assert rows.find("dog", "there") is None
    with pytest.raises(AfterimageError, match=r"there: row id 'CAT' differs from 'Cat' \(line 1\)"):
        rows.find("CAT", "there")


@pytest.mark.parametrize(
    ("change", "remark"),
    [
        ({"image": "val2014/a.jpg"}, "image 'val2014/a.jpg' is not 'a.jpg'"),
        ({"image": "A.jpg"}, "image 'A.jpg' is not 'a.jpg'"),
        ({"text": "Is there a dog?"}, "'Is there a dog?' is not 'Is there a cat?'"),
    ],
)
def test_answers_of_pope_say_what_tells_their_question_from_the_one_with_its_id(
    tmp_path, change, remark
):
    questions = [QUESTION, QUESTION | {"question_id": 2, "text": "Is there a cow?"}]
    (tmp_path / "questions").mkdir()
    file_with(tmp_path / "questions", questions, "coco_pope_random.json")
    answers = [
        QUESTION | {"split": "random", "response": "Yes"} | change,
        questions[1] | {"split": "random", "response": "No", "question_id": "2.0"},
    ]
    file_with(tmp_path, "\n".join(map(json.dumps, answers)), "model.jsonl")
    read = pope_answers(tmp_path, tmp_path / "questions").models["model"]["random"]
    assert [answer.question_id for answer in read.answers] == ["2"]
    assert any(remark in one for one in read.remarks), read.remarks
