"""The exception tree. Each error says what was found, where, and what to do next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike

EXTRA_OF = {  # packages that scoring does without, and the extra that brings each
    "duckdb": "resources",
    "otherwords_multilingual": "multilingual",
    "pyarrow": "resources",
    "pyspark": "spark",
    "rouge_score": "rouge",
    "sklearn": "train",
    "starlette": "studio",
    "uvicorn": "studio",
}


def one_line(message: str) -> str:
    """A message in which names of files and texts neither break the line nor steer a terminal.

    >>> print(one_line("no such file: a\\nb"))
    no such file: a\\nb
    """
    if message.isprintable():
        return message
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in message)


class OtherwordsError(Exception):
    """Base class of all errors that a user's input or request can cause.

    A message names arguments in backticks, for which commands put their options.
    """

    def __str__(self) -> str:
        return one_line(Exception.__str__(self))


class OtherwordsWarning(UserWarning):
    """Base class of warnings about a user's input."""


class SlowWarning(OtherwordsWarning):
    """The request will take long. The warning comes before the work starts."""


class LongTextWarning(OtherwordsWarning):
    """Texts that are too long for a metric have no score."""


class NormalFormWarning(OtherwordsWarning):
    """Texts are not in Unicode normal form C, so that equal characters may not match."""


class RepeatWarning(OtherwordsWarning):
    """A system has several rows for one segment."""


class UsageError(OtherwordsError, ValueError):
    """The request is wrong: an unknown metric, or an option out of range."""


class UnknownLabelError(UsageError, KeyError):
    """A result has no such metric or system; a `KeyError` too, as of every mapping."""

    __str__ = OtherwordsError.__str__

    def __init__(self, label: object, known: Iterable[str]) -> None:
        Exception.__init__(self, f"there is no result of {label!r:.80}; {near(str(label), known)}")


class LanguageError(UsageError):
    """Text that is clearly not English, for a metric that needs English."""


class MetricError(OtherwordsError):
    """A metric, usually of another package, that gives no usable scores."""


class MissingExtraError(OtherwordsError, ImportError):
    """A package that this command needs and that `pip install otherwords` does not bring."""


class ModelError(OtherwordsError):
    """A model file that is missing, damaged, or of the wrong kind."""


class DamagedModelError(ModelError):
    """A model file with damaged bytes."""


class InputError(OtherwordsError, ValueError):
    """The input is wrong. `path`, `line` and `column` (from 1) give the place, if it is known.

    `code` is the finding code of `otherwords validate`, if there is one.

    >>> print(InputError("not UTF-8", path="sys.txt", line=3, column=7))
    sys.txt:3:7: not UTF-8
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | PathLike[str] | None = None,
        line: int | None = None,
        column: int | None = None,
        code: str | None = None,
    ) -> None:
        self.message = message
        self.code = code
        self.path = None if path is None else str(path)
        self.line = line
        self.column = column
        where = ":".join(str(part) for part in (self.path, line, column) if part is not None)
        super().__init__(f"{where}: {message}" if where else message)


@contextmanager
def optional_imports() -> Iterator[None]:
    """Name the extra that brings a package when an import inside the block does not find it."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRA_OF:
            raise
        raise _missing(package) from error


def require(package: str) -> None:
    """Refuse, before any work, to go on without a package of an extra."""
    from importlib.util import find_spec

    if find_spec(package) is None:
        raise _missing(package)


def install_command(package: str) -> str:
    """How to install the extra that brings a package."""
    return f"pip install 'otherwords[{EXTRA_OF[package]}]'"


def _missing(package: str) -> MissingExtraError:
    install = install_command(package)
    return MissingExtraError(f"this needs the package {package}; install it with: {install}")


def near(name: str, known: Iterable[str]) -> str:
    """A hint at the known name that `name` may have meant, or the list of them.

    >>> near("maxsin", ["maxsim", "bleu"])
    "did you mean 'maxsim'?"
    >>> near("count", [])
    'there are none here'
    """
    import difflib  # here and below: `import otherwords` loads this module

    names = sorted(known)
    if not names:
        return "there are none here"
    close = difflib.get_close_matches(name.lower(), names, n=1)
    return f"did you mean '{close[0]}'?" if close else f"choose from: {', '.join(names)}"
