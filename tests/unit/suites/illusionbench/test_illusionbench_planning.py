"""What bears on which stage, and the defaults of the settings."""

import pytest
from illusionbench_rows import ROOT, settings

from afterimage.errors import AfterimageError
from afterimage.suites.illusionbench import catalogue, planning
from afterimage.suites.illusionbench.names import CATEGORIES, DRAWN_FIGURES


@pytest.fixture(scope="module")
def bank():
    return planning.load_prompts(settings())


def test_seed_bears_on_what_is_random_alone():
    one, other = settings(), settings(seed=7)
    specs = {
        figure: planning.drawing_spec(figure, one) == planning.drawing_spec(figure, other)
        for figure in DRAWN_FIGURES
    }
    assert specs == {"geometric": True, "plain_scenes": False, "colour_plates": False}


def test_memory_bears_on_questions_only_where_steps_are_asked(bank):
    asked = ["true_false"]
    one, other = (settings(questions=asked, memory_mode=mode) for mode in ("concat", "chat"))
    assert planning.question_spec(bank, one, DRAWN_FIGURES) == planning.question_spec(
        bank, other, DRAWN_FIGURES
    )
    every, chat = settings(), settings(memory_mode="chat")
    assert planning.question_spec(bank, every, DRAWN_FIGURES) != planning.question_spec(
        bank, chat, DRAWN_FIGURES
    )


def test_verdict_and_groups_bear_on_tables_alone(bank):
    one, other = settings(), settings(decided_by="parser", model_groups={"All of them": ["a"]})
    for figure in DRAWN_FIGURES:
        assert planning.drawing_spec(figure, one) == planning.drawing_spec(figure, other)
    assert planning.question_spec(bank, one, DRAWN_FIGURES) == planning.question_spec(
        bank, other, DRAWN_FIGURES
    )
    assert planning.table_settings(one) != planning.table_settings(other)


def test_order_of_the_headings_survives_sorted_keys():
    groups = {"Second": ["b"], "First": ["a"]}
    told = planning.table_settings(settings(model_groups=groups))["illusionbench"]
    assert told["model_groups"] == [["Second", ["b"]], ["First", ["a"]]]


def test_graders_are_those_of_the_questions_in_use(bank):
    assert planning.answer_types(bank, settings()) == ["description", "roman", "true_false"]
    assert planning.answer_types(bank, settings(questions=["true_false"])) == ["true_false"]


def test_file_of_people_is_an_input_of_the_tables(tmp_path):
    path = tmp_path / "human.csv"
    path.write_text("evaluator,item_id,answer\n")
    chosen = settings(human_vqa=str(path))
    assert planning.table_files(chosen) == [str(path)]
    assert planning.table_files(settings()) == []


def test_what_pages_bring_back_is_taken_where_no_file_is_configured():
    chosen = {**settings(), "human_answers": {"vqa": "results/human/answers/x/vqa.csv"}}
    assert planning.human_answers(chosen) == "results/human/answers/x/vqa.csv"


def test_pages_are_written_where_they_are_asked_for():
    assert planning.forms(settings()) == {}
    asked = settings(pages={"forms": ["review", "vqa"]})
    assert list(planning.forms(asked)) == ["review", "vqa"]
    assert planning.form_files("review", asked) == ["results/review/illusionbench/queue.csv"]
    assert planning.form_spec("vqa", {}, asked) == {"images": 200, "seed": 0}


def test_missing_file_of_people_is_one_sentence(tmp_path):
    with pytest.raises(AfterimageError, match=r"illusionbench\.human_vqa: file .* does not exist"):
        planning.table_settings(settings(human_vqa=str(tmp_path / "none.csv")))


def test_unknown_setting_suggests_the_nearest():
    with pytest.raises(AfterimageError, match="did you mean 'memory_mode'"):
        settings(memory_moda="chat")


def test_positions_leave_room_between_figures():
    starts = [catalogue.first_position(name) for name in (*DRAWN_FIGURES, *CATEGORIES)]
    assert starts == sorted(starts)
    assert len(set(starts)) == len(starts)
    assert starts[-1] + 100_000 <= 999_999


def test_every_table_chart_and_sheet_has_a_caption():
    for name in (*catalogue.TABLES, *catalogue.CHARTS, *catalogue.CONTACT_SHEETS):
        caption = ROOT / "workflow" / "report" / f"{name}.rst"
        assert caption.read_text(encoding="utf-8").strip()
