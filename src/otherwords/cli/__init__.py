"""The command line: one file per subcommand, `main(argv) -> int`."""

from __future__ import annotations

import gc
import os
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from otherwords.io.processes import answer_signals, exit_code, ignore_signals, was_interrupted

__all__ = ["entry", "main"]

NO_MEMORY = "there is not enough memory for this; give it less at once, or shorter lines"
COMPLETION = "_OTHERWORDS_COMPLETE"  # set by a shell that requests completions
CRASHED = 3
CLOSED_PIPE = 141  # the exit code in a shell of a program that a closed pipe ended


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; 0 done, 1 the check found problems, 2 usage or input error. What else is
    raised is a defect, for which `entry` ends the process with 3.
    """
    try:
        return _run(argv)
    except KeyboardInterrupt:
        return exit_code()


def _run(argv: Sequence[str] | None) -> int:
    import click

    from otherwords.cli.app import command
    from otherwords.errors import OtherwordsError, optional_imports

    try:
        if sys.stdout is None:
            return _refuse("standard output is closed; use -o FILE")
        with _plain_warnings(), optional_imports():
            code = _call(command(), sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
        return int(code or 0)
    except OtherwordsError as error:
        return _refuse(str(error))
    except BrokenPipeError:
        _silence()
        return CLOSED_PIPE
    except OSError as error:  # the disk is full, the terminal is gone
        _silence()
        return _refuse(f"the output cannot be written: {error.strerror or error}")
    except MemoryError:
        return _refuse(NO_MEMORY)
    except click.exceptions.Exit as stop:  # --help, --version
        return stop.exit_code
    except click.ClickException as error:
        return _refuse(_usage(error))
    except Exception as error:
        if was_interrupted() or _is_of_database(error, "InterruptException"):
            return exit_code()
        # Once DuckDB is loaded, it also translates exceptions of our native code.
        if _is_of_database(error, "OutOfMemoryException"):
            return _refuse(NO_MEMORY)
        raise


def _call(command: Any, argv: Sequence[str]) -> Any:
    """Run click's command without click's own handling of signals and errors."""
    if COMPLETION in os.environ:
        with suppress(SystemExit):
            command.main(args=list(argv), prog_name="otherwords")
        return 0
    with command.make_context("otherwords", list(argv)) as context:
        return command.invoke(context)


def _refuse(message: str) -> int:
    if was_interrupted():  # Ctrl-C outranks any error it caused
        return exit_code()
    _say(message)
    return 2


def _usage(error: Any) -> str:
    """Turn a usage error of click into one line that names the help to read."""
    context = getattr(error, "ctx", None)
    called = "otherwords" if context is None else context.command_path
    said, _, near = error.format_message().partition(" (Did you mean ")
    hint = f" (did you mean {near.rstrip('?).').removeprefix('one of: ')}?)" if near else ""
    return f"{said.rstrip('.')}{hint}; see {called} -h"


def _say(message: str) -> None:
    from otherwords.errors import one_line

    with suppress(OSError):
        if sys.stderr is not None:
            print(f"otherwords: {one_line(message)}", file=sys.stderr, flush=True)


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """Print each of our warnings as one line, once; leave those of other packages to Python."""
    from otherwords.errors import OtherwordsWarning

    with warnings.catch_warnings():
        warnings.simplefilter("always", OtherwordsWarning)
        usual, said = warnings.showwarning, set[str]()

        def show(message: Any, category: Any, *where: Any, **more: Any) -> None:
            if issubclass(category, OtherwordsWarning):
                if str(message) not in said:
                    _say(str(message))
                said.add(str(message))
            else:
                usual(message, category, *where, **more)

        warnings.showwarning = show
        yield


def _is_of_database(error: Exception, name: str) -> bool:
    """Whether DuckDB raised this exception, as it does for Ctrl-C and lack of memory."""
    duckdb = sys.modules.get("duckdb")
    return duckdb is not None and isinstance(error, getattr(duckdb, name))


def _silence() -> None:
    """Discard further output, so that the interpreter does not complain at exit."""
    with suppress(OSError):  # standard output need not be a file, for example in a notebook
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def entry() -> None:
    """Run the console script."""
    try:
        answer_signals()
        # Imports make tens of thousands of objects that stay; looking for garbage among them, again
        # and again, would take a fifth of the time to start.
        gc.set_threshold(100_000, 50, 100)
        code = main()
        ignore_signals()
    except KeyboardInterrupt:  # between two of these steps
        code = exit_code()
    except BaseException:  # also SystemExit, with which a plug-in could feign success
        code = CRASHED
        traceback.print_exc()
        _say(f"this is a defect of otherwords or of a plug-in; please report it (exit code {code})")
    ignore_signals()
    sys.exit(code)
