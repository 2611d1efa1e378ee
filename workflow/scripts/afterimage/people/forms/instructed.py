"""Attention checks that fit every form: a task's own picture and options, with the answer named in the question."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from afterimage.contract.task import Choice, Task
from afterimage.items.form_texts import fill


def instructed_checks(
    tasks: Sequence[Task],
    number: int,
    instruction: Mapping[str, str],
    rank: Callable[[str], str],
) -> Iterator[Task]:
    """Yield tasks that ask for a named option, made from ``tasks`` in turn; none from tasks without a choice.

    Args:
        tasks: In the order in which they are taken.
        number: How many to make.
        instruction: By language, the question, with ``{option}`` in the place of the option's text.
        rank: Gives a text by which the option is drawn.
    """
    suitable = [task for task in tasks if any(isinstance(field, Choice) for field in task.fields)]
    for index in range(number if suitable else 0):
        name = f"attention/{index + 1}"
        task = suitable[index % len(suitable)]
        # One question is enough, and a sentence needs the whole width.
        asked = next(field for field in task.fields if isinstance(field, Choice))
        ranks = {option.id: rank(f"{name}/{option.id}") for option in asked.options}
        option = min(asked.options, key=lambda option, ranks=ranks: ranks[option.id])
        text = {code: fill(said, code, option=option.text) for code, said in instruction.items()}
        yield replace(
            task,
            id=name,
            fields=(replace(asked, text=text, layout="list", optional=False),),
            group="",
            about={},
            expected={asked.id: option.id},
        )
