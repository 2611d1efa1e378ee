"""The prompt file, English and Spanish, and items: one per prompt, with the right key and the tables' factors."""

from collections import Counter

import pytest
from blindtest_samples import PROMPTS as FILE
from blindtest_samples import items_of, settings
from reference_replies import replies_of

from afterimage.grading.grade import grade
from afterimage.grading.readers import integer, letter, rows_columns, yes_no
from afterimage.items.wording import RULES
from afterimage.models import chance, textbook
from afterimage.suites.blindtest import names, questions
from afterimage.suites.blindtest.names import CONTROLS, RELEASES, TASKS

PROMPT_FILE = questions.load_prompts(FILE)
READERS = {"integer": integer, "letter": letter, "rows_columns": rows_columns, "yes_no": yes_no}


@pytest.fixture
def edited(tmp_path):
    """Write the prompt file with something replaced."""

    def write(old, new):
        text = FILE.read_text(encoding="utf-8")
        assert old in text
        path = tmp_path / "prompts.yaml"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return path

    return write


class TestShippedFile:
    def test_it_holds_the_17_prompts_behind_the_published_tables_14_in_spanish_and_2_of_controls(
        self,
    ):
        names = list(PROMPT_FILE["prompts"])
        spanish = [name for name in names if name.endswith("_es")]
        controls = [name for ids in PROMPT_FILE["controls"].values() for name in ids]
        assert (len(names) - len(spanish) - len(controls), len(spanish)) == (17, 14)
        assert controls == ["string_read", "shape_which"]

    @pytest.mark.parametrize("release", RELEASES)
    def test_every_task_is_asked_with_two_prompts_but_the_published_squares(self, release):
        counts = {task: len(ids) for task, ids in PROMPT_FILE["releases"][release].items()}
        squares = 1 if release == "v1" else 2
        assert counts == dict.fromkeys(TASKS, 2) | {"nested_squares": squares}

    def test_example_answers_in_braces_are_left_alone(self):
        prompts = PROMPT_FILE["prompts"]
        assert prompts["grid_count"]["text"].endswith("rows={5} columns={6}")
        assert prompts["shapes_count"]["text"] == (
            "Count the {shapes} in the image. Answer with a number in curly brackets e.g. {3}."
        )

    def test_the_example_in_each_prompt_is_of_the_form_that_its_grader_reads(self):
        examples = {"integer": "{3}", "letter": "e", "rows_columns": "(5,6)", "yes_no": "Yes"}
        for prompt in PROMPT_FILE["prompts"].values():
            if prompt["task"] in CONTROLS:
                continue
            kind = prompt["answer_type"]
            assert READERS[kind].parse(examples[kind]).outcome == "exact"


class TestChoice:
    def test_a_release_chooses_the_prompts(self):
        lines = [
            questions.prompts_in_use(PROMPT_FILE, settings(release=release))["line_intersection"]
            for release in RELEASES
        ]
        assert lines == [
            ["line_v1_intersect", "line_v1_cross"],
            ["line_final_count", "line_final_howmany"],
        ]

    def test_named_prompts_replace_those_of_their_task_alone(self):
        chosen = ["nested_howmany_braces", "nested_count_braces"]
        in_use = questions.prompts_in_use(PROMPT_FILE, settings(prompts=chosen))
        assert in_use["nested_squares"] == chosen
        assert in_use["grid"] == ["grid_count", "grid_howmany"]

    def test_a_prompt_that_is_not_shown_changes_no_other_tasks_questions(self, edited):
        path = edited("Which letter is being circled?", "Which letter has a circle?")
        before, after = (
            questions.question_inputs(questions.load_prompts(file), settings(), ["grid"], {})
            for file in (FILE, path)
        )
        assert before == after
        letters = [
            questions.question_inputs(
                questions.load_prompts(file), settings(), ["circled_letter_copy003"], {}
            )
            for file in (FILE, path)
        ]
        assert letters[0] != letters[1]


# ---- Items ----


@pytest.fixture(scope="module")
def items():
    return items_of()


def text_of(item):
    return item["messages"][0]["parts"][1]["text"]


