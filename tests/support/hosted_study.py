"""A small study of one illusion, answered over a real server, whose models another model of that server may judge."""

from collections import Counter

from workspace import SMALL_STUDY

SUITE = "illusion_vqa"
#: Items of one illusion: eight images, two questions.
ITEMS = 16


def hosted(api, model_id):
    """The entry of a model of the server."""
    settings = {"base_url": api.url, "temperature": 0.7}
    return {"backend": "openai_compatible", "model_id": model_id, "settings": settings}


def configure(study, api, **changes):
    """Write config.yaml: ``hosted`` and ``chance`` answer; ``judge`` is there to be named."""
    study.configure(
        {
            **SMALL_STUDY,
            "models": ["hosted", "chance"],
            "suites": {SUITE: {"illusions": ["ebbinghaus"], "prompts": ["zero_shot"]}},
            "own_models": {
                "hosted": hosted(api, "some-model"),
                "judge": hosted(api, "some-judge"),
            },
            **changes,
        }
    )


def asked(api):
    """How often each model was asked."""
    return Counter(call.body["model"] for call in api.calls)
