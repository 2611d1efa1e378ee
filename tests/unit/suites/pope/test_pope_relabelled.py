"""POPE beside a relabelling of it, such as RePOPE: made-up files with the published structure."""

import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text
from pope_material import STATISTICS, graded, items_of, settings, suite_of

from afterimage.commands import cli
from afterimage.errors import AfterimageError
from afterimage.grading.readers.presence import repope
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.table_files import write_table
from afterimage.suites.pope import charts as chart
from afterimage.suites.pope.files import (
    _RELABELLING_VERSIONS,
    read_questions,
    read_relabelling,
)
from afterimage.suites.pope.relabelled import OLD_LABELS, POPE_RELABELLED, changes_and_ranks

#: Strategy to questions flipped to no and to yes, and removed with a key yes and no, as RePOPE's files have them.
PUBLISHED = {
    "random": (139, 5, 207, 19),
    "popular": (139, 39, 207, 66),
    "adversarial": (139, 33, 207, 109),
}
IMAGES = 500


def questions_of(strategy, images=IMAGES):
    return [
        {
            "question_id": 6 * image + index + 1,
            "image": f"{image:03d}.jpg",
            "text": f"Is there a {strategy if index % 2 else 'thing'} {index} in the image?",
            "label": "no" if index % 2 else "yes",
        }
        for image in range(images)
        for index in range(6)
    ]


def relabelled(rows, to_no, to_yes, removed_yes, removed_no):
    """Flip the first questions of each label and leave the next ones out."""
    counted, kept = {"yes": 0, "no": 0}, []
    flips, gaps = {"yes": to_no, "no": to_yes}, {"yes": removed_yes, "no": removed_no}
    for row in rows:
        label, number = row["label"], counted[row["label"]]
        counted[label] += 1
        if number < flips[label]:
            kept.append(row | {"label": {"yes": "no", "no": "yes"}[label]})
        elif number >= flips[label] + gaps[label]:
            kept.append(row)
    return kept


def written(folder, name, rows):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return str(path)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("relabel")
    by_strategy = {name: questions_of(name) for name in PUBLISHED}
    return {
        "questions": {
            name: written(folder / "old", f"coco_pope_{name}.json", rows)
            for name, rows in by_strategy.items()
        },
        "relabel": {
            name: written(
                folder / "new", f"coco_repope_{name}.json", relabelled(rows, *PUBLISHED[name])
            )
            for name, rows in by_strategy.items()
        },
    }


@pytest.fixture(scope="module")
def made(files, tmp_path_factory):
    folder = tmp_path_factory.mktemp("images")
    for number in range(IMAGES):
        (folder / f"{number:03d}.jpg").touch()
    return settings(source="questions", image_folder=str(folder), **files)


def never_wrong(item):
    fate, key = item["factors"]["relabelled"], item["key"]
    return key if fate != "flipped" else {"yes": "no", "no": "yes"}[key]


@pytest.fixture(scope="module")
def grades(made):
    learned = {"learned": lambda item: item["key"], "sure": lambda item: "Yes"}
    return graded(items_of(made), sees=never_wrong, **learned)


@pytest.fixture(scope="module")
def rows(grades):
    return POPE_RELABELLED.rows(grades, STATISTICS).set_index(["strategy", "model"])


