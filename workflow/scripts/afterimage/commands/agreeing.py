"""Asking before something is done that is not easily undone."""


def agreed(question: str, is_given: bool = False) -> bool:
    """Ask, and return whether somebody has agreed; who cannot answer, since no terminal is there, has not.

    Args:
        question: Without what may be answered.
        is_given: Whether agreement was given before (``--yes``), so that nothing is asked.
    """
    if is_given:
        return True
    try:
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        print()
        return False
