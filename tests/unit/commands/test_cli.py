"""The command ``afterimage``."""

import json
import subprocess
import sys

import pytest
from illusion_samples import draw_illusion, specs_of

from afterimage.commands.cli import main
from afterimage.files.png import encode_png


@pytest.fixture
def fake(tmp_path):
    (spec,) = [spec for spec in specs_of("ebbinghaus") if spec.stimulus_id.endswith("A_fake")]
    path = tmp_path / "fake.png"
    path.write_bytes(encode_png(draw_illusion("ebbinghaus", spec.parameters).pixels))
    return str(path)


def test_measure_prints_one_json_line_per_image(fake, capsys):
    assert main(["measure", "illusion_vqa", "ebbinghaus", fake, fake]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["image"] for line in lines] == [fake, fake]
    assert all(set(line) == {"image", "value"} for line in lines)
    assert lines[0]["value"] == pytest.approx(20.8, abs=0.5)


def test_an_image_that_cannot_be_read_does_not_stop_the_others(fake, capsys):
    assert main(["measure", "illusion_vqa", "ebbinghaus", "absent.png", fake]) == 1
    printed = capsys.readouterr()
    assert json.loads(printed.out)["image"] == fake
    assert printed.err == "afterimage: absent.png: no such file; expected a PNG image.\n"


def test_an_image_of_something_else_is_one_sentence_that_names_it(tmp_path, capsys):
    import numpy as np

    blank = tmp_path / "blank.png"
    blank.write_bytes(encode_png(np.full((672, 672, 3), 255, dtype=np.uint8)))
    assert main(["measure", "illusion_vqa", "ebbinghaus", str(blank)]) == 1
    error = capsys.readouterr().err
    assert str(blank) in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["measure", "ilusion_vqa", "fick", "x.png"],
            "unknown suite 'ilusion_vqa': did you mean 'illusion_vqa'?",
        ),
        (
            ["measure", "illusion_vqa", "fik", "x.png"],
            "unknown illusion 'fik': did you mean 'fick'?",
        ),
    ],
)
def test_a_misspelt_name_gets_the_nearest(arguments, sentence, capsys):
    assert main(arguments) == 1
    assert sentence in capsys.readouterr().err


def test_a_reader_who_has_seen_enough_ends_it_quietly(fake, scripts):
    program = (
        f"import sys; sys.path.insert(0, {str(scripts)!r}); "
        "from afterimage.commands.cli import main; sys.exit(main())"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, "measure", "illusion_vqa", "ebbinghaus", *[fake] * 20],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert json.loads(process.stdout.readline())["image"] == fake
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


@pytest.mark.parametrize("suite", ["illusion_vqa", "texture", "search"])
def test_a_suite_without_records_says_what_it_has(suite, capsys):
    assert main(["rescore", suite, "folder"]) == 1
    error = capsys.readouterr().err
    assert f"suite '{suite}': no form of published records is known of it" in error
    assert "did you mean" not in error
    assert error.count("\n") == 1
