# From a rule's wildcards to what they stand for, and which names they may have.
import re
from functools import partial

from snakemake.exceptions import WorkflowError

from afterimage.errors import unknown_name

# Whose each table and each picture is: what stands for a suite where a rule's wildcards name none.
OWNERS = {
    "table": plan.tables,
    "chart": plan.charts,
    "page": plan.pages,
    "sheet": plan.sheets,
}


def suite_of(wildcards):
    """Return the suite that a job is of."""
    for kind, name in wildcards.items():
        if kind in OWNERS:
            return OWNERS[kind][name]
    return wildcards.suite


def of_suite(function):
    """Return an input function: what a function says of the suite that a job is of."""
    return lambda wildcards: checked(function, suite_of(wildcards))


def given(function, *names):
    """Return an input function: what a function says of the wildcards with these names."""
    return lambda wildcards: checked(function, *(getattr(wildcards, name) for name in names))


def of_plan(function, *names):
    """Return an input function: what a function says of the plan and of the wildcards with these names."""
    return given(partial(function, plan), *names)


def any_of(names):
    """Return a regular expression for these names; where there are none it matches nothing."""
    return "|".join(map(re.escape, names)) or "(?!)"


def none_of(names):
    """Return a regular expression for any name but these."""
    return rf"(?!(?:{'|'.join(map(re.escape, names))})\.)[^/.]+"


def nearest_name(kind, valid):
    """Return an input function that ends the run with the nearest valid name."""

    def explain(wildcards):
        raise WorkflowError(str(unknown_name(kind, wildcards.unknown, valid)))

    return explain
