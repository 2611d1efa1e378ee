from fractions import Fraction
from itertools import product

import pandas as pd
import pytest
from illusion_samples import answered
from paper_layout import paper_table
from table_forms import csv_text, layout_of, markdown_text, model_rows, references_of

from afterimage.errors import AfterimageError
from afterimage.showing.tables.compute import frame_of
from afterimage.suites.illusion_vqa import tables, tables_tests
from afterimage.suites.illusion_vqa.four_cells import CLASSES, classified, guessing_baseline
from afterimage.suites.illusion_vqa.images import is_representative
from afterimage.suites.illusions.names import ILLUSIONS, VARIANTS

FOURTEEN = ILLUSIONS[:-1]
SETTINGS = {
    "confidence": 0.95,
    "resamples": 500,
    "seed": 7,
    "human_source": "taken from the paper",
    "synthetic_humans": False,
}
CORRECT = {
    "both_correct": (True, True),
    "apparent_only": (False, True),
    "actual_only": (True, False),
    "both_wrong": (False, False),
}


def grades(cell_of, figures=FOURTEEN, **more) -> pd.DataFrame:
    """Grades of one model; ``cell_of(figure, variant, condition)`` names an image's class."""

    def right(figure, variant, condition, question):
        return CORRECT[cell_of(figure, variant, condition)][question == "apparent"]

    return answered(right, figures, **more)


def always(cell):
    return lambda figure, variant, condition: cell


def informed_then_cued(figure, variant, condition):
    """Right on genuine images of variant A only; on fakes right on variant B only."""
    if condition == "genuine":
        return "both_correct" if variant == "A" else "actual_only"
    if condition == "fake":
        return "apparent_only" if variant == "A" else "both_correct"
    return "both_correct"


def row(frame, **names):
    for column, value in names.items():
        frame = frame[frame[column] == value]
    assert len(frame) == 1
    return frame.iloc[0]


@pytest.mark.parametrize("cell", CLASSES)
def test_pair_of_judgements_gives_its_class(cell):
    assert set(classified(grades(always(cell)))["cell"]) == {cell}


def test_denominators_are_those_of_the_paper_without_ponzo():
    data = grades(always("both_correct"))
    genuine, fake, control = (
        model_rows(declared, data, SETTINGS)
        for declared in (tables.GENUINE_VQA, tables.FAKE_VQA, tables.CONTROL_VQA)
    )
    assert list(zip(genuine["condition"], genuine["subset"], genuine["n"], strict=True)) == [
        ("genuine", "all", 28),
        ("genuine", "human_16", 16),
    ]
    assert list(zip(fake["condition"], fake["subset"], fake["n"], strict=True)) == [
        ("fake", "all", 28),
        ("fake", "conditional", 28),
        ("fake", "human_16", 16),
    ]
    assert list(zip(control["condition"], control["subset"], control["n"], strict=True)) == [
        (condition, subset, n)
        for condition in ("control_genuine", "control_fake")
        for subset, n in (("all", 28), ("conditional", 28), ("human_16", 16))
    ]


def test_counts_add_up_to_n_and_shares_to_100():
    cells = dict(zip(product(FOURTEEN, VARIANTS), [*CLASSES] * 7, strict=True))
    table = model_rows(tables.GENUINE_VQA, grades(lambda f, v, c: cells[f, v]), SETTINGS)
    everything = row(table, subset="all")
    assert [everything[f"{name}_k"] for name in CLASSES] == [7, 7, 7, 7]
    assert [everything[name] for name in CLASSES] == [25.0] * 4


def test_conditional_keeps_only_stimuli_whose_genuine_twin_is_both_correct():
    data = grades(informed_then_cued)
    fake = model_rows(tables.FAKE_VQA, data, SETTINGS)
    everything, conditional = row(fake, subset="all"), row(fake, subset="conditional")
    assert (everything["n"], everything["both_correct_k"], everything["apparent_only_k"]) == (
        28,
        14,
        14,
    )
    assert (conditional["n"], conditional["both_correct_k"]) == (14, 0)
    assert conditional["apparent_only_k"] == 14
    control = model_rows(tables.CONTROL_VQA, data, SETTINGS)
    assert list(control[control["subset"] == "conditional"]["n"]) == [14, 14]


