from otherwords.pipeline.build import Build as Build
from otherwords.pipeline.build import Step as Step
from otherwords.pipeline.build import Steps as Steps
from otherwords.pipeline.steps import build_model as build_model
from otherwords.pipeline.steps import build_steps as build_steps
