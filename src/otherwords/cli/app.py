"""The commands by name. Each is loaded when it is called, so that starting costs little."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import click

from otherwords import __version__
from otherwords.cli.parameters import make_command
from otherwords.errors import UsageError, near
from otherwords.io.files import LIMITS


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
    default: str | None = None  # the command that runs if none is named


Tree = Mapping[str, Leaf | Branch]

_PAPERS = {
    "pem": Leaf("meta_papers:pem_command", "Tables of PEM (Liu, Dahlmeier & Ng 2010)."),
    "maxsim": Leaf("meta_papers:maxsim_command", "Tables of MAXSIM (Chan & Ng 2008)."),
    "paraeval": Leaf("meta_papers:paraeval_command", "Tables of ParaEval (Zhou et al. 2006)."),
    "parametric": Leaf(
        "meta_papers:parametric_paper_command",
        "Tables of ParaMetric (Callison-Burch, Cohn & Lapata 2008).",
    ),
    "paradigm": Leaf(
        "meta_papers:paradigm_paper_command",
        "Tables of PARADIGM (Weese, Ganitkevitch & Callison-Burch 2014).",
    ),
}

COMMANDS: Mapping[str, Tree] = {
    "Score": {
        "try": Leaf("trial:try_command", "Judge one rewrite or translation, with reasons."),
        "score": Leaf("score:score_command", "Score system outputs with one or several metrics."),
        "compare": Leaf("compare:compare_command", "Compare systems, with significance."),
        "rank": Leaf("rank:rank_command", "Rank candidate paraphrases, best first."),
        "gate": Leaf("gate:gate_command", "Check a system by rules; exit 1 if it breaks one."),
        "metrics": Leaf("metrics:metrics_command", "List the metrics and when to use each."),
        "report": Leaf("report:report_command", "Write a page about systems and metrics."),
        "validate": Leaf("validate:validate_command", "Check input files for mistakes."),
        "convert": Leaf("convert:convert_command", "Convert rows from one format to another."),
    },
    "Build": {
        "build": Leaf("build:build_command", "Build a paraphrase model from bitexts."),
        "model": Branch(
            "Inspect, verify and pack model files.",
            {
                "info": Leaf("model:info_command", "Show what is in a model file."),
                "verify": Leaf("model:verify_command", "Check a model file's checksums."),
                "list": Leaf("model:list_command", "List the embedded models."),
                "pack": Leaf("model:pack_command", "Pack a paraphrase table."),
                "encoder": Leaf("model:encoder_command", "Pack a sentence encoder."),
            },
        ),
        "align": Leaf("align:align_command", "Align the words of a bitext."),
        "extract": Branch(
            "Extract phrases, a grammar or lattices from an aligned bitext.",
            {
                "phrases": Leaf("extract:phrases_command", "Extract a phrase table."),
                "grammar": Leaf("extract:grammar_command", "Extract a grammar."),
                "lattices": Leaf("extract:lattices_command", "Merge equivalent sentences."),
            },
        ),
        "pivot": Leaf("pivot:pivot_command", "Pivot a phrase table into paraphrases."),
        "lm": Branch(
            "Estimate and query n-gram language models.",
            {
                "estimate": Leaf("lm:estimate_command", "Estimate a model from text."),
                "query": Leaf("lm:query_command", "Score text with a model."),
            },
        ),
        "grammar": Branch(
            "Inspect, convert, prune and pivot grammars.",
            {
                "info": Leaf("grammar:info_command", "Count the rules of a grammar."),
                "convert": Leaf("grammar:convert_command", "Write a grammar in another format."),
                "prune": Leaf("grammar:prune_command", "Keep the better rules."),
                "pivot": Leaf("grammar:pivot_command", "Pivot a grammar into paraphrase rules."),
            },
        ),
        "parse": Leaf("parse:parse_command", "Parse text into constituency trees."),
        "tag": Leaf("texts:tag_command", "Tag text with Penn tags."),
        "tokenize": Leaf("texts:tokenize_command", "Split text into Penn tokens."),
        "lemmatize": Leaf("texts:lemmatize_command", "Reduce words to their lemmas."),
        "paraphrase": Leaf("paraphrase:paraphrase_command", "Paraphrase sentences by a grammar."),
        "compress": Leaf("paraphrase:compress_command", "Shorten sentences by a grammar."),
        "tune": Leaf("paraphrase:tune_command", "Tune a decoder's weights to a metric."),
    },
    "Study": {
        "meta": Branch(
            "Correlate metrics with human scores; make the tables of the papers.",
            {
                "agreement": Leaf("meta:meta_command", "Correlate metrics with human scores."),
                "recognition": Leaf(
                    "meta:recognition_command", "Recognise paraphrases: AUC and F1."
                ),
                "judge": Leaf("meta:judge_command", "Check an LLM judge by human answers."),
                "spans": Leaf("meta:spans_command", "Compare error spans with people's."),
                "paper": Branch("Make the tables of a paper on your data.", _PAPERS),
            },
            default="agreement",
        ),
        "parametric": Leaf("parametric:parametric_command", "Score paraphrasers (ParaMetric)."),
        "paradigm": Branch(
            "Score paraphrase grammars (PARADIGM).",
            {
                "overlap": Leaf("paradigm:overlap_command", "Overlap with a gold grammar."),
                "coverage": Leaf("paradigm:coverage_command", "Sentence pairs parsed."),
            },
        ),
        "train": Branch(
            "Train a metric on your own judgements.",
            {
                "pem": Leaf("train:pem_command", "Train PEM's regression."),
                "rewrite": Leaf("train:rewrite_command", "Train otherwords-rewrite."),
                "combine": Leaf("train:combine_command", "Train a combination of metrics."),
            },
        ),
        "references": Leaf("references:references_command", "Score each reference by the others."),
        "controls": Leaf("controls:controls_command", "Make control rows with known scores."),
        "studio": Branch(
            "Align words and judge paraphrases in a local web page.",
            {
                "try": Leaf("studio:try_page_command", "Try rewrites while you type."),
                "align": Leaf("studio:align_command", "Align words by hand."),
                "judge": Leaf("studio:judge_command", "Collect judgements."),
                "judges": Leaf("studio:judges_command", "Check judges by their controls."),
                "export": Leaf("studio:export_command", "Write judgements as rows."),
                "agreement": Leaf("studio:agreement_command", "Compare two annotators."),
            },
        ),
    },
}

_SETTINGS = {"help_option_names": ["-h", "--help"]}


class Group(click.Group):
    """A group that loads a command when it is called."""

    def __init__(
        self, panels: Mapping[str, Tree], default: str | None = None, **settings: Any
    ) -> None:
        super().__init__(context_settings=_SETTINGS, no_args_is_help=False, **settings)
        self.panels, self.default = panels, default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the group's default command before options that follow no command; `otherwords` alone
        shows its help.
        """
        if not args and ctx.parent is None and not ctx.resilient_parsing:
            args = ["--help"]
        completing = ctx.resilient_parsing and not args
        named = args and (not args[0].startswith("-") or args[0] in ("-h", "--help"))
        if self.default is not None and not named and not completing:
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the help."""
        return [name for tree in self.panels.values() for name in tree]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        nodes = (tree[cmd_name] for tree in self.panels.values() if cmd_name in tree)
        node = next(nodes, None)
        if node is None:
            return None
        if isinstance(node, Branch):
            help = node.help
            if node.default is not None:
                help += f" Without a command, `{node.default}` runs."
            return Group({"Commands": node.commands}, node.default, name=cmd_name, help=help)
        module, _, function = node.function.partition(":")
        run = getattr(import_module(f"otherwords.cli.{module}"), function)
        return make_command(cmd_name, run, context_settings=_SETTINGS)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command that the arguments name, or a hint at what they may mean."""
        names = [] if ctx.resilient_parsing else self.list_commands(ctx)
        if names and args and not args[0].startswith("-") and args[0] not in names:
            called = " ".join([*ctx.command_path.split(), args[0]])
            raise UsageError(f"there is no command '{called}'; {near(args[0], names)}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Commands of the group, and options of its default command."""
        items = super().shell_complete(ctx, incomplete)
        if self.default is not None and incomplete.startswith("-"):
            run = self.get_command(ctx, self.default)
            if run is not None:
                below = run.make_context(self.default, [], parent=ctx, resilient_parsing=True)
                items += run.shell_complete(below, incomplete)
        return items

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of the default command if there is one, and the commands."""
        self.format_commands(ctx, formatter)
        run = self.get_command(ctx, self.default) if self.default else None
        if run is None:
            click.Command.format_options(self, ctx, formatter)
        else:
            run.format_options(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each command does, without loading it."""
        for panel, tree in self.panels.items():
            with formatter.section(panel):
                formatter.write_dl([(name, node.help) for name, node in tree.items()])


@cache
def command() -> click.Command:
    """The root of all commands."""
    root = Group(
        COMMANDS,
        name="otherwords",
        help=(
            "Measure how well a text says the same thing in other words.\n\n"
            'Start with: otherwords try "He paid 20 euros." "He paid 30 euros."'
        ),
    )
    root.params += [
        _limit("--max-line", "line", "MB", 1 << 20, "Longest line of an input file"),
        _limit("--max-ratio", "ratio", "N", 1, "Most bytes unpacked from a byte of a gzip file"),
    ]
    shown = "%(prog)s %(version)s"
    return click.version_option(__version__, prog_name="otherwords", message=shown)(root)


class _Range(click.IntRange):
    """A range that the help does not show."""

    def _describe_range(self) -> str:
        return ""


def _limit(name: str, field: str, unit: str, scale: int, help: str) -> click.Option:
    """An option of the root that sets a limit of readers until the command ends."""
    usual = getattr(LIMITS, field)

    def change(context: click.Context, option: click.Parameter, value: int) -> None:
        context.call_on_close(lambda: setattr(LIMITS, field, usual))
        setattr(LIMITS, field, value * scale)

    return click.Option(
        [name],
        type=_Range(1, 10**6),
        default=usual // scale,
        metavar=unit,
        help=f"{help} (default: {usual // scale}{' MB' if scale > 1 else ''}).",
        expose_value=False,
        callback=change,
    )