def ask(backend, entry, items):
    replies = replies_of(backend, entry, questions.answer, items)
    of_model = {"suite": "blindtest", "model": "m", "repeat": 0}
    return [
        grade({**of_model, "item_id": item["item_id"], "text": replies[item["item_id"]]}, item)
        for item in items
    ]


class TestItems:
    def test_no_two_items_share_an_id(self, items):
        # As many answers as behind the paper's tables.
        assert len({item["item_id"] for item in items}) == len(items) == 6100

    def test_items_have_the_factors_that_tables_look_for(self, items):
        for item in items:
            task = item["figure"]
            wanted = {"task", *names.COMMON, *names.FACTORS[task]}
            assert set(item["factors"]) == wanted
            assert item["factors"]["task"] == task

    def test_factors_do_not_hold_the_key_under_another_name(self, items):
        assert not any("truth" in item["factors"] for item in items)

    def test_the_key_is_among_the_possible_answers(self, items):
        for item in items:
            assert item["key"] in [option["option_id"] for option in item["options"]]

    def test_the_image_stands_before_the_text(self, items):
        for item in items:
            kinds = [part["type"] for part in item["messages"][0]["parts"]]
            assert kinds == ["image", "text"]

    def test_slots_are_filled_in_and_example_answers_stay(self, items):
        texts = {text_of(item) for item in items}
        assert not any("{s" in text for text in texts)
        assert (
            "Count the pentagons in the image. Answer with a number in curly brackets e.g. {3}."
            in texts
        )
        assert (
            "How many single-colored paths go from A to C? "
            "Answer with a number in curly brackets, e.g., {3}" in texts
        )

    def test_each_prompt_about_circles_has_the_key_of_its_own_question(self, items):
        keys = {
            (item["factors"]["gap"], item["prompt"], item["key"])
            for item in items
            if item["figure"] == "two_circles"
        }
        assert len(keys) == 28
        for gap, prompt, key in keys:
            limit = 0 if prompt == "circles_touch" else -0.001
            assert key == ("Yes" if float(gap) <= limit else "No")

    def test_there_are_as_many_answers_as_behind_the_papers_tables(self, items):
        counts = Counter((item["figure"], item["factors"]["subtask"]) for item in items)
        assert counts == {
            ("line_intersection", "thickness_2"): 100,
            ("line_intersection", "thickness_3"): 100,
            ("line_intersection", "thickness_4"): 100,
            ("two_circles", "overlapping"): 672,
            ("two_circles", "touching"): 672,
            ("circled_letter", "Acknowledgement"): 720,
            ("circled_letter", "Subdermatoglyphic"): 816,
            ("circled_letter", "tHyUiKaRbNqWeOpXcZvM"): 960,
            ("olympic_shapes", "circles"): 120,
            ("olympic_shapes", "pentagons"): 120,
            **{("nested_squares", f"depth_{depth}"): 30 for depth in (2, 3, 4, 5)},
            ("grid", "blank"): 264,
            ("grid", "text"): 264,
            ("subway", "paths_1"): 240,
            ("subway", "paths_2"): 352,
            ("subway", "paths_3"): 480,
        }

    def test_classes_are_balanced_as_the_issue_asks(self, items):
        lines = Counter(item["key"] for item in items if item["figure"] == "line_intersection")
        assert lines == {"0": 17 * 6, "1": 17 * 6, "2": 16 * 6}


class TestSubway:
    def test_unconnected_stations_are_asked_about_on_demand(self):
        found = items_of(["subway"], subway_unconnected=True)
        assert len(found) == 180 * 6 * 2
        assert Counter(item["key"] for item in found)["0"] == 136 * 8
        offered = {tuple(option["option_id"] for option in item["options"]) for item in found}
        assert offered == {("0", "1", "2", "3")}

    def test_asking_about_unconnected_stations_changes_no_other_item(self, items):
        before = {i["item_id"]: text_of(i) for i in items if i["figure"] == "subway"}
        after = {i["item_id"]: text_of(i) for i in items_of(["subway"], subway_unconnected=True)}
        assert before.items() <= after.items() and len(before) == 1072

    def test_by_default_only_joined_stations_are_asked_about(self, items):
        keys = Counter(item["key"] for item in items if item["figure"] == "subway")
        # Per rendering 92, 38 and 4; four renderings, two prompts.
        assert keys == {"1": 736, "2": 304, "3": 32}


