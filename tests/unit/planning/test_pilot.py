"""A pilot: which images it asks about, what it refuses, and what it leaves as it is."""

import json
from collections import Counter
from itertools import pairwise

import pytest
from release_samples import hallusionbench_question, illusionvqa_entry, picture
from studies import plain_study

from afterimage.errors import AfterimageError
from afterimage.files.paths import ROOT
from afterimage.planning.plan import Plan
from afterimage.planning.shards import Limit, dealt
from afterimage.stages.all_stages import spec_of
from afterimage.stages.items import shard_figures


def dealt_of(limit, **sizes):
    ids = {name: [f"{name}{number}" for number in range(size)] for name, size in sizes.items()}
    return dealt(ids, (), lambda figure: (), Limit(limit, "limit"), "a suite")


def counts(asked):
    return dict(Counter(figure for figure, _ in asked))


@pytest.mark.parametrize(
    "limit, expected",
    [
        (3, {"a": 1, "b": 1, "c": 1}),
        (5, {"a": 2, "b": 2, "c": 1}),
        # Where a figure has no more, the others go on.
        (9, {"a": 4, "b": 4, "c": 1}),
        (11, {"a": 6, "b": 4, "c": 1}),
    ],
)
def test_figures_take_turns_until_there_are_so_many(limit, expected):
    assert counts(dealt_of(limit, a=30, b=4, c=1)) == expected


def test_a_smaller_pilot_is_part_of_a_larger_one():
    pilots = [dealt_of(limit, a=30, b=20) for limit in range(2, 50)]
    assert all(less < more for less, more in pairwise(pilots))


def test_as_many_as_there_are_is_no_pilot():
    assert dealt_of(4, a=3, b=1) is None
    assert dealt_of(40, a=3, b=1) is None


def test_fewer_than_one_of_each_figure_is_refused_with_the_least_number():
    with pytest.raises(AfterimageError) as caught:
        dealt_of(2, a=3, b=3, c=3)
    assert str(caught.value) == (
        "config key 'limit': found 2, which is less than one image for each of the 3 figures of a suite; "
        "expected at least 3."
    )
    # A figure without images counts for nothing.
    assert counts(dealt_of(2, a=3, b=3, c=0)) == {"a": 1, "b": 1}


def study(suites, **changes):
    return Plan(plain_study(models=["chance"], suites=suites, **changes), ROOT)


def asked(plan, suite):
    return {
        one
        for shard in plan.shards(suite, "chance")
        for one in plan.studied[suite].positions.members(shard)
    }


def test_conditions_take_turns_within_a_suites_figures():
    plan = study({"illusion_vqa": {}}, limit=60)
    found = asked(plan, "illusion_vqa")
    assert len(found) == 60 and set(counts(found).values()) == {4}
    conditions = Counter(name.split("_", figure.count("_") + 2)[-1] for figure, name in found)
    # Fifteen illusions, four conditions, each once.
    assert set(conditions.values()) == {15} and len(conditions) == 4


def test_a_suite_has_the_studys_limit_or_its_own_and_shards_keep_their_places():
    suites = {"illusion_vqa": {"limit": 60}, "pope": {}, "blindtest": {"limit": None}}
    plan, whole = study(suites, limit=20), study({name: {} for name in suites})
    assert [len(asked(plan, name)) for name in suites] == [60, 20, 2754]
    assert plan.shards("blindtest", "chance") == whole.shards("blindtest", "chance")
    for name in suites:
        assert set(plan.shards(name, "chance")) <= set(whole.shards(name, "chance"))
        assert asked(plan, name) <= asked(whole, name)
    assert plan.pilot("blindtest") == {} and whole.pilot() == {}
    assert plan.pilot()["pilot"][:2] == [(60, 120, "illusion_vqa"), (20, 40, "pope")]


def test_all_images_are_drawn_as_without_a_limit_and_tables_and_pages_say_pilot():
    plan, whole = study({"pope": {}}, limit=20), study({"pope": {}})
    at = {"suite": "pope", "figure": "scenes"}
    assert spec_of(plan, "draw_figure", **at) == spec_of(whole, "draw_figure", **at)
    pilot = [[20, 40, "pope"]]
    for table in plan.tables:
        assert spec_of(plan, "make_table", table=table)["readers"]["pilot"] == pilot
        assert "pilot" not in spec_of(whole, "make_table", table=table)["readers"]
    assert spec_of(plan, "make_cost")["pilot"] == pilot
    assert spec_of(plan, "make_suite_page", suite="pope")["about"]["pilot"] == pilot
    overview = spec_of(plan, "make_overview")
    assert overview["pilot"] == overview["about"]["pope"]["pilot"] == pilot
    missing = plan.ledger.states["pope"]["missing"]
    assert (
        missing["pope_blog"] == "the study is a pilot: 20 of 40 images of pope (config key 'limit')"
    )


DRAWN = {
    "blindtest": {},
    "illusion_strength": {},
    "illusion_vqa": {},
    "illusionbench": {},
    "images": {"sets": {"shapes": str(ROOT / "resources" / "examples" / "own_images")}},
    "pope": {},
    "texture": {},
}


@pytest.fixture(scope="module")
def whole():
    return study(DRAWN)


