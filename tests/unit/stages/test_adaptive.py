"""An adaptive job: the same sequence after an interruption, nothing asked twice, and thresholds of known observers."""

import hashlib
import sys
import time
from types import ModuleType

import numpy as np
import pandas as pd
import pytest

from afterimage.contract.model import Backend
from afterimage.files.attempts import begin_again, last_attempt
from afterimage.files.parquet import read_records, write_records
from afterimage.files.records import GRADE, ITEM, RESPONSE
from afterimage.models.interface import Failure, Reply
from afterimage.showing.answers import read_grades
from afterimage.stages import inference
from afterimage.stages.adaptive import run_adaptive
from afterimage.stages.grades import grade_model
from afterimage.suites.hidden_digits.design import DESIGN, SIDES, STEPS
from afterimage.suites.hidden_digits.tables import ADAPTIVE_TABLE, curves
from afterimage.suites.illusion_strength.tables import ADAPTIVE_TABLE as EQUALITY
from afterimage.suites.thresholds.tables import threshold_result

TRIALS = 40
SETTINGS = {"confidence": 0.95}


def item(spec):
    named = spec.factors["named"].split()
    text = f"{spec.stimulus_id}: which digit is it?"
    return {
        "item_id": f"{spec.stimulus_id}/which",
        "suite": "hidden_digits",
        "stimulus_id": spec.stimulus_id,
        "figure": "light",
        "prompt": "which",
        "question": "",
        "messages": [
            {"role": "user", "parts": [{"type": "text", "text": text, "image": None}]},
        ],
        "images": [{"pixels_sha256": "1" * 64, "png": b"pixels"}],
        "answer_type": "choice",
        "options": [
            {"option_id": side, "text": digit} for side, digit in zip(SIDES, named, strict=True)
        ],
        "key": spec.factors["side"],
        "factors": spec.factors,
    }


ITEMS = [item(spec) for spec in DESIGN.specs("light", {"seed": 0, "blur": False})]
BY_STIMULUS = {one["stimulus_id"]: one for one in ITEMS}


def asked_of(request):
    return BY_STIMULUS[request.messages[0].text.partition(":")[0]]


