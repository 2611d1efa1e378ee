"""What the suite consists of: names only, so that the workflow can be planned without drawing.

Standard library only, because the Snakefile imports this module whenever it is parsed.
"""

from collections.abc import Mapping

#: Order of the paper's appendix E; Ponzo, which the paper drew and then excluded, comes last. A stimulus'
#: position follows from this order, not from the configuration, so shards keep their content.
ILLUSIONS = (
    "cafe_wall",
    "zoellner",
    "mueller_lyer",
    "fick",
    "hering",
    "orbison",
    "ebbinghaus",
    "jastrow",
    "delboeuf",
    "munker",
    "triangle_bisection",
    "sander",
    "saturation_constancy",
    "lightness_constancy",
    "ponzo",
)
VARIANTS = ("A", "B")
CONDITIONS = ("genuine", "fake", "control_genuine", "control_fake")
QUESTIONS = ("actual", "apparent")

#: 17 pairs of genuine and fake images stand for all 30 in the human study (paper, section 2.2). Which 17 is
#: not printed: variant A of all, and variant B of one geometric and one colour illusion.
REPRESENTATIVE_B = ("mueller_lyer", "munker")

#: People's answers decide which illusions count.
HUMAN_FILTER = True

#: The results tables and pictures of the suite; one module each in ``tables/`` and ``charts/``.
TABLES = ("genuine_vqa", "fake_vqa", "control_vqa", "illusion_vqa_tests")
#: Tables about probes, with the probes of which at least one has to be asked for.
PROBE_TABLES = {"knowledge": ("text_only", "blank")}
CHARTS = {"illusion_vqa": ("genuine_vqa", "fake_vqa", "control_vqa")}
#: Pages of examples with every model's answers; none, the charts tell the conditions apart.
EXAMPLES: dict[str, tuple] = {}
#: Contact sheets, with the number of images in a row.
CONTACT_SHEETS = {"illusion_stimuli": 8}


def figures(settings: Mapping) -> tuple[str, ...]:
    """Return the configured illusions in the suite's own order."""
    return tuple(name for name in ILLUSIONS if name in settings["illusions"])


def stimulus_ids(figure: str, settings: Mapping | None = None) -> tuple[str, ...]:
    """Return the eight stimulus ids of an illusion, whatever the settings: two variants by four conditions."""
    return tuple(
        f"{figure}_{variant}_{condition}" for variant in VARIANTS for condition in CONDITIONS
    )


def first_position(figure: str, settings: Mapping | None = None) -> int:
    """Return the position of an illusion's first stimulus in the suite, whatever the settings."""
    return ILLUSIONS.index(figure) * len(VARIANTS) * len(CONDITIONS)


def drawing_module(figure: str) -> str:
    """Return which module of ``figures/`` draws a figure: the one of its name."""
    return figure


def contact_sheet(sheet: str, settings: Mapping) -> list[tuple[str, str]]:
    """Return what a contact sheet shows, row by row, as pairs of figure and stimulus id: all stimuli."""
    return [(figure, name) for figure in figures(settings) for name in stimulus_ids(figure)]


def is_representative(figure: str, variant: str) -> bool:
    """Tell whether people were shown this image and its twins (paper, section 2.2)."""
    return variant == "A" or figure in REPRESENTATIVE_B
