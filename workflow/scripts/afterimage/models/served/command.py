"""The command of a model's server: its words, and the placeholders for port, host and model.

Imported whenever a configuration names a served model; standard library only.
"""

import json
import re
import shlex
from collections.abc import Mapping, Sequence

from afterimage.errors import AfterimageError, fault, unknown_name

#: Placeholders of a command, and the values that replace them.
PLACEHOLDERS = {
    "port": "the port that the job found free",
    "host": "the address to listen at, this machine's own",
    "model": "the entry's model_id",
    "revision": "the entry's revision",
    "adapter": "the folder of the entry's adapter",
}
# Other braces stay unchanged: servers take JSON in their options.
_PLACEHOLDER = re.compile(r"\{([A-Za-z_]+)\}")
# Options with adapters, each as NAME=PATH or as JSON with a name (vLLM, SGLang).
_ADAPTERS = re.compile(r"--lora[-_](?:modules|paths)")
_SECRET = re.compile(
    r"(^|[_-])(api[_-]?key|token|password|secret|authorization)(=|$)", re.IGNORECASE
)


def checked_command(command: str | Sequence[str], location: str) -> list[str]:
    """Return a command as its words, with placeholders.

    Args:
        command: The words, or one line in shell syntax; no shell runs it.
        location: File and key, as errors name them.

    Raises:
        AfterimageError: The line cannot be split into words, or the command has no port, an unknown placeholder or
            something that looks like a key.
    """
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise fault(location, f"not a command ({error}): {command!r}.") from None
    if not words:
        raise fault(location, "is empty; expected the command that starts a server.")
    for word in words:
        for name in _PLACEHOLDER.findall(word):
            if name not in PLACEHOLDERS:
                raise unknown_name("placeholder", name, PLACEHOLDERS, location)
        if _SECRET.search(word):
            raise fault(
                location,
                "what looks like a key or password stands in the command; expected it in an environment "
                "variable, which the server inherits.",
            )
    if not any("{port}" in word for word in words):
        raise fault(
            location,
            "found no '{port}'; expected it where the server is told its port, such as --port {port}.",
        )
    return words


def adapter_names(command: Sequence[str]) -> list[str]:
    """Return the names of adapters in a command's options."""
    names, is_within = [], False
    for word in command:
        option, _, rest = word.partition("=")
        if word.startswith("-"):
            is_within = bool(_ADAPTERS.fullmatch(option))
            word = rest
        if is_within and word:
            names.append(_adapter_name(word))
    return names


def _adapter_name(word: str) -> str:
    try:
        return str(json.loads(word).get("name") or word)
    except (ValueError, AttributeError):
        return word.partition("=")[0]


def filled(command: Sequence[str], values: Mapping[str, object]) -> list[str]:
    """Return a command with port, host, model, revision and adapter filled in.

    Raises:
        AfterimageError: It has a placeholder for a revision or an adapter, and there is none.
    """

    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name not in values:
            return match[0]
        if values[name] is None:
            raise AfterimageError(
                f"key 'serve.command' asks for the model's '{name}', which its entry does not name."
            )
        return str(values[name])

    return [_PLACEHOLDER.sub(value, word) for word in command]