@pytest.mark.parametrize(
    ("declared", "illusion", "right", "share"),
    [
        (tables.GENUINE_BESIDE_CONTROL, "genuine", 14, 50.0),
        (tables.FAKE_BESIDE_CONTROL, "fake", 14, 50.0),
    ],
)
def test_an_illusion_stands_beside_its_control(declared, illusion, right, share):
    data = grades(informed_then_cued)
    table = model_rows(declared, data, SETTINGS)
    assert list(table["condition"]) == [illusion, f"control_{illusion}"]
    assert list(table["subset"]) == ["all", "all"]
    assert list(table["n"]) == [28, 28]
    of_illusion = table.iloc[0]
    assert of_illusion["both_correct_k"] == right
    assert of_illusion["both_correct"] == share
    numbers = [c for c in table.columns if c.startswith(("both_", "apparent_", "actual_"))]
    apart = {"genuine": tables.GENUINE_VQA, "fake": tables.FAKE_VQA}[illusion]
    for condition, other in ((illusion, apart), (f"control_{illusion}", tables.CONTROL_VQA)):
        expected = row(model_rows(other, data, SETTINGS), condition=condition, subset="all")
        shown = row(table, condition=condition)
        assert list(shown[numbers]) == list(expected[numbers])
    assert declared.split_by is None


def test_conditional_without_any_twin_is_empty_in_the_csv_and_not_available_in_print():
    data = grades(lambda f, v, c: "both_wrong" if c == "genuine" else "both_correct")
    table = model_rows(tables.FAKE_VQA, data, SETTINGS)
    conditional = row(table, subset="conditional")
    assert conditional["n"] == 0
    assert conditional[[*CLASSES, "both_correct_low", "both_wrong_high"]].isna().all()
    layout = layout_of(tables.FAKE_VQA, data, SETTINGS)
    line = csv_text(table, layout).splitlines()[2]
    assert line == "measured,a_model,zero_shot,fake,conditional,0,0,0,0,0,0,0,0" + "," * 13 + "0,"
    printed = markdown_text(table, layout).splitlines()
    assert sum(text.count(" n/a ") == 5 for text in printed) == 1
    assert list(paper_table(table, "fake", "conditional")["a_model"]) == ["n/a"] * 4


def test_twin_is_looked_up_in_the_same_model_prompt_and_repeat():
    good = always("both_correct")
    bad = always("both_wrong")
    for changes in ({"model": "m2"}, {"prompt": "p2"}, {"repeat": 1}):
        data = pd.concat([grades(good), grades(bad, **changes)])
        table = model_rows(tables.FAKE_VQA, data, SETTINGS)
        assert table[table["subset"] == "conditional"]["n"].sum() == 28


def test_stimulus_without_genuine_twin_is_refused_by_name():
    data = grades(always("both_correct"), conditions=("fake",))
    with pytest.raises(AfterimageError, match="cafe_wall_A_fake has no genuine twin"):
        model_rows(tables.FAKE_VQA, data, SETTINGS)


def test_unparsed_counts_images_with_at_least_one_unread_answer():
    data = grades(always("both_wrong"))
    # Both answers to the first genuine image, one to the third.
    data = data.sort_values("condition", key=lambda c: c != "genuine", kind="stable").reset_index()
    data.loc[[0, 1, 5], "outcome"] = "unparsed"
    data.loc[[0, 1, 5], "reason"] = ["cut_off: a", "refused: b", "refused: c"]
    found = row(model_rows(tables.GENUINE_VQA, data, SETTINGS), subset="all")
    assert [found[f"{name}_k"] for name in ("unparsed", "cut_off", "refused")] == [2, 1, 2]


def test_repeats_are_pooled_and_the_notes_say_so():
    data = pd.concat([grades(always("both_correct"), repeat=r) for r in range(3)])
    assert row(model_rows(tables.GENUINE_VQA, data, SETTINGS), subset="all")["n"] == 84
    assert "images times 3 repeats" in " ".join(layout_of(tables.GENUINE_VQA, data, SETTINGS).notes)


def test_models_and_prompts_stand_in_the_order_of_first_appearance():
    data = pd.concat(
        [
            grades(always("both_wrong"), model=m, prompt=p)
            for m in ("z", "a")
            for p in ("two", "one")
        ]
    )
    table = model_rows(tables.FAKE_VQA, data, SETTINGS)
    assert list(table["model"].drop_duplicates()) == ["z", "a"]
    assert list(table["prompt"].drop_duplicates()) == ["two", "one"]
    assert list(table["subset"][:3]) == ["all", "conditional", "human_16"]


def test_order_of_grades_within_a_model_does_not_matter():
    data = grades(informed_then_cued)
    shuffled = data.sample(frac=1, random_state=3)
    for declared in (
        tables.GENUINE_VQA,
        tables.FAKE_VQA,
        tables.CONTROL_VQA,
        tables_tests.ILLUSION_VQA_TESTS,
    ):
        pd.testing.assert_frame_equal(
            model_rows(declared, data, SETTINGS), model_rows(declared, shuffled, SETTINGS)
        )


