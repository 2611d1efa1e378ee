"""One small study per suite with much of it on: probes, people's answers, recorded answers, a ledger.

What is run, and which of its results are looked at, is said here in names that users write; nothing of the package
is imported.
"""

import gzip
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import golden_paths  # noqa: F401
from golden_files import HERE
from release_samples import write_hallusionbench, write_illusionvqa
from workspace import Workspace

#: A machine may be busy with other tests.
PATIENCE_SECONDS = 3600
PROBES = {"option_orders": 1, "text_only": True, "blank": True}
#: The last passes for a model that papers print numbers of, so that the ledger has something to compare.
MODELS = ("chance", "textbook_cued", "pixels", "gpt-4o-2024-05-13")
#: Answers that somebody recorded elsewhere; what they do not answer counts as answered with nothing.
OWN_MODELS = {
    "gpt-4o-2024-05-13": {"backend": "chance", "settings": {"seed": 5}},
    "theirs": {
        "backend": "recorded",
        "model_id": "their-model-2",
        "settings": {"file": "answers/{suite}.jsonl", "missing": "empty", "unknown": "ignore"},
    },
}

#: Nobody listens there unless a journal is recorded anew: what these models say stands in the kept journal.
PORT = 48271
ASKED = {
    name: {
        "backend": "openai_compatible",
        "model_id": f"some-{name}",
        "settings": {"base_url": f"http://127.0.0.1:{PORT}/v1", "temperature": 0.7},
        "client": {"retries": 0},
    }
    for name in ("hosted", "judge")
}


@dataclass(frozen=True)
class Study:
    """A study of one suite.

    Attributes:
        settings: The suite's.
        models: Who answers.
        probes: Whether each question is asked in other orders, without image and about a white one.
        more: Further keys of config.yaml.
        prepare: Writes what the study reads into its folder.
        suite: The suite, where the study has another name.
        paper_rows: Whether tables have rows of the papers' own models; without them tables are as they were
            before there were any.
    """

    settings: Mapping = field(default_factory=dict)
    models: tuple[str, ...] = MODELS
    probes: bool = True
    more: Mapping = field(default_factory=dict)
    prepare: Callable[[Path], object] = lambda folder: None
    suite: str | None = None
    paper_rows: bool = False

    def config(self, suite: str) -> dict:
        """Return config.yaml."""
        settings = {**self.settings, **({"probes": PROBES} if self.probes else {})}
        return {
            "models": list(self.models),
            "own_models": {**OWN_MODELS, **ASKED},
            "suites": {suite: settings},
            "statistics": {"resamples": 200},
            "ledger": {"paper_rows": self.paper_rows},
            **self.more,
        }


def unpack_journal(folder: Path) -> None:
    """Put the kept journal where a study looks for its own."""
    for packed in (HERE / "journal").glob("*.jsonl.gz"):
        model = packed.name.partition(".")[0]
        (folder / model).mkdir(parents=True)
        (folder / model / f"{model}.jsonl").write_bytes(gzip.decompress(packed.read_bytes()))


