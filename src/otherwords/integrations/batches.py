"""Scores of many rows, none of which raises an error: rewards for TRL, columns for batches."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import otherwords
from otherwords.errors import UsageError, near
from otherwords.metrics.base import Metric
from otherwords.scoring.choice import make_metrics
from otherwords.text.outputs import is_other_language


def reward(
    prompts: Sequence[Any], completions: Sequence[Any], originals: Sequence[Any], **columns: Any
) -> list[float]:
    """`otherwords-rewrite` as a reward function of TRL: one number from 0 to 1 per completion.

    Completions are texts or lists of chat messages; the last message counts. `originals` is a
    column of the dataset; prompts and other columns are not used. A row that cannot be scored, such
    as an empty text or one in another language, has the reward 0. All processors are used.

    >>> rewards = reward(["p", "p"], ["Rain fell.", [{"role": "assistant", "content": ""}]],
    ...                  ["It rained.", "It rained."])
    >>> len(rewards), rewards[0] > rewards[1] == 0.0
    (2, True)
    """
    if len(completions) != len(originals):
        raise UsageError(f"{len(completions)} completions but {len(originals)} originals")
    texts = [_completion(completion) for completion in completions]
    metric = otherwords.metric("otherwords-rewrite")
    scores = _score(metric, texts, None, originals, os.cpu_count() or 1)
    return [score or 0.0 for score in scores]


def score_batch(
    batch: Any,
    metric: str | Metric = "otherwords-rewrite",
    *,
    hypothesis: str = "hypothesis",
    references: str = "references",
    source: str = "source",
    into: str | None = None,
    threads: int = 1,
    **options: Any,
) -> Any:
    """Add a column of scores to a batch of rows: for `datasets.map`, Ray Data, Spark's mapInArrow.

    Parameters
    ----------
    batch
        A mapping of columns, or an Arrow record batch or table; the result is of the same kind.
    metric
        A name or a `Metric`.
    hypothesis, references, source
        Names of columns; references (texts, or lists of texts) and source may be absent if the
        metric does not need them.
    into
        The name of the new column (default: that of the metric).
    threads
        Threads to run.
    **options
        Options of the metric.

    A row whose texts are missing or in another language has no score (None).

    >>> batch = {"hypothesis": ["a cat", None], "references": ["the cat", "a dog"]}
    >>> score_batch(batch, "mup")["mup"]
    [0.5, None]
    """
    is_arrow = hasattr(batch, "append_column")
    names = batch.schema.names if is_arrow else list(batch)
    if hypothesis not in names:
        raise UsageError(f"there is no column '{hypothesis}'; {near(hypothesis, names)}")
    texts, several, sources = (
        list(batch[name].to_pylist() if is_arrow else batch[name]) if name in names else None
        for name in (hypothesis, references, source)
    )
    [(label, chosen)] = make_metrics(metric, options).items()
    name = into or label
    scores = _score(chosen, texts or [], several, sources, threads)
    if not is_arrow:
        return {**batch, name: scores}
    import pyarrow

    return batch.append_column(name, pyarrow.array(scores, pyarrow.float64()))


def _score(
    metric: Metric,
    texts: Sequence[Any],
    references: Sequence[Any] | None,
    sources: Sequence[Any] | None,
    threads: int,
) -> list[float | None]:
    """The score of each row; `None` for rows that cannot be scored."""
    given: dict[str, Sequence[Any]] = {}
    compared: list[Sequence[Sequence[Any]]] = [[[text] for text in texts]]
    if references is not None and metric.against == "references":
        given["references"] = references
        compared.append([_listed(several) for several in references])
    if sources is not None and (metric.against == "source" or metric.traits.needs_source):
        given["sources"] = sources
        compared.append([[source] for source in sources])
    usable = [
        place
        for place, row in enumerate(zip(*compared, strict=True))
        if all(_is_usable(text, metric) for several in row for text in several)
    ]
    scores: list[float | None] = [None] * len(texts)
    if usable:
        picked: dict[str, Any] = {
            name: [column[place] for place in usable] for name, column in given.items()
        }
        hypotheses = [texts[place] for place in usable]
        result = otherwords.score(metric, hypotheses, **picked, threads=threads, any_language=True)
        for place, value in zip(usable, result.segments.tolist(), strict=True):
            scores[place] = value
    return scores


def _completion(completion: Any) -> Any:
    """The text of a completion; chat messages have it in the content of the last one."""
    if isinstance(completion, Sequence) and not isinstance(completion, str) and completion:
        completion = completion[-1]
    content = completion.get("content") if isinstance(completion, Mapping) else completion
    if isinstance(content, list):  # parts of a message
        parts = (part.get("text") for part in content if isinstance(part, Mapping))
        content = "".join(part for part in parts if isinstance(part, str))
    return content


def _listed(other: Any) -> list[Any]:
    """The references of a row; `[None]` if there are none."""
    if isinstance(other, Iterable) and not isinstance(other, (str, Mapping)):
        return list(other) or [None]
    return [other]


def _is_usable(text: Any, metric: Metric) -> bool:
    """Whether this is text that the metric reads."""
    try:
        is_text = isinstance(text, str) and text.encode() is not None
    except UnicodeEncodeError:
        return False
    return is_text and not (metric.traits.english and is_other_language(text))
