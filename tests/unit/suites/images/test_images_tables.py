"""The tables of a user's images: counts, intervals and comparisons, against other ways to reach them."""

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.proportion import proportion_confint
from table_forms import notes_of

from afterimage.showing.tables.compute import frame_of
from afterimage.statistics.matched import sign_flip_p
from afterimage.suites.images import charts
from afterimage.suites.images.tables import IMAGES as ACCURACY
from afterimage.suites.images.tables import IMAGES_PAIRED as PAIRED

STATISTICS = {"confidence": 0.95, "resamples": 2000, "seed": 1}
SETTINGS = {**STATISTICS, "factors": {"mine": ["size", "id"], "yours": []}}


def grades(models=("m", "w"), name="mine", items=40, per_image=2):
    generator = np.random.default_rng(5)
    return pd.DataFrame(
        [
            {
                "model": model,
                "set": name,
                "prompt": "direct",
                "item_id": f"{name}_{item}",
                "key": str(item % 3),
                "stimulus_id": f"{name}_{item // per_image}",
                "repeat": 0,
                "correct": bool(generator.random() < 0.3 + 0.4 * index),
                "outcome": "unparsed" if item % 10 == 0 else "exact",
                "reason": "cut_off: too long" if item % 20 == 0 else "off_topic: no option",
                "answer_type": "choice" if item % 2 else "yes_no",
                "guessing": "0.25" if item % 2 else "0.5",
                # Every fifth question has no size.
                "size": [np.nan, "big", "small", "big", "big"][item % 5],
                "id": f"row {item}",
            }
            for index, model in enumerate(models)
            for item in range(items)
        ]
    )


def test_every_share_has_its_counts_and_wilsons_interval():
    frame = grades()
    result = frame_of(ACCURACY, frame, SETTINGS)
    overall = result[(result["factor"] == "overall") & (result["model"] == "m")].iloc[0]
    own = frame[frame["model"] == "m"]
    k = int(own["correct"].sum())
    assert overall[
        ["n", "correct_k", "unparsed_k", "cut_off_k", "refused_k", "images"]
    ].tolist() == [
        *(40, k, 4, 2, 0, 20),
    ]
    low, high = proportion_confint(k, 40, method="wilson")
    assert overall[["low", "high"]].tolist() == pytest.approx([100 * low, 100 * high])
    assert overall["guessing"] == 37.5


def test_levels_partition_what_has_a_level_and_no_more():
    result = frame_of(ACCURACY, grades(), SETTINGS)
    sizes = result[(result["factor"] == "size") & (result["model"] == "m")].set_index("level")
    assert sizes["n"].to_dict() == {"big": 24, "small": 8}
    kinds = result[(result["factor"] == "answer_type") & (result["model"] == "m")]
    overall = result[(result["factor"] == "overall") & (result["model"] == "m")]
    assert kinds["correct_k"].sum() == overall["correct_k"].sum()


def test_a_column_that_describes_single_questions_gives_no_rows_and_the_table_says_so():
    few = frame_of(ACCURACY, grades(items=40), SETTINGS)
    assert (few[few["kind"] == "measured"]["factor"] == "id").sum() == 80
    frame = grades(items=60)
    assert "id" not in set(frame_of(ACCURACY, frame, SETTINGS)["factor"])
    assert "more than 50 different values: id." in " ".join(notes_of(ACCURACY, frame, SETTINGS))


def test_sets_with_different_factors_stand_side_by_side():
    yours = grades(name="yours").drop(columns=["size", "id"])
    result = frame_of(ACCURACY, pd.concat([grades(), yours], ignore_index=True), SETTINGS)
    assert set(result[result["set"] == "yours"]["factor"]) == {"overall", "answer_type"}
    assert set(result[result["set"] == "mine"]["factor"]) >= {"size"}


def test_a_comparison_counts_the_same_questions():
    frame = grades()
    (row,) = frame_of(PAIRED, frame.sample(frac=1, random_state=3), STATISTICS).to_dict("records")
    correct = frame.pivot(index="item_id", columns="model", values="correct")
    first, second = (correct[row[place]] for place in ("first", "second"))
    cells = [(first & second).sum(), (first & ~second).sum()]
    cells += [(~first & second).sum(), (~first & ~second).sum()]
    assert [row[name] for name in ("both", "only_first", "only_second", "neither")] == cells
    images = frame[frame["model"] == row["first"]].set_index("item_id")["stimulus_id"]
    lead = (first.astype(int) - second).groupby(images).sum()
    assert row["p"] == row["p_holm"] == pytest.approx(sign_flip_p(lead))
    assert row["differing_images"] == (lead != 0).sum()
    assert row["difference"] == pytest.approx(100 * (first.mean() - second.mean()))
    assert row["low"] < row["difference"] < row["high"]
    assert (row["n"], row["images"]) == (40, 20)


def test_questions_about_one_image_that_stand_or_fall_together_count_as_one():
    frame = grades(items=80, per_image=1)
    wide = pd.concat([frame.assign(item_id=frame["item_id"] + f"/{copy}") for copy in range(4)])
    (alone,) = frame_of(PAIRED, frame, STATISTICS).to_dict("records")
    (copied,) = frame_of(PAIRED, wide, STATISTICS).to_dict("records")
    # Four copies of every question say nothing new.
    assert (copied["low"], copied["high"]) == pytest.approx((alone["low"], alone["high"]))
    assert copied["p"] == pytest.approx(alone["p"])


def test_of_repeated_answers_the_first_is_compared():
    frame = grades()
    again = frame.assign(repeat=1, correct=~frame["correct"])
    both = pd.concat([frame, again], ignore_index=True)
    pd.testing.assert_frame_equal(
        frame_of(PAIRED, both, STATISTICS), frame_of(PAIRED, frame, STATISTICS)
    )


def test_one_model_alone_gives_an_empty_comparison_that_says_why():
    frame = grades(models=("m",))
    assert frame_of(PAIRED, frame, STATISTICS).empty
    assert "one model" in notes_of(PAIRED, frame, STATISTICS)[0]


def test_the_chart_marks_what_the_table_says():
    table = frame_of(ACCURACY, grades(), SETTINGS)
    axes = charts.draw({"images": table}).axes[0]
    overall = table[(table["factor"] == "overall") & (table["kind"] == "measured")]
    drawn = [container.lines[0].get_ydata()[0] for container in axes.containers]
    assert drawn == pytest.approx(overall["accuracy"].tolist())
    assert [label.get_text() for label in axes.get_xticklabels()] == ["mine"]