#: The study with a journal.
JUDGED = "illusionbench_judged"
STUDIES = {
    "illusion_vqa": Study(
        {
            "illusions": ["fick", "ebbinghaus", "munker", "ponzo"],
            "prompts": ["zero_shot", "few_shot", "metacognitive"],
            "few_shot_examples": 2,
            "human_filter": {"responses": "people/illusion_vqa.csv"},
        },
        models=(*MODELS, "textbook_gated"),
        paper_rows=True,
    ),
    "illusion_strength": Study(
        {
            "illusions": ["fick", "hering"],
            "strengths": [0, 1],
            "differences": [-1, 0, 1],
            "prompts": ["directional", "forced_choice", "same", "different"],
        },
        models=(*MODELS, "textbook_gated", "theirs"),
        probes=False,
    ),
    # The tasks have as many images as the paper's tables count; who answers is what can be saved.
    "blindtest": Study(models=("chance", "pixels", "gpt-4o-2024-05-13"), probes=False),
    "texture": Study({"judgements": "people/texture_judgements.csv"}),
    "illusionbench": Study(),
    # Who answers and who judges was asked once; the kept journal answers ever since.
    JUDGED: Study(
        {"questions": ["true_false", "semantic", "illusion", "step_by_step"]},
        models=("chance", "hosted"),
        probes=False,
        more={
            "judge": {"model": "judge", "rounds": 3},
            "review": {
                "illusionbench": {
                    "answers": ["people/illusionbench_review.csv"],
                    "scores": ["people/illusionbench_scores.csv"],
                    "model_codes": {"A": "hosted"},
                }
            },
        },
        prepare=lambda folder: unpack_journal(folder / "journal"),
        suite="illusionbench",
    ),
    "pope": Study({"scenes": 6, "nested_scenes": 2}),
    "search": Study({"conditions": ["shape", "conjunction"], "set_sizes": [4, 32]}),
    "contrast": Study({"frequencies": [8, 128], "prompts": ["where", "three", "seen"]}),
    "hidden_digits": Study({"axes": ["light"]}),
    "tunnel_vision": Study({"tasks": ["follow"], "prompts": ["follow"]}),
    "images": Study({"sets": {"shapes": "resources/examples/own_images"}}),
    "shahgir_illusionvqa": Study(
        {
            "folder": "data/illusionVQA",
            "prompts": ["zero_shot", "four_shot", "four_shot_reasoning"],
        },
        prepare=lambda folder: write_illusionvqa(folder / "data" / "illusionVQA"),
    ),
    "hallusionbench": Study(
        {"folder": "data/hallusionbench", "prompts": ["plain", "short"]},
        prepare=lambda folder: write_hallusionbench(folder / "data" / "hallusionbench"),
    ),
}


def _workspace(root: Path, folder: Path, study: Mapping) -> Workspace:
    """Return a copy of the workflow whose registry does not know the model for which a responder passes."""
    workspace = Workspace(root, folder, study)
    workspace.edit("config/models.yaml", rf"^{MODELS[-1]}:\n(  .+\n)+", "")
    return workspace


def workspace_of(root: Path, folder: Path, name: str) -> Workspace:
    """Return a folder in which a study can be run."""
    study = STUDIES[name]
    workspace = _workspace(root, folder, study.config(study.suite or name))
    workspace.patience_seconds = PATIENCE_SECONDS
    for name in ("answers", "people"):
        shutil.copytree(HERE / name, folder / name)
    study.prepare(folder)
    return workspace


#: Every suite and option that makes files of its own name.
EVERYTHING = {
    "models": [*MODELS, "hosted", "qwen2-vl-7b-instruct"],
    "own_models": {**OWN_MODELS, **ASKED},
    "suites": {
        "illusion_vqa": {"human_filter": {"responses": "forms"}, "probes": PROBES},
        "illusion_strength": {
            "strengths": [0, 1],
            "differences": [0, 1],
            "prompts": ["directional", "same", "different"],
            "probes": PROBES,
        },
        "blindtest": {"release": "final", "controls": True},
        "counting_bias": {},
        "pope": {**STUDIES["pope"].settings, "ask_recognition": True, "probes": PROBES},
        "texture": {"ask_recognition": True, "probes": PROBES},
        "illusionbench": {
            "pages": {"forms": ["vqa", "description_scores", "review"]},
            "probes": PROBES,
        },
        **{
            name: {**STUDIES[name].settings, "probes": PROBES}
            for name in (
                *("images", "shahgir_illusionvqa", "hallusionbench"),
                *("search", "contrast", "hidden_digits", "tunnel_vision"),
            )
        },
    },
    "judge": STUDIES[JUDGED].more["judge"],
    "review": STUDIES[JUDGED].more["review"],
}
#: Forms that people fill in, of which each has a first page.
FORMS = {
    "illusion_vqa": ("actual", "apparent"),
    "texture": ("classify", "collect", "judge", "recognition", "verify"),
    "illusionbench": ("description_scores", "review", "vqa"),
    "pope": ("recognition",),
}


def workspace_of_everything(root: Path, folder: Path) -> Workspace:
    """Return a folder in which the study of everything can be planned."""
    workspace = _workspace(root, folder, EVERYTHING)
    for name in ("answers", "people"):
        shutil.copytree(HERE / name, folder / name)
    for name in ("shahgir_illusionvqa", "hallusionbench"):
        STUDIES[name].prepare(folder)
    return workspace
