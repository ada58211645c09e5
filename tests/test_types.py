"""Users' own code, with the types that we ship, under mypy --strict."""

from __future__ import annotations

from mypy import api

USE = """
import otherwords
from otherwords.metrics.pem import Pem, PemAdequacy


value_of_pair: float = PemAdequacy().score_one("a", source="b")
adequacy: PemAdequacy = PemAdequacy(languages=["fr"])
metric: Pem = Pem()
result = otherwords.score("maxsim", ["a"], references=[["a", "b"]], alpha=0.9)
value: float = result.corpus
names: list[str] = sorted(otherwords.list_metrics())
low: float = otherwords.list_metrics()["maxsim"].low
both = otherwords.score(["maxsim", "bleu"], ["a"], references=["a"])
score: float = both["bleu"].corpus
p = otherwords.compare("chrf", {"a": ["a"], "b": ["b"]}, references=["a"])["a", "chrf"]
single: float = otherwords.metric("maxsim").score_one("a", "a")
made: otherwords.Metric = otherwords.metric("otherwords-rewrite")
kind: str = result.explain(0).matches[0][0].kind
"""


def test_the_public_interface_is_typed(tmp_path):
    path = tmp_path / "use.py"
    path.write_text(USE)
    out, err, code = api.run(["--strict", "--no-incremental", "--config-file=", str(path)])
    assert code == 0, out + err
