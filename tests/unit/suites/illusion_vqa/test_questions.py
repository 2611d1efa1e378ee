"""The prompt file, what is cut out of it, and the items made from it."""

import io
import re
from copy import deepcopy
from pathlib import Path

import pytest
from PIL import Image

from afterimage.contract.stimulus import Shown
from afterimage.errors import AfterimageError
from afterimage.stages.items import item_row
from afterimage.suites.illusion_vqa.images import CONDITIONS, stimulus_ids
from afterimage.suites.illusion_vqa.prompt_file import (
    choices,
    key_role,
    load_prompts,
    render,
    select,
)
from afterimage.suites.illusion_vqa.questions import choose_examples, questions
from afterimage.suites.illusions.names import ILLUSIONS, QUESTIONS, VARIANTS

PROMPT_FILE = Path(__file__).parents[4] / "resources" / "prompts" / "illusion_vqa.yaml"

# Paper, appendix A, ligatures and hyphens at line ends resolved.
ACTUAL = (
    "You will be asked to answer a question about the actual feature of the figure. This question "
    "asks you what features the figure actually has. I will provide answer options. Choose one of "
    "the options to answer the question by guessing the actual features of the figure, regardless "
    "of how it appears subjectively to you."
)
APPARENT = (
    "You will be asked to answer a question about the apparent feature of the figure. This "
    "question asks you how the figure appears subjectively to you. I will provide answer options. "
    "Choose one of the options to answer the question as you see it, regardless of what features "
    "you think the figure actually has."
)
TWO_OPTIONS = ("cafe_wall", "zoellner", "orbison")


@pytest.fixture(scope="module")
def prompt_file():
    return load_prompts(PROMPT_FILE)


def png_bytes(colour):
    buffer = io.BytesIO()
    Image.new("RGB", (2, 2), colour).save(buffer, format="PNG")
    return buffer.getvalue()


def stimulus(stimulus_id, **factors):
    match = re.fullmatch(r"(\w+)_([AB])_(\w+)", stimulus_id)
    figure, variant, condition = match.groups()
    factors = {"variant": variant, "condition": condition, **factors}
    return Shown(stimulus_id, factors=factors, figure=figure)


def stimuli(figures=ILLUSIONS):
    return [stimulus(name) for figure in figures for name in stimulus_ids(figure)]


def picture(stimulus_id):
    return {
        "pixels_sha256": f"hash of {stimulus_id}",
        "png": png_bytes((len(stimulus_id), 0, 0)),
    }


def make(prompt_file, images, prompts=("zero_shot",), examples=(), count=4):
    figures = {image.figure for image in (*images, *examples)}
    settings = {"prompts": list(prompts), "few_shot_examples": count}
    made = questions(images, select(prompt_file, prompts, figures), settings, examples)
    return [item_row(question, "illusion_vqa", picture) for question in made]


def texts(item):
    return [part["text"] for turn in item["messages"] for part in turn["parts"] if part["text"]]


