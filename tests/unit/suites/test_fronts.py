"""No suite's main score can be had without looking: what one answer, one place and a guess earn of it, at most."""

import pytest
from studies import plain_study

from afterimage.contract.finding import suite_names
from afterimage.contract.front import MOST_WITHOUT_LOOKING
from afterimage.contract.parts import resolve
from afterimage.contract.results_folder import with_folder
from afterimage.contract.stimulus import Shown
from afterimage.files.grade import GRADE
from afterimage.files.parquet import write_records
from afterimage.grading.grade import grade_responses
from afterimage.jobs.items import item_row
from afterimage.jobs.side_files import write_side_files
from afterimage.jobs.tables import make_table
from afterimage.planning.plan import Plan
from afterimage.planning.report import front_spec
from afterimage.planning.stages import spec_of
from afterimage.report.front import best_baseline, front_rows

#: Suites of others' files, and one of which no table has a share that is right.
_WITHOUT = ("hallusionbench", "illusionvqa", "images", "illusion_strength")
_SETTINGS = {"pope": {"scenes": 12, "nested_scenes": 2}}
_STUDIES = [
    *((name, _SETTINGS.get(name, {})) for name in suite_names() if name not in _WITHOUT),
    ("illusion_strength", {"prompts": ["same"], "illusions": ["ebbinghaus", "fick"]}),
]
#: Thousands of images, of which nothing is known only when they are drawn.
_UNDRAWN = ("blindtest", "hidden_digits")
_SAID = {"text": "Hm.", "answer_text": "Hm.", "reasoning": None, "finish_reason": "stop"}


def images_of(plan, suite):
    """The images of a suite as questions see them, their pixels left out."""
    for figure in plan.figures[suite]:
        spec = spec_of(plan, "draw_figure", suite=suite, figure=figure)
        draw = resolve(spec["draw"])
        for one in resolve(spec["design"]).specs(figure, spec["settings"]):
            drawn = {} if suite in _UNDRAWN else draw(**one.parameters).factors
            yield Shown(one.stimulus_id, factors={**one.factors, **drawn}, figure=figure)


def items_of(plan, suite):
    """All questions of a suite, without pixels."""
    for writer, files in plan.side_files(suite).items():
        written = [with_folder(path, plan.results) for path in files.outputs]
        read = [with_folder(path, plan.results) for path in files.inputs]
        spec = spec_of(plan, "write_side_files", suite=suite, writer=writer)
        write_side_files(spec, {"read": read}, {"written": written}, {})
    every = {one.stimulus_id: one for one in images_of(plan, suite)}
    for shard in plan.shards(suite, "chance"):
        spec = spec_of(plan, "make_items", suite=suite, shard=shard)
        own = [every[name] for name in spec["stimuli"]]
        asked = resolve(spec["questions"])(own, spec["bank"], spec["settings"], [*every.values()])
        for one in asked:
            yield item_row(one, suite, lambda _: {"png": b"", "pixels_sha256": ""})


def front_of_nobody(plan, suite, folder):
    """What is read first of a suite about which one model has said nothing that can be read."""
    items = list(items_of(plan, suite))
    answers = [
        {"item_id": item["item_id"], "suite": suite, "model": "silent", "repeat": 0, **_SAID}
        for item in items
    ]
    write_records(folder / "silent.parquet", grade_responses(answers, items), GRADE, batch_size=999)
    front = front_spec(plan, suite, main_only=True)
    tables = {score["table"]: folder / f"{score['table']}.csv" for score in front["scores"]}
    for name, path in tables.items():
        inputs = {
            "grades": [folder / "silent.parquet"],
            "decisions": [],
            "recorded": [],
            "read": [],
        }
        make_table(
            {**spec_of(plan, "make_table", table=name), "read": []}, inputs, {"csv": path}, {}
        )
    return front_rows(front, tables, {"silent": "model"})


@pytest.mark.parametrize(("suite", "settings"), _STUDIES, ids=[name for name, _ in _STUDIES])
def test_the_main_score_cannot_be_had_without_looking(suite, settings, root, tmp_path, monkeypatch):
    monkeypatch.chdir(root)
    study = plain_study(models=["chance"], suites={suite: settings})
    plan = Plan({**study, "results_folder": str(tmp_path / "results")}, root)
    front = front_of_nobody(plan, suite, tmp_path)
    best = best_baseline(front["rows"], 0)
    assert best is not None and best["value"] <= MOST_WITHOUT_LOOKING
    # Who answers nothing has no score, and everything is said to be unread.
    (silent,) = (row for row in front["rows"] if row["kind"] == "model")
    assert silent["cells"][0]["value"] is None
    number = silent["cells"][0]["unread"].split(" ")[0]
    assert silent["cells"][0]["unread"] == f"{number} of {number} unread"
