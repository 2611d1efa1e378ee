"""Bad input ends in one clear sentence and a non-zero exit code, before any job runs."""

import copy
import re

import pytest
import yaml
from workspace import SMALL_STUDY, Workspace

from afterimage.errors import AfterimageError
from afterimage.planning.plan import Plan
from snakemake_logger_plugin_afterimage.words import without_places

SUITE = "suites.illusion_vqa"

# What is wrong: (changes by dotted key, or None to remove the key; the sentence that explains it).
CASES = {
    "unknown key": ({"modells": ["chance"]}, r"unknown key 'modells': did you mean 'models'?"),
    "unknown key of a suite": (
        {f"{SUITE}.promts": ["zero_shot"]},
        "unknown key 'promts': did you mean 'prompts'?",
    ),
    "unknown key of the filter": (
        {f"{SUITE}.human_filter": {"response": "x.csv"}},
        "unknown key 'human_filter.response': did you mean 'human_filter.responses'?",
    ),
    "unknown model": (
        {"models": ["chanse"]},
        "config key 'models[0]': unknown model 'chanse': did you mean 'chance'?",
    ),
    "unknown suite": (
        {"suites": {"ilusion_vqa": {}}},
        "unknown suite 'ilusion_vqa': did you mean 'illusion_vqa'?",
    ),
    "unknown illusion": (
        {f"{SUITE}.illusions": ["ebbinghause"]},
        "key 'illusions[0]': unknown value 'ebbinghause': did you mean 'ebbinghaus'?",
    ),
    "unknown prompt": (
        {f"{SUITE}.prompts": ["zeroshot"]},
        "unknown prompt 'zeroshot': did you mean 'zero_shot'?",
    ),
    "unknown backend": (
        {"own_models": {"mine": {"backend": "pixel"}}, "models": ["mine"]},
        "model 'mine': key 'backend': unknown backend 'pixel': did you mean 'pixels'?",
    ),
    "unknown setting of a backend": (
        {
            "own_models": {"mine": {"backend": "chance", "settings": {"sead": 1}}},
            "models": ["mine"],
        },
        "model 'mine': settings: unknown key 'sead': did you mean 'seed'?",
    ),
    "wrong value of a setting": (
        {
            "own_models": {"mine": {"backend": "textbook", "settings": {"rule": "queued"}}},
            "models": ["mine"],
        },
        "model 'mine': settings: key 'rule': unknown value 'queued': did you mean 'cued'?",
    ),
    "setting missing": (
        {"own_models": {"mine": {"backend": "textbook"}}, "models": ["mine"]},
        "model 'mine': settings: key 'rule' is missing",
    ),
    "backend missing": (
        {"own_models": {"mine": {"settings": {}}}, "models": ["mine"]},
        "model 'mine': key 'backend' is missing",
    ),
    "model name that is no file name": (
        {"own_models": {"my/model": {"backend": "chance"}}, "models": ["my/model"]},
        "model name 'my/model' is not usable in file names",
    ),
    "models missing": ({"models": None}, "key 'models' is missing"),
    "no models": ({"models": []}, "key 'models': is empty"),
    "no suites": ({"suites": {}}, "key 'suites': is empty"),
    "no illusions": ({f"{SUITE}.illusions": []}, "key 'illusions': is empty"),
    "no prompts": ({f"{SUITE}.prompts": []}, "key 'prompts': is empty"),
    "model twice": (
        {"models": ["chance", "chance"]},
        "key 'models': \"chance\" is named twice; expected each once.",
    ),
    "models not a list": ({"models": "chance"}, "key 'models': found \"chance\"; expected a list."),
    "suites not a mapping": ({"suites": ["illusion_vqa"]}, "expected a mapping."),
    "shard size zero": ({"shard_size": 0}, "key 'shard_size': found 0; expected at least 1."),
    "shard size negative": ({"shard_size": -8}, "key 'shard_size': found -8; expected at least 1."),
    "shard size in words": (
        {"shard_size": "many"},
        "key 'shard_size': found \"many\"; expected a whole number.",
    ),
    "shard size of a model": (
        {"own_models": {"mine": {"backend": "chance", "shard_size": 0.5}}, "models": ["mine"]},
        "model 'mine': key 'shard_size': found 0.5; expected a whole number.",
    ),
    "confidence out of range": (
        {"statistics": {"confidence": 95}},
        "key 'statistics.confidence': found 95; expected less than 1.",
    ),
    "registry missing": (
        {"model_registry": "config/nothing.yaml"},
        "config key 'model_registry': file 'config/nothing.yaml' does not exist",
    ),
    "prompt file missing": ({f"{SUITE}.prompt_file": "prompts.yaml"}, "prompts.yaml: no such file"),
    "human responses missing": (
        {f"{SUITE}.human_filter": {"responses": "people.csv"}},
        "config: suites.illusion_vqa.human_filter.responses: file 'people.csv' does not exist.",
    ),
}


