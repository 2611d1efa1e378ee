"""The hub's files ask what the authors' release asks, about the same images."""

import json
import re
from pathlib import Path

import hub_samples
import numpy as np
import pytest
from release_samples import write_hallusionbench, write_illusionvqa

from afterimage.contract.finding import load_suite
from afterimage.contract.stimulus import UNREADABLE, is_missing
from afterimage.drawing.photograph import draw_from_parquet
from afterimage.errors import AfterimageError
from afterimage.files.external_parquet import image_digests, read_columns, read_image
from afterimage.files.photograph import decode_photograph
from afterimage.suites.hallusionbench import dataset as hallusionbench
from afterimage.suites.shahgir_illusionvqa import dataset
from afterimage.suites.shahgir_illusionvqa.suite import Settings


@pytest.fixture(autouse=True)
def here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def by_name(images):
    return sorted(images, key=lambda one: one.stimulus_id)


def test_hallusionbench_is_the_release(tmp_path):
    write_hallusionbench(tmp_path / "release")
    rows = json.loads((tmp_path / "release" / hallusionbench.LABELS).read_text())
    hub_samples.write_set(tmp_path / "hub", hub_samples.hallusionbench_files(rows))
    release, hub = str(tmp_path / "release"), str(tmp_path / "hub")
    of_hub = hallusionbench.figures(hub)
    assert of_hub == hallusionbench.figures(release)
    for figure in of_hub:
        # Those without an image come in a file of their own, so that the order is another one.
        pairs = [by_name(hallusionbench.shown(figure, {"folder": one})) for one in (hub, release)]
        for ours, theirs in zip(*pairs, strict=True):
            assert ours._replace(file=None, parameters={}) == theirs._replace(
                file=None, parameters={}
            )
            assert (ours.file is None) == (theirs.file is None)
    (one,) = hallusionbench.shown("VD_chart", {"folder": hub})
    names = sorted({row["filename"] for row in rows if row["filename"]})
    drawn = draw_from_parquet(one.file, **one.parameters).pixels
    wanted = names.index("./hallusion_bench/VD/0_0.png")
    assert np.array_equal(drawn, decode_photograph(hub_samples.picture(wanted), "it"))


def test_illusionvqa_is_the_release_whatever_its_images_are_called(tmp_path):
    write_illusionvqa(tmp_path / "release")
    for subset, folder in (("comprehension", "comprehension"), ("soft_localization", "sofloc")):
        labels = [
            json.loads((tmp_path / "release" / folder / name).read_text())
            for name in ("eval_labels.json", "fewshot_labels.json")
        ]
        name = dataset.HUB[subset].repository.split("/")[1]
        hub_samples.write_set(tmp_path / "hub" / name, hub_samples.illusionvqa_files(*labels))
    for figure in ("comprehension", "soft_localization", "comprehension_examples"):
        ours, theirs = (
            dataset.shown(figure, {"folder": str(tmp_path / one)}) for one in ("hub", "release")
        )
        for hub, release in zip(ours, theirs, strict=True):
            assert hub.stimulus_id == release.stimulus_id
            # Of the reasoning the hub's files have nothing.
            assert [one._replace(image="", reasoning=None) for one in hub.questions] == [
                one._replace(image="", reasoning=None) for one in release.questions
            ]
            number = int(release.questions[0].image[1]) - 1 if "examples" not in figure else 0
            assert read_image(hub.file, "image", **hub.parameters) == hub_samples.picture(number)


def test_reasoning_that_the_hub_does_not_have_is_not_left_out_in_silence():
    with pytest.raises(AfterimageError, match="found 'four_shot_reasoning' with the source hub"):
        load_suite("shahgir_illusionvqa").words(
            Settings(source="hub", prompts=["zero_shot", "four_shot_reasoning"])
        )


def test_images_are_found_in_any_order_of_rows(tmp_path):
    rows = [{"image": hub_samples.image(number)} for number in range(150)]
    path = tmp_path / "a.parquet"
    path.write_bytes(hub_samples.parquet(rows, rows_of_group=70))
    order = [*range(0, 150, 7), 149, 0, 71, 69, 70, 3, 2, 1]
    for row in order:
        assert read_image(str(path), "image", row) == rows[row]["image"]["bytes"]
    with pytest.raises(AfterimageError, match="no row 150; expected one of the 150"):
        read_image(str(path), "image", 150)


def test_the_same_picture_has_the_same_digest_and_none_has_none(tmp_path):
    images = [hub_samples.image(1), hub_samples.image(2), hub_samples.image(1), None]
    path = tmp_path / "a.parquet"
    path.write_bytes(hub_samples.parquet([{"image": image} for image in images]))
    [first], [second], [third], none = image_digests(str(path), "image")
    assert first == third != second
    assert none == [None]
    # Kept: the second time no image is read.
    assert image_digests(str(path), "image") == [[first], [second], [third], none]
    with pytest.raises(AfterimageError, match=r"a\.parquet, row 3, column 'image': no image"):
        read_image(str(path), "image", 3)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (hub_samples.picture(1)[:-40], r"row 1, column 'image': .*truncated"),
        (b"<html>", r"row 1, column 'image': "),
    ],
)
def test_an_image_that_cannot_be_decoded_is_missing_and_named(tmp_path, content, why):
    images = [hub_samples.image(1), {"bytes": content, "path": None}]
    path = tmp_path / "a.parquet"
    path.write_bytes(hub_samples.parquet([{"image": image} for image in images]))
    assert not is_missing(draw_from_parquet(str(path), 0).factors)
    drawn = draw_from_parquet(str(path), 1)
    assert is_missing(drawn.factors)
    assert re.search(why, drawn.realised[UNREADABLE], re.I)


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"asked": "text"}, r"found the columns question, image; expected also 'asked' \(was it"),
        ({"image": "text"}, "column 'image' holds struct.*; expected texts"),
        ({"question": "image"}, "column 'question' holds string; expected images"),
        ({"question": "list"}, "expected lists of texts"),
    ],
)
def test_another_column_or_type_is_one_sentence(tmp_path, columns, sentence):
    path = tmp_path / "a.parquet"
    path.write_bytes(hub_samples.parquet([{"question": "So?", "image": hub_samples.image(1)}]))
    with pytest.raises(AfterimageError, match=sentence) as caught:
        read_columns(str(path), columns)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_cut_off_is_one_sentence(tmp_path):
    path = Path(tmp_path / "a.parquet")
    path.write_bytes(hub_samples.parquet([{"question": "So?"}])[:-20])
    with pytest.raises(AfterimageError, match=r"not a readable Parquet file .* fetch it again"):
        read_columns(str(path), {"question": "text"})
