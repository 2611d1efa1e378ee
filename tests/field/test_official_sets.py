"""HallusionBench, IllusionVQA and IllusionBench+ from the form in which their authors publish them to their tables.

The blemishes of the releases are in these small ones: rows without an image, questions that stand twice, ids as texts
and as numbers, subcategories with a blank behind them, pictures of another kind than their ending says, options of any
number and two alike, archives with what macOS adds. What the tables should say is worked out here from the rows alone.

Public reports: open-compass/VLMEvalKit#471 and #1037 (951 or 1,129 questions of HallusionBench),
tianyi-lab/HallusionBench#3 and #11 (what visual_input and a missing file mean).
"""

import io
import json
import random
import zipfile

import pandas as pd
from PIL import Image
from workspace import Workspace

from afterimage.suites.hallusionbench import dataset as hallusionbench

#: How pictures come: mode and format, which need not be what the name's ending says.
KINDS = [
    ("RGB", "PNG"),
    ("RGB", "JPEG"),
    ("L", "PNG"),
    ("P", "PNG"),
    ("RGBA", "PNG"),
    ("LA", "PNG"),
    ("CMYK", "JPEG"),
    ("1", "PNG"),
    ("P", "GIF"),
    ("RGB", "WEBP"),
]


def picture_bytes(number):
    """A picture of its own colours, each of another kind."""
    mode, kind = KINDS[number % len(KINDS)]
    picture = Image.new("RGB", (48 + number % 5, 36), (number * 37 % 256, number * 11 % 256, 90))
    picture.paste((250, 250, 250), (4, 4, 20, 20 + number % 9))
    buffer = io.BytesIO()
    picture.convert(mode).save(buffer, kind)
    return buffer.getvalue()


def draw(path, number):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(picture_bytes(number))


def recorded(folder, answers, **settings):
    """Entries of a model whose answers are given: item id (or name) to text."""
    file = folder / "answers.jsonl"
    rows = [json.dumps({"item_id": item, "text": text}) for item, text in answers.items()]
    file.write_text("\n".join(rows), encoding="utf-8")
    settings = {"file": str(file), **settings}
    return {"theirs": {"backend": "recorded", "model_id": "theirs", "settings": settings}}


def run(root, folder, suite, settings, table, own_models):
    """Run a study to one table."""
    study = {
        "models": ["chance", *own_models],
        "own_models": own_models,
        "suites": {suite: settings},
        "statistics": {"resamples": 200},
    }
    work = Workspace(root, folder, study)
    work.run(f"results/tables/{table}.csv")
    return pd.read_csv(work.folder / f"results/tables/{table}.csv"), work


def hallusionbench_rows(chance):
    """Rows of HallusionBench.json: figures of sets with two or three questions each, in no order."""
    rows = []
    for category, subcategory in (
        ("VD", "illusion"),
        ("VD", "video"),
        ("VS", "chart"),
        ("VS", "table "),
        ("VS", "ocr"),
    ):
        for one in range(2):
            for figure in range(3):
                unseen = category == "VS" and figure == 0
                for question in range(2 + one):
                    rows.append(
                        {
                            "category": category,
                            "subcategory": subcategory,
                            "visual_input": "0" if unseen else "12"[figure > 1],
                            "set_id": str(one),
                            "figure_id": str(figure),
                            "sample_note": " note",
                            "question_id": str(question),
                            "question": f"Is the {subcategory.strip()} {one} as in {question}?",
                            "gt_answer_details": f" It is {figure}.",
                            "gt_answer": chance.choice("01"),
                            "filename": None
                            if unseen
                            else f"./hallusion_bench/{category}/{subcategory.strip()}/{one}_{figure}.png",
                        }
                    )
    # Stands twice in the release, with other words; ids and keys that a script has made numbers.
    rows.append(rows[0] | {"question": "Is it so, asked again?", "gt_answer": "1"})
    for row in rows[20:30]:
        row |= {key: int(row[key]) for key in ("set_id", "figure_id", "question_id", "gt_answer")}
    return chance.sample(rows, len(rows))


def expected_of_hallusionbench(rows, answers):
    """Right ones and all, by metric, as the authors count them; answers are in the order of the rows."""
    asked = pd.DataFrame([{key: str(value).strip() for key, value in row.items()} for row in rows])
    asked["answer"] = answers
    unseen = asked["filename"] == "None"
    right = asked["answer"] == asked["gt_answer"].map({"1": "Yes.", "0": "No."})
    asked["right"] = right | (unseen & (asked["answer"] == "I cannot tell without the image."))
    figure = ["category", "subcategory", "set_id", "figure_id"]
    pair = ["category", "subcategory", "set_id", "question_id"]
    hard = asked["visual_input"] == "2"

    def units(part, keys):
        whole = part.groupby(keys)["right"].all()
        return int(whole.sum()), len(whole)

    return {
        "question": (int(asked["right"].sum()), len(asked)),
        "figure": units(asked[~unseen], figure),
        "pair": units(asked, pair),
        "easy": units(asked[~hard], pair),
        "hard": units(asked[hard], pair),
    }


