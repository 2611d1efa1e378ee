"""The prompt file: the words are the paper's, and faults in it are found."""

from pathlib import Path

import pytest
from blindtest_samples import settings

from afterimage.errors import AfterimageError
from afterimage.files.yaml import read_yaml
from afterimage.grading.readers import integer, letter, rows_columns, yes_no
from afterimage.suites.blindtest import questions
from afterimage.suites.blindtest.names import CONTROLS, RELEASES, TASKS

ROOT = Path(__file__).resolve().parents[4]
FILE = ROOT / "resources" / "prompts" / "blindtest.yaml"
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
        names = list(questions.load_bank(FILE)["prompts"])
        spanish = [name for name in names if name.endswith("_es")]
        controls = [name for ids in questions.load_bank(FILE)["controls"].values() for name in ids]
        assert (len(names) - len(spanish) - len(controls), len(spanish)) == (17, 14)
        assert controls == ["string_read", "shape_which"]

    @pytest.mark.parametrize("release", RELEASES)
    def test_every_task_is_asked_with_two_prompts_but_the_published_squares(self, release):
        counts = {
            task: len(ids) for task, ids in questions.load_bank(FILE)["releases"][release].items()
        }
        squares = 1 if release == "v1" else 2
        assert counts == dict.fromkeys(TASKS, 2) | {"nested_squares": squares}

    def test_example_answers_in_braces_are_left_alone(self):
        prompts = questions.load_bank(FILE)["prompts"]
        assert prompts["grid_count"]["text"].endswith("rows={5} columns={6}")
        assert prompts["shapes_count"]["text"] == (
            "Count the {shapes} in the image. Answer with a number in curly brackets e.g. {3}."
        )

    def test_the_example_in_each_prompt_is_of_the_form_that_its_grader_reads(self):
        examples = {"integer": "{3}", "letter": "e", "rows_columns": "(5,6)", "yes_no": "Yes"}
        for prompt in questions.load_bank(FILE)["prompts"].values():
            if prompt["task"] in CONTROLS:
                continue
            kind = prompt["answer_type"]
            assert READERS[kind].parse(examples[kind]).outcome == "exact"

    def test_the_graders_in_use_are_those_of_the_tasks_in_use(self):
        loaded = questions.load_bank(FILE)
        assert questions.answer_types(loaded, settings()) == sorted(READERS)
        assert questions.answer_types(loaded, settings(tasks=["grid"])) == ["rows_columns"]


class TestChoice:
    def test_a_release_chooses_the_prompts(self):
        loaded = questions.load_bank(FILE)
        lines = [
            questions.prompts_in_use(loaded, settings(release=release))["line_intersection"]
            for release in RELEASES
        ]
        assert lines == [
            ["line_v1_intersect", "line_v1_cross"],
            ["line_final_count", "line_final_howmany"],
        ]

    def test_named_prompts_replace_those_of_their_task_alone(self):
        chosen = ["nested_howmany_braces", "nested_count_braces"]
        in_use = questions.prompts_in_use(questions.load_bank(FILE), settings(prompts=chosen))
        assert in_use["nested_squares"] == chosen
        assert in_use["grid"] == ["grid_count", "grid_howmany"]

    def test_an_unknown_prompt_is_refused_with_the_nearest(self):
        with pytest.raises(AfterimageError, match="did you mean 'grid_count'"):
            questions.words(settings(prompts=["grid_cuont"]))

    def test_a_prompt_of_a_task_that_is_not_drawn_is_refused(self):
        with pytest.raises(
            AfterimageError, match="'grid_count' asks about task 'grid', which is not"
        ):
            questions.words(settings(tasks=["subway"], prompts=["grid_count"]))

    def test_a_prompt_that_is_not_shown_changes_no_other_tasks_questions(self, edited):
        path = edited("Which letter is being circled?", "Which letter has a circle?")
        before, after = (
            questions.asking(questions.load_bank(file), settings(), ["grid"], {})
            for file in (FILE, path)
        )
        assert before == after
        letters = [
            questions.asking(questions.load_bank(file), settings(), ["circled_letter_copy003"], {})
            for file in (FILE, path)
        ]
        assert letters[0] != letters[1]


class TestFaults:
    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("task: two_circles", "task: two_circle", "unknown task 'two_circle'"),
            ("question: touch", "question: touching", "unknown question 'touching'"),
            ("{shapes} are", "{shape} are", "unknown slot 'shape'"),
            ("from {station1} to {station2}?", "from {station1}?", r"\{station2\} occurs 0 times"),
            ("Which letter is being circled?", "{station1}?", "unknown slot 'station1'"),
            ("[grid_count, ", "[letter_oval, ", "unknown prompt 'letter_oval'"),
            ("    grid: [grid_count, grid_howmany]\n", "", "key 'grid' is missing"),
            ("[nested_count_plain]", "[]", "found .*; expected a list of at least one prompt id"),
            ("releases:\n  v1:", "releases:\n  v2:", "unknown key 'v2'"),
        ],
    )
    def test_a_fault_is_named_with_its_key(self, edited, old, new, message):
        with pytest.raises(AfterimageError, match=message):
            questions.load_bank(edited(old, new))

    def test_the_file_is_plain_yaml(self):
        assert set(read_yaml(FILE)) == {"prompts", "controls", "releases"}
