"""A judge's scores against people's, and proportional samples."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr
from table_forms import write_table

from afterimage.errors import AfterimageError
from afterimage.showing.study.judges_and_people import (
    VALIDATION,
    correlations,
    read_human_scores,
    spearman,
)
from afterimage.statistics.sampling import allocation, sampled

CODES = {"A": "model_a", "B": "model_b"}


def scores(seed=0, images=30, evaluators=("ada", "bob")):
    """People and a judge who mostly agree."""
    generator = np.random.default_rng(seed)
    units = itertools.product(range(images), ("model_a", "model_b"), ("semantic", "illusion"))
    judge = pd.DataFrame(
        [
            {"image_id": f"i{image}", "model": model, "question_type": kind, "score": generator.integers(0, 11) / 5}
            for image, model, kind in units
        ]
    )  # fmt: skip
    people = []
    for number, evaluator in enumerate(evaluators):
        judged = judge[
            judge["image_id"].map(lambda name: int(name[1:]) % len(evaluators)) == number
        ]
        noise = generator.normal(0, 0.5, len(judged))
        people.append(
            judged.assign(
                evaluator=evaluator,
                score=np.clip(np.round(judged["score"] + noise), 0, 2).astype(int),
            )
        )
    return pd.concat(people, ignore_index=True), judge


def test_the_correlation_is_spearmans_with_average_ranks_per_evaluator_and_question():
    people, judge = scores()
    found = correlations(people, judge, seed=1, resamples=200)
    assert found[["evaluator", "question_type"]].values.tolist() == [
        [evaluator, kind]
        for evaluator in ("ada", "bob")
        for kind in ("all", "illusion", "semantic")
    ]
    for row in found.to_dict("records"):
        scored = people[people["evaluator"] == row["evaluator"]]
        if row["question_type"] != "all":
            scored = scored[scored["question_type"] == row["question_type"]]
        both = scored.merge(judge, on=["image_id", "model", "question_type"])
        assert row["rho"] == pytest.approx(spearmanr(both["score_x"], both["score_y"]).statistic)
        assert row["rho_low"] < row["rho"] < row["rho_high"]
        assert (row["n"], row["images"], row["models"]) == (len(both), 15, 2)
        assert row["resamples"] == 200


def test_the_order_of_rows_changes_nothing():
    people, judge = scores()
    found = correlations(people, judge, seed=1, resamples=50)
    shuffled = correlations(
        people.sample(frac=1, random_state=1), judge.sample(frac=1, random_state=2), 1, 50
    )
    pd.testing.assert_frame_equal(found, shuffled)


def test_the_bootstrap_resamples_images_with_all_their_descriptions():
    people, judge = scores(images=6, evaluators=("ada",))
    copies = [f"copy {number}" for number in range(20)]
    many = [
        pd.concat([frame.assign(model=frame["model"] + name) for name in copies])
        for frame in (people, judge)
    ]
    few = correlations(people, judge, 1, 300).iloc[0]
    lots = correlations(*many, 1, 300).iloc[0]
    # Twenty copies of each description add no image, and so no certainty.
    assert (lots["n"], lots["images"]) == (20 * few["n"], few["images"])
    assert lots["rho"] == pytest.approx(few["rho"])
    widths = [row["rho_high"] - row["rho_low"] for row in (lots, few)]
    assert widths[0] == pytest.approx(widths[1], rel=1e-6)


def test_where_one_side_is_constant_there_is_no_correlation():
    people, judge = scores()
    for constant in (
        correlations(people.assign(score=2), judge, 1, 20),
        correlations(people, judge.assign(score=1.0), 1, 20),
    ):
        assert constant[["rho", "rho_low", "rho_high"]].isna().all(axis=None)
        assert constant["n"].tolist()[0] == 60
    assert math.isnan(spearman(np.array([1.0]), np.array([1.0])))


def test_descriptions_without_a_score_of_the_judge_are_counted():
    people, judge = scores(evaluators=("ada",))
    judge.loc[:9, "score"] = np.nan
    row = correlations(people, judge.drop(index=10), 1, 20).iloc[0]
    assert (row["n"], row["unmatched"]) == (109, 11)


def test_two_scores_of_the_judge_for_one_description_are_an_error():
    people, judge = scores()
    with pytest.raises(
        AfterimageError, match="the judge has two scores for the semantic description of image 'i0'"
    ):
        correlations(people, pd.concat([judge, judge.head(1)]), 1, 20)


def test_the_table_can_be_written(tmp_path):
    people, judge = scores()
    settings = {"confidence": 0.95, "resamples": 20, "seed": 1}
    forms = {form: tmp_path / f"t.{form}" for form in ("csv", "markdown", "latex", "html")}
    write_table(correlations(people, judge, 1, 20), forms, VALIDATION, None, settings)
    assert "ada" in forms["markdown"].read_text()


HEADER = "image_id,model_code,question_type,evaluator,score"


def test_peoples_scores_are_read_under_the_models_own_names(tmp_path):
    path = tmp_path / "human_desc.csv"
    path.write_text(f"{HEADER},note\ni1,A,semantic,ada,2,\ni1, B,semantic,ada,0,x\n")
    frame = read_human_scores(path, CODES)
    assert frame[["model", "score"]].values.tolist() == [["model_a", 2], ["model_b", 0]]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("image_id,score\n", "column 'model_code' is missing"),
        (f"{HEADER}\ni1,A,semantic,ada,3\n", "row 2: found score '3'; expected 0, 1 or 2"),
        (f"{HEADER}\ni1,A,semantic,ada,\n", "row 2: found score ''"),
        (f"{HEADER}\ni1,C,semantic,ada,1\n", "row 2: unknown model code 'C'"),
        (
            f"{HEADER}\ni1,A,semantic,ada,1\ni1,A,semantic,ada,0\n",
            "'ada' scored the semantic description .* twice",
        ),
        ("", "column 'image_id' is missing"),
    ],
)
def test_a_faulty_file_of_scores_is_one_sentence(tmp_path, text, fault):
    path = tmp_path / "human_desc.csv"
    path.write_text(text)
    with pytest.raises(AfterimageError, match=fault):
        read_human_scores(path, CODES)


SIZES = {"classical": 164, "real_scene": 597, "no_illusion": 245, "ishihara": 26, "trap": 19}


def test_the_papers_200_images_are_31_113_47_5_and_4():
    assert allocation(SIZES, 200) == {
        "classical": 31, "real_scene": 113, "no_illusion": 47, "ishihara": 5, "trap": 4,
    }  # fmt: skip


def test_an_allocation_adds_up_and_never_exceeds_a_category():
    for total in range(sum(SIZES.values()) + 1):
        shares = allocation(SIZES, total)
        assert sum(shares.values()) == total
        assert all(0 <= shares[name] <= size for name, size in SIZES.items())
    assert allocation({"a": 1, "b": 1, "c": 1}, 2) == {"a": 1, "b": 1, "c": 0}
    assert allocation({"a": 0}, 0) == {"a": 0}
    with pytest.raises(ValueError, match="expected a sample of 0 to 1051"):
        allocation(SIZES, 1052)


def test_a_sample_has_these_sizes_is_repeatable_and_knows_no_order():
    members = {name: [f"{name}_{n}" for n in range(size)] for name, size in SIZES.items()}
    drawn = sampled(members, 200, np.random.default_rng(5))
    assert {name: len(sample) for name, sample in drawn.items()} == allocation(SIZES, 200)
    assert all(
        len(set(sample)) == len(sample) and set(sample) <= set(members[name])
        for name, sample in drawn.items()
    )
    turned = {name: sample[::-1] for name, sample in members.items()}
    assert sampled(turned, 200, np.random.default_rng(5)) == drawn
    assert sampled(members, 200, np.random.default_rng(6)) != drawn
