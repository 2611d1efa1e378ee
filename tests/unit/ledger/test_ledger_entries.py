"""What a study has beside each printed number."""

import csv
from importlib import import_module

import pytest

from afterimage.contract.finding import load_suite, table_names
from afterimage.errors import AfterimageError
from afterimage.files.paths import with_folder
from afterimage.files.yaml import read_yaml
from afterimage.ledger.cells import Files
from afterimage.ledger.entries import COLUMNS, STATUSES, entries
from afterimage.planning.configuration import load_study
from afterimage.planning.papers import Ledger
from afterimage.stages.ledger import rescore
from afterimage.suites.blindtest import paper as blindtest
from afterimage.suites.blindtest.tables import BLINDTEST
from afterimage.suites.counting_bias import paper as counting_bias
from afterimage.suites.counting_bias.tables import COUNTING_BIAS as COUNTING
from afterimage.suites.illusion_vqa import paper as illusion_vqa
from afterimage.suites.illusion_vqa.four_cells import CLASSES

ALL_TABLES = [
    *("genuine_vqa", "fake_vqa", "control_vqa"),
    *(f"blindtest_{name}" for name in ("lines", "circles", "letters", "shapes", "squares")),
    *("blindtest_grids", "blindtest_paths", "texture_classification", "texture_generation"),
    *(f"illusionbench_{name}" for name in ("tf", "mcq", "fp_ratio", "description")),
    *("illusionbench_step_by_step", "illusionbench_description_detail", "illusionbench_data"),
    *("illusionbench_judge_validation", "texture_rejected", "pope_relabelled", "perceive_recall"),
    *("counting_bias", "pope", "hallusionbench", "illusionvqa"),
]
SUITES = {
    "illusion_vqa": {},
    "illusion_strength": {},
    "blindtest": {},
    "texture": {},
    "illusionbench": {},
    "pope": {},
    "counting_bias": {},
}
#: Suites that ask about files of others only: without these a study of them cannot be planned.
OF_FILES = ("hallusionbench", "shahgir_illusionvqa")


def study_of(root, monkeypatch, **changes):
    monkeypatch.chdir(root)
    config = {"models": ["chance"], "suites": SUITES, **changes}
    return load_study(config, root / "workflow" / "schemas")


def as_model(name, model_id=None):
    """A study in which a responder passes for another model."""
    entry = {"backend": "chance", "settings": {"seed": 0}, "model_id": model_id or name}
    return {"models": [f"my-{name}"], "own_models": {f"my-{name}": entry}}


@pytest.fixture
def ledger_of(root, monkeypatch):
    def make(**changes):
        changes = {"ledger": {"recorded": {"blindtest": "none"}}, **changes}
        return Ledger(study_of(root, monkeypatch, **changes), ALL_TABLES, root)

    return make


def told(ledger):
    return {"confidence": 0.95, "papers": ledger.states}


def named(ledger, name, files):
    (entry,) = entries([ledger.number(name)], ledger.numbers, told(ledger), Files(files))
    return entry


def write(folder, path, rows):
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def test_every_printed_number_has_one_row_and_a_status_and_a_reason_where_there_is_no_value(
    ledger_of, root
):
    ledger = ledger_of()
    rows = entries(ledger.numbers, ledger.numbers, told(ledger), Files([]))
    lines = sum(
        len(path.read_text().splitlines()) - 1
        for path in (root / "resources/published").glob("*.csv")
    )
    assert len(rows) == len(ledger.numbers) == lines
    assert all(list(row) == list(COLUMNS) for row in rows)
    assert all(row["status"] in STATUSES for row in rows)
    assert all(row["value"] or row["reason"] for row in rows)
    bounded = [row for row in rows if row["published_low"]]
    assert len(bounded) > 1000
    assert all(float(row["published_low"]) < float(row["published_high"]) for row in bounded)
    results = {number.name for number in ledger.numbers if number.is_result}
    assert len(results) > 1135
    for number, row in zip(ledger.numbers, rows, strict=True):
        assert (row["status"] == "not_a_result") <= (number.name not in results)


SQUARES = {
    "kind": "measured",
    "row": "squares",
    "accuracy": "50.0000",
    "k": "60",
    "n": "120",
    "low": "41.2",
    "high": "58.8",
}


