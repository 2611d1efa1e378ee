"""Stimuli to items: the words of the paper's figures, the options, and who answers them how."""

import json
import re
from collections import Counter

import pytest
from reference_replies import replies_of
from texture_samples import (
    PROMPTS,
    grades,
    items,
    natural_accepted,
    object_words,
    settings,
    text_of,
    write_csv,
    write_folder,
)

from afterimage.files.yaml import read_yaml
from afterimage.grading.readers import numbered_option, word_list
from afterimage.items.wording import RULES
from afterimage.models import chance, textbook
from afterimage.suites.texture import columns
from afterimage.suites.texture import questions as knowledge
from afterimage.suites.texture.dataset import dataset_source, load_dataset, rules
from afterimage.suites.texture.questions import generation_items
from afterimage.suites.texture.suite import words

RAW = read_yaml(PROMPTS)["prompts"]


def squeezed(text):
    return re.sub(r"\s", "", text)


def prompt(name):
    return words(settings())["prompts"][name]


@pytest.fixture(scope="module")
def drawn():
    return items()


class TestWords:
    def test_templates_differ_from_what_the_pdf_holds_in_blanks_and_placeholders_alone(self):
        cls, gen = RAW["texture_cls_fig2"], RAW["texture_gen_fig3"]
        options = "0:ヌメっとした1:毛並みがきれい2:生き生き3:おめかし4:密集した"
        filled = squeezed(cls["text"]).format(object="猫", options=options)
        assert filled == squeezed(cls["extracted"])
        assert squeezed(gen["text"]).format(object="果物") == squeezed(gen["extracted"])

    def test_the_classification_prompt_of_figure_2(self, drawn):
        listed = "0: ヌメっとした　　1: 毛並みがきれい　　2: 生き生き　　3: おめかし　　4: 密集した"
        text = prompt("texture_cls_fig2")["text"].format(object="猫", options=listed)
        assert text.split("\n") == [
            "画像内にあるモノの「質感」を選択していただくタスクです。",
            "　質感とは、下記のようなものを指します。",
            "　・物性（光沢感・透明感など）",
            "　・状態（乾燥・凍結など）",
            "　・印象（美しい・醜いなど)",
            "　与えられた表現の中で、指定された物体に対して最も適切と感じる表現を選択してください。",
            "　",
            "写真内にある猫に対して最も適切な質感を選択してください。",
            "　",
            "解答の際には、選択肢に対応する半角数字を使って解答してください。",
            f"　　{listed}",
        ]

    def test_the_generation_prompt_of_figure_3(self):
        lines = prompt("texture_gen_fig3")["text"].format(object="果物").split("\n")
        assert lines[0] == "　画像内にあるモノの「質感」を述べていただくタスクです。"
        assert lines[4:6] == [
            "　・印象（美しい・醜いなど）",
            "　画像に対して感じる質感を表す表現を３個「、」で分けて書いてください。",
        ]
        assert lines[7] == "その際、3個とも出来るだけ違う観点の表現にしてください。"
        assert lines[-1] == "写真内にある「果物」は、どのような質感を持っているように感じますか？"

    def test_the_notes_beside_a_template_change_no_question(self, tmp_path):
        text = PROMPTS.read_text(encoding="utf-8").replace("forced line ends", "line ends")
        (tmp_path / "p.yaml").write_text(text, encoding="utf-8")
        assert words(settings(prompt_file=str(tmp_path / "p.yaml"))) == words(settings())


