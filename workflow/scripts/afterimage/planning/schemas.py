"""A value checked against its JSON Schema and completed with its defaults: all faults at once, as sentences.

The schemas of suites' settings are written for readers, too: ``python -m afterimage.planning.schemas``.
"""

import copy
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from afterimage.contract.finding import load_suite, suite_names
from afterimage.contract.settings import schema_of
from afterimage.errors import AfterimageError, Faults, Setting, fault, unknown_name
from afterimage.files.yaml import read_yaml_mapping, shown

_TYPE_WORDS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "nothing (null)",
    "number": "a number",
    "object": "a mapping",
    "string": "a text",
}


#: Checks with JSON Schema, but for one thing: 30.0 is no whole number, since nothing can be counted with it.
STRICT = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    ),
)


def completed(
    value: object,
    schema: Mapping[str, Any],
    where: Setting,
    elsewhere: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return a copy of ``value`` that follows ``schema``, with the schema's defaults filled in.

    Args:
        value: What was found.
        schema: The JSON Schema.
        where: What the sentences begin with.
        elsewhere: Keys that belong in another place, to that place.

    Raises:
        AfterimageError: All faults, a line each, with key, what was found and what was expected.
    """
    result = copy.deepcopy(value)
    if not isinstance(result, dict):
        raise fault(where, f"found {shown(value)}; expected a mapping of keys to values.")
    fill_defaults(result, schema)
    invalid = sorted(
        STRICT(schema).iter_errors(result),
        key=lambda error: (
            list(map(str, error.absolute_path)),
            error.validator != "additionalProperties",
        ),
    )
    # Of several faults of one value the first says enough: of an empty text not also that it fits no pattern.
    by_path = {str(list(error.absolute_path)) + _which(error): error for error in invalid[::-1]}
    faults = Faults()
    for error in reversed(by_path.values()):
        for each in _faults_of(error, where, elsewhere or {}):
            faults.add(each)
    faults.raise_any()
    return result


def without_faults(value: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a mapping without the keys, at any depth, that hold faults; what is missing stays missing."""
    result = copy.deepcopy(dict(value))
    while faults := [
        error
        for error in STRICT(schema).iter_errors(result)
        if error.absolute_path or error.validator != "required"
    ]:
        _leave_out(result, faults[0])
    return result


def _leave_out(value: dict[str, Any], error: jsonschema.ValidationError) -> None:
    """Remove the unknown keys that an error is about, or the key whose value it is about."""
    path = list(error.absolute_path)
    names = set(error.instance) if error.validator == "additionalProperties" else set()
    names -= set(error.schema.get("properties", ()))
    if not names:
        while isinstance(path[-1], int):
            path.pop()
        names = {path.pop()}
    inner: Any = value
    for step in path:
        inner = inner[step]
    for name in names:
        del inner[name]


def _which(error: jsonschema.ValidationError) -> str:
    """Tell apart the faults of a mapping that have a key each."""
    return error.message if error.validator in ("required", "additionalProperties") else ""


@cache
def read_schema(path: Path) -> dict[str, Any]:
    """Read a JSON Schema that is written as YAML."""
    return read_yaml_mapping(path, "the schemas")


def fill_defaults(value: dict[str, Any], schema: Mapping[str, Any]) -> None:
    """Fill in the defaults of a schema, at all depths."""
    for key, part in schema.get("properties", {}).items():
        if key not in value and "default" in part:
            value[key] = copy.deepcopy(part["default"])
        if isinstance(value.get(key), dict):
            fill_defaults(value[key], part)


def _faults_of(
    error: jsonschema.ValidationError, where: Setting, elsewhere: Mapping[str, str]
) -> list[AfterimageError]:
    """Return the faults behind a schema error, one for each unknown or missing key."""
    key = _key(error.absolute_path)
    setting = where.inside(key) if key else where
    if error.validator == "additionalProperties":
        known = error.schema.get("properties", {})
        unknown = [f"{key}.{name}" if key else name for name in error.instance if name not in known]
        return [
            AfterimageError(
                f"{where}: unknown key '{name}': did you mean '{elsewhere[name]}.{name}'?",
                where.below(f".{name}").key,
            )
            if name in elsewhere
            else unknown_name("key", name, _full(key, known), where)
            for name in unknown
        ]
    if error.validator == "required":
        return [
            AfterimageError(
                f"{setting}: key '{name}' is missing{_description(error.schema, name)}.",
                setting.inside(name).key,
            )
            for name in error.validator_value
            if name not in error.instance
        ]
    if error.validator == "enum":
        return [unknown_name("value", error.instance, map(str, error.validator_value), setting)]
    return [fault(setting, _words(error))]


def _words(error: jsonschema.ValidationError) -> str:
    # What may be a key in the wrong place is not repeated.
    found = "what is not shown" if error.schema.get("writeOnly") else shown(error.instance)
    match error.validator:
        case "type":
            allowed = error.validator_value
            words = [
                _TYPE_WORDS[name] for name in ([allowed] if isinstance(allowed, str) else allowed)
            ]
            return f"found {found}; expected {' or '.join(words)}."
        case "minLength":
            return "found an empty text; expected a text."
        case "minItems" | "minProperties":
            return f"is empty ({found}); expected at least {error.validator_value} entry."
        case "uniqueItems":
            twice = next(item for item in error.instance if error.instance.count(item) > 1)
            return f"{shown(twice)} is named twice; expected each once."
        case "minimum":
            return f"found {found}; expected at least {error.validator_value}."
        case "maximum":
            return f"found {found}; expected at most {error.validator_value}."
        case "multipleOf":
            return f"found {found}; expected a multiple of {error.validator_value}."
        case "exclusiveMinimum":
            return f"found {found}; expected more than {error.validator_value}."
        case "exclusiveMaximum":
            return f"found {found}; expected less than {error.validator_value}."
        case "pattern" | "const":
            return f"found {found}; expected: {error.schema.get('description', error.message)}"
    return f"found {found}; {error.message}."


def _full(key: str, names: Iterable[str]) -> list[str]:
    return [f"{key}.{name}" if key else name for name in names]


def _description(schema: Mapping[str, Any], key: str) -> str:
    part = schema.get("properties", {}).get(key, {})
    values = f"; expected one of: {', '.join(map(str, part['enum']))}" if "enum" in part else ""
    return f" ({part['description'].rstrip('.')}){values}" if "description" in part else values


def _key(path: Iterable[object]) -> str:
    key = ""
    for part in path:
        key += f"[{part}]" if isinstance(part, int) else f".{part}" if key else str(part)
    return key


# ---- the suites' own, for readers ----

#: Where they are, from this file.
FOLDER = Path(__file__).parents[3] / "schemas" / "suites"


def schema_text(name: str) -> str:
    """Return the schema of a suite's settings as YAML."""
    suite = load_suite(name)
    schema = schema_of(suite.settings, name, suite.description)
    text: str = yaml.safe_dump(schema, sort_keys=False, allow_unicode=True, width=120)
    return text


def write_schemas() -> None:
    """Write the schema of every suite."""
    for name in suite_names():
        (FOLDER / f"{name}.schema.yaml").write_text(schema_text(name), encoding="utf-8")


if __name__ == "__main__":
    write_schemas()
