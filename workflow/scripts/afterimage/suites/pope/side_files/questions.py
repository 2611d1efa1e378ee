"""The sampled questions in the official form, with the tables that they were chosen by.

One JSON object per line in each question file, as in the authors' own; anybody's script for POPE reads them.
"""

import json
from collections.abc import Sequence

from afterimage.contract.stimulus import Json
from afterimage.files.whole import write_text
from afterimage.suites.pope.language.chinese import Chinese, question_text
from afterimage.suites.pope.language.english import English
from afterimage.suites.pope.record import read_image_records
from afterimage.suites.pope.sampling import eligible, sample, tables


def write(spec: Json, inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """Sample all strategies and write their questions, the frequencies and the companions.

    Args:
        spec: ``figure``, ``strategies``, ``pairs``, ``min_objects``, ``seed``, ``dataset``, ``template``, ``grammar``,
            ``english``, ``chinese``.
        inputs: The records of the images.
        outputs: A path per strategy, then that of the frequencies and that of the companions.
    """
    records = eligible(read_image_records(inputs[0])[spec["figure"]], spec["min_objects"])
    counted = tables(records)
    english, chinese = English(**spec["english"]), Chinese(**spec["chinese"])
    *question_paths, frequency_path, companion_path = outputs
    for strategy, path in zip(spec["strategies"], question_paths, strict=True):
        sampled = sample(records, strategy, spec["pairs"], counted, spec["seed"], spec["dataset"])
        lines = [
            {
                "question_id": question.question_id,
                "image": record.file_name,
                "text": question_text(
                    spec["template"], question.object, spec["grammar"], english, chinese
                ),
                "label": question.label,
            }
            for record in records
            for question in sampled.questions[record.image_id]
        ]
        write_text(path, "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines))
    write_text(frequency_path, json.dumps(counted.frequencies, ensure_ascii=False) + "\n")
    write_text(companion_path, json.dumps(counted.companions, ensure_ascii=False) + "\n")
