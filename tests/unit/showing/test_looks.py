"""Whoever answers looks the same in every study, chart and page, and like nobody else of the study."""

import re
from itertools import combinations

import numpy as np
import pytest

from afterimage.contract.model import load_backend
from afterimage.files.yaml import read_yaml_mapping
from afterimage.report.front import signs
from afterimage.showing.charts.figure_style import model_styles
from afterimage.showing.charts.finished_figure import on_dark
from afterimage.showing.looks import COLOURS, GREY, HUES, MARKERS, kind_of, looks_of, study_of

RECORDED = tuple(
    f"{name} (recorded)"
    for name in ("GPT-4o", "Gemini-1.5 Pro", "Claude 3 Sonnet", "Claude 3.5 Sonnet")
)
RESPONDERS = (
    *("chance", "textbook_cued", "textbook_gated", "pixels"),
    *("describer_faultless", "describer_good", "describer_poor"),
)


def shown(look):
    return look.colour, look.marker


@pytest.fixture(scope="module")
def registry(root):
    entries = read_yaml_mapping(root / "config" / "models.yaml", "the registry")
    # A reference judge answers nothing, and is shown nowhere.
    return [name for name, entry in entries.items() if not load_backend(entry["backend"]).judges]


def test_all_of_the_registry_and_of_the_papers_are_told_apart(registry):
    looks = [shown(look) for look in looks_of([*registry, *RECORDED]).values()]
    assert len(set(looks)) == len(looks)


@pytest.mark.parametrize("seed", range(5))
def test_fourteen_models_of_any_name_are_told_apart(seed):
    rng = np.random.default_rng(seed)
    names = [f"{'abc'[rng.integers(3)]}-model-{rng.integers(10**6)}" for _ in range(14)]
    looks = [shown(look) for look in looks_of(names).values()]
    assert len(set(looks)) == len(names)


def test_a_look_does_not_depend_on_place_or_company(registry):
    names = [*registry, *RECORDED]
    alone = {name: looks_of([name])[name] for name in names}
    assert looks_of(names) == alone
    assert looks_of(names[::-1]) == {name: alone[name] for name in names[::-1]}


def test_a_chart_of_some_and_a_page_of_all_agree_even_where_names_share_a_look():
    names = [f"own-{number}" for number in range(400)]
    by_look = {}
    for name in names:
        by_look.setdefault(shown(looks_of([name])[name]), []).append(name)
    first, second = next(alike for alike in by_look.values() if len(alike) > 1)[:2]
    kinds = {second: "model", first: "model"}
    with study_of(kinds):
        page = signs({**kinds, "GPT-4o (recorded)": "recorded"})
        chart = {**model_styles([first]), **model_styles([second])}
        assert model_styles([second, first]) == {name: chart[name] for name in (second, first)}
    assert MARKERS[chart[first].marker] == page[first]["shape"]
    assert MARKERS[chart[second].marker] == page[second]["shape"]
    assert page[first]["shape"] != page[second]["shape"]
    for name in (first, second):
        assert chart[name].colour == COLOURS[page[name]["colour"]][0]


def test_yardsticks_are_grey_and_models_are_not(registry):
    looks = looks_of([*registry, "Human", *RECORDED])
    grey = {name for name, look in looks.items() if COLOURS[look.colour] == GREY}
    assert grey == {*RESPONDERS, "Human"}
    assert all(looks[name].hollow for name in (*RECORDED, "Human"))
    # Whose kind is known by the study alone.
    own = looks_of(["mine"], {"mine": "responder"})["mine"]
    assert COLOURS[own.colour] == GREY
    assert kind_of("mine") == "model"


def test_the_style_of_pages_has_the_colours_of_charts(root):
    style = (root / "resources/report/report.css").read_text(encoding="utf-8")
    for number, (light, dark) in enumerate(COLOURS):
        assert re.findall(rf"--c{number}: (#\w+);", style) == [light, dark]
        assert f".c{number} {{ fill: var(--c{number}); stroke: var(--c{number}); }}" in style


def luminance(colour):
    share = np.array([int(colour[index : index + 2], 16) for index in (1, 3, 5)]) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def test_marks_stand_out_from_either_ground():
    for light, dark in COLOURS:
        assert 1.05 / (luminance(light) + 0.05) >= 3
        assert (luminance(dark) + 0.05) / (luminance("#171614") + 0.05) >= 3
    for one, other in combinations(HUES, 2):
        assert one[0] != other[0] and one[1] != other[1]


def test_a_chart_on_a_dark_ground_has_the_dark_colours():
    def pixels(colour):
        return np.array([[[int(colour[index : index + 2], 16) for index in (1, 3, 5)]]], np.uint8)

    for light, dark in COLOURS:
        assert on_dark(pixels(light)).tolist() == pixels(dark).tolist()
    assert on_dark(pixels("#ffffff")).max() < 30
    assert on_dark(pixels("#000000")).min() > 225
    see_through = np.full((300, 2, 4), 255, np.uint8)
    see_through[..., 3] = 7
    assert (on_dark(see_through)[..., 3] == 7).all()
