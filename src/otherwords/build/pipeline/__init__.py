"""`build`: a paraphrase model from bitexts, in stages that are cached and resumed."""

from otherwords.errors import optional_imports

with optional_imports():
    from otherwords.build.pipeline.model import Build, Step, Steps, build_model, build_steps

__all__ = ["Build", "Step", "Steps", "build_model", "build_steps"]