def chance(*parts):
    """Return a number from 0 to 1 that is the same for the same parts."""
    digest = hashlib.sha256(repr(parts).encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64


def observer(noise, self=0, bias=0.0):
    """Return who sees the signed difference with normal noise."""
    from scipy.special import ndtri

    def answer(requests):
        for request in requests:
            about = asked_of(request)
            factors = about["factors"]
            sign = 1 if factors["side"] == SIDES[0] else -1
            t = sign * int(factors["level"]) / STEPS.count
            for repeat in request.repeats:
                seen = t - bias + noise * ndtri(chance(self, about["item_id"], repeat))
                named = factors["named"].split()
                yield Reply(request.number, named[int(seen <= 0)], repeat=repeat)

    return answer


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Run an adaptive job of a backend, given as a function of requests, over two files of items."""
    half = len(ITEMS) // 2
    shards = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    write_records(shards[0], ITEMS[:half], ITEM)
    write_records(shards[1], ITEMS[half:], ITEM)
    asked = []

    def run(answer, settings=None, journal="journal", trials=TRIALS):
        def noted(requests):
            for request in requests:
                asked.extend((asked_of(request)["item_id"], repeat) for repeat in request.repeats)
                yield from answer([request])

        backend = ModuleType("afterimage.models.scripted")
        backend.BACKEND = Backend(lambda entry, part: noted, journaled=True)
        monkeypatch.setitem(sys.modules, "afterimage.models.scripted", backend)
        entry = {"backend": "scripted", "model_id": "m", "revision": None}
        run_adaptive(
            {
                **{"suite": "hidden_digits", "model": "m", "trials": trials},
                "entry": {**entry, "settings": settings or {}},
                "adaptive": "afterimage.suites.hidden_digits.tables:ADAPTIVE",
            },
            {"shards": list(map(str, shards))},
            {"responses": tmp_path / "r.parquet"},
            {"journal": tmp_path / journal},
        )
        return list(read_records(tmp_path / "r.parquet", RESPONSE))

    run.asked, run.shards, run.folder = asked, shards, tmp_path
    return run


def table(ask):
    """Return the row of the only curve, from responses through grades."""
    grades = ask.folder / "g.parquet"
    inputs = {"responses": ask.folder / "r.parquet", "shards": ask.shards}
    grade_model({"adaptive": True}, inputs, {"grades": grades}, {})
    assert all(row["decided_by"] == "parser" for row in read_records(grades, GRADE))
    frame = ADAPTIVE_TABLE.rows(read_grades([grades]), SETTINGS)
    return frame[frame["curve"] == "light sharp"].iloc[0], frame


def sequence(rows):
    return [(row["item_id"], row["repeat"]) for row in rows]


def test_an_interrupted_job_goes_on_to_the_same_sequence_and_asks_nothing_twice(ask):
    seen = observer(0.4)
    whole = sequence(ask(seen, journal="other"))
    assert len(whole) == len(set(whole)) == TRIALS
    ask.asked.clear()
    left = iter(range(17))

    def killed(requests):
        for reply in seen(requests):
            if next(left, None) is None:
                raise KeyboardInterrupt
            yield reply

    with pytest.raises(KeyboardInterrupt):
        ask(killed)
    begun = list(ask.asked)
    assert begun == whole[:18]
    assert sequence(ask(seen)) == whole
    # The eighteenth was asked and its answer lost.
    assert ask.asked == [*begun, *whole[17:]]
    ask.asked.clear()
    assert sequence(ask(seen)) == whole
    assert ask.asked == []


def test_each_level_is_asked_about_in_an_order_that_other_items_do_not_change(ask):
    rows = ask(observer(0.4))
    by_level = {}
    for row in rows:
        factors = next(one for one in ITEMS if one["item_id"] == row["item_id"])["factors"]
        assert factors["level"] != "0"
        by_level.setdefault((factors["level"], factors["side"]), []).append(row["item_id"])
    for own in by_level.values():
        hashes = [hashlib.sha256(one.encode()).hexdigest() for one in own]
        assert hashes == sorted(hashes, reverse=True)


def test_unread_answers_are_trials_that_say_nothing(ask):
    ask(lambda requests: (Reply(request.number, "Who knows?") for request in requests))
    assert len(ask.asked) == len(set(ask.asked)) == TRIALS
    row, frame = table(ask)
    assert (row["n"], row["unparsed_k"], row["no_estimate"]) == (TRIALS, TRIALS, "no answers")
    assert frame.iloc[-1]["found"] == 0


def test_what_has_answers_made_again_is_newer_though_other_shards_took_hours(ask, monkeypatch):
    monkeypatch.setattr(
        inference, "_ask_pending", lambda *_: begin_again(ask.folder.glob("r.again-*"))
    )
    ask(lambda requests: (Failure(request.number, "busy") for request in requests))
    assert (ask.folder / "r.again-1").stat().st_mtime > time.time() + 30


def test_a_request_without_answer_stops_its_curve_until_it_has_one(ask):
    seen, left = observer(0.4), iter(range(9))

    def breaks(requests):
        for reply in seen(requests):
            yield Failure(reply.number, "busy") if next(left, None) is None else reply

    rows = ask(breaks)
    assert [row["text"] is None for row in rows] == [False] * 9 + [True]
    assert last_attempt(ask.folder / "r.parquet").failed == 1
    begun = sequence(rows)
    rows = ask(seen)
    assert sequence(rows)[:10] == begun
    assert len(rows) == TRIALS


def test_no_more_is_asked_than_there_is(ask):
    rows = ask(observer(0.4), trials=500)
    assert len(rows) == len(ITEMS) * STEPS.count // (STEPS.count + 1)


def test_repeats_are_trials_once_all_items_of_a_level_are_used(ask):
    rows = ask(observer(0.4), {"repeats": 3}, trials=60)
    first_again = {}
    for row in rows:
        level = row["item_id"].rpartition("_")[0]
        first_again.setdefault(level, []).append(row["repeat"])
    assert any(1 in repeats for repeats in first_again.values())
    assert all(repeats == sorted(repeats) for repeats in first_again.values())


def test_answers_are_those_of_each_image_where_variants_exchange_them(tmp_path, monkeypatch):
    """An ideal observer of targets that change sides is known after twenty trials."""
    differences = np.round(np.linspace(-1, 1, 41), 3)
    items = []
    for d in differences:
        for variant, (first, second) in {"A": ("left", "right"), "B": ("right", "left")}.items():
            said = {"first": first, "neutral": "same", "second": second}
            about = {**ITEMS[0], "item_id": f"{variant}{d}", "stimulus_id": f"{variant}{d}"}
            text = {"type": "text", "text": f"{variant}{d}: which?", "image": None}
            about |= {"figure": "fick", "question": "actual", "prompt": "directional"}
            about |= {"suite": "illusion_strength", "key": first}
            about |= {"messages": [{"role": "user", "parts": [text]}]}
            about |= {"options": [{"option_id": own, "text": own} for own in said.values()]}
            items.append({**about, "factors": {"strength": "0", "realised": str(d), **said}})
    write_records(tmp_path / "i.parquet", items, ITEM)
    known = {one["stimulus_id"]: one["factors"] for one in items}

    def answer(requests):
        for request in requests:
            own = known[request.messages[0].text.partition(":")[0]]
            side = np.sign(float(own["realised"]) - 0.31)
            yield Reply(request.number, own["first" if side > 0 else "second"])

    backend = ModuleType("afterimage.models.scripted")
    backend.BACKEND = Backend(lambda entry, part: answer, journaled=False)
    monkeypatch.setitem(sys.modules, "afterimage.models.scripted", backend)
    entry = {"backend": "scripted", "model_id": "m", "revision": None, "settings": {}}
    part = "afterimage.suites.illusion_strength.tables:ADAPTIVE"
    spec = {"suite": "illusion_strength", "model": "m", "entry": entry, "trials": 20}
    responses, grades = tmp_path / "r.parquet", tmp_path / "g.parquet"
    shards = [str(tmp_path / "i.parquet")]
    run_adaptive({**spec, "adaptive": part}, {"shards": shards}, {"responses": responses}, {})
    inputs = {"responses": responses, "shards": shards}
    grade_model({"adaptive": True}, inputs, {"grades": grades}, {})
    row = EQUALITY.rows(read_grades([grades]), SETTINGS).iloc[0]
    assert row["n"] == 20
    assert row["estimate"] == pytest.approx(0.31, abs=0.04)
    assert row["estimate_high"] - row["estimate_low"] < 0.15


@pytest.mark.parametrize("noise", [0.4, 0.6, 0.8])
def test_thresholds_lie_in_the_grids_interval_with_a_tenth_of_the_requests(ask, noise):
    repeats, hits, errors = 4, 0, []
    selves = range(6)
    for self in selves:
        seen = observer(noise, self, bias=0.05)
        ask(seen, {"repeats": repeats}, journal=f"{noise}{self}")
        row, _ = table(ask)
        low, high = grid_interval(seen, repeats)
        value = row["estimate"]
        hits += bool(low <= value <= high) if np.isfinite(value) else False
        true = STEPS.threshold(1 / noise)
        errors.append(row["estimate_low"] <= true <= row["estimate_high"])
    assert len(ask.asked) == len(selves) * TRIALS
    assert repeats * len(ITEMS) > 10 * TRIALS
    assert sum(errors) >= len(selves) - 1
    assert hits >= len(selves) / 2


def grid_interval(seen, repeats):
    """Return the bounds that the suite's own table has for answers to all items, each several times."""
    requests = [
        type("Request", (), {"number": at, "messages": None, "repeats": tuple(range(repeats))})
        for at in range(len(ITEMS))
    ]
    rows = []
    for request, about in zip(requests, ITEMS, strict=True):
        request.messages = [type("Message", (), {"text": f"{about['stimulus_id']}: ?"})]
        for reply in seen([request]):
            named = about["factors"]["named"].split()
            rows.append({**about["factors"], "answer": SIDES[named.index(reply.text)]})
    (curve,) = curves(pd.DataFrame(rows), SETTINGS).values()
    return threshold_result(curve, STEPS)[2:]
