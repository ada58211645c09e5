"""What ParaEval's tests share: the paper's figures, tables of paraphrases, random segments."""

from __future__ import annotations

from hypothesis import strategies as st

from otherwords.models import container
from otherwords.models import paraphrase_model as paraphrase
from otherwords.models.paraphrase_table import KIND
from otherwords.models.paraphrase_table import pack as pack_pairs
from otherwords.models.pivot_packing import pack
from tests.oracles import paraeval as oracle

FIGURE_1 = (
    "the the the the the the the.",
    ["The cat is on the mat.", "There is a cat on the mat."],
)
FIGURE_4 = (
    "blown up bombing was happening",
    ["the bombing resulted in an explosion", "there was an explosion"],
)
SET_OF_FIGURE_4 = ["blown up", "bombing", "explosion"]

TIERS = {1: "paraphrase", 2: "one-word paraphrase", 3: "word"}

# Few words, so that matches get in each other's way; "," is no word. Halves of halves are packed
# without rounding, and sums of them are exact in any order.
VOCABULARY = "a b c d ,".split()
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=6)
OTHERS = st.lists(WORDS, min_size=1, max_size=3)
PROBABILITIES = st.sampled_from([1.0, 0.5, 0.25, 0.125])
PIVOT_PHRASES = ["x", "y", "y z"]


def _phrases(texts):
    """Spans of these texts, now and then one that is in none of them."""
    spans = sorted(
        {
            " ".join(words[i : i + n])
            for words in texts
            for n in (1, 2, 3)
            for i in range(len(words))
        }
    )
    return st.sampled_from([*spans, "a d b"])


def _words(vocabulary, least=0):
    return st.lists(st.sampled_from(vocabulary), min_size=least, max_size=6)


@st.composite
def pairs(draw, hypothesis, references):
    """A table that has paraphrases of the hypothesis in the references."""
    mine, theirs = _phrases([hypothesis]), _phrases(references)
    sides = st.one_of(st.tuples(mine, theirs), st.tuples(theirs, mine))
    different = sides.filter(lambda pair: pair[0] != pair[1])
    return oracle.Pairs(draw(st.dictionaries(different, PROBABILITIES, min_size=1, max_size=12)))


@st.composite
def pivots(draw, hypothesis, references):
    """Translations of phrases of all the texts, of few pivot phrases."""
    translations = st.dictionaries(
        st.sampled_from(PIVOT_PHRASES),
        st.tuples(PROBABILITIES, PROBABILITIES),
        min_size=1,
        max_size=2,
    )
    both = st.one_of(_phrases([hypothesis]), _phrases(references))
    table = st.dictionaries(both, translations, min_size=2, max_size=10)
    names = st.sampled_from(["de", "fr"])
    return oracle.Pivots(draw(st.dictionaries(names, table, min_size=1, max_size=2)))


@st.composite
def cases(draw, relations=(pairs, pivots), references=3):
    """A hypothesis, its references and a table of paraphrases."""
    mine = draw(st.sampled_from([VOCABULARY, VOCABULARY[:2], VOCABULARY[:1]]))
    theirs = draw(st.sampled_from([VOCABULARY, VOCABULARY[1:], VOCABULARY[2:]]))
    hypothesis = draw(_words(mine, draw(st.sampled_from([0, 4, 5]))))
    others = _words(theirs, draw(st.sampled_from([0, 2, 3])))
    least = draw(st.sampled_from([1, min(2, references), references]))
    several = draw(st.lists(others, min_size=least, max_size=references))
    return hypothesis, several, draw(draw(st.sampled_from(relations))(hypothesis, several))


def random_relation(draw, texts):
    """A table with many paraphrases among these texts; `draw` is a random.Random."""

    def phrase():
        words = draw.choice(texts)
        begin = draw.randrange(len(words))
        return text(words[begin : begin + draw.randint(1, 3)])

    def probability():
        return draw.choice([1.0, 0.5, 0.25, 0.125])

    if draw.random() < 0.5:
        known = {(phrase(), phrase()): probability() for _ in range(30)}
        return oracle.Pairs({(a, b): p for (a, b), p in known.items() if a != b})
    return oracle.Pivots(
        {
            language: {
                phrase(): {
                    pivot: (probability(), probability())
                    for pivot in draw.sample(range_of_pivots, draw.randint(1, 2))
                }
                for _ in range(10)
            }
            for language, range_of_pivots in (("de", list("vwxyz")), ("fr", list("vwx")))
        }
    )


def write(path, relation):
    """The oracle's table as a file that metrics open."""
    if isinstance(relation, oracle.Pairs):
        a, b = zip(*relation.known, strict=True)
        packed = pack_pairs(a, b, list(relation.known.values()))
        container.write(path, KIND, packed.arrays, packed.provenance)
    else:
        tables = {name: packed_pivots(table) for name, table in relation.languages.items()}
        paraphrase.write(path, tables, None, {})
    return path


def packed_pivots(table):
    """The arrays of {phrase: {pivot: (p(f|e), p(e|f))}}."""
    rows = [(e, f, p, q) for e, found in table.items() for f, (p, q) in found.items()]
    phrases, pivots, forward, backward = zip(*rows, strict=True)
    return pack(phrases, pivots, [1] * len(rows), forward, backward).arrays


def text(words):
    return " ".join(words)


def is_word(word):
    """Words count 1, punctuation nothing."""
    return int(word != ",")


def taken(explanation, problem, *, recall=None):
    """The matches that an explanation shows, as items of the oracle's problem: of the hypothesis,
    or of the reference whose place `recall` is. A match that may not be made is a KeyError.
    """
    items = {(item[:5], item.is_word): item for item in problem.items()}
    found = []
    for r, spans in enumerate(explanation.matches):
        for span in spans:
            mine = _places(explanation.hypothesis, *span.hypothesis)
            theirs = _places(explanation.references[r], *span.reference)
            assert explanation.hypothesis[slice(*span.hypothesis)] == span.hypothesis_text
            assert explanation.references[r][slice(*span.reference)] == span.reference_text
            if recall is None:
                place = (*mine, r, *theirs)
            elif recall == r:
                place = (*theirs, 0, *mine)
            else:
                continue
            item = items[place, span.kind == "word"]
            assert span.weight == item.probability
            assert span.kind.split(" (")[0] == TIERS[problem.tier(item)]
            found.append(item)
    return found


def _places(line, begin, end):
    """Which words of a line with single spaces stand from character `begin` to `end`."""
    assert line[begin - 1 : begin] in ("", " ")
    assert line[end : end + 1] in ("", " ")
    first = line[:begin].count(" ")
    return first, first + line[begin:end].count(" ") + 1
