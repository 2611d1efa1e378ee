"""Counting what is usual: images proven from their pixels, and the exact rows of who counts and who recites."""

import math
from hashlib import sha256
from importlib import import_module
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from seen_images import images_of

from afterimage.showing.tables.compute import frame_of
from afterimage.suites.counting_bias import flags, tasks
from afterimage.suites.counting_bias.suite import Settings, question_inputs, words
from afterimage.suites.counting_bias.tables import COUNTING_BIAS, IDENTIFICATION
from afterimage.suites.counting_bias.tables import COUNTING_BIAS_COSTS as COSTS
from afterimage.suites.counting_bias.tasks import STARS, TASKS, questions

SPECS = {
    task: list(getattr(tasks, f"{task.upper()}_DESIGN").specs(task, {"seed": 1})) for task in TASKS
}
STATISTICS = {"confidence": 0.95, "resamples": 1000, "seed": 1}
FILE = "resources/prompts/counting_bias.yaml"
#: Task to the digest of the pixels of its sampled images.
KEPT = {
    **{"stripes": "2800638332fc03c4", "stars": "3a886d90775baf6c"},
    **{"boards": "33e890528346f8d5", "grids": "90b7c478ba5e16fc"},
}


@pytest.fixture(scope="module")
def images():
    return images_of("counting_bias")


def test_images_of_the_public_edition_are_those_kept(images):
    """After an intended change of a drawing: write the new digests here, and raise the suite's version."""
    digests = {task: sha256() for task in TASKS}
    for image in images:
        digests[image.figure].update(image.pixels.tobytes())
    assert {task: digest.hexdigest()[:16] for task, digest in digests.items()} == KEPT


@pytest.fixture(scope="module")
def bank(root):
    return words(Settings(prompt_file=str(root / FILE)))


def asked_about(bank, specs, **settings):
    chosen = Settings(**settings)
    about = question_inputs(bank, chosen, TASKS, {})
    images = [
        SimpleNamespace(figure=task, stimulus_id=spec.stimulus_id, factors=spec.factors)
        for task, of_task in specs.items()
        for spec in of_task
    ]
    return list(questions(images, about.words, about.settings, []))


@pytest.fixture(scope="module")
def asked(bank):
    return asked_about(bank, SPECS)


def text_of(question):
    return question.turns[0].parts[1]


class TestImages:
    def test_twins_have_the_same_stars_at_the_same_places(self, images):
        pixels = {image.spec.stimulus_id: image.pixels for image in images}
        ground = np.array([221, 227, 232])
        for subject in STARS:
            plain = pixels[f"stars_{subject}_plain_1_a"]
            for places, _ in flags.stars_of(subject, STARS[subject] + 1):
                left, top = _corner(subject)
                for x, y in places:
                    assert (plain[round(top + y), round(left + x)] == 0).all()
            assert (plain[0, 0] == ground).all()

    def test_stars_keep_their_distance(self):
        for subject, usual in STARS.items():
            for number in (usual - 1, usual, usual + 1):
                of_size = flags.stars_of(subject, number)
                assert sum(len(places) for places, _ in of_size) == number
                every = [(place, radius) for places, radius in of_size for place in places]
                for (one, first), (other, second) in combinations(every, 2):
                    # Centres are rounded to whole pixels.
                    assert math.dist(one, other) - first - second >= 6 - math.sqrt(2)

    def test_asked_cells_lie_off_the_borders_and_follow_the_seed(self):
        for spec in SPECS["grids"]:
            size = int(spec.factors["size"])
            assert 0 < spec.parameters["row"] < size - 1
            assert 0 < spec.parameters["column"] < size - 1
        assert tasks.asked_cells("dice", 9, 1) != tasks.asked_cells("dice", 9, 2)

    def test_no_odd_cell_loses_all_or_repeats_the_pattern(self):
        assert all(
            int(spec.factors["truth"]) >= 1
            and (spec.factors["truth"] == spec.factors["usual"])
            == (spec.factors["alteration"] == "0")
            for spec in SPECS["grids"]
        )


def _corner(subject):
    heights = flags._FIELDS[subject][0]
    return (672 - 576) // 2 - 6, (672 - sum(heights)) // 2 - 6


