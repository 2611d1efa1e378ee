"""A session on a page: screen, practice, trials placed by QUEST+, the file, and the table of people's thresholds."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest
from browsing import reload, save
from session_pages import begin_the_same, prepare, served, sided, take_part, write_page, written

from afterimage.people.forms.page import SESSION_COLUMNS
from afterimage.showing.tables.compute import frame_of
from afterimage.stages.forms import import_answers
from afterimage.statistics.quest_plus import (
    expected_information,
    next_stimulus,
    observers_of,
    posterior,
)
from afterimage.suites.contrast import questions as contrast_forms
from afterimage.suites.contrast.tables import CONTRAST_PEOPLE
from afterimage.suites.illusion_strength import forms as illusion_forms
from afterimage.suites.illusion_strength.tables import ILLUSION_STRENGTH_PEOPLE
from afterimage.suites.search import questions as search_forms
from afterimage.suites.search.tables import SEARCH_PEOPLE

PHONE = {"device_scale_factor": 3, "is_mobile": True, "has_touch": True}
TRIALS, CHECKS, PRACTICE = 40, 3, 2
STATISTICS = {"confidence": 0.95, "resamples": 100, "seed": 1}


@pytest.fixture(scope="module")
def contrast(root, tmp_path_factory):
    """The page about one frequency."""
    folder = tmp_path_factory.mktemp("contrast")
    session = {"trials": TRIALS, "practice": PRACTICE}
    return written(root, folder, "contrast", {"frequencies": [32]}, session)


@pytest.fixture
def at(open_page, contrast):
    """Open the page, with what a recruiting platform puts into its address."""

    def at(query="", **options):
        address = contrast.page.resolve().as_uri() + query
        page = open_page(contrast.page, **options)
        return begin_the_same(page, address)

    return at


def of_file(text):
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_a_whole_session_on_a_phone_becomes_a_threshold_near_the_person_s(at, contrast, tmp_path):
    page = at("?PROLIFIC_PID=5f3c&cc=C1A2B3", width=390, height=844, **PHONE)
    prepare(page)
    put = take_part(page, contrast.rows, sided(0.4, seed=3))
    assert len(put) == PRACTICE + TRIALS + CHECKS
    page.locator("#completion").wait_for(state="hidden")
    saved = save(page, tmp_path)
    assert page.locator("#completion-code").inner_text() == "C1A2B3"
    rows = of_file(saved.read_text(encoding="utf-8"))
    assert tuple(rows[0]) == SESSION_COLUMNS and len(rows) == TRIALS + CHECKS
    assert {row["annotator_id"] for row in rows} == {"5f3c"}
    assert {row["shown"] for row in rows} == {"224x224 @3"}
    assert all(int(row["milliseconds"]) >= 0 for row in rows)
    names = ("answers", "report", "annotators", "agreement")
    outputs = {name: tmp_path / f"{name}.csv" for name in names}
    spec = {
        **{"forms": {"threshold": contrast_forms.__name__}, "other_ids": []},
        **{"result": "trials", "suite": "contrast"},
    }
    import_answers(spec, {"tasks": [contrast.tasks], "returned": [saved]}, outputs, {})
    assert outputs["report"].read_text(encoding="utf-8").count("\n") == 1
    (person,) = pd.read_csv(outputs["annotators"]).to_dict(orient="records")
    assert (person["answers"], person["checks"], person["checks_failed"]) == (TRIALS, CHECKS, 0)
    settings = {**STATISTICS, "contrast": {"trials": str(outputs["answers"])}}
    found = frame_of(CONTRAST_PEOPLE, pd.DataFrame(), settings).set_index("person")
    one = found.loc["5f3c"]
    # t75 = 0.4 of eight doublings from a quarter of a percent on.
    true = 0.25 * 2 ** (8 * 0.4)
    assert one["threshold_low"] < true < one["threshold_high"]
    assert abs(np.log2(one["threshold"] / true)) < 1
    assert one["trials"] == TRIALS and one["pixel_scale"] == 1
    assert one["image_mm"] == pytest.approx(224 / float(rows[0]["px_per_mm"]), abs=0.01)
    assert found.loc["all", "people"] == 1


def test_the_page_places_trials_as_the_package_does(at):
    page = at()
    track = page.evaluate("JSON.parse(document.getElementById('data').textContent).tracks[0]")
    first, prior = np.array(track["first"]), np.array(track["prior"])
    observers = observers_of(np.stack([first, 1 - first], axis=1), prior, prior)
    draw = np.random.default_rng(7)
    given: list[tuple[int, int]] = []
    for _ in range(25):
        argument = [track, [[cell, answer == 0] for cell, answer in given]]
        known, gain, best = page.evaluate(
            "([track, given]) => [QuestPlus.knownAfter(track, given),"
            " QuestPlus.expectedInformation(track, QuestPlus.knownAfter(track, given)),"
            " QuestPlus.best(track, given, 1e-9)]",
            argument,
        )
        weights = posterior(observers, given)
        np.testing.assert_allclose(known, weights, atol=1e-10)
        np.testing.assert_allclose(gain, expected_information(observers, weights), atol=1e-9)
        chosen = next_stimulus(observers, given)
        assert chosen in best
        given.append((chosen, int(draw.random() > first[chosen, len(prior) // 3])))


def test_a_session_goes_on_where_it_was_left(at, contrast):
    page = at("?participant=p7")
    assert page.get_by_label("Your code").input_value() == "p7"
    assert not page.get_by_label("Your code").is_editable()
    prepare(page, card=False)
    answer = sided(0.3, seed=1)
    take_part(page, contrast.rows, answer, most=PRACTICE + 5)
    before = page.evaluate("Object.values(localStorage)[0]")
    reload(page)
    assert page.locator("#progress-text").inner_text() == f"5 of {TRIALS + CHECKS} trials"
    after = json.loads(page.evaluate("Object.values(localStorage)[0]"))
    assert after["answers"] == json.loads(before)["answers"]
    assert after["session"] == json.loads(before)["session"]
    other = at("?participant=p8", context=page.context)
    assert other.locator("#progress-text").inner_text() == f"0 of {TRIALS + CHECKS} trials"


def test_nothing_on_the_page_names_the_condition(contrast):
    source = contrast.page.read_text(encoding="utf-8")
    assert "connect-src" not in source
    for word in ("f032", "frequency", "contrast", "own_id", "32 cycles"):
        assert word not in source.replace("forced-colors", ""), word


def test_answers_are_sent_where_the_study_says_and_the_code_is_shown_when_they_arrived(
    root, browser, contrast, tmp_path
):
    with served() as server:
        session = {"trials": 2, "practice": 0, "post_to": f"{server.address}/answers"}
        settings = contrast.settings
        server.page = write_page(root, tmp_path, "contrast", settings, session, contrast.tasks)
        page = browser.new_page(locale="en-GB")
        page.goto(f"{server.address}/?participant=p1&completion_code=DONE")
        prepare(page)
        take_part(page, contrast.rows, sided(0.3, seed=1))
        page.context.set_offline(True)
        page.get_by_role("button", name="Send the answers").click()
        page.get_by_text("Your answers did not arrive.").wait_for()
        page.locator("#completion").wait_for(state="hidden")
        page.context.set_offline(False)
        page.get_by_role("button", name="Send the answers").click()
        page.get_by_text("Your answers have arrived.").wait_for()
        assert page.locator("#completion-code").inner_text() == "DONE"
        assert [row["annotator_id"] for row in of_file(server.bodies[-1])] == ["p1"] * (2 + CHECKS)
        page.close()


# ---- two curves to a page ----


def test_a_session_about_an_illusion_finds_its_magnitude_on_a_phone(root, open_page, tmp_path):
    session = {"trials": 30, "practice": 2}
    illusion = written(root, tmp_path, "illusion_strength", {"illusions": ["ebbinghaus"]}, session)
    page = open_page(illusion.page, width=390, height=844, **PHONE)
    begin_the_same(page, illusion.page.resolve().as_uri() + "?PROLIFIC_PID=5f3c")
    prepare(page)
    equality = {"0": 0.0, "1": -0.3}
    draw = np.random.default_rng(5)

    def answer(row):
        about = dict(row["about"])
        (field,) = json.loads(row["content"])["fields"]
        second = next(o["own_id"] for o in field["options"] if o["own_id"] != about["first"])
        more = float(about["cell"]) - equality[about["track"]] > draw.normal(0, 0.1)
        return about["first"] if more else second

    put = take_part(page, illusion.rows, answer)
    checks = sum(row["attention"] for row in illusion.rows)
    assert len(put) == 2 + 2 * 30 + checks
    saved = save(page, tmp_path)
    outputs = {
        one: tmp_path / f"{one}.csv" for one in ("answers", "report", "annotators", "agreement")
    }
    spec = {
        "forms": {"threshold": illusion_forms.__name__},
        "other_ids": [],
        "result": "trials",
    }
    import_answers(
        {**spec, "suite": "illusion_strength"},
        {"tasks": [illusion.tasks], "returned": [saved]},
        outputs,
        {},
    )
    settings = {**STATISTICS, "illusion_strength": {"trials": str(outputs["answers"])}}
    found = frame_of(ILLUSION_STRENGTH_PEOPLE, pd.DataFrame(), settings).set_index(
        ["track", "person"]
    )
    one = found.loc[("magnitude", "5f3c")]
    assert one["pse_low"] < 0.3 < one["pse_high"] and abs(one["pse"] - 0.3) < 0.2
    assert [len(found.loc[track]) for track in ("0", "1", "magnitude")] == [2, 2, 2]


# ---- pictures shown for a moment ----


def test_a_session_of_search_shows_each_picture_for_a_moment_on_a_phone(root, open_page, tmp_path):
    session = {"trials": 12, "practice": 2}
    suite = {"conditions": ["colour"], "exposure_ms": 120}
    search = written(root, tmp_path, "search", suite, session)
    page = open_page(search.page, width=390, height=844, **PHONE)
    begin_the_same(page, search.page.resolve().as_uri() + "?PROLIFIC_PID=5f3c")
    prepare(page)

    def answer(row):
        page.locator("#picture").wait_for(state="hidden")
        assert page.locator("#answers button:enabled").count() == 2
        return dict(row["about"])["key"]

    put = take_part(page, search.rows, answer)
    assert len(put) == 2 + 12 + sum(row["attention"] for row in search.rows)
    saved = save(page, tmp_path)
    names = ("answers", "report", "annotators", "agreement")
    outputs = {name: tmp_path / f"{name}.csv" for name in names}
    spec = {"forms": {"threshold": search_forms.__name__}, "other_ids": [], "result": "trials"}
    files = {"tasks": [search.tasks], "returned": [saved]}
    import_answers({**spec, "suite": "search"}, files, outputs, {})
    settings = {**STATISTICS, "search": {"trials": str(outputs["answers"])}}
    found = frame_of(SEARCH_PEOPLE, pd.DataFrame(), settings).set_index(["track", "person"])
    assert found.loc[("4", "5f3c"), "trials_right_k"] == 12
    assert found.loc[("4", "5f3c"), "d_prime"] > 2


# ---- pictures in a fixed order ----


def test_everybody_gets_the_same_pictures_in_the_same_order_on_a_phone(root, open_page, tmp_path):
    session = {"trials": 8, "practice": 2}
    blind = written(root, tmp_path, "blindtest", {"tasks": ["nested_squares"]}, session)
    listed = [row for row in blind.rows if not row["attention"]]
    trials = [row["own_id"] for row in listed if dict(row["about"])["cell"] == "trial"]
    for person in ("ann", "bob"):
        page = open_page(blind.page, width=390, height=844, **PHONE)
        begin_the_same(page, blind.page.resolve().as_uri() + f"?PROLIFIC_PID={person}")
        prepare(page)
        put = take_part(page, blind.rows, lambda row: dict(row["about"])["key"])
        checks = [one for one in put if one.startswith("attention")]
        assert len(checks) == sum(row["attention"] for row in blind.rows) > 0
        counted = [one for one in put[2:] if one not in checks]
        assert counted == trials[:8]
        assert not {*put[:2]} & {*trials}
