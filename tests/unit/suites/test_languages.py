"""Answers in a prompt's own language give the table that the same answers in English give.

Through each suite's own items, its reader and its tables: who is right, who is wrong, who says something else and who
refuses, each in several wordings as models say them.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import blindtest_samples
import pandas as pd
import pope_material
import pytest
import texture_samples

from afterimage.contract.stimulus import Shown
from afterimage.grading.grade import grade
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.declaration import Table
from afterimage.stages.items import item_row
from afterimage.suites.blindtest import tables, tables_factors
from afterimage.suites.blindtest.accuracy import TASK_TABLES
from afterimage.suites.illusion_vqa.images import CONDITIONS
from afterimage.suites.illusion_vqa.prompt_file import load_prompts, select
from afterimage.suites.illusion_vqa.questions import questions
from afterimage.suites.illusion_vqa.tables import (
    CONTROL_VQA,
    FAKE_BESIDE_CONTROL,
    FAKE_VQA,
    GENUINE_BESIDE_CONTROL,
    GENUINE_VQA,
)
from afterimage.suites.illusion_vqa.tables_tests import ILLUSION_VQA_TESTS
from afterimage.suites.illusions.names import ILLUSIONS, VARIANTS
from afterimage.suites.pope import tables_blog
from afterimage.suites.pope.language import Chinese
from afterimage.suites.pope.tables import POPE, POPE_EXTENDED
from afterimage.suites.texture.tables import TEXTURE_CLASSIFICATION

#: Scores by the rules of the blog's code, which are shown as they are: one knows no Chinese, one some.
_OF_THE_BLOGS_CODE = "seed_"
STATISTICS = {"confidence": 0.95, "resamples": 100, "seed": 7}
Say = Callable[[Mapping, str], Sequence[str]]


class Arm(NamedTuple):
    """A suite in a language beside English.

    Attributes:
        english: Items in English.
        spoken: The same in the language, in the same order.
        say_english: Takes an item and an option id, returns wordings of that answer.
        say: The same in the language, one wording for each English one.
        free: What says no answer, in English and in the language.
        refused: What refuses.
        tables: The tables.
        settings: What they are told.
    """

    english: Sequence[Mapping]
    spoken: Sequence[Mapping]
    say_english: Say
    say: Say
    free: tuple[str, str]
    refused: tuple[str, str]
    tables: Sequence[Table]
    settings: Mapping


def texts(item: Mapping) -> dict[str, str]:
    return {option["option_id"]: option["text"] for option in item["options"]}


def twins(found: Sequence[Mapping], prompts: Mapping[str, str]) -> tuple[list, list]:
    """Part items into those of English prompts and, in the same order, those of their twins."""
    by_id = {item["item_id"]: item for item in found}
    english, spoken = [], []
    for item in found:
        if item["prompt"] in prompts:
            other = prompts[item["prompt"]]
            english.append(item)
            spoken.append(by_id[item["item_id"].removesuffix(item["prompt"]) + other])
    return english, spoken


# ---- illusion_vqa, Japanese ----

_BRIEF = {
    "left": ("The left one.", "左の方です。"),
    "right": ("The right one.", "右の方です。"),
    "same": ("They are the same.", "どちらも同じです。"),
    "upper": ("The upper line.", "上の線です。"),
    "lower": ("The lower line.", "下の線です。"),
    "red": ("The red one.", "赤い方です。"),
    "blue": ("The blue one.", "青い方です。"),
    "parallel": ("They are parallel.", "平行です。"),
    "not_parallel": ("They are not parallel.", "平行ではありません。"),
    "straight": ("Straight.", "まっすぐです。"),
    "halfway": ("Halfway.", "ちょうど中間です。"),
}
_POLITE = {
    "である。": "です。",
    "ではない。": "ではありません。",
    "には見えない。": "には見えません。",
    "見える。": "見えます。",
    "ている。": "ています。",
    "ある。": "あります。",
    "い。": "いです。",
}


def _politely(text: str) -> str:
    plain = next(end for end in _POLITE if text.endswith(end))
    return text.removesuffix(plain) + _POLITE[plain]


def _of_illusions(language: int) -> Say:
    def say(item: Mapping, value: str) -> list[str]:
        text = texts(item)[value]
        brief = _BRIEF.get(value, (text, text))[language]
        if language == 0:
            return [text, f"Answer: {text}", f"**{text}**", f"Looking at the figure: {text}", brief]
        polite = _politely(text)
        return [text, f"答え：{text}", f"**{text}**", f"図を見ると、{polite}", brief]

    return say


def illusion_vqa() -> Arm:
    prompts = {f"{name}": f"{name}_ja" for name in ("zero_shot", "few_shot", "metacognitive")}
    shown = [
        Shown(
            f"{figure}_{variant}_{condition}",
            factors={"variant": variant, "condition": condition},
            figure=figure,
        )
        for figure, variant, condition in product(ILLUSIONS[:-1], VARIANTS, CONDITIONS)
    ]
    asked = [*prompts, *prompts.values()]
    words = select(load_prompts(pope_material.ROOT / _PROMPTS), asked, ILLUSIONS)
    made = questions(shown, words, {"prompts": asked, "few_shot_examples": 4}, shown)
    found = [item_row(one, "illusion_vqa", _no_image) for one in made]
    tables = (
        *(GENUINE_VQA, FAKE_VQA, CONTROL_VQA, GENUINE_BESIDE_CONTROL, FAKE_BESIDE_CONTROL),
        ILLUSION_VQA_TESTS,
    )
    return Arm(
        *twins(found, prompts),
        _of_illusions(0),
        _of_illusions(1),
        ("There are some shapes on a white ground.", "白い背景にいくつかの図形が描かれています。"),
        (
            "I'm sorry, I cannot answer this question.",
            "申し訳ありませんが、この質問には答えられません。",
        ),
        tables,
        {**STATISTICS, "human_source": "taken from the paper", "synthetic_humans": False},
    )


_PROMPTS = "resources/prompts/illusion_vqa.yaml"


def _no_image(name: str) -> dict:
    return {"pixels_sha256": name, "png": b""}


# ---- pope, Chinese ----


def _of_objects(item: Mapping, value: str) -> list[str]:
    factors, yes = item["factors"], value == "yes"
    thing = factors["attributes"].split() if "attributes" in factors else []
    thing = pope_material.english().phrase(thing, factors["object"])
    a_thing = thing if item["question"] == "count" else f"any {thing}"
    return [
        "Yes" if yes else "No",
        "Yes." if yes else "No.",
        f"Yes, there is {a_thing}." if yes else f"No, there is no {thing} in the image.",
    ]


def _of_objects_in_chinese(item: Mapping, value: str) -> list[str]:
    factors, yes = item["factors"], value == "yes"
    words = Chinese(**pope_material.pope_texts()["chinese"])
    attributes = factors.get("attributes", "").split()
    thing = words.phrase(attributes, factors["object"], pope_material.english())
    return [
        "是" if yes else "否",
        "是的。" if yes else "不是。",
        f"是的，图像中有{thing}。" if yes else f"不，图像中没有{thing}。",
    ]


_HOLDS = {
    "left_of": ("to the left of", "左边", "在"),
    "above": ("above", "上方", "在"),
    "inside": ("inside", "里面", "在"),
}


def _of_scenes(item: Mapping, value: str) -> list[str]:
    first, second, yes = item["factors"]["first"], item["factors"]["second"], value == "yes"
    if not first:
        return _of_objects(item, value)
    relation = _HOLDS.get(item["question"], ("larger than",))[0]
    held = f"The {first} is {'' if yes else 'not '}{relation} the {second}."
    return ["Yes" if yes else "No", f"Yes, {held}" if yes else f"No, {held}", held]


def _of_scenes_in_chinese(item: Mapping, value: str) -> list[str]:
    factors, yes = item["factors"], value == "yes"
    if not factors["first"]:
        return _of_objects_in_chinese(item, value)
    words = Chinese(**pope_material.pope_texts()["chinese"])
    first, second = (
        words.phrase((), factors[name], pope_material.english()) for name in ("first", "second")
    )
    if item["question"] == "larger_than":
        held = f"{first}比{second}大。" if yes else f"{first}没有{second}大。"
    else:
        _, place, verb = _HOLDS[item["question"]]
        held = f"{first}{'' if yes else '不'}{verb}{second}的{place}。"
    return ["是" if yes else "否", f"是的，{held}" if yes else f"不，{held}", held]


def _of_pope(table: Table, say_english: Say, say: Say, *parts: Sequence[Mapping]) -> Arm:
    return Arm(
        *parts,
        say_english,
        say,
        ("The background is grey.", "背景是灰色的。"),
        # Not "cannot", in which contains_label finds a no.
        ("I'm sorry, I am unable to answer this question.", "抱歉，我无法回答这个问题。"),
        [table],
        {**STATISTICS, "pope": pope_material.told()["pope"]},
    )


def pope_proper() -> Arm:
    asked = pope_material.settings(variants=["pope"], prompts=["is_there", "is_there_zh"])
    parts = twins(pope_material.items_of(asked), {"is_there": "is_there_zh"})
    return _of_pope(POPE, _of_objects, _of_objects_in_chinese, *parts)


def pope_blogs() -> Arm:
    # Asked in Chinese alone: some models answer in English all the same.
    items = pope_material.items_of(pope_material.settings(variants=["pope_blog"]))
    return _of_pope(tables_blog.POPE_BLOG, _of_objects, _of_objects_in_chinese, items, items)


def pope_of_scenes() -> Arm:
    both = ["extended", "extended_zh"]
    asked = pope_material.settings(variants=["pope_extended"], extended_prompts=both)
    parts = twins(pope_material.items_of(asked), {"extended": "extended_zh"})
    return _of_pope(POPE_EXTENDED, _of_scenes, _of_scenes_in_chinese, *parts)


# ---- blindtest, Spanish ----

_SPANISH = {
    "line_v1_cross": "line_es",
    "circles_touch": "circles_touch_es",
    "circles_overlap": "circles_overlap_es",
    "letter_circled": "letter_circled_es",
    "letter_oval": "letter_oval_es",
    "shapes_howmany": "shapes_howmany_es",
    "shapes_count": "shapes_count_es",
    "nested_count_plain": "nested_count_es",
    "grid_count": "grid_count_es",
    "grid_howmany": "grid_howmany_es",
    "subway_howmany": "subway_howmany_es",
    "subway_count": "subway_count_es",
    "string_read": "string_read_es",
    "shape_which": "shape_which_es",
}
_NUMBERS = (
    "zero one two three four five six seven eight nine ten",
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez",
)
_CROSS = {
    "0": ("They do not cross.", "Las líneas no se cruzan."),
    "1": ("They cross once.", "Se cruzan una vez."),
    "2": ("They cross twice.", "Se cruzan dos veces."),
}
_PATHS = {
    "1": ("There is one path.", "Hay un solo camino."),
    "2": ("There are two paths.", "Hay dos caminos."),
    "3": ("There are three paths.", "Hay tres caminos."),
}
_SHAPES = {
    "circles": ("circles", "círculos"),
    "pentagons": ("pentagons", "pentágonos"),
}


def _of_blindtest(language: int) -> Say:
    def say(item: Mapping, value: str) -> list[str]:
        question = item["question"]
        number = dict(enumerate(_NUMBERS[language].split()))
        if question == "crossings":
            return [value, f"{{{value}}}", _CROSS[value][language]]
        if question == "paths":
            return [value, f"{{{value}}}", _PATHS[value][language]]
        if question in ("touch", "overlap"):
            return _of_circles(question, value)[language]
        if question == "letter":
            return [value, (f'The letter is "{value}".', f'La letra es "{value}".')[language]]
        if question == "shapes":
            shape, count = _SHAPES[item["factors"]["subtask"]][language], number[int(value)]
            said = (f"There are {count} {shape}.", f"Hay {count} {shape}.")[language]
            return [value, f"{{{value}}}", said]
        if question == "squares":
            count = number[int(value)]
            return [value, (f"There are {count} squares.", f"Hay {count} cuadrados.")[language]]
        if question == "size":
            rows, columns = value.split("x")
            named = (
                f"rows={{{rows}}} columns={{{columns}}}",
                f"filas={{{rows}}} columnas={{{columns}}}",
            )
            told = (
                f"It has {rows} rows and {columns} columns.",
                f"Tiene {rows} filas y {columns} columnas.",
            )
            return [f"({rows},{columns})", named[language], told[language]]
        if question == "string":
            return [value, f'"{value}"']
        text = texts(item)[value]
        return [text, (f"It is a red {text}.", f"Es un {text} rojo.")[language]]

    return say


def _of_circles(question: str, value: str) -> tuple[list[str], list[str]]:
    verb, verbo = {"touch": ("touch", "tocan"), "overlap": ("overlap", "superponen")}[question]
    if value == "Yes":
        return ["Yes", f"Yes, they {verb}."], ["Sí", f"Sí, se {verbo}."]
    return ["No", f"No, they do not {verb}."], ["No", f"No, no se {verbo}."]


def blindtest_with_controls() -> Arm:
    english = blindtest_samples.items_of(prompts=list(_SPANISH), controls=True)
    spanish = blindtest_samples.items_of(prompts=list(_SPANISH.values()), controls=True)
    # Every ninth image, whatever its place in a design.
    parts = [part[::9] for part in twins([*english, *spanish], _SPANISH)]
    return Arm(
        *parts,
        _of_blindtest(0),
        _of_blindtest(1),
        (
            "The image shows a drawing on a white ground.",
            "La imagen muestra un dibujo sobre un fondo blanco.",
        ),
        ("I'm sorry, but I can't help with that.", "Lo siento, pero no puedo ayudar con eso."),
        [
            *TASK_TABLES.values(),
            tables.BLINDTEST,
            tables_factors.BLINDTEST_COUNTS,
            tables.BLINDTEST_CONTROLS,
        ],
        {**STATISTICS, "human_source": None, "synthetic_humans": False},
    )


# ---- texture, Japanese ----


def texture_chosen() -> Arm:
    # Asked in Japanese alone: some models answer in English all the same.
    items = [item for item in texture_samples.items() if item["question"].startswith("choose")]

    def english(item: Mapping, value: str) -> list[str]:
        return [value, f"The answer is {value}.", f"{value}: {texts(item)[value]}"]

    def japanese(item: Mapping, value: str) -> list[str]:
        return [value, f"答えは{value}です。", f"「{value}: {texts(item)[value]}」を選びます。"]

    return Arm(
        *(items, items, english, japanese),
        ("It is a picture of something.", "これは何かの写真です。"),
        (
            "I'm sorry, I cannot answer this question.",
            "申し訳ありませんが、この質問には答えられません。",
        ),
        [TEXTURE_CLASSIFICATION],
        texture_samples.table_settings(),
    )


ARMS = {
    "illusion_vqa in Japanese": illusion_vqa,
    "pope in Chinese": pope_proper,
    "pope_blog in Chinese": pope_blogs,
    "pope_extended in Chinese": pope_of_scenes,
    "blindtest in Spanish": blindtest_with_controls,
    "texture in Japanese": texture_chosen,
}


def answers(arm: Arm, language: int) -> pd.DataFrame:
    """Return graded answers of four models, the prompts under the names of the English ones."""
    items, say = ((arm.english, arm.say_english), (arm.spoken, arm.say))[language]
    rows = []
    for number, (item, named) in enumerate(zip(items, arm.english, strict=True)):
        wrong = next(value for value in texts(item) if value != item["key"])
        said = {"right": say(item, item["key"]), "wrong": say(item, wrong)}
        said |= {"free": [arm.free[language]], "refusing": [arm.refused[language]]}
        for model, wordings in said.items():
            own = {name: item[name] for name in ("item_id", "suite")}
            text = wordings[number % len(wordings)]
            row = grade({**own, "model": model, "repeat": 0, "text": text}, item)
            row |= {"item_id": named["item_id"], "prompt": named["prompt"], "said": text}
            rows.append({**row, **row.pop("factors")})
    return pd.DataFrame(rows)


@pytest.fixture(scope="module", params=list(ARMS))
def graded(request, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("languages"))
        arm = ARMS[request.param]()
        yield arm, answers(arm, 0), answers(arm, 1)


def test_every_wording_is_read_as_what_it_says(graded):
    arm, *in_both = graded
    for found in in_both:
        of = dict(list(found.groupby("model")))
        assert of["right"].loc[~of["right"]["correct"].astype(bool), "said"].unique().tolist() == []
        unread = of["wrong"][of["wrong"]["answer"].isna() | of["wrong"]["correct"].astype(bool)]
        assert unread["said"].unique().tolist() == []
        refused = of["refusing"]["reason"].str.startswith("refused")
        assert (
            of["refusing"].loc[~refused, ["question", "reason"]].drop_duplicates().values.tolist()
            == []
        )
        assert not of["free"]["correct"].any()
    assert len(in_both[0]) == 4 * len(arm.english) > 100


def test_the_tables_are_those_of_the_same_answers_in_english(graded):
    arm, english, spoken = graded
    for table in arm.tables:
        wanted = frame_of(table, english.drop(columns="said"), arm.settings)
        found = frame_of(table, spoken.drop(columns="said"), arm.settings)
        assert len(wanted), table.name
        same = [name for name in wanted if not name.startswith(_OF_THE_BLOGS_CODE)]
        pd.testing.assert_frame_equal(found[same], wanted[same], obj=table.name)