@pytest.mark.parametrize(
    "strategy, n, yes, after, f1, no",
    [
        ("random", 2774, 1159, 41.78, 58.94, 58.22),
        ("popular", 2727, 1193, 43.75, 60.87, 56.25),
        ("adversarial", 2684, 1187, 44.23, 61.33, 55.77),
    ],
)
def test_constant_answers_score_as_the_corrected_labels_are_shared_out(
    rows, strategy, n, yes, after, f1, no
):
    row = rows.loc[strategy, "always yes"]
    assert (row["accuracy"], round(row["f1"], 2)) == (50, 66.67)
    assert (row["n"], row["n_relabelled"], row["tp_relabelled"]) == (3000, n, yes)
    assert (round(row["accuracy_relabelled"], 2), round(row["f1_relabelled"], 2)) == (after, f1)
    assert round(rows.loc[strategy, "always no"]["accuracy_relabelled"], 2) == no
    assert np.isnan(rows.loc[strategy, "always no"]["f1_relabelled"])
    guess = rows.loc[strategy, "uniform guessing"]
    for after in ("", "_relabelled"):
        assert guess[f"accuracy{after}"] == guess[f"recall{after}"] == 50
        assert guess[f"precision{after}"] == pytest.approx(row[f"precision{after}"])
    assert (guess["n"], guess["removed"]) == (row["n"], row["removed"])
    assert guess[["tp", "answered_as_old_label_k", "f1_low", "rank"]].isna().all()


@pytest.mark.parametrize(
    "strategy, accuracy, f1, fn",
    [("random", 94.81, 94.13, 5), ("popular", 93.47, 92.84, 39), ("adversarial", 93.59, 93.06, 33)],
)
def test_old_labels_given_as_answers_are_the_ceiling_of_whoever_learned_them(
    rows, strategy, accuracy, f1, fn
):
    row = rows.loc[strategy, OLD_LABELS]
    assert (round(row["accuracy_relabelled"], 2), round(row["f1_relabelled"], 2)) == (accuracy, f1)
    counts = [row[f"{name}_relabelled"] for name in ("tp", "fp", "fn")]
    assert counts == [1154, 139, fn]
    assert row["answered_as_old_label_k"] == row["flipped_to_no"] + row["flipped_to_yes"]
    learned = rows.loc[strategy, "learned"]
    assert learned["f1_relabelled"] == pytest.approx(row["f1_relabelled"])


def test_a_reader_of_the_image_gains_a_rank_and_one_of_the_labels_loses_it(rows):
    for strategy, (to_no, to_yes, removed_yes, removed_no) in PUBLISHED.items():
        row = rows.loc[strategy, "sees"]
        assert (row["flipped_to_no"], row["flipped_to_yes"]) == (to_no, to_yes)
        assert row["removed"] == removed_yes + removed_no
        assert row["answered_as_old_label_k"] == 0
        assert row["accuracy_relabelled"] == 100
        assert row["f1_change"] == pytest.approx(row["f1_relabelled"] - row["f1"])
        assert row["f1_change_low"] < row["f1_change"] < row["f1_change_high"]
        assert row["f1_low"] < row["f1"] < row["f1_high"]
    ranks = ["rank", "rank_low", "rank_high", "rank_relabelled", "rank_change"]
    assert rows.loc["mean", "sees"][ranks].tolist() == [2, 2, 2, 1, 1]
    assert rows.loc["mean", "learned"][ranks].tolist() == [1, 1, 1, 2, -1]
    assert rows.loc["mean", "sure"][ranks].tolist() == [3, 3, 3, 3, 0]
    f1 = [rows.loc[name, "sees"]["f1"] for name in PUBLISHED]
    assert rows.loc["mean", "sees"]["f1"] == pytest.approx(np.mean(f1))
    always = [rows.loc[strategy, "always yes"]["f1"] for strategy in PUBLISHED]
    assert rows.loc["mean", "always yes"]["f1"] == pytest.approx(np.mean(always))
    assert set(rows.reset_index()) == set(POPE_RELABELLED.csv_names)