class TestQuestions:
    def test_840_counts_and_126_identifications(self, asked):
        kinds = [question.question for question in asked]
        assert kinds.count("how_many") == kinds.count("count") == 420
        assert kinds.count("identify") == 126
        assert len({(one.shown.stimulus_id, one.question_id) for one in asked}) == len(asked)

    def test_our_prompt_shows_no_number_and_the_official_one_the_usual_of_sudoku(self, bank):
        boards = {"boards": SPECS["boards"]}
        ours, official = (
            asked_about(bank, boards, prompts=[prompt], identify=False)
            for prompt in ("neutral", "official")
        )
        assert not any("9" in text_of(question) for question in ours)
        nines = [one for one in official if "{9}" in text_of(one)]
        assert len(nines) == len(official)
        assert any(one.shown.factors["usual"] == "9" and one.key != "9" for one in nines)

    def test_twins_are_asked_in_the_same_words(self, asked):
        texts = {}
        for one in asked:
            if one.shown.figure != "grids" and one.question != "identify":
                place = one.shown.stimulus_id.replace("_familiar_", "_").replace("_plain_", "_")
                texts.setdefault((place, one.question), set()).add(text_of(one))
        assert all(len(words) == 1 for words in texts.values())

    def test_a_cell_is_named_where_there_are_several(self, asked):
        named = {text_of(one) for one in asked if one.shown.stimulus_id == "grids_dice_9_0_alone_1"}
        assert any("circles are there in this cell?" in text for text in named)
        spec = next(one for one in SPECS["grids"] if one.stimulus_id == "grids_dice_9_0_familiar_1")
        texts = [text_of(one) for one in asked if one.shown.stimulus_id == spec.stimulus_id]
        assert all(f"in cell {spec.factors['cell']}" in text for text in texts)

    def test_five_numbers_about_the_usual_one_to_guess_among(self, asked):
        for one in asked:
            if one.question != "identify":
                usual = int(one.shown.factors["usual"])
                assert [int(option.option_id) - usual for option in one.options] == [
                    -2,
                    -1,
                    0,
                    1,
                    2,
                ]
                assert one.key in [option.option_id for option in one.options]


def graded(asked, model, reply):
    """Grade what a function of question says."""
    rows = []
    for one in asked:
        text = reply(one)
        parsed = import_module(f"afterimage.grading.readers.{one.answer_type}").parse(text)
        rows.append(
            {
                **one.shown.factors,
                "model": model,
                "item_id": f"{one.shown.stimulus_id}/{one.question_id}",
                "stimulus_id": one.shown.stimulus_id,
                "figure": one.shown.figure,
                "prompt": one.prompt,
                "question": one.question,
                "repeat": 0,
                "key": one.key,
                "offered": [option.option_id for option in one.options],
                "is_listed": False,
                "answer": parsed.answer,
                "outcome": parsed.outcome,
                "reason": parsed.reason,
                "correct": parsed.answer == one.key,
            }
        )
    return rows


def by_textbook(rule):
    return lambda one: tasks.answer({"question": one.question, "factors": one.shown.factors}, rule)


def recites_the_familiar(one):
    known = one.shown.factors["context"] == "familiar"
    return f"{{{one.shown.factors['usual'] if known and one.question != 'identify' else one.key}}}"


@pytest.fixture(scope="module")
def grades(asked):
    rows = [
        *graded(asked, "counts", lambda one: f"{{{one.key}}}"),
        *graded(asked, "textbook_cued", by_textbook("cued")),
        *graded(asked, "textbook_gated", by_textbook("gated")),
        *graded(asked, "recites_familiar", recites_the_familiar),
    ]
    # Whoever guesses evenly: each of the five numbers once.
    for index in range(5):
        rows += graded(
            [one for one in asked if one.question != "identify"],
            "guesses",
            lambda one, index=index: one.options[index].text,
        )
    return pd.DataFrame(rows)


@pytest.fixture(scope="module")
def table(grades):
    frame = frame_of(COUNTING_BIAS, grades, STATISTICS)
    return frame[frame["kind"] == "measured"].set_index(["model", "task", "context", "alteration"])


