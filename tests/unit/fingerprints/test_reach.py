"""What a definition reaches: the rules, each by a package of a few lines; on the safe side where nobody can tell."""

import textwrap
from pathlib import Path

import pytest

from afterimage.fingerprints.reach import NAMED_BY_PLANNING, Node, Reach
from afterimage.fingerprints.scripts import Scripts


@pytest.fixture
def written(tmp_path):
    """Write modules of a package, given by name with their text."""

    def write(**modules: str) -> Path:
        package = tmp_path / "afterimage"
        for name, text in {"__init__": "", **modules}.items():
            path = package / f"{name.replace('__in__', '/')}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text))
        return tmp_path

    return write


def reached(folder: Path, part: str) -> set[str]:
    """Return what a part reaches as ``module.name``; ``module!`` for what always counts in a module."""
    reach = Reach(Scripts(folder))
    nodes = reach.closure(reach.begin(f"afterimage.{part}"))
    return {_short(node) for node in nodes if reach.meaning(node) and " " not in node.key}


def _short(node: Node) -> str:
    module = node.file.removeprefix("afterimage/").removesuffix(".py")
    module = module.removesuffix("/__init__").replace("/", ".")
    return f"{module}.{node.key}" if node.key else f"{module}!"


def code(folder: Path, part: str) -> list[str]:
    reach = Reach(Scripts(folder))
    return reach.digests(reach.begin(f"afterimage.{part}"))


# ---- 1: every name that it reads ----


def test_names_of_its_module_and_of_others_are_followed(written):
    folder = written(
        one="from afterimage.two import f as g\nA = 1\nB = 2\ndef run(): return g(A)\n",
        two="from afterimage import three\ndef f(x): return three.h(x)\ndef other(): pass\n",
        three="def h(x): return x\ndef i(): pass\n",
    )
    assert reached(folder, "one:run") == {"one.run", "one.A", "two.f", "three.h"}


def test_a_name_that_a_function_binds_itself_is_its_own(written):
    folder = written(
        one="""
        a = b = c = d = e = f = g = h = i = 1

        def run(a, *b, **c):
            d = a
            with open(b) as e:
                for f in c:
                    pass
            try:
                g = [h for h in d]
            except OSError as i:
                return i
            return e, f, g
        """
    )
    assert reached(folder, "one:run") == {"one.run"}


@pytest.mark.parametrize(
    "body",
    [
        "return a",
        "return [a for a in a]",
        "[a for a in ()]\n    return a",
        "return lambda b=a: b",
        "def inner(x=a): a = 1\n    return inner",
        "class A:\n        a = 1\n        b = a\n    return A",
        "global a\n    a += 1",
        "return f'{a}'",
        "match a:\n        case b: return b",
        "return (lambda: a)()",
    ],
)
def test_a_name_that_may_be_the_module_s_is_followed(written, body):
    folder = written(one=f"a = 1\ndef run():\n    {body}\n")
    assert "one.a" in reached(folder, "one:run")


def test_an_attribute_of_a_value_is_not_mistaken_for_a_module_s(written):
    folder = written(
        one="from afterimage.two import VALUE\ndef run(): return VALUE.other.more\n",
        two="VALUE = 1\nother = 2\n",
    )
    assert reached(folder, "one:run") == {"one.run", "two.VALUE"}


def test_what_a_package_gives_on_is_followed_to_its_origin(written):
    folder = written(
        one="from afterimage import room\ndef run(): return room.f()\n",
        room__in____init__="from afterimage.room.inner import g as f\nfrom afterimage.room import inner\n",
        room__in__inner="def g(): pass\ndef other(): pass\n",
    )
    assert reached(folder, "one:run") == {"one.run", "room.inner.g"}


def test_a_chain_leads_through_packages_and_modules_that_others_import(written):
    folder = written(
        one="import afterimage.room.inner\ndef run(): return afterimage.room.inner.g()\n",
        two="from afterimage import three\ndef run(): return three.inner.g()\n",
        three="from afterimage.room import inner\n",
        room__in____init__="",
        room__in__inner="def g(): pass\ndef other(): pass\n",
    )
    assert reached(folder, "one:run") == {"one.run", "room.inner.g"}
    assert reached(folder, "two:run") == {"two.run", "room.inner.g"}


def test_who_imports_another_thing_under_the_same_name_means_something_else(written):
    two = "def f(): return 1\ndef g(): return 2\n"
    run = "def run(): return a, b\n"
    before = code(
        written(one=f"from afterimage.two import f as a, g as b\n{run}", two=two), "one:run"
    )
    after = code(
        written(one=f"from afterimage.two import g as a, f as b\n{run}", two=two), "one:run"
    )
    assert before != after


def test_another_package_under_the_same_name_means_something_else(written):
    before = code(written(one="import json as j\ndef run(): return j.dumps\n"), "one:run")
    assert before != code(written(one="import orjson as j\ndef run(): return j.dumps\n"), "one:run")
    more = "import json as j\nimport os\ndef run(): return j.dumps\ndef other(): return os\n"
    assert before == code(written(one=more), "one:run")


# ---- 2: what belongs to the statement ----