class TestItems:
    def test_objects_at_and_below_the_limit_are_not_asked_about(self, drawn):
        figures = {item["stimulus_id"] for item in drawn if item["stimulus_id"].startswith("area")}
        assert figures == {"area_limit_0151"}

    def test_the_key_is_the_place_of_the_right_word_in_the_request(self, drawn):
        for item in drawn:
            if item["question"] == "describe":
                continue
            factors = item["factors"]
            listed = dict(re.findall(r"(\d): (\S+)", text_of(item).splitlines()[-1]))
            assert listed[item["key"]] == factors["gold_word"]
            assert (
                [listed[o["option_id"]] for o in item["options"]]
                == [o["text"] for o in item["options"]]
                == json.loads(factors["options"])
            )
            assert len(listed) == int(factors["choices"])

    def test_nothing_but_the_image_and_the_paper_words_is_shown(self, drawn):
        for item in drawn:
            (message,) = item["messages"]
            assert [part["type"] for part in message["parts"]] == ["image", "text"]
            assert "simulated" not in text_of(item) and item["stimulus_id"] not in text_of(item)

    def test_an_object_is_called_what_its_table_calls_it_and_braces_stay(self, tmp_path):
        folder = tmp_path / "d"
        write_folder(folder, 6, votes=natural_accepted)
        path = folder / "objects.csv"
        path.write_text(path.read_text(encoding="utf-8").replace("橋", "{橋}"), encoding="utf-8")
        texts = [text_of(item) for item in items(data=str(folder))]
        assert any("写真内にある{橋}に対して" in text for text in texts)
        assert any("写真内にある「{橋}」は" in text for text in texts)

    def test_without_words_nothing_is_asked_and_without_votes_only_descriptions(self, tmp_path):
        folder = tmp_path / "d"
        write_folder(folder, 6)
        assert {item["question"] for item in items(data=str(folder))} == {"describe"}
        (folder / "triples.csv").unlink()
        assert items(data=str(folder)) == []

    def test_each_item_belongs_to_its_image(self, tmp_path):
        folder = write_folder(tmp_path / "d", 6, votes=natural_accepted)
        for item in items(data=folder):
            assert item["item_id"].startswith(f"{item['stimulus_id']}:o/")
            assert item["factors"]["item"] == item["item_id"].rsplit("/", 1)[0]

    def test_there_are_41_of_each_question_about_the_drawn_materials(self, drawn):
        counts = Counter(item["question"] for item in drawn)
        assert counts == {"choose_2": 41, "choose_5": 41, "describe": 41}
        assert len({item["item_id"] for item in drawn}) == len(drawn)

    def test_the_right_word_is_at_place_0_as_often_as_anywhere(self, drawn):
        keys = Counter(item["key"] for item in drawn if item["question"] == "choose_5")
        assert set(keys.values()) <= {8, 9} and sum(keys.values()) == 41


class TestGenerationItems:
    def asked(self, folder, **changes):
        chosen = settings(data=folder, **changes)
        return generation_items(load_dataset(dataset_source(chosen, {})), rules(chosen))

    def test_people_words_are_all_that_anybody_wrote_as_normal_forms(self, tmp_path):
        folder = tmp_path / "d"
        write_folder(folder, 2)
        with (folder / "triples.csv").open("a", encoding="utf-8") as file:
            file.write("x,im00,o,⾹ばしい。,w,\ny,im00,o,香ばしい,w,\n")
        item = self.asked(str(folder))[0]
        assert item.human_words == (*object_words(0), "香ばしい")

    def test_verified_words_are_those_that_annotators_accept(self, tmp_path):
        def votes(pair, number):
            return 5 if number < 3 else 0

        folder = write_folder(tmp_path / "d", 4, votes=votes)
        pairs = load_dataset(dataset_source(settings(data=folder), {})).pairs
        accepted = {pair["image_id"]: {pair["w1"], pair["w2"]} for pair in pairs}
        for item in self.asked(folder, human_words="verified"):
            assert set(item.human_words) == accepted[item.key[0]]

    def test_an_object_that_nobody_described_is_not_asked_about(self, tmp_path):
        folder = tmp_path / "d"
        write_folder(folder, 3)
        path = folder / "triples.csv"
        lines = [
            line for line in path.read_text(encoding="utf-8").splitlines() if "im01" not in line
        ]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        assert [item.key[0] for item in self.asked(str(folder))] == ["im00", "im02"]

    def test_a_further_object_pushes_out_one_at_most(self, tmp_path):
        few = self.asked(write_folder(tmp_path / "a", 10), generation_items=5)
        many = self.asked(write_folder(tmp_path / "b", 11), generation_items=5)
        assert len(few) == len(many) == 5
        assert len({i.key for i in few} - {i.key for i in many}) <= 1

    def test_a_file_says_which_objects_and_may_say_which_words(self, tmp_path):
        folder = tmp_path / "d"
        write_folder(folder, 4)
        rows = [
            {
                "item_id": "g1",
                "image_id": "im02",
                "object_id": "o",
                "human_words": "甘い、⾹ばしい",
            },
            {"item_id": "g2", "image_id": "im00", "object_id": "o"},
        ]
        write_csv(folder / "items_gen.csv", columns.GENERATION_ITEMS, rows)
        first, second = self.asked(str(folder))
        assert (first.item_id, first.human_words) == ("g1", ("甘い", "香ばしい"))
        assert (second.item_id, second.human_words) == ("g2", object_words(0))

    def test_what_chance_guesses_among_is_one_list_for_this_object_and_others_for_others(
        self, drawn
    ):
        for item in drawn:
            if item["question"] == "describe":
                lists = {o["option_id"]: set(o["text"].split("、")) for o in item["options"]}
                human_words = set(json.loads(item["factors"]["human_words"]))
                assert lists.pop("people") <= human_words
                assert len(lists) == 9 and all(words != human_words for words in lists.values())


