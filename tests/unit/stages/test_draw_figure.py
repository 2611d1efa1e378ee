"""Drawing the stimuli of a figure and measuring them; several images at a time."""

import threading

import pandas as pd
import pyarrow.parquet as pq
import pytest
from illusion_samples import draw_illusion, specs_of

from afterimage.commands.cli import main
from afterimage.errors import AfterimageError
from afterimage.files.parquet import read_about
from afterimage.files.png import decode_png, pixels_sha256
from afterimage.files.stimulus import CANARY, STIMULUS, read_images, write_without_images
from afterimage.stages.images import write_image
from afterimage.stages.measurements import measured_row
from afterimage.stages.stimuli import draw_figure, in_order
from afterimage.suites.illusion_vqa import invariants
from afterimage.suites.illusion_vqa.suite import figure_named

COUNT = 8


@pytest.fixture
def draw(tmp_path):
    folder = tmp_path / "results" / "stimuli" / "illusion_vqa" / "fick"

    def run(count=COUNT, with_files=False):
        files = {"stimuli": folder / "stimuli.parquet", "measured": folder / "measured.csv"}
        own = figure_named("fick")
        spec = {
            "design": f"{own.design}:DESIGN",
            "draw": own.draw,
            "measure": own.measure,
        }
        spec |= {"suite": "illusion_vqa", "figure": "fick", "settings": {}, "stimuli": count}
        spec["version"] = "7"
        draw_figure(spec, {}, files, {"image_files": "yes" if with_files else "no"})
        return folder

    run.folder = folder
    return run


def names(folder):
    return {path.name for path in folder.iterdir()}


def test_images_are_drawn_and_measured_from_their_bytes(draw):
    folder = draw()
    assert names(folder) == {"stimuli.parquet", "measured.csv"}
    measured = []
    specs = specs_of("fick")
    for spec, (record, png) in zip(specs, read_images(folder / "stimuli.parquet"), strict=True):
        pixels = decode_png(png)
        assert (draw_illusion("fick", spec.parameters).pixels == pixels).all()
        assert record["pixels_sha256"] == pixels_sha256(pixels)
        found = invariants.measure_stimulus("fick", pixels, record["factors"])
        measured += [measured_row(record, one, pixels) for one in found]
    expected = pd.DataFrame(measured).to_csv(index=False)
    assert (folder / "measured.csv").read_text() == expected


def test_the_file_says_its_suites_version_and_carries_the_canary_that_documents_name(
    draw, root, tmp_path
):
    path = draw() / "stimuli.parquet"
    about = {"suite_version": "7", "canary": CANARY}
    assert read_about(path, STIMULUS) == about
    written = pq.read_schema(path).metadata
    assert written[b"canary"].decode() == CANARY
    # So does the copy without images that goes into an archive.
    write_without_images(path, tmp_path / "records.parquet")
    metadata = pq.read_schema(tmp_path / "records.parquet").metadata
    assert {name: metadata[name.encode()].decode() for name in about} == about
    assert CANARY in (root / "docs" / "data_dictionary.md").read_text()


def test_an_image_that_does_not_show_what_it_should_leaves_no_file(draw, monkeypatch):
    measure = invariants.MEASURES["fick"]

    def failing(pixels, factors):
        found = measure(pixels, factors)
        broken = (factors["variant"], factors["condition"]) == ("B", "fake")
        return [one._replace(holds=False, remark="nothing") if broken else one for one in found]

    monkeypatch.setitem(invariants.MEASURES, "fick", failing)
    with pytest.raises(AfterimageError, match="fick_B_fake"):
        draw(with_files=True)
    assert names(draw.folder) == set()


def test_other_stimuli_than_were_planned_are_refused(draw):
    with pytest.raises(
        AfterimageError, match=r"illusion_vqa/fick: 8 stimuli are specified; expected the 9"
    ):
        draw(count=COUNT + 1)
    assert not draw.folder.exists()


def test_images_as_files_are_those_of_the_last_drawing(draw):
    folder = draw(with_files=True)
    shown = {
        f"{record['stimulus_id']}.png": png
        for record, png in read_images(folder / "stimuli.parquet")
    }
    assert names(folder) == {"stimuli.parquet", "measured.csv", *shown}
    assert all((folder / name).read_bytes() == png for name, png in shown.items())
    (folder / "fick_C_fake.png").write_bytes(b"of a stimulus that is no more")
    draw(with_files=True)
    assert names(folder) == {"stimuli.parquet", "measured.csv", *shown}
    draw(with_files=False)
    assert names(folder) == {"stimuli.parquet", "measured.csv"}


def test_one_image_is_written_by_its_name(draw):
    file = draw() / "stimuli.parquet"
    one, two = ({"image": file.with_name(name)} for name in ("one.png", "two.png"))
    write_image({"stimulus": "fick_A_fake"}, {"stimuli": file}, one, {})
    shown = {record["stimulus_id"]: png for record, png in read_images(file)}
    assert file.with_name("one.png").read_bytes() == shown["fick_A_fake"]
    with pytest.raises(AfterimageError, match=r"unknown stimulus 'fick_A_fak': did you mean"):
        write_image({"stimulus": "fick_A_fak"}, {"stimuli": file}, two, {})


def test_the_command_writes_all_images_or_those_of_a_suite_or_figure(
    draw, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert main(["images"]) == 1
    assert "results/stimuli: no stimuli.parquet below it" in capsys.readouterr().err
    folder = draw()
    for arguments in ([], ["illusion_vqa"], ["illusion_vqa", "fick"]):
        assert main(["images", *arguments]) == 0
        assert capsys.readouterr().out == "results/stimuli/illusion_vqa/fick: 8 images\n"
        images = list(folder.glob("*.png"))
        assert len(images) == COUNT
        for image in images:
            image.unlink()
    assert main(["images", "ilusion_vqa"]) == 1
    assert "unknown suite 'ilusion_vqa': did you mean 'illusion_vqa'?" in capsys.readouterr().err
    assert main(["images", "illusion_vqa", "fik"]) == 1
    assert "unknown figure 'fik': did you mean 'fick'?" in capsys.readouterr().err


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_come_in_order_whatever_takes_longest(threads):
    later = threading.Event()

    def make(number):
        # The first waits for another one, where there are several at a time.
        if number == 1:
            later.set()
        elif number == 0 and threads > 1:
            assert later.wait(30)
        return number * number

    assert list(in_order(make, range(40), threads)) == [number * number for number in range(40)]


def test_no_more_are_begun_than_twice_as_many_as_are_in_work():
    taken = []

    def given():
        for number in range(100):
            taken.append(number)
            yield number

    results = in_order(str, given(), 3)
    assert next(results) == "0"
    assert len(taken) <= 7
    results.close()
    assert len(taken) <= 7


@pytest.mark.parametrize("threads", [1, 4])
def test_what_fails_fails_in_its_place(threads):
    def make(number):
        if number == 5:
            raise ValueError("the fifth")
        return number

    results = in_order(make, range(20), threads)
    assert [next(results) for _ in range(5)] == list(range(5))
    with pytest.raises(ValueError, match="the fifth"):
        next(results)
