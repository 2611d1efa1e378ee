"""Recorded answers to IllusionVQA give the published scores, whatever their authors' scripts kept of them."""

import argparse
import gzip
import json

import pandas as pd
import pytest

from afterimage.errors import AfterimageError
from afterimage.suites.shahgir_illusionvqa.rescore import add_arguments, rescore, run

ITEMS = [
    {
        "subset": "comprehension",
        "id": number,
        "image": f"{number}.jpg",
        "category": category,
        "question": "What is it?",
        "options": ["A cat.", "A dog.", "Neither."],
        "answer": "A dog.",
        "gold_index": 1,
    }
    for number, category in enumerate(["size", "counting", "occlusion", "size"])
]


def answers(responses, model="m", condition="0shot", **more):
    return [
        {"subset": "comprehension", "model": model, "condition": condition, "id": number, **more}
        | ({} if response is None else {"response": response})
        for number, response in enumerate(responses)
    ]


@pytest.fixture
def folder(tmp_path):
    def write(rows, items=ITEMS):
        for name, lines in (("items", items), ("responses", rows)):
            with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt") as file:
                file.writelines(f"{json.dumps(line)}\n" for line in lines)
        return tmp_path

    return write


def totals(folder):
    scores, _ = rescore(folder)
    totals = scores[scores["category"] == "total"]
    return dict(zip(totals["rule"], zip(totals["correct"], totals["n"], strict=True), strict=True))


def test_letters_are_scored_against_the_items_own_key_and_the_stored_one(folder):
    scored = totals(folder(answers(["b", "B. A dog.", "c", "t"], stored_correct="c")))
    assert scored == {
        "first_char_vs_gold_letter": (2, 4),
        "first_char_vs_stored_correct": (1, 4),
        "parser": (2, 4),
    }


def test_options_texts_are_never_read_by_their_first_letter(folder):
    assert totals(folder(answers(["A dog.", "A cat.", "Neither.", "A dog."]))) == {
        "option_text_equality": (2, 4),
        "parser": (2, 4),
    }


def test_an_absent_answer_is_right_only_where_no_recorded_one_is(folder):
    assert totals(folder(answers([None, "A cat.", None, "Neither."]))) == {
        "absent_means_correct": (2, 4)
    }
    assert totals(folder(answers([None, "A dog.", None, "Neither."]))) == {
        "option_text_equality": (1, 4),
        "parser": (1, 4),
    }


def test_shuffled_rows_are_scored_against_the_key_that_stood_beside_them_only(folder):
    rows = answers(["b", "c", "b", "b"], stored_correct="b", path_image="9.jpg")
    assert totals(folder(rows)) == {"first_char_vs_stored_correct": (3, 4)}


def test_small_categories_share_a_row(folder):
    scores, _ = rescore(folder(answers(["b", "b", "a", "a"])))
    rows = scores[scores["rule"] == "parser"].set_index("category")[["correct", "n"]]
    assert rows.loc["misc"].tolist() == [1, 2]
    assert rows.loc["size"].tolist() == [1, 2]


def test_three_peoples_majority_is_scored_and_two_peoples_is_not(folder):
    said = [["A dog."] * 4, ["A dog.", "A dog.", "A cat.", "A cat."], ["A cat."] * 4]
    rows = [
        row
        for number, texts in enumerate(said)
        for row in answers(texts, f"human_{number}", "human")
    ]
    assert totals(folder(rows))["majority_of_3_seed53_tie"] == (2, 4)
    assert "majority_of_3_seed53_tie" not in totals(folder(rows[:8]))


def test_missing_and_repeated_lines_are_told_and_the_later_one_counts(folder):
    rows = answers(["b", "c", "c"]) + answers(["a"])
    scores, notes = rescore(folder(rows))
    total = scores[(scores["category"] == "total") & (scores["rule"] == "parser")].iloc[0]
    assert (total["correct"], total["n"]) == (0, 3)
    assert any("1 answers stand twice" in note for note in notes)
    assert any("3 of 4 items" in note for note in notes)


@pytest.mark.parametrize(
    ("rows", "items", "message"),
    [
        ([{"subset": "comprehension", "model": "m"}], ITEMS, "line 1: found the keys"),
        (answers(["a"]), [], "no line with the key 'options'"),
        ([], ITEMS, "expected recorded answers"),
        ([dict(answers(["a"])[0], id=77)], ITEMS, "answers item 77"),
        (answers(["a"]), [dict(ITEMS[0], gold_index=3)], "found gold_index 3"),
    ],
)
def test_a_folder_that_is_not_right_is_refused_in_one_sentence(folder, rows, items, message):
    with pytest.raises(AfterimageError, match=message):
        rescore(folder(rows, items))


def test_a_torn_file_is_named(folder):
    path = folder(answers(["a"])) / "responses.jsonl.gz"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(AfterimageError, match=r"responses\.jsonl\.gz: cannot be read"):
        rescore(path.parent)


def test_the_command_prints_totals_or_every_row(folder, capsys):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    where = str(folder(answers(["b", "b", "a", "a"])))
    assert run(parser.parse_args([where])) == 0
    assert "50.00" in capsys.readouterr().out
    assert run(parser.parse_args([where, "--format", "csv"])) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "subset,model,condition,category,rule,correct,n,pct"
    assert "comprehension,m,0shot,total,parser,2,4,50.0000" in lines


def test_every_row_of_the_reference_is_reproduced(reference):
    folder = reference / "illusionvqa"
    expected = pd.read_csv(folder / "expected.csv")
    scores, notes = rescore(folder)
    keys = ["subset", "model", "condition", "category", "rule"]
    joined = expected.merge(scores, on=keys, how="left", suffixes=("_expected", ""))
    assert len(joined) == len(expected) == 197
    assert (joined["correct"] == joined["recomputed_correct"]).all()
    assert (joined["n"] == joined["n_expected"]).all()
    assert (joined["pct"] - joined["recomputed_pct"]).abs().max() < 1e-4
    assert notes == []
