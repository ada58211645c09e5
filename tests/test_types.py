"""Users' own code, with the types that we ship, under mypy --strict."""

from __future__ import annotations

from mypy import api

USE = """
import otherwords

result = otherwords.score("maxsim", ["a"], references=[["a", "b"]], alpha=0.9)
value: float = result.corpus
names: list[str] = sorted(otherwords.metrics())
low: float = otherwords.metrics()["maxsim"].low
kind: str = result.explain(0).matches[0][0].kind
"""


def test_the_public_interface_is_typed(tmp_path):
    path = tmp_path / "use.py"
    path.write_text(USE)
    out, err, code = api.run(["--strict", "--no-incremental", "--config-file=", str(path)])
    assert code == 0, out + err