@pytest.fixture
def squares(ledger_of, tmp_path, monkeypatch):
    """The entry of GPT-4o's nested squares, where the study's table has a row with these cells."""
    path = "results/tables/blindtest_squares.csv"

    def entry(model="gpt-4o-2024-05-13", **cells):
        ledger = ledger_of(**as_model(model))
        name = "blindtest/task5/gpt-4o/squares/accuracy"
        assert [with_folder(file, "results") for file in ledger.files([name])] == [path]
        with monkeypatch.context() as patched:
            patched.chdir(tmp_path)
            row = {"model": f"my-{model}", **SQUARES, **cells}
            write(tmp_path, path, [{**row, "model": "chance", "accuracy": "1"}, row])
            return named(ledger, name, [path])

    return entry


@pytest.mark.parametrize(
    "value, low, high, verdict",
    [
        # 48.33 is printed; n* is 120 on both sides, so nobody can tell 50 % from it.
        ("50.0000", "41.1939", "58.8061", "cannot_tell"),
        ("70.0000", "61.2849", "77.4744", "differs"),
    ],
)
def test_a_measured_number_has_a_verdict_and_the_interval_it_stands_on(
    squares, value, low, high, verdict
):
    entry = squares(accuracy=value, low=low, high=high)
    assert (entry["status"], entry["value"], entry["verdict"]) == ("measured", value, verdict)
    assert (entry["k"], entry["n"], entry["published_n"]) == ("60", "120", "120")
    assert float(entry["worth"]) == pytest.approx(120, abs=0.01)
    assert float(entry["difference"]) == pytest.approx(float(value) - 48.33, abs=1e-3)
    assert (float(entry["difference_low"]) > 0) == (verdict == "differs")
    assert entry["measured_model"] == "my-gpt-4o-2024-05-13"


def test_many_answers_near_the_printed_ones_are_consistent(ledger_of, tmp_path, monkeypatch):
    name = "blindtest/task2/gpt-4o/overlapping/accuracy"
    path = "results/tables/blindtest_circles.csv"
    ledger = ledger_of(**as_model("gpt-4o-2024-05-13"))
    monkeypatch.chdir(tmp_path)
    row = SQUARES | {"model": "my-gpt-4o-2024-05-13", "row": "overlapping", "n": "672", "k": "470"}
    write(tmp_path, path, [row | {"accuracy": "69.9405", "low": "66.3682", "high": "73.2888"}])
    assert named(ledger, name, [path])["verdict"] == "consistent"


def test_a_study_with_another_folder_of_results_has_its_numbers_there(
    ledger_of, tmp_path, monkeypatch
):
    ledger = ledger_of(**as_model("gpt-4o-2024-05-13"))
    name, path = "blindtest/task5/gpt-4o/squares/accuracy", "out/one/tables/blindtest_squares.csv"
    monkeypatch.chdir(tmp_path)
    write(tmp_path, path, [{"model": "my-gpt-4o-2024-05-13", **SQUARES, "n": "5"}])
    number = ledger.number(name)
    (entry,) = entries([number], ledger.numbers, told(ledger), Files([path], "out/one"))
    assert entry["source_file"] == path
    assert entry["reason"].startswith(f"other images or questions than the paper's: {path} has 5")


@pytest.mark.parametrize("n, status", [("120", "measured"), ("360", "measured"), ("5", None)])
def test_a_number_about_more_or_fewer_images_than_the_papers_has_no_verdict(squares, n, status):
    entry = squares(n=n)
    assert entry["status"] == (status or "other_images")
    assert bool(entry["verdict"]) == bool(status)
    if status is None:
        assert entry["value"] == "50.0000"
        assert "blindtest_squares.csv has 5 in the column n, the paper 120" in entry["reason"]


def test_five_pictures_under_the_name_of_a_benchmark_are_no_measurement_of_it(
    ledger_of, tmp_path, monkeypatch
):
    """They were once found to disagree with IllusionBench+."""
    own = {"illusionbench": {"source": "folder", "folder": "mine"}}
    ledger = ledger_of(**as_model("gpt-4o-2024-05-13"), suites=own)
    path = "results/tables/illusionbench_tf.csv"
    columns = ("classical", "real_scene", "no_illusion", "ishihara", "trap", "all")
    row = {"model": "my-gpt-4o-2024-05-13"}
    for name in columns:
        row |= {f"{name}{part}": "" for part in ("", "_k", "_low", "_high")} | {f"{name}_n": "1"}
    row |= {"all": "0.2000", "all_k": "1", "all_n": "5", "all_low": "0.03", "all_high": "0.6"}
    monkeypatch.chdir(tmp_path)
    write(tmp_path, path, [row])
    entry = named(ledger, "illusionbench_plus/table2/gpt-4o/all/accuracy_tf", [path])
    assert (entry["status"], entry["verdict"], entry["value"]) == ("other_images", "", "0.2000")
    assert "has 1 in the column classical_n, the paper 344" in entry["reason"]


