"""Items: what is asked in which words, with which key, and what is counted because it is not asked."""

import json
from collections import Counter
from dataclasses import replace

import pytest
import yaml
from PIL import Image
from pope_material import (
    drawn,
    english,
    images_of,
    items_of,
    pope_texts,
    settings,
    write_annotations,
)

from afterimage.errors import AfterimageError
from afterimage.suites.pope.language import existence_text, filled, with_suffix
from afterimage.suites.pope.names import RECORDS
from afterimage.suites.pope.record import read_image_records
from afterimage.suites.pope.seeing import answer_from, look


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the annotations of the default scenes."""
    path = tmp_path_factory.mktemp("study")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        write_annotations()
    return path


@pytest.fixture
def made(folder, monkeypatch):
    """Make the items of the default scenes under changed settings."""
    monkeypatch.chdir(folder)
    return lambda **changes: items_of(settings(**changes))


@pytest.fixture(scope="module")
def items(folder):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return items_of(settings())


def of(items, variant, strategy=None):
    chosen = [item for item in items if item["factors"]["variant"] == variant]
    return [item for item in chosen if strategy in (None, item["factors"]["strategy"])]


def text_of(item):
    return item["messages"][0]["parts"][1]["text"]


def asked_of(item):
    return json.loads(item["factors"]["asked_of"])


class TestWording:
    TEMPLATE = pope_texts()["templates"]["is_there"]

    @pytest.mark.parametrize(
        ("name", "grammar", "asked"),
        [
            ("umbrella", "official", "Is there an umbrella in the image?"),
            ("skis", "official", "Is there a skis in the image?"),
            ("skis", "natural", "Are there any skis in the image?"),
            ("kite", "natural", "Is there a kite in the image?"),
        ],
    )
    def test_official_grammar_keeps_upstreams_skis_and_natural_asks_for_any(
        self, name, grammar, asked
    ):
        assert existence_text(self.TEMPLATE, name, grammar, english()) == asked

    def test_only_the_article_before_the_placeholder_changes(self):
        assert filled("As a rule, is a {object} an image?", "orange", english()) == (
            "As a rule, is an orange an image?"
        )

    def test_the_papers_four_templates_and_llavas_suffix_are_verbatim(self):
        texts = {
            name: existence_text(template, "car", "official", english())
            for name, template in pope_texts()["templates"].items()
            if template["language"] == "en"
        }
        assert texts == {
            "is_there": "Is there a car in the image?",
            "does_contain": "Does the image contain a car?",
            "have_you_noticed": "Have you noticed a car in the image?",
            "can_you_see": "Can you see a car in the image?",
        }
        assert with_suffix(texts["is_there"], pope_texts()["suffixes"]["single_word"]) == (
            "Is there a car in the image?\nAnswer the question using a single word or phrase."
        )


class TestItems:
    def test_no_item_shows_what_only_its_key_may_know(self, items):
        for item in items:
            assert item["stimulus_id"] not in text_of(item)
            assert item["factors"]["image_id"] not in text_of(item)
            assert not {"random", "popular", "adversarial"} & set(text_of(item).split())

    def test_a_prompt_under_another_grammar_or_suffix_is_another_prompt(self, made):
        assert {item["prompt"] for item in made(variants=["pope"])} == {"is_there"}
        natural = made(variants=["pope"], grammar="natural", suffix="single_word")
        assert {item["prompt"] for item in natural} == {"is_there_natural_single_word"}
        assert any(
            text_of(item).startswith("Are there any scissors in the image?\n") for item in natural
        )

    def test_several_prompts_ask_the_same_questions(self, made):
        found = made(variants=["pope"], prompts=["is_there", "can_you_see"])
        by_identity = {}
        for item in found:
            identity = (
                item["stimulus_id"],
                item["factors"]["strategy"],
                item["factors"]["question_id"],
            )
            by_identity.setdefault(identity, {})[item["prompt"]] = item["key"]
        assert all(set(prompts) == {"is_there", "can_you_see"} for prompts in by_identity.values())
        assert all(len(set(prompts.values())) == 1 for prompts in by_identity.values())

    def test_variants_that_are_not_chosen_are_not_asked(self, made):
        assert {item["factors"]["variant"] for item in made(variants=["pope_blog"])} == {
            "pope_blog"
        }
        assert {
            item["factors"]["strategy"] for item in made(variants=["pope"], strategies=["popular"])
        } == {"popular"}

    def test_there_are_six_questions_per_scene_and_strategy_half_of_them_yes(self, items):
        for strategy in ("random", "popular", "adversarial"):
            questions = of(items, "pope", strategy)
            assert len(questions) == 180
            assert Counter(item["key"] for item in questions) == {"yes": 90, "no": 90}
            assert set(Counter(item["stimulus_id"] for item in questions).values()) == {6}
            ids = [int(item["factors"]["question_id"]) for item in questions]
            assert ids == list(range(1, 181))

    def test_positives_are_the_same_requests_in_all_strategies(self, items):
        by_strategy = {
            strategy: [
                (item["stimulus_id"], text_of(item))
                for item in of(items, "pope", strategy)
                if item["key"] == "yes"
            ]
            for strategy in ("random", "popular", "adversarial")
        }
        assert by_strategy["random"] == by_strategy["popular"] == by_strategy["adversarial"]


class TestBlogItems:
    def test_r_as_the_blog_has_it_marks_its_wrong_keys(self, made):
        found = of(made(blog={"r_exclude_present": False}), "pope_blog", "R")
        conflicts = [item for item in found if item["factors"]["gold_conflict"] == "yes"]
        assert 0 < len(conflicts) < len(found)

    def test_with_a_table_of_names_objects_and_attributes_are_chinese(self, made, tmp_path):
        names = [
            *pope_texts()["lexicon"]["categories"],
            *(
                value
                for values in pope_texts()["english"]["attributes"].values()
                for value in values
            ),
        ]
        numbered = {name: f"中{number}" for number, name in enumerate(names)}
        table = tmp_path / "names.yaml"
        table.write_text(
            yaml.safe_dump({"names": numbered, "attributes": numbered, "measures": {}})
        )
        blog = {"object_language": "zh"}
        found = of(made(blog=blog, name_table=str(table)), "pope_blog")
        assert all("中" in text_of(item) for item in found)
        assert not any(
            letter.isascii() and letter.isalpha() for item in found for letter in text_of(item)
        )

    def test_a_name_that_the_table_lacks_is_one_sentence(self, made, tmp_path):
        table = tmp_path / "names.yaml"
        table.write_text("names: {ball: 球}\nattributes: {}\nmeasures: {}\n")
        with pytest.raises(AfterimageError, match="name_table: no Chinese word for"):
            made(blog={"object_language": "zh"}, name_table=str(table))

    def test_keys_follow_from_the_strategy(self, items):
        keys = {item["factors"]["strategy"]: item["key"] for item in of(items, "pope_blog")}
        assert keys == {"C": "yes", "R": "no", "A": "no"}

    def test_the_question_mixes_chinese_with_the_captions_language(self, items):
        for item in of(items, "pope_blog"):
            assert text_of(item).startswith("图像中是否存在 ")
            assert text_of(item).endswith("?")
            assert [option["text"] for option in item["options"]] == ["是", "否"]


class TestExtendedItems:
    def test_all_keys_are_what_the_pixels_show(self, folder, monkeypatch):
        monkeypatch.chdir(folder)
        made = settings()
        seen = {
            spec.stimulus_id: look(pixels)
            for of_figure in drawn(made).values()
            for spec, pixels in of_figure
        }
        for item in items_of(made):
            answer = answer_from(seen[item["stimulus_id"]], text_of(item))
            assert answer in (("Yes", "是") if item["key"] == "yes" else ("No", "否")), item[
                "item_id"
            ]

    def test_a_look_alike_is_absent_and_the_most_alike_of_all_that_are(
        self, items, folder, monkeypatch
    ):
        monkeypatch.chdir(folder)
        objects = {
            record.image_id: set(record.entries)
            for of_figure in read_image_records(RECORDS).values()
            for record in of_figure
        }
        similar = pope_texts()["lexicon"]["similar"]
        negatives = [item for item in of(items, "pope_extended", "similar") if item["key"] == "no"]
        for item in negatives:
            there = objects[item["factors"]["image_id"]]
            absent = [name for name in similar[item["factors"]["similar_to"]] if name not in there]
            assert item["factors"]["object"] == absent[0]
            assert item["factors"]["similar_to"] in there

    def test_names_without_a_singular_are_asked_about_in_the_plural(self, items):
        for item in of(items, "pope_extended"):
            first = item["factors"]["first"] or item["factors"]["object"]
            if first in ("scissors", "glasses"):
                assert text_of(item).startswith("Are ")

    def test_more_scenes_change_no_relation_and_no_attribute_of_the_others(
        self, tmp_path, monkeypatch, items
    ):
        monkeypatch.chdir(tmp_path)
        more = items_of(write_annotations(scenes=40))
        kept = {item["item_id"]: text_of(item) for item in of(more, "pope_extended")}
        for item in of(items, "pope_extended"):
            assert kept[item["item_id"]] == text_of(item)

    def test_each_kind_is_balanced(self, items):
        counts = Counter(
            (item["factors"]["strategy"], item["key"]) for item in of(items, "pope_extended")
        )
        for kind in ("count", "left_of", "above", "inside", "larger_than", "similar"):
            assert counts[kind, "yes"] == counts[kind, "no"] > 0
        assert abs(counts["colour", "yes"] - counts["colour", "no"]) <= 2


class TestShards:
    def test_a_shard_asks_the_same_of_its_stimuli_as_the_whole(self, folder, monkeypatch, items):
        monkeypatch.chdir(folder)
        part = items_of(settings(), shard=slice(5, 9))
        whole = {item["item_id"]: item for item in items}
        shown = {image.stimulus_id for image in images_of(settings())[5:9]}
        assert {item["stimulus_id"] for item in part} == shown
        assert all(whole[item["item_id"]] == item for item in part)


class TestOfficialFiles:
    @pytest.fixture
    def files(self, tmp_path):
        """Two question files about three images, one of which is there."""
        texts = ["Is there a snowboard in the imange?", "Is there an traffic light in the image?"]
        made = {}
        for strategy in ("random", "adversarial"):
            rows = [
                {
                    "question_id": 2 * number + index + 1,
                    "image": f"{name}.jpg",
                    "text": text,
                    "label": label,
                }
                for number, name in enumerate("abc")
                for index, (text, label) in enumerate(zip(texts, ("yes", "no"), strict=True))
            ]
            path = tmp_path / f"coco_pope_{strategy}.json"
            path.write_text("\n".join(json.dumps(row) for row in rows))
            made[strategy] = str(path)
        images = tmp_path / "images"
        images.mkdir()
        Image.new("RGB", (30, 20), "red").save(images / "b.jpg")
        return settings(source="questions", questions=made, image_folder=str(images))

    def test_texts_are_asked_as_they_stand_and_joined_to_their_ids(self, files):
        found = items_of(files)
        assert {text_of(item) for item in found} == {
            "Is there a snowboard in the imange?",
            "Is there an traffic light in the image?",
        }
        assert [item["factors"]["question_id"] for item in found] == ["3", "4"] * 2
        assert {item["prompt"] for item in found} == {"as_released"}
        assert {item["factors"]["object"] for item in found} == {"snowboard", "traffic light"}

    def test_missing_images_are_not_asked_about_and_every_one_is_counted(self, files):
        found = items_of(files)
        assert {item["stimulus_id"] for item in found} == {"questions_00001"}
        assert asked_of(found[0])["random"] == {
            "images": 3,
            "questions": 6,
            "image_missing": 4,
            "no_negative_left": 0,
        }

    def test_a_present_image_is_decoded_and_a_missing_one_leaves_a_placeholder(self, files):
        made = drawn(files)["questions"]
        assert [pixels.shape for _, pixels in made] == [(64, 64, 3), (20, 30, 3), (64, 64, 3)]
        assert [spec.factors["image"] for spec, _ in made] == ["missing", "present", "missing"]

    def test_without_any_image_nothing_is_asked_and_nothing_fails(self, files):
        assert items_of(replace(files, image_folder=None)) == []


class TestCoco:
    CAPTION = "A dog and two red cars in front of a bench."

    @pytest.fixture
    def coco(self, tmp_path, monkeypatch):
        """Eight images with annotations and captions; a bench is mentioned and never annotated."""
        monkeypatch.chdir(tmp_path)
        categories = ["person", "dog", "car", "kite", "bench", "cat", "bus"]
        images = [{"id": number, "file_name": f"{number}.jpg"} for number in range(8)]
        annotations = [
            {"id": 10 * number + index, "image_id": number, "category_id": category}
            for number in range(8)
            for index, category in enumerate((1, 2, (0, 5, 6, 3)[number % 4]))
        ]
        instances = {
            "images": images,
            "categories": [{"id": number, "name": name} for number, name in enumerate(categories)],
            "annotations": annotations,
        }
        captions = {
            "images": images,
            "annotations": [
                {"id": 100 + number, "image_id": number, "caption": self.CAPTION}
                for number in range(8)
            ],
        }
        paths = {}
        for name, content in (("instances", instances), ("captions", captions)):
            paths[name] = str(tmp_path / f"{name}.json")
            (tmp_path / f"{name}.json").write_text(json.dumps(content))
        (tmp_path / "images").mkdir()
        for number in range(8):
            Image.new("RGB", (20, 20), (10 * number, 0, 0)).save(
                tmp_path / "images" / f"{number}.jpg"
            )
        return {"source": "coco", "images": 5, "image_folder": str(tmp_path / "images"), **paths}

    def test_images_are_drawn_and_both_variants_are_asked(self, coco):
        found = items_of(settings(**coco))
        assert len({item["stimulus_id"] for item in found}) == 5
        assert {item["factors"]["variant"] for item in found} == {"pope", "pope_blog"}

    def test_questions_about_an_image_that_is_not_there_are_counted(self, coco, tmp_path):
        questions = of(items_of(settings(**coco)), "pope", "random")
        gone = questions[0]["factors"]["image_id"]
        (tmp_path / "images" / f"{gone}.jpg").unlink()
        left = of(items_of(settings(**coco)), "pope", "random")
        assert gone not in {item["factors"]["image_id"] for item in left}
        assert asked_of(left[0])["random"]["image_missing"] == len(questions) - len(left) > 0

    def test_union_flags_what_is_only_mentioned_and_what_is_only_annotated(self, coco, tmp_path):
        found = of(items_of(settings(**coco)), "pope")
        evidence = {
            item["factors"]["object"]: item["factors"]["evidence"]
            for item in found
            if item["key"] == "yes"
        }
        assert evidence["dog"] == evidence["car"] == "both"
        assert {evidence[name] for name in set(evidence) & {"person", "cat", "bus", "kite"}} == {
            "annotated"
        }
        instances = json.loads((tmp_path / "instances.json").read_text())
        rows = instances["annotations"]
        instances["annotations"] = [
            row for row in rows if row["image_id"] < 4 or row["id"] % 10 < 2
        ]
        (tmp_path / "instances.json").write_text(json.dumps(instances))
        found = of(items_of(settings(**(coco | {"images": 8}))), "pope")
        bench = {
            item["factors"]["evidence"] for item in found if item["factors"]["object"] == "bench"
        }
        assert bench == {"mentioned"}

    def test_an_absent_object_that_a_caption_mentions_has_a_weak_key(self, coco, tmp_path):
        captions = json.loads((tmp_path / "captions.json").read_text())
        for row in captions["annotations"]:
            row["caption"] = "A person, a cat, a bus and a kite."
        (tmp_path / "captions.json").write_text(json.dumps(captions))
        negatives = [
            item
            for item in of(items_of(settings(**coco, ground_truth="instances")), "pope")
            if item["key"] == "no"
        ]
        assert negatives
        assert {item["factors"]["evidence"] for item in negatives} == {"mentioned"}
        assert {item["factors"]["weak_gold"] for item in negatives} == {"yes"}

    def test_with_captions_alone_every_negative_is_weak(self, coco, tmp_path):
        captions = json.loads((tmp_path / "captions.json").read_text())
        for number, row in enumerate(captions["annotations"]):
            row["caption"] = f"A dog, a car and a {('person', 'cat', 'bus', 'kite')[number % 4]}."
        (tmp_path / "captions.json").write_text(json.dumps(captions))
        found = of(items_of(settings(**(coco | {"instances": None}))), "pope")
        weak = {(item["key"], item["factors"]["weak_gold"]) for item in found}
        assert weak == {("yes", "no"), ("no", "yes")}

    def test_the_blogs_attribute_is_weak_where_annotations_know_no_attributes(self, coco):
        found = of(items_of(settings(**coco)), "pope_blog", "A")
        assert found
        recoloured = [item for item in found if "two" in item["factors"]["attributes"].split()]
        recounted = [item for item in found if item not in recoloured]
        assert {item["factors"]["weak_gold"] for item in recoloured} == {"yes"}
        assert {item["factors"]["weak_gold"] for item in recounted} <= {"no"}

    def test_a_segmentation_list_is_sampled_alike(self, coco, tmp_path):
        lines = [
            {"image": f"{number}.jpg", "objects": ["dog", "car", "person" if number % 2 else "cat"]}
            for number in range(8)
        ]
        (tmp_path / "list.json").write_text(json.dumps(lines))
        listed = settings(
            source="segmentation",
            segmentation=str(tmp_path / "list.json"),
            images=8,
            image_folder=coco["image_folder"],
        )
        found = items_of(listed)
        assert {item["factors"]["variant"] for item in found} == {"pope"}
        assert {item["factors"]["evidence"] for item in found} == {"listed", "neither"}
        assert asked_of(found[0])["random"]["no_negative_left"] == 8 * 2
