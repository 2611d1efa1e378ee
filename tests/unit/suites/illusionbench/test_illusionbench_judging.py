"""What a judge is told, and no more; of the reference judge what a description deserves is known beforehand."""

from itertools import product
from statistics import fmean
from types import SimpleNamespace

import pytest
from illusionbench_rows import ROOT, drawn, items_of

from afterimage.contract.model import ModelEntry
from afterimage.files.yaml import read_yaml
from afterimage.grading.judge.judgements import verdicts
from afterimage.grading.judge.prompts import filled
from afterimage.models import describer as describers
from afterimage.models import facts as reference_judge
from afterimage.models.asking import Asking
from afterimage.models.progress import Progress
from afterimage.stages.votes import AskedJudge, collect_votes, judged_answers
from afterimage.suites.illusionbench import observer, questions
from afterimage.suites.illusionbench.judging import deserved, fields
from afterimage.suites.illusionbench.names import (
    DESCRIPTIONS,
    ILLUSION,
    PROMPT_OF,
    STEP_BY_STEP,
    parse_facts,
)


@pytest.fixture(scope="module")
def ponzo():
    images = [shown for shown in drawn()[0] if shown.stimulus_id == "ponzo_trap"]
    items = items_of(images, reuse_step1=False)
    return {item["question"]: item for item in items if "presence" not in item["item_id"]}


@pytest.fixture(scope="module")
def texts():
    file = ROOT / "resources" / "prompts" / "judges.yaml"
    sets = read_yaml(file)["sets"]
    return {name: entry["text"] for name, entry in sets["paper"].items()}


def told(item, text):
    return fields(item, {"text": text})


def test_statement_and_key_are_told(ponzo):
    request = told(ponzo["true_false"], "It is so.")
    assert request.prompt == "true_or_false"
    assert request.fields["question"] == ponzo["true_false"]["factors"]["asked"]
    assert request.fields["gold"] in ("True", "False")
    assert request.fields["answer"] == "It is so."


def test_options_are_told_as_they_were_shuffled_and_the_key_with_its_text(ponzo):
    item = ponzo["multiple_choice"]
    request = told(item, "II")
    texts = {option["option_id"]: option["text"] for option in item["options"]}
    assert request.prompt == "multiple_choice"
    assert request.fields["gold"] == f"{item['key']}. {texts[item['key']]}"
    for numeral, text in texts.items():
        assert f"{numeral}. {text}" in request.fields["question"]
    assert "Roma number" not in request.fields["question"]


@pytest.mark.parametrize(
    ("question", "prompt"),
    [
        ("semantic", "semantic_content"),
        ("step_by_step", "semantic_content"),
        ("illusion", "visual_illusion"),
    ],
)
def test_descriptions_are_judged_against_the_whole_golden_description(ponzo, question, prompt):
    request = told(ponzo[question], "Two bars.")
    assert request.prompt == prompt
    assert request.fields["gold"].startswith("In this picture, ")
    assert "The reason for visual illusions is" in request.fields["gold"]


def test_first_step_is_no_result(ponzo):
    assert told(ponzo["step_one"], "Yes, there is.") is None


def test_refused_descriptions_are_missing_and_not_judged(ponzo):
    assert told(ponzo["semantic"], "I'm sorry, but I can't assist with that.") is None
    assert told(ponzo["true_false"], "I'm sorry, but I can't assist with that.") is not None


def test_every_prompt_is_declared_and_filled(ponzo, texts):
    used = set()
    for item in ponzo.values():
        request = told(item, "{question} output 1")
        if request is not None:
            used.add(request.prompt)
            text = filled(texts[request.prompt], request.fields)
            assert "{question} output 1" in text
    assert used == set(PROMPT_OF.values())


ERRORS = ("content", "detail", "presence", "cause")
#: What the prompts ask for.
RATED, JUDGED = [0, 1, 2], [0, 1]
GOOD = {"content": 0.1, "detail": 0.2, "presence": 0.1, "cause": 0.2}
POOR = {"content": 0.4, "detail": 0.6, "presence": 0.4, "cause": 0.6}


@pytest.fixture(scope="module")
def items():
    return items_of(drawn()[0])


@pytest.fixture(scope="module")
def described(items):
    return [item for item in items if item["question"] in DESCRIPTIONS]


