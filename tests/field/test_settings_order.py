"""Plan and job see the same values in the same order: mappings in any order are one study, lists keep theirs.

Public reports: snakemake/snakemake#2212 (the order of a parameter's keys counted) and EvolvingLMMs-Lab/lmms-eval#85
(all three splits of POPE in one run).
"""

import copy
import json
import random

import pytest
from drawn_suites import DRAWN, as_a_job_gets_it, run_to_items
from reader_studies import READER_STUDIES
from studies import plain_study

from afterimage.contract.design import Reader
from afterimage.contract.finding import suite_names
from afterimage.contract.parts import resolve
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import spec_of

SEEDS = range(6)
#: What a heading or a table shows in the order in which it is written.
SHOWN_IN_ORDER = {"model_groups"}


def shuffled(value, chance, lists, kept=SHOWN_IN_ORDER):
    """Return plain values with their mappings, and their lists of names where wanted, in an order by chance."""
    if isinstance(value, dict):
        names = list(value)
        chance.shuffle(names)
        return {
            name: copy.deepcopy(value[name])
            if name in kept
            else shuffled(value[name], chance, lists, kept)
            for name in names
        }
    if isinstance(value, list):
        parts = [shuffled(part, chance, lists, kept) for part in value]
        if lists and all(isinstance(part, str) for part in parts):
            chance.shuffle(parts)
        return parts
    return value


def planned(suites, root):
    return Plan(plain_study(suites=suites, models=["chance"]), root)


def asked(plan):
    """All that the jobs of a plan's images, items and tables depend on."""
    found = {}
    for suite, figures in plan.figures.items():
        found |= {
            (suite, figure, "ids"): plan.studied[suite].stimulus_ids(figure) for figure in figures
        }
        jobs = [("draw_figure", {"suite": suite, "figure": figure}) for figure in figures]
        jobs += [
            ("make_items", {"suite": suite, "shard": shard})
            for shard in plan.shards(suite, "chance")
        ]
        jobs += [
            ("write_side_files", {"suite": suite, "writer": name})
            for name in plan.studied[suite].side_files
        ]
        jobs += [("make_table", {"table": table}) for table in plan.tables]
        jobs += [("draw_contact_sheet", {"sheet": sheet}) for sheet in plan.sheets]
        for stage, names in jobs:
            found[stage, *names.values()] = json.dumps(spec_of(plan, stage, **names))
    return found


def require_jobs_find_the_planned_images(plan):
    for suite, figures in plan.figures.items():
        for figure in figures:
            spec = as_a_job_gets_it(spec_of(plan, "draw_figure", suite=suite, figure=figure))
            design = resolve(spec["design"])
            if not isinstance(design, Reader) and figure in ("coco", "segmentation"):
                continue  # Which images they are is drawn by a job; the run below makes them.
            ids = [one.stimulus_id for one in design.specs(figure, spec["settings"])]
            assert ids == list(plan.studied[suite].stimulus_ids(figure))


@pytest.fixture
def written(root, monkeypatch, tmp_path):
    """Write others' data of a form; the study's own results lie below the same folder."""
    monkeypatch.chdir(root)
    return lambda name: READER_STUDIES[name](tmp_path / "data")


def test_every_suite_is_shuffled_here():
    read = {"hallusionbench", "shahgir_illusionvqa", "images"}
    assert {*DRAWN} | read == {*suite_names()}


@pytest.mark.parametrize("suite", DRAWN)
def test_a_mapping_in_another_order_is_the_same_study(suite, root, monkeypatch):
    monkeypatch.chdir(root)
    study = {suite: DRAWN[suite]}
    first = asked(planned(study, root))
    for seed in SEEDS:
        other = shuffled(study, random.Random(seed), lists=False)
        assert asked(planned(other, root)) == first


@pytest.mark.parametrize("form", READER_STUDIES)
def test_a_mapping_in_another_order_is_the_same_study_of_others_data(form, root, written):
    study = written(form)
    first = asked(planned(study, root))
    for seed in SEEDS:
        other = shuffled(study, random.Random(seed), lists=False)
        assert asked(planned(other, root)) == first


@pytest.mark.parametrize("suite", DRAWN)
def test_jobs_find_the_images_of_the_plan_whatever_the_order_of_names(suite, root, monkeypatch):
    monkeypatch.chdir(root)
    for seed in SEEDS[:2]:
        study = shuffled({suite: DRAWN[suite]}, random.Random(seed), lists=True)
        require_jobs_find_the_planned_images(planned(study, root))


@pytest.mark.parametrize("form", READER_STUDIES)
def test_jobs_ask_what_is_planned_whatever_the_order_of_names(form, root, written, tmp_path):
    study = written(form)
    made = {}
    for seed in SEEDS:
        other = shuffled(study, random.Random(seed), lists=True)
        plan = Plan(
            plain_study(
                suites=other, models=["chance"], results_folder=str(tmp_path / f"results{seed}")
            ),
            root,
        )
        require_jobs_find_the_planned_images(plan)
        made[seed] = sorted(run_to_items(plan, tmp_path))
    assert made[0]
    assert all(items == made[0] for items in made.values())


def test_official_splits_run_in_whatever_order_they_are_named(root, written, tmp_path):
    study = written("pope_questions")
    files = study["pope"]["questions"]
    for order in (("adversarial", "random", "popular"), ("popular", "adversarial")):
        study["pope"]["questions"] = {name: files[name] for name in order}
        items = run_to_items(planned(study, root), tmp_path)
        assert len(items) == 8 * len(order)
        assert {item.split("/")[2] for item in items} == set(order)