def test_readers_see_flips_scores_and_ranks_and_the_chart_draws_every_model(grades, tmp_path):
    table_settings = {**STATISTICS, "coverage": "95 %", "pope": {"labels": {}}}
    frame = frame_of(POPE_RELABELLED, grades, table_settings)
    paths = {form: str(tmp_path / f"t.{form}") for form in ("csv", "markdown", "json")}
    write_table(POPE_RELABELLED, frame, paths, table_settings, grades)
    text = (tmp_path / "t.markdown").read_text()
    assert " 139 + 5, 226 |" in text
    assert "2 [2, 2] to 1 [1, 1]" in text
    cells = [
        cell
        for row in json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))["rows"]
        for cell in row["cells"]
    ]
    assert {cell["sort"] for cell in cells if cell["text"] == "139 + 5, 226"} == {139.0}
    assert {cell["sort"] for cell in cells if cell["text"] == "2 [2, 2] to 1 [1, 1]"} == {2.0}
    figure = chart.pope_relabelled({"pope_relabelled": pd.read_csv(paths["csv"])})
    assert [axes.get_title("left") for axes in figure.axes] == [*PUBLISHED, "mean"]
    assert [len(axes.lines) for axes in figure.axes] == [9, 9, 9, 9]
    figure.savefig(tmp_path / "chart.png", dpi=110)
    empty = chart.pope_relabelled({"pope_relabelled": frame.iloc[:0]})
    assert any("nothing was asked" in text.get_text() for text in empty.findobj(Text))


def test_alike_models_share_a_rank_and_close_ones_have_no_order():
    """Two models of F1 0.9 that err on different images: either may be first."""
    generator = np.random.default_rng(1)
    grades = pd.DataFrame(
        {
            "model": model,
            "strategy": "random",
            "image_id": str(image),
            "key": "yes",
            "relabelled": "kept",
            "readings": {"official": "no" if image in wrong else "yes"},
        }
        for model, wrong in (
            (name, set(generator.choice(100, 10, replace=False))) for name in ("a", "b")
        )
        for image in range(100)
    )
    found = changes_and_ranks(grades, ["random"], "official", STATISTICS)
    for model in "ab":
        row = found[model, "random"]
        assert (row["rank"], row["rank_low"], row["rank_high"]) == (1, 1, 2)
        assert [row[f"rank_change{end}"] for end in ("", "_low", "_high")] == [0, 0, 0]
        assert row["f1_change"] == 0
        assert np.isnan(row["f1_change_low"])


def test_the_table_is_there_only_where_labels_are_named(made, tmp_path, monkeypatch):
    # What is known of drawn scenes is written below the working directory.
    monkeypatch.chdir(tmp_path)
    assert "pope_relabelled" in suite_of(made).tables
    assert "pope_relabelled" not in suite_of(settings()).tables
    assert "relabelled" not in items_of(settings(scenes=3, variants=["pope"]))[0]["factors"]


def test_the_same_answers_are_graded_twice_so_no_request_changes(files, made):
    named = {"image_folder": made.image_folder, "questions": files["questions"]}
    plain = items_of(settings(source="questions", **named), slice(3))
    both = items_of(made, slice(3))
    assert [item["messages"] for item in plain] == [item["messages"] for item in both]
    assert [item["key"] for item in plain] == [item["key"] for item in both]


@pytest.mark.parametrize(
    "change, message",
    [
        ({"text": "Is there a cow in the image?"}, "is not asked: .* has 'Is there a thing 0"),
        ({"question_id": 3}, "has question_id 1 in .*; expected the same ids"),
        ({"image": "9.jpg", "question_id": 99}, "has no question with this id; expected a relab"),
        ({"label": "maybe"}, "entry 1 is not as expected"),
    ],
)
def test_a_relabelling_of_other_questions_ends_in_one_sentence(tmp_path, change, message):
    rows = questions_of("random", 1)
    old = written(tmp_path, "coco_pope_random.json", rows)
    new = written(tmp_path, "coco_repope_random.json", [rows[0] | change])
    with pytest.raises(AfterimageError, match=message):
        read_relabelling(new, read_questions(old))


def test_a_relabelling_that_was_published_is_called_by_its_name(tmp_path, monkeypatch):
    rows = questions_of("random", 1)
    path = written(tmp_path, "coco_repope_random.json", rows)
    questions = read_questions(path)
    assert read_relabelling(path, questions).version == "unknown version"
    monkeypatch.setitem(_RELABELLING_VERSIONS, questions.sha256[:16], "RePOPE, random")
    assert read_relabelling(path, questions).version == "RePOPE, random"


