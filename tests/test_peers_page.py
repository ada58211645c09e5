"""docs/results/peers.md: its command for COMET and others, on files of mt-metrics-eval's layout."""

from __future__ import annotations

import json
import random
import re
import shlex
from pathlib import Path

import pytest
import scipy.stats

PAGE = Path(__file__).resolve().parents[1] / "docs" / "results" / "peers.md"
SYSTEMS = ("north", "south", "west")
SEGMENTS = 8
WORDS = "the a cat dog sat ran on under mat tree big small one two".split()


def numbers(path, values):
    lines = (f"{system}\t{value}\n" for system in SYSTEMS for value in values[system])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines))


@pytest.fixture
def command(tmp_path, monkeypatch):
    """The first command of the page, and human and metric scores in the files that it names."""
    block = re.search(r"```sh\n(otherwords meta --rows .*?)```", PAGE.read_text(), re.DOTALL)[1]
    arguments = shlex.split(block.replace("\\\n", ""))[1:]
    monkeypatch.chdir(tmp_path)
    rng = random.Random(5)
    references = [[rng.choice(WORDS) for _ in range(8)] for _ in range(SEGMENTS)]
    texts = {
        system: [[*words[:kept], *rng.sample(WORDS, 8 - kept)] for words in references]
        for kept, system in enumerate(SYSTEMS, 4)
    }
    for path, lines in {
        "sources/zh-en.txt": references,
        "documents/zh-en.docs": [["news\tone"]] * SEGMENTS,
        "references/zh-en.refA.txt": references,
        **{f"system-outputs/zh-en/{system}.txt": texts[system] for system in SYSTEMS},
    }.items():
        file = tmp_path / "wmt22" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(" ".join(words) + "\n" for words in lines))
    people = {
        system: [place + rng.randrange(4) for _ in range(SEGMENTS)]
        for place, system in enumerate(SYSTEMS)
    }
    numbers(tmp_path / "wmt22/human-scores/zh-en.mqm.seg.score", people)
    peers = {}
    for value in arguments:
        name, equals, path = value.partition("=")
        if equals and path.endswith(".seg.score"):
            spread = len(peers) + 1
            peers[name] = {
                system: [score + spread * rng.random() for score in scores]
                for system, scores in people.items()
            }
            numbers(tmp_path / path, peers[name])
    return arguments, people, peers


def test_the_command_of_the_page(command, ok):
    arguments, people, peers = command
    assert set(peers) == {"COMET-22", "MetricX", "BLEURT", "BERTScore"}
    document = json.loads(ok(*arguments, "--resamples", 20, "--trials", 20, "-f", "json"))
    found = {metric["metric"]: metric for metric in document["metrics"]}
    assert set(found) == {"otherwords-mt", "maxsim", "chrf", *peers}
    human = [score for system in SYSTEMS for score in people[system]]
    for name, by_system in peers.items():
        scores = [score for system in SYSTEMS for score in by_system[system]]
        expected = scipy.stats.pearsonr(scores, human).statistic
        assert found[name]["segment"]["pearson"]["value"] == pytest.approx(expected)
    compared = {(diff["one"], diff["other"]) for diff in document["differences"]}
    assert {name for pair in compared for name in pair} == set(found)


def test_all_files_of_the_page_are_those_of_mt_metrics_eval(command):
    arguments, _, _ = command
    for value in arguments:
        if value.endswith(".seg.score"):
            assert re.fullmatch(r"[\w-]+=wmt22/metric-scores/zh-en/[\w-]+-refA\.seg\.score", value)


def cells_of(text, name):
    """The cells of the first row of a text's tables that has this name."""
    row = re.search(rf"^\| {name}\b(.*)\|$", text, re.MULTILINE)[1]
    return [cell.strip() for cell in row.split("|")[1:]]


@pytest.mark.parametrize("metric", ["maxsim", "chrF", "MiniLM-F1", "otherwords-mt, held out"])
def test_our_figures_are_those_of_the_results(metric):
    results, page = (PAGE.parents[1] / "results.md").read_text(), PAGE.read_text()
    mean, esen, _, zhen = cells_of(results, metric)[4:]
    assert cells_of(page[page.index("WMT13") :], metric) == [mean, esen, zhen]
