"""Paraphrase grammars by pivoting a bilingual grammar (Ganitkevitch et al. 2011).

Two rules with the same label and the same foreign side make a paraphrase of their English sides,
whose nonterminals correspond as they do through the foreign side:
p(e2|e1) = sum over f of p(f|e1) p(e2|f).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from otherwords import _build
from otherwords.build.engine.base import UNIT, Engine, sql_number
from otherwords.build.grammar.table import KIND, Grammar, rule_schema
from otherwords.build.phrases.extraction import packed_texts
from otherwords.errors import InputError, OtherwordsError, UsageError, near
from otherwords.io.arguments import check_flag, check_number
from otherwords.models.arrays import Strings

PROBABILITIES = ("e_given_f_phrase", "f_given_e_phrase")
PIVOT_FEATURES = (*PROBABILITIES, "pivots", "word_difference", "character_difference")
SIDES = ("source", "target")

# A step is p(f | e) forward and p(e | f) backward. `word_order` is the number of the order of the
# nonterminals of the first English side, in which those of the second are numbered.
_PARAPHRASES = """
SELECT *
FROM (
    SELECT first.lhs AS lhs, first.english AS source, second.english AS target,
           CAST(SUM(CAST(FLOOR(first.forward * second.backward * {unit}) AS BIGINT)) AS DOUBLE)
               / {unit} AS p_target,
           CAST(SUM(CAST(FLOOR(second.forward * first.backward * {unit}) AS BIGINT)) AS DOUBLE)
               / {unit} AS p_source,
           COUNT(*) AS pivots
    FROM first_steps AS first
    JOIN second_steps AS second
      ON first.lhs = second.lhs AND first.foreign_side = second.foreign_side
     AND first.word_order = second.word_order
    WHERE first.forward >= {min_step} AND second.backward >= {min_step}
    GROUP BY first.lhs, first.english, second.english
) AS paraphrases
WHERE p_target > 0 AND p_source > 0 AND p_target >= {min_probability} AND {identity}
"""
_TWICE = """
SELECT MIN(english_text) AS text
FROM first_steps
GROUP BY lhs, foreign_side, word_order, english
HAVING COUNT(*) > 1
ORDER BY text
LIMIT 1
"""
_LABELS = """
SELECT label AS hash, MIN(label_text) AS text, MIN(label_check) <> MAX(label_check) AS clash
FROM first_steps
WHERE label IS NOT NULL
GROUP BY label
"""
_ENGLISH = """
SELECT hash, text, clash, LENGTH(text) AS characters,
       LENGTH(text) - LENGTH(REPLACE(text, ' ', '')) AS spaces
FROM (
    SELECT english AS hash, MIN(english_text) AS text,
           MIN(english_check) <> MAX(english_check) AS clash
    FROM (SELECT english, english_check, english_text FROM first_steps UNION ALL
          SELECT english, english_check, english_text FROM second_steps) AS sides
    WHERE english IN (SELECT source FROM paraphrases UNION SELECT target FROM paraphrases)
    GROUP BY english
) AS english
"""
_CLASHES = {
    "labels": "SELECT hash FROM labels WHERE clash",
    "sides": "SELECT hash FROM english WHERE clash",
    "foreign sides": """
SELECT foreign_side
FROM (SELECT foreign_side, foreign_check FROM first_steps UNION ALL
      SELECT foreign_side, foreign_check FROM second_steps) AS sides
GROUP BY foreign_side HAVING MIN(foreign_check) <> MAX(foreign_check)
""",
}
# Both sides of a paraphrase have the same nonterminals. They differ in their words and in the
# spaces between symbols, which Thrax counts as characters.
_GRAMMAR = """
SELECT labels.text AS lhs, sources.text AS source, targets.text AS target, '' AS alignment,
       CAST(NULL AS STRING) AS relation, f0, f1, CAST(pivots AS DOUBLE) AS f2,
       CAST(targets.spaces - sources.spaces AS DOUBLE) AS f3,
       CAST(targets.characters - sources.characters AS DOUBLE) AS f4
