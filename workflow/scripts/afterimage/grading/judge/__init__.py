"""Judging: a model of the registry says whether another model's answer is right, or how good it is.

A suite whose answers can be judged offers ``suites/<suite>/judging.py`` with

``PROMPTS = ("true_or_false", ...)``
    A literal: the ids of all its judge prompts. Each must be in the set of prompts that the configuration names
    (``resources/prompts/judges.yaml``).
``fields(item, response) -> JudgeFields | None``
    The texts for the prompt's slots, or None for an answer that needs no judge. ``item`` is a row of schema ITEM
    without its images (messages are there), ``response`` a row of schema RESPONSE.

``prompts``        the judges' prompts: read, checked, filled in
``judgements``     replies to votes, votes to verdicts (majority, mean), verdicts to grades
``unread``         answers that a suite's reader left unread
``injection``      answers that try to instruct the judge
``verdict_forms``  verdicts inside an answer
"""