def ask(backend, entry, questions):
    replies = replies_of(backend, entry, knowledge.answer, questions)
    return grades(questions, {"m": lambda item: replies[item["item_id"]]})


class TestReferenceResponders:
    def test_every_guess_can_be_read(self, drawn):
        guessed = ask(chance, {"seed": 7}, drawn)
        assert not (guessed["outcome"] == "unparsed").any()

    @pytest.mark.parametrize("rule", RULES)
    def test_the_textbook_answers_from_the_objects_name_alone(self, drawn, rule):
        given = ask(textbook, {"rule": rule}, drawn)
        described = given[given["question"] == "describe"]
        assert dict(described.groupby("object")["answer"].unique().map(list)) == {
            "板": ["硬い、ざらざら、乾いた"],
            "球": ["つやつや、光沢のある、硬い"],
        }
        assert not (given["outcome"] == "unparsed").any()
        assert given.loc[given["question"] == "choose_5", "correct"].mean() < 0.5

    def test_the_textbook_has_an_answer_to_objects_it_does_not_know(self):
        item = {"question": "choose_2", "factors": {"object": "猫"}, "options": [("0", "甘い")]}
        assert knowledge.answer(item, "cued") == "甘い"
        assert knowledge.answer({**item, "question": "describe"}, "gated") == "甘い"


#: What a stub says to a question with options, and whether it counts as right and as a number alone.
STUBS = {
    "oracle": (lambda item: item["key"], "right", True),
    "always 0": (lambda item: "0", "sometimes", True),
    "full-width digit": (lambda item: chr(ord("０") + int(item["key"])), "right", True),
    "number and word": (
        lambda item: f"{item['key']}: {item['factors']['gold_word']}",
        "right",
        False,
    ),
    "sentence": (
        lambda item: f"最も適切なのは「{item['factors']['gold_word']}」です。",
        "right",
        False,
    ),
    "final stop": (lambda item: f"{item['key']}。", "right", True),
    "refusal": (lambda item: "申し訳ありませんが、お答えできません。", "unparsed", False),
    "the whole list": (lambda item: text_of(item).splitlines()[-1], "unparsed", False),
}


@pytest.mark.parametrize("name", STUBS)
def test_stub_models_are_read_as_they_should_be(drawn, name):
    reply, outcome, strict = STUBS[name]
    questions = [item for item in drawn if item["question"] != "describe"]
    given = grades(questions, {"m": reply})
    if outcome == "sometimes":
        by_size = given.groupby("choices")["correct"].sum()
        assert dict(by_size) == {"2": 21, "5": 8}
    else:
        assert given["correct"].all() == (outcome == "right")
        assert (given["outcome"] == "unparsed").all() == (outcome == "unparsed")
    alone = given["readings"].map(lambda readings: readings["strict_digit"] != "")
    assert alone.all() if strict else not alone.any()


def test_the_example_answers_of_the_figures_are_read():
    options = [(str(n), w) for n, w in enumerate(["ヌメっとした", "毛並みがきれい", "生き生き"])]
    assert numbered_option.parse("1", options).answer == "1"
    assert word_list.parse("みずみずしい、カラフル、甘い").outcome == "exact"
