"""No suite's main score can be had without looking: what one answer, one place and a guess earn of it, at most."""

import pytest
from studies import plain_study
from undrawn_items import items_of

from afterimage.contract.finding import suite_names
from afterimage.contract.front import MAX_BLIND_SCORE
from afterimage.files.parquet import write_records
from afterimage.files.records import GRADE
from afterimage.grading.grade import grade_responses
from afterimage.planning.plan import Plan
from afterimage.report.front import best_baseline, front_rows
from afterimage.stages.all_stages import spec_of
from afterimage.stages.report import front_spec
from afterimage.stages.tables import make_table

#: Suites of others' files, and one of which no table has a share that is right.
_WITHOUT = ("hallusionbench", "shahgir_illusionvqa", "images", "illusion_strength")
_SETTINGS = {"pope": {"scenes": 12, "nested_scenes": 2}}
_STUDIES = [
    *((name, _SETTINGS.get(name, {})) for name in suite_names() if name not in _WITHOUT),
    ("illusion_strength", {"prompts": ["same"], "illusions": ["ebbinghaus", "fick"]}),
]
#: In which a table is written beside its CSV.
FORMS = ("markdown", "latex", "html", "json")
_SAID = {"text": "Hm.", "answer_text": "Hm.", "reasoning": None, "finish_reason": "stop"}


def front_of_nobody(plan, suite, folder):
    """What is read first of a suite about which one model has said nothing that can be read; every form tells of it."""
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
            "published": plan.ledger.quoted_files(name),
            "read": [],
        }
        forms = {form: path.with_suffix(f".{form}") for form in FORMS}
        spec = {**spec_of(plan, "make_table", table=name), "read": []}
        make_table(spec, inputs, {"csv": path, **forms}, {})
        for written in (path, *forms.values()):
            assert "silent" in written.read_text(encoding="utf-8"), written.name
    return front_rows(front, tables, {"silent": "model"})


@pytest.mark.parametrize(("suite", "settings"), _STUDIES, ids=[name for name, _ in _STUDIES])
def test_the_main_score_cannot_be_had_without_looking(suite, settings, root, tmp_path, monkeypatch):
    monkeypatch.chdir(root)
    study = plain_study(models=["chance"], suites={suite: settings})
    plan = Plan({**study, "results_folder": str(tmp_path / "results")}, root)
    front = front_of_nobody(plan, suite, tmp_path)
    best = best_baseline(front["rows"], 0)
    assert best is not None and best["value"] <= MAX_BLIND_SCORE
    # Who answers nothing has no score, and everything is said to be unread.
    (silent,) = (row for row in front["rows"] if row["kind"] == "model")
    assert silent["cells"][0]["value"] is None
    number = silent["cells"][0]["unread"].split(" ")[0]
    assert silent["cells"][0]["unread"] == f"{number} of {number} unread"
