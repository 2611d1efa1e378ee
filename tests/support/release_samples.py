"""Small releases in the authors' own forms, for the suites whose images a user downloads."""

import json

from PIL import Image


def picture(path, colour, kind="PNG", size=(40, 30)):
    """Write an image of one colour."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, colour).save(path, kind)


def illusionvqa_entry(image, answer, category="size", **more):
    """Return an entry of IllusionVQA's labels."""
    options = ["A cat.", "A dog.", "A fox."]
    return {
        "image": image,
        "question": "What {options} is it?",
        "options": options,
        "answer": answer,
        "category": category,
        **more,
    }


def write_illusionvqa(folder):
    """Write both subsets of IllusionVQA: three questions about two images, and one example."""
    for subset, name in (("comprehension", "a"), ("sofloc", "b")):
        entries = [
            illusionvqa_entry(f"{name}1.jpg", "A cat."),
            illusionvqa_entry(f"{name}1.jpg", "A dog.", "counting", question="What is it not?"),
            illusionvqa_entry(f"{name}2.jpg", "A dog.", "counting"),
        ]
        shots = [illusionvqa_entry(f"{name}3.jpg", "A cat.", reasoning="It has whiskers.")]
        for labels, inner, rows in (
            ("eval_labels.json", "EVAL", entries),
            ("fewshot_labels.json", "FEW_SHOTS", shots),
        ):
            for row in rows:
                picture(folder / subset / inner / row["image"], "grey", "JPEG")
            (folder / subset / labels).write_text(json.dumps(rows))


def hallusionbench_question(category, figure, number, gold, shown=True, visual="1"):
    """Return a question of HallusionBench."""
    return {
        "category": category,
        "subcategory": "chart ",
        "visual_input": visual,
        "set_id": "0",
        "figure_id": figure,
        "sample_note": "",
        "question_id": number,
        "question": "Is it so?",
        "gt_answer_details": "",
        "gt_answer": gold,
        "filename": f"./hallusion_bench/{category}/0_{figure}.png" if shown else None,
    }


def write_hallusionbench(folder):
    """Write five questions of HallusionBench, one of them about a chart that is not shown."""
    rows = [
        hallusionbench_question("VS", "0", "0", "1", shown=False, visual="0"),
        hallusionbench_question("VS", "1", "0", "1"),
        hallusionbench_question("VS", "2", "0", "0", visual="2"),
        hallusionbench_question("VD", "0", "0", "1"),
        hallusionbench_question("VD", "0", "1", "0"),
    ]
    for row in rows:
        if row["filename"]:
            picture(folder / row["filename"], "white")
    (folder / "HallusionBench.json").write_text(json.dumps(rows))
