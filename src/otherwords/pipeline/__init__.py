"""Long builds as stages that are cached by content and resumed after a kill."""

from __future__ import annotations

from otherwords.pipeline.stages import Event, Pipeline, Stage, Workspace, log_lines

__all__ = ["Event", "Pipeline", "Stage", "Workspace", "log_lines"]