def test_decorators_defaults_annotations_and_bases_are_followed(written):
    folder = written(
        one="""
        from afterimage.two import A, B, C, D, E, F, G

        @A
        def run(x: B = C, *, y=D) -> E: pass

        class K(F, metaclass=G): pass
        """,
        two="\n".join(f"{name} = 1" for name in "ABCDEFGH"),
    )
    assert reached(folder, "one:run") == {"one.run", *(f"two.{name}" for name in "ABCDE")}
    assert reached(folder, "one:K") == {"one.K", "two.F", "two.G"}


# ---- 3: imports inside functions ----


def test_an_import_inside_a_function_is_followed_by_what_is_read_of_it(written):
    folder = written(
        one="""
        def run():
            from afterimage import two
            from afterimage.three import f as g
            def inner():
                return two.A, g
            return inner
        def other():
            from afterimage.two import B
            return B
        """,
        two="A = 1\nB = 2\n",
        three="def f(): pass\n",
    )
    assert reached(folder, "one:run") == {"one.run", "two.A", "three.f"}
    assert reached(folder, "one:other") == {"one.other", "two.B"}


# ---- 4: what always counts ----

ALWAYS = {
    "a call": "print(1)\n",
    "a condition": "if print:\n    X = 1\n",
    "an attempt": "try:\n    import json\nexcept ImportError:\n    json = None\n",
    "with": "with open('a') as X: pass\n",
    "a loop": "for X in (): pass\n",
    "adding": "A = 1\nA += 1\n",
    "an item": "A = {}\nA[1] = 2\n",
    "an attribute of another package": "import json\njson.more = 1\n",
    "two that bind one name": "A = 1\nA = 2\n",
    "an item in a value": "A = {}\nB = A.setdefault(1, 2)\n",
}


@pytest.mark.parametrize("what", ALWAYS)
@pytest.mark.parametrize("importing", ["from afterimage.two import f", "import afterimage.two"])
def test_statements_with_effects_count_for_whoever_loads_the_module(written, what, importing):
    folder = written(
        one="from afterimage.between import f\ndef run(): pass\ndef other(): return f\n",
        between=f"{importing}\ndef f(): pass\n",
        two=f"def f(): pass\n{ALWAYS[what]}",
    )
    assert "two!" in reached(folder, "one:run")


def test_what_only_type_checkers_run_does_not(written):
    folder = written(
        one="from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from afterimage.two import A\n"
        "def run() -> 'A': pass\n",
        two="A = print()\nprint()\n",
    )
    assert reached(folder, "one:run") == {"one.run"}


def test_what_a_function_loads_counts_for_that_function(written):
    folder = written(
        one="def run(): import afterimage.two\ndef other(): pass\n", two="print(1)\nA = 1\n"
    )
    assert reached(folder, "one:run") == {"one.run", "two!"}
    assert reached(folder, "one:other") == {"one.other"}


@pytest.mark.parametrize(
    "registering",
    [
        "def register(f):\n    ALL[f] = 1\n    return f\n",
        "def register(f):\n    ALL.update({f: 1})\n    return f\n",
        "def register(f): return deeper(f)\ndef deeper(f):\n    global ALL\n    ALL = f\n",
        "def register(f, into=ALL):\n    into.setdefault(f)\n    return f\n",
        "class register:\n    @classmethod\n    def more(cls): cls.all = 1\n    def __init__(self, f): self.more()\n",
    ],
)
def test_a_definition_that_changes_another_value_counts_as_soon_as_it_is_loaded(
    written, registering
):
    folder = written(
        two=f"ALL = {{}}\n{registering}def run(): return ALL\n",
        one="from afterimage.two import register, run\n@register\ndef f(): pass\ndef g(): return run\n",
    )
    assert "one!" in reached(folder, "one:g")


def test_a_subclass_that_its_base_class_notes_counts_as_soon_as_it_is_loaded(written):
    base = "class Base:\n    all = []\n    def __init_subclass__(cls): cls.all.append(cls)\n"
    folder = written(one=f"{base}class Other(Base): pass\ndef run(): return Base.all\n")
    assert "one!" in reached(folder, "one:run")


def test_values_that_calls_make_count_alone(written):
    folder = written(
        one="""
        import re
        from dataclasses import dataclass
        from functools import cache
        from afterimage.two import made

        A = re.compile("a")
        B = made(1)

        @dataclass(frozen=True)
        class C:
            x: int

            def __post_init__(self):
                self.y = 1

        D = C(1)

        @cache
        def f(): pass

        def run(): pass
        """,
        two="def made(x):\n    found = []\n    found.append(x)\n    found[0] = 1\n    return found\n",
    )
    assert reached(folder, "one:run") == {"one.run"}
    assert reached(folder, "one:D") == {"one.D", "one.C"}


# ---- 5: all of a module, where it cannot be told ----