def test_stimulus_lacking_a_question_is_refused_by_name():
    data = grades(always("both_correct")).drop(index=1)
    with pytest.raises(AfterimageError, match=r"0 answers to the apparent .* cafe_wall_A_genuine"):
        model_rows(tables.GENUINE_VQA, data, SETTINGS)


def test_stimulus_with_a_question_twice_is_refused_by_name():
    data = grades(always("both_correct"))
    with pytest.raises(AfterimageError, match=r"2 answers to the actual .* cafe_wall_A_genuine"):
        model_rows(tables.GENUINE_VQA, pd.concat([data, data.iloc[[0]]]), SETTINGS)


def test_unknown_question_is_refused_by_name():
    data = grades(always("both_correct"))
    data.loc[0, "question"] = "felt"
    with pytest.raises(AfterimageError, match=r"unknown question 'felt'.*actual, apparent"):
        model_rows(tables.GENUINE_VQA, data, SETTINGS)


def test_missing_factor_is_refused_by_name():
    data = grades(always("both_correct")).drop(columns="option_count")
    with pytest.raises(AfterimageError, match="column 'option_count' is missing"):
        model_rows(tables.GENUINE_VQA, data, SETTINGS)


def test_guessing_baseline_is_exact():
    baseline = guessing_baseline([2] * 6 + [3] * 22)
    assert baseline["both_correct"] == Fraction(6 * 9 + 22 * 4, 28 * 36)
    assert sum(baseline.values()) == 1
    assert [round(float(100 * share), 1) for share in baseline.values()] == [14.1, 22.8, 22.8, 40.3]
    assert guessing_baseline([]) == {}


KEYS = {
    # What is the case and what seems so; the figure suggests "right".
    "genuine": ("same", "right"),
    "fake": ("right", "right"),
    "control_genuine": ("same", "same"),
    "control_fake": ("right", "right"),
}


def offered(figures=("mueller_lyer", "cafe_wall")):
    """Grades with what each question offers; of the second figure "same" is the first of two options."""
    data = grades(always("both_wrong"), figures=figures)
    two = data["figure"] == "cafe_wall"
    return data.assign(
        key=[
            KEYS[condition][question == "apparent"]
            for condition, question in zip(data["condition"], data["question"], strict=True)
        ],
        offered=[["same", "right"] if few else ["left", "right", "same"] for few in two],
        illusory="right",
        neutral="same",
    )


def below(declared, data, **names):
    frame = frame_of(declared, data, SETTINGS)
    return row(frame, kind="reference", subset="all", **names)


def test_a_guess_follows_the_option_counts_of_the_grades():
    data = grades(always("both_correct"), figures=("cafe_wall", "zoellner"))
    guessed = below(tables.GENUINE_VQA, data, model="uniform guessing")
    assert guessed["n"] == 4 and guessed[[*CLASSES]].tolist() == [25.0] * 4
    assert guessed[["both_correct_k", "both_correct_low", "unparsed_k"]].isna().all()


def test_the_best_constant_answer_is_the_illusory_option_for_fakes_and_no_difference_for_controls():
    best = {"model": "best constant answer"}
    fake = below(tables.FAKE_VQA, offered(), **best)
    assert (fake["answer"], fake["both_correct"]) == ("the illusory option", 100)
    control = below(tables.CONTROL_VQA, offered(), condition="control_genuine", **best)
    assert (control["answer"], control["both_correct_k"]) == ("no difference", 4)
    # What is and what seems differ: one answer to both is right in one question at most.
    assert below(tables.GENUINE_VQA, offered(), **best)["both_correct_k"] == 0


def test_the_best_position_is_one_place_in_both_questions_of_all_figures():
    best = {"model": "best position"}
    fake = below(tables.FAKE_VQA, offered(), **best)
    assert (fake["answer"], fake["both_correct_k"], fake["n"]) == ("second", 4, 4)
    control = below(tables.CONTROL_VQA, offered(), condition="control_genuine", **best)
    assert (control["answer"], control["both_correct_k"], control["both_wrong_k"]) == (
        "first",
        2,
        2,
    )


def test_which_twins_a_baseline_has_right_is_not_asked():
    frame = frame_of(tables.FAKE_VQA, offered(), SETTINGS)
    assert set(frame[frame["kind"] == "reference"]["subset"]) == {"all", "human_16"}


