"""What a suite's own reader leaves unread goes to a judge, and then to people; nothing else does."""

import json
from zlib import crc32

import pandas as pd
import pytest
from hosted_study import ITEMS, SUITE, asked, configure
from loopback_api import LoopbackApi, completion
from workspace import SMALL_STUDY, Workspace

from afterimage.files.parquet import read_records
from afterimage.files.records import GRADE

QUEUE = f"results/review/{SUITE}/queue.csv"
GRADES = f"results/grades/{SUITE}/hosted.parquet"
TABLE = "results/tables/fake_vqa"


def react(call):
    """Answer off the point, in two ways; as the judge, find an answer in one of them."""
    text = call.text
    if call.body["model"] == "some-judge":
        question, _, reply = text.partition("The reply:")
        words = question.strip().splitlines()[-1].lstrip("- ") if "lovely" in reply else "NONE"
        return completion(words, usage=(50, 1))
    said = (
        text.splitlines()[-1].lstrip("- "),
        "What lovely circles these are!",
        "A picture of flowers.",
    )
    return completion(said[crc32(json.dumps(call.body).encode()) % 3])


def graded(study):
    return list(read_records(study.folder / GRADES, GRADE))


@pytest.fixture
def study(drawn_study, tmp_path):
    return Workspace.copy(drawn_study, tmp_path / "study")


def test_a_judge_reads_what_was_left_unread_people_the_rest_and_the_table_says_who(study):
    with LoopbackApi(react) as api:
        configure(study, api)
        study.run(f"{TABLE}.csv")
        before = graded(study)
        unread = [grade for grade in before if grade["outcome"] == "unparsed"]
        assert 0 < len(unread) < ITEMS
        assert {grade["decided_by"] for grade in before} == {"parser"}
        assert "left unread" not in (study.folder / f"{TABLE}.md").read_text()

        judge = {"model": "judge", "rounds": 1, "unread": [SUITE]}
        configure(study, api, judge=judge)
        assert not [
            job for job in study.planned(f"{TABLE}.csv") if job.startswith(("Drawing", "Asking"))
        ]
        study.run(f"{TABLE}.csv", QUEUE)
        lovely = [grade for grade in graded(study) if grade["decided_by"] == "judge"]
        left = [grade for grade in graded(study) if grade["outcome"] == "unparsed"]
        assert len(lovely) > 0 and len(lovely) + len(left) == len(unread)
        assert all(grade["answer"] for grade in lovely)
        texts = {call.text for call in api.calls if call.body["model"] == "some-judge"}
        assert asked(api) == {"some-model": ITEMS, "some-judge": len(texts)}
        said = (
            f"Of the {len(unread)} answers that the suite's reader left unread, judge (prompts 'paper', 1 rounds) read "
            f"{len(lovely)}, people decided 0; {len(left)} stay unread."
        )
        assert said in (study.folder / f"{TABLE}.md").read_text().replace("\\", "")

        queue = pd.read_csv(study.folder / QUEUE)
        assert len(queue) == len({(grade["item_id"]) for grade in left})
        queue["human_correct"], queue["reviewer"] = "1", "ada"
        queue.to_csv(study.folder / "review.csv", index=False)
        configure(study, api, judge=judge, review={SUITE: {"answers": ["review.csv"]}})
        study.run(f"{TABLE}.csv", f"results/tables/{SUITE}_review.csv")
        decided = [grade for grade in graded(study) if grade["decided_by"] == "review"]
        assert len(decided) == len(left)
        assert all(grade["correct"] and grade["answer"] == grade["key"] for grade in decided)
        assert study.planned(f"{TABLE}.csv") == {}
        assert asked(api)["some-model"] == ITEMS


def test_a_suite_that_is_judged_as_a_whole_is_refused_as_one_to_be_read(study):
    study.configure(
        {
            **SMALL_STUDY,
            "suites": {"illusionbench": {}},
            "own_models": {"judge": {"backend": "openai_compatible", "model_id": "j"}},
            "judge": {"model": "judge", "unread": ["illusionbench"]},
        }
    )
    assert "sees all answers of the suite 'illusionbench' anyway" in study.snakemake("-n").stdout