def test_hallusionbench_comes_to_the_authors_counts(root, tmp_path):
    chance = random.Random(20)
    rows = hallusionbench_rows(chance)
    data = tmp_path / "data"
    for number, name in enumerate(sorted({row["filename"] for row in rows if row["filename"]})):
        draw(data / name, number)
    # As it comes out of the archive of a Mac.
    draw(data / "__MACOSX/hallusion_bench/._VD", 1)
    text = json.dumps(rows, indent=1)
    (data / "HallusionBench.json").write_text(f"\ufeff{text}", encoding="utf-8")
    figures = hallusionbench.figures(str(data))
    assert sorted(figures) == ["VD_illusion", "VD_video", "VS_chart", "VS_ocr", "VS_table"]
    said, left = {}, {}
    for of_figure in figures.values():
        for stimulus, asked in of_figure.items():
            for one in asked:
                weights = (5, 4, 1)
                words = ("Yes.", "No.", "I cannot tell without the image.")
                name = one.question_id if one.row == 1 else f"{one.question_id}_{one.row}"
                (said[f"{stimulus}/{name}/plain"],) = chance.choices(words, weights)
                left.setdefault((stimulus, one.question_id), []).append(
                    said[f"{stimulus}/{name}/plain"]
                )
    answers = []
    for row in rows:
        key = "_".join([row["category"], row["subcategory"].strip(), str(row["set_id"])])
        answers.append(left[f"{key}_{row['figure_id']}", str(row["question_id"])].pop(0))
    table, _ = run(
        root,
        tmp_path / "study",
        "hallusionbench",
        {"folder": str(data)},
        "hallusionbench",
        recorded(tmp_path, said),
    )
    own = table[table["model"] == "theirs"].set_index("metric")
    expected = expected_of_hallusionbench(rows, answers)
    found = {name: (int(own["k"][name]), int(own["n"][name])) for name in expected}
    assert found == expected
    assert expected["question"][1] == 76
    assert 0 < expected["figure"][0] < expected["figure"][1]


def illusionvqa_rows(subset, chance):
    """Rows of eval_labels.json: two to eight options, one picture asked about twice."""
    rows = []
    for number in range(12):
        options = [f"It is {word}." for word in "abcdefgh"[: 2 + number % 7]]
        # Some begin like a letter, and two questions have the right text twice.
        options[0] = "A man is sitting."
        if number in (3, 9) and len(options) > 2:
            options[-1] = options[1]
        rows.append(
            {
                "image": f"{number}.{'png' if number % 3 else 'jpg'}",
                "question": f"What {{is}} seen in {number}?",
                "options": options,
                "answer": options[1] if number in (3, 9) else chance.choice(options),
                "category": ("impossible object", "size", "counting ", "misc")[number % 4],
            }
        )
    rows[7]["image"] = rows[6]["image"]
    if subset == "sofloc":
        for row in rows:
            del row["category"]
    return rows


def test_illusionvqa_comes_to_the_counts_of_its_rows(root, tmp_path):
    chance = random.Random(21)
    data, said, right = tmp_path / "illusionVQA", {}, {}
    for folder, subset in (("comprehension", "comprehension"), ("sofloc", "soft_localization")):
        rows = illusionvqa_rows(folder, chance)
        images = list(dict.fromkeys(row["image"] for row in rows))
        for number, image in enumerate(images):
            draw(data / folder / "EVAL" / image, number)
        (data / folder / "eval_labels.json").write_text(json.dumps(rows), encoding="utf-8")
        for number, row in enumerate(rows):
            item = f"{subset}_{images.index(row['image']):04d}/{number}/zero_shot"
            chosen = chance.randrange(len(row["options"]))
            letter = "abcdefgh"[chosen]
            # Of two options with the right text the later bears the key.
            last = len(row["options"]) - 1 - row["options"][::-1].index(row["answer"])
            said[item] = chance.choice([letter, f"{letter}.", f"Answer: {letter}"])
            right.setdefault((subset, row.get("category", "").strip()), []).append(chosen == last)
    table, _ = run(
        root,
        tmp_path / "study",
        "shahgir_illusionvqa",
        {"folder": str(data)},
        "illusionvqa",
        recorded(tmp_path, said),
    )
    own = table[table["model"] == "theirs"].set_index(["subset", "category"])
    for (subset, category), answers in right.items():
        if category in ("size", "impossible object"):
            assert own["correct_k"][subset, category] == sum(answers)
            assert own["n"][subset, category] == len(answers)
    small = [one for name in ("counting", "misc") for one in right["comprehension", name]]
    assert own["correct_k"]["comprehension", "misc"] == sum(small)
    for subset in ("comprehension", "soft_localization"):
        answers = [one for (name, _), given in right.items() for one in given if name == subset]
        total = own.loc[(subset, "total")]
        assert (total["correct_k"], total["n"]) == (sum(answers), 12)
        assert (total["images"], total["unparsed_k"]) == (11, 0)
    assert 0 < sum(map(sum, right.values())) < 24


