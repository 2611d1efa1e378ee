"""The stimuli's invariants, measured on what a model's processor makes of them."""

from pathlib import Path

import blindtest_samples as samples
import numpy as np
import pandas as pd
import pytest
from illusion_samples import draw_illusion, specs_of
from tiny_checkpoints import require_transformers
from vlm_requests import entry_for

from afterimage.contract.finding import load_suite
from afterimage.errors import AfterimageError
from afterimage.files.png import decode_png, encode_png
from afterimage.files.stimulus import read_images, stimulus_row, write_stimuli
from afterimage.planning.configuration import load_study
from afterimage.planning.suites import StudySuite
from afterimage.showing.tables.values import Group
from afterimage.stages.measurements import measurer, write_measurements
from afterimage.stages.seen import measure_seen, measuring
from afterimage.suites.contrast import design
from afterimage.suites.contrast.drawing import draw as draw_grating
from afterimage.suites.contrast.tables import CONTRAST

pytestmark = pytest.mark.torch

SCHEMAS = Path(__file__).resolve().parents[3] / "workflow" / "schemas"
#: Lets Qwen2-VL take the suites' images as they are.
NATIVE = {"size": {"shortest_edge": 56 * 56, "longest_edge": 2000 * 2000}}


@pytest.fixture(autouse=True)
def _installed(root, monkeypatch):
    require_transformers()
    # The prompt file is named from there.
    monkeypatch.chdir(root)


def figure_file(folder, suite, figure, drawings):
    """Write a figure's folder: stimulus id to pixels and factors."""
    rows = [
        stimulus_row(suite, figure, name, encode_png(pixels), pixels, {}, factors)
        for name, (pixels, factors) in drawings.items()
    ]
    write_stimuli(folder / "stimuli.parquet", rows)
    return folder / "stimuli.parquet"


@pytest.fixture(scope="module")
def illusions(tmp_path_factory):
    folder = tmp_path_factory.mktemp("illusions")
    return [
        figure_file(
            folder / figure,
            "illusion_vqa",
            figure,
            {
                spec.stimulus_id: (draw_illusion(figure, spec.parameters).pixels, spec.factors)
                for spec in specs_of(figure)[:4]
            },
        )
        for figure in ("ebbinghaus", "munker")
    ]


def planned(suite):
    """The suite with its default settings."""
    study = load_study({"models": ["chance"], "suites": {suite: {}}}, SCHEMAS)
    return StudySuite(suite, load_suite(suite), study.suites[suite])


def seen(suite, checkpoint, stimuli, target, **settings):
    spec = {
        "entry": entry_for(checkpoint, **settings).answering(),
        "suite": suite,
        "measure": measuring(planned(suite)),
    }
    measure_seen(spec, {"stimuli": stimuli}, {"seen": target}, {})
    return pd.read_csv(target, keep_default_na=False)


def test_a_processor_that_changes_nothing_leaves_every_measurement_as_it_was(
    illusions, tiny_qwen2_vl, tmp_path
):
    frame = seen("illusion_vqa", tiny_qwen2_vl, illusions, tmp_path / "seen.csv", processor=NATIVE)
    measured = []
    for file in illusions:
        drawing = planned("illusion_vqa").drawing_spec(file.parent.name)
        rows = [
            row
            for record, png in read_images(file)
            for row in measurer(drawing).measure(record, decode_png(png))
        ]
        write_measurements(file.parent.name, rows, tmp_path / "measured.csv")
        measured.append(pd.read_csv(tmp_path / "measured.csv", keep_default_na=False))
    native = pd.concat(measured).query("size_px == 672").reset_index(drop=True)
    assert len(frame) == len(native) == 8
    for column in ("stimulus_id", "figure", "condition", "value", "unit", "direction", "limit"):
        assert list(frame[column]) == list(native[column]), column
    assert frame["holds"].all()
    assert set(frame["seen_width_px"]) == set(frame["seen_height_px"]) == {672}
    assert set(frame["image_processor"]) == {frame["image_processor"][0]}
    assert frame["image_processor"][0].startswith("Qwen2VLImageProcessor")


def test_an_image_that_is_too_small_is_measured_enlarged(illusions, tiny_llava, tmp_path):
    small = {"size": {"shortest_edge": 56}, "crop_size": {"height": 56, "width": 56}}
    frame = seen("illusion_vqa", tiny_llava, illusions, tmp_path / "seen.csv", processor=small)
    assert set(frame["seen_width_px"]) == {56}
    plain = frame[(frame["figure"] == "ebbinghaus") & frame["condition"].str.startswith("control")]
    assert list(plain["value"].astype(float).round()) == [0, 21]
    assert plain["holds"].all()


def test_what_a_processor_destroys_is_flagged_and_is_no_error(illusions, tiny_llava, tmp_path):
    frame = seen("illusion_vqa", tiny_llava, illusions, tmp_path / "seen.csv")
    assert set(frame["drawn_width_px"]) == {672}
    assert set(frame["seen_width_px"]) == {112}
    assert set(frame["limits_of_px"]) == {224}
    flagged = frame[~frame["holds"]]
    assert len(flagged) > 0
    assert (flagged["remark"] != "").all()
    assert (frame[frame["holds"]]["remark"] == "").all()


