from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import otherwords
from otherwords import InputError, Sentence, UsageError, score
from otherwords.metrics.maxsim import MaxSim
from otherwords.text.annotator import Annotator
from otherwords.text.lexicon import Lexicon
from tests.oracles import maxsim as oracle


def maxsim(hypothesis, references, **options):
    return otherwords.metric("maxsim", **options).score_one(hypothesis, references)


LEXICON = Lexicon.load()
# Words that are each other's synonyms in several ways, some unknown to WordNet.
WORDS = [
    "car",
    "auto",
    "buy",
    "purchase",
    "big",
    "large",
    "great",
    "the",
    "of",
    "zzz",
    "run",
    "operate",
    "go",
    "quick",
    "fast",
    "dog",
    "move",
]
TAGS = ["NN", "VB", "JJ", "DT"]
TOKENS = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(TAGS)), max_size=14)


def are_synonyms(a, b):
    """Syn of eq. 1: the set of a word that WordNet lacks is empty."""
    return a in LEXICON and b in LEXICON and LEXICON.native.synonyms(a, b)


def sentence(tokens, heads=None, relations=None):
    return Sentence.from_tokens(
        [lemma for lemma, _ in tokens],
        tags=[tag for _, tag in tokens],
        lemmas=[lemma for lemma, _ in tokens],
        heads=heads,
        relations=relations,
    )


@settings(max_examples=2000, deadline=None)
@given(TOKENS, TOKENS)
def test_equals_the_oracle(system, reference):
    expected = oracle.maxsim(system, reference, are_synonyms)
    assert maxsim(sentence(system), sentence(reference)) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=500, deadline=None)
@given(TOKENS, TOKENS, st.data())
def test_triples_equal_the_oracle(system, reference, data):
    def parsed(tokens):
        heads = [data.draw(st.integers(-1, len(tokens) - 1)) for _ in tokens]
        # Chan & Ng (2008), ACL-08: HLT: subjects and objects alone.
        named = {"nsubj": "subject", "nsubj:pass": "subject", "obj": "object"}
        relations = [data.draw(st.sampled_from([*named, "det"])) for _ in tokens]
        triples = [
            (named[relation], tokens[head], token)
            for token, head, relation in zip(tokens, heads, relations, strict=True)
            if head >= 0 and relation in named
        ]
        return sentence(tokens, heads, relations), triples

    left, left_triples = parsed(system)
    right, right_triples = parsed(reference)
    row = MaxSim(dependencies=True).statistics([left], [[right]])[0]
    counts = oracle.triple_counts(left_triples, right_triples, are_synonyms)
    assert row[4] == pytest.approx(oracle.f_score(*counts, 0.8), abs=1e-12)
    ngrams = [oracle.ngram_counts(system, reference, n, are_synonyms) for n in (1, 2, 3)]
    scores = [oracle.f_score(*c, 0.8) for c in [*ngrams, counts]]
    assert row[0] == pytest.approx(np.mean(scores) if system or reference else 1.0, abs=1e-12)


def test_the_weight_of_two_triples():
    """ACL-08: HLT: (Syn(child) + I(relation) + Syn(parent)) / 3; tags play no part."""

    def parsed(subject, verb, relation="nsubj"):
        words = [(subject, "NN"), (verb, "VB")]
        return sentence(words, heads=[1, -1], relations=[relation, "root"])

    metric = MaxSim(dependencies=True, alpha=0.5)

    def weigh(left, right):
        return metric.statistics([left], [[right]])[0, 4]

    assert weigh(parsed("zzz", "run"), parsed("zzz", "run")) == 1.0  # WordNet has no zzz
    assert weigh(parsed("car", "run"), parsed("auto", "operate")) == 1.0
    assert weigh(parsed("car", "run"), parsed("dog", "run")) == pytest.approx(2 / 3)
    assert weigh(parsed("car", "run"), parsed("car", "run", "obj")) == pytest.approx(2 / 3)
    assert weigh(parsed("car", "run"), parsed("dog", "buy")) == pytest.approx(1 / 3)


@pytest.mark.data
def test_equals_the_oracle_on_real_text(wmt15):
    annotator = Annotator(tokenizer="treebank", own_lemmas=False)

    def words(text):
        one = annotator.sentence(text)
        return [
            (lemma, tag)
            for token, lemma, tag in zip(one.tokens, one.lemmas, one.tags, strict=True)
            if any(c.isalnum() for c in token)
        ]

    sample = wmt15[::5]
    result = score(
        "maxsim", [row["hypothesis"] for row in sample], [row["references"] for row in sample]
    )
    for row, found in zip(sample, result.segments, strict=True):
        expected = oracle.maxsim(
            words(row["hypothesis"]), words(row["references"][0]), are_synonyms
        )
        assert found == pytest.approx(expected, abs=1e-12), row


