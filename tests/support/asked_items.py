"""Items that no stimulus is behind, for a model to be asked."""


def item(number):
    return {
        "item_id": f"ebbinghaus_A_fake/{number}",
        "suite": "illusion_vqa",
        "stimulus_id": "ebbinghaus_A_fake",
        "figure": "ebbinghaus",
        "prompt": "zero_shot",
        "question": "actual",
        "messages": [
            {
                "role": "user",
                "parts": [
                    {"type": "image", "text": None, "image": 0},
                    {"type": "text", "text": f"Question {number}", "image": None},
                ],
            }
        ],
        "images": [{"pixels_sha256": "1" * 64, "png": b"pixels"}],
        "answer_type": "choice",
        "options": [{"option_id": "left", "text": "Left."}, {"option_id": "same", "text": "Same."}],
        "key": "left",
        "factors": {"condition": "fake"},
    }