@pytest.mark.parametrize("suite", DRAWN)
def test_every_suite_has_a_pilot_of_each_of_its_figures(whole, suite):
    sizes = {name: len(whole.studied[suite].stimulus_ids(name)) for name in whole.figures[suite]}
    together = 4 if suite == "illusion_vqa" else 1
    least = together * sum(size > 0 for size in sizes.values())
    if least == sum(sizes.values()):
        pytest.skip("an image of each figure is all there is")
    settings = DRAWN[suite]
    plan = study({suite: {**settings, "limit": least}})
    assert counts(asked(plan, suite)) == {name: together for name, size in sizes.items() if size}
    more = study({suite: {**settings, "limit": least + together}})
    assert asked(plan, suite) < asked(more, suite) < asked(whole, suite)
    # Every shard's items are made of images that are drawn, and every table says what it is about.
    for shard in plan.shards(suite, "chance"):
        assert set(shard_figures(plan, suite, shard)) <= set(sizes)
    for table in plan.tables:
        [(_, _, named)] = spec_of(plan, "make_table", table=table)["readers"]["pilot"]
        assert named == suite
    with pytest.raises(AfterimageError, match=f"at least {least}\\."):
        study({suite: {**settings, "limit": least - 1}})


@pytest.mark.parametrize(
    "limit, fault",
    [
        (20, "config key 'suites.illusion_vqa.limit': found 20; .* multiple of 4, at least 60"),
        (5, "config key 'suites.illusion_vqa.limit': found 5; .* multiple of 4, at least 60"),
        (0, "config: suites.illusion_vqa: key 'limit': found 0; expected at least 1"),
        ("20", "config: suites.illusion_vqa: key 'limit': found \"20\"; expected a whole number"),
    ],
)
def test_a_limit_that_cannot_be_is_refused_by_its_key(limit, fault):
    with pytest.raises(AfterimageError, match=fault):
        study({"illusion_vqa": {"limit": limit}})


def many_of_hallusionbench(folder):
    """Write twelve images of four kinds, some of them asked about twice, and a question without its image."""
    rows = [hallusionbench_question("VS", "0", "0", "1", shown=False, visual="0")]
    for kind, (category, subcategory, images) in enumerate(
        [("VS", "chart", 5), ("VS", "map", 1), ("VD", "illusion", 4), ("VD", "math", 2)]
    ):
        for number in range(images):
            for asked_as in ("0", "1")[: 1 + number % 2]:
                row = hallusionbench_question(category, str(number + 1), asked_as, "1")
                name = f"./hallusion_bench/{category}/{subcategory}/0_{number + 1}.png"
                rows.append(
                    {**row, "subcategory": subcategory, "set_id": str(kind), "filename": name}
                )
    for row in rows:
        if row["filename"]:
            picture(folder / row["filename"], "white")
    (folder / "HallusionBench.json").write_text(json.dumps(rows))
    return folder


def many_of_illusionvqa(folder):
    """Write seven images to comprehend and three to localise."""
    for subset, images in (("comprehension", 7), ("sofloc", 3)):
        rows = [illusionvqa_entry(f"{subset}{number}.jpg", "A cat.") for number in range(images)]
        shot = illusionvqa_entry(f"{subset}_shot.jpg", "A cat.", reasoning="It has whiskers.")
        for labels, place, entries in (
            ("eval_labels.json", "EVAL", rows),
            ("fewshot_labels.json", "FEW_SHOTS", [shot]),
        ):
            for row in entries:
                picture(folder / subset / place / row["image"], "grey", "JPEG")
            (folder / subset / labels).write_text(json.dumps(entries))
    return folder


RELEASES = {"hallusionbench": many_of_hallusionbench, "shahgir_illusionvqa": many_of_illusionvqa}


@pytest.mark.parametrize("suite", RELEASES)
def test_a_pilot_of_a_release_deals_its_parts_in_turn_and_refuses_fewer_than_one_of_each(
    suite, tmp_path
):
    folder = str(RELEASES[suite](tmp_path))

    def pilot(**limit):
        return study({suite: {"folder": folder, **limit}})

    whole = pilot()
    sizes = {name: len(whole.studied[suite].stimulus_ids(name)) for name in whole.figures[suite]}
    assert len(sizes) > 1 and len(set(sizes.values())) > 1
    least = len(sizes)
    limits = (least, sum(sizes.values()) - 2)
    pilots = [pilot(limit=limit) for limit in limits]
    first, later = (counts(asked(plan, suite)) for plan in pilots)
    assert set(first.values()) == {1} and set(first) == set(sizes)
    # Small parts are used up; the others stay within one image of each other.
    assert sum(later.values()) == limits[1]
    others = [later[name] for name, size in sizes.items() if later[name] < size]
    assert others and max(others) - min(others) <= 1
    assert all(later[name] <= max(others) + 1 for name in sizes)
    assert asked(pilots[0], suite) < asked(pilots[1], suite) < asked(whole, suite)
    of_first = [least, sum(sizes.values()), suite]
    for table in pilots[0].tables:
        assert of_first in spec_of(pilots[0], "make_table", table=table)["readers"]["pilot"]
    key = rf"config key 'suites\.{suite}\.limit': found {least - 1}"
    with pytest.raises(AfterimageError, match=f"{key}.*expected at least {least}\\."):
        pilot(limit=least - 1)
