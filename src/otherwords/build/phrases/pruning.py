"""What pivoting leaves out: explicit, and part of the signature of what it makes."""

from __future__ import annotations

from dataclasses import dataclass, fields

from otherwords.io.arguments import check_number, check_whole

__all__ = ["Pruning"]

_MOST = 2**53


@dataclass(frozen=True)
class Pruning:
    """Thresholds for pruning; by default nothing is left out.

    `min_count`, `max_length` and `min_step` are applied to the phrase pairs before they meet,
    `min_probability` and then `top` to the paraphrases. What remains keeps its probability:
    nothing is normalised again.

    >>> Pruning(min_count=2, top=10).signature
    'min-count:2|min-step:0|max-length:all|min-probability:0|top:10'
    """

    min_count: int = 1  # times that the phrase pair was seen
    min_step: float = 0.0  # p(f|e1) and p(e2|f) of each step through a foreign phrase
    max_length: int | None = None  # words of an English phrase
    min_probability: float = 0.0
    top: int | None = None  # of the paraphrases of a phrase, the most probable

    def __post_init__(self) -> None:
        check_whole("min_count", self.min_count, 1, _MOST)
        check_number("min_step", self.min_step, 0, 1)
        check_number("min_probability", self.min_probability, 0, 1)
        for name in ("max_length", "top"):
            if getattr(self, name) is not None:
                check_whole(name, getattr(self, name), 1, _MOST)

    @property
    def signature(self) -> str:
        """All thresholds as text."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return "|".join(
            f"{name.replace('_', '-')}:{'all' if value is None else f'{value:.17g}'}"
            for name, value in values.items()
        )
