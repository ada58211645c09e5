"""Local names of native files differ within a folder: pip compiles a folder in one piece."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

NATIVE = Path(__file__).parents[1] / "native"
LOCAL = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.DOTALL | re.MULTILINE)
NAMED = re.compile(r"^(?:struct|class|enum(?: class)?|union) (\w+)|^using (\w+) =", re.MULTILINE)
VALUE = re.compile(
    r"^(?:inline |static |const |constexpr )+[\w:<>, *]+?[ *](\w+)(?:\[\w*\])? ?[={;(]", re.M
)
FUNCTION = re.compile(
    r"^(?!return|else)[\w:<>,&* ]+[&* ](\w+)\(([^;{}]*?)\)(?: const)? \{", re.MULTILINE
)


def local_names(text: str) -> set[str]:
    """What the anonymous namespaces of a file declare; functions with the types of parameters."""
    found = set()
    for space in LOCAL.findall(text):
        found |= {one or other for one, other in NAMED.findall(space)}
        found |= set(VALUE.findall(space)) - set(dict(FUNCTION.findall(space)))
        for name, parameters in FUNCTION.findall(space):
            types = [re.sub(r"\s*\w+$", "", one.strip()) for one in parameters.split(",")]
            found.add(f"{name}({', '.join(types)})")
    return found


def test_local_names_of_a_folder_differ():
    folders: dict[Path, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path in sorted(NATIVE.rglob("*.cpp")):
        spaces = re.findall(r"^namespace ([\w:]+) \{", path.read_text(encoding="utf-8"), re.M)
        for name in local_names(path.read_text(encoding="utf-8")):
            folders[path.parent][f"{'::'.join(spaces[:1])}::{name}"].append(path.name)
    assert sum(len(names) for names in folders.values()) > 500
    twice = {
        f"{folder.name}: {name}": files
        for folder, names in folders.items()
        for name, files in names.items()
        if len(files) > 1
    }
    assert not twice


def test_a_repeated_name_is_noticed():
    one = "namespace {\n\nconstexpr int reach = 3;\n\nbool has(int a) {\n}\n\n}  // namespace\n"
    assert local_names(one) == {"reach", "has(int)"}
    assert local_names("namespace {\nstruct Link {\n};\nusing Ids = X;\n}  // namespace\n") == {
        "Link",
        "Ids",
    }
