"""Further variants of the illusions: proven from pixels, named for good, and apart from the paper's two."""

import numpy as np
import pandas as pd
import pytest
from illusion_samples import draw_illusion, shown
from studies import plain_study

from afterimage.commands.forecast.detectable import tables_of_pairs
from afterimage.errors import AfterimageError
from afterimage.planning.plan import Plan
from afterimage.suites.illusion_vqa.four_cells import in_subset, with_further
from afterimage.suites.illusion_vqa.human_filter import decide
from afterimage.suites.illusion_vqa.images import DESIGN
from afterimage.suites.illusion_vqa.invariants import measure_stimulus
from afterimage.suites.illusion_vqa.prompt_file import choices, load_prompts, select
from afterimage.suites.illusion_vqa.questions import choose_examples, questions
from afterimage.suites.illusion_vqa.suite import SUITE, Settings, figures, further_on_sheet
from afterimage.suites.illusion_vqa.tables_tests import PAIRS_ILLUSION_VQA_VARIANTS
from afterimage.suites.illusions.names import GRID_FIGURES, ILLUSIONS, VARIANTS
from afterimage.suites.illusions.observer import answer
from afterimage.suites.illusions.variants import MAX_PAIRS, RANGES, variants, variation

FURTHER = variants(3)[2:]


@pytest.fixture(scope="module")
def prompt_file(root):
    return load_prompts(root / "resources" / "prompts" / "illusion_vqa.yaml")


def specs(figure, scale):
    return {spec.stimulus_id: spec for spec in DESIGN.specs(figure, {"scale": scale})}


@pytest.mark.parametrize("figure", GRID_FIGURES)
def test_the_two_of_the_paper_come_first_and_stay_what_they_are(figure):
    plain, scaled = list(DESIGN.specs(figure, {})), list(DESIGN.specs(figure, {"scale": 4}))
    assert scaled[:8] == plain
    assert all(set(spec.parameters) == {"strength", "difference", "variant"} for spec in plain)
    assert len(scaled) == 32


@pytest.mark.parametrize("figure", GRID_FIGURES)
def test_no_two_variants_of_a_figure_are_alike(figure):
    every = [variation(figure, name) for name in variants(MAX_PAIRS)]
    assert len(set(every)) == 2 * MAX_PAIRS
    assert all(one.size in RANGES[figure].sizes for one in every)


def test_a_variant_stays_what_it_is():
    assert variation("hering", "A2") == ("A", "A", 0.916667, 0.916667, (12, -21), 0)


@pytest.mark.parametrize("figure", GRID_FIGURES)
def test_every_further_image_is_proven_from_its_pixels(figure):
    given = specs(figure, 3)
    for variant in FURTHER:
        for condition in ("genuine", "fake", "control_genuine", "control_fake"):
            spec = given[f"{figure}_{variant}_{condition}"]
            pixels = draw_illusion(figure, spec.parameters).pixels
            found = next(measure_stimulus(figure, pixels, spec.factors))
            assert found.holds, f"{spec.stimulus_id}: {found.remark}; expected {found.limit}"


@pytest.mark.parametrize("figure", ["hering", "orbison"])
def test_a_smaller_fake_is_held_to_smaller_limits(figure):
    small = next(n for n in variants(MAX_PAIRS) if variation(figure, n).size < 0.8)
    spec = specs(figure, MAX_PAIRS)[f"{figure}_{small}_fake"]
    pixels = draw_illusion(figure, spec.parameters).pixels
    assert next(measure_stimulus(figure, pixels, spec.factors)).holds
    of_full_size = spec.factors | {"variant": small[0]}
    assert not next(measure_stimulus(figure, pixels, of_full_size)).holds


@pytest.mark.parametrize("figure", ILLUSIONS)
def test_whoever_only_looks_is_right_about_every_further_fake(figure, prompt_file):
    words = select(prompt_file, ["zero_shot"], [figure], 3)
    given = specs(figure, 3)
    for variant in FURTHER:
        spec = given[f"{figure}_{variant}_fake"]
        drawing = draw_illusion(figure, spec.parameters)
        for question in questions(
            [shown(figure, spec, drawing)], words, {"prompts": ["zero_shot"]}, []
        ):
            reply = answer(drawing.pixels, question.turns[-1].parts[1])
            assert {option.text: option.option_id for option in question.options}[
                reply
            ] == question.key


