"""Tables of `tools.pair_wrong`: words and phrases that change what a sentence says."""

from __future__ import annotations

NUMBERS = (
    "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty"
    " sixty seventy eighty ninety"
).split()
LARGE = ("hundred", "thousand", "million", "billion")
QUANTIFIERS = {
    "all": ("some", "few", "half"), "every": ("no", "hardly any"), "each": ("no", "neither"),
    "most": ("few", "some", "all"), "some": ("all", "no"), "many": ("few", "no"),
    "few": ("many", "most"), "several": ("no", "all"), "both": ("neither of", "only one of"),
    "none": ("all", "some"), "no": ("every", "some"), "always": ("never", "sometimes", "rarely"),
    "never": ("always", "sometimes", "often"), "often": ("never", "rarely"),
    "sometimes": ("never", "always"), "usually": ("rarely", "never"),
    "rarely": ("often", "usually"),
    "everyone": ("nobody", "someone"), "everybody": ("nobody", "somebody"),
    "everything": ("nothing", "something"), "nothing": ("everything", "something"),
    "nobody": ("everybody", "somebody"), "someone": ("everyone", "nobody"),
    "something": ("nothing", "everything"), "anyone": ("no one",), "only": ("not only",),
    "everywhere": ("nowhere",), "half": ("all", "a quarter"), "mostly": ("entirely", "hardly"),
    "almost": ("more than",), "nearly": ("more than",), "completely": ("partly", "hardly"),
    "entirely": ("partly",), "fully": ("partly",), "any": ("every", "only one"),
    "exactly": ("at most", "at least"), "once": ("twice",), "twice": ("once", "three times"),
}  # fmt: skip
MODALS = {
    "must": ("may", "need not", "might"), "may": ("must", "will"), "might": ("must", "will"),
    "can": ("must", "cannot"), "could": ("must", "would"), "will": ("may", "might", "could"),
    "would": ("might", "could"), "should": ("may", "need not"), "shall": ("may", "might"),
    "'ll": (" might",),
}  # fmt: skip
HEDGES = ("may", "might", "should", "could", "would")
PREPOSITIONS = {
    "before": ("after",), "after": ("before",), "above": ("below",), "below": ("above",),
    "over": ("under",), "under": ("over",), "with": ("without",), "without": ("with",),
    "into": ("out of",), "inside": ("outside",), "outside": ("inside",), "for": ("against",),
    "against": ("for",), "from": ("to",), "to": ("from",), "until": ("since",),
    "since": ("until",), "during": ("before", "after"), "on": ("under", "off", "beside"),
    "in": ("outside", "near"), "behind": ("in front of",), "near": ("far from",),
    "because": ("although", "even though", "so that"), "although": ("because",),
    "though": ("because",), "if": ("unless",), "unless": ("if",), "when": ("before", "unless"),
    "while": ("before", "after"), "despite": ("because of",), "by": ("for", "without", "near"),
    "through": ("around",), "upon": ("under",), "among": ("outside",), "toward": ("away from",),
    "towards": ("away from",), "along": ("across",), "about": ("besides",), "like": ("unlike",),
    "across": ("along",), "therefore": ("nevertheless",), "so": ("but",), "and": ("or",),
    "or": ("and",), "but": ("because",), "within": ("outside", "after"), "beside": ("far from",),
}  # fmt: skip
RARE_PREPOSITIONS = ("and", "or", "in", "on", "by", "to", "for", "about", "with", "from")
COMPARED = {
    "more": "less", "less": "more", "fewer": "more", "most": "least", "least": "most",
    "better": "worse", "worse": "better", "best": "worst", "worst": "best", "higher": "lower",
    "lower": "higher", "larger": "smaller", "smaller": "larger", "greater": "smaller",
    "longer": "shorter", "shorter": "longer", "older": "younger", "younger": "older",
    "earlier": "later", "later": "earlier", "faster": "slower", "slower": "faster",
    "stronger": "weaker", "weaker": "stronger", "bigger": "smaller", "cheaper": "dearer",
    "above": "below", "farther": "nearer", "nearer": "farther", "too": "not",
    "easier": "harder", "harder": "easier", "biggest": "smallest", "largest": "smallest",
    "highest": "lowest", "lowest": "highest", "oldest": "youngest", "longest": "shortest",
}  # fmt: skip
PRONOUNS = {
    "he": ("she", "they", "I"), "she": ("he", "they", "I"), "they": ("we", "he", "you"),
    "we": ("they", "you"), "i": ("you", "he"), "him": ("her", "them", "me"),
    "them": ("us", "him", "me"), "us": ("them", "him"), "me": ("him", "them", "you"),
    "his": ("her", "their", "my"), "their": ("our", "his", "your"), "our": ("their", "your"),
    "my": ("your", "his"), "your": ("my", "his", "their"), "here": ("there",), "there": ("here",),
    "this": ("another",), "these": ("other",), "who": ("whom nobody",),
}  # fmt: skip
CATENATIVES = ("refused to", "failed to", "planned to", "almost", "nearly", "pretended to")
SPANS = (
    "last week", "two years ago", "in the end", "once again", "for the third time", "by mistake",
    "in secret", "at his own expense", "without any warning", "in the north of the country",
    "with a loud voice", "for a few coins", "against their will", "on a Sunday", "after the war",
    "in spite of the rain", "with her brother", "because of the heat", "on the advice of a friend",
    "until the next morning", "for the sake of his children", "at a low price", "in 2014",
    "according to the police", "as usual", "in front of a large crowd", "by phone",
    "with the help of two neighbors", "for the first time in years", "just before midnight",
)  # fmt: skip
CLAUSES = (
    "and nobody was surprised", "but it was already too late", "and the neighbors complained",
    "which cost them a lot of money", "although he had promised otherwise",
    "and three people were hurt", "because the road was closed", "which made everyone angry",
    "and then they all went home", "but the results were disappointing",
    "and that is against the law", "as the minister later admitted", "so prices went up again",
    "while his wife waited outside", "and she never came back", "after a long argument",
    "which had been built by his father", "and the other half was sold", "as experts had warned",
    "but the court decided otherwise", "and the project was paid for by the city",
)  # fmt: skip
ADJECTIVES = (
    "old new large small red broken expensive famous local former secret second young foreign"
    " dangerous wooden empty rich popular late only angry public free northern"
).split()
ADVERBS = (
    "secretly often barely finally suddenly again rarely legally quietly repeatedly alone"
    " reluctantly yesterday unexpectedly accidentally"
).split()
JOINING = (
    "and but because when while which who if so although after before where until since for"
).split()
