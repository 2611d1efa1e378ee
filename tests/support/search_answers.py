"""Graded answers of made-up searchers, as the tables read them; each is told what lies on the image."""

import hashlib
from collections.abc import Callable

import pandas as pd
from graded_rows import graded

from afterimage.suites.search.design import CONDITIONS, DESIGN, NO, PRESENT, YES

SETTINGS = {"set_sizes": [4, 8, 16, 32, 48], "seed": 20241105}
#: What a searcher says whether the target is there: condition, kinds of the items, id of the image.
Searcher = Callable[[str, set[str], str], str | None]
TARGETS = {"red disc", "T"}


def ideal(condition: str, kinds: set[str], name: str) -> str:
    return YES if kinds & TARGETS else NO


def always_yes(condition: str, kinds: set[str], name: str) -> str:
    return YES


def unbound(condition: str, kinds: set[str], name: str) -> str:
    """Register features without binding them: something is red and something is a disc."""
    if condition == "configuration":
        return ideal(condition, kinds, name)
    features = {feature for kind in kinds for feature in kind.split()}
    return YES if {"red", "disc"} <= features else NO


def guesser(condition: str, kinds: set[str], name: str) -> str:
    return (YES, NO)[hashlib.sha256(name.encode()).digest()[0] % 2]


def silent(condition: str, kinds: set[str], name: str) -> None:
    return None


def answers_of(searcher: Searcher, model: str, conditions=CONDITIONS) -> pd.DataFrame:
    """Return one graded answer to the prompt ``present`` about each image."""
    rows = []
    for condition in conditions:
        for spec in DESIGN.specs(condition, SETTINGS):
            kinds = {kind for kind, *_ in spec.parameters["items"]}
            answer = searcher(condition, kinds, spec.stimulus_id)
            key = YES if spec.factors["presence"] == PRESENT else NO
            about = {"model": model, "figure": condition, "offered": [YES, NO]}
            about |= {"suite": "search", "is_listed": False}
            rows.append(graded(spec.stimulus_id, "present", answer, key, **about, **spec.factors))
    return pd.DataFrame(rows).astype({"answer": object})
