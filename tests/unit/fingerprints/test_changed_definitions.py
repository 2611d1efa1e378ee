"""A definition that is changed changes the fingerprints of the jobs that reach it, and of no others."""

import ast
import copy
import random
from collections import Counter
from itertools import chain

import pytest
from planned_jobs import plan_of_many, planned_jobs

from afterimage.fingerprints.definitions import facts
from afterimage.fingerprints.reach import ALWAYS, Reach
from afterimage.fingerprints.reads import bound_names
from afterimage.fingerprints.scripts import Scripts
from afterimage.stages.all_stages import begin_of

SEED = 20261126


@pytest.fixture(scope="module")
def jobs(root, tmp_path_factory):
    """Each job, with the parts from which its code is reached."""
    plan = plan_of_many(root, tmp_path_factory.mktemp("people"))
    return {
        f"{stage} {names}": begin_of(plan, stage, **names) for stage, names in planned_jobs(plan)
    }


@pytest.fixture(scope="module")
def sources(scripts, tmp_path_factory):
    return Scripts(scripts, tmp_path_factory.mktemp("kept"))


def definitions(sources):
    """Return file and key of each definition that counts where it is reached alone."""
    reach = Reach(sources)
    files = sorted(path.relative_to(sources.folder) for path in sources.folder.rglob("*.py"))
    return [
        (file.as_posix(), definition.names)
        for file in files
        for definition in sources.facts(file.as_posix()).definitions
        if definition not in reach.always(file.as_posix())
    ]


def with_change(sources, file, key):
    """Return the sources with one definition changed."""
    tree = ast.parse((sources.folder / file).read_text(encoding="utf-8"))
    (statement,) = (one for one in tree.body if ",".join(sorted(bound_names(one))) == key)
    change(statement)
    changed = copy.copy(sources)
    changed._facts = {**sources._facts, file: facts(file, ast.unparse(tree))}
    return changed


def change(statement):
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            statement.body.append(ast.parse("del _changed").body[0])
        case ast.Assign() | ast.AnnAssign(value=ast.expr()):
            statement.value = ast.Tuple([statement.value], ast.Load())
        case _:
            raise AssertionError(ast.dump(statement))


def fingerprints(sources, jobs):
    reach = Reach(sources)
    return {job: reach.digests(reach.begin_all(parts)) for job, parts in jobs.items()}


@pytest.mark.parametrize("sample", [20, pytest.param(300, marks=pytest.mark.long)])
def test_the_jobs_that_reach_a_definition_are_those_whose_fingerprint_it_changes(
    sources, jobs, sample
):
    before, reach = fingerprints(sources, jobs), Reach(sources)
    reached = {job: reach.closure(reach.begin_all(parts)) for job, parts in jobs.items()}
    assert len(set(map(tuple, before.values()))) > 100
    # Some that all jobs reach and some that none does would show nothing: half of them are reached by a few jobs.
    everything, reaching = definitions(sources), Counter(chain.from_iterable(reached.values()))
    by_few = [one for one in everything if 0 < reaching[one] < len(jobs) / 4]
    assert len(by_few) > 1000
    drawn = random.Random(SEED)
    for file, key in drawn.sample(by_few, sample // 2) + drawn.sample(everything, sample // 2):
        after = fingerprints(with_change(sources, file, key), jobs)
        changed = {job for job in jobs if after[job] != before[job]}
        assert changed == {job for job in jobs if (file, key) in reached[job]}, (file, key)


def test_what_always_counts_changes_the_jobs_that_load_it(sources, jobs):
    file = "afterimage/showing/tables/renderers.py"
    before, reach = fingerprints(sources, jobs), Reach(sources)
    tree = ast.parse((sources.folder / file).read_text(encoding="utf-8"))
    tree.body.append(ast.parse("print()").body[0])
    changed = copy.copy(sources)
    changed._facts = {**sources._facts, file: facts(file, ast.unparse(tree))}
    after = fingerprints(changed, jobs)
    found = {job for job in jobs if after[job] != before[job]}
    assert found == {
        job
        for job, parts in jobs.items()
        if (file, ALWAYS) in reach.closure(reach.begin_all(parts))
    }
    assert 0 < len(found) < len(jobs)