class TestWording:
    def test_preambles_are_the_papers_to_the_byte(self, prompt_file):
        assert prompt_file["preambles"] == {"actual": ACTUAL, "apparent": APPARENT}

    def test_ebbinghaus_is_asked_in_the_papers_own_words(self, prompt_file):
        assert render(prompt_file, "ebbinghaus", "A", "actual") == (
            "Which red circle is bigger?",
            [
                ["left", "The left red circle is bigger."],
                ["right", "The right red circle is bigger."],
                ["same", "Both red circles are the same size."],
            ],
        )
        assert render(prompt_file, "ebbinghaus", "A", "apparent") == (
            "Which red circle appears bigger?",
            [
                ["left", "The left red circle appears bigger."],
                ["right", "The right red circle appears bigger."],
                ["same", "Both red circles appear the same size."],
            ],
        )

    def test_only_three_illusions_have_two_options(self, prompt_file):
        counts = {
            figure: len(render(prompt_file, figure, "A", "actual")[1]) for figure in ILLUSIONS
        }
        assert {figure for figure, count in counts.items() if count == 2} == set(TWO_OPTIONS)
        assert {count for figure, count in counts.items() if figure not in TWO_OPTIONS} == {3}

    def test_three_option_questions_end_with_the_neutral_option(self, prompt_file):
        for figure in set(ILLUSIONS) - set(TWO_OPTIONS):
            for variant in VARIANTS:
                ids = [name for name, _ in render(prompt_file, figure, variant, "actual")[1]]
                assert ids[-1] == prompt_file["figures"][figure]["wordings"]["default"]["neutral"]

    def test_illusory_option_is_first_in_one_variant_and_second_in_the_other(self, prompt_file):
        mirrored = set()
        for figure in ILLUSIONS:
            positions = []
            for variant in VARIANTS:
                ids = [name for name, _ in render(prompt_file, figure, variant, "apparent")[1]]
                illusory = prompt_file["figures"][figure]["wordings"]["default"]["illusory"][
                    variant
                ]
                positions.append(ids.index(illusory))
            if sorted(positions) == [0, 1]:
                mirrored.add(figure)
        assert mirrored == set(ILLUSIONS) - {*TWO_OPTIONS, "hering"}
        assert (len(mirrored), len(mirrored - {"ponzo"})) == (11, 10)

    def test_actual_and_apparent_wording_differ_in_every_option(self, prompt_file):
        for figure in ILLUSIONS:
            for variant in VARIANTS:
                rendered = [
                    render(prompt_file, figure, variant, question) for question in QUESTIONS
                ]
                both = [{text for _, text in options} for _, options in rendered]
                assert not both[0] & both[1], figure
                assert all("appear" not in text for text in both[0])
                assert all("appear" in text for text in both[1])

    def test_colours_follow_the_variant(self, prompt_file):
        assert (
            render(prompt_file, "munker", "B", "actual")[0]
            == "Which green bars are more yellowish?"
        )
        assert render(prompt_file, "ponzo", "B", "apparent")[0] == "Which blue line appears longer?"
        assert "{" not in "".join(
            render(prompt_file, figure, "B", "actual")[0] for figure in ILLUSIONS
        )

    @pytest.mark.parametrize(
        ("figure", "variant", "ids", "illusory"),
        [
            ("cafe_wall", "A", ["left", "right", "same"], "right"),
            ("cafe_wall", "B", ["left", "right", "same"], "left"),
            ("zoellner", "A", ["left", "right", "same"], "right"),
            ("orbison", "A", ["straight", "inward", "outward"], "inward"),
            ("orbison", "B", ["straight", "inward", "outward"], "inward"),
        ],
    )
    def test_directional_questions_name_the_direction(
        self, prompt_file, figure, variant, ids, illusory
    ):
        for question in QUESTIONS:
            _, options = render(prompt_file, figure, variant, question, wording="directional")
            assert [name for name, _ in options] == ids
        form = prompt_file["figures"][figure]["wordings"]["directional"]
        assert form["illusory"][variant] == illusory

    def test_oblique_zoellner_has_no_directional_question(self, prompt_file):
        with pytest.raises(AfterimageError, match=r"unknown variant 'B'.*one of: A"):
            render(prompt_file, "zoellner", "B", "actual", wording="directional")

    @pytest.mark.parametrize("question", QUESTIONS)
    def test_preambles_are_ascii_without_hyphen_or_double_space(self, prompt_file, question):
        preamble = prompt_file["preambles"][question]
        assert preamble.isascii()
        assert "-" not in preamble
        assert "  " not in preamble

    @pytest.mark.parametrize("question", QUESTIONS)
    def test_preambles_keep_the_papers_change_from_feature_to_features(self, prompt_file, question):
        words = re.findall(r"features?", prompt_file["preambles"][question])
        assert words[0] == "feature"
        assert set(words[1:]) == {"features"}