def test_a_suite_with_a_key_is_measured_against_it(tiny_qwen2_vl, tiny_llava, tmp_path):
    specs = samples.specs("two_circles", 1)[:6]
    drawings = {
        spec.stimulus_id: (samples.draw("two_circles", spec.parameters).pixels, spec.factors)
        for spec in specs
    }
    file = figure_file(tmp_path / "two_circles", "blindtest", "two_circles", drawings)
    frame = seen("blindtest", tiny_qwen2_vl, [file], tmp_path / "seen.csv", processor=NATIVE)
    assert len(frame) == 6
    assert list(frame["expected"]) == [spec.factors["truth"] for spec in specs]
    assert frame["holds"].all()
    assert list(frame.columns[:7]) == [
        "stimulus_id",
        "figure",
        "image_processor",
        "drawn_width_px",
        "drawn_height_px",
        "seen_width_px",
        "seen_height_px",
    ]
    small = seen("blindtest", tiny_llava, [file], tmp_path / "small.csv")
    assert set(small["seen_width_px"]) == {112}
    assert ((small["value"] == small["expected"]) == small["holds"]).all()


def test_an_image_that_shows_nothing_any_more_is_a_row_with_a_remark(
    tiny_qwen2_vl, illusions, tmp_path
):
    blank = np.full((672, 672, 3), 255, np.uint8)
    factors = {"condition": "genuine", "variant": "A"}
    file = figure_file(
        tmp_path / "ebbinghaus",
        "illusion_vqa",
        "ebbinghaus",
        {"ebbinghaus_A_genuine": (blank, factors)},
    )
    frame = seen("illusion_vqa", tiny_qwen2_vl, [file], tmp_path / "seen.csv")
    assert list(frame["holds"]) == [False]
    assert frame["limit"][0] == "targets that can be measured"
    assert frame["remark"][0]


def test_an_unreadable_image_is_an_error_and_leaves_no_file(tiny_llava, illusions, tmp_path):
    data = bytearray(illusions[0].read_bytes())
    data[data.index(b"IDAT") + 100] ^= 1
    damaged = tmp_path / "stimuli.parquet"
    damaged.write_bytes(data)
    with pytest.raises(AfterimageError, match="'ebbinghaus_A_genuine' cannot be read"):
        seen("illusion_vqa", tiny_llava, [damaged], tmp_path / "seen.csv")
    assert not (tmp_path / "seen.csv").exists()


def test_the_contrast_that_a_processor_leaves_is_measured(tiny_llava, tmp_path):
    """At 112 px 8 cycles are left whole, and 128 are finer than its pixels."""
    stimuli = []
    for figure in ("f008", "f128"):
        (spec,) = (
            one
            for one in design.DESIGN.specs(figure, {"seed": 1, "pattern": "grating"})
            if one.stimulus_id == f"{figure}_k8_left_v0"
        )
        pixels = draw_grating(**spec.parameters).pixels
        drawings = {spec.stimulus_id: (pixels, spec.factors)}
        stimuli.append(figure_file(tmp_path / figure, "contrast", figure, drawings))
    frame = seen("contrast", tiny_llava, stimuli, tmp_path / "seen.csv")
    assert set(frame["seen_width_px"]) == {112}
    assert (frame["measured"] / frame["shown"]).tolist() == pytest.approx([1, 0], abs=0.1)
    # What the table works out of the file.
    told = {"read": {"tiny": str(tmp_path / "seen.csv")}}
    row = {"model": "tiny", "frequency_cycles": 8, "threshold": 2.0}
    (column,) = (one for one in CONTRAST.csv if "contrast_left" in getattr(one, "names", ()))
    share, left = column.of(Group(frame, row, frame, told))
    assert share == pytest.approx(1, abs=0.1)
    assert left == 2 * share


def test_an_image_that_the_processor_does_not_take_is_a_row_with_a_remark(tiny_qwen2_vl, tmp_path):
    """A strip of more than 200 to 1, which Qwen2-VL refuses, among others."""
    drawings = {
        spec.stimulus_id: (samples.draw("two_circles", spec.parameters).pixels, spec.factors)
        for spec in samples.specs("two_circles", 1)[:3]
    }
    strip, *others = drawings
    drawings[strip] = (np.zeros((4, 804, 3), np.uint8), drawings[strip][1])
    file = figure_file(tmp_path / "two_circles", "blindtest", "two_circles", drawings)
    frame = seen("blindtest", tiny_qwen2_vl, [file], tmp_path / "seen.csv", processor=NATIVE)
    refused = frame[frame["stimulus_id"] == strip].iloc[0]
    assert not refused["holds"]
    assert "aspect ratio" in refused["remark"]
    assert refused["seen_width_px"] == ""
    assert frame[frame["stimulus_id"].isin(others)]["holds"].all()
