"""`otherwords align` as users call it, with good and with bad input."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys

import pytest

from otherwords.build.bitext import Aligner, Bitext, Training, encode
from otherwords.models import container

NOUNS = [("house", "maison"), ("car", "voiture"), ("dog", "chien"), ("cat", "chat")]
VERBS = [("sleeps", "dort"), ("eats", "mange"), ("falls", "tombe")]
LINES = [
    (f"The {noun} {verb} now .", f"Le {nom} {verbe} maintenant .")
    for noun, nom in NOUNS
    for verb, verbe in VERBS
]
STRAIGHT = " ".join(f"{k}-{k}" for k in range(5))


def tsv(lines):
    return "".join(f"{left}\t{right}\n" for left, right in lines)


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.tsv"
    path.write_text(tsv(LINES))
    return path


def lines_of(out):
    assert out.endswith("\n")
    return out[:-1].split("\n")


def test_links_of_every_line(ok, corpus):
    assert lines_of(ok("align", corpus)) == [STRAIGHT] * len(LINES)


def test_pruned_tables_have_fewer_pairs_of_words(ok, refused, corpus, tmp_path):
    whole, pruned = tmp_path / "whole.owm", tmp_path / "pruned.owm"
    ok("align", corpus, "--save", whole)
    assert lines_of(ok("align", corpus, "--prune", 0.1, "--save", pruned)) == [STRAIGHT] * 12
    sizes = [len(Aligner.load(path).arrays["right"]) for path in (whole, pruned)]
    assert sizes[1] < sizes[0]
    assert Aligner.load(pruned).training.prune == 0.1
    assert "0.2" in refused("align", corpus, "--prune", 0.2)


@pytest.fixture
def translations(corpus, tmp_path):
    """Another translation of the same French: "Now the house sleeps ."."""
    other = tmp_path / "other.tsv"
    other.write_text(tsv((f"Now {' '.join(left.split()[:3])} .", right) for left, right in LINES))
    return corpus, other


def test_two_translations_are_aligned_through_their_source(ok, translations):
    """ParaMetric §7.1: "The house sleeps now ." and "Now The house sleeps ."."""
    first, other = translations
    lines = lines_of(ok("align", first, "--through", other))
    assert len(lines) == len(LINES)
    assert all({"1-2", "2-3"} <= set(line.split()) for line in lines)  # the noun and the verb
    assert not any({"1-3", "2-2"} & set(line.split()) for line in lines)
    back = lines_of(ok("align", other, "--through", first))
    turned = [sorted(link[::-1] for link in line.split()) for line in lines]
    assert [sorted(line.split()) for line in back] == turned


def test_links_through_a_source_are_those_of_both_translations_composed(ok, translations, tmp_path):
    first, other = translations
    both = tmp_path / "both.tsv"
    both.write_text(first.read_text() + other.read_text())
    model = tmp_path / "aligner"
    apart = lines_of(ok("align", both, "--save", model))
    links = [{tuple(map(int, link.split("-"))) for link in line.split()} for line in apart]
    composed = [
        sorted({(i, j) for i, f in one for j, g in two if f == g})
        for one, two in zip(links[: len(LINES)], links[len(LINES) :], strict=True)
    ]
    wanted = [" ".join(f"{i}-{j}" for i, j in pairs) for pairs in composed]
    assert lines_of(ok("align", first, "--through", other)) == wanted
    assert lines_of(ok("align", first, "--through", other, "--model", model)) == wanted


def test_translations_of_different_sources_are_refused(refused, translations, tmp_path):
    first, other = translations
    assert "not '-'" in refused("align", "-", "--through", other)
    assert "without links of one bitext" in refused(
        "align", first, "--through", other, "--posteriors"
    )
    lines = other.read_text().splitlines()
    other.write_text("\n".join([*lines[:2], "Now\tPlus tard", *lines[3:]]) + "\n")
    wrong = refused("align", first, "--through", other)
    assert wrong.startswith("otherwords: ")
    assert "corpus.tsv:3: the source of pair 3 is not that of" in wrong
    other.write_text("\n".join(lines[:-1]) + "\n")
    assert "12 lines here but 11 in" in refused("align", first, "--through", other)


def test_output_file(ok, corpus, tmp_path):
    shown = ok("align", corpus)
    assert ok("align", corpus, "-o", tmp_path / "links") == ""
    assert (tmp_path / "links").read_text() == shown
    ok("align", corpus, "-o", tmp_path / "links.gz")
    assert gzip.decompress((tmp_path / "links.gz").read_bytes()).decode() == shown


def test_posteriors(ok, corpus):
    plain, marked = (lines_of(ok("align", corpus, *more)) for more in ([], ["--posteriors"]))
    for line, with_values in zip(plain, marked, strict=True):
        found = [link.split(":") for link in with_values.split()]
        assert " ".join(link for link, _ in found) == line
        assert all(re.fullmatch(r"[01]\.\d{3}", value) for _, value in found)
        assert all(0.3 <= float(value) <= 1 for _, value in found)


def test_threshold(ok, corpus):
    every = lines_of(ok("align", corpus, "--threshold", "0"))
    assert all(len(line.split()) > 5 for line in every)
    assert lines_of(ok("align", corpus, "--threshold", "1")) == [""] * len(LINES)


@pytest.mark.parametrize(
    "heuristic",
    ["intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and"],
)
def test_heuristics(ok, corpus, heuristic):
    assert lines_of(ok("align", corpus, "--heuristic", heuristic)) == [STRAIGHT] * len(LINES)


def test_saved_model_gives_the_links_of_training(ok, corpus, tmp_path):
    model = tmp_path / "model.owm"
    for options in ([], ["--posteriors"], ["--heuristic", "union"], ["--threads", "3"]):
        trained = ok("align", corpus, "--save", model, *options)
        assert ok("align", corpus, "--model", model, *options) == trained
    assert container.verify(model).kind == "aligner"
    first = model.read_bytes()
    ok("align", corpus, "--save", model, "--threads", 2)
    assert model.read_bytes() == first
    new = tmp_path / "new.tsv"
    new.write_text("the cat eats\tle chat mange\n")
    assert ok("align", new, "--model", model) == "0-0 1-1 2-2\n"


def test_every_form_of_input(ok, corpus, tmp_path, monkeypatch):
    expected = ok("align", corpus)
    forms = {
        "bars": "".join(f"{left} ||| {right}\n" for left, right in LINES).encode(),
        "packed": gzip.compress(tsv(LINES).encode()),
    }
    for name, content in forms.items():
        (tmp_path / name).write_bytes(content)
        assert ok("align", tmp_path / name) == expected
    for side in (0, 1):
        (tmp_path / f"side{side}").write_text("".join(f"{line[side]}\n" for line in LINES))
    assert ok("align", f"{tmp_path / 'side0'},{tmp_path / 'side1'}") == expected
    for arguments in ([], ["-"]):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(tsv(LINES).encode())))
        assert ok("align", *arguments) == expected


def test_several_files_are_one_bitext(ok, corpus, tmp_path):
    more = tmp_path / "more.tsv"
    more.write_text("the dog\tle chien\n")
    assert lines_of(ok("align", corpus, more)) == [*[STRAIGHT] * len(LINES), "0-0 1-1"]


def test_harmless_oddities_are_reported(run, tmp_path):
    path = tmp_path / "odd.tsv"
    path.write_bytes(b"\xef\xbb\xbf" + tsv(LINES).replace("\n", "\r\n").encode())
    code, out, err = run("align", path)
    assert code == 0
    assert lines_of(out) == [STRAIGHT] * len(LINES)
    assert "W501" in err
    assert "W502" in err
    assert len(err.splitlines()) == 2


BAD = {
    "W504": b"something\t\n",
    "E601": b"one\ttwo\tthree\n",
    "E103": b"a\0b\tc\n",
    "E101": b"caf\xe9\tnoir\n",
    "W503": b"a bell \x07\tune cloche\n",
    "W601": b"a " * 5000 + b"\t" + b"b " * 5000 + b"\n",
}


@pytest.mark.parametrize("code", sorted(BAD))
@pytest.mark.parametrize("options", [(), ("--posteriors", "--threshold", "0")])
def test_a_bad_line_is_an_empty_line_and_reported_by_its_code(run, tmp_path, code, options):
    path = tmp_path / "bad.tsv"
    path.write_bytes(tsv(LINES[:6]).encode() + BAD[code] + tsv(LINES[6:]).encode())
    status, out, err = run("align", path, *options)
    found = lines_of(out)
    assert status == 0
    assert len(found) == len(LINES) + 1
    assert [number for number, line in enumerate(found) if not line] == [6]
    assert "nan" not in out
    assert code in err
    assert "bad.tsv:7:" in err
    assert len(err.splitlines()) == 1
    assert "Traceback" not in err


def test_a_line_that_has_too_many_tokens_only_when_cut(run, tmp_path):
    """600 words with full stops are within the limit of words; 1,200 tokens are not."""
    path = tmp_path / "long.tsv"
    path.write_text(tsv([*LINES, ("word. " * 600, "mot"), *LINES]))
    code, out, err = run("align", path, "--tokenizer", "words")
    assert code == 0
    assert lines_of(out)[len(LINES)] == ""
    assert "W601" in err
    assert f"long.tsv:{len(LINES) + 1}" in err


def test_duplicates_are_aligned_as_often_as_they_come(ok, tmp_path):
    path = tmp_path / "same.tsv"
    path.write_text(tsv([LINES[0]] * 3 + LINES))
    assert lines_of(ok("align", path)) == [STRAIGHT] * (3 + len(LINES))


def test_empty_and_one_line_files(run, tmp_path):
    path = tmp_path / "file.tsv"
    path.write_text("")
    assert run("align", path)[:2] == (2, "")
    path.write_text("\n\n")
    code, out, err = run("align", path)
    assert (code, out) == (2, "")
    assert "W504" in err
    path.write_text("a\tb\n")
    assert run("align", path)[:2] == (0, "0-0\n")


def test_files_out_of_step(refused, tmp_path):
    (tmp_path / "a").write_text("one\ntwo\n")
    (tmp_path / "b").write_text("un\n")
    message = refused("align", f"{tmp_path / 'a'},{tmp_path / 'b'}", "-o", tmp_path / "links")
    assert f"{tmp_path / 'b'}:2: the file ends before line 2" in message
    assert not (tmp_path / "links").exists()


def test_files_that_cannot_be_read(refused, tmp_path):
    assert "no such file" in refused("align", tmp_path / "absent")
    assert "directory" in refused("align", tmp_path)
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(tsv(LINES * 50).encode())[:-30])
    assert "truncated or damaged" in refused("align", cut)


def test_models_that_cannot_be_used(refused, corpus, ok, tmp_path):
    model = tmp_path / "model.owm"
    ok("align", corpus, "--save", model)
    whole = model.read_bytes()
    broken = tmp_path / "broken.owm"
    for size in (0, 10, 100, len(whole) // 2, len(whole) - 1):
        broken.write_bytes(whole[:size])
        assert "broken.owm" in refused("align", corpus, "--model", broken)
    for place in range(0, len(whole), max(1, len(whole) // 40)):
        broken.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        assert "broken.owm" in refused("align", corpus, "--model", broken)
    container.write(broken, "lexicon", container.read(model).arrays, {})
    assert "lexicon model" in refused("align", corpus, "--model", broken)
    assert "no such file" in refused("align", corpus, "--model", tmp_path / "absent.owm").lower()
    for options in (["--save", broken], ["--iterations", 3], ["--bilingual"], ["--prune", 0.01]):
        message = refused("align", corpus, "--model", model, *options)
        assert "is for training" in message
        assert str(model) in message


def test_options_that_are_wrong(refused, corpus):
    assert "did you mean 'words'" in refused("align", corpus, "--tokenizer", "wrods")
    assert "two sides" in refused("align", corpus, "--tokenizer", "none,none,none")
    assert "threshold" in refused("align", corpus, "--threshold", "1.5")
    assert "threshold" in refused("align", corpus, "--threshold", "nan")
    assert "heuristic" in refused("align", corpus, "--heuristic", "grow")
    union = ("--heuristic", "union", "--threshold", "0.3")
    assert "--threshold does nothing without" in refused("align", corpus, *union)
    assert "threads" in refused("align", corpus, "--threads", "0")
    assert "iterations" in refused("align", corpus, "--iterations", "0")
    assert "--alignment does nothing without --gold" in refused("align", "--alignment", "links")
    assert "--gold-base does nothing without --gold" in refused("align", corpus, "--gold-base", "0")
    assert "--format does nothing without --gold" in refused("align", corpus, "--format", "json")


def test_tokenizers_and_case(ok, tmp_path):
    path = tmp_path / "text.tsv"
    path.write_text("Yes, sir.\t是，先生。\n" * 3)
    assert len(ok("align", path, "--threshold", "0").split("\n")[0].split()) == 4 * 5
    whole = ok("align", path, "--threshold", "0", "--tokenizer", "none").split("\n")[0].split()
    assert whole == ["0-0", "1-0"]
    model = tmp_path / "model.owm"
    ok("align", path, "--case", "--tokenizer", "words,characters", "--save", model)
    assert Aligner.load(model).left == ["Yes", ",", "sir", "."]
    ok("align", path, "--save", model)
    assert Aligner.load(model).left == ["yes", ",", "sir", "."]


def test_iterations_and_one_language(ok, corpus, tmp_path):
    model = tmp_path / "model.owm"
    ok("align", corpus, "--save", model, "--iterations", 2, "--monolingual")
    assert Aligner.load(model).training == Training(2, 2, monolingual=True)
    ok("align", corpus, "--save", model)
    assert Aligner.load(model).training == Training()
    english = tmp_path / "english.tsv"
    english.write_text(tsv([(left, left.replace("now", "today")) for left, _ in LINES]))
    ok("align", english, "--save", model)
    assert Aligner.load(model).training.monolingual
    ok("align", english, "--save", model, "--bilingual")
    assert not Aligner.load(model).training.monolingual


# Gold

GOLD = [
    {
        "source": left.split(),
        "target": right.split(),
        "sure": ["0-0", "1-1", "2-2", "3-3"],
        "possible": ["4-4"],
    }
    for left, right in LINES[:3]
]


def gold_file(tmp_path, rows=GOLD):
    path = tmp_path / "gold.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def agreement(printed):
    """The rows of the JSON document by what links they are of."""
    return {row.pop("links"): row for row in json.loads(printed)["agreement"]}


def swapped(row):
    turn = {key: [f"{j}-{i}" for i, j in (x.split("-") for x in row[key])] for key in ("sure",)}
    return {**row, **turn, "source": row["target"], "target": row["source"]}


def test_agreement_with_gold(ok, corpus, tmp_path):
    scores = agreement(ok("align", corpus, "--gold", gold_file(tmp_path), "-f", "json"))
    perfect = {"aer": 0, "precision": 1, "recall": 1, "f1": 1}
    assert scores["all"] == {**perfect, "proposed": 15, "sure": 12}
    assert scores["different words"]["proposed"] == 12
    table = ok("align", corpus, "--gold", gold_file(tmp_path))
    assert table.split("\n")[1].split() == [
        "all",
        "0.0000",
        "1.0000",
        "1.0000",
        "1.0000",
        "15",
        "12",
    ]
    out = tmp_path / "scores"
    assert ok("align", corpus, "--gold", gold_file(tmp_path), "-o", out) == ""
    assert out.read_text() == table
    ok("align", corpus, "--gold", gold_file(tmp_path), "-o", tmp_path / "scores.csv")
    assert (tmp_path / "scores.csv").read_text().startswith("links,aer,precision,recall,f1,")


def test_gold_without_a_bitext_is_its_own_text(ok, tmp_path):
    rows = [{**GOLD[0], "source": left.split(), "target": right.split()} for left, right in LINES]
    scores = agreement(ok("align", "--gold", gold_file(tmp_path, rows), "-f", "json"))
    assert scores["all"]["aer"] == 0


def test_gold_the_other_way_round(ok, corpus, tmp_path):
    path = gold_file(tmp_path, [swapped(row) for row in GOLD])
    found = agreement(ok("align", corpus, "--gold", path, "-f", "json"))
    assert found["all"]["aer"] == 0
    assert found == agreement(ok("align", corpus, "--gold", path, "-f", "json", "--gold-swap"))
    assert ok("align", corpus, "--gold", path, "-f", "json", "--no-gold-swap")


def test_gold_counted_from_1(ok, refused, corpus, tmp_path):
    def later(links):
        return [f"{int(i) + 1}-{int(j) + 1}" for i, j in (link.split("-") for link in links)]

    rows = [{**row, "sure": later(row["sure"]), "possible": later(row["possible"])} for row in GOLD]
    path = gold_file(tmp_path, rows)
    assert "are they numbered from 1?" in refused("align", corpus, "--gold", path)
    scores = agreement(ok("align", corpus, "--gold", path, "--gold-base", "1", "-f", "json"))
    assert scores["all"]["aer"] == 0


def test_links_of_other_tools_are_judged(ok, refused, tmp_path):
    gold, links = gold_file(tmp_path), tmp_path / "links"
    links.write_text("0-0 1-1\n0-0 4-4\n0-4\n")
    scores = agreement(ok("align", "--gold", gold, "--alignment", links, "-f", "json"))
    # 5 links, 3 of the 12 sure ones, 4 that are sure or possible.
    assert scores["all"]["precision"] == 4 / 5
    assert scores["all"]["recall"] == 3 / 12
    assert scores["all"]["aer"] == pytest.approx(1 - (3 + 4) / (5 + 12))
    corpus = tmp_path / "corpus.tsv"
    corpus.write_text(tsv(LINES))
    assert "gives the links to score" in refused(
        "align", corpus, "--gold", gold, "--alignment", links
    )
    links.write_text("0-0\n")
    assert "there are 1 lines here but 3" in refused("align", "--gold", gold, "--alignment", links)
    links.write_text("0-9\n\n\n")
    assert "points past the end" in refused("align", "--gold", gold, "--alignment", links)


def test_gold_with_a_bitext_that_has_bad_lines(run, tmp_path):
    path = tmp_path / "bad.tsv"
    path.write_bytes(tsv(LINES).encode() + BAD["E601"])
    code, out, err = run("align", path, "--gold", gold_file(tmp_path))
    assert code == 0
    assert "E601" in err
    assert "0.0000" in out


def test_gold_and_a_saved_model(ok, corpus, tmp_path):
    model = tmp_path / "model.owm"
    gold = gold_file(tmp_path)
    trained = ok("align", corpus, "--gold", gold, "--save", model)
    assert ok("align", "--gold", gold, "--model", model) == trained


def test_an_empty_gold_file(refused, corpus, tmp_path):
    assert "no rows" in refused("align", corpus, "--gold", gold_file(tmp_path, []))


def test_same_links_from_python(ok, corpus):
    text = Bitext(*(encode(side) for side in zip(*LINES, strict=True)))
    links, _ = Aligner.train(text).align(text)
    shown = [" ".join(f"{i}-{j}" for i, j in links.sentence(n)) for n in range(text.size)]
    assert lines_of(ok("align", corpus)) == shown


def test_a_model_knows_how_its_text_was_read(ok, tmp_path):
    text, model = tmp_path / "b.tsv", tmp_path / "m.owm"
    text.write_text("The end.\tLa fin.\nThe end\tLa fin\nthe START.\tle début.\n" * 3)
    options = ["--tokenizer", "none", "--case"]
    links = ok("align", text, *options, "--save", model)
    assert ok("align", text, "--model", model) == links


def test_files_that_would_be_lost(refused, tmp_path):
    text = tmp_path / "b.tsv"
    text.write_text("a b\tx y\n")
    for options in (
        ["-o", text],
        ["--save", text],
        ["-o", tmp_path / "q", "--save", tmp_path / "q"],
    ):
        message = refused("align", text, *options)
        assert "both" in message
    assert text.read_text() == "a b\tx y\n"
    assert "there is no directory" in refused("align", text, "-o", tmp_path / "none" / "x")


def test_no_pair_at_all(run, tmp_path):
    text = tmp_path / "b.txt"
    text.write_text("one column\nonly\n")
    code, out, err = run("align", text)
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].endswith("no line holds a sentence pair that can be aligned")
