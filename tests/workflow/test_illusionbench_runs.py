"""IllusionBench+ in whole runs: the drawn set, memory in both forms, and a user's data."""

import io
import json
import zipfile

import pandas as pd
from loopback_api import LoopbackApi, completion
from PIL import Image

from afterimage.files.parquet import read_records
from afterimage.files.records import RESPONSE

TF = "results/tables/illusionbench_tf.csv"
EXCLUSIONS = "results/stimuli/illusionbench/exclusions.csv"
RESPONSES = "results/responses/illusionbench/hosted.parquet"
#: What a model may say; nothing in it is a template.
FIRST_ANSWER = 'There is {an} illusion.\n"Why?" \\ %s ${x} <b>because</b>'


def study(workspace, models, own_models=None, **suite):
    workspace.configure(
        {
            "models": models,
            "own_models": own_models or {},
            "suites": {"illusionbench": suite},
            "statistics": {"resamples": 200},
        }
    )


def test_drawn_set_gives_table_ii_with_the_reference_responders(workspace):
    study(workspace, ["textbook_gated", "pixels"])
    workspace.run(TF, EXCLUSIONS)
    table = pd.read_csv(workspace.folder / TF).set_index("model")
    assert table.loc["pixels", "all"] == 1.0
    assert table.loc["pixels", "all_unparsed_k"] == 0
    assert table.loc["textbook_gated", "classical"] == 1.0
    assert table.loc["textbook_gated", "trap"] == 0.5
    assert pd.isna(table.loc["pixels", "real_scene"])
    assert (workspace.folder / EXCLUSIONS).read_text().count("\n") == 1
    # Whose verdicts a table shows is the tables' business alone.
    study(workspace, ["textbook_gated", "pixels"], decided_by="parser")
    assert list(workspace.planned(TF)) == ["Making the table illusionbench_tf"]


def test_first_answer_stands_in_the_memory_of_the_second_step_as_it_is(workspace, monkeypatch):
    monkeypatch.setenv("LOOPBACK_KEY", "k")

    def describe(call):
        last = call.text.strip().split("\n")[-1]
        return completion("Two lines." if "description of the content" in last else FIRST_ANSWER)

    with LoopbackApi(describe) as api:
        settings = {"base_url": api.url, "api_key_env": "LOOPBACK_KEY", "max_tokens": 20}
        hosted = {"backend": "openai_compatible", "model_id": "some-model", "settings": settings}
        questions = ["illusion", "step_by_step"]
        study(workspace, ["hosted"], {"hosted": hosted}, questions=questions)
        workspace.run(RESPONSES)
        assert len(api.calls) == 48
        steps = [call.body["messages"] for call in api.calls if "Two lines" in call_answer(call)]
        assert len(steps) == 24
        ((message,), *_) = steps
        _, text = message["content"]
        first, second = text["text"].split(FIRST_ANSWER)
        assert first.endswith("explain the reason for the illusion.\n")
        assert second == "\nPlease provide a description of the content in this image."

        study(workspace, ["hosted"], {"hosted": hosted}, questions=questions, memory_mode="chat")
        workspace.run(RESPONSES)
        # The first steps are in the journal.
        assert len(api.calls) == 72
        roles = [[turn["role"] for turn in call.body["messages"]] for call in api.calls[48:]]
        assert roles == [["user", "assistant", "user"]] * 24
        assert api.calls[-1].body["messages"][1]["content"] == FIRST_ANSWER
    rows = list(read_records(workspace.folder / RESPONSES, RESPONSE))
    assert len(rows) == 48


def call_answer(call):
    """What the server said to a call of this test."""
    last = call.text.strip().split("\n")[-1]
    return "Two lines." if "description of the content" in last else FIRST_ANSWER


def release(folder, entries, names):
    """Write a data set in the official release's form."""
    buffer = io.BytesIO()
    Image.new("RGB", (80, 60), (90, 120, 30)).save(buffer, "PNG")
    with zipfile.ZipFile(folder / "images.zip", "w") as archive:
        for name in names:
            archive.writestr(f"IllusionDataset/{name}", buffer.getvalue())
    (folder / "properties.json").write_text(json.dumps(entries))


def entry(name, category, statement):
    return {
        "image_property": {
            "image_name": name,
            "Category": category,
            "Difficult Level": 0,
            "Description": "In this picture, a lawn is shown. There is no visual illusion in the image.",
        },
        "qa_data": [
            {"Question": statement, "Question Type": "TF", "Correct Answer": "True"},
            {
                "Question": "Which? i. a ii. b iii. c",
                "Question Type": "select",
                "Correct Answer": "i. a",
            },
        ],
    }


def test_official_release_is_read_and_what_it_lacks_is_listed(workspace):
    places = {"annotations": "properties.json", "images": "images.zip"}
    suite = {"source": "release", "release": {**places, "categories": {"A": "real_scene"}}}
    study(workspace, ["chance", "pixels"], **suite)
    missing = workspace.snakemake(TF)
    assert missing.returncode != 0
    assert "file 'properties.json' does not exist; download Image_properties.json" in missing.stdout
    assert "Traceback" not in missing.stdout

    entries = [entry("a.png", "A", "A lawn is shown."), entry("gone.png", "A", "It is here.")]
    release(workspace.folder, entries, ["a.png", "._a.png", "extra.png"])
    workspace.run(TF, EXCLUSIONS)
    table = pd.read_csv(workspace.folder / TF).set_index("model")
    assert table.loc["pixels", "real_scene_n"] == table.loc["chance", "all_n"] == 1
    assert table.loc["pixels", "all_unparsed_k"] == 1
    excluded = pd.read_csv(workspace.folder / EXCLUSIONS, keep_default_na=False)
    assert sorted(zip(excluded["kind"], excluded["reason"], strict=True)) == [
        ("file", "a file without annotation"),
        ("image", "no image file"),
        ("multiple_choice", "not 4 options"),
    ]
    markdown = (workspace.folder / TF).with_suffix(".md").read_text()
    assert "Left out before any model was asked, 3 rows" in markdown

    entries[0]["qa_data"][0]["Question"] = "A wide lawn is shown."
    (workspace.folder / "properties.json").write_text(json.dumps(entries))
    planned = workspace.planned(TF)
    # A corrected question draws nothing.
    assert not [job for job in planned if "real_scene" in job]
    assert "Asking chance about illusionbench" in planned

    release(workspace.folder, entries, ["a.png", "._a.png", "other.png"])
    planned = workspace.planned(TF)
    assert [job for job in planned if job.endswith("real_scene (illusionbench)")]


def test_unknown_letter_of_the_release_stops_before_any_job(workspace):
    places = {"annotations": "properties.json", "images": "images.zip"}
    suite = {"source": "release", "release": {**places, "categories": {"B": "trap"}}}
    study(workspace, ["chance"], **suite)
    release(workspace.folder, [entry("a.png", "A", "x")], ["a.png"])
    finished = workspace.snakemake(TF)
    assert finished.returncode != 0
    assert "says nothing about Category 'A'" in finished.stdout
    assert "Traceback" not in finished.stdout
