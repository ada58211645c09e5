"""Pivoting against the definition, by hand, and whatever the threads."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.build.engine import DuckEngine
from otherwords.build.engine.parquet import write_parquet
from otherwords.build.phrases import PhraseTable, Pruning, paraphrase_sets, pivot
from otherwords.build.phrases.pivoting import Paraphrases
from otherwords.build.phrases.table import SCHEMA
from otherwords.errors import InputError, OtherwordsError, UsageError
from tests.oracles import phrases as oracle


def table(path, counts, *, with_counts=True, swap=False) -> PhraseTable:
    """A phrase table of {(english, foreign): count}; lexical weights are not looked at."""
    sources: Counter = Counter()
    targets: Counter = Counter()
    for (e, f), n in counts.items():
        sources[e] += n
        targets[f] += n
    rows = []
    for (e, f), n in sorted(counts.items()):
        scores = {"p_source": n / targets[f], "p_target": n / sources[e]}
        seen = {"count_target": targets[f], "count_source": sources[e], "count": n}
        row = {"source": e, "target": f, **scores, **(seen if with_counts else {})}
        if swap:
            row |= {"source": f, "target": e}
            row |= {"p_source": scores["p_target"], "p_target": scores["p_source"]}
        rows.append(row)
    write_parquet(path, SCHEMA, [pa.RecordBatch.from_pylist(rows, schema=SCHEMA)])
    return PhraseTable.open(path)


def rows_of(found) -> list[dict]:
    return [row for batch in found.batches() for row in batch.to_pylist()]


def run(work, tables, path, *, threads=1, **options):
    with DuckEngine(threads=threads) as engine:
        return work(tables, path, engine=engine, **options)


def probabilities(found) -> dict:
    return {(row["phrase"], row["paraphrase"]): row["probability"] for row in rows_of(found)}


GERMAN = {
    ("under control", "unter kontrolle"): 3,
    ("in check", "unter kontrolle"): 1,
    ("in check", "in schach"): 1,
}
FRENCH = {("under control", "sous contrôle"): 1, ("controlled", "sous contrôle"): 1}


def test_pivoting_by_hand(tmp_path):
    german = table(tmp_path / "de", GERMAN)
    found = run(pivot, {"de": [german]}, tmp_path / "p", identity=True)
    assert probabilities(found) == pytest.approx(
        {
            # p(unter kontrolle | under control) = 1, p(. | unter kontrolle) = 3/4, 1/4
            ("under control", "under control"): 3 / 4,
            ("under control", "in check"): 1 / 4,
            # p(unter kontrolle | in check) = 1/2, p(in check | in schach) = 1
            ("in check", "under control"): 1 / 2 * 3 / 4,
            ("in check", "in check"): 1 / 2 * 1 / 4 + 1 / 2 * 1,
        },
        abs=1e-15,
    )
    assert rows_of(found)[0] == {
        "phrase": "in check",
        "paraphrase": "in check",
        "probability": 0.625,
        "pivots": 2,
        "languages": 1,
    }


def test_the_mean_over_languages(tmp_path):
    tables = {"de": [table(tmp_path / "de", GERMAN)], "fr": [table(tmp_path / "fr", FRENCH)]}
    known = probabilities(run(pivot, tables, tmp_path / "p"))
    # both languages know "under control", only German "in check"
    assert known["under control", "in check"] == pytest.approx((1 / 4 + 0) / 2)
    assert known["under control", "controlled"] == pytest.approx((0 + 1 / 2) / 2)
    assert known["in check", "under control"] == pytest.approx(3 / 8)


def test_tables_of_one_language_are_added_up(tmp_path):
    more = {("in check", "in schach"): 2, ("under control", "in schach"): 1}
    parts = [table(tmp_path / "1", GERMAN), table(tmp_path / "2", more)]
    both = table(tmp_path / "both", Counter(GERMAN) + Counter(more))
    apart = run(pivot, {"de": parts}, tmp_path / "p")
    together = run(pivot, {"de": [both]}, tmp_path / "q")
    assert rows_of(apart) == rows_of(together)


counts = st.dictionaries(
    st.tuples(st.sampled_from(["a", "b", "c d", "é"]), st.sampled_from(["X", "Y Z", "汉"])),
    st.integers(1, 5),
    min_size=1,
)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(counts, min_size=1, max_size=3),
    st.booleans(),
    st.sampled_from([0, 0.25]),
)
def test_pivoting_is_that_of_the_definition(tmp_path_factory, languages, identity, min_step):
    folder = tmp_path_factory.mktemp("p")
    tables = {f"l{k}": [table(folder / f"{k}", one)] for k, one in enumerate(languages)}
    found = run(
        pivot,
        tables,
        folder / "p",
        identity=identity,
        pruning=Pruning(min_step=min_step),
    )
    expected = oracle.pivot(languages, identity=identity, min_step=Fraction(min_step))
    assert probabilities(found) == pytest.approx(
        {pair: float(value) for pair, value in expected.items()}, abs=1e-14
    )
    order = [(row["phrase"], -row["probability"], row["paraphrase"]) for row in rows_of(found)]
    assert order == sorted(order)
    if identity and not min_step:
        totals: Counter = Counter()
        for (phrase, _), value in probabilities(found).items():
            totals[phrase] += value
        assert list(totals.values()) == pytest.approx([1] * len(totals))


def test_the_english_side_may_be_the_target(tmp_path):
    one = run(pivot, {"de": [table(tmp_path / "1", GERMAN)]}, tmp_path / "p")
    swapped = table(tmp_path / "2", GERMAN, swap=True)
    other = run(pivot, {"de": [swapped]}, tmp_path / "q", english="target")
    assert rows_of(one) == rows_of(other)


def test_pruning(tmp_path):
    tables = {"de": [table(tmp_path / "de", GERMAN)], "fr": [table(tmp_path / "fr", FRENCH)]}

    def pairs(**thresholds):
        found = run(pivot, tables, tmp_path / "p", pruning=Pruning(**thresholds))
        return set(probabilities(found))

    everything = pairs()
    assert len(everything) == 4
    assert pairs(min_count=2) == set()
    assert pairs(max_length=1) == set()
    assert pairs(min_probability=0.2) == everything - {("under control", "in check")}
    assert pairs(top=1) == everything - {("under control", "in check")}
    # p(under control | unter kontrolle) = 3/4, back only 1/4
    assert pairs(min_step=0.3) == everything - {("under control", "in check")}


def test_probabilities_are_of_the_table_before_pruning(tmp_path):
    counts = {("a", "X"): 2, ("b", "X"): 2, ("c", "X"): 1}
    found = run(
        pivot, {"x": [table(tmp_path / "t", counts)]}, tmp_path / "p", pruning=Pruning(min_count=2)
    )
    assert probabilities(found) == pytest.approx({("a", "b"): 2 / 5, ("b", "a"): 2 / 5})


def test_paraphrase_sets(tmp_path):
    tables = {"de": [table(tmp_path / "de", GERMAN)], "fr": [table(tmp_path / "fr", FRENCH)]}
    found = run(paraphrase_sets, tables, tmp_path / "s")
    assert [tuple(row.values()) for row in rows_of(found)] == [
        ("de", "unter kontrolle", "under control", 0.75, 3),
        ("de", "unter kontrolle", "in check", 0.25, 1),
        ("fr", "sous contrôle", "controlled", 0.5, 1),
        ("fr", "sous contrôle", "under control", 0.5, 1),
    ]
    pruned = run(paraphrase_sets, tables, tmp_path / "s", pruning=Pruning(min_probability=0.3))
    assert {row["language"] for row in rows_of(pruned)} == {"fr"}
    assert Paraphrases.open(tmp_path / "s").columns[0] == "language"


def test_signatures_and_metadata(tmp_path):
    tables = {"de": [table(tmp_path / "de", GERMAN)]}
    found = run(pivot, tables, tmp_path / "p", pruning=Pruning(min_count=1, top=3))
    digest = tables["de"][0].digest
    assert found.signature == (
        f"pivot|v:2|tables:de={digest}|english:source|identity:false"
        "|min-count:1|min-step:0|max-length:all|min-probability:0|top:3"
    )
    again = Paraphrases.open(tmp_path / "p")
    assert again == found
    different = run(pivot, tables, tmp_path / "q", pruning=Pruning(min_step=1e-3))
    assert different.signature != found.signature


def test_threads_do_not_matter(tmp_path):
    import random

    rng = random.Random(5)
    made = Counter(
        (f"e{int(rng.paretovariate(0.5)) % 400}", f"f{int(rng.paretovariate(0.5)) % 300}")
        for _ in range(20000)
    )
    tables = {"x": [table(tmp_path / "x", made)], "y": [table(tmp_path / "y", made)]}
    files = []
    for threads in (1, 4):
        for work in (pivot, paraphrase_sets):
            run(work, tables, tmp_path / "out", threads=threads)
            files.append((tmp_path / "out").read_bytes())
    assert files[:2] == files[2:]
    assert len(files[0]) > 10_000


def test_what_is_refused(tmp_path):
    german = table(tmp_path / "de", GERMAN)
    bare = table(tmp_path / "bare", GERMAN, with_counts=False)
    path = tmp_path / "p"
    assert rows_of(run(pivot, {"de": [bare]}, path)) == rows_of(run(pivot, {"de": [german]}, path))
    path.unlink()
    for tables, options, message in [
        ({}, {}, "nothing to pivot"),
        ({"de": []}, {}, "nothing to pivot"),
        ({"de": [german]}, {"english": "left"}, "english must be"),
        ({"de": [german]}, {"identity": 1}, "identity must be"),
    ]:
        with pytest.raises(UsageError, match=message):
            run(pivot, tables, path, **options)
    for tables, options in [
        ({"de": [german, bare]}, {}),
        ({"de": [bare]}, {"pruning": Pruning(min_count=2)}),
    ]:
        with pytest.raises(InputError, match="has no counts"):
            run(pivot, tables, path, **options)
    for name, value in [("min_count", 0), ("min_step", 2), ("top", 0), ("min_probability", "x")]:
        with pytest.raises(UsageError, match=name):
            Pruning(**{name: value})
    assert not path.exists()


def test_the_engine_tells_its_troubles(tmp_path):
    with DuckEngine() as engine:
        folder = engine.folder
        with pytest.raises(OtherwordsError, match="the database says"):
            engine.run("SELECT nothing FROM nowhere")
        with pytest.raises(OtherwordsError, match="the database says"):
            engine.table("t", tmp_path / "none")
        with pytest.raises(OtherwordsError, match="the database says"):
            engine.write("SELECT CAST('x' AS BIGINT) AS y", tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert not folder.exists()
    with pytest.raises(UsageError, match="threads"):
        DuckEngine(threads=0)
    with pytest.raises(OtherwordsError, match="no temporary directory"):
        DuckEngine(temporary=tmp_path / "none")


def test_the_engine_prints_nothing():
    with DuckEngine() as engine:
        shown = engine.run("SELECT current_setting('enable_progress_bar') AS bar").read_all()
    assert shown.to_pylist() == [{"bar": False}]


def test_tables_larger_than_memory(tmp_path):
    """Sorting 90 MB within 50 MB spills, and gives what it gives with room enough."""
    words = pa.RecordBatch.from_pydict({"x": [f"{i * 7919 % 800:070d}" for i in range(800)]})
    write_parquet(tmp_path / "t", words.schema, [words])
    sql = "SELECT a.x AS x, b.x AS y FROM t AS a CROSS JOIN t AS b ORDER BY b.x, a.x"
    for name, memory in (("small", 0.05), ("large", 1.0)):
        with DuckEngine(memory_gb=memory) as engine:
            engine.table("t", tmp_path / "t")
            assert engine.write(sql, tmp_path / name) == 640_000
    assert (tmp_path / "small").read_bytes() == (tmp_path / "large").read_bytes()


@pytest.mark.parametrize("nullable", [True, False])
def test_batches_of_other_types_are_cut_into_row_groups(tmp_path, monkeypatch, nullable):
    """37 rows in batches of 7, of which groups of 10 leave parts over."""
    monkeypatch.setattr("otherwords.build.engine.parquet.ROW_GROUP", 10)
    given = [pa.field("s", pa.large_string(), nullable), pa.field("n", pa.int32(), nullable)]
    wanted = [pa.field("s", pa.string(), not nullable), pa.field("n", pa.int64(), not nullable)]
    columns = {"s": [str(i) for i in range(37)], "n": list(range(37))}
    whole = pa.RecordBatch.from_pydict(columns, schema=pa.schema(given))
    parts = [whole.slice(start, 7) for start in range(0, 37, 7)]
    assert write_parquet(tmp_path / "t", pa.schema(wanted), parts, {"k": 1}) == 37
    assert pq.read_table(tmp_path / "t").to_pydict() == columns


def test_row_groups_do_not_depend_on_batches(tmp_path, monkeypatch):
    monkeypatch.setattr("otherwords.build.engine.parquet.ROW_GROUP", 10)
    whole = pa.RecordBatch.from_pydict({"x": list(range(37))})
    parts = [whole.slice(start, 3) for start in range(0, 37, 3)]
    assert write_parquet(tmp_path / "a", whole.schema, [whole], {"k": 1}) == 37
    write_parquet(tmp_path / "b", whole.schema, parts, {"k": 1})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_sql_that_two_engines_understand():
    """No DuckDB-only syntax; docs/decisions/spark.md has the list."""
    import re

    from otherwords.build.phrases import pivoting
    from otherwords.build.phrases import table as tables

    texts = {
        name: value
        for module in (pivoting, tables)
        for name, value in vars(module).items()
        if isinstance(value, str) and "SELECT" in value
    }
    assert len(texts) >= 9
    banned = r"::|QUALIFY|ARG_M|EXCLUDE|USING|LIST|STRUCT|HUGEINT|ILIKE|GROUP BY ALL|//|\bANY_VALUE"
    for name, text in texts.items():
        assert not re.search(banned, text), name
        # only casts decide what kind of division it is
        for divided in re.findall(r"(\S+) / ", text):
            assert divided.endswith("DOUBLE)"), name