class TestKey:
    @pytest.mark.parametrize(
        ("question", "roles"),
        [
            ("actual", ("neutral", "illusory", "neutral", "illusory")),
            ("apparent", ("illusory", "illusory", "neutral", "illusory")),
        ],
    )
    def test_key_follows_condition_and_question(self, question, roles):
        conditions = ("genuine", "fake", "control_genuine", "control_fake")
        assert tuple(key_role(condition, question) for condition in conditions) == roles

    def test_items_carry_that_key(self, prompt_file):
        keys = {item["item_id"]: item["key"] for item in make(prompt_file, stimuli(["jastrow"]))}
        assert keys["jastrow_A_genuine/actual/zero_shot"] == "same"
        assert keys["jastrow_A_genuine/apparent/zero_shot"] == "blue"
        assert keys["jastrow_B_fake/actual/zero_shot"] == "red"
        assert keys["jastrow_B_control_genuine/apparent/zero_shot"] == "same"
        assert keys["jastrow_B_control_fake/apparent/zero_shot"] == "red"

    def test_choices_hold_the_same_intention_and_no_wording(self, prompt_file):
        entry = choices(prompt_file, ["mueller_lyer"])["mueller_lyer"]["B"]
        assert entry["options"] == ["left", "right", "same"]
        assert entry["intended"]["genuine"] == {"actual": "same", "apparent": "right"}
        assert entry["intended"]["control_fake"] == {"actual": "right", "apparent": "right"}

    def test_rewording_changes_no_choices(self, prompt_file):
        other = deepcopy(prompt_file)
        other["figures"]["fick"]["wordings"]["default"]["actual"]["stem"] = "Which is longer?"
        assert choices(other, ["fick"]) == choices(prompt_file, ["fick"])


class TestSelect:
    def test_unused_prompts_and_other_figures_change_nothing(self, prompt_file):
        other = deepcopy(prompt_file)
        other["prompts"]["metacognitive"]["text"] = "{task} Hurry."
        other["figures"]["fick"]["wordings"]["default"]["actual"]["stem"] = "Which is longer?"
        assert select(other, ["zero_shot"], ["ponzo"]) == select(
            prompt_file, ["zero_shot"], ["ponzo"]
        )

    def test_directional_wording_changes_nothing_for_the_default(self, prompt_file):
        other = deepcopy(prompt_file)
        other["figures"]["orbison"]["wordings"]["directional"]["actual"]["stem"] = "How curved?"
        assert select(other, ["zero_shot"], ["orbison"]) == select(
            prompt_file, ["zero_shot"], ["orbison"]
        )

    @pytest.mark.parametrize(
        ("path", "value"),
        [
            (("preambles", "actual"), "Look."),
            (("layout",), "{preamble} {stem} {options}"),
            (("prompts", "zero_shot", "text"), "Please: {task}"),
            (("figures", "ponzo", "values", "B", "col"), "green"),
            (("figures", "ponzo", "wordings", "default", "apparent", "stem"), "Which?"),
        ],
    )
    def test_each_word_in_use_changes_the_slice(self, prompt_file, path, value):
        other = deepcopy(prompt_file)
        part = other
        for step in path[:-1]:
            part = part[step]
        part[path[-1]] = value
        assert select(other, ["zero_shot"], ["ponzo"]) != select(
            prompt_file, ["zero_shot"], ["ponzo"]
        )

    def test_slice_is_plain_and_its_keys_are_sorted(self, prompt_file):
        def visit(value):
            if isinstance(value, dict):
                assert list(value) == sorted(value)
                for part in value.values():
                    visit(part)
            elif isinstance(value, list):
                for part in value:
                    visit(part)
            else:
                assert type(value) in (str, bool)

        visit(select(prompt_file, ["zero_shot", "few_shot", "metacognitive"], ILLUSIONS[::-1]))
        visit(choices(prompt_file, ILLUSIONS[::-1]))

    def test_order_of_prompts_and_figures_does_not_matter(self, prompt_file):
        first = select(prompt_file, ["zero_shot", "few_shot"], ["fick", "ponzo"])
        assert repr(first) == repr(
            select(prompt_file, ["few_shot", "zero_shot"], ["ponzo", "fick"])
        )

    def test_unknown_prompt_is_named_with_the_nearest(self, prompt_file):
        with pytest.raises(AfterimageError, match=r"unknown prompt 'zero_shto'.*mean 'zero_shot'"):
            select(prompt_file, ["zero_shto"], ["fick"])

    def test_unworded_illusion_is_an_error(self, prompt_file):
        other = deepcopy(prompt_file)
        del other["figures"]["fick"]
        with pytest.raises(AfterimageError, match="unknown illusion 'fick'"):
            select(other, ["zero_shot"], ["fick"])