FROM costed
JOIN labels ON costed.lhs = labels.hash
JOIN english AS sources ON costed.source = sources.hash
JOIN english AS targets ON costed.target = targets.hash
ORDER BY labels.id, sources.id, targets.id
"""

# The labels and orders of a batch, fewer than its rows, are in its first rows.
_STEPS = pa.schema(
    {
        **dict.fromkeys(("lhs", "foreign_side", "foreign_check", "word_order"), pa.int64()),
        **dict.fromkeys(("forward", "backward"), pa.float64()),
        **dict.fromkeys(("english", "english_check"), pa.int64()),
        "english_text": pa.large_string(),
        **dict.fromkeys(("label", "label_check"), pa.int64()),
        "label_text": pa.large_string(),
        "nonterminals": pa.string(),
    }
)
_COSTED = pa.schema(
    {
        **dict.fromkeys(("lhs", "source", "target", "pivots"), pa.int64()),
        **dict.fromkeys(("f0", "f1"), pa.float64()),
    }
)


def pivot_grammar(
    grammar: Grammar,
    path: str | Path,
    *,
    engine: Engine,
    foreign: str = "source",
    min_step: float = 0.0,
    min_probability: float = 0.0,
    identity: bool = True,
    features: Mapping[str, str] | None = None,
) -> Grammar:
    """Make the paraphrase grammar of one side of a bilingual grammar.

    It has the features `e_given_f_phrase` and `f_given_e_phrase`, p(target|source) and
    p(source|target) as negative logarithms; the number of `pivots`; and `word_difference` and
    `character_difference`, target minus source (PARADIGM §6).

    Parameters
    ----------
    grammar
        Needs the features `e_given_f_phrase` and `f_given_e_phrase`, e being the target, or others
        that `features` names. Rules without them, such as glue rules, are ignored; a duplicate rule
        is an error.
    path, engine
        The output file and the engine.
    foreign
        The side through which paraphrases are found, `source` or `target`.
    min_step, min_probability
        Drop steps and paraphrases with a smaller probability.
    identity
        Keep rules with equal sides.
    features
        The features that have the negative logarithms of p(e|f) and p(f|e), by `e_given_f` and
        `f_given_e`. Features without names, as in many Joshua grammars, are 0, 1, 2...
    """
    if foreign not in SIDES:
        raise UsageError(f"unknown side '{foreign}'; {near(foreign, SIDES)}")
    check_number("min_step", min_step, 0, 1)
    check_number("min_probability", min_probability, 0, 1)
    check_flag("identity", identity)
    sql = _PARAPHRASES.format(
        unit=UNIT,
        min_step=sql_number(min_step),
        min_probability=sql_number(min_probability),
        identity="TRUE" if identity else "source <> target",
    )
    signature = (
        f"grammar-pivot|v:2|foreign:{foreign}|min-step:{min_step:.17g}"
        f"|min-probability:{min_probability:.17g}|identity:{'yes' if identity else 'no'}"
    )
    described = {"kind": KIND, "features": list(PIVOT_FEATURES), "signature": signature}
    _stage_steps(grammar, engine, foreign, _probabilities(grammar, features or {}))
    if twice := engine.run(_TWICE).read_all()["text"].to_pylist():
        raise InputError(
            f"a rule with the {SIDES[foreign == 'source']} side '{twice[0]}' is there twice: "
            "its probabilities would count twice; remove one of them",
            path=grammar.name,
        )
    engine.stage("paraphrases", sql)
    engine.number("labels", "text", _LABELS)
    engine.number("english", "text", _ENGLISH)
    for what, clashes in _CLASHES.items():
        if engine.run(clashes).read_all().num_rows:
            raise OtherwordsError(f"two different {what} of this grammar have the same hash")
    engine.map("costed", "SELECT * FROM paraphrases", _add_costs, _COSTED)
    engine.write(_GRAMMAR, path, described, schema=rule_schema(PIVOT_FEATURES))
    return Grammar.open(path)


def _probabilities(grammar: Grammar, features: Mapping[str, str]) -> list[str]:
    """Return the columns of p(e|f) and p(f|e)."""
    roles = [name.removesuffix("_phrase") for name in PROBABILITIES]
    for role in features:
        if role not in roles:
            raise UsageError(f"'{role}' is no probability of a pivot; {near(role, roles)}")
    names = [features.get(role, f"{role}_phrase") for role in roles]
    for role, name in zip(roles, names, strict=True):
        if name not in grammar.features and role not in features:
            known = ", ".join(grammar.features) or "none"
            raise InputError(
                f"there is no feature '{name}'; there are: {known}. Name those of p(e|f) and "
                "p(f|e): `features` e_given_f=NAME,f_given_e=NAME",
                path=grammar.name,
            )
    return [grammar.column(name) for name in names]


def _stage_steps(
    grammar: Grammar, engine: Engine, foreign: str, probabilities: Sequence[str]
) -> None:
    """Stage each rule as a first step, and as a second step for every nonterminal order."""
    english = "target" if foreign == "source" else "source"
    backward, forward = probabilities
    if foreign == "target":
        backward, forward = forward, backward
    columns = ("lhs", foreign, english, forward, backward)
    schema = pa.schema([rule_schema(grammar.features).field(name) for name in columns])

    def rules() -> pa.RecordBatchReader:
        return pa.RecordBatchReader.from_batches(schema, _check_rules(grammar, columns))

    engine.map("first_steps", rules(), _Steps(None), _STEPS)
    met = engine.run("SELECT DISTINCT nonterminals FROM first_steps").read_all()
    orders = [text.split() for text in met["nonterminals"].to_pylist() if text is not None]
    wanted = sorted([int(number) for number in order] for order in orders)
    engine.map("second_steps", rules(), _Steps(wanted), _STEPS)


def _check_rules(grammar: Grammar, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Yield the rules that have both probabilities."""
    forward, backward = columns[3:]
    for whole in grammar.batches():
        batch = whole.select(columns)
        rules = batch.filter(pc.and_(pc.is_valid(batch[forward]), pc.is_valid(batch[backward])))
        costs = rules[forward].to_numpy(), rules[backward].to_numpy()
        if (wrong := np.minimum(*costs) < 0).any():
            first = int(np.argmax(wrong))
            cost = next(column[first] for column in costs if column[first] < 0)
            raise InputError(
                f"a phrase probability is a negative logarithm, not {cost:g}: it would be above 1",
                path=grammar.name,
            )
        yield rules


