"""A judge behind an API takes the reference judge's place by one key: it rates describers whose right ranking is known.

It has nothing but the prompts: it compares the words of the description with those of the reference.
"""

import re
import shutil
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
import yaml
from hosted_study import hosted
from loopback_api import LoopbackApi, completion
from workspace import Workspace

from afterimage.files.parquet import read_records
from afterimage.files.records import VOTE

#: The right ranking, best first.
DESCRIBERS = ("describer_faultless", "describer_good", "describer_poor")
ROUNDS = 5
RESULTS = "results/reference_judge"
TABLES = {
    name: f"{RESULTS}/tables/illusionbench_{name}.csv"
    for name in ("description", "step_by_step", "description_detail", "radar", "judge_rounds")
}
RADAR = f"{RESULTS}/figures/illusionbench_radar.png"

_RATED = re.compile(
    r"Respondent description is ‘(?P<answer>.*)’, reference description is ‘(?P<gold>.*)’\. Evaluate",
    re.DOTALL,
)
_VERDICT = re.compile(
    r"the correct answer is (?:the option )?(?P<gold>.*?)[.,] (?:and the|The) respondent’s answer is (?P<answer>.*)\."
    r" Determine",
    re.DOTALL,
)
_EMPTY = {
    *("a", "an", "the", "in", "this", "picture", "there", "is", "are", "it", "of", "and", "with"),
    *("their", "its", "while", "here", "however", "fact"),
}


def words(text):
    """The words that say something, without the ending of plurals."""
    found = re.findall(r"[a-z0-9]+", text.lower())
    return {word.removesuffix("s") for word in found if word not in _EMPTY}


def rating(prompt):
    """What the prompt's description deserves by its words alone; right or wrong where it asks for that."""
    if found := _RATED.search(prompt):
        answer, gold = found["answer"], found["gold"]
        told, _, why = gold.partition("There is")
        if "causal information" in prompt:
            absent = ["no visual illusion" in text for text in (answer, gold)]
            if absent[0] != absent[1]:
                return 0
            # Without an illusion there is no cause to be wrong about.
            return 2 if absent[0] or shared(answer, why + told) > 0.8 else 1
        share = shared(answer, told)
        return 2 if share > 0.75 else 1 if share > 0.5 else 0
    found = _VERDICT.search(prompt)
    # A numeral says as much as the numeral with the option's text.
    return int(found["answer"].split(".")[0] == found["gold"].split(".")[0])


def shared(answer, gold):
    """The share of the answer's words that the reference has, too."""
    own = words(answer)
    return len(own & words(gold)) / len(own)


class Judge:
    """Answers each prompt by its words; of every fifth prompt one round in five says another digit."""

    def __init__(self):
        self.rounds = Counter()

    def __call__(self, call):
        assert call.body["model"] == "some-judge"
        prompt = call.text
        self.rounds[prompt] += 1
        said = rating(prompt)
        if len(prompt) % 5 == 0 and self.rounds[prompt] == 3:
            said = 1 if said != 1 else 0
        return completion(str(said), usage=(200, 1))


@pytest.fixture(scope="module")
def judged(root, tmp_path_factory):
    """The study of the reference judge with one key changed, run; its folder, the judge and the server."""
    workspace = Workspace(root, tmp_path_factory.mktemp("judged") / "study")
    shutil.copytree(root / "studies", workspace.folder / "studies")
    study = yaml.safe_load((root / "studies" / "reference_judge.yaml").read_text())
    judge = Judge()
    with LoopbackApi(judge) as api:
        study |= {"own_models": {"some_judge": hosted(api, "some-judge")}}
        # The one key.
        study["judge"]["model"] = "some_judge"
        file = workspace.folder / "studies" / "mine.yaml"
        file.write_text(yaml.safe_dump(study, sort_keys=False))
        workspace.run(*TABLES.values(), RADAR, "--configfile", "studies/mine.yaml")
    return workspace.folder, judge, api


def table(folder: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(folder / TABLES[name])


def test_the_judge_is_asked_five_times_about_each_answer_of_the_describers_and_of_nobody_else(
    judged,
):
    folder, judge, api = judged
    assert set(judge.rounds.values()) == {ROUNDS}
    assert len(api.calls) == ROUNDS * len(judge.rounds)
    files = (folder / RESULTS / "votes" / "illusionbench" / "some_judge").glob("*.parquet")
    votes = {file.stem: list(read_records(file, VOTE)) for file in files}
    assert set(votes) == set(DESCRIBERS)
    for rows in votes.values():
        assert {row["round"] for row in rows} == set(range(ROUNDS))
        assert all(row["value"] is not None for row in rows)


def test_answers_with_options_are_right_by_the_judge_as_the_describers_know_them(judged):
    folder, *_ = judged
    rounds = table(folder, "judge_rounds")
    verdicts = rounds[rounds["aggregation"] == "majority"]
    assert set(verdicts["question_type"]) == {"true_or_false", "multiple_choice"}
    assert (verdicts["right_k"] == verdicts["n"]).all()


def test_table_iv_ranks_the_describers_as_known_by_every_kind_of_description(judged):
    folder, *_ = judged
    scores = table(folder, "description").set_index("model").loc[[*DESCRIBERS]]
    for column in ("semantic", "illusion", "step_by_step", "all"):
        assert scores[column].is_monotonic_decreasing and scores[column].is_unique, column
        assert (scores[f"{column}_n"] == scores[f"{column}_asked"]).all()
    # Some rounds dissent.
    assert scores["all_unanimous"].between(0.5, 0.99).all()
    assert set(scores["group"]) == {"Reference responders"}


def test_tables_v_and_vii_are_filled(judged):
    folder, *_ = judged
    steps = table(folder, "step_by_step").set_index("model").loc[[*DESCRIBERS]]
    groups = [name.removesuffix("_n") for name in steps if name.endswith("_n")]
    assert (steps[[f"{name}_n" for name in groups]].sum(axis=1) == 24).all()
    for name in groups:
        asked = steps[steps[f"{name}_n"] > 0]
        assert asked[[f"{name}_semantic", f"{name}_step_by_step"]].notna().all(axis=None)
    # Who knows less about the illusion is more often among those with a low score.
    assert steps["high_n"].is_monotonic_decreasing and steps["high_n"].is_unique
    detail = table(folder, "description_detail").set_index(["model", "question_type"])
    for category in ("classical", "no_illusion", "ishihara", "trap"):
        ranked = [detail.loc[(model, "all"), category] for model in DESCRIBERS]
        assert ranked == sorted(ranked, reverse=True) and ranked[0] > ranked[-1], category


def test_figure_2_has_the_values_of_descriptions(judged):
    folder, *_ = judged
    values = table(folder, "radar")
    values = values[values["model"].isin(DESCRIBERS) & (values["n"] > 0)]
    assert values["value"].notna().all()
    series = values.groupby(["model", "chart", "series"])["value"].mean().unstack("model")
    described = series[~series.index.get_level_values("series").isin(["T/F", "Mul"])]
    assert len(described)
    assert (described[DESCRIBERS[0]] > described[DESCRIBERS[1]]).all()
    assert (described[DESCRIBERS[1]] > described[DESCRIBERS[2]]).all()
    assert (folder / RADAR).stat().st_size > 10_000


def test_no_table_calls_it_a_reference_judge(judged):
    folder, *_ = judged
    for path in TABLES.values():
        assert "reference judge" not in (folder / path).with_suffix(".md").read_text(), path
    text = (folder / TABLES["description"]).with_suffix(".md").read_text()
    assert "some_judge (prompts 'paper', 5 rounds)" in text
