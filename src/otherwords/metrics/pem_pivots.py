"""Two sentences through pivot languages: PEM's bags as numbers, phrases and explanations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from otherwords import _native
from otherwords.metrics.base import Array, Span
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pem_features import Bags, Pairs, mean_and_spread, pivot_f1
from otherwords.metrics.reading import Reading, tokens_of
from otherwords.models.paraphrase_model import ParaphraseModel, PivotTable, choose_languages
from otherwords.text.sentence import Text

__all__ = ["Pivots"]


class Pivots:
    """The bags of a paraphrase model (PEM §4.2, §4.3)."""

    def __init__(
        self,
        model: str | Path,
        languages: str | Sequence[str] | None,
        bags: Bags,
        reading: Reading,
    ) -> None:
        self.model = ParaphraseModel.load(model)
        self.languages = choose_languages(self.model, languages)
        self.tables = {language: self.model.pivots[language] for language in self.languages}
        self.bags, self.reading = bags, reading

    @property
    def settings(self) -> dict[str, Any]:
        """What a regression must remember of them."""
        return {**vars(self.bags), **vars(self.reading), "languages": self.languages}

    @property
    def signature(self) -> dict[str, str]:
        """Bags, reading, pivots."""
        return {
            **self.bags.signature,
            **self.reading.signature,
            "pivots": "+".join(self.languages),
            "model": self.model.digest,
        }

    def scores(self, pairs: Pairs, threads: int) -> tuple[Array, Array]:
        """Mean and spread of the F1 over the pivot languages."""
        return mean_and_spread(*pivot_f1(pairs, self.tables, self.bags, threads))

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        """Which phrases share translations, for every text that was compared."""
        from otherwords.metrics.pem_matches import pivot_spans

        [hypothesis], [targets] = segments.hypotheses, segments.targets
        return tuple(
            pivot_spans(self.tables, self.bags, self.reading, hypothesis, target)
            for target in targets
        )

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        """For each pivot language its F1, both segmentations and the n-grams in common."""
        return {
            language: self._in_pivot(table, hypothesis, target)
            for language, table in self.tables.items()
        }

    def _in_pivot(self, table: PivotTable, hypothesis: Text, target: Text) -> dict[str, Any]:
        pairs = Pairs.of([hypothesis], [target], self.reading)
        values, _ = pivot_f1(pairs, {"": table}, self.bags, 1)
        bags = [
            dict(
                _native.pivot_bag(
                    table.native, float(table.total), self.bags.native, self.reading.words(text)
                )
            )
            for text in (hypothesis, target)
        ]
        shared = {gram: min(weight, bags[1].get(gram, 0.0)) for gram, weight in bags[0].items()}
        ordered = sorted(shared.items(), key=lambda item: (-item[1], item[0]))
        return {
            "f1": float(values[0, 0]),
            "hypothesis": self._phrases(table, hypothesis),
            "compared with": self._phrases(table, target),
            "shared": {gram: round(weight, 4) for gram, weight in ordered if weight > 0},
        }

    def _phrases(self, table: PivotTable, text: Text) -> list[str]:
        """The segmentation of a sentence (PEM §4.2)."""
        tokens = tokens_of(text, self.reading.tokenizer)
        segments = _native.pivot_segments(
            table.native, float(table.total), self.bags.native, self.reading.forms(tokens)
        )
        return [" ".join(tokens[begin:end]) for begin, end in segments]
