"""The pages of the Python interface: one for each door, rendered by autodoc.

Rules this module guarantees:

- Every package below `oncoproof` with an `__all__` is a door; so are `errors` and `seeds`. A room without
  one is for its neighbours alone and has no page.
- A name is described once, behind the door of the package that makes it; another door that opens it says
  where.
- A constant is told in the words below it in its source.
"""

import ast
import importlib
import inspect
import pkgutil
from functools import cache
from types import ModuleType, UnionType
from typing import get_args

import oncoproof
from reference_pages.markdown import cell, code, first_line, table
from reference_pages.records import words_of_constants

_FILES = ("oncoproof.errors", "oncoproof.seeds")
_CLOSED = "oncoproof.app"
"""The command line is for people: it has no Python interface."""


def door_pages() -> dict[str, str]:
    """One page for each door, and the page that lists them."""
    doors = [importlib.import_module(name) for name in (*_FILES, *_packages())]
    return {"api.md": _list_page(doors), **{_path(door): _door_page(door) for door in doors}}


@cache
def _packages() -> list[str]:
    found = pkgutil.walk_packages(oncoproof.__path__, "oncoproof.")
    open_ = (part.name for part in found if part.ispkg and not part.name.startswith(_CLOSED))
    return sorted(name for name in open_ if hasattr(importlib.import_module(name), "__all__"))


def _path(door: ModuleType) -> str:
    return f"api-{door.__name__.removeprefix('oncoproof.').replace('.', '-')}.md"


def _list_page(doors: list[ModuleType]) -> str:
    rows = ((f"[`{door.__name__}`]({_path(door)})", cell(first_line(door.__doc__))) for door in doors)
    paths = "\n".join(_path(door).removesuffix(".md") for door in doors)
    return (
        "# Python interface\n\n"
        "What stands here may be imported; anything else may change. Import from the door named, not from\n"
        f"the files behind it.\n\n{table(('door', 'opens'), rows)}\n"
        f"```{{toctree}}\n:hidden:\n\n{paths}\n```\n"
    )


def _door_page(door: ModuleType) -> str:
    head = f"# {door.__name__}\n\n{first_line(door.__doc__)}\n\n"
    names: list[str] | None = getattr(door, "__all__", None)
    if names is None:
        return f"{head}```{{eval-rst}}\n.. automodule:: {door.__name__}\n   :members:\n```\n"
    homes = {name: _home(door, name) for name in names}
    elsewhere = {name: home for name, home in homes.items() if home != door.__name__}
    own = "".join(_directive(door, name) for name in names if name not in elsewhere)
    return head + (_elsewhere(door, elsewhere) if elsewhere else "") + own


def _home(door: ModuleType, name: str) -> str:
    """The door behind which a name is described: the package of the module that makes it."""
    module = _maker(door, name).__name__
    while module not in _packages():
        module = module.rpartition(".")[0]
    return module if name in getattr(importlib.import_module(module), "__all__", ()) else door.__name__


def _maker(door: ModuleType, name: str) -> ModuleType:
    """The module that makes what a door opens, by the door's own imports."""
    for node in ast.parse(inspect.getsource(door)).body:
        if isinstance(node, ast.ImportFrom) and node.module and name in {each.name for each in node.names}:
            source = importlib.import_module(node.module)
            return _maker(source, name) if source.__name__ in _packages() else source
    return door


def _elsewhere(door: ModuleType, homes: dict[str, str]) -> str:
    rows = (
        (
            code(name),
            cell(first_line(getattr(door, name).__doc__)),
            f"[`{home}`]({_path(importlib.import_module(home))})",
        )
        for name, home in homes.items()
    )
    return table(("name", "what", "described in"), rows) + "\n"


def _words_of_constant(door: ModuleType, name: str) -> str:
    """What stands below a constant; a union also tells its members."""
    words = words_of_constants(_maker(door, name))
    thing: object = getattr(door, name)
    if not isinstance(thing, UnionType):
        return words[name]
    members: tuple[type[object], ...] = get_args(thing)
    one_of = f"One of {', '.join(member.__name__ for member in members)}."
    return f"{words[name]} {one_of}" if name in words else one_of


def _directive(door: ModuleType, name: str) -> str:
    thing: object = getattr(door, name)
    if not (inspect.isclass(thing) or inspect.isroutine(thing) or hasattr(thing, "__wrapped__")):
        words = _words_of_constant(door, name).replace("`", "``")
        return f"```{{eval-rst}}\n.. py:data:: {door.__name__}.{name}\n\n   {words}\n```\n\n"
    kind = "autoclass" if inspect.isclass(thing) else "autofunction"
    members = "\n   :members:" if inspect.isclass(thing) else ""
    return f"```{{eval-rst}}\n.. {kind}:: {door.__name__}.{name}{members}\n```\n\n"
