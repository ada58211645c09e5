"""An extension of the API reference: doctests become code blocks."""

from __future__ import annotations

import re
from typing import Any

import griffe

_DOCTEST = re.compile(r"^>>> .*?(?=\n[ \t]*\n|\Z)", re.MULTILINE | re.DOTALL)


class Doctests(griffe.Extension):
    """Fence the doctests of every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of one object."""
        if obj.docstring is not None:
            text = _DOCTEST.sub(lambda found: f"```pycon\n{found[0]}\n```", obj.docstring.value)
            obj.docstring.value = text

    def on_attribute_instance(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Forget the stub's `metrics`, a package that can be called: it would hide the package."""
        if attr.path == "otherwords.metrics" and attr.parent is not None:
            attr.parent.del_member("metrics")
