"""Two runs compared: the differences that the statistics give, what changed, and what could not be compared."""

import pytest

from afterimage.commands.cli import main
from afterimage.commands.diff_runs import compare, pairs_of, results_in
from afterimage.contract.finding import suite_names
from afterimage.files.parquet import write_records
from afterimage.files.records import GRADE, ITEM
from afterimage.statistics.matched import matched_difference

SUITE = "illusion_strength"
IMAGES, QUESTIONS = 12, ("actual", "apparent")
IDS = [f"s{image}/{question}/p" for image in range(IMAGES) for question in QUESTIONS]


def item(item_id, text="Which?"):
    stimulus, question, prompt = item_id.split("/")
    part = {"type": "text", "text": text, "image": None}
    return {
        "item_id": item_id,
        "suite": SUITE,
        "stimulus_id": stimulus,
        "figure": stimulus,
        "prompt": prompt,
        "question": question,
        "messages": [{"role": "user", "parts": [part]}],
        "images": [],
        "answer_type": "choice",
        "options": [],
        "key": "yes",
        "factors": {"set": "one", "subset": "one"},
    }


def grade(item_id, model, is_correct, suite=SUITE, score=None):
    asked = item(item_id)
    names = ("item_id", "stimulus_id", "figure", "prompt", "question", "key", "factors")
    return {
        **{name: asked[name] for name in names},
        "suite": suite,
        "model": model,
        "repeat": 0,
        "offered": ["yes", "no"],
        "is_listed": True,
        "answer": "yes" if is_correct else "no",
        "outcome": "exact",
        "reason": "",
        "reasoning_given": False,
        "correct": is_correct,
        "score": score,
        "readings": {},
        "decided_by": "parser",
    }


@pytest.fixture
def run(tmp_path):
    """Write a folder of results in which a model has some of the items right."""

    def write(
        name,
        right,
        ids=IDS,
        model="m",
        suite=SUITE,
        texts=None,
        with_items=True,
        score=None,
        version=None,
    ):
        folder = tmp_path / name
        rows = [grade(one, model, one in right, suite, score) for one in ids]
        path = folder / f"grades/{suite}/{model}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_records(path, rows, GRADE)
        if with_items:
            shard = folder / f"items/{suite}/000000-000009.parquet"
            shard.parent.mkdir(parents=True, exist_ok=True)
            rows = [item(one, (texts or {}).get(one, "Which?")) for one in ids]
            write_records(shard, rows, ITEM, about=version and {"suite_version": version})
        return str(folder)

    return write


def test_the_difference_is_that_of_the_statistics_whole_and_by_part(run):
    before, after = set(IDS), set(IDS[8:])
    found = compare(*map(results_in, (run("a", before), run("b", after))), 0.9)
    expected = matched_difference(
        [one in after for one in IDS],
        [one in before for one in IDS],
        [one.split("/")[0] for one in IDS],
        0.9,
    )
    assert [row.part for row in found.rows] == ["all", "actual, p", "apparent, p"]
    assert found.rows[0].found == expected
    assert (found.rows[0].before, found.rows[0].after) == (1, 16 / 24)
    assert [row.found.n for row in found.rows] == [24, 12, 12]
    assert list(found.changed[SUITE, "m"]["item_id"]) == sorted(IDS[:8])
    assert not found.left_out


def test_what_is_worse_beyond_its_interval_fails_and_what_is_not_passes(run, capsys):
    best, worst = run("best", set(IDS)), run("worst", set())
    assert main(["diff", best, worst]) == 1
    output = capsys.readouterr().out
    assert "3 comparisons: 3 worse and 0 better beyond their 95 % intervals." in output
    assert "24 answers became wrong, 0 became right" in output
    assert "and 4 more" in output
    assert main(["diff", worst, best]) == 0
    assert "0 worse and 3 better" in capsys.readouterr().out
    # One answer of 24 is within the interval.
    assert main(["diff", best, run("near", set(IDS[1:]))]) == 0
    output = capsys.readouterr().out
    assert "0 worse and 0 better" in output
    assert "s0/actual/p" in output
    assert "apparent, p" not in output


