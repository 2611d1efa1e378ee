"""Illusions that the paper does not have: its own stay as they are, whatever else is drawn."""

from types import SimpleNamespace

import pandas as pd
import pytest
from illusion_samples import draw_illusion, shown, specs_of

from afterimage.contract.finding import load_suite
from afterimage.items.wording import headed_options
from afterimage.suites.illusion_vqa.four_cells import in_subset, with_further
from afterimage.suites.illusion_vqa.human_filter import decide
from afterimage.suites.illusion_vqa.images import CONDITIONS
from afterimage.suites.illusion_vqa.invariants import measure_stimulus
from afterimage.suites.illusion_vqa.prompt_file import choices, load_prompts, select
from afterimage.suites.illusion_vqa.questions import answer as recite
from afterimage.suites.illusion_vqa.questions import choose_examples, questions
from afterimage.suites.illusion_vqa.suite import form_spec
from afterimage.suites.illusions.names import GRID_FIGURES, ILLUSIONS, LATER, QUESTIONS
from afterimage.suites.illusions.observer import answer as look

SUITE = load_suite("illusion_vqa")


def settings(**given):
    return SUITE.settings(**given)


@pytest.fixture(scope="module")
def prompt_file(root):
    return load_prompts(root / "resources/prompts/illusion_vqa.yaml")


@pytest.fixture(scope="module")
def drawn():
    """Every stimulus of the later figures: what is known of it and its pixels."""
    return [
        (shown(figure, spec, drawing), drawing.pixels)
        for figure in LATER
        for spec in specs_of(figure)
        for drawing in [draw_illusion(figure, spec.parameters)]
    ]


def test_they_are_off_and_stand_behind_the_paper_s(prompt_file):
    assert tuple(settings().illusions) == ILLUSIONS
    plain = SUITE.figures(settings())
    every = SUITE.figures(settings(illusions=list(reversed(GRID_FIGURES))))
    assert every[: len(plain)] == plain
    assert [figure.name for figure in every[len(plain) :]] == list(LATER)
    assert [figure.position for figure in every] == list(range(0, 8 * len(every), 8))
    prompts = ["zero_shot", "few_shot", "metacognitive"]
    wide = select(prompt_file, prompts, GRID_FIGURES)["figures"]
    assert {name: wide[name] for name in ILLUSIONS} == select(prompt_file, prompts, ILLUSIONS)[
        "figures"
    ]


def test_every_image_keeps_its_limits_at_every_size(drawn):
    for stimulus, pixels in drawn:
        sizes = measure_stimulus(stimulus.figure, pixels, stimulus.factors)
        # Variant B is the flip or the mirror image.
        found = list(sizes) if stimulus.factors["variant"] == "A" else [next(sizes)]
        assert all(measured.holds for measured in found), (stimulus.stimulus_id, found)


def test_limits_notice_an_image_that_is_not_what_it_says(drawn):
    images = {stimulus.stimulus_id: pixels for stimulus, pixels in drawn}
    for figure in LATER:
        genuine, fake = (images[f"{figure}_A_{name}"] for name in ("genuine", "fake"))
        for condition, pixels in (("fake", genuine), ("genuine", fake)):
            factors = {"variant": "A", "condition": condition}
            assert not next(measure_stimulus(figure, pixels, factors)).holds
        # The other variant's direction.
        assert not next(measure_stimulus(figure, fake, {"variant": "B", "condition": "fake"})).holds


def test_who_looks_and_who_recites_leave_their_patterns(prompt_file, drawn):
    """The table of docs/illusion_figures.md, section 6, exactly."""
    pixels = {stimulus.stimulus_id: image for stimulus, image in drawn}
    words = select(prompt_file, ["zero_shot"], LATER)
    right = {}
    for item_question in questions(
        [stimulus for stimulus, _ in drawn], words, {"prompts": ["zero_shot"]}, []
    ):
        text = item_question.turns[-1].parts[-1]
        ids = {option.text: option.option_id for option in item_question.options}
        assert headed_options(text)[1] == list(ids)
        item = {
            "question": item_question.question,
            "options": [(option.option_id, option.text) for option in item_question.options],
            "factors": item_question.factors,
            "figure": item_question.shown.figure,
        }
        replies = {
            "pixels": look(pixels[item_question.shown.stimulus_id], text),
            **{rule: recite(item, rule) for rule in ("cued", "gated")},
        }
        for who, reply in replies.items():
            condition = (who, item_question.factors["condition"], item_question.question)
            right.setdefault(condition, set()).add(ids[reply] == item_question.key)
    every = dict.fromkeys(CONDITIONS, (True, True))
    expected = {
        "pixels": every | {"genuine": (True, False)},
        "cued": dict(zip(CONDITIONS, [(1, 1), (0, 1), (1, 0), (0, 1)], strict=True)),
        "gated": dict(zip(CONDITIONS, [(1, 1), (0, 1), (1, 1), (0, 0)], strict=True)),
    }
    for who, cells in expected.items():
        for condition, both in cells.items():
            for question, is_right in zip(QUESTIONS, both, strict=True):
                assert right[who, condition, question] == {bool(is_right)}


def test_examples_before_a_question_are_the_paper_s(drawn):
    papers = [
        SimpleNamespace(figure=figure, stimulus_id=spec.stimulus_id, factors=spec.factors)
        for figure in ILLUSIONS
        for spec in specs_of(figure)
    ]
    wide = papers + [stimulus for stimulus, _ in drawn]
    for figure in (ILLUSIONS[0], LATER[0]):
        chosen = choose_examples(figure, "few_shot", wide, 4)
        assert chosen == choose_examples(figure, "few_shot", papers, 4)


def test_people_are_asked_about_the_paper_s_alone(prompt_file):
    assert form_spec(
        "actual", prompt_file, settings(illusions=list(GRID_FIGURES)), {}
    ) == form_spec("actual", prompt_file, settings(), {})
    assert (
        set(form_spec("actual", prompt_file, settings(illusions=list(LATER)), {})["figures"])
        == set()
    )


def test_they_count_whoever_decides_about_the_paper_s(prompt_file):
    given = choices(prompt_file, GRID_FIGURES)
    chosen = {"paper_drops": ["ponzo"]}
    plain = decide(None, given, ILLUSIONS, chosen)
    wide = decide(None, given, GRID_FIGURES, chosen)
    assert wide.decisions[: len(ILLUSIONS)] == plain.decisions
    added = wide.decisions[len(ILLUSIONS) :]
    assert [row["figure"] for row in added] == list(LATER)
    assert {(row["keep"], row["source"]) for row in added} == {("true", "paper")}
    nobody = decide([], given, GRID_FIGURES, chosen | {"synthetic": True})
    assert {row["source"] for row in nobody.decisions} == {"synthetic"}
    assert {row["keep"] for row in nobody.decisions if row["figure"] in LATER} == {"true"}


def test_no_subset_of_the_paper_holds_them():
    units = pd.DataFrame(
        {
            "figure": ["fick", "cornsweet"],
            "variant": "A",
            "human_subset": [True, False],
            "model": "m",
        }
    )
    assert with_further(("all", "human_16"), units) == ["all", "human_16", "later"]
    assert with_further(("all",), units[:1]) == ["all"]
    assert list(in_subset(units, "all", units)["figure"]) == ["fick"]
    assert list(in_subset(units, "later", units)["figure"]) == ["cornsweet"]