def test_a_question_that_is_relabelled_twice_is_refused(tmp_path):
    rows = questions_of("random", 1)
    old = written(tmp_path, "coco_pope_random.json", rows)
    twice = written(tmp_path, "new.json", [rows[0], rows[0] | {"question_id": 7}])
    with pytest.raises(AfterimageError, match="occurs a second time"):
        read_relabelling(twice, read_questions(old))


def test_the_first_release_joins_by_image_and_words_and_its_missing_pairs_are_counted(tmp_path):
    rows = questions_of("random", 2)
    old = [row | {"text": row["text"].replace("image", "imange")} for row in rows[2:]]
    old = [row | {"question_id": number} for number, row in enumerate(old, 1)]
    first = read_questions(written(tmp_path, "coco_pope_random.json", old))
    first = first._replace(version="first release (2023-05-31)")
    found = read_relabelling(written(tmp_path, "new.json", rows[:-1]), first)
    assert (found.unasked, found.fate(rows[-1]["image"], old[-1]["text"], "no")) == (2, "removed")
    assert found.fate(rows[3]["image"], old[1]["text"], "yes") == "flipped"


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"source": "drawn", "questions": {}}, "labels of source 'drawn' are not corrected"),
        ({"questions": {}}, "needs files under the key 'questions'"),
        ({"relabel": {"random": "nowhere.json"}}, "file 'nowhere.json' does not exist; RePOPE's"),
    ],
)
def test_what_cannot_be_relabelled_stops_the_plan(files, changes, message):
    changes = {"source": "questions", **files, **changes}
    with pytest.raises(AfterimageError, match=message):
        suite_of(settings(**changes))


def test_recorded_answers_are_graded_by_both(files, tmp_path, capsys):
    questions = [
        json.loads(line) for line in Path(files["questions"]["random"]).read_text().splitlines()
    ]
    answers = [row | {"model": "m", "response": row["label"]} for row in questions]
    written(tmp_path / "answers", "learned_random.jsonl", answers)
    labels = str(Path(files["relabel"]["random"]).parent)
    for more in ([], ["--questions", str(Path(files["questions"]["random"]).parent)]):
        arguments = ["rescore", "pope", str(tmp_path / "answers"), "--relabel", labels, *more]
        assert cli.main(arguments) == 0
        printed = capsys.readouterr().out.splitlines()
        header, rows = printed[0].split(","), [line.split(",") for line in printed[1:]]
        (row,) = [dict(zip(header, r, strict=True)) for r in rows if r[2:5:2] == ["random", "m"]]
        assert (row["tp_relabelled"], row["fp_relabelled"], row["tn_relabelled"]) == (
            "1154",
            "139",
            "1476",
        )


@pytest.mark.parametrize(
    "text, read",
    [("I see no eyes", "yes"), ("No.", "no"), ("Nothing", "no"), ("Perhaps", ""), ("YES", "yes")],
)
def test_repopes_own_rule(text, read):
    assert repope(text) == read


if "AFTERIMAGE_REPOPE" in os.environ:

    def test_the_structure_is_that_of_the_files_themselves():
        """For whoever has RePOPE's label files, which have no licence, in the folder that the variable names."""
        for name, (to_no, to_yes, removed_yes, removed_no) in PUBLISHED.items():
            path = Path(os.environ["AFTERIMAGE_REPOPE"]) / f"coco_repope_{name}.json"
            labels = [question.label for question in read_questions(path).questions]
            assert len(labels) == 3000 - removed_yes - removed_no
            assert labels.count("yes") == 1500 - to_no - removed_yes + to_yes
            assert read_relabelling(path, read_questions(path)).version == f"RePOPE, {name}"