#: Accuracy, and rate of the usual number where it is wrong, of familiar images and twins (design, section 3.3).
EXPECTED = {
    "counts": ((100, None), (100, 0), (100, None), (100, 0)),
    "textbook_cued": ((100, None), (0, 100), (100, None), (0, 100)),
    "textbook_gated": ((100, None), (0, 100), (0, None), (0, 0)),
    "recites_familiar": ((100, None), (0, 100), (100, None), (100, 0)),
    "guesses": ((20, None), (20, 20), (20, None), (20, 20)),
}


class TestTables:
    @pytest.mark.parametrize("model", EXPECTED)
    @pytest.mark.parametrize("task", TASKS)
    def test_the_exact_pattern_of_who_answers(self, table, model, task):
        twin = "alone" if task == "grids" else "plain"
        places = [("familiar", "0"), ("familiar", "altered"), (twin, "0"), (twin, "altered")]
        for (context, alteration), (right, biased) in zip(places, EXPECTED[model], strict=True):
            row = table.loc[(model, task, context, alteration)]
            assert row["accuracy"] == pytest.approx(right)
            if biased is None:
                assert pd.isna(row["bias_rate"])
                assert pd.isna(row["biased_k"])
            else:
                assert row["bias_rate"] == pytest.approx(biased)

    def test_what_the_gated_textbook_leaves_open_is_unread(self, table):
        row = table.loc[("textbook_gated", "stripes", "plain", "altered")]
        assert row["unparsed_k"] == row["n"] == 7 * 2 * 2 * 2

    def test_every_answer_is_of_one_kind(self, table):
        kinds = ["right_k", "biased_k", "off_by_one_k", "other_k", "unparsed_k"]
        altered = table[table.index.get_level_values("alteration") != "0"]
        assert (altered[kinds].sum(axis=1) == altered["n"]).all()
        usual = table[table.index.get_level_values("alteration") == "0"]
        assert (usual[[*kinds[:1], *kinds[2:]]].sum(axis=1) == usual["n"]).all()
        guesses = table.loc[("guesses", "stripes", "familiar", "-1")]
        assert guesses["off_by_one_k"] * 5 == guesses["n"]
        assert guesses["other_k"] * 5 == 2 * guesses["n"]

    def test_subjects_are_the_clusters(self, table):
        assert table.loc[("counts", "stripes", "plain", "0"), "subjects"] == 7
        assert table.loc[("counts", "boards", "plain", "0"), "subjects"] == 4
        # Seven of seven clusters, whatever the number of images: Wilson of 7/7.
        assert table.loc[("counts", "stripes", "plain", "altered"), "low"] == pytest.approx(64.567)

    def test_what_is_not_counting_is_the_context_s(self, grades):
        costs = frame_of(COSTS, grades, STATISTICS).set_index(["model", "task"])
        for model, (alteration, context) in {
            "counts": (0, 0),
            "textbook_cued": (100, 0),
            "textbook_gated": (100, 0),
            "recites_familiar": (100, 100),
            "guesses": (0, 0),
        }.items():
            for task in (*TASKS, "all"):
                row = costs.loc[(model, task)]
                assert row["alteration_cost"] == pytest.approx(alteration)
                assert row["context_cost"] == pytest.approx(context)
                assert row["context_cost_low"] <= context <= row["context_cost_high"]
        assert costs.loc[("counts", "all"), "pairs"] == 2 * (56 + 48 + 64) // 2 + 2 * 56

    def test_identification_tells_who_says_yes_to_everything(self, grades):
        frame = frame_of(IDENTIFICATION, grades, STATISTICS)
        rows = frame[frame["task"] == "all"].set_index(["model", "alteration"])
        assert rows.loc[("counts", "0"), "yes"] == 100
        assert rows.loc[("counts", "altered"), "yes"] == 0
        assert rows.loc[("textbook_cued", "altered"), "yes"] == 100
        assert rows.loc[("textbook_cued", "altered"), "n"] == 84
        yes = rows.loc[[("always yes", "altered"), ("always no", "altered")]]
        assert yes[["yes", "right_k"]].to_numpy().tolist() == [[100, 0], [0, 84]]
        guess = rows.loc[("uniform guessing", "altered")]
        assert (guess["n"], guess["yes"]) == (84, 50)
        assert guess[["yes_k", "right_k", "yes_low", "unparsed_k"]].isna().all()
