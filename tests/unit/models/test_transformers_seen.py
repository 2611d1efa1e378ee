"""What a processor makes of an image, turned back into an image."""

import numpy as np
import pytest
from tiny_checkpoints import require_transformers
from vlm_requests import entry_for

from afterimage.errors import AfterimageError

pytestmark = pytest.mark.torch

GENERATOR = np.random.default_rng(7)


@pytest.fixture(autouse=True)
def _installed():
    require_transformers()


def smooth(height, width):
    """Colours that change slowly, so that a resized image is nearly the same one; no two axes alike."""
    down, across = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j]
    channels = (down, across, (1 - down) * across)
    return np.stack([np.round(255 * channel) for channel in channels], -1).astype(np.uint8)


def see(folder, pixels, **settings):
    from afterimage.models.transformers.seen import load_eyes

    return load_eyes(entry_for(folder, **settings))[1](pixels)


def worst(one, other):
    return np.abs(one.astype(int) - other.astype(int)).max()


@pytest.mark.parametrize("shape", [(112, 112), (112, 280), (280, 112), (196, 336)])
def test_an_image_that_needs_no_resizing_comes_back_as_it_was(tiny_qwen2_vl, shape):
    pixels = GENERATOR.integers(0, 256, (*shape, 3), dtype=np.uint8)
    assert worst(see(tiny_qwen2_vl, pixels), pixels) == 0


@pytest.mark.parametrize("folder", ["tiny_llava", "tiny_llava_next"])
def test_a_square_image_of_the_towers_size_comes_back_as_it_was(folder, request):
    pixels = GENERATOR.integers(0, 256, (112, 112, 3), dtype=np.uint8)
    assert worst(see(request.getfixturevalue(folder), pixels), pixels) == 0


@pytest.mark.parametrize(
    ("folder", "expected"),
    [("tiny_llava", (112, 112)), ("tiny_llava_next", (112, 112)), ("tiny_qwen2_vl", (224, 224))],
)
def test_a_larger_image_comes_back_at_the_size_the_model_gets(folder, expected, request):
    large = smooth(224, 224)
    back = see(request.getfixturevalue(folder), large)
    assert back.shape == (*expected, 3)
    assert back.dtype == np.uint8
    assert worst(back, smooth(*expected)) <= 4


def test_what_is_cut_off_is_missing_and_what_is_squeezed_is_squeezed(
    tiny_llava, tiny_llava_next, tiny_qwen2_vl
):
    wide = np.zeros((112, 224, 3), np.uint8)
    wide[:, :56] = (255, 0, 0)
    wide[:, -56:] = (0, 0, 255)
    # LLaVA crops the middle; the first tile of LLaVA-NeXT is the whole image made square; Qwen2-VL keeps the shape.
    assert see(tiny_llava, wide).max() == 0
    squeezed = see(tiny_llava_next, wide)
    assert squeezed.shape == (112, 112, 3)
    assert (squeezed[50, 10] == (255, 0, 0)).all()
    assert (squeezed[50, -10] == (0, 0, 255)).all()
    assert (see(tiny_qwen2_vl, wide) == wide).all()


def test_settings_of_the_processor_change_what_is_seen(tiny_qwen2_vl):
    size = {"shortest_edge": 56 * 56, "longest_edge": 112 * 112}
    assert see(tiny_qwen2_vl, smooth(448, 448), processor={"size": size}).shape == (112, 112, 3)


def test_the_name_of_the_image_processor_is_told(tiny_llava):
    from afterimage.models.transformers.seen import load_eyes

    name, _ = load_eyes(entry_for(tiny_llava))
    assert name.startswith("LlavaImageProcessor")


def test_a_processor_whose_images_are_not_known_here_is_named(tiny_idefics2):
    with pytest.raises(AfterimageError, match=r"Idefics2ImageProcessor.*cannot be turned back"):
        see(tiny_idefics2, smooth(64, 64))


def test_what_is_no_picture_is_refused_by_the_processors_name(tiny_llava, monkeypatch):
    import torch

    from afterimage.models.transformers import seen

    class Odd:
        do_normalize = do_rescale = False

        def __init__(self, **made):
            self.made = made

        def __call__(self, images, return_tensors):
            return self.made

    def looking_through(**made):
        processor = type("Processor", (), {"image_processor": Odd(**made)})()
        monkeypatch.setattr(seen, "load_processor", lambda *_: processor)
        return see(tiny_llava, smooth(64, 64))

    with pytest.raises(AfterimageError, match=r"image processor Odd: .*cannot be turned back"):
        looking_through(flattened_patches=torch.zeros(1, 5, 768))
    with pytest.raises(AfterimageError, match=r"cannot be turned back"):
        looking_through(pixel_values=torch.zeros(1, 5, 3, 8, 8))
    with pytest.raises(AfterimageError, match=r"comes out between -500 and -500; expected 0 to"):
        looking_through(pixel_values=torch.full((1, 3, 8, 8), -500.0))