def changed(study, changes):
    study = copy.deepcopy(study)
    for dotted, value in changes.items():
        *path, last = dotted.split(".")
        place = study
        for key in path:
            place = place[key]
        if value is None:
            del place[last]
        else:
            place[last] = value
    return study


def explanation(finished):
    """The sentences that a person reads: without the notice about the profile, and Snakemake's places in Snakefiles."""
    lines = without_places(finished.stdout).splitlines()
    return [line for line in lines if not line.startswith("Using workflow specific")]


@pytest.fixture(scope="module")
def scene(root, tmp_path_factory):
    return Workspace(root, tmp_path_factory.mktemp("bad") / "study")


@pytest.mark.parametrize("case", CASES)
def test_bad_configuration_is_one_sentence(scene, case, monkeypatch):
    changes, sentence = CASES[case]
    monkeypatch.chdir(scene.folder)
    with pytest.raises(AfterimageError) as error:
        Plan(changed(SMALL_STUDY, changes), scene.folder)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


# One that the configuration's schema finds, one that the registry of models does, one that a suite does; all at once.
def test_the_workflow_says_no_more_than_the_sentences_with_their_places(scene):
    names = ("unknown key", "unknown backend", "human responses missing")
    study = SMALL_STUDY
    for name in names:
        study = changed(study, CASES[name][0])
    scene.configure({**study, "models": ["chance", "mine"]})
    finished = scene.snakemake("--dry-run")
    lines = explanation(finished)
    assert finished.returncode == 1
    assert "Traceback" not in finished.stdout
    assert len(lines) == 3, finished.stdout
    for name in names:
        assert any(CASES[name][1] in line for line in lines), finished.stdout
    assert all(re.match(r"config\.yaml:\d+:\d+: ", line) for line in lines)


def test_a_value_of_the_command_line_is_placed_there(scene):
    scene.configure(SMALL_STUDY)
    finished = scene.snakemake("--dry-run", "--config", "shard_size=many")
    assert finished.returncode == 1
    assert explanation(finished)[-1] == (
        "--config: config: key 'shard_size': found \"many\"; expected a whole number."
    )


FILES = {
    "registry that is not YAML": (
        "config/models.yaml",
        "chance: [\n",
        "config/models.yaml, line 2: not valid YAML",
    ),
    "registry that is a list": (
        "config/models.yaml",
        "- chance\n",
        'config/models.yaml: found ["chance"]; expected a mapping',
    ),
    "prompt file that is not YAML": (
        "resources/prompts/illusion_vqa.yaml",
        "a: [",
        "illusion_vqa.yaml, line",
    ),
    "prompt file without a question": (
        "resources/prompts/illusion_vqa.yaml",
        "preambles: {actual: a}\nlayout: b\nprompts: {}\nfigures: {}\n",
        "resources/prompts/illusion_vqa.yaml: key 'preambles'",
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_a_bad_file_is_one_sentence_that_names_it(workspace, case, monkeypatch):
    name, text, sentence = FILES[case]
    monkeypatch.chdir(workspace.folder)
    (workspace.folder / name).write_text(text)
    with pytest.raises(AfterimageError) as error:
        Plan(SMALL_STUDY, workspace.folder)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("results/tables/fake_vqaa.csv", "unknown table 'fake_vqaa': did you mean 'fake_vqa'?"),
        (
            "results/figures/illusion_vqb.png",
            "unknown figure 'illusion_vqb': did you mean 'illusion_vqa'?",
        ),
        (
            "results/stimuli/illusion_vqa/fick/fick_A_fak.png",
            "figure 'fick' of suite 'illusion_vqa': unknown stimulus 'fick_A_fak': did you mean",
        ),
    ],
)
def test_an_unknown_target_names_the_nearest(workspace, target, sentence):
    finished = workspace.snakemake("--dry-run", target)
    assert finished.returncode != 0
    assert sentence in finished.stdout, finished.stdout


def test_an_unknown_model_on_the_command_line_names_the_nearest(workspace):
    finished = workspace.snakemake("--dry-run", "--config", "models=[pixel]")
    assert finished.returncode != 0
    assert "unknown model 'pixel': did you mean 'pixels'?" in finished.stdout


def test_the_unchanged_configuration_is_accepted(workspace):
    assert yaml.safe_load((workspace.folder / "config.yaml").read_text()) == SMALL_STUDY
    assert workspace.planned()
