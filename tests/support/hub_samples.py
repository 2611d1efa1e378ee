"""Small data sets in exactly the forms in which the hub has the benchmarks."""

import io
import json
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image
from release_samples import write_hallusionbench, write_illusionvqa

IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])


def picture(seed, side=16):
    """A PNG of noise, another one for each seed."""
    pixels = np.random.default_rng(seed).integers(0, 256, (side, side, 3), dtype=np.uint8)
    packed = io.BytesIO()
    Image.fromarray(pixels).save(packed, "PNG")
    return packed.getvalue()


def parquet(rows, kinds=None, rows_of_group=100):
    """The content of a Parquet file of rows; columns called image hold images."""
    kinds = kinds or {}
    columns = {}
    for name in rows[0]:
        kind = kinds.get(name, IMAGE if name == "image" else None)
        columns[name] = pa.array([row[name] for row in rows], kind)
    packed = io.BytesIO()
    pq.write_table(pa.table(columns), packed, row_group_size=rows_of_group)
    return packed.getvalue()


def image(seed, path=None, side=16):
    """An image as the hub's files hold it."""
    return {"bytes": picture(seed, side), "path": path}


def pope_rows(questions, category):
    """lmms-lab/POPE: the questions of one official file."""
    names = sorted({question["image"] for question in questions})
    return [
        {
            "id": str(number),
            "question_id": str(question["question_id"]),
            "question": question["text"],
            "answer": question["label"],
            "image_source": question["image"].removesuffix(".jpg"),
            "image": image(names.index(question["image"])),
            "category": category,
        }
        for number, question in enumerate(questions)
    ]


def pope_questions(strategy, images=3):
    """Official questions, a few."""
    return [
        {
            "question_id": 6 * number + index + 1,
            "image": f"COCO_val2014_{number:012d}.jpg",
            "text": f"Is there a {thing} in the image?",
            "label": ("yes", "no")[index % 2],
        }
        for number in range(images)
        for index, thing in enumerate(("car", f"{strategy} kite", "dog", "cat", "cup", "person"))
    ]


def pope_files():
    """Path to content of a small lmms-lab/POPE."""
    return {
        f"Full/{name}-00000-of-00001.parquet": parquet(pope_rows(pope_questions(name), name))
        for name in ("random", "popular", "adversarial")
    }


def write_set(folder, files):
    """Write files as a fetch leaves them behind the link."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def hallusionbench_files(rows):
    """Path to content of lmms-lab/HallusionBench with questions in the release's form."""
    shown = [row for row in rows if row["filename"]]
    names = sorted({row["filename"] for row in shown})
    pictured = [{**row, "image": image(names.index(row["filename"]))} for row in shown]
    files = {"data/image-00000-of-00001.parquet": parquet(pictured)}
    if others := [row for row in rows if not row["filename"]]:
        files["data/non_image-00000-of-00001.parquet"] = parquet(others)
    return files


def illusionvqa_files(entries, examples):
    """Path to content of one of the sets of IllusionVQA with entries in the release's form."""

    def rows(labels):
        names = sorted({label["image"] for label in labels})
        keys = ("question", "options", "answer", "category")
        return [
            {**{key: label[key] for key in keys}, "image": image(names.index(label["image"]))}
            for label in labels
        ]

    return {
        "data/test-00000-of-00001.parquet": parquet(rows(entries)),
        "data/train-00000-of-00001.parquet": parquet(rows(examples)),
    }


def blindtest_rows():
    """XAI/vlmsareblind: two questions of each task, about one image or two."""
    shapes = "How many {} are in the image? Answer with only the number in numerical format."
    asked = [
        ("Touching Circles", "Are the two circles touching each other? Answer with Yes/No.", "Yes"),
        ("Touching Circles", "Are the two circles overlapping? Answer with Yes/No.", "No"),
        (
            "Line Plot Intersections",
            "How many times do the blue and red lines touch each other? Answer with a number in curly brackets, "
            "e.g., {5}.",
            "2",
        ),
        ("Line Plot Intersections", "How many times do they cross?", "1"),
        ("Circled Letter", "Which letter is being circled?", "k"),
        ("Circled Letter", "Which character is being highlighted with a red oval?", "E"),
        ("Olympic Counting - Circles", shapes.format("circles"), "5"),
        ("Olympic Counting - Pentagons", shapes.format("pentagons"), "6"),
        ("Nested Squares", "Count total number of squares in the image.", "3"),
        ("Nested Squares", "How many squares?", "2"),
        ("Counting Grid - Blank Grids", "How many rows and columns?", "5,6"),
        ("Counting Grid - Word Grids", "How many rows and columns?", "4,4"),
        (
            "Subway Connections",
            "How many single-colored paths go from C to A? Answer with a number in curly brackets, e.g., {3}",
            "2",
        ),
        ("Subway Connections", "How many paths go from A to B?", "1"),
    ]
    return [
        {
            "task": task,
            "image": image(100 if task == "Touching Circles" else number),
            "prompt": prompt,
            "groundtruth": truth,
            "metadata": "{}",
        }
        for number, (task, prompt, truth) in enumerate(asked)
    ]


def blindtest_files():
    """Path to content of a small XAI/vlmsareblind."""
    return {"data/valid-00000-of-00001.parquet": parquet(blindtest_rows())}


def illusionbench_files(letter="7"):
    """Path to content of a small MingZhangSJTU/IllusionBench, whose categories have a letter each."""
    entries, images = [], io.BytesIO()
    with zipfile.ZipFile(images, "w") as archive:
        for number in range(2):
            name = f"{number}.png"
            archive.writestr(f"IllusionDataset/{name}", picture(number, 64))
            told = {
                "image_name": name,
                "Category": letter,
                "Difficult Level": 1,
                "Description": "Lines.",
            }
            asked = {"Question": "It is long.", "Question Type": "TF", "Correct Answer": "True"}
            entries.append({"image_property": told, "qa_data": [asked]})
    content = {"Image_properties.json": json.dumps(entries).encode()}
    return {**content, "IllusionDataset.zip": images.getvalue()}


def official_sets(tmp_path):
    """Repository to a small copy of each set that studies/official.yaml reads."""
    write_hallusionbench(tmp_path / "hallusionbench")
    write_illusionvqa(tmp_path / "illusionvqa")
    rows = json.loads((tmp_path / "hallusionbench" / "HallusionBench.json").read_text())
    found = {
        "lmms-lab/POPE": pope_files(),
        "lmms-lab/HallusionBench": hallusionbench_files(rows),
        "XAI/vlmsareblind": blindtest_files(),
        "MingZhangSJTU/IllusionBench": illusionbench_files(),
    }
    for subset, name in (("comprehension", "Comprehension"), ("sofloc", "Soft-Localization")):
        labels = [
            json.loads((tmp_path / "illusionvqa" / subset / file).read_text())
            for file in ("eval_labels.json", "fewshot_labels.json")
        ]
        found[f"csebuetnlp/illusionVQA-{name}"] = illusionvqa_files(*labels)
    return found
