"""An extension of the API reference: fenced doctests, and sections of docstrings as headings."""

from __future__ import annotations

import re
from typing import Any

import griffe

_DOCTEST = re.compile(r"^>>> .*?(?=\n[ \t]*\n|\Z)", re.MULTILINE | re.DOTALL)
_SECTION = re.compile(r"^(\w[\w ]*)\n---+$", re.MULTILINE)  # of NumPy's style


class Doctests(griffe.Extension):
    """Fence the doctests of every docstring, and put its sections one level below its object."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of one object."""
        if obj.docstring is not None:
            text = _DOCTEST.sub(lambda found: f"```pycon\n{found[0]}\n```", obj.docstring.value)
            obj.docstring.value = _SECTION.sub(r"\1\n===", text)

    def on_attribute_instance(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Forget the stub's `metrics`, a package that can be called: it would hide the package."""
        if attr.path == "otherwords.metrics" and attr.parent is not None:
            attr.parent.del_member("metrics")
