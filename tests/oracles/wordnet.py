"""WordNet read naively from its dict/ folder: index files for words, data files for synsets."""

from __future__ import annotations

from pathlib import Path

NAMES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
ENDINGS = {
    "n": [("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
          ("men", "man"), ("ies", "y")],
    "v": [("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
          ("ing", "")],
    "a": [("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
    "r": [],
}  # fmt: skip


class WordNet:
    def __init__(self, folder: Path) -> None:
        self.synsets: dict[tuple[str, str], list[tuple[str, int]]] = {}
        self.data: dict[str, bytes] = {}
        self.exceptions: dict[tuple[str, str], str] = {}
        for letter, name in NAMES.items():
            self.data[letter] = (folder / f"data.{name}").read_bytes()
            for line in (folder / f"index.{name}").read_text().splitlines():
                if line.startswith(" "):
                    continue
                fields = line.split()
                count = int(fields[2])
                self.synsets[fields[0], letter] = [(letter, int(o)) for o in fields[-count:]]
            for line in (folder / f"{name}.exc").read_text().splitlines():
                form, lemma, *_ = line.split()
                self.exceptions.setdefault((form, letter), lemma)

    def words(self, letter: str, offset: int) -> set[str]:
        fields = self.data[letter][offset:].split(b"\n", 1)[0].decode().split(" ")
        return {fields[4 + 2 * i].split("(")[0].lower() for i in range(int(fields[3], 16))}

    def synonyms(self, lemma: str) -> set[str]:
        found = {lemma}
        for letter in NAMES:
            for synset in self.synsets.get((lemma, letter), []):
                found |= self.words(*synset)
        return found

    def morphy(self, form: str, letter: str) -> str | None:
        """morphword of WordNet 3.0's morph.c."""
        if (form, letter) in self.exceptions:
            return self.exceptions[form, letter]
        if letter == "n" and (form.endswith("ss") or len(form) <= 2):
            return None
        for ending, replacement in ENDINGS[letter]:
            if form.endswith(ending):
                base = form[: len(form) - len(ending)] + replacement
                if base and base != form and (base, letter) in self.synsets:
                    return base
        return None
