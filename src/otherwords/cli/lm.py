"""`otherwords lm`: estimate n-gram language models, and score text with them."""

from __future__ import annotations

from typing import Annotated

from otherwords.cli.options import Threads, limit, read, refuse_idle, written
from otherwords.cli.output import Destination, check_output, emit
from otherwords.cli.parameters import argument
from otherwords.cli.progress import counting
from otherwords.cli.texts import Files, TextTokenizer
from otherwords.errors import UsageError
from otherwords.io.files import STDIN
from otherwords.io.values import parse_float

Case = Annotated[
    bool | None,
    read("Keep or fold case (default: keep with --tokenizer none).", "--case/--no-case"),
]


def estimate_command(
    *,
    output: str = written("Write this .arpa, .arpa.gz or .owm file.", "-o", "--output"),
    files: Files = None,
    order: int = limit("Use n-grams of up to this length.", default=4),
    tokenizer: TextTokenizer = "penn",
    case: Case = None,
    min_count: int = limit("Treat words that occur less often as unknown.", default=1),
    prune: str = limit(
        "Drop n-grams with at most these counts, one number per order, such as 0,0,1.", default="0"
    ),
    prune_entropy: float = limit("Prune by entropy, e.g. 1e-8 (Stolcke 1998).", default=0.0),
    max_bytes: int | None = limit("Prune by entropy to this size in bytes (.owm only)."),
    quantize: int = written(
        "Store a probability in 2 to 8 bits (.owm only); 0: exactly.", default=0
    ),
    threads: Threads = 1,
) -> int:
    """Estimate an interpolated modified Kneser-Ney model of text, one sentence per line."""
    from otherwords.build.lm.estimation import Estimation
    from otherwords.build.lm.files import estimate_files

    check_output(output, *(files or []))
    settings = Estimation(
        order=order,
        prune=_thresholds(prune),
        prune_entropy=prune_entropy,
        quantize=quantize,
        max_bytes=max_bytes,
        min_count=min_count,
    )
    with counting("sentences read") as done:
        estimate_files(
            files or [STDIN],
            output,
            settings,
            tokenizer=tokenizer,
            case=case,
            threads=threads,
            tick=done,
        )
    return 0


def query_command(
    *,
    to: Destination,
    model: str = argument("An ARPA file or a packed model.", "MODEL"),
    files: Files = None,
    tokenizer: str | None = read("Tokenize with penn or none (default: as the model was trained)."),
    case: Case = None,
    per_token: bool = written("Print token, log10 probability and n-gram length."),
    summary: bool = written("Print tokens, unknown words and perplexities only."),
    threads: Threads = 1,
) -> int:
    """Print the log10 probability of each line, including the end of the sentence."""
    from otherwords.build.lm.files import perplexity, query_lines

    to.check(model, *(files or []))
    texts = files or [STDIN]
    if summary:
        if per_token:
            raise UsageError("give --per-token or --summary, not both")
        result = perplexity(model, texts, tokenizer=tokenizer, case=case, threads=threads)
        to.show(result)
        return 0
    refuse_idle(False, "--summary", format=to.form)
    lines = query_lines(
        model, texts, tokenizer=tokenizer, case=case, per_token=per_token, threads=threads
    )
    emit(lines, to.output)
    return 0


def _thresholds(text: str) -> list[float]:
    try:
        return [parse_float(part) for part in text.replace(",", " ").split()]
    except ValueError as error:
        raise UsageError(f"--prune takes numbers with commas between them: '{text}'") from error