def beside(item):
    return {name: item[name] for name in ("item_id", "stimulus_id", "question", "factors")} | {
        "options": [(option["option_id"], option["text"]) for option in item["options"]]
    }


def prompt_of(item):
    return "visual_illusion" if item["question"] == ILLUSION else "semantic_content"


def expected(item, errors):
    """What a description with these errors deserves, worked out without its words."""
    facts = parse_facts(item["factors"]["facts"])
    if item["question"] == ILLUSION:
        if "presence" in errors:
            return 0
        return 1 if "cause" in errors and facts["illusion"] == "present" else 2
    if "content" in errors:
        return 0
    return 1 if "detail" in errors and facts["kind"] != "colour_plate" else 2


@pytest.mark.parametrize("flags", list(product((False, True), repeat=len(ERRORS))))
def test_every_description_gets_what_its_errors_deserve(described, flags):
    errors = {kind for kind, made in zip(ERRORS, flags, strict=True) if made}
    for item in described:
        description = observer.describe(beside(item), "", lambda kind, *_: kind in errors)
        assert deserved(item, prompt_of(item), description) == expected(item, errors), (
            item["item_id"],
            description,
        )


def test_golden_descriptions_deserve_everything_and_those_of_other_images_less(described):
    golden = {item["stimulus_id"]: item["key"] for item in described}
    for item in described:
        assert deserved(item, prompt_of(item), item["key"]) == 2
        if item["question"] == ILLUSION:
            continue
        others = [text for text in golden.values() if text != item["key"]]
        assert all(deserved(item, "semantic_content", text) < 2 for text in others), item["item_id"]


def test_textbook_is_right_about_classical_figures_and_half_right_about_traps(described):
    for item in described:
        category = item["factors"]["category"]
        if category in ("classical", "trap"):
            answer = questions.answer(beside(item), "gated")
            assert deserved(item, prompt_of(item), answer) == (2 if category == "classical" else 1)


def test_what_cannot_be_read_is_not_rated(described):
    for item in described:
        for text in ("I cannot tell.", "", "A nice picture with things in it."):
            assert deserved(item, prompt_of(item), text) is None


def test_of_other_answers_the_suites_reader_says_whether_they_are_right(items):
    for item in items:
        if item["answer_type"] != "description":
            assert deserved(item, "true_or_false", item["key"]) == 1
            assert deserved(item, "true_or_false", "Hm.") == 0


def entry(backend, **settings):
    return ModelEntry(backend, backend, backend, settings=settings)


def said_by(items, errors, seed=0, corrected=0.0):
    """A describer's answers, by item id."""
    model_entry = entry(
        "describer", seed=seed, errors=dict.fromkeys(ERRORS, 0.0) | errors, corrected=corrected
    )
    answer = describers.load(model_entry, observer.describe)
    requests = [
        SimpleNamespace(
            number=n, metadata=beside(item), messages=[SimpleNamespace(text=words(item))]
        )
        for n, item in enumerate(items)
    ]
    return {items[reply.number]["item_id"]: reply.text for reply in answer(requests)}


def words(item):
    parts = item["messages"][-1]["parts"]
    return "\n".join(part["text"] for part in parts if part["type"] == "text")


def deserts(items, answers):
    return {
        item["item_id"]: deserved(item, prompt_of(item), answers[item["item_id"]]) for item in items
    }


@pytest.mark.parametrize("seed", range(20))
def test_fewer_errors_are_some_of_the_others_errors_whatever_the_seed(described, seed):
    good, poor = (deserts(described, said_by(described, errors, seed)) for errors in (GOOD, POOR))
    assert all(good[name] >= poor[name] for name in good)
    assert sum(good.values()) > sum(poor.values())


def test_describers_answer_questions_with_options_right(items):
    questions = [item for item in items if item["answer_type"] != "description"]
    answers = said_by(questions, POOR)
    assert all(deserved(item, "true_or_false", answers[item["item_id"]]) == 1 for item in questions)


def test_errors_are_as_many_as_their_share_and_some_are_corrected_step_by_step(described):
    everything = said_by(described, {"content": 1.0})
    assert {deserts(described, everything)[item["item_id"]] for item in described} >= {0, 2}
    wrong, corrected = (said_by(described, {"content": 1.0}, corrected=part) for part in (0.0, 1.0))
    for item in described:
        if item["question"] == ILLUSION:
            continue
        name = item["item_id"]
        assert deserved(item, "semantic_content", wrong[name]) == 0
        is_corrected = item["question"] == STEP_BY_STEP
        assert deserved(item, "semantic_content", corrected[name]) == (2 if is_corrected else 0)


