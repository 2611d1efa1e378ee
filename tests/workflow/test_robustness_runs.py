"""Other orders of options through the workflow: a table of their own, and nothing else changes."""

import csv

import pytest
from workspace import SMALL_STUDY, Workspace

STUDY = {
    **SMALL_STUDY,
    "shard_size": 200,
    "models": ["chance", "textbook_cued", "pixels"],
    "suites": {
        "illusion_vqa": {"illusions": ["fick", "cafe_wall"]},
        "illusionbench": {"source": "drawn"},
    },
}
ORDERED = {
    **STUDY,
    "suites": {
        name: {**settings, "probes": {"option_orders": 3}}
        for name, settings in STUDY["suites"].items()
    },
}
OWN_TABLES = [
    f"results/tables/{table}.{kind}"
    for table in ("genuine_vqa", "fake_vqa", "illusionbench_mcq")
    for kind in ("csv", "md", "tex", "html")
]
TABLE = "results/tables/robustness.csv"


@pytest.fixture(scope="module")
def runs(root, tmp_path_factory):
    study = Workspace(root, tmp_path_factory.mktemp("robustness") / "study", STUDY)
    study.run(*OWN_TABLES)
    before = {name: (study.folder / name).read_bytes() for name in OWN_TABLES}
    study.configure(ORDERED)
    study.run(TABLE, *OWN_TABLES)
    return study, before


@pytest.fixture(scope="module")
def rows(runs):
    with (runs[0].folder / TABLE).open(newline="", encoding="utf-8") as file:
        return {(row["suite"], row["model"]): row for row in csv.DictReader(file)}


def test_the_suites_own_tables_stay_to_the_byte(runs):
    study, before = runs
    assert {name: (study.folder / name).read_bytes() for name in OWN_TABLES} == before


def test_all_items_with_options_are_compared(rows):
    # Two illusions, eight stimuli, two questions; the cafe wall's have two options, so one other order.
    fick = rows["illusion_vqa", "pixels"]
    assert (fick["items"], fick["answers"]) == ("32", str(16 * 4 + 16 * 2))
    assert rows["illusionbench", "pixels"]["items"] == "72"
    assert rows["illusionbench", "pixels"]["answers"] == str(72 * 4)


def test_who_does_not_care_about_places_gives_the_same_answers(rows):
    for asked in (
        ("illusion_vqa", "textbook_cued"),
        ("illusion_vqa", "pixels"),
        ("illusionbench", "pixels"),
    ):
        row = rows[asked]
        assert (row["unanimous"], row["pairs_alike"]) == ("100.0000", "100.0000"), row
        assert float(row["accuracy_sd"]) == 0


def test_who_takes_the_first_option_where_it_knows_nothing_is_found_out(rows):
    row = rows["illusionbench", "textbook_cued"]
    undecided = int(row["items"]) - int(row["unanimous_k"])
    assert 0 < undecided < int(row["items"])
    # Four orders: of what it knows, one in four stands first; of the rest, all.
    assert int(row["first_place_k"]) == int(row["unanimous_k"]) + 4 * undecided


def test_who_guesses_does_not(rows):
    row = rows["illusionbench", "chance"]
    assert int(row["unanimous_k"]) < 10
    assert -0.2 < float(row["alpha"]) < 0.2


def test_places_are_counted_against_chance(rows):
    # Four orders of four options: whoever is always right answers each place equally often.
    row = rows["illusionbench", "pixels"]
    assert int(row["first_place_k"]) * 4 == int(row["place_n"]) == 72 * 4
    assert row["place_expected"] == "25.0000"


def test_who_does_not_look_stands_beside_them(rows):
    guess = rows["illusionbench", "uniform guessing"]
    assert (guess["items"], guess["accuracy"], guess["right_k"]) == ("72", "25.0000", "")
    # Each question in four orders of four options: all four the same.
    assert float(guess["unanimous"]) == pytest.approx(100 / 4**3, abs=1e-4)
    positions = [row for (suite, name), row in rows.items() if name.startswith("best position")]
    assert [row["suite"] for row in positions] == ["illusion_vqa", "illusionbench"]
    assert positions[1]["unanimous_k"] == "0"
    constant = [name for suite, name in rows if name.startswith("best constant answer")]
    # Where options bear numerals, a constant answer is a place.
    assert constant == ["best constant answer (same)"]


def test_asking_again_asks_nothing(runs):
    assert runs[0].planned(TABLE, *OWN_TABLES) == {}


def test_without_anything_asked_twice_there_is_no_table(runs):
    study, _ = runs
    study.configure(STUDY)
    planned = study.planned("--forceall")
    assert "Making the table robustness" not in planned
    refused = study.snakemake("--forceall", TABLE)
    assert refused.returncode != 0
    study.configure(ORDERED)


def test_repeated_answers_are_compared_without_other_orders(root, tmp_path):
    answers = {0: "The red line is longer.", 1: "The red line is longer.", 2: "I cannot say."}
    study = Workspace(
        root,
        tmp_path / "study",
        {
            **SMALL_STUDY,
            "models": ["pixels", "sampled"],
            "own_models": {
                "sampled": {
                    "backend": "recorded",
                    "settings": {
                        "file": "said.csv",
                        "columns": {"repeat": "repeat"},
                        "repeats": 3,
                        "missing": "empty",
                    },
                }
            },
            "suites": {"illusion_vqa": {"illusions": ["fick"]}},
        },
    )
    with (study.folder / "said.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["item_id", "text", "repeat"])
        for repeat, reply in answers.items():
            writer.writerow(["fick_A_fake/actual/zero_shot", reply, repeat])
    study.run(TABLE)
    with (study.folder / TABLE).open(newline="", encoding="utf-8") as file:
        row, *unseeing = csv.DictReader(file)
    # Only the model with repeats; two of the three answers to one question are the same, all others are empty.
    assert (row["model"], row["kind"], row["items"], row["answers"]) == (
        "sampled",
        "repeats",
        "16",
        "48",
    )
    assert (row["right_k"], row["unanimous_k"], row["unparsed_k"]) == ("2", "0", "46")
    assert float(row["pairs_alike"]) == pytest.approx(100 / 3 / 16, abs=1e-3)
    # All questions have the same three options in the same order, so that a constant answer is a place.
    guess, place = unseeing
    assert float(guess["unanimous"]) == pytest.approx(100 / 3**2, abs=1e-3)
    assert (place["model"], place["unanimous_k"]) == ("best position (last)", "16")
