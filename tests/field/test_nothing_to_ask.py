"""A suite of which nothing is left to ask: every table, chart, page and list is made, says so, and stops no other.

Public reports: bird-bench/mini_dev#47 and kubeedge/ianvs#337 (an evaluation without any item ends in the division by
zero of its summary, and all results are lost).
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from drawn_suites import DRAWN, as_a_job_gets_it, run_to_items
from reader_studies import READER_STUDIES, hallusionbench
from studies import plain_study

from afterimage.errors import AfterimageError
from afterimage.files.attempts import NOT_FINISHED, WHY_NOTHING
from afterimage.files.csv_rows import read_rows, write_csv
from afterimage.files.human_responses import DECISION_COLUMNS
from afterimage.files.parquet import read_table, write_records
from afterimage.files.png import encode_png
from afterimage.files.records import ITEM, RESPONSE
from afterimage.files.stimulus import stimulus_row, write_stimuli
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import STAGES, spec_of
from afterimage.stages.charts import chart_tables
from afterimage.stages.example_page import chosen_by
from afterimage.stages.grades import grade_model
from afterimage.stages.human_filter import has_human_filter
from afterimage.stages.recorded import match_recorded_answers
from afterimage.stages.report import page_pictures, page_tables
from afterimage.stages.run_messages import without_numbers
from afterimage.stages.tables import read_by

FORMS = {"csv": "csv", "markdown": "md", "latex": "tex", "html": "html", "json": "json"}
MODELS = ["chance", "pixels"]
PROBES = {"text_only": True, "option_orders": 1, "silent": True, "blank": True}
WHY = "none of the images that its files name is there"
JUDGE = {"backend": "openai_compatible", "model_id": "j", "settings": {"api_key_env": "NONE"}}


class Study:
    """A study whose suites ask nothing: its files without rows, and its jobs, called with them as Snakemake does."""

    def __init__(self, plan, folder):
        """Write the files without rows of all suites."""
        self.plan, self.folder, self.models = plan, folder, list(plan.models)
        for suite in plan.suites:
            self._write_nothing(suite)

    def _write_nothing(self, suite):
        for shard in self.shards(suite):
            write_records(shard, [], ITEM, about={WHY_NOTHING: WHY})
        for model in self.models:
            responses, grades = self.responses(suite, model), self.grades(suite, model)
            write_records(responses, [], RESPONSE)
            files = {"responses": responses, "shards": self.shards(suite)}
            grade_model({}, files, {"grades": grades}, {})
        for figure in self.plan.figures[suite]:
            pixels = np.full((8, 8, 3), 90, np.uint8)
            row = stimulus_row(
                suite,
                figure,
                "none",
                encode_png(pixels),
                pixels,
                {"nominal": {}, "realised": {}},
                {},
            )
            write_stimuli(self.at(f"stimuli/{suite}/{figure}/stimuli.parquet"), [row], {})
        rows = [
            {"figure": figure, "keep": "false", "source": "participants"}
            for figure in self.plan.figures[suite]
        ]
        write_csv(self.at(f"human/{suite}_decisions.csv"), rows, DECISION_COLUMNS)

    def at(self, name):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return str(path)

    def shards(self, suite):
        return [
            self.at(f"items/{suite}/{shard}.parquet") for shard in self.plan.shards(suite, "chance")
        ]

    def responses(self, suite, model):
        return self.at(f"responses/{suite}/{model}.parquet")

    def grades(self, suite, model):
        return self.at(f"grades/{suite}/{model}.parquet")

    def run(self, stage, inputs, outputs, **names):
        """Run one job."""
        resources = {"threads": 1, "client": "{}", "journal": self.at("../journal")}
        STAGES[stage].run(
            as_a_job_gets_it(spec_of(self.plan, stage, **names)), inputs, outputs, resources
        )

    def forms(self, table, prefix=""):
        return {f"{prefix}{form}": self.at(f"tables/{table}.{end}") for form, end in FORMS.items()}

    def of(self, suite):
        return {
            "grades": [self.grades(suite, model) for model in self.models],
            "responses": [self.responses(suite, model) for model in self.models],
            "shards": self.shards(suite),
        }

    def table(self, table):
        suite = self.plan.tables[table]
        decided = has_human_filter(self.plan, suite)
        self.run(
            "make_table",
            {
                "grades": self.of(suite)["grades"],
                "decisions": [self.at(f"human/{suite}_decisions.csv")] if decided else [],
                "files": [],
                "recorded": [],
                "published": self.plan.ledger.quoted_files(table),
                "read": [
                    path.replace("<results>", str(self.folder))
                    for path in read_by(self.plan, table).values()
                ],
            },
            self.forms(table),
            table=table,
        )

    def everything(self, suite):
        """Run all jobs of a suite that come behind its answers."""
        plan, own = self.plan, self.of(suite)
        for table in plan.tables:
            self.table(table)
        for chart in plan.charts:
            tables = [self.at(f"tables/{table}.csv") for table in chart_tables(plan, chart)]
            self.run(
                "draw_chart",
                {"tables": tables},
                {"png": self.at(f"figures/{chart}.png")},
                chart=chart,
            )
        for page in plan.pages:
            stage = "draw_chosen" if chosen_by(plan, page) else "draw_examples"
            self.run(stage, own, {"png": self.at(f"figures/{page}.png")}, page=page)
        for sheet in plan.sheets:
            Path(self.at(f"figures/{sheet}.png")).write_bytes(b"")
        for form_suite, form in plan.forms.names:
            named = plan.studied[form_suite].forms[form].inputs
            if "responses" in named or "items" in named:
                outputs = {"tasks": self.at("tasks.parquet"), "pages": self.at("pages.csv")}
                given = {**own, "stimuli": [], "files": []}
                self.run("list_form_tasks", given, outputs, suite=suite, form=form)
        self.of_the_study(suite)
        page = {
            "tables": [self.at(f"tables/{table}.csv") for table in page_tables(plan, suite)],
            "readers_tables": [
                self.at(f"tables/{table}.json") for table in page_tables(plan, suite)
            ],
            "figures": [self.at(f"figures/{figure}.png") for figure in page_pictures(plan, suite)],
            "published": plan.ledger.published,
            "sources": [],
            "screens": [],
            "captions": [],
            "figure_captions": [],
            "templates": sorted(str(path) for path in Path("resources/report").iterdir()),
            **own,
        }
        self.run("make_suite_page", page, {"page": self.at(f"report/{suite}.html")}, suite=suite)

    def of_the_study(self, suite):
        """Run the jobs that put the answers of all suites together."""
        own = self.of(suite)
        self.run("make_cost", {**own, "votes": []}, self.forms("cost"))
        self.run("make_all_answers", own, {"answers": self.at("answers.parquet")})
        ledger = {"ledger": self.at("numbers.csv")}
        self.run("make_ledger", {"published": self.plan.ledger.published, "sources": []}, ledger)
        if self.plan.probes:
            self.run("make_knowledge_all", own, self.forms("knowledge_all"))
            self.run("make_claims", own, self.forms("claims"))
            self.run(
                "draw_claims",
                {"tables": [self.at("tables/claims.csv")]},
                {"png": self.at("figures/claims.png")},
            )
            self.run("make_robustness", own, self.forms("robustness"))


@pytest.fixture
def study(root, monkeypatch, tmp_path):
    """Plan a study and write its files as if it had nothing to ask."""
    monkeypatch.chdir(root)

    def planned(suites, **more):
        named = {"models": MODELS, "results_folder": str(tmp_path / "results"), **more}
        config = plain_study(suites=suites, **named)
        return Study(Plan(config, root), tmp_path / "results")

    return planned


def require_said(study, tables):
    for table in tables:
        rows = read_rows(study.at(f"tables/{table}.csv"))
        # Others' outcomes, which some suites show beside the models', have their numbers.
        own = {row["model"]: row[NOT_FINISHED] for row in rows if row["model"] in MODELS}
        assert own == dict.fromkeys(MODELS, f"nothing asked: {WHY}"), table
        for form in ("markdown", "html", "latex"):
            said = " ".join(Path(study.forms(table)[form]).read_text().split())
            assert f"nothing was asked in {study.suite}: {WHY}.".upper() in said.upper().replace(
                "\\_", "_"
            ), table
        assert "nothing asked" in Path(study.forms(table)["json"]).read_text()


@pytest.mark.parametrize("suite", DRAWN)
def test_every_job_of_a_suite_that_draws_is_done_without_any_item(suite, study):
    made = study({suite: {**DRAWN[suite], "probes": PROBES}})
    made.suite = suite
    made.everything(suite)
    require_said(made, [*made.plan.tables, "knowledge_all", "claims", "robustness"])
    assert read_rows(made.at("tables/cost.csv")) == []


@pytest.mark.parametrize("form", READER_STUDIES)
def test_every_job_of_others_data_is_done_without_any_item(form, study, tmp_path):
    suites = READER_STUDIES[form](tmp_path / "data")
    (made_of,) = suites
    made = study(suites)
    made.suite = made_of
    made.everything(made_of)
    require_said(made, made.plan.tables)


def test_a_judge_has_nothing_to_judge(study, monkeypatch):
    monkeypatch.setenv("NONE", "")
    judged = {"illusionbench": DRAWN["illusionbench"]}
    made = study(judged, own_models={"j": JUDGE}, judge={"model": "j"})
    own = made.of("illusionbench")
    votes = [made.at(f"votes/illusionbench/{model}.parquet") for model in MODELS]
    for model, path, responses in zip(MODELS, votes, own["responses"], strict=True):
        given = {"responses": responses, "shards": own["shards"], "votes": [path]}
        made.run("judge_responses", given, {"votes": path}, suite="illusionbench", model=model)
        grades = made.grades("illusionbench", model)
        made.run("grade_judged", given, {"grades": grades}, suite="illusionbench", model=model)
    made.run("queue_review", own, {"queue": made.at("queue.csv")}, suite="illusionbench")
    outputs = {
        **made.forms("agreement", "agreement_"),
        **made.forms("rounds", "rounds_"),
        "disagreements": made.at("disagreements.csv"),
    }
    made.run("compare_judge", own, outputs, suite="illusionbench")
    assert all(row[NOT_FINISHED] for row in read_rows(made.at("tables/agreement.csv")))
    made.run("make_cost", {**own, "votes": votes}, made.forms("cost"))


def test_a_model_is_not_even_looked_for(study):
    made = study({"search": {}}, own_models={"quiet": JUDGE}, models=["chance", "quiet"])
    (shard, *_) = made.shards("search")
    outputs = {"responses": made.responses("search", "quiet")}
    made.run("run_model", {"shards": [shard]}, outputs, suite="search", model="quiet")
    assert read_table(outputs["responses"], RESPONSE).num_rows == 0


def test_the_run_says_at_its_end_which_suites_asked_nothing(study):
    made = study({"search": {}})
    for table in made.plan.tables:
        made.table(table)
    tables = {made.at(f"tables/{table}.csv"): "search" for table in made.plan.tables}
    said = without_numbers({**tables, made.at("tables/absent.csv"): "search"})
    assert said == f"Without numbers: chance, pixels on search, nothing asked: {WHY}."


@pytest.mark.parametrize(
    ("illusions", "more"),
    [(["ponzo"], {}), (["fick", "ponzo"], {"paper_drops": ["ponzo", "fick"]})],
)
def test_what_the_papers_decision_leaves_nothing_of_is_said_at_the_plan(illusions, more, study):
    with pytest.raises(AfterimageError) as caught:
        study(
            {"illusion_vqa": {"illusions": illusions, "human_filter": {"responses": None, **more}}}
        )
    assert str(caught.value).count("\n") == 0
    assert f"suites.illusion_vqa.illusions: found {', '.join(illusions)}" in str(caught.value)


@pytest.mark.parametrize(
    "filtered", [{"paper_drops": []}, {"responses": "forms"}], ids=["kept", "people are asked"]
)
def test_where_people_may_keep_it_nothing_is_refused(filtered, study):
    assert study({"illusion_vqa": {"illusions": ["ponzo"], "human_filter": filtered}}).plan


@pytest.mark.parametrize(
    "form", ["hallusionbench", "illusionvqa", "pope_questions", "illusionbench_release"]
)
def test_a_data_set_without_an_entry_is_one_sentence_at_the_plan(form, study, tmp_path):
    suites = READER_STUDIES[form](tmp_path / "data")
    for path in (tmp_path / "data").rglob("*.json"):
        path.write_text("[]")
    said = "no image that anything is asked about|found no list of (questions|images)"
    with pytest.raises(AfterimageError, match=said):
        study(suites)


@pytest.mark.parametrize(
    ("form", "ids"),
    [("illusionbench_folder", ["a-1", "b_2"]), ("illusionbench_release", ["stairs", "rings"])],
)
def test_a_data_set_of_which_all_is_left_out_is_one_sentence_at_the_plan(
    form, ids, study, tmp_path
):
    (settings,) = READER_STUDIES[form](tmp_path / "data").values()
    with pytest.raises(AfterimageError, match="no image that anything is asked about"):
        study({"illusionbench": {**settings, "leave_out": ids}})


def test_a_page_for_which_no_question_is_made_is_not_drawn(study, tmp_path):
    suites = READER_STUDIES["illusionbench_folder"](tmp_path / "data")
    assert "illusionbench_examples" in study(suites).plan.pages
    for name in ("tf", "mcq"):
        (tmp_path / "data" / f"{name}.jsonl").write_text("")
    assert "illusionbench_examples" not in study(suites).plan.pages


def test_an_empty_frame_stays_a_frame_with_its_columns():
    from afterimage.files.attempts import Unfinished
    from afterimage.showing.answers import without

    frame = pd.DataFrame(columns=["suite", "model", "readings"])
    left = without(frame, [Unfinished("s", "m", 3, 3, "down")])
    assert list(left.columns) == ["suite", "model", "readings"]
    assert json.loads(left.to_json()) == {"suite": {}, "model": {}, "readings": {}}


def test_study_of_two_suites_names_only_the_one_without_questions(study, tmp_path):
    suites = {**hallusionbench(tmp_path / "data"), "search": {}}
    made = study(suites)
    made.table("hallusionbench")
    rows = read_rows(made.at("tables/hallusionbench.csv"))
    assert {row["model"] for row in rows} == set(MODELS)


def answered(items, model, text, suite, finish="stop"):
    empty = dict.fromkeys(RESPONSE.names)
    return [
        {
            **empty,
            "item_id": item,
            "suite": suite,
            "model": model,
            "repeat": 0,
            "settings": "{}",
            "text": text,
            "answer_text": text,
            "finish_reason": finish,
            "backend": "b",
            "model_id": "m",
            "request_sha256": "",
        }
        for item in items
    ]


@pytest.fixture
def replied(study, tmp_path):
    """Make the items of a study of others' data, and grade one model that answers and one whose replies are all one."""

    def make(form, text, finish="stop"):
        suites = READER_STUDIES[form](tmp_path / "data")
        made = study(suites, own_models={"quiet": JUDGE}, models=["chance", "quiet"])
        (made.suite,) = made.plan.suites
        items = run_to_items(made.plan, tmp_path)
        shards = list(tmp_path.glob("*_items.parquet"))
        for model, said, end in (("chance", "Yes", "stop"), ("quiet", text, finish)):
            responses = made.responses(made.suite, model)
            write_records(responses, answered(items, model, said, made.suite, end), RESPONSE)
            given = {"responses": responses, "shards": shards}
            grade_model({}, given, {"grades": made.grades(made.suite, model)}, {})
        made.asked = len(items)
        for table in made.plan.tables:
            made.table(table)
        return made

    return make


