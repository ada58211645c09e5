"""The commands by name. Each is loaded when it is called, so that starting costs little."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
import typer.core
import typer.main

from otherwords import __version__
from otherwords.cli.options import expanded
from otherwords.cli.quick import convert_quickly
from otherwords.errors import UsageError, near

__all__ = ["COMMANDS", "command"]


@dataclass(frozen=True)
class Leaf:
    """A command: where its function is, and what it does in one line."""

    function: str  # module:function below otherwords.cli
    help: str


@dataclass(frozen=True)
class Branch:
    """A group of commands."""

    help: str
    commands: Tree
    default: str | None = None  # the command that runs where none of the group is named
    moved: Mapping[str, str] = field(default_factory=dict)  # options that went away: the new form


Tree = Mapping[str, Leaf | Branch]

_PAPERS = {
    "pem": Leaf("meta_pem:pem_command", "Tables of PEM (Liu, Dahlmeier & Ng 2010)."),
    "maxsim": Leaf("meta_maxsim:maxsim_command", "Tables of MAXSIM (Chan & Ng 2008)."),
    "paraeval": Leaf("meta_paraeval:paraeval_command", "Tables of ParaEval (Zhou et al. 2006)."),
    "parametric": Leaf(
        "meta_parametric:parametric_paper_command",
        "Tables of ParaMetric (Callison-Burch, Cohn & Lapata 2008).",
    ),
    "paradigm": Leaf(
        "meta_paradigm:paradigm_paper_command",
        "Tables of PARADIGM (Weese, Ganitkevitch & Callison-Burch 2014).",
    ),
}

COMMANDS: Mapping[str, Tree] = {
    "Score and compare": {
        "score": Leaf("score:score_command", "Score system outputs with one or several metrics."),
        "compare": Leaf("compare:compare_command", "Compare systems, with significance."),
        "rank": Leaf("rank:rank_command", "Rank candidate paraphrases, best first."),
        "report": Leaf("report:report_command", "Write a page about systems and metrics."),
        "gate": Leaf("gate:gate_command", "Check a system by rules; exit 1 if it breaks one."),
        "references": Leaf("references:references_command", "Score each reference by the others."),
        "metrics": Leaf("metrics:metrics_command", "List the metrics and when to use each."),
        "validate": Leaf("validate:validate_command", "Check input files for mistakes."),
        "convert": Leaf("convert:convert_command", "Convert rows from one format to another."),
    },
    "Agreement with human scores": {
        "meta": Branch(
            "Correlate metrics with human scores; make the tables of the papers.",
            {
                "agreement": Leaf("meta:meta_command", "Correlate metrics with human scores."),
                "recognition": Leaf(
                    "meta_recognition:recognition_command", "Recognise paraphrases: AUC and F1."
                ),
                "paper": Branch("Make the tables of a paper on your data.", _PAPERS),
            },
            default="agreement",
            moved={"--paper": "a command: otherwords meta paper", "--draw": "--resample-by"},
        ),
        "train": Branch(
            "Train a metric on your own judgements.",
            {
                "pem": Leaf("train:pem_command", "Train PEM's regression."),
                "combine": Leaf("train_combine:combine_command", "Train a combination of metrics."),
            },
        ),
        "controls": Leaf("controls:controls_command", "Make control rows with known scores."),
        "studio": Branch(
            "Align words, judge paraphrases, browse scores in a local web page.",
            {
                "align": Leaf("studio_align:align_command", "Align words by hand."),
                "judge": Leaf("studio_judge:judge_command", "Collect judgements."),
                "judges": Leaf("studio_judge:judges_command", "Check judges by their controls."),
                "show": Leaf("studio_show:show_command", "Browse rows and explanations."),
                "export": Leaf("studio_export:export_command", "Write judgements as rows."),
                "agreement": Leaf("studio_agreement:agreement_command", "Compare two annotators."),
            },
        ),
    },
    "Diagnose paraphrase resources": {
        "parametric": Leaf("parametric:parametric_command", "Score paraphrasers (ParaMetric)."),
        "paradigm": Branch(
            "Score paraphrase grammars (PARADIGM).",
            {
                "overlap": Leaf("paradigm_overlap:overlap_command", "Overlap with a gold grammar."),
                "coverage": Leaf("paradigm_coverage:coverage_command", "Sentence pairs parsed."),
            },
        ),
    },
    "Generate": {
        "paraphrase": Leaf("paraphrase:paraphrase_command", "Paraphrase sentences by a grammar."),
        "compress": Leaf("compress:compress_command", "Shorten sentences by a grammar."),
        "tune": Leaf("tune:tune_command", "Tune a decoder's weights to a metric."),
    },
    "Build resources": {
        "build": Leaf("build:build_command", "Build a paraphrase model from bitexts."),
        "align": Leaf("align:align_command", "Align the words of a bitext."),
        "extract": Branch(
            "Extract phrases, a grammar or lattices from an aligned bitext.",
            {
                "phrases": Leaf("extract:phrases_command", "Extract a phrase table."),
                "grammar": Leaf("extract_grammar:grammar_command", "Extract a grammar."),
                "lattices": Leaf("lattices:lattices_command", "Merge equivalent sentences."),
            },
        ),
        "pivot": Leaf("pivot:pivot_command", "Pivot a phrase table into paraphrases."),
        "grammar": Branch(
            "Inspect, convert, prune, pivot and index grammars.",
            {
                "info": Leaf("grammar:info_command", "Count the rules of a grammar."),
                "convert": Leaf("grammar:convert_command", "Write a grammar in another format."),
                "prune": Leaf("grammar:prune_command", "Keep the better rules."),
                "pivot": Leaf("grammar:pivot_command", "Pivot a grammar into paraphrase rules."),
                "index": Leaf("grammar:index_command", "Index a grammar for parsing."),
            },
        ),
        "lm": Branch(
            "Estimate and query n-gram language models.",
            {
                "estimate": Leaf("lm:estimate_command", "Estimate a model from text."),
                "query": Leaf("lm:query_command", "Score text with a model."),
            },
        ),
        "model": Branch(
            "Inspect, verify and pack model files.",
            {
                "info": Leaf("model:info_command", "Show what is in a model file."),
                "verify": Leaf("model:verify_command", "Check a model file's checksums."),
                "list": Leaf("model:list_command", "List the embedded models."),
                "pack": Leaf("model:pack_command", "Pack a paraphrase table."),
                "encoder": Leaf("model:encoder_command", "Convert a neural encoder."),
            },
        ),
    },
    "Annotate text": {
        "tokenize": Leaf("tokenize:tokenize_command", "Split text into Penn tokens."),
        "tag": Leaf("tag:tag_command", "Tag text with Penn tags."),
        "lemmatize": Leaf("lemmatize:lemmatize_command", "Reduce words to their lemmas."),
        "parse": Leaf("parse:parse_command", "Parse text into constituency trees."),
    },
}

_PYTHON_TYPE = re.compile(r"<(?:list\[)?(.*?)(?: range)?\]?>")  # of the values of an option
_ENDS = defaultdict(lambda: 1, Arguments=0, Options=2)  # the first panel and the last
_HELP = {"help_option_names": ["-h", "--help"]}


class Command(typer.core.TyperCommand):
    """A command whose help groups options in panels."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, the help option among them."""
        return convert_quickly(super().get_params(ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The usage: arguments as their help names them, those that may be left out in brackets."""
        arguments = [one for one in self.get_params(ctx) if one.param_type_name == "argument"]
        names = [one.metavar if one.required else f"[{one.metavar}]" for one in arguments]
        return ["[OPTIONS]", *names]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options of each panel."""
        panels: dict[str, list[Any]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                argument = parameter.param_type_name == "argument"
                kind = "Arguments" if argument else "Options"
                panel = getattr(parameter, "rich_help_panel", None) or kind
                names = parameter.metavar if argument else _PYTHON_TYPE.sub(r"<\1>", record[0])
                panels.setdefault(panel, []).append((names, record[1]))
        for panel in sorted(panels, key=_ENDS.__getitem__):
            with formatter.section(panel):
                formatter.write_dl(panels[panel])


class Group(typer.core.TyperGroup):
    """A group that loads a command when it is called."""

    panels: Mapping[str, Tree] = {}
    default: str | None = None
    moved: Mapping[str, str] = {}

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters, the help option among them."""
        return convert_quickly(super().get_params(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the group's default command before options that follow no command."""
        if ctx.resilient_parsing and not args:  # completion of the group's own commands
            return super().parse_args(ctx, args)
        for place, word in enumerate([] if ctx.resilient_parsing else args):
            option, _, value = word.partition("=")
            if option in self.moved:
                value = value or next(iter(args[place + 1 :]), "")
                raise UsageError(f"{option} is now {self.moved[option]} {value}".rstrip())
        named = args and (not args[0].startswith("-") or args[0] in ("-h", "--help"))
        if self.default is not None and not named:
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        """Names in the order of the help."""
        return [name for tree in self.panels.values() for name in tree]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command, loaded."""
        for tree in self.panels.values():
            if cmd_name in tree:
                return _loaded(cmd_name, tree[cmd_name])
        return None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the arguments name, or a hint at what they may mean."""
        names = [] if ctx.resilient_parsing else self.list_commands(ctx)
        if names and args and not args[0].startswith("-") and args[0] not in names:
            called = " ".join([*ctx.command_path.split(), args[0]])
            raise UsageError(f"there is no command '{called}'; {near(args[0], names)}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Commands of the group, and options of its default command."""
        found = super().shell_complete(ctx, incomplete)
        if self.default is not None and incomplete.startswith("-"):
            run = self.get_command(ctx, self.default)
            below = run.make_context(self.default, [], parent=ctx, resilient_parsing=True)
            found += run.shell_complete(below, incomplete)
        return found

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write what each command does, without loading it."""
        for panel, tree in self.panels.items():
            with formatter.section(panel):
                formatter.write_dl([(name, node.help) for name, node in tree.items()])


def _loaded(name: str, node: Leaf | Branch) -> Any:
    if isinstance(node, Branch):
        return _group(name, {"Commands": node.commands}, node.help, None, node.default, node.moved)
    return _command(name, node)


@cache
def _command(name: str, node: Leaf) -> Any:
    module, _, function = node.function.partition(":")
    app = _typer()
    run = getattr(import_module(f"otherwords.cli.{module}"), function)
    app.command(name, cls=Command)(expanded(run))
    return typer.main.get_command(app)


def _typer(**options: Any) -> typer.Typer:
    return typer.Typer(
        add_completion=options.pop("add_completion", False),
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings=_HELP,
        **options,
    )


def _group(
    name: str | None,
    panels: Mapping[str, Tree],
    help: str,
    callback: Callable[..., None] | None = None,
    default: str | None = None,
    moved: Mapping[str, str] | None = None,
) -> Any:
    class Loaded(Group):
        pass

    Loaded.panels, Loaded.default, Loaded.moved = panels, default, moved or {}
    if default is not None:
        help += f" Without a command, `{default}` runs."
    app = _typer(cls=Loaded, help=help, add_completion=callback is not None)
    app.callback()(callback or _nothing)
    group = typer.main.get_command(app)
    group.name = name
    return group


def _nothing() -> None:
    """A group does nothing without a command."""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"otherwords {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Measure how well a text says the same thing in other words."""


@cache
def command() -> Any:
    """The command that runs everything."""
    return _group(None, COMMANDS, _root.__doc__ or "", _root)
