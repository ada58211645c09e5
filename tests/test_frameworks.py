"""The guide of frameworks, run in the frameworks that `make test-adapters` installs.

Each program of docs/guides/frameworks.md runs in a process of its own, with lines that print what
the framework recorded.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

import otherwords
from tests.pages import Page
from tests.test_adapters import OFFLINE

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "docs" / "guides" / "frameworks.md"
PACKAGE = Path(otherwords.__file__).resolve().parent
PYTHON = ROOT / "build" / "adapters" / "bin" / "python"
PROMPTFOO = ROOT / "build" / "promptfoo" / "node_modules" / ".bin" / "promptfoo"
SETTINGS = {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "HF_HUB_OFFLINE": "1",
    "LANGSMITH_TRACING": "false",
    "MLFLOW_ALLOW_FILE_STORE": "true",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_TRACKING_URI": "runs",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
}
ORIGINAL = "We meet on 3 March."
GOOD, BAD = "Our meeting is on 3 March.", "Our meeting is on 13 March."
MISSING = "there is no 'drafts' to compare with; did you mean 'draft'?"
WRONG = 'The rewrite says "13 March"; the original says "3 March".'


def blocks(section, language):
    text = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", GUIDE.read_text("utf-8"), re.S | re.M)[1]
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.S | re.M)


@cache
def scores():
    return otherwords.score("otherwords-rewrite", [GOOD, BAD], sources=[ORIGINAL] * 2).segments


def environment(folder):
    """Without a network, and with the package that is tested among those of the framework."""
    (folder / "link").mkdir()
    (folder / "link" / "otherwords").symlink_to(PACKAGE)
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "PYTHONPATH": str(folder / "link"),
        "HF_HOME": str(folder / "hf"),
        "PROMPTFOO_PYTHON": str(PYTHON),
        **SETTINGS,
    }


def require(package):
    if not list(PYTHON.parents[1].glob(f"lib/python*/site-packages/{package}/__init__.py")):
        pytest.skip(f"not installed in build/adapters: {package}")


def run(package, section, code, folder):
    """What a program of the guide prints as JSON with these lines after it."""
    require(package)
    (folder / "program.py").write_text(
        f"{OFFLINE}\nimport json\n{blocks(section, 'py')[0]}\nGOOD, BAD = {GOOD!r}, {BAD!r}\n{code}"
    )
    done = subprocess.run(
        [PYTHON, "program.py"],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_the_blocks_without_a_framework_print_what_the_guide_shows(tmp_path):
    assert Page(GUIDE, tmp_path).check() >= 3


def test_the_table_counts_the_lines_of_each_adapter():
    rows = re.findall(r"^\| `(\w+)` \| \S.* [\d.]+ \| (\d+) \|", GUIDE.read_text("utf-8"), re.M)
    assert len(rows) == 6
    for name, lines in rows:
        path = PACKAGE / "integrations" / f"{name}.py"
        assert len(path.read_text().splitlines()) == int(lines) < 80, name


@pytest.mark.adapters
def test_promptfoo(tmp_path):
    require("sacrebleu")  # of otherwords; promptfoo runs it
    if not PROMPTFOO.exists():
        pytest.skip("not installed in build/promptfoo: promptfoo")
    (tmp_path / "judge.py").write_text(blocks("promptfoo", "py")[0])
    (tmp_path / "promptfooconfig.yaml").write_text(blocks("promptfoo", "yaml")[0])
    done = subprocess.run(
        [PROMPTFOO, "eval", "--no-cache", "--no-write", "-o", "found.json"],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 100, done.stdout[-2000:] + done.stderr[-4000:]  # a test failed
    rows = json.loads((tmp_path / "found.json").read_text())["results"]["results"]
    found = {row["vars"]["rewritten"]: row for row in rows}
    assert [found[text]["success"] for text in (GOOD, BAD)] == [True, False]
    assert [found[text]["score"] for text in (GOOD, BAD)] == pytest.approx(scores())
    assert found[BAD]["gradingResult"]["reason"].startswith(WRONG)
    assert found[BAD]["namedScores"]["otherwords-rewrite"] == pytest.approx(scores()[1])


@pytest.mark.adapters
def test_a_wrong_call_of_promptfoo(tmp_path):
    require("sacrebleu")
    if not PROMPTFOO.exists():
        pytest.skip("not installed in build/promptfoo: promptfoo")
    (tmp_path / "judge.py").write_text(blocks("promptfoo", "py")[0])
    config = blocks("promptfoo", "yaml")[0].replace("limit: 0.5", "limits: 0.5")
    (tmp_path / "promptfooconfig.yaml").write_text(config)
    subprocess.run(
        [PROMPTFOO, "eval", "--no-cache", "--no-write", "-o", "found.json"],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        timeout=300,
    )
    rows = json.loads((tmp_path / "found.json").read_text())["results"]["results"]
    for row in rows:
        assert not row["success"]
        assert "there is no setting 'limits' in config; did you mean 'limit'?" in row["error"]


@pytest.mark.adapters
def test_deepeval(tmp_path):
    code = """
test_rewrite(GOOD)
try:
    test_rewrite(BAD)
except AssertionError as error:
    failed = str(error)
metric = OtherwordsMetric(references="expected_output")
case = LLMTestCase(input="-", actual_output=GOOD, metadata={"draft": "We meet on 3 March."})
try:
    metric.measure(case)
except Exception as error:
    missing = [type(error).__name__, str(error)]
