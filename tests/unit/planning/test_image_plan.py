"""Which images are written as files for people, and which names they have."""

import pytest

from afterimage.errors import AfterimageError
from afterimage.planning.checking import require_stimulus
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import spec_of
from afterimage.stages.images import MAX_IMAGE_FILES, are_written


def plan(root, **suites):
    return Plan({"models": ["chance"], "suites": suites}, root)


@pytest.fixture(autouse=True)
def _at_the_root(root, monkeypatch):
    monkeypatch.chdir(root)


def test_images_are_files_in_studies_that_people_can_look_through(root):
    assert are_written(plan(root, illusion_vqa={}, blindtest={}))
    copies = plan(root, illusion_vqa={}, blindtest={"scale": 2})
    images = sum(
        len(copies.studied["blindtest"].stimulus_ids(name)) for name in copies.figures["blindtest"]
    )
    assert images > MAX_IMAGE_FILES
    assert not are_written(copies)


def test_whether_images_are_files_reruns_nothing(root):
    small = plan(root, illusion_vqa={})
    large = plan(root, illusion_vqa={}, blindtest={"scale": 2})
    for figure in small.figures["illusion_vqa"]:
        specs = {
            str(spec_of(one, "draw_figure", suite="illusion_vqa", figure=figure))
            for one in (small, large)
        }
        assert len(specs) == 1


def test_an_image_is_named_by_suite_figure_and_stimulus(root):
    known = plan(root, illusion_vqa={"illusions": ["fick"]})
    require_stimulus(known, "illusion_vqa", "fick", "fick_A_fake")
    assert spec_of(known, "write_image", stimulus="fick_A_fake") == {"stimulus": "fick_A_fake"}
    with pytest.raises(AfterimageError, match="unknown figure 'fik': did you mean 'fick'"):
        require_stimulus(known, "illusion_vqa", "fik", "fick_A_fake")
    with pytest.raises(AfterimageError, match="unknown stimulus 'fick_A_fak': did you mean"):
        require_stimulus(known, "illusion_vqa", "fick", "fick_A_fak")
