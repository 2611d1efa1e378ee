# How a run ends: one that leaves requests without answers has not succeeded, and one that fails says what waits for it.


def answers_of_study():
    """Return the files of answers that the study needs, each with who answers what."""
    return {
        path: (model, suite)
        for suite in plan.suites
        for model in plan.models
        for path in (
            responses_of(suite, [model])
            if model in plan.at_once
            else expand(
                "results/responses/{suite}/{model}/{shard}.parquet",
                suite=suite,
                model=model,
                shard=plan.shards(suite, model),
            )
        )
    }


onsuccess:
    if plan.forms.awaited():
        print(plan.forms.awaited(), file=sys.stderr)
    if sentence := missing_answers(answers_of_study()):
        raise WorkflowError(sentence)


onerror:
    if sentence := missing_answers(answers_of_study()):
        print(sentence, file=sys.stderr)
    if sentence := missing_files(answers_of_study()):
        print(sentence, file=sys.stderr)
