"""The public interface: one metric or several, comparisons, results, errors that help."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import otherwords
from otherwords import InputError, UsageError
from otherwords.corpus.rows import Row
from otherwords.metrics import registry
from otherwords.metrics.maxsim import MaxSim
from otherwords.models import container
from otherwords.stats.significance import compare

HYPOTHESES = ["the cat sat down", "a dog barked loudly", "it rained all day"]
REFERENCES = ["the cat sat down", "the dog barked", "it rained the whole day"]
FOLDER = Path(registry.__file__).parent


NEW = """
from otherwords.metrics.base import MeanMetric, Traits
from otherwords.metrics.registry import register
import numpy as np

@register
class Length(MeanMetric):
    name = "{name}"
    use = "Says how long a text is."
    traits = Traits(low=0.0, high=float("inf"))
    columns = ("score", "segments")

    def signature_parts(self):
        return {{}}

    def compute(self, segments, threads):
        return np.array([[len(text), 1.0] for text in segments.hypotheses])
"""


@pytest.mark.parametrize("name", ["length", "characters-of-length", "how-long"])
def test_a_file_in_the_folder_is_a_metric(tmp_path, name):
    """Whatever its name, and without another edit."""
    package = tmp_path / "otherwords"
    package.mkdir()
    for path in FOLDER.parent.iterdir():
        if path.name != "metrics":
            (package / path.name).symlink_to(path)
    shutil.copytree(FOLDER, package / "metrics")
    (package / "metrics" / "length.py").write_text(NEW.format(name=name))
    (tmp_path / "a.txt").write_text("a cat\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def run(*argv):
        command = [sys.executable, "-m", "otherwords", *argv]
        done = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert f"{name}" in run("metrics")
    assert "Says how long" in run("metrics")
    assert "5.00" in run("score", "-m", name, "-r", "a.txt", "a.txt")


def test_files_are_called_like_their_metrics_or_a_word_of_them():
    """So that a name is found without importing all files; few are not."""
    elsewhere = {
        name
        for name, kind in registry.metric_classes().items()
        if kind.__module__.rpartition(".")[2] not in {name, *re.split(r"\W+", name)}
    }
    assert elsewhere == {"combine", "gm", "mup"}


def test_dir_shows_the_public_names_alone():
    names = {one for one in dir(otherwords) if not one.startswith("_")}
    assert {
        "score",
        "compare",
        "rank",
        "metric",
        "metrics",
        "list_metrics",
        "Result",
        "Sentence",
    } <= names
    assert names.isdisjoint({"Any", "TYPE_CHECKING", "attach", "annotations"})
    for name in names:
        assert getattr(otherwords, name) is not None


def test_one_metric_imports_no_other():
    code = (
        "import sys, otherwords; otherwords.score('maxsim', ['a cat'], ['a cat']); "
        "print([n for n in sys.modules if n in ('otherwords.metrics.pem', 'sacrebleu', 'Stemmer', "
        "'click', 'rich', 'duckdb', 'pyarrow', 'sklearn', 'scipy', 'pydantic')])"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert printed.stdout == "[]\n", printed.stderr


def test_a_command_loads_no_validation_library(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("a cat\n")
    code = (
        "import sys; from otherwords.cli import main; "
        "assert main(sys.argv[1:]) == 0; print('pydantic' in sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, "score", "-m", "maxsim", "--threads", "1"]
    command += ["-r", str(path), str(path)]
    assert subprocess.run(command, capture_output=True, text=True).stderr == "False\n"


def test_python_m_otherwords():
    command = [sys.executable, "-m", "otherwords", "--version"]
    printed = subprocess.run(command, capture_output=True, text=True)
    assert printed.stdout == f"otherwords {otherwords.__version__}\n"


def test_several_metrics_give_what_each_gives_alone():
    both = otherwords.score(["maxsim", "BLEU"], HYPOTHESES, REFERENCES)
    assert list(both) == ["maxsim", "bleu"]
    for name in both:
        alone = otherwords.score(name, HYPOTHESES, REFERENCES)
        assert both[name].corpus == alone.corpus
        assert both[name].signature == alone.signature
    document = json.loads("\n".join(both.render("json")))
    assert document["systems"][0]["scores"]["bleu"] == {"value": both["bleu"].corpus}


def test_options_go_to_the_metrics_that_have_them():
    both = otherwords.score(["maxsim", "bleu"], HYPOTHESES, REFERENCES, alpha=0.3)
    assert "alpha:0.3" in both["maxsim"].signature
    assert "alpha" not in both["bleu"].signature
    with pytest.raises(UsageError, match="none of maxsim, bleu has an option 'alpa'"):
        otherwords.score(["maxsim", "bleu"], HYPOTHESES, REFERENCES, alpa=0.3)
    with pytest.raises(UsageError, match="pass options together with the metric's name"):
        otherwords.score([otherwords.metric("bleu")], HYPOTHESES, REFERENCES, case=True)


def test_a_mapping_gives_metrics_names():
    variants = {"half": MaxSim(alpha=0.5), "usual": "maxsim"}
    assert list(otherwords.score(variants, HYPOTHESES, REFERENCES)) == ["half", "usual"]
    with pytest.raises(UsageError, match="'maxsim' is named twice"):
        otherwords.score(["maxsim", MaxSim(alpha=0.5)], HYPOTHESES, REFERENCES)


def test_rows_frames_and_streams_of_rows_are_scored():
    listed = otherwords.score("chrf", HYPOTHESES, REFERENCES)
    rows = [Row(h, (r,)) for h, r in zip(HYPOTHESES, REFERENCES, strict=True)]
    columns = {"mt": HYPOTHESES, "ref": REFERENCES}
    for given in (rows, iter(rows), columns):
        assert otherwords.score("chrf", given).corpus == listed.corpus
    assert otherwords.score("chrf", iter(HYPOTHESES), REFERENCES).corpus == listed.corpus
    assert otherwords.score("chrf", rows).explain(1).score == listed.segments[1]
    with pytest.raises(UsageError, match="a stream of rows is not kept"):
        otherwords.score("chrf", iter(rows)).explain(1)
    with pytest.raises(UsageError, match="rows have their own references"):
        otherwords.score("chrf", rows, REFERENCES)
    with pytest.raises(UsageError, match="hypotheses must be a list"):
        otherwords.score("chrf", "a cat", REFERENCES)


def test_several_systems_are_one_result():
    rows = [
        Row(text, (reference,), system=system, item=str(n))
        for system, texts in (("a", HYPOTHESES), ("b", REFERENCES))
        for n, (text, reference) in enumerate(zip(texts, REFERENCES, strict=True))
    ]
    how = otherwords.Sampling(test="bootstrap", resamples=50)
    result = otherwords.score("chrf", rows, sampling=how, baseline="b")
    alone = otherwords.score("chrf", HYPOTHESES, REFERENCES)
    assert result.of("a").corpus == result.numbers["a"].value == alone.corpus
    assert result.numbers["a"].p is not None
    assert result.numbers["b"].p is None
    assert result.numbers["b"].low is not None
    assert [one["system"] for one in result.to_dict()["systems"]] == ["a", "b"]
    with pytest.raises(UsageError, match="there are 2 systems; choose one by of"):
        _ = result.corpus
    with pytest.raises(UsageError, match="no system 'c' to be the baseline"):
        otherwords.score("chrf", rows, baseline="c")
    with pytest.raises(UsageError, match="a paired test needs two systems"):
        otherwords.score("chrf", rows[:3], sampling=how)


@pytest.mark.parametrize("streams", [[REFERENCES], [REFERENCES, HYPOTHESES]])
def test_references_by_stream_are_recognised(streams):
    with pytest.raises(InputError, match=r"stream by stream.*list\(zip\(\*streams\)\)"):
        otherwords.score("bleu", HYPOTHESES, streams)
    otherwords.score("bleu", HYPOTHESES, list(zip(*streams, strict=True)))


@pytest.mark.parametrize("name", ["meteor", "COMET", "bertscore", "bleurt", "rouge"])
def test_metrics_of_other_tools(name):
    with pytest.raises(UsageError, match=rf"'{name}'.*choose from: .*maxsim.*--scores"):
        otherwords.score(name, HYPOTHESES, REFERENCES)


def test_several_names_in_one_text():
    with pytest.raises(UsageError, match="give several metrics as a list"):
        otherwords.score("bleu,chrf", HYPOTHESES, REFERENCES)


def test_a_result_shows_itself():
    result = otherwords.score("otherwords-rewrite", HYPOTHESES, sources=REFERENCES)
    assert repr(result).startswith("<Result otherwords-rewrite: ")
    assert " over 3 segments; otherwords-rewrite|v:3|" in repr(result)
    assert len(repr(result)) < 100
    assert "<table>" in result._repr_html_()
    assert str(result).splitlines()[0].split() == [
        *(
            "system",
            "otherwords-rewrite",
            "meaning",
            "fluency",
            "difference",
        )
    ]
    document = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert [one["score"] for one in document["segments"]] == result.segments.tolist()
    meaning = [one["meaning"] for one in document["segments"]]
    assert meaning == result.parts["meaning"].tolist()
    assert document["parts"]["meaning"]["value"] == pytest.approx(np.mean(meaning))


def test_a_result_as_a_data_frame():
    pytest.importorskip("pandas")
    both = otherwords.score(["chrf", "ter"], HYPOTHESES, REFERENCES)
    frame = both.to_frame()
    texts = ["hypothesis", "references", "source"]
    assert list(frame) == ["system", "item", *texts, "chrf", "ter"]
    assert frame["ter"].tolist() == both["ter"].segments.tolist()
    assert both["chrf"].to_frame()["hypothesis"].tolist() == HYPOTHESES


def test_no_data_frame_without_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match="pip install pandas"):
        otherwords.score("chrf", HYPOTHESES, REFERENCES).to_frame()


def test_compare_is_the_test_of_the_results():
    systems = {"copy": REFERENCES, "base": HYPOTHESES}
    few = otherwords.Sampling(resamples=100)
    found = otherwords.compare("ter", systems, REFERENCES, sampling=few)
    base = otherwords.score("ter", HYPOTHESES, REFERENCES)
    copy = otherwords.score("ter", REFERENCES, REFERENCES)
    again = compare(base.metric.corpus_scores, copy.statistics, base.statistics, trials=100)
    assert (found.systems, found.baseline) == (["copy", "base"], "base")
    contrast = found["copy", "ter"]
    assert contrast.p == again.p
    assert contrast.difference == -base.corpus
    around = otherwords.score("ter", HYPOTHESES, REFERENCES, sampling=few).numbers["hypotheses"]
    assert contrast.intervals[1] == (around.low, around.high)
    assert "base" in str(found)
    for form in ("markdown", "latex", "tsv", "csv", "jsonl", "html"):
        assert list(found.render(form))
    with pytest.raises(KeyError):
        _ = found["base", "ter"]


def test_systems_of_compare():
    few = otherwords.Sampling(resamples=10)
    listed = otherwords.compare("chrf", [HYPOTHESES, REFERENCES], REFERENCES, sampling=few)
    assert listed.systems == ["system 1", "system 2"]
    named = {"a": HYPOTHESES, "b": REFERENCES, "c": HYPOTHESES}
    other = otherwords.compare("chrf", named, references=REFERENCES, baseline="b", sampling=few)
    assert other.systems == ["a", "c", "b"]
    with pytest.raises(UsageError, match="no system 'd' to be the baseline"):
        otherwords.compare("chrf", named, references=REFERENCES, baseline="d")
    for wrong in (HYPOTHESES, {"a": HYPOTHESES}):
        with pytest.raises(UsageError, match="two systems"):
            otherwords.compare("chrf", wrong, references=REFERENCES)


def test_metric_objects_are_kept():
    assert otherwords.metric("maxsim") is otherwords.metric("maxsim")
    assert otherwords.metric("maxsim", alpha=0.5) is not otherwords.metric("maxsim")
    assert otherwords.metric("mup", punctuation=True) is not otherwords.metric("mup")
    assert "pivots:fr|" in otherwords.metric("pem.adequacy", languages=["fr"]).signature
    with pytest.raises(UsageError, match="orders"):
        otherwords.metric("gm", orders=1) and otherwords.metric("gm", orders=True)


@pytest.mark.parametrize(("name", "option"), [("pem", "model"), ("maxsim", "lexicon")])
def test_a_file_that_has_changed_is_opened_again(tmp_path, name, option):
    path = tmp_path / "mine.owm"
    embedded = {"model": "paraphrase", "lexicon": "lexicon"}[option]
    shutil.copy(container.embedded(embedded), path)
    first = otherwords.metric(name, **{option: path})
    assert otherwords.metric(name, **{option: path}) is first
    again = tmp_path / "again.owm"
    shutil.copy(container.embedded("otherwords-rewrite"), again)  # of another kind
    os.replace(again, path)
    with pytest.raises(otherwords.ModelError, match="model"):
        otherwords.metric(name, **{option: path})


def test_metrics_show_their_signature():
    metric = otherwords.metric("maxsim", alpha=0.5)
    assert repr(metric) == f"<MaxSim {metric.signature}>"
    assert "alpha:0.5" in repr(metric)


def test_source_is_answered_with_sources():
    with pytest.raises(UsageError, match=r"sources=\[...\], one per segment, not as source="):
        otherwords.score("otherwords-rewrite", HYPOTHESES, source=REFERENCES)


def test_metric_objects_are_the_same_whatever_the_case_of_the_name():
    assert otherwords.metric("MaxSim") is otherwords.metric("maxsim")