def test_answers_replayed_by_a_backend_are_recorded(ledger_of, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study = as_model("gpt-4o-2024-05-13")
    entry = study["own_models"]["my-gpt-4o-2024-05-13"]
    entry |= {"backend": "recorded", "settings": {"file": "answers.csv"}}
    ledger = ledger_of(**study)
    path = "results/tables/blindtest_squares.csv"
    monkeypatch.chdir(tmp_path)
    write(tmp_path, path, [{"model": "my-gpt-4o-2024-05-13", **SQUARES}])
    entry = named(ledger, "blindtest/task5/gpt-4o/squares/accuracy", [path])
    assert (entry["status"], entry["verdict"]) == ("recorded", "cannot_tell")


def test_recorded_answers_of_an_own_entry_count_as_the_model_that_gave_them(ledger_of):
    ledger = ledger_of(**as_model("theirs", "gpt-4o-2024-11-20"))
    assert ledger.states["blindtest"]["models"]["gpt-4o"]["name"] == "my-theirs"
    # The paper about IllusionBench+ names another version.
    assert ledger.states["illusionbench_plus"]["models"]["gpt-4o"]["name"] == ""


def test_a_model_that_nobody_can_ask_any_more_is_the_reason(ledger_of):
    entry = named(ledger_of(), "blindtest/task5/claude-3-sonnet/squares/accuracy", [])
    assert entry["status"] == "not_run"
    assert "Anthropic retired it on 2025-07-21" in entry["reason"]
    assert "claude-sonnet-5.5 replaces it" in entry["reason"]


@pytest.mark.parametrize(
    "name, reason",
    [
        ("texture/table1/gpt-4o/two_choice/accuracy", "suites.texture.data"),
        ("illusionbench_plus/table2/gpt-4o/all/accuracy_tf", "suites.illusionbench.source"),
    ],
)
def test_a_model_that_saw_drawn_materials_is_not_compared_with_the_papers_photographs(
    ledger_of, name, reason
):
    changes = as_model("gpt-4o-2024-11-20")
    ledger = ledger_of(**changes)
    entry = named(ledger, name, [])
    assert entry["status"] == "not_run"
    assert entry["reason"].startswith("data absent")
    assert reason in entry["reason"]


def test_a_suite_that_is_left_out_is_the_reason(ledger_of):
    ledger = ledger_of(suites={"pope": {}})
    assert ledger.files() == []
    entry = named(ledger, "blindtest/task5/gpt-4o/squares/accuracy", [])
    assert entry["reason"] == "the study leaves out the suite blindtest (config key 'suites')"


def test_the_later_release_of_a_task_is_not_compared_with_the_papers(
    ledger_of, tmp_path, monkeypatch
):
    changes = as_model("gpt-4o-2024-11-20") | {"suites": {"blindtest": {"release": "final"}}}
    ledger = ledger_of(**changes)
    path = "results/tables/blindtest_lines.csv"
    monkeypatch.chdir(tmp_path)
    row = {"model": "my-gpt-4o-2024-11-20", **SQUARES, "row": "average"}
    write(tmp_path, path, [row])
    entry = named(ledger, "blindtest/task1/gpt-4o/average/accuracy", [path])
    assert (entry["status"], entry["value"], entry["verdict"]) == ("other_images", "50.0000", "")
    assert "suites.blindtest.release" in entry["reason"]


def test_a_study_of_some_illusions_is_not_compared(ledger_of, tmp_path, monkeypatch):
    changes = as_model("gpt-4o-2024-11-20") | {"suites": {"illusion_vqa": {"illusions": ["fick"]}}}
    ledger = ledger_of(**changes)
    monkeypatch.chdir(tmp_path)
    row = {"model": "my-gpt-4o-2024-11-20", "prompt": "zero_shot", "condition": "genuine"}
    counted = {f"{name}{part}": "1" for name in CLASSES for part in ("", "_k", "_low", "_high")}
    write(tmp_path, "results/tables/genuine_vqa.csv", [row | {"subset": "all", "n": "2"} | counted])
    name = "illusion_vqa/table2/gpt-4o/genuine/both_correct"
    entry = named(ledger, name, ["results/tables/genuine_vqa.csv"])
    assert (entry["status"], entry["verdict"]) == ("other_images", "")
    assert "leaves out some of the 14 illusions" in entry["reason"]


def test_a_share_is_found_in_percent_where_the_text_prints_percent(
    ledger_of, tmp_path, monkeypatch
):
    name = "illusionbench_plus/text/gpt-4o/all/accuracy_tf"
    ledger = ledger_of(**as_model("gpt-4o-2024-05-13"))
    spec = told(ledger)
    spec["papers"]["illusionbench_plus"]["missing"] = {}
    path = "results/tables/illusionbench_tf.csv"
    row = {"model": "my-gpt-4o-2024-05-13", "all": "0.8059", "all_k": "1806", "all_n": "2241"}
    asked = {"classical": 344, "real_scene": 1326, "no_illusion": 483, "ishihara": 52, "trap": 38}
    row |= {f"{name}_n": str(count) for name, count in asked.items()}
    monkeypatch.chdir(tmp_path)
    write(tmp_path, path, [row | {"all_low": "0.79", "all_high": "0.82"}])
    (entry,) = entries([ledger.number(name)], ledger.numbers, spec, Files([path]))
    # As many questions in every category as the paper's, and nothing more is known of them.
    assert entry["status"] == "unproven"
    assert "no hash says" in entry["reason"]
    assert (entry["value"], entry["low"], entry["high"]) == (
        "80.5900",
        "79.0000",
        "82.0000",
    )


def test_a_table_without_an_expected_column_is_named(ledger_of, tmp_path, monkeypatch):
    ledger = ledger_of(**as_model("gpt-4o-2024-11-20"))
    path = "results/tables/blindtest_squares.csv"
    monkeypatch.chdir(tmp_path)
    write(tmp_path, path, [{"model": "my-gpt-4o-2024-11-20", "kind": "measured"}])
    with pytest.raises(AfterimageError, match=f"{path}: column 'row' is missing"):
        named(ledger, "blindtest/task5/gpt-4o/squares/accuracy", [path])


def test_printed_sizes_are_counted_among_the_stimuli(ledger_of, tmp_path, monkeypatch):
    ledger = ledger_of()
    measured = "results/stimuli/illusion_vqa/measured.csv"
    decisions = "results/human/illusion_vqa_decisions.csv"
    assert {measured, decisions} <= {with_folder(file, "results") for file in ledger.files()}
    monkeypatch.chdir(tmp_path)
    stimuli = [("fick", "fick_A_genuine"), ("fick", "fick_A_genuine"), ("ponzo", "ponzo_A_genuine")]
    write(
        tmp_path,
        measured,
        [{"stimulus_id": i, "figure": f, "condition": "genuine"} for f, i in stimuli],
    )
    write(
        tmp_path,
        decisions,
        [{"figure": "fick", "keep": "true"}, {"figure": "ponzo", "keep": "false"}],
    )
    for name, count in (
        ("genuine/n_images_created", "2"),
        ("genuine/n_images_final", "1"),
        ("selected/n_illusions", "2"),
    ):
        entry = named(ledger, f"illusion_vqa/text/none/{name}", [measured, decisions])
        assert (entry["status"], entry["value"], entry["verdict"]) == (
            "not_a_result",
            count,
            "differs",
        )


IN_TEXT = ("srcc", "mean_description_words", "answer_false_share", "n_samples_all_no")


def test_results_in_running_text_say_what_they_take_where_the_data_are_absent(ledger_of):
    ledger = ledger_of()
    names = [number.name for number in ledger.numbers if number.metric in IN_TEXT]
    assert len(names) == 5
    for name in names:
        entry = named(ledger, name, [])
        assert (entry["status"], entry["value"]) == ("not_run", "")
        assert "data absent" in entry["reason"]


DATA = {"category": "total", "false_share": "56.6206", "false_k": "1270", "statements": "2243"}
DATA |= {"goldens": "1051", "golden_words": "53.2141"}


@pytest.fixture
def of_the_release(root, monkeypatch, tmp_path):
    """The entry of a number, where a study has the paper's data and the models, and one table has these rows."""
    printed = {
        "gpt-4o": ("gpt-4o-2024-05-13", "gpt-4o-2024-11-20"),
        "gemini": ("gemini-1.5-pro",),
        "qwen": ("qwen-vl-plus",),
        "llava": ("llava-v1.5-7b",),
    }
    entry = {"backend": "chance", "settings": {"seed": 0}}
    own = {f"my-{name}": entry | {"model_id": name} for names in printed.values() for name in names}
    suites = {
        "illusionbench": {"source": "folder", "folder": "mine"},
        "texture": {"data": "theirs"},
    }

    def made(name, table, row):
        study = study_of(root, monkeypatch, models=list(own), own_models=own, suites=suites)
        path = f"results/tables/{table}.csv"
        with monkeypatch.context() as patched:
            ledger = Ledger(study, ALL_TABLES, root)
            patched.chdir(tmp_path)
            write(tmp_path, path, [row])
            return named(ledger, name, [path])

    return made


@pytest.mark.parametrize(
    "name, value, verdict, changed",
    [
        ("true_or_false/answer_false_share", "56.6206", "consistent", {}),
        ("true_or_false/answer_false_share", "58.0000", "differs", {"false_share": "58.0000"}),
        ("all/mean_description_words", "53.2141", "consistent", {}),
        ("all/mean_description_words", "53.2200", "differs", {"golden_words": "53.2200"}),
    ],
)
def test_what_is_counted_in_the_papers_data_prints_the_same_or_differs(
    of_the_release, name, value, verdict, changed
):
    name = f"illusionbench_plus/text/none/{name}"
    entry = of_the_release(name, "illusionbench_data", DATA | changed)
    assert (entry["status"], entry["value"], entry["verdict"]) == ("unproven", value, verdict)


def test_other_data_than_the_papers_are_told_by_their_number(of_the_release):
    name = "illusionbench_plus/text/none/true_or_false/answer_false_share"
    entry = of_the_release(name, "illusionbench_data", DATA | {"statements": "10"})
    assert (entry["status"], entry["verdict"]) == ("other_images", "")


def test_the_correlation_of_a_judge_with_people_is_the_evaluators_and_has_no_verdict(
    of_the_release,
):
    row = {"number": "2", "evaluator": "b", "question_type": "all", "rho": "0.9100", "n": "900"}
    row |= {"rho_low": "0.8900", "rho_high": "0.9300", "images": "100", "models": "3"}
    name = "illusionbench_plus/text/none/judge_human_{}/srcc"
    table = "illusionbench_judge_validation"
    entry = of_the_release(name.format(2), table, row)
    assert (entry["status"], entry["value"], entry["n"]) == ("unproven", "0.9100", "900")
    assert (entry["low"], entry["verdict"]) == ("0.8900", "")
    fewer = of_the_release(name.format(2), table, row | {"images": "12"})
    assert fewer["status"] == "other_images"
    first = of_the_release(name.format(1), table, row)
    assert first["status"] == "not_run" and first["reason"].startswith("needs people's scores")


def test_samples_that_everybody_rejected_are_those_of_both_models_together(of_the_release):
    row = {"model": "my-gpt-4o-2024-11-20 + my-llava-v1.5-7b", "total": "107"}
    name, table = "texture/text/none/generation/n_samples_all_no", "texture_rejected"
    entry = of_the_release(name, table, row | {"items_with_rejected": "6"})
    assert (entry["status"], entry["value"], entry["n"]) == ("unproven", "6.0000", "107")
    assert entry["measured_model"] == row["model"]
    alone = of_the_release(
        name, table, row | {"model": "my-llava-v1.5-7b", "items_with_rejected": 2}
    )
    assert alone["status"] == "not_run" and alone["reason"].startswith("needs three people's")


@pytest.mark.parametrize(
    "asked, status", [(335, "unproven"), (670, "unproven"), (300, "other_images")]
)
def test_classification_is_compared_where_the_papers_questions_were_asked(
    of_the_release, asked, status
):
    counts = {"choose_2_k": "200", "choose_2_n": str(asked), "choose_2_accuracy": "59.7015"}
    row = {"model": "my-gpt-4o-2024-11-20", "choose_2_low": "54.4", "choose_2_high": "64.9"}
    name = "texture/table1/gpt-4o/two_choice/accuracy"
    entry = of_the_release(name, "texture_classification", row | counts)
    assert (entry["status"], entry["value"], entry["n"]) == (status, "59.7015", str(asked))


def test_an_unknown_number_is_answered_with_the_nearest(ledger_of):
    with pytest.raises(AfterimageError, match="did you mean 'blindtest/task5/gpt-4o/squares/acc"):
        ledger_of().number("blindtest/task5/gpt4o/squares/accuracy")


def test_what_comes_with_the_code_is_taken_unless_the_study_says_otherwise(root, monkeypatch):
    folder = "resources/recorded/blindtest"

    def recorded(**changes):
        ledger = Ledger(study_of(root, monkeypatch, **changes), ALL_TABLES, root)
        return ledger.recorded, ledger.outcome_files("blindtest")

    files = [f"{folder}/{name}.csv.gz" for name in ("outcomes", "readings")]
    assert recorded() == ({"blindtest": folder}, files)
    assert recorded(ledger={"recorded": {"blindtest": "none"}}) == ({}, [])
    # Nobody waits for tables of a suite that is not asked.
    assert recorded(suites={"pope": {}}) == ({}, [])


def test_a_folder_without_recorded_outcomes_is_named_before_anything_runs(ledger_of, tmp_path):
    with pytest.raises(AfterimageError, match=r"'ledger\.recorded\.blindtest'.*outcomes\.csv\.gz"):
        ledger_of(ledger={"recorded": {"blindtest": str(tmp_path)}})


@pytest.mark.parametrize(
    "seen, verdict, reason",
    [
        ("source", "differs", ""),
        ("second_hand", "", "seen in another's account only: not compared"),
        ("read_off_plot", "", "read off a plot: not compared"),
    ],
)
def test_only_what_was_seen_in_its_source_is_compared(
    ledger_of, tmp_path, monkeypatch, seen, verdict, reason
):
    ledger = ledger_of(**as_model("gpt-4o-2024-05-13"))
    path = "results/tables/blindtest_squares.csv"
    monkeypatch.chdir(tmp_path)
    row = SQUARES | {"accuracy": "70.0000", "low": "61.2849", "high": "77.4744"}
    write(tmp_path, path, [{"model": "my-gpt-4o-2024-05-13", **row}])
    number = ledger.number("blindtest/task5/gpt-4o/squares/accuracy")._replace(seen=seen)
    (entry,) = entries([number], [number], told(ledger), Files([path]))
    assert (entry["value"], entry["verdict"], entry["reason"]) == ("70.0000", verdict, reason)
    assert (entry["seen"], bool(entry["published_interval"])) == (seen, seen == "source")


def test_numbers_of_topics_that_are_not_drawn_stand_there_as_facts(ledger_of):
    entry = named(ledger_of(), "vlms_biased/table2/mean/animals/accuracy", [])
    assert (entry["status"], entry["reason"]) == ("not_run", "no table of a study has it")
    fact = named(ledger_of(), "vlms_biased/section3/none/animals/images", [])
    assert (fact["status"], fact["value"]) == ("not_a_result", "")


@pytest.mark.parametrize(
    "name, reason",
    [
        ("illusion_vqa/text/none/selected/n_illusions", "the study draws none of them"),
        ("illusion_vqa/text/none/all/n_images_per_illusion", "a fact about the paper's data"),
        ("illusionbench_plus/text/none/all/n_images", "data absent"),
        ("texture/text/gpt-4o/five_choice/gain_over_human", "a difference of numbers that have"),
        ("blindtest/text/claude-3.5-sonnet/ai2d/accuracy", "quoted by the paper from elsewhere"),
    ],
)
def test_what_is_no_result_says_why(ledger_of, name, reason):
    entry = named(ledger_of(), name, [])
    assert (entry["status"], entry["value"]) == ("not_a_result", "")
    assert entry["reason"].startswith(reason)


@pytest.mark.parametrize("prompt, status", [("official", "other_images"), ("neutral", "not_run")])
def test_counts_of_a_topic_that_is_drawn_stand_beside_the_papers_without_a_verdict(
    ledger_of, tmp_path, monkeypatch, prompt, status
):
    suites = {"counting_bias": {"prompts": [prompt]}}
    ledger = ledger_of(**as_model("o3"), suites=suites)
    path = "results/tables/counting_bias.csv"
    monkeypatch.chdir(tmp_path)
    cell = {"prompt": prompt, "task": "stripes", "context": "familiar", "alteration": "altered"}
    counts = {"right_k": "7", "n": "56", "accuracy": "12.5000", "low": "3.0", "high": "30.0"}
    write(tmp_path, path, [{"model": "my-o3", **cell, **counts}])
    entry = named(ledger, "vlms_biased/table6/o3/flag_stripes/accuracy", [path])
    assert (entry["status"], entry["verdict"]) == (status, "")
    assert entry["value"] == ("12.5000" if status == "other_images" else "")
    said = {"other_images": "other flags, boards", "not_run": "the paper's words"}
    assert said[status] in entry["reason"]


def test_every_place_in_the_counting_table_names_columns_that_the_table_has(ledger_of):
    cells = [number for number in ledger_of().numbers if number.paper == "vlms_biased"]
    places = list(filter(None, map(counting_bias.cell, cells)))
    # Five models and five cells.
    assert len(places) == 25
    assert set(columns_of(places)) <= set(COUNTING.csv_names)


def columns_of(places):
    for ref in places:
        names = {"model", *ref.rows, ref.value, ref.k, *ref.n, ref.low, ref.high}
        yield from names - {""}


def test_every_place_is_in_a_table_that_its_suite_makes(ledger_of):
    tables = {}
    for suite in (*SUITES, *OF_FILES):
        tables |= dict.fromkeys(table_names(suite, load_suite(suite)), suite)
    ledger = ledger_of()
    places = [
        import_module(ledger.states[number.paper]["part"]).cell(number) for number in ledger.numbers
    ]
    found = {ref.table for ref in places if ref is not None}
    # That of the judge is made where people have scored its descriptions.
    made = {*tables, "illusionbench_judge_validation"}
    assert found == set(ALL_TABLES) <= made


def test_every_place_in_a_blindtest_table_names_columns_that_the_table_has(ledger_of):
    cells = [number for number in ledger_of().numbers if number.paper == "blindtest"]
    places = filter(None, map(blindtest.cell, cells))
    assert set(columns_of(places)) <= set(BLINDTEST.csv_names)


def test_every_place_in_an_illusion_table_names_columns_that_the_table_has(ledger_of):
    cells = [number for number in ledger_of().numbers if number.paper == "illusion_vqa"]
    places = filter(None, map(illusion_vqa.cell, cells))
    counted = {f"{name}{part}" for name in CLASSES for part in ("", "_k", "_low", "_high")}
    assert set(columns_of(places)) == {"model", "prompt", "condition", "subset", "n"} | counted


def test_recorded_outcomes_give_the_papers_cells_again(ledger_of, root, tmp_path, monkeypatch):
    folder = root / "resources" / "recorded" / "blindtest"
    ledger = ledger_of(ledger={})
    monkeypatch.chdir(tmp_path)
    path = "results/rescored/blindtest.csv"
    spec = {"part": "afterimage.suites.blindtest.rescore", "folder": str(folder)}
    rescore(spec, {}, {"cells": path}, {})
    cells = [number for number in ledger.numbers if number.table.startswith("task")]
    rows = entries(cells, ledger.numbers, told(ledger), Files([path]))
    assert len(rows) == 84
    recorded = [row for row in rows if row["status"] == "recorded"]
    assert len(recorded) == 83
    assert all("recorded answers" in row["reason"] for row in rows if row not in recorded)
    differing = [row for row in recorded if row["verdict"] == "differs"]
    assert len(differing) == 21
    assert all(row["reason"] for row in differing)
    printed = [
        row for row in recorded if abs(float(row["value"]) - float(row["published"])) <= 0.01
    ]
    assert len(printed) >= 62
    assert all(row["verdict"] == "consistent" for row in printed)


def test_the_registry_names_every_model_that_stands_for_a_printed_one(root):
    papers = read_yaml(root / "resources" / "published" / "papers.yaml")
    registry = read_yaml(root / "config" / "models.yaml")
    for paper in papers.values():
        for printed, names in paper["models"].items():
            # People are an entry of the user's own.
            assert printed == "human" or set(names) <= set(registry)
