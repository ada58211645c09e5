"""A gate for continuous integration: scores and segments of a system against rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.scoring.gating.checking import gate as gate
    from otherwords.scoring.gating.checking import gate_rows as gate_rows
    from otherwords.scoring.gating.gate_result import Check as Check
    from otherwords.scoring.gating.gate_result import GateResult as GateResult
    from otherwords.scoring.gating.offences import Contradiction as Contradiction
    from otherwords.scoring.gating.offences import Offence as Offence
    from otherwords.scoring.gating.reading import GateInput as GateInput
    from otherwords.scoring.gating.reading import read_gate_input as read_gate_input
    from otherwords.scoring.gating.rules import Rules as Rules
    from otherwords.scoring.gating.stored import StoredScores as StoredScores
    from otherwords.scoring.gating.stored import read_scores as read_scores

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.scoring.gating.checking": "gate gate_rows",
        "otherwords.scoring.gating.gate_result": "Check GateResult",
        "otherwords.scoring.gating.offences": "Contradiction Offence",
        "otherwords.scoring.gating.reading": "GateInput read_gate_input",
        "otherwords.scoring.gating.rules": "Rules",
        "otherwords.scoring.gating.stored": "StoredScores read_scores",
    },
)
