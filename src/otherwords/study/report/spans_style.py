"""The look of drawn explanations, in light and dark."""

from __future__ import annotations

__all__ = ["CSS"]

LIT = 60  # matches of a drawing that light up together; beyond them numbers mark the matches

# Kind of match: background in light, in dark, and the line below, so that colour is not all.
_KINDS = {
    "exact": ("#d3f0d3", "#1e4620", "solid"),
    "lemma": ("#cdeeea", "#12474a", "dashed"),
    "synonym": ("#fdeeb5", "#54430a", "dotted"),
    "tag": ("#e8e8e8", "#3d3d3d", "dotted"),
    "paraphrase": ("#ecdcfa", "#472a63", "double"),
    "pivot": ("#d6e6fb", "#1c3d63", "wavy"),
    "dependency": ("#fde0cc", "#5c3213", "dashed"),
    "other": ("#f6dbe4", "#5b2338", "solid"),
}


def _colours(place: int) -> str:
    return "".join(f" --ow-{kind}: {looks[place]};" for kind, looks in _KINDS.items())


def _rules() -> str:
    kinds = "\n".join(
        f".ow-spans .ow-{kind} {{ background: var(--ow-{kind}); text-decoration-style: {line}; }}"
        for kind, (_, _, line) in _KINDS.items()
    )
    lit = ",\n".join(
        f".ow-pair:has(.ow-m{number}:hover) .ow-m{number}" for number in range(1, LIT + 1)
    )
    return f"{kinds}\n{lit} {{ outline: 2px solid var(--ow-line); }}\n"


CSS = f"""\
.ow-spans {{ --ow-ink: #1b1b1b; --ow-faint: #5c5c5c; --ow-line: #767676;{_colours(0)}
  color: var(--ow-ink); line-height: 1.7; }}
@media (prefers-color-scheme: dark) {{
.ow-spans {{ --ow-ink: #eeeeee; --ow-faint: #b5b5b5; --ow-line: #8e8e8e;{_colours(1)} }}
}}
.ow-spans p {{ margin: 0.1em 0; }}
.ow-pair {{ border-left: 3px solid var(--ow-line); padding-left: 0.8em; margin: 0.6em 0; }}
.ow-text {{ white-space: pre-wrap; overflow-wrap: anywhere; font-size: 1.1em; }}
.ow-label, .ow-none, .ow-spans summary, .ow-spans small {{
  color: var(--ow-faint); font-size: 0.85em; }}
.ow-spans mark, .ow-spans li bdi[class] {{ color: inherit; border-radius: 3px; padding: 0 0.1em;
  text-decoration-line: underline; text-decoration-color: var(--ow-line);
  text-underline-offset: 0.25em; }}
.ow-legend span {{ font-size: 0.8em; border-radius: 3px; padding: 0 0.3em;
  text-decoration-line: underline; text-decoration-color: var(--ow-line); }}
.ow-spans sup {{ font-size: 0.65em; line-height: 0; margin-left: 0.15em; color: var(--ow-faint);
  user-select: none; }}
.ow-numbers {{ display: flex; flex-wrap: wrap; gap: 0 1.2em; margin: 0.2em 0; font-size: 0.9em; }}
.ow-numbers dt {{ color: var(--ow-faint); line-height: 1.2; }}
.ow-numbers dd {{ margin: 0; font-variant-numeric: tabular-nums; }}
.ow-spans table {{ border-collapse: collapse; font-size: 0.9em; }}
.ow-spans th, .ow-spans td {{ padding: 0.1em 0.7em 0.1em 0; text-align: left;
  vertical-align: top; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }}
.ow-spans th {{ color: var(--ow-faint); font-weight: normal; }}
{_rules()}"""
