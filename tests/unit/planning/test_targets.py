"""What nothing makes is one sentence with the nearest name."""

import pytest

from afterimage.errors import AfterimageError
from afterimage.planning.checking import planned, require_targets

KNOWN = (
    *("items", "stimuli", "out/tables/pope.csv", "out/tables/pope.md", "out/tables/pope.paper.tex"),
    "out/all_answers.parquet",
)
CASES = {
    "out/tables/popee.csv": "unknown table 'popee': did you mean 'pope'?",
    "out/tables/popee.paper.tex": "unknown table 'popee': did you mean 'pope'?",
    "out/figures/pop.png": "unknown figure 'pop': did you mean 'pope'?",
    "out/report/indx.html": "unknown page 'indx': did you mean 'index'?",
    "out/grades/popee/chance.parquet": "unknown suite 'popee': did you mean 'pope'?",
    "out/grades/pope/chanse.parquet": "unknown model 'chanse': did you mean 'chance'?",
    "out/responses/pope/pixel/000000-000399.parquet": "unknown model 'pixel': did you mean 'pixels'?",
    "out/items/texture/000000-000399.parquet": "unknown suite 'texture': expected one of: pope.",
    "out/stimuli/pope/scens/stimuli.parquet": "unknown figure 'scens': did you mean 'scenes'?",
    "out/stimuli/pope/scenes/nix.png": "figure 'scenes' of suite 'pope': unknown stimulus 'nix': ",
    "out/numbers/nix/x.txt": "unknown number 'nix/x': ",
    "out/models/spruot/model.safetensors": "unknown recipe 'spruot': did you mean 'sprout'?",
    "out/votes/pope/gpt/chance.parquet": "unknown judge 'gpt': expected one of: none exist.",
    "itmes": "unknown target 'itmes': did you mean 'items'?",
    "pope": "unknown target 'pope': did you mean 'out/tables/pope.csv'?",
    "tables/pope.csv": "unknown target 'tables/pope.csv': did you mean 'out/tables/pope.csv'?",
    "results/tables/pope.csv": "did you mean 'out/tables/pope.csv'?",
    "out/tables/pope.cvs": "unknown target 'out/tables/pope.cvs': did you mean 'out/tables/pope.",
    "out/all_answer.parquet": "did you mean 'out/all_answers.parquet'?",
    "": "unknown target '': expected a file or a rule of the workflow.",
    "zzz\x1b[0m": "unknown target 'zzz\\x1b[0m': expected a file or a rule",
}


@pytest.fixture(scope="module")
def plan(root, tmp_path_factory):
    study = tmp_path_factory.mktemp("study") / "mine.yaml"
    study.write_text(
        "models: [chance, pixels]\nresults_folder: out\nsuites: {pope: {scenes: 10, nested_scenes: 1}}\n"
    )
    return planned(None, [study], {}, root)


def asked(plan, *targets, is_made=lambda target: target in KNOWN):
    names = {"table": ["pope"], "figure": ["pope"], "page": ["index", "pope"]}
    require_targets(targets, plan, names, is_made, KNOWN)


@pytest.mark.parametrize("target", CASES)
def test_what_nothing_makes_gets_the_nearest_name(plan, target):
    with pytest.raises(AfterimageError) as error:
        asked(plan, target)
    assert CASES[target] in str(error.value)
    assert "\n" not in str(error.value)


def test_every_unknown_target_has_its_line(plan):
    with pytest.raises(AfterimageError) as error:
        asked(plan, "itmes", "items", "out/tables/popee.csv")
    assert len(str(error.value).splitlines()) == 2


@pytest.mark.parametrize(
    "target",
    [
        *(
            "items",
            "out/tables/pope.csv",
            "out/tables/pope.paper.tex",
            "out/grades/pope/chance.parquet",
            "out/items/pope/0-1.parquet",
        ),
        *("out/stimuli/pope/measured.csv", "out/stimuli/pope/scenes/stimuli.parquet"),
        "out/stimuli/pope/annotations/scenes.jsonl",
        *(
            "out/models/sprout/model.safetensors",
            "out/report/pope.html",
            "out/votes/pope/measured.csv",
        ),
    ],
)
def test_what_is_made_is_let_through(plan, target):
    asked(plan, target, is_made=lambda _: True)