def test_hand_computed():
    # boy/NN is shared; bought = purchased are synonyms with the same tag (1); a, the: same tag
    # (1/2). Two of each side's a/DT match exactly.
    left = [("a", "DT"), ("boy", "NN"), ("buy", "VBD"), ("a", "DT"), ("car", "NN")]
    right = [("a", "DT"), ("boy", "NN"), ("purchase", "VBD"), ("the", "DT"), ("car", "NN")]
    row = MaxSim(alpha=0.5).statistics([sentence(left)], [[sentence(right)]])[0]
    # unigrams: a, boy, car exact, then 1 + 1/2: 4.5 of 5 and 5
    assert row[1] == pytest.approx(4.5 / 5)
    # bigrams: "a boy" exact; "boy buy" (1 + 1)/2, "buy a" (1 + 1/2)/2, "a car" (1/2 + 1)/2
    assert row[2] == pytest.approx((1 + 1 + 0.75 + 0.75) / 4)
    # trigrams: (1 + 1 + 1)/3, (1 + 1 + 1/2)/3, (1 + 1/2 + 1)/3
    assert row[3] == pytest.approx((1 + 2.5 / 3 + 2.5 / 3) / 3)
    assert row[0] == pytest.approx(row[1:4].mean())


def test_synonyms_need_not_share_a_sense():
    # GOLDEN: the sets of synonym *words* intersect; "purchase" links buy to bribe's family.
    assert LEXICON.native.synonyms("buy", "purchase")
    assert LEXICON.native.synonyms("xyzzy", "xyzzy")
    assert not LEXICON.native.synonyms("xyzzy", "plugh")


def test_identical_sentences_score_exactly_one():
    for text in ("It works now", "The quick brown fox, he said, jumped over 12 lazy dogs!"):
        assert maxsim(text, text) == 1.0
        assert maxsim(text.upper(), text.upper()) == 1.0


def test_swapping_swaps_precision_and_recall():
    a, b = "a small dog ran home today", "one dog ran"
    for alpha in (0.0, 0.3, 1.0):
        assert maxsim(a, b, alpha=alpha) == pytest.approx(maxsim(b, a, alpha=1 - alpha))


def test_alpha_weighs_recall():
    # alpha = 1 is recall, 0 precision: a short system translation is precise, not complete.
    assert maxsim("the dog", "the dog ran home", alpha=0) > maxsim(
        "the dog", "the dog ran home", alpha=1
    )


def test_punctuation_takes_no_part():
    assert maxsim("Yes , it works !", "Yes it works") == 1.0
    assert maxsim("...", "!") == 1.0  # neither has a word: nothing differs
    assert maxsim("...", "word") == 0.0


def test_n_is_three_for_short_sentences_too():
    # §2.2: 1/N with N = 3; a sentence of two words has no trigram, and F_3 adds nothing.
    assert maxsim("Hello", "Hello") == pytest.approx(1 / 3)
    assert maxsim("Hello there", "Hello there") == pytest.approx(2 / 3)
    # one word against three: no bigram or trigram can match
    assert maxsim("dog", "the dog barks", alpha=0) == pytest.approx(1 / 3)


def test_lemmas_are_those_of_wordnet_alone():
    # §2 and footnote 2: morph(3WN) knows nouns, verbs, adjectives and adverbs.
    assert maxsim("He saw these and me.", "He saw this and I.") < 1.0
    assert maxsim("They are here now", "They were here now") > 0.8  # both are forms of be
    words, tags = ["n't", "an", "are", "was", "zyxes", "feet"], ["RB", "DT", "VBP", "VBD", "NNS"]
    expected = ["n't", "an", "be", "be", "zyxes", "foot"]
    assert LEXICON.lemmatize(words, [*tags, "NNS"], own=False) == expected


def test_a_word_that_wordnet_lacks_has_no_synonyms():
    # GOLDEN: "the" gets .5 at most by its tag, so the bigrams have (1/2 + 1/2) / 2.
    left, right = ([("the", "DT"), (animal, "NN")] for animal in ("cat", "dog"))
    row = MaxSim(alpha=0.5).statistics([sentence(left)], [[sentence(right)]])[0]
    assert row[1] == pytest.approx((1 + 0.5) / 2)
    assert row[2] == pytest.approx(0.5)


def test_tokens_are_those_of_the_treebank_script():
    # Footnote 1: tokenizer.sed cuts every comma, and a period only at the end of the sentence.
    assert maxsim("He has 43,405 sheep", "He has 43 405 sheep") == 1.0
    explained = MaxSim().explain("Mr. Ray left. He ate.", "Mr. Ray left. He ate.")
    assert {"left.", "ate"} <= {span.hypothesis_text for span in explained.matches[0]}