def votes_on(items, answers, rounds=5, disagreement=0.2, seed=0):
    """All votes on a describer's answers, as the stage collects them."""
    prompts = {
        name: {
            "text": "{gold} {answer}",
            "values": RATED if name in ("semantic_content", "visual_illusion") else JUDGED,
            "aggregation": "mean"
            if name in ("semantic_content", "visual_illusion")
            else "majority",
        }
        for name in dict.fromkeys(PROMPT_OF.values())
    }
    judge = AskedJudge(
        entry("facts", seed=seed, disagreement=disagreement), "paper", prompts, rounds
    )
    by_id = {item["item_id"]: item for item in items}
    rows = [
        {
            "item_id": name,
            "repeat": 0,
            "text": text,
            "answer_text": text,
            "finish_reason": "stop",
            "request_sha256": name,
        }
        for name, text in answers.items()
    ]
    part = "afterimage.suites.illusionbench.judging:deserved"
    with Asking(judge.entry, part, None, Progress()) as asking:
        return list(
            collect_votes(
                lambda: judged_answers(rows, by_id, fields, prompts), judge, "s", "m", asking
            )
        )


def by_answer(votes):
    found = {}
    for vote in votes:
        found.setdefault(vote["item_id"], []).append(vote["value"])
    return found


@pytest.mark.parametrize("rounds", [1, 2, 3, 5, 9])
def test_rounds_dissent_in_a_minority_so_that_the_majority_is_what_the_facts_say(items, rounds):
    answers = said_by(items, POOR)
    found = by_answer(votes_on(items, answers, rounds, disagreement=1.0))
    assert found.keys() == answers.keys()
    for item in items:
        votes_of = found[item["item_id"]]
        right = deserved(item, prompt_of(item), answers[item["item_id"]])
        assert len(votes_of) == rounds
        assert sum(vote != right for vote in votes_of) <= (rounds - 1) // 2
        assert all(abs(vote - right) <= 1 for vote in votes_of)
        # Where rounds can dissent, they do.
        assert (set(votes_of) == {right}) == (rounds < 3)


def test_disagreement_is_seeded_and_has_its_share(items):
    answers = said_by(items, POOR)
    first, again, other = (votes_on(items, answers, seed=seed) for seed in (0, 0, 1))
    assert first == again
    assert by_answer(first) != by_answer(other)
    divided = [set(votes_of) for votes_of in by_answer(first).values() if len(set(votes_of)) > 1]
    assert 0.1 < len(divided) / len(items) < 0.3
    unanimous = by_answer(votes_on(items, answers, disagreement=0.0))
    assert all(len(set(votes_of)) == 1 for votes_of in unanimous.values())


def test_an_answer_that_cannot_be_read_is_abstained_from_in_every_round(described):
    item = described[0]
    votes = votes_on(described, {item["item_id"]: "A nice picture."})
    assert {vote["value"] for vote in votes} == {None}
    assert {vote["text"] for vote in votes} == {reference_judge.CANNOT_TELL}
    assert {(vote["round"], vote["attempt"]) for vote in votes} == set(product(range(5), range(3)))


def test_registered_describers_are_ranked_as_known_by_mean_and_by_majority(root, described):
    registry = read_yaml(root / "config/models.yaml")
    means, majorities = [], []
    for name in ("describer_faultless", "describer_good", "describer_poor"):
        model_settings = registry[name].get("settings", {})
        answers = said_by(
            described,
            model_settings.get("errors", {}),
            corrected=model_settings.get("corrected", 0.0),
        )
        found = verdicts(votes_on(described, answers), by_reference=True)
        assert all(verdict.by_reference for verdict in found.values())
        means.append(fmean(verdict.mean for verdict in found.values()))
        majorities.append(fmean(verdict.majority for verdict in found.values()))
    assert majorities[0] == 2 > majorities[1] > majorities[2]
    # Dissent takes from those who are right, and gives to those who are wrong.
    assert means[0] > means[1] + 0.2 > means[2] + 0.4
