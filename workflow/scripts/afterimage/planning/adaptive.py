"""What cannot be had together with questions that are chosen one after the other. Read whenever a plan is made."""

from afterimage.contract.adaptive import AdaptiveSettings
from afterimage.errors import AfterimageError, Faults, config_path, fault
from afterimage.models.openai_compatible.options import BATCH
from afterimage.planning.study import Study


def require_adaptable(study: Study) -> None:
    """Make sure that every model of a study can be asked its adaptive suites question after question.

    Raises:
        AfterimageError: A model or a setting needs all questions at once; a fault a line.
    """
    faults = Faults()
    for suite, settings in study.suites.items():
        if isinstance(settings, AdaptiveSettings) and settings.adaptive is not None:
            for words in _reasons(study, suite):
                faults.add(_fault(suite, words))
    faults.raise_any()


def _fault(suite: str, words: str) -> AfterimageError:
    return fault(config_path(f"suites.{suite}.adaptive"), words)


def _reasons(study: Study, suite: str) -> list[str]:
    reasons = []
    for name, entry in study.models.items():
        if entry.backend == "recorded":
            reasons.append(
                f"model '{name}' has recorded answers, of which none can be asked for; expected a study without it, "
                "or no adaptive."
            )
        if entry.client.get("mode") == BATCH:
            reasons.append(
                f"model '{name}' is asked in mode batch, and each question here waits for the answer before it; "
                "expected mode online."
            )
    if suite in study.probes:
        reasons.append(f"found beside suites.{suite}.probes; expected one of the two.")
    if study.judge is not None and suite in study.judge.unread:
        reasons.append(f"found with '{suite}' among judge.unread; expected one of the two.")
    return reasons
