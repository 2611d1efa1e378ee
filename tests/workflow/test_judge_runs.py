"""A judge in whole runs, asked over a real server: nothing is judged twice, and a changed prompt asks nobody else."""

import shutil
from collections import Counter

import pandas as pd
import pytest
from hosted_study import ITEMS, SUITE, asked
from hosted_study import configure as configure_hosted
from loopback_api import LoopbackApi, completion
from workspace import Workspace

from afterimage.files.parquet import read_records
from afterimage.files.records import GRADE, VOTE

PACKAGE = "workflow/scripts/afterimage"
VOTES = f"results/votes/{SUITE}/judge/hosted.parquet"
GRADES = f"results/grades/{SUITE}/hosted.parquet"
AGREEMENT = f"results/tables/{SUITE}_judge_agreement.csv"
REVIEW = f"results/tables/{SUITE}_review.csv"
QUEUE = f"results/review/{SUITE}/queue.csv"

# Makes the answers of the small study's suite judgeable.
JUDGING = '''"""What a judge is told."""

from afterimage.contract.readings import JudgeFields



def fields(item, response):
    """Ask about every answer."""
    texts = [option["text"] for option in item["options"] if option["option_id"] == item["key"]]
    asked = " ".join(part["text"] for part in item["messages"][-1]["parts"] if part["type"] == "text")
    told = {"question": asked, "gold": texts[0], "answer": response["text"]}
    return JudgeFields("multiple_choice", told)
'''


def react(call):
    """Answer with the first option of the question, or judge whether gold and answer are the same."""
    if call.body["model"] == "some-judge":
        gold, _, rest = call.text.partition("the correct answer is the option ")[2].partition(
            ". The respondent’s answer is "
        )
        return completion(str(int(rest.startswith(f"{gold}."))), usage=(50, 1))
    # The options are the last lines of the question.
    return completion(call.text.splitlines()[-1].lstrip("- "))


@pytest.fixture
def study(drawn_study, tmp_path):
    workspace = Workspace.copy(drawn_study, tmp_path / "study")
    folder = f"{PACKAGE}/suites/{SUITE}"
    (workspace.folder / folder / "judging.py").write_text(JUDGING)
    workspace.edit(f"{folder}/suite.py", r"^    Filter,$", "    Filter,\n    Judge,")
    judge = 'judge=Judge(("multiple_choice",), f"{_HERE}.judging"),'
    workspace.edit(
        f"{folder}/suite.py", "^    settings=Settings,", f"    settings=Settings,\n    {judge}"
    )
    return workspace


def configure(study, api, **changes):
    configure_hosted(study, api, **{"judge": {"model": "judge", "rounds": 3}, **changes})


def rows(study, path, schema):
    return list(read_records(study.folder / path, schema))


def test_a_judge_is_asked_once_and_a_changed_prompt_asks_it_again_and_nobody_else(study):
    with LoopbackApi(react) as api:
        configure(study, api)
        study.run(AGREEMENT, QUEUE)
        questions = {row["request_sha256"] for row in rows(study, VOTES, VOTE)}
        first = asked(api)
        assert first["some-model"] == ITEMS
        assert first["some-judge"] == 3 * len(questions)
        votes = rows(study, VOTES, VOTE)
        assert len(votes) == 3 * ITEMS
        grades = rows(study, GRADES, GRADE)
        assert {row["decided_by"] for row in grades} == {"judge"}
        assert 0 < sum(row["correct"] for row in grades) < ITEMS
        agreement = pd.read_csv(study.folder / AGREEMENT)
        assert agreement[["model", "n"]].values.tolist() == [["hosted", ITEMS]]
        queue = pd.read_csv(study.folder / QUEUE)
        assert len(queue) == sum(not row["correct"] for row in grades)

        assert study.planned(AGREEMENT, QUEUE) == {}
        for name in ("responses", "votes", "grades", "tables", "judging", "review"):
            shutil.rmtree(study.folder / "results" / name)
        study.run(AGREEMENT, QUEUE)
        assert asked(api) == first
        assert rows(study, VOTES, VOTE) == votes

        # Another judge's prompt, and what people decided about the very answers that are there.
        study.edit("resources/prompts/judges.yaml", "If uncertain, also", "If in doubt, also")
        queue["human_correct"], queue["reviewer"] = "1", "ada"
        queue.loc[0, "answer_sha"] = "0123456789abcdef"
        queue.to_csv(study.folder / "review.csv", index=False)
        configure(study, api, review={SUITE: {"answers": ["review.csv"]}})
        planned = study.planned(AGREEMENT, REVIEW)
        earlier = ("Drawing", "Measuring", "Making the items", "Asking", "Merging")
        assert not [job for job in planned if job.startswith(earlier)]
        assert f"Judging the answers of hosted to {SUITE} by judge" in planned
        study.run(AGREEMENT, REVIEW)
        assert asked(api) == {"some-model": ITEMS, "some-judge": 2 * first["some-judge"]}
        (summary,) = pd.read_csv(study.folder / REVIEW).to_dict("records")
        assert (summary["model"], summary["n"], summary["ignored"]) == ("hosted", ITEMS, 1)
        assert summary["flipped_to_right"] == len(queue) - 1
        assert summary["after_k"] == ITEMS - 1
        ignored = pd.read_csv(study.folder / f"results/review/{SUITE}/ignored.csv")
        assert ignored["reason"].str.startswith("stale").tolist() == [True]
        deciders = Counter(row["decided_by"] for row in rows(study, GRADES, GRADE))
        assert deciders["review"] == len(queue) - 1


def test_without_a_judge_everything_else_is_made_and_what_needs_one_says_so(study):
    with LoopbackApi(react) as api:
        configure(study, api, judge=None)
        planned = study.planned()
        assert f"Listing the answers to {SUITE} that people are to look at" in planned
        assert not [job for job in planned if job.startswith(("Judging", "Comparing"))]
        failed = study.snakemake("--dry-run", AGREEMENT)
        assert failed.returncode != 0
        assert "config key 'judge' names no model; expected one" in failed.stdout


def test_a_judge_that_cannot_judge_is_refused_before_anything_runs(study):
    with LoopbackApi(react) as api:
        configure(study, api, judge={"model": "chance"})
        failed = study.snakemake("--dry-run")
        assert failed.returncode != 0
        assert "config key 'judge.model': 'chance' is a reference responder" in failed.stdout
        assert "Traceback" not in failed.stdout
    assert api.calls == []
