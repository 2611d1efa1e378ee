"""What a study has judged and reviewed, and who judges.

The Snakefile imports this module whenever it is parsed; besides the standard library it needs YAML only.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from afterimage.contract.model import Backend, load_backend
from afterimage.contract.suite import Judge, People, Suite
from afterimage.errors import AfterimageError, Faults, config_key, config_path, fault
from afterimage.grading.judge.prompts import chosen, load_sets, require_set
from afterimage.planning.configuration import require_files
from afterimage.planning.study import Study, StudyJudge

#: Where judges' prompts are, from the folder of the Snakefile.
PROMPT_FILE = "resources/prompts/judges.yaml"
#: The result of a suite's form by which people review on pages (docs/human_forms.md).
REVIEW_RESULT = "review"
#: The result of a suite's form by which people score descriptions on pages.
SCORES_RESULT = "description_scores"
#: Without a judge the prompts still say which answers are right or wrong and which are rated.
_DEFAULT_SET = "paper"


# Of suites whose own readers read: what these leave unread.
_READER = Judge(("unread",), "afterimage.grading.judge.unread:fields")


class Judging:
    """The suites whose answers can be judged, the judge and the reviews.

    Attributes:
        judged: Suite to how its answers are judged.
        prompts: Suite to the judge's prompts that its answers are put into, by id.
        review: Suite to what the study says of its review.
        journal: The folder in which every vote is kept.
        suites: Suite to the ids of the judge's prompts that its answers are put into.
        unread: Those in which only answers that their readers left unread are judged and reviewed.
        judge: Who judges; None without a judge.
    """

    def __init__(
        self,
        study: Study,
        suites: Mapping[str, Suite],
        prompts: Path,
        people: Mapping[str, People],
    ) -> None:
        """Check judge, prompts and reviews.

        Args:
            study: The study.
            suites: Name to suite.
            prompts: The file of judges' prompts.
            people: Suite to what has come back from its pages.

        Raises:
            AfterimageError: The judge cannot judge, a prompt is missing, or a suite with a review has nothing to
                review.
        """
        self._study = study
        self._people = people
        self.review, self.journal = study.review, Path(study.journal)
        self.judged: dict[str, Judge] = {
            name: suite.judge for name, suite in suites.items() if suite.judge is not None
        }
        for name, judge in self.judged.items():
            if not judge.prompts:
                raise AfterimageError(
                    f"suite '{name}': judge names no prompts; expected the ids of the judges' prompts that its answers "
                    "are put into."
                )
        self.unread = self._suites_read(study, suites)
        self.judged |= dict.fromkeys(self.unread, _READER)
        self.suites: dict[str, tuple[str, ...]] = {
            name: judge.prompts for name, judge in self.judged.items()
        }
        self.judge = study.judge
        faults = Faults()
        with faults.noted():
            self._require_model()
        name = _DEFAULT_SET if self.judge is None else self.judge.prompts
        sets = load_sets(prompts) if self.suites or self.judge else {}
        with faults.noted():
            if self.judge is not None:
                require_set(sets, name)
            self.prompts = {
                suite: chosen(sets, name, ids, suite) for suite, ids in self.suites.items()
            }
        for suite, review in study.review.items():
            if suite in self.unread and review["scores"]:
                faults.add(
                    fault(
                        config_path(f"review.{suite}.scores"),
                        "no answers of this suite are scored; expected none.",
                    )
                )
            for key in ("answers", "scores"):
                with faults.noted():
                    require_files(review[key], config_path(f"review.{suite}.{key}"))
        faults.raise_any()

    def judged_models(self, suite: str) -> list[str]:
        """Return the models whose answers to a suite the judge sees.

        About images whose facts are known, a reference judge sees those of the reference responders, and any other
        judge those of responders made to be judged, in addition to those of the models.
        """
        if self.judge is None or suite not in self.suites:
            return []
        judge = self.judged[suite]
        known = judge.reference is not None and judge.has_facts(self._study.suites[suite])
        if self.is_reference:
            return [*self._models(lambda backend: known and backend.reference)]
        return [*self._models(lambda backend: (known and backend.judged) or not backend.reference)]

    def reviewed_models(self, suite: str) -> list[str]:
        """Return the models whose answers people may look at: what a reference responder says is known."""
        return [*self._models(lambda backend: not backend.reference)]

    @property
    def is_reference(self) -> bool:
        """Whether a reference judge judges."""
        return self.judge is not None and load_backend(self.judge.entry.backend).judges

    def _models(self, chosen: Callable[[Backend], bool]) -> Iterator[str]:
        for name, entry in self._study.models.items():
            if chosen(load_backend(entry.backend)):
                yield name

    def reviews(self, suite: str) -> list[str]:
        """Return the files with people's decisions: the configured ones, and what pages have brought back."""
        return self._given(suite, "answers", REVIEW_RESULT)

    def scores(self, suite: str) -> list[str]:
        """Return the files with people's scores: the configured ones, and what pages have brought back."""
        return self._given(suite, "scores", SCORES_RESULT)

    @property
    def validations(self) -> list[str]:
        """The tables that compare the judge's scores with people's."""
        return [
            f"{suite}_judge_validation"
            for suite in self.suites
            if suite not in self.unread and self.judged_models(suite) and self.scores(suite)
        ]

    @property
    def chosen_judge(self) -> StudyJudge:
        """The judge, of a study that has one."""
        if self.judge is None:
            raise AfterimageError("config key 'judge' names no model; expected one.", "judge")
        return self.judge

    def client(self) -> str:
        """Return how the judge is asked, as JSON; each job gets an equal part of ``max_cost``."""
        jobs = sum(len(self.judged_models(suite)) for suite in self.suites)
        return self.chosen_judge.entry.asking(1 / max(jobs, 1))

    def _suites_read(self, study: Study, suites: Iterable[str]) -> tuple[str, ...]:
        """Return the suites in which judge and people read only what was left unread."""
        named = () if study.judge is None else study.judge.unread
        for suite in named:
            if suite in self.judged:
                raise fault(
                    config_key("judge.unread"),
                    f"the judge sees all answers of the suite '{suite}' anyway; expected "
                    "suites whose answers parsers read.",
                )
        return tuple(
            name
            for name in dict.fromkeys([*named, *study.review])
            if name in suites and name not in self.judged
        )

    def _given(self, suite: str, key: str, result: str) -> list[str]:
        configured = self.review.get(suite, {}).get(key, [])
        returned = self._people.get(suite, {}).get(result)
        return [*configured, *([returned] if returned else [])]

    def _require_model(self) -> None:
        for name in self._models(lambda backend: backend.judges):
            raise fault(
                config_key("models"),
                f"'{name}' is a reference judge, which answers nothing; expected it as "
                "'judge.model' alone.",
            )
        if self.judge is None:
            return
        if self.is_reference:
            if self.judge.unread:
                raise fault(
                    config_key("judge.unread"),
                    f"the reference judge '{self.judge.name}' knows images, and reads no "
                    "answers of models; expected none, or another 'judge.model'.",
                )
            return
        if load_backend(self.judge.entry.backend).reference:
            what = "is a reference responder, which judges nothing"
        elif self.judge.entry.backend == "recorded":
            what = "has recorded answers, which judge nothing else"
        else:
            return
        raise fault(
            config_key("judge.model"),
            f"'{self.judge.name}' {what}; expected a model that answers texts.",
        )
