"""The illusions as tests draw them, and files of stimuli as a drawing job leaves them."""

from importlib import import_module
from pathlib import Path

from afterimage.contract.drawing import Drawing
from afterimage.contract.stimulus import Shown, StimulusSpec
from afterimage.files.parquet import write_records
from afterimage.files.png import encode_png, pixels_sha256, png_sha256
from afterimage.files.stimulus import STIMULUS
from afterimage.suites.illusion_vqa.images import DESIGN
from afterimage.suites.illusions.names import FIGURES


def specs_of(figure: str) -> list[StimulusSpec]:
    """Return the eight stimuli of an illusion in illusion_vqa."""
    return list(DESIGN.specs(figure, {}))


def draw_illusion(figure: str, parameters: dict) -> Drawing:
    """Draw an illusion from the parameters of a stimulus."""
    return import_module(f"{FIGURES}.{figure}").draw(**parameters)


def shown(figure: str, spec: StimulusSpec, drawing: Drawing) -> Shown:
    """Return a drawn stimulus as questions see it."""
    return Shown(spec.stimulus_id, factors={**spec.factors, **drawing.factors}, figure=figure)


def write_stimuli(folder: Path, suite: str, figure: str, drawings: dict) -> Path:
    """Write a figure's folder: stimulus id to pixels and factors; return the file of its records."""
    folder.mkdir(parents=True)
    rows = []
    for name, (pixels, factors) in drawings.items():
        png = encode_png(pixels)
        (folder / f"{name}.png").write_bytes(png)
        height, width, _ = pixels.shape
        rows.append(
            {
                "stimulus_id": name,
                "suite": suite,
                "figure": figure,
                "image": f"{name}.png",
                "width_px": width,
                "height_px": height,
                "pixels_sha256": pixels_sha256(pixels),
                "png_sha256": png_sha256(png),
                "parameters": "{}",
                "factors": factors,
            }
        )
    write_records(folder / "stimuli.parquet", rows, STIMULUS)
    return folder / "stimuli.parquet"