@pytest.mark.parametrize(
    "declared",
    [tables.GENUINE_VQA, tables.FAKE_VQA, tables.CONTROL_VQA, tables_tests.ILLUSION_VQA_TESTS],
)
def test_every_table_says_where_the_human_filter_came_from(declared):
    data = grades(always("both_correct"))
    layout = layout_of(declared, data, SETTINGS | {"human_source": "the moon"})
    assert "Which illusions count (human filter): the moon." in layout.notes
    assert not layout.warnings
    synthetic = layout_of(declared, data, SETTINGS | {"synthetic_humans": True})
    text = markdown_text(model_rows(declared, data, SETTINGS), synthetic)
    assert text.startswith("**SYNTHETIC HUMAN DATA")


def test_rows_that_are_identical_by_construction_say_so_where_the_inducer_is_present():
    def said(declared, *models):
        data = pd.concat([grades(always("both_correct"), model=model) for model in models])
        notes = layout_of(declared, data, SETTINGS).notes
        return [note for note in notes if "identical by construction" in note]

    both = ("textbook_cued", "textbook_gated")
    for declared in (tables.GENUINE_VQA, tables.FAKE_VQA):
        (note,) = said(declared, *both)
        assert note.startswith("textbook_cued and textbook_gated are identical")
        assert not said(declared, "textbook_cued", "a_model")
    assert not said(tables.CONTROL_VQA, *both)


@pytest.mark.parametrize(
    "declared",
    [tables.GENUINE_VQA, tables.FAKE_VQA, tables.CONTROL_VQA, tables_tests.ILLUSION_VQA_TESTS],
)
def test_prompt_is_a_column_only_where_there_are_several(declared):
    single = grades(always("both_correct"))
    two = pd.concat([single, grades(always("both_correct"), prompt="few_shot")])
    assert "Prompt" not in [
        column.header for column in layout_of(declared, single, SETTINGS).columns
    ]
    assert "Prompt: zero_shot." in layout_of(declared, single, SETTINGS).notes
    assert "Prompt" in [column.header for column in layout_of(declared, two, SETTINGS).columns]
    assert markdown_text(model_rows(declared, two, SETTINGS), layout_of(declared, two, SETTINGS))


def test_people_are_quoted_where_the_paper_has_them_and_nowhere_else():
    data = grades(always("both_correct"))
    quoted = {
        declared.name: [
            r for r in references_of(declared, data, SETTINGS) if "people" in r["Model"]
        ]
        for declared in (tables.GENUINE_VQA, tables.FAKE_VQA, tables.CONTROL_VQA)
    }
    assert [r["Both correct"] for r in quoted[tables.GENUINE_VQA.name]] == ["62.5 (10/16)"]
    assert [r["Both correct"] for r in quoted[tables.FAKE_VQA.name]] == ["100.0 (16/16)"]
    assert quoted[tables.CONTROL_VQA.name] == []


def test_the_studys_own_people_stand_beside_the_papers(tmp_path):
    """16 representative images; in 10 most people got both right, in 6 only the apparent one."""
    images = [
        (figure, variant)
        for figure in FOURTEEN
        for variant in VARIANTS
        if is_representative(figure, variant)
    ]
    path = tmp_path / "people.csv"
    lines = ["figure,variant,condition,stimulus_id,actual,apparent"]
    for number, (figure, variant) in enumerate(images):
        right = str(number < 10).lower()
        lines.append(f"{figure},{variant},genuine,{figure}_{variant}_genuine,{right},true")
        lines.append(f"{figure},{variant},fake,{figure}_{variant}_fake,true,true")
    path.write_text("\n".join(lines) + "\n")
    settings = SETTINGS | {"people": str(path)}
    data = grades(always("both_wrong"))
    table = frame_of(tables.GENUINE_VQA, data, settings)
    rows = table[table["model"] == "people"]
    assert list(rows["subset"]) == ["human_16"]
    (found,) = rows.to_dict(orient="records")
    assert (found["n"], found["both_correct_k"], found["apparent_only_k"]) == (16, 10, 6)
    without = frame_of(tables.GENUINE_VQA, data, SETTINGS)
    assert table[table["model"] != "people"].reset_index(drop=True).equals(without)
    layout = layout_of(tables.GENUINE_VQA, data, settings)
    names = [row.cells[0] for row in layout.rows]
    assert names.index("people") == names.index("uniform guessing") - 1
    assert layout.references[-1][0] == "people (paper)"
    path.write_text(lines[0] + "\n")
    assert frame_of(tables.GENUINE_VQA, data, settings).equals(without)