FIRST = {
    "pope_questions": "pope",
    "hallusionbench": "hallusionbench",
    "illusionvqa": "illusionvqa",
    "own_images": "images",
}


@pytest.mark.parametrize("form", FIRST)
@pytest.mark.parametrize(("text", "finish"), [("", "stop"), (" \n", "stop"), ("", "length")])
def test_a_model_that_answers_nothing_has_no_number(form, text, finish, replied):
    made = replied(form, text, finish)
    rows = read_rows(made.at(f"tables/{FIRST[form]}.csv"))
    own = [row for row in rows if row["model"] == "quiet"]
    (said,) = [row.pop(NOT_FINISHED) for row in own]
    assert said.startswith(f"nothing answered: 0 of {made.asked} answered")
    assert {value for row in own for name, value in row.items() if name != "model"} == {""}
    assert any(row["model"] == "chance" and not row[NOT_FINISHED] for row in rows)
    page = Path(made.forms(FIRST[form])["markdown"]).read_text()
    assert "QUIET ANSWERED NOTHING" in page
    tables = {made.at(f"tables/{table}.csv"): made.suite for table in made.plan.tables}
    assert f"quiet on {made.suite}, {said}" in without_numbers(tables)


@pytest.mark.parametrize("form", FIRST)
def test_one_answer_is_an_answer(form, replied, tmp_path):
    made = replied(form, "I would rather not say.")
    rows = read_rows(made.at(f"tables/{FIRST[form]}.csv"))
    assert not any(row.get(NOT_FINISHED) for row in rows)
    assert any(row["model"] == "quiet" for row in rows)


def test_recorded_answers_to_a_suite_that_asks_nothing_are_not_read(tmp_path):
    write_records(tmp_path / "items.parquet", [], ITEM)
    (tmp_path / "answers.jsonl").write_text('{"item_id": "a", "text": "Yes"}')
    inputs = {
        "recorded": [tmp_path / "answers.jsonl"],
        "ids": [],
        "shards": [tmp_path / "items.parquet"],
        "stimuli": [],
    }
    written = match_recorded_answers(
        {"settings": {}}, inputs, {"answers": tmp_path / "matched.parquet"}, {}
    )
    assert written == 0


def test_a_table_without_rows_says_so(replied):
    """Official questions are those of POPE alone: the blog's and the extended variant ask nothing."""
    made = replied("pope_questions", "No")
    for table, is_silent in (("pope", True), ("pope_blog", False), ("pope_extended", False)):
        assert bool(read_rows(made.at(f"tables/{table}.csv"))) == is_silent
        for form in ("markdown", "latex", "json"):
            said = Path(made.forms(table)[form]).read_text().casefold()
            assert ("this table has no rows" in said) != is_silent