draft = OtherwordsMetric(original="draft")
draft.measure(case)
print(json.dumps([failed, missing, draft.score, draft.is_successful(), draft.score_breakdown]))
"""
    failed, missing, score, successful, parts = run("deepeval", "DeepEval", code, tmp_path)
    assert WRONG in failed
    assert missing[0] == "MissingTestCaseParamsError"
    assert missing[1].startswith("there is no 'expected_output' to compare with")
    assert (score, successful) == (scores()[0], True)
    assert set(parts) == {"otherwords-rewrite", "meaning", "fluency", "difference"}


@pytest.mark.adapters
def test_inspect_ai(tmp_path):
    code = """
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

def answers(text):
    output = ModelOutput.from_content("mockllm/model", text)
    output.usage = ModelUsage()  # else the mock model downloads a tokenizer to count tokens
    return get_model("mockllm/model", custom_outputs=[output])

found = []
for text in (GOOD, BAD):
    [log] = eval(task, model=answers(text), display="none", log_dir="logs")
    [score] = log.samples[0].scores.values()
    metrics = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    found.append([log.status, score.value, score.answer, score.explanation, metrics])
wrong = Task(dataset=task.dataset, scorer=otherwords_scorer(original="drafts"))
[log] = eval(wrong, model=answers(GOOD), display="none", log_dir="logs")
found.append([log.status, log.error.message])
print(json.dumps(found))
"""
    good, bad, wrong = run("inspect_ai", "Inspect AI", code, tmp_path)
    assert good[:3] == ["success", scores()[0], GOOD]
    assert wrong == ["error", f'UsageError("{MISSING}")']
    assert bad[:4] == ["success", scores()[1], BAD, WRONG]
    assert bad[4] == {"mean": scores()[1], "stderr": 0.0}


@pytest.mark.adapters
def test_mlflow(tmp_path):
    code = """
frame = result.result_df.sort_values("otherwords-rewrite/value")
columns = [f"otherwords-{name}" for name in ("rewrite/value", "rewrite/rationale", "passed/value")]
rows = [{"inputs": {"drafts": "-"}, "outputs": GOOD}]
wrong = mlflow.genai.evaluate(data=rows, scorers=[otherwords_scorer(original="draft")]).result_df
errors = wrong["otherwords/error_message"].tolist()
print(json.dumps([frame[columns].values.tolist(), dict(result.metrics), errors], default=float))
"""
    rows, metrics, errors = run("mlflow", "MLflow", code, tmp_path)
    assert rows[0] == [scores()[1], WRONG, False]
    assert rows[1][0] == scores()[0]
    assert metrics["otherwords-rewrite/mean"] == pytest.approx(scores().mean())
    assert metrics["otherwords-passed/mean"] == 0.5
    assert errors == ["there is no 'draft' to compare with; did you mean 'drafts'?"]


@pytest.mark.adapters
def test_lm_eval(tmp_path):
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "metrics.py").write_text(blocks("lm-evaluation-harness", "py")[0])
    (tmp_path / "task" / "task.yaml").write_text(blocks("lm-evaluation-harness", "yaml")[0])
    (tmp_path / "rows.jsonl").write_text(f'{{"original": "{ORIGINAL}"}}\n' * 2)
    code = """
import lm_eval
from lm_eval.api.model import LM
from lm_eval.api.registry import get_metric
from lm_eval.tasks import TaskManager

class Fixed(LM):
    def generate_until(self, requests, disable_tqdm=False):
        return [GOOD, BAD]
    def loglikelihood(self, requests): ...
    def loglikelihood_rolling(self, requests): ...

manager = TaskManager(include_path="task", include_defaults=False)
done = lm_eval.simple_evaluate(Fixed(), tasks=["rewriting"], task_manager=manager)
translated = get_metric("otherwords-mt")([GOOD], [GOOD])
try:
    get_metric("otherwords-mt")([GOOD], [GOOD], limit=7)
except ValueError as error:
    wrong = str(error)
print(json.dumps([done["results"]["rewriting"], translated, wrong]))
"""
    found, translated, wrong = run("lm_eval", "lm-evaluation-harness", code, tmp_path)
    assert found["otherwords-rewrite,none"] == pytest.approx(scores().mean())
    assert found["otherwords-rewrite_stderr,none"] > 0
    assert found["otherwords-passed,none"] == 0.5
    assert translated["otherwords-passed"] == 1.0
    assert wrong == "limit must be a number from 0 to 1, not 7"


@pytest.mark.adapters
def test_datasets(tmp_path):
    code = "print(json.dumps(dataset['otherwords-rewrite'][:]))"
    found = run("datasets", "Columns of scores for datasets", code, tmp_path)
    assert found == [scores()[0], None]


@pytest.mark.adapters
def test_langsmith(tmp_path):
    code = """
import datetime, uuid
from langsmith import Client
from langsmith.schemas import Example

def example(original):
    return Example(
        id=uuid.uuid4(), dataset_id=uuid.uuid4(), created_at=datetime.datetime.now(),
        inputs={"original": original},
    )

found = []
for evaluator in (judge, otherwords_evaluator(original="drafts")):
    rows = evaluate(
        lambda inputs: {"output": BAD}, data=[example("We meet on 3 March.")],
        evaluators=[evaluator], upload_results=False,
        client=Client(api_key="none", api_url="http://127.0.0.1:9"),
    )
    found += next(iter(rows))["evaluation_results"]["results"]
feedback, wrong = found
print(json.dumps([
    feedback.key, feedback.score, feedback.comment, feedback.metadata["passed"],
    [wrong.score, wrong.comment, wrong.extra],
]))
"""
    key, score, comment, passed, wrong = run("langsmith", "LangSmith", code, tmp_path)
    assert (key, score, passed) == ("otherwords-rewrite", scores()[1], False)
    assert comment.startswith(WRONG)
    message = "there is no 'drafts' to compare with; choose from: original"
    assert wrong == [None, f'UsageError("{message}")', {"error": True}]