def test_words_name_the_colours_that_are_drawn(prompt_file):
    for figure, range_ in RANGES.items():
        assert range_.colours == bool(prompt_file["figures"][figure]["values"]["A"]), figure
    plain, scaled = (select(prompt_file, ["zero_shot"], ["hering"], scale) for scale in (1, 9))
    assert list(plain["figures"]["hering"]) == ["A", "B"]
    assert list(scaled["figures"]["hering"]) == ["A", "AB", "B", "BA"]
    exchanged = scaled["figures"]["hering"]["AB"]["questions"]["actual"]["stem"]
    assert exchanged == "Are the two blue lines straight or curved?"


def test_solved_examples_are_of_the_two_alone():
    def images(scale):
        return [
            shown(figure, spec, type("Drawn", (), {"factors": {}}))
            for figure in ILLUSIONS
            for spec in DESIGN.specs(figure, {"scale": scale})
        ]

    chosen = [choose_examples("fick", "few_shot", images(scale), 4) for scale in (1, 5)]
    assert [example.stimulus_id for example in chosen[0]] == [
        example.stimulus_id for example in chosen[1]
    ]


def test_further_variants_count_where_their_illusion_does(prompt_file):
    given = choices(prompt_file, ILLUSIONS, 4)
    assert decide(None, given, ILLUSIONS, {"paper_drops": ["ponzo"]}).decisions == (
        decide(
            None, choices(prompt_file, ILLUSIONS), ILLUSIONS, {"paper_drops": ["ponzo"]}
        ).decisions
    )


def test_rows_of_the_paper_hold_its_two_variants_alone():
    units = pd.DataFrame(
        {
            "figure": ["fick", "fick", "fick", "cornsweet"],
            "variant": ["A", "B", "A2", "B2"],
            "human_subset": [True, False, False, False],
        }
    )
    assert with_further(("all",), units) == ["all", "scaled", "later"]
    assert with_further(("all",), units[:2]) == ["all"]
    assert list(in_subset(units, "all", units)["variant"]) == ["A", "B"]
    assert list(in_subset(units, "scaled", units)["variant"]) == ["A", "B", "A2"]


@pytest.mark.parametrize(("scale", "found"), [(8, "10.1"), (9, "9.6")])
def test_the_table_says_which_difference_it_can_show(scale, found):
    grades = pd.DataFrame(
        [(f, v) for f in ILLUSIONS[:14] for v in variants(scale)], columns=["figure", "variant"]
    )
    (note,) = [
        sentence
        for one in PAIRS_ILLUSION_VQA_VARIANTS.notes
        if callable(one)
        for sentence in one(grades, {})
    ]
    assert f"{28 * scale} variants" in note
    assert f"percentage points: {found}," in note


def test_places_of_figures_do_not_overlap():
    placed = figures(Settings(scale=3))
    assert np.diff([figure.position for figure in placed]).tolist() == [24] * (len(placed) - 1)
    assert [figure.position for figure in figures(Settings())][:2] == [0, 8]
    assert SUITE.tables_when["pairs_illusion_vqa_variants"](Settings(), {}) is False


def test_what_a_figure_cannot_be_is_refused():
    plain = {"strength": 1.0, "difference": 0.0, "variant": "A"}
    for figure, look in {
        "cafe_wall": {"size": 0.9},
        "mueller_lyer": {"size": 0.9},
        "fick": {"size": 0.5},
        "munker": {"arrangement": 3},
        "hering": {"shift": [7, 0]},
    }.items():
        with pytest.raises(AfterimageError, match=next(iter(look))):
            draw_illusion(figure, plain | look)
    with pytest.raises(AfterimageError, match="unknown variant 'C'"):
        variation("fick", "C")
    assert variants(1) == VARIANTS


@pytest.mark.parametrize(
    ("scale", "tables"),
    [
        (1, ["pairs_illusion_vqa"]),
        (2, ["pairs_illusion_vqa", "pairs_illusion_vqa_variants"]),
    ],
)
def test_a_plan_tells_what_each_table_of_pairs_can_show(scale, tables, root):
    study = plain_study(suites={"illusion_vqa": {"scale": scale}})
    assert tables_of_pairs(Plan(study, root), "illusion_vqa") == tables


def test_the_sheet_of_further_variants_has_their_genuine_images():
    chosen = Settings(illusions=["fick"], scale=3)
    assert further_on_sheet(chosen) == [
        ("fick", f"fick_{variant}_genuine") for variant in ("A2", "B2", "A3", "B3")
    ]
    assert further_on_sheet(Settings()) == []