class TestReferenceResponders:
    def test_every_guess_can_be_read(self, items):
        assert not any(g["outcome"] == "unparsed" for g in ask(chance, {"seed": 7}, items))

    @pytest.mark.parametrize("rule", RULES)
    def test_the_textbook_gives_one_answer_per_question_and_string(self, items, rule):
        given = {}
        for grade_row in ask(textbook, {"rule": rule}, items):
            key = (grade_row["question"], grade_row["factors"].get("word"))
            given.setdefault(key, set()).add(grade_row["answer"])
        assert all(len(answers) == 1 for answers in given.values())
        assert given["shapes", None] == {"5"}
        assert given["letter", "Subdermatoglyphic"] == {"e"}


# ---- Prompts in Spanish: off unless listed ----


SPANISH = {name: one for name, one in PROMPT_FILE["prompts"].items() if name.endswith("_es")}


def test_no_release_asks_in_spanish_and_every_task_can_be_asked():
    prompts = {
        name
        for by_task in PROMPT_FILE["releases"].values()
        for ids in by_task.values()
        for name in ids
    }
    assert not prompts & set(SPANISH)
    in_use = questions.prompts_in_use(PROMPT_FILE, settings(prompts=list(SPANISH), controls=True))
    assert list(in_use) == [*TASKS, *CONTROLS]
    assert all(name in SPANISH for names in in_use.values() for name in names)


def test_slots_are_filled_in_spanish():
    items = items_of(["olympic_shapes", "subway"], prompts=["shapes_count_es", "subway_count_es"])
    texts = {
        part["text"]
        for item in items
        for part in item["messages"][-1]["parts"]
        if part["type"] == "text"
    }
    assert (
        "Cuenta los pentágonos de la imagen. Responde con un número entre llaves, p. ej. {3}."
        in texts
    )
    assert any("que van de A a C." in text for text in texts)


@pytest.mark.parametrize(
    ("prompt", "reply", "answer"),
    [
        ("line_es", "Las líneas azul y roja se cruzan 2 veces.", "2"),
        ("line_es", "Se cruzan una vez.", "1"),
        ("line_es", "Las líneas no se cruzan.", "0"),
        ("line_es", "Hay un único punto de intersección.", "1"),
        ("line_es", "Una vez más: se cruzan dos veces.", "2"),
        ("subway_howmany_es", "Hay una ruta de un solo color.", "1"),
        ("subway_howmany_es", "Hay dos caminos de un solo color.", "2"),
        ("nested_count_es", "Hay cinco cuadrados en la imagen.", "5"),
        ("subway_count_es", "{3}", "3"),
        ("shapes_howmany_es", "Hay siete pentágonos.", "7"),
        ("circles_touch_es", "Sí", "Yes"),
        ("circles_touch_es", "Sí, los dos círculos se tocan.", "Yes"),
        ("circles_touch_es", "No, los círculos no se tocan.", "No"),
        ("circles_overlap_es", "No se superponen.", "No"),
        ("grid_count_es", "filas={5} columnas={6}", "5x6"),
        ("grid_count_es", "La tabla tiene 5 filas y 6 columnas.", "5x6"),
        ("grid_howmany_es", "(5,6)", "5x6"),
        ("letter_circled_es", 'La letra marcada es la "m".', "m"),
        ("letter_oval_es", "m", "m"),
    ],
)
def test_answers_in_spanish_are_read(prompt, reply, answer):
    items = items_of([SPANISH[prompt]["task"]], prompts=[prompt])
    item = next(question for question in items if question["prompt"] == prompt)
    named = {name: item[name] for name in ("item_id", "suite")}
    response = {**named, "model": "m", "repeat": 0, "text": reply}
    assert grade(response, item)["answer"] == answer
