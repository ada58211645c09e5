"""`build`: a bitext to a paraphrase model, in stages that are cached and resumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.pipeline.build import Build as Build
    from otherwords.pipeline.build import Step as Step
    from otherwords.pipeline.build import Steps as Steps
    from otherwords.pipeline.steps import build_model as build_model
    from otherwords.pipeline.steps import build_steps as build_steps

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.pipeline.build": "Build Step Steps",
        "otherwords.pipeline.steps": "build_model build_steps",
    },
)