@dataclass(frozen=True)
class _Steps:
    """Turns rules into first steps or, given orders of nonterminals, into second steps."""

    orders: list[list[int]] | None

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for rules in batches:
            *texts, forward, backward = rules.columns
            sides = [(side.bytes, side.bounds) for side in map(Strings.of, texts)]
            steps, english, labels, met = _build.pivot_steps(
                sides, forward.to_numpy(), backward.to_numpy(), self.orders
            )
            size = len(steps["lhs"])
            columns = {name: _column(value) for name, value in steps.items()}
            columns |= {f"english_{name}": _column(english[key]) for name, key in _TEXTS.items()}
            few = {f"label_{name}": _column(labels[key]) for name, key in _TEXTS.items()}
            few["label"] = _column(labels["id"])
            orders = [" ".join(map(str, order)) for order in met]
            few["nonterminals"] = pa.array(orders, pa.string())
            columns |= {name: _pad(values, size) for name, values in few.items()}
            arrays = [columns[name] for name in _STEPS.names]
            yield pa.RecordBatch.from_arrays(arrays, schema=_STEPS)


_TEXTS = {"check": "check_hash", "text": "text"}  # our column: the kernel's name


def _pad(values: pa.Array, size: int) -> pa.Array:
    """Pad with nulls or cut to the number of rows; second steps need no more values."""
    first = values.slice(0, size)
    return pa.concat_arrays([first, pa.nulls(size - len(first), values.type)])


def _add_costs(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Add negative logarithms, by the same function on every machine."""
    for rows in batches:
        numbers = [rows[name] for name in ("lhs", "source", "target", "pivots")]
        costs = [pa.array(_build.costs(rows[name].to_numpy())) for name in ("p_target", "p_source")]
        yield pa.RecordBatch.from_arrays([*numbers, *costs], schema=_COSTED)


def _column(value: Any) -> pa.Array:
    """Make a column from numbers, or from the bytes and bounds of texts."""
    return packed_texts(*value) if isinstance(value, tuple) else pa.array(value)