@pytest.mark.parametrize(
    "text",
    [
        "from afterimage import two\ndef run(): return two\n",
        "import afterimage.two as t\ndef run(): return vars(t)\n",
        "from afterimage import two\ndef run(name): return getattr(two, name)\n",
        "from afterimage import two\ndef run(): return two.__dict__\n",
        "from afterimage import two\ndef run(): return two.hidden\n",
        "from afterimage.two import *\ndef run(): return A\n",
        "from afterimage.three import two\ndef run(): return two\n",
        "from afterimage.four import hidden\ndef run(): return hidden\n",
        "from afterimage.five import A\ndef run(): return A\n",
    ],
)
def test_all_of_a_module_counts_where_nobody_can_tell(written, text):
    folder = written(
        one=text,
        two="A = 1\nB = 2\n",
        three="from afterimage import two\n",
        four="from afterimage import two\ndef __getattr__(name): return getattr(two, name)\n",
        five="from afterimage.two import *\n",
    )
    assert {"two.A", "two.B"} <= reached(folder, "one:run")


@pytest.mark.parametrize(
    "text",
    ["globals()['A']", "eval('A')", "exec('A')", "sys.modules[__name__].A", "[vars() for _ in ()]"],
)
def test_all_of_its_own_module_counts_for_who_may_find_any_name(written, text):
    folder = written(one=f"import sys\nA = 1\nX = {text}\ndef run(): return X\n")
    assert "one.A" in reached(folder, "one:run")


@pytest.mark.parametrize(
    "finding",
    [
        "from importlib import import_module\ndef f(name): return import_module(name)\n",
        "import importlib\ndef f(name): return importlib.import_module(name)\n",
        "def f(name):\n    from importlib import import_module as i\n    return i(name)\n",
        "def f(name): return __import__(name)\n",
    ],
)
def test_all_of_a_job_s_modules_counts_where_something_imports_by_a_computed_name(written, finding):
    folder = written(
        one="from afterimage.two import f\ndef run(): return f\ndef alone(): pass\n",
        two=finding,
        three="A = 1\nB = 2\n",
    )
    reach = Reach(Scripts(folder))
    part = "afterimage.three:A"
    assert Node("afterimage/three.py", "B") in reach.meanings(["afterimage.one:run", part])
    assert Node("afterimage/three.py", "B") not in reach.meanings(["afterimage.one:alone", part])


def test_what_planning_names_is_known_and_nothing_else_imports_by_name_but_one_suite(scripts):
    sources = Scripts(scripts)
    found = {
        Node(file, definition.names)
        for file in sorted(path.relative_to(scripts).as_posix() for path in scripts.rglob("*.py"))
        if not file.startswith(("afterimage/planning/", "afterimage/commands/"))
        for definition in sources.facts(file).definitions
        if definition.finds_modules
    }
    assert found - NAMED_BY_PLANNING == {
        Node("afterimage/contract/finding.py", "_imported"),
        # Others' packages, from which jobs are forked; nothing of this one.
        Node("preloaded/server.py", "preload"),
    }
    assert found >= NAMED_BY_PLANNING


def test_each_function_that_planning_names_is_defined(scripts):
    # A rename would widen the jobs that reach it; the test above, which finds new ones too, is long.
    sources = Scripts(scripts)
    for node in NAMED_BY_PLANNING:
        assert node.key in {definition.names for definition in sources.facts(node.file).definitions}


# ---- 6: order ----


def test_the_order_of_definitions_does_not_count(written):
    before = code(written(one="A = 1\ndef run(): return A\ndef b(): pass\n"), "one")
    assert before == code(written(one="def b(): pass\ndef run(): return A\nA = 1\n"), "one")


@pytest.mark.parametrize(
    ("first", "second"),
    [("A = 1\n", "A = 2\n"), ("print(1)\n", "print(2)\n"), ("A = 1\n", "A += 1\n")],
)
def test_the_order_of_what_always_counts_does(written, first, second):
    run = "def run(): return 1\n"
    before = code(written(one=f"{first}{second}{run}"), "one:run")
    assert before != code(written(one=f"{second}{first}{run}"), "one:run")


def test_definitions_that_reach_one_another_change_together(written):
    text = (
        "def f(): return g()\ndef g(): return f(), h()\ndef h(): return 1\ndef run(): return f()\n"
    )
    before = code(written(one=text), "one:run")
    assert before != code(written(one=text.replace("return 1", "return 2")), "one:run")
    assert reached(written(one=text), "one:g") == {"one.f", "one.g", "one.h"}


def test_effects_are_found_behind_functions_that_call_one_another(written):
    registry = """
        ALL = {}
        def f(x): return g(x) or h(x)
        def g(x): return f(x) or 1
        def h(x): ALL[x] = 1
        A = f
        """
    for first in "fg":
        folder = written(
            one=f"{textwrap.dedent(registry)}B = g(1)\nC = {first}(2)\ndef run(): pass\n"
        )
        reach = Reach(Scripts(folder))
        assert [one.names for one in reach.always("afterimage/one.py")] == ["B", "C"]


def test_effects_of_functions_that_always_count_are_seen(written):
    folder = written(
        one="ALL = {}\ntry:\n    def f(x): ALL[x] = 1\nfinally:\n    pass\n",
        two="from afterimage.one import f\nB = f(1)\ndef run(): pass\n",
    )
    assert "two!" in reached(folder, "two:run")
