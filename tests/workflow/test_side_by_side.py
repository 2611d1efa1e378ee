"""Several studies in one clone: results apart, in the folder that each names, and one journal for all."""

import json

import pytest
from workspace import SMALL_STUDY, Workspace

#: A model of our own that notes each question in a file.
COUNTER = '''"""A backend that notes in a file what it is asked."""

from pathlib import Path

from afterimage.contract.model import Backend
from afterimage.models.interface import Reply


def load(entry, part):
    def answer(requests):
        for request in requests:
            with Path("asked").open("a") as file:
                file.write(f"{request.sha256}\\\\n")
            yield Reply(request.number, "yes", latency_seconds=0.1)

    return answer


BACKEND = Backend(load)
'''.replace("\\\\n", "\\n")

COUNTED = {"models": ["chance", "counter"], "own_models": {"counter": {"backend": "counter"}}}


def illusions(*names):
    return {"illusion_vqa": {"illusions": list(names), "prompts": ["zero_shot"]}}


@pytest.fixture
def clone(workspace) -> Workspace:
    """A clone with the counting model and two studies beside config.yaml."""
    models = workspace.folder / "workflow/scripts/afterimage/models"
    (models / "counter.py").write_text(COUNTER)
    schema = workspace.folder / "workflow/schemas/backends/counter.schema.yaml"
    schema.write_text("type: object\nproperties: {}\n")
    for name, suites in {
        "one": illusions("fick"),
        "two": illusions("fick", "ebbinghaus"),
    }.items():
        study = {**SMALL_STUDY, **COUNTED, "suites": suites, "results_folder": f"out/{name}"}
        (workspace.folder / f"{name}.yaml").write_text(json.dumps(study))
    return workspace


def asked(clone):
    return (clone.folder / "asked").read_text().split()


def test_both_stay_whole_and_the_journal_answers_the_second_where_questions_are_the_same(clone):
    clone.run("--configfile", "one.yaml")
    of_first = asked(clone)
    # Eight images of an illusion, two questions each.
    assert len(set(of_first)) == len(of_first) == 16
    clone.run("--configfile", "two.yaml")
    assert len(set(asked(clone))) == len(asked(clone)) == 32
    for name in "one", "two":
        assert not clone.planned("--configfile", f"{name}.yaml")
        pages = clone.folder / "out" / name / "report"
        assert {"index.html", "illusion_vqa.html"} <= {page.name for page in pages.iterdir()}
        written = [*clone.folder.glob(f"out/{name}/tables/*"), *pages.iterdir()]
        assert not [file.name for file in written if "<results>" in file.read_text()]
    # A target begins with the folder.
    clone.run("--configfile", "one.yaml", "--", "out/one/tables/fake_vqa.csv")
    assert not (clone.folder / "results").exists()


def test_a_pilot_asks_so_much_says_so_and_without_its_limit_only_the_rest_is_asked(clone):
    study = {**SMALL_STUDY, **COUNTED, "suites": illusions("fick", "ebbinghaus")}
    clone.configure({**study, "limit": 8})
    clone.run()
    pilot = asked(clone)
    # Two questions about each image.
    assert len(set(pilot)) == len(pilot) == 16
    words = "pilot: 8 of 16 images of illusion_vqa"
    tables = clone.folder / "results" / "tables"
    for name in ("fake_vqa", "pairs_illusion_vqa", "cost"):
        header, *rows = (tables / f"{name}.csv").read_text().splitlines()
        # What papers print is no pilot's.
        own = [row for row in rows if "(paper)" not in row]
        assert header.endswith(",pilot") and own and all(words in row for row in own)
        for kind in ("md", "tex", "html", "json"):
            assert words in (tables / f"{name}.{kind}").read_text().lower().replace("\\_", "_")
    pages = [clone.folder / "results/report" / page for page in ("index.html", "illusion_vqa.html")]
    assert all(words in page.read_text() for page in pages)
    clone.configure(study)
    clone.run()
    assert asked(clone)[:16] == pilot and len(set(asked(clone))) == len(asked(clone)) == 32
    written = [*tables.iterdir(), *pages]
    assert not [
        file.name for file in written if words in file.read_text().lower().replace("\\_", "_")
    ]


def test_no_rule_names_the_folder(root):
    files = [root / "workflow" / "Snakefile", *(root / "workflow" / "rules").glob("*.smk")]
    named = [file.name for file in files if '"results/' in file.read_text()]
    assert not named, f"{named}: expected <results>/ in place of results/"