def test_the_same_run_differs_in_nothing(run, capsys):
    best = run("best", set(IDS))
    assert main(["diff", best, best]) == 0
    output = capsys.readouterr().out
    assert "0 worse and 0 better" in output
    assert "became" not in output


def test_markdown_is_a_table_and_folded_lists(run, capsys):
    assert main(["diff", run("a", set(IDS)), run("b", set()), "--markdown", "--items", "1"]) == 1
    output = capsys.readouterr().out
    assert output.startswith("### ")
    assert "| illusion\\_strength | m       | all" in output
    assert output.count("<details>") == output.count("</details>") == 1
    assert "and 23 more" in output


@pytest.mark.parametrize("items, listed", [(0, 0), (1, 1), (30, 24)])
def test_no_more_changed_answers_are_listed_than_asked_for(run, capsys, items, listed):
    assert main(["diff", run("a", set(IDS)), run("b", set()), "--items", str(items)]) == 1
    output = capsys.readouterr().out
    assert sum(one in output for one in IDS) == listed


def test_what_cannot_be_compared_is_said(run, capsys):
    first = run("a", set(IDS))
    run("a", set(), model="gone")
    run("a", set(), suite="blindtest", with_items=False)
    second = run("b", set(IDS[2:]), ids=IDS[:-2], texts={IDS[0]: "Or which?"})
    assert main(["diff", first, second]) == 0
    output = capsys.readouterr().out
    assert f"only {first} has the suites blindtest." in output
    assert f"{SUITE}: only {first} has the models gone." in output
    assert f"{SUITE}: 1 items are other ones in the second run" in output
    assert f"such as {IDS[0]})" in output
    assert f"{SUITE}, m: 2 items are in one run alone (2 in the first, 0 in the second)." in output
    # Without the changed one and those of one run alone; the changed one's verdict is no change either.
    assert "1 answers became wrong" in output
    found = compare(results_in(first), results_in(second), 0.95)
    assert found.rows[0].found.n == len(IDS) - 3
    run("c", set(IDS), with_items=False)
    main(["diff", first, str(second).replace("/b", "/c")])
    assert "has no items, so whether those of the same name ask the same is not known" in (
        capsys.readouterr().out
    )


def test_two_versions_of_a_suite_are_two_benchmarks(run, capsys):
    first, second = run("a", set(IDS), version="1"), run("b", set(), version="2")
    assert main(["diff", first, second]) == 0
    output = capsys.readouterr().out
    assert f"{SUITE}: version 1 in {first}, 2 in {second}; numbers of two versions are" in output
    assert "0 comparisons" in output
    # Of an older folder nobody knows.
    assert main(["diff", first, run("c", set())]) == 1


def test_results_under_a_suites_earlier_name_are_compared(run):
    old = run("a", set(IDS), suite="illusionvqa", version="1")
    new = run("b", set(IDS[8:]), suite="shahgir_illusionvqa", version="1")
    found = compare(*map(results_in, (old, new)), 0.9)
    assert {row.suite for row in found.rows} == {"shahgir_illusionvqa"}
    assert found.rows[0].found.n == len(IDS) and not found.left_out


def test_scores_are_neither_right_nor_wrong(run, capsys):
    first, second = (run(name, set(), suite="images", score=1.5) for name in "ab")
    assert main(["diff", first, second]) == 0
    output = capsys.readouterr().out
    assert "images, m: 48 answers with a score are neither right nor wrong" in output


def test_folders_that_are_none_are_one_sentence(run, tmp_path, capsys):
    assert main(["diff", str(tmp_path), run("a", set())]) == 1
    assert "expected a folder of results" in capsys.readouterr().err
    assert main(["diff", run("a", set()), run("b", set(), suite="images")]) == 1
    assert "have no suite in common" in capsys.readouterr().err
    assert main(["diff", run("a", set()), run("a", set()), "--confidence", "95"]) == 1
    assert "expected a number between 0 and 1" in capsys.readouterr().err


@pytest.mark.parametrize("suite", suite_names())
def test_every_suite_says_how_its_answers_are_paired(suite):
    table, told = pairs_of(suite)
    assert [type(step).__name__ for step in table.rows] == ["By", "Pairs"]
    assert isinstance(told, dict)
