"""sprout, asked adaptively: points of equality in the intervals of the whole grid, with a tenth of the requests."""

import numpy as np
import pytest
from tiny_checkpoints import require_transformers

from afterimage.contract.finding import load_suite
from afterimage.contract.parts import resolve, with_name
from afterimage.planning.plan import Plan
from afterimage.showing.answers import read_grades
from afterimage.stages.adaptive import run_adaptive
from afterimage.stages.all_stages import spec_of
from afterimage.stages.grades import grade_model
from afterimage.stages.inference import run_model
from afterimage.stages.items import make_items
from afterimage.stages.stimuli import draw_figure
from afterimage.suites.illusion_strength.tables import ADAPTIVE_TABLE

SUITE = "illusion_strength"
TRIALS = 20
SETTINGS = {"confidence": 0.95, "resamples": 100, "seed": 1}
DIFFERENCES = np.round(np.linspace(-0.5, 0.5, 51), 3).tolist()

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def shards(root, tmp_path_factory):
    """The questions about three illusions without an inducer, as files."""
    require_transformers()
    folder, plan = tmp_path_factory.mktemp("items"), planned(root)
    stimuli = []
    for figure in plan.figures[SUITE]:
        files = {"stimuli": folder / f"{figure}.parquet", "measured": folder / f"{figure}.csv"}
        draw_figure(spec_of(plan, "draw_figure", suite=SUITE, figure=figure), {}, files, {})
        stimuli.append(files["stimuli"])
    made = []
    for shard in plan.shards(SUITE, "sprout"):
        made.append(folder / f"items-{shard}.parquet")
        spec = spec_of(plan, "make_items", suite=SUITE, shard=shard)
        make_items(spec, {"stimuli": stimuli, "decisions": []}, {"shard": made[-1]}, {})
    return made


def planned(root, **settings):
    own = {"illusions": ["mueller_lyer", "ebbinghaus", "delboeuf"], "strengths": [0]}
    own |= {"differences": DIFFERENCES, "prompts": ["directional"], **settings}
    return Plan({"models": ["sprout"], "shard_size": 2000, "suites": {SUITE: own}}, root)


def graded(folder, shards, **spec):
    inputs = {"responses": folder / "responses.parquet", "shards": shards}
    count = grade_model(spec, inputs, {"grades": folder / "grades.parquet"}, {})
    return read_grades([folder / "grades.parquet"]), count


def test_points_of_equality_lie_in_the_grids_intervals(root, shards, tmp_path, monkeypatch):
    monkeypatch.chdir(root)
    plan = planned(root, adaptive={"trials": TRIALS})
    made_from, responses = {"shards": shards}, {"responses": tmp_path / "responses.parquet"}
    spec = spec_of(plan, "run_adaptive", suite=SUITE, model="sprout")
    run_adaptive(spec, made_from, responses, {"journal": tmp_path / "journal"})
    answers, asked = graded(tmp_path, shards, adaptive=True)
    found = ADAPTIVE_TABLE.rows(answers, SETTINGS).set_index("curve")
    spec = spec_of(planned(root), "run_model", suite=SUITE, model="sprout")
    run_model(spec, made_from, responses, {"journal": tmp_path / "journal"})
    answers, all_of_them = graded(tmp_path, shards)
    (whole,) = (table for table in load_suite(SUITE).tables if table.name == SUITE)
    grid = resolve(with_name(whole.part, "TABLE")).rows(answers, SETTINGS)
    grid = grid[grid["illusion"] != "all"]
    for row in grid.itertuples():
        own = found.loc[f"{row.illusion} {row.question} 0"]
        assert row.pse_low <= own["estimate"] <= row.pse_high, (row, own)
    assert len(grid) == 6
    assert asked == 6 * TRIALS and all_of_them > 10 * asked
