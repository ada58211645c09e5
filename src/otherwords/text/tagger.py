"""The Penn part-of-speech tagger: a trigram perceptron (Collins 2002) over hashed features.

The kernel is native/core/text/tagger.cpp; tools/train_tagger.py trains the embedded model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast, overload

from otherwords import _native
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.models.arrays import check_index
from otherwords.models.container import Loadable, Model


class Tagger(Loadable):
    """Tags the words of tokenised sentences with Penn Treebank tags.

    >>> Tagger.load().tag(["The", "cats", "sleep", "."])
    ['DT', 'NNS', 'VBP', '.']
    """

    kind = "tagger"

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        try:
            self.native = _native.Tagger(dict(model.arrays))
            for name in ("word", "feature"):
                keys, buckets = (model.arrays[f"{name}_{part}"] for part in ("keys", "buckets"))
                check_index(f"{name}_keys", keys, buckets)
        except (ValueError, TypeError, RuntimeError) as error:
            raise ModelError(f"{model.path}: the tagger model is damaged: {error}") from error

    @property
    def tags(self) -> tuple[str, ...]:
        """All tags of the model.

        >>> "NNP" in Tagger.load().tags
        True
        """
        return tuple(self.native.tag_names)

    # A string is a sequence of strings, so the overloads overlap; `tag` refuses strings.
    @overload
    def tag(  # type: ignore[overload-overlap]
        self, tokens: Sequence[str], *, threads: int = 1
    ) -> list[str]: ...
    @overload
    def tag(self, tokens: Sequence[Sequence[str]], *, threads: int = 1) -> list[list[str]]: ...
    def tag(
        self, tokens: Sequence[str] | Sequence[Sequence[str]], *, threads: int = 1
    ) -> list[str] | list[list[str]]:
        """Tag the tokens of one sentence, or of many sentences.

        The tags do not depend on the number of threads.

        >>> Tagger.load().tag([["It", "works"], [], ["Go", "!"]])
        [['PRP', 'VBZ'], [], ['VB', '.']]
        """
        if isinstance(tokens, str):
            raise UsageError("the tagger needs a list of tokens, not a string; tokenise it first")
        if threads < 1:
            raise UsageError(f"threads is {threads}; it must be at least 1")
        if not tokens:
            return []
        if isinstance(tokens[0], str):
            return self._tag([list(cast("Sequence[str]", tokens))], threads)[0]
        return self._tag([list(sentence) for sentence in tokens], threads)

    def tag_texts(
        self,
        texts: Sequence[str],
        tokenizer: str = "penn",
        before_tag: str = "/",
        after_tag: str = " ",
    ) -> list[str]:
        """Tokenize and tag raw texts: one string per text, each tag between the two separators.

        >>> Tagger.load().tag_texts(["It works.", ""])
        ['It/PRP works/VBZ ./. ', '']
        """
        try:
            return self.native.tag_texts(list(texts), tokenizer, before_tag, after_tag, 1)
        except UnicodeEncodeError as error:
            raise InputError(
                f"a lone surrogate at character {error.start + 1} of a text"
            ) from error

    def _tag(self, sentences: list[list[str]], threads: int) -> list[list[str]]:
        try:
            return self.native.tag(sentences, threads)
        except (UnicodeEncodeError, TypeError) as error:
            raise InputError(f"a token is not Unicode text: {error}") from error