class TestItems:
    def test_there_are_240_items_and_224_without_ponzo(self, prompt_file):
        assert len(make(prompt_file, stimuli())) == 240
        without = [figure for figure in ILLUSIONS if figure != "ponzo"]
        assert len(make(prompt_file, stimuli(without))) == 224

    def test_item_ids_are_unique_over_prompts_and_questions(self, prompt_file):
        rows = stimuli(ILLUSIONS[:6])
        items = make(prompt_file, rows, ["zero_shot", "few_shot", "metacognitive"], examples=rows)
        ids = [item["item_id"] for item in items]
        assert len(ids) == len(set(ids)) == len(rows) * 2 * 3
        assert ids[0] == "cafe_wall_A_genuine/actual/zero_shot"

    def test_zero_shot_message_is_image_then_preamble_question_options(self, prompt_file):
        item = make(prompt_file, [stimulus("ebbinghaus_A_fake")])[0]
        (turn,) = item["messages"]
        assert turn["role"] == "user"
        image, text = turn["parts"]
        assert (image["type"], image["image"]) == ("image", 0)
        assert text["text"] == (
            f"{ACTUAL}\n"
            "\n"
            "Question: Which red circle is bigger?\n"
            "Options:\n"
            "The left red circle is bigger.\n"
            "The right red circle is bigger.\n"
            "Both red circles are the same size."
        )
        assert item["images"] == [picture("ebbinghaus_A_fake")]

    def test_apparent_question_follows_the_apparent_preamble(self, prompt_file):
        item = make(prompt_file, [stimulus("ebbinghaus_A_fake")])[1]
        assert texts(item)[0].startswith(
            f"{APPARENT}\n\nQuestion: Which red circle appears bigger?\n"
        )

    def test_factors_describe_image_and_options(self, prompt_file):
        items = {
            item["item_id"]: item for item in make(prompt_file, stimuli(["munker", "orbison"]))
        }
        assert items["munker_B_control_fake/actual/zero_shot"]["factors"] == {
            "variant": "B",
            "condition": "control_fake",
            "inducer": "absent",
            "neutral": "same",
            "illusory": "right",
            "human_subset": "true",
            "option_count": "3",
        }
        orbison = items["orbison_B_fake/actual/zero_shot"]["factors"]
        assert (orbison["inducer"], orbison["human_subset"]) == ("present", "false")
        assert orbison["option_count"] == "2"

    @pytest.mark.parametrize("prompt", ["zero_shot", "few_shot", "metacognitive"])
    def test_no_text_names_an_illusion_or_a_condition(self, prompt_file, prompt):
        rows = stimuli()
        names = {word for figure in ILLUSIONS for word in figure.split("_")}
        forbidden = names | {
            "genuine",
            "fake",
            "control",
            "inducer",
            "variant",
            "illusion",
            "illusory",
        }
        forbidden |= {"illusions", "png", "muller", "vertical"}
        for item in make(prompt_file, rows, [prompt], examples=rows):
            for text in texts(item):
                assert not forbidden & set(re.findall(r"[a-z]+", text.lower())), item["item_id"]

    def test_metacognitive_prompt_asks_for_the_option_on_the_last_line(self, prompt_file):
        item = make(prompt_file, [stimulus("fick_A_fake")], ["metacognitive"])[0]
        (text,) = texts(item)
        zero_shot = texts(make(prompt_file, [stimulus("fick_A_fake")])[0])[0]
        assert text.startswith(zero_shot)
        assert re.findall(r"(?m)^([1-9])\. ", text) == ["1", "2", "3", "4", "5"]
        assert "last line" in text.splitlines()[-1]
        assert item["answer_type"] == "choice_last_line"

    def test_literal_braces_in_a_prompt_reach_the_model_as_typed(self, prompt_file):
        other = deepcopy(prompt_file)
        other["prompts"]["zero_shot"]["text"] = "{task}\nAnswer in {{braces}}."
        item = make(other, [stimulus("fick_A_fake")])[0]
        assert texts(item)[0].endswith("same length.\nAnswer in {braces}.")