def test_nist_files_with_two_references(ok, tmp_path):
    """A user with SGML files of NIST: the mean over reference corpora (§2.2)."""
    texts = {"sys": ["A boy bought a big car", "He left early"]}
    texts["ref1"] = ["A boy purchased a large car", "He left early"]
    texts["ref2"] = ["The boy bought an automobile", "He went away early"]
    files = {}
    for name, lines in texts.items():
        kind = "tstset" if name == "sys" else "refset"
        segments = "".join(f'<seg id="{n}">{line}</seg>\n' for n, line in enumerate(lines, 1))
        path = tmp_path / f"{name}.sgm"
        path.write_text(
            f'<{kind} setid="s" srclang="Chinese" trglang="English">\n'
            f'<doc docid="d" sysid="{name}">\n{segments}</doc>\n</{kind}>\n'
        )
        files[name] = str(path)
    references = ["-r", files["ref1"], "-r", files["ref2"]]
    both = list(zip(texts["ref1"], texts["ref2"], strict=True))
    printed = ok("score", "-m", "maxsim,paraeval-p", *references, files["sys"], "-f", "tsv")
    cells = [line.split("\t") for line in printed.splitlines()[1:]]
    assert {metric: float(value) for _, metric, value, _ in cells} == {
        name: score(name, texts["sys"], [list(pair) for pair in both]).corpus
        for name in ("maxsim", "paraeval-p")
    }
    single = [score("maxsim", texts["sys"], texts[name]).corpus for name in ("ref1", "ref2")]
    assert score("maxsim", texts["sys"], [list(pair) for pair in both]).corpus == pytest.approx(
        np.mean(single)
    )


def test_several_references_are_averaged():
    single = [maxsim("a big dog", ref) for ref in ("a large dog", "the cat")]
    assert maxsim("a big dog", ["a large dog", "the cat"]) == pytest.approx(np.mean(single))


def test_case_option():
    assert maxsim("the US won", "the us won", case=True) < maxsim("the US won", "the us won")


def test_synonyms_are_known_in_any_case():
    same = maxsim("Cars stop here", "Automobiles stop here", case=True)
    assert same == maxsim("cars stop here", "automobiles stop here", case=True) == 1.0


def test_pretokenized():
    assert maxsim("do n't go", "don't go", tokenizer="none") < 1.0
    assert maxsim("do n't go", "do n't go", tokenizer="none") == 1.0


def test_explain_says_what_matched():
    explained = score(
        "maxsim", ["A boy, Tom, bought a car."], references=["A boy purchased an automobile."]
    ).explain(0)
    spans = {(s.hypothesis_text, s.reference_text): s for s in explained.matches[0]}
    assert spans["bought", "purchased"].weight == 1.0
    assert spans["bought", "purchased"].kind == "1-gram, synonym and tag"
    assert ("A boy", "A boy") in spans
    left = explained.hypothesis
    assert all(left[slice(*s.hypothesis)] == s.hypothesis_text for s in explained.matches[0])
    assert explained.score == pytest.approx(
        np.mean([explained.components[f"f{n}"] for n in (1, 2, 3)])
    )


def test_matched_weights_add_up_to_the_f_score():
    text, reference = "The car was bought by a small boy", "A little boy purchased the car"
    explained = MaxSim(alpha=0.5).explain(text, reference)
    unigrams = [s.weight for s in explained.matches[0] if s.kind.startswith("1-gram")]
    assert explained.components["f1"] == pytest.approx(sum(unigrams) / ((8 + 6) / 2))


def test_bad_options():
    for alpha in (float("nan"), -0.1, 1.1, "x", None):
        with pytest.raises(UsageError, match="alpha must be a number from 0 to 1"):
            MaxSim(alpha=alpha)
    with pytest.raises(UsageError, match="orders must be"):
        MaxSim(orders=0)
    with pytest.raises(UsageError, match="did you mean 'alpha'"):
        score("maxsim", ["a"], ["a"], alhpa=1)


def test_dependencies_need_parsed_text():
    with pytest.raises(InputError, match="no dependencies are known"):
        maxsim("raw text", "raw text", dependencies=True)


def test_long_segments_are_matched():
    # Same words in another order, 3,000 of them: a full-size graph for bigrams and trigrams.
    words = [f"w{i % 1500}" for i in range(3000)]
    value = maxsim(" ".join(words), " ".join(reversed(words)))
    assert 0 < value < 1


def test_more_edges_than_are_kept():
    # 4,200 unknown words with one tag on either side: every pair of n-grams has weight 1/2,
    # more edges (17.6 million) than the matching keeps in memory.
    left, right = ([(f"{side}{i}", "NN") for i in range(4200)] for side in "qz")
    assert maxsim(sentence(left), sentence(right)) == 0.5
