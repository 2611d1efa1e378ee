"""What answers take: tokens by a model's own average where it has answered, by its provider's rule where not."""

from collections.abc import Iterable

from afterimage.commands.forecast.wanted import Wanted
from afterimage.contract.model import ModelEntry


class Means:
    """What an answer of the model takes on average, as far as its answers tell."""

    def __init__(self, entry: ModelEntry, suites: Iterable[Wanted], answer_tokens: float) -> None:
        """Average over the answers that there are.

        Args:
            entry: The model.
            suites: All suites' answers.
            answer_tokens: Tokens of an answer, where no answer of the model tells.
        """
        self._rule = entry.image_tokens
        self._detail = entry.settings.get("image_detail")
        self._answer_tokens = answer_tokens
        self._whole = self._of(suites)

    def estimated(self, suite: Wanted, shard: int, number: int) -> float:
        """Return the tokens of a prompt by the provider's rule."""
        content = suite.contents[shard].by_number[number]
        return content.prompt_tokens(self._rule, self._detail, self._answer_tokens)

    def of(self, suite: Wanted) -> tuple[float, float, bool]:
        """Return counted tokens per estimated one, tokens of an answer, and whether either was measured.

        Of this suite if it has answers, else of all.
        """
        ratio, answer = self._of([suite])
        whole_ratio, whole_answer = self._whole
        known = (ratio or whole_ratio, answer or whole_answer)
        return known[0] or 1.0, known[1] or self._answer_tokens, known != (None, None)

    def _of(self, suites: Iterable[Wanted]) -> tuple[float | None, float | None]:
        counted = estimated = 0.0
        answers: list[int] = []
        for suite in suites:
            for place, reply in suite.replies.items():
                if reply.prompt_tokens is not None:
                    counted += reply.prompt_tokens
                    estimated += self.estimated(suite, *suite.places[place])
                if reply.completion_tokens is not None:
                    answers.append(reply.completion_tokens)
        ratio = counted / estimated if counted else None
        return ratio, sum(answers) / len(answers) if answers else None