class TestFewShot:
    def test_examples_are_earlier_turns_that_end_in_the_right_option(self, prompt_file):
        rows = stimuli()
        item = make(prompt_file, [stimulus("fick_A_fake")], ["few_shot"], examples=rows)[1]
        roles = [turn["role"] for turn in item["messages"]]
        assert roles == ["user", "assistant"] * 4 + ["user"]
        assert [
            part["image"]
            for turn in item["messages"]
            for part in turn["parts"]
            if part["type"] == "image"
        ] == [0, 1, 2, 3, 4]
        assert item["images"][-1]["pixels_sha256"] == "hash of fick_A_fake"
        solved = {
            entry["stimulus_id"]: entry
            for entry in make(prompt_file, rows)
            if entry["question"] == "apparent"
        }
        for number in range(4):
            shown = item["images"][number]["pixels_sha256"].removeprefix("hash of ")
            options = {option["option_id"]: option["text"] for option in solved[shown]["options"]}
            asked, answered = item["messages"][2 * number : 2 * number + 2]
            assert answered["parts"][0]["text"] == options[solved[shown]["key"]]
            assert asked["parts"][1]["text"] == texts(solved[shown])[0]

    def test_examples_come_from_different_other_illusions(self):
        for figure in ILLUSIONS:
            chosen = choose_examples(figure, "few_shot", stimuli(), 14)
            assert {row.figure for row in chosen} == set(ILLUSIONS) - {figure}

    @pytest.mark.parametrize("count", [4, 8, 12])
    def test_conditions_are_balanced(self, count):
        chosen = choose_examples("fick", "few_shot", stimuli(), count)
        shown = [row.factors["condition"] for row in chosen]
        assert all(shown.count(condition) == count // 4 for condition in CONDITIONS)

    def test_fewer_than_four_examples_take_the_conditions_in_order(self):
        chosen = choose_examples("fick", "few_shot", stimuli(), 2)
        assert {row.factors["condition"] for row in chosen} == {"genuine", "fake"}

    def test_condition_of_the_last_example_varies(self):
        last = {
            choose_examples(figure, "few_shot", stimuli(), 4)[-1].factors["condition"]
            for figure in ILLUSIONS
        }
        assert len(last) > 1

    def test_choice_does_not_depend_on_the_shard_or_on_any_order(self, prompt_file):
        rows = stimuli()
        alone = make(prompt_file, [stimulus("fick_B_genuine")], ["few_shot"], examples=rows)
        among = make(prompt_file, rows[::-1], ["few_shot"], examples=rows[::-1])
        same = {item["item_id"]: item for item in among}
        for item in alone:
            assert same[item["item_id"]] == item

    def test_all_images_of_an_illusion_get_the_same_examples(self, prompt_file):
        items = make(prompt_file, stimuli(["fick"]), ["few_shot"], examples=stimuli())
        shown = {tuple(image["pixels_sha256"] for image in item["images"][:-1]) for item in items}
        assert len(shown) == 1

    def test_illusions_get_different_examples(self):
        shown = {
            tuple(row.stimulus_id for row in choose_examples(figure, "few_shot", stimuli(), 4))
            for figure in ILLUSIONS
        }
        assert len(shown) == len(ILLUSIONS)

    def test_dropping_an_illusion_changes_only_choices_that_used_it(self):
        kept = stimuli([figure for figure in ILLUSIONS if figure != "ponzo"])
        changed = 0
        for figure in ILLUSIONS[:-1]:
            before = choose_examples(figure, "few_shot", stimuli(), 4)
            after = choose_examples(figure, "few_shot", kept, 4)
            assert "ponzo" not in {row.figure for row in after}
            if "ponzo" not in {row.figure for row in before}:
                assert after == before
            else:
                changed += 1
        assert changed > 0

    def test_more_examples_than_other_illusions_is_an_error(self):
        with pytest.raises(AfterimageError, match=r"3 examples.*only 2 illusions .* at most 2"):
            choose_examples("fick", "few_shot", stimuli(["fick", "ponzo", "munker"]), 3)

    def test_examples_are_not_read_when_no_prompt_uses_them(self, prompt_file):
        class Unread:
            def __iter__(self):
                raise AssertionError("examples were read")

        rows = [stimulus("fick_A_fake")]
        settings = {"prompts": ["zero_shot"], "few_shot_examples": 4}
        assert list(
            questions(rows, select(prompt_file, ["zero_shot"], ["fick"]), settings, Unread())
        )
