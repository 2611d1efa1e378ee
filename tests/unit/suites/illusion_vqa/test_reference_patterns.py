"""The reference responders, from drawn pixels to classes: each has its own pattern over the four conditions."""

import pytest
from illusion_samples import draw_illusion, shown, specs_of

from afterimage.contract.finding import load_suite
from afterimage.contract.model import load_backend
from afterimage.files.parquet import read_records, write_records
from afterimage.files.png import encode_png, pixels_sha256
from afterimage.files.records import GRADE, ITEM, RESPONSE
from afterimage.grading.grade import grade_responses
from afterimage.showing.answers import read_grades
from afterimage.stages.inference import run_model
from afterimage.stages.items import item_row
from afterimage.suites.illusion_vqa.four_cells import classified
from afterimage.suites.illusion_vqa.images import CONDITIONS
from afterimage.suites.illusion_vqa.invariants import measure_illusion
from afterimage.suites.illusion_vqa.prompt_file import load_prompts, select
from afterimage.suites.illusion_vqa.questions import questions
from afterimage.suites.illusions.names import ILLUSIONS

#: docs/illusion_figures.md, section 6: what each responder gives in genuine, fake, control_genuine, control_fake.
PATTERNS = {
    "textbook_cued": ("both_correct", "apparent_only", "actual_only", "apparent_only"),
    "textbook_gated": ("both_correct", "apparent_only", "both_correct", "both_wrong"),
    "pixels": ("actual_only", "both_correct", "both_correct", "both_correct"),
}
BACKENDS = {
    "textbook_cued": ("textbook", {"rule": "cued"}),
    "textbook_gated": ("textbook", {"rule": "gated"}),
    "pixels": ("pixels", {}),
}


@pytest.fixture(scope="module")
def drawn():
    """All 120 stimuli: record and pixels."""
    rows = []
    for figure in ILLUSIONS:
        for spec in specs_of(figure):
            drawing = draw_illusion(figure, spec.parameters)
            rows.append((shown(figure, spec, drawing), drawing.pixels))
    return rows


@pytest.fixture(scope="module")
def units(drawn, root, tmp_path_factory):
    """Every responder's class for every stimulus, through items, responses and grades on disk."""
    folder = tmp_path_factory.mktemp("patterns")
    prompt_file = select(
        load_prompts(root / "resources/prompts/illusion_vqa.yaml"), ["zero_shot"], ILLUSIONS
    )
    images = {
        row.stimulus_id: {"pixels_sha256": pixels_sha256(pixels), "png": encode_png(pixels)}
        for row, pixels in drawn
    }
    made = questions([row for row, _ in drawn], prompt_file, {"prompts": ["zero_shot"]}, [])
    rows = (item_row(question, "illusion_vqa", images.__getitem__) for question in made)
    assert write_records(folder / "items.parquet", rows, ITEM) == 240
    paths = []
    for model, (backend, settings) in BACKENDS.items():
        entry = {"backend": backend, "model_id": model, "revision": None, "settings": settings}
        responses, grades = folder / f"{model}.responses", folder / f"{model}.grades"
        answering = load_backend(backend).suite_part
        part = answering and vars(load_suite("illusion_vqa"))[answering]
        spec = {"suite": "illusion_vqa", "model": model, "entry": entry, "part": part}
        run_model(spec, {"shards": [folder / "items.parquet"]}, {"responses": responses}, {})
        graded = grade_responses(
            read_records(responses, RESPONSE), read_records(folder / "items.parquet", ITEM)
        )
        write_records(grades, graded, GRADE)
        paths.append(grades)
    return classified(read_grades(paths))


@pytest.mark.parametrize("model", PATTERNS)
def test_a_responder_has_the_pattern_of_its_strategy_on_every_illusion(units, model):
    found = units[units["model"] == model].groupby("condition")["cell"].agg(set)
    for condition, cell in zip(CONDITIONS, PATTERNS[model], strict=True):
        assert found[condition] == {cell}, condition
    assert not units["unparsed"].any()
    assert len(units[units["model"] == model]) == 120


#: Conventional just noticeable differences (docs/illusion_figures.md, section 5).
JND = {"angle": 0.5, "length": 3.0, "area": 6.0, "colour": 2.0}
KIND = {
    "cafe_wall": "angle",
    "zoellner": "angle",
    "mueller_lyer": "length",
    "fick": "length",
    "ebbinghaus": "length",
    "delboeuf": "length",
    "jastrow": "area",
    "munker": "colour",
    "triangle_bisection": "length",
    "sander": "length",
    "saturation_constancy": "colour",
    "lightness_constancy": "colour",
    "ponzo": "length",
}


@pytest.mark.parametrize("figure", KIND)
def test_every_fake_differs_by_at_least_four_just_noticeable_differences(drawn, figure):
    fakes = [
        pixels
        for row, pixels in drawn
        if row.figure == figure and row.factors["condition"] in ("fake", "control_fake")
    ]
    assert len(fakes) == 4
    for pixels in fakes:
        assert measure_illusion(figure, pixels).value >= 4 * JND[KIND[figure]]


def test_the_ideal_observer_is_right_about_the_actual_feature_of_every_image(units):
    cells = units[units["model"] == "pixels"]["cell"]
    assert cells.isin(["both_correct", "actual_only"]).all()