LETTERS = {"A": "classical", "B": "real_scene", "C": "no_illusion", "D": "ishihara", "E": "trap"}


def release_entry(number, chance):
    """An entry of Image_properties.json, with the marks that its questions have there."""
    illusion = "ABDE"[number % 4] if number % 5 else "C"
    whether = "no visual" if illusion == "C" else "visual"
    texts = [f"the {word}" for word in chance.sample(("left", "right", "upper", "lower"), 4)]
    marks = (("i. ", "ii. ", "iii. ", "iv. "), ("(i) ", "(ii) ", "(iii) ", "(iv) "))[number % 2]
    listed = "\n".join(f"{mark}{text}" for mark, text in zip(marks, texts, strict=True))
    gold = number % 4
    answer = (f"{marks[gold]}{texts[gold]}", marks[gold].strip(), texts[gold])[number % 3]
    return {
        "image_property": {
            "image_name": f"picture {number}" + (".png" if number % 2 else ""),
            "Category": illusion,
            "Difficult Level": str(number % 3) if number % 2 else number % 3,
            "Description": f"In this picture, a thing is shown. There is {whether} illusion in the image. The "
            "reason for visual illusions is its shape.",
        },
        "qa_data": [
            {
                "Question": f"Thing {number} is there.",
                "Question Type": ("TF", "tf")[number % 2],
                "Correct Answer": ("True", "false", "TRUE", "False")[number % 4],
            },
            {
                "Question": f"Which end of thing {number}?\n{listed}",
                "Question Type": "select",
                "Correct Answer": answer,
            },
        ],
    }


def test_the_illusionbench_release_comes_to_the_counts_of_its_entries(root, tmp_path):
    chance = random.Random(22)
    entries = [release_entry(number, chance) for number in range(15)]
    entries.append(release_entry(16, chance))
    # What cannot be used: no file, annotated again, no answer.
    entries.append(release_entry(99, chance))
    entries.append(entries[3])
    entries[5]["qa_data"][1]["Correct Answer"] = "neither"
    with zipfile.ZipFile(tmp_path / "IllusionDataset.zip", "w") as archive:
        for number in (*range(15), 16):
            folder = ("IllusionDataset/real", "IllusionDataset")[number % 2]
            archive.writestr(f"{folder}/picture {number}.png", picture_bytes(number))
            archive.writestr(f"__MACOSX/{folder}/._picture {number}.png", b"macOS")
        archive.writestr("IllusionDataset/nobody.jpg", picture_bytes(1))
    (tmp_path / "Image_properties.json").write_text(json.dumps(entries), encoding="utf-8")
    places = {
        "annotations": str(tmp_path / "Image_properties.json"),
        "images": str(tmp_path / "IllusionDataset.zip"),
        "categories": LETTERS,
    }
    settings = {
        "source": "release",
        "release": places,
        "questions": ["true_false", "multiple_choice"],
    }
    used, said, right = entries[:16], {}, {"true_false": [], "multiple_choice": []}
    for number, entry in zip((*range(15), 16), used, strict=True):
        statement, choice = entry["qa_data"]
        says_true = chance.random() < 0.5
        said[f"picture_{number}/true_false"] = str(says_true)
        right["true_false"].append(says_true == (statement["Correct Answer"].lower() == "true"))
        if choice["Correct Answer"] == "neither":
            continue
        # By its words, since options are shown in an order of chance.
        listed = choice["Question"].splitlines()[1:]
        chosen = chance.randrange(4)
        said[f"picture_{number}/multiple_choice"] = listed[chosen].split(" ", 1)[1]
        right["multiple_choice"].append(chosen == number % 4)
    table, work = run(
        root,
        tmp_path / "study",
        "illusionbench",
        settings,
        "illusionbench_tf",
        recorded(tmp_path, said, item_name="{stimulus_id}/{question}"),
    )
    own = table.set_index("model").loc["theirs"]
    assert (own["all_k"], own["all_n"]) == (sum(right["true_false"]), 16)
    for letter, category in LETTERS.items():
        n = sum(entry["image_property"]["Category"] == letter for entry in used)
        assert own[f"{category}_n"] == n > 0
    work.run("results/tables/illusionbench_mcq.csv", "results/stimuli/illusionbench/exclusions.csv")
    choices = pd.read_csv(work.folder / "results/tables/illusionbench_mcq.csv").set_index("model")
    own = choices.loc["theirs"]
    assert (own["all_k"], own["all_n"]) == (sum(right["multiple_choice"]), 15)
    assert 0 < sum(right["multiple_choice"]) < 15
    excluded = pd.read_csv(work.folder / "results/stimuli/illusionbench/exclusions.csv")
    assert sorted(excluded["reason"]) == [
        "a file without annotation",
        "annotated a second time",
        "no image file",
        "the answer is not among the options",
    ]
