"""Rules of `facts` for texts that are otherwise the same: what contradicts, and what does not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherwords.metrics.facts import findings

CONTRADICTED = {
    "tense": [
        ("The roof is being repaired.", "The roof has been repaired."),
        ("The club will sell its old boats.", "The club sells its old boats."),
        ("The mill makes flour for the village.", "The mill made flour for the village."),
        ("Our cousins live above the shop.", "Our cousins lived above the shop."),
        ("The pool is open to everybody.", "The pool was open to everybody."),
        ("The bank has paid the fine.", "The bank will pay the fine."),
        ("They are painting the fence.", "They have painted the fence."),
        ("This used to be a quiet street.", "This is a quiet street."),
        ("The singer is going to record an album.", "The singer has recorded an album."),
    ],
    "scope": [
        ("Only the gardener has a key.", "Even the gardener has a key."),
        ("Everybody sang, even the guard.", "Everybody sang, except the guard."),
        ("Prices rose in every town but Arles.", "Prices rose in every town, including Arles."),
        ("He sells only stamps.", "He sells not only stamps."),
        (
            "Only pilots may smoke in the bar at night.",
            "Pilots may smoke only in the bar at night.",
        ),
        (
            "We washed everything, apart from the curtains.",
            "We washed everything, curtains included.",
        ),
    ],
    "degree": [
        ("She was mildly amused by the remark.", "She was hugely amused by the remark."),
        ("The tank is almost empty.", "The tank is completely empty."),
        ("He rejected the plan in part.", "He rejected the plan in its entirety."),
        ("I am fairly sure of the date.", "I am absolutely sure of the date."),
        ("The rope is just long enough.", "The rope is more than long enough."),
        ("They completely cleared the shelf.", "They cleared the shelf partly."),
    ],
    "place": [
        ("The cat sleeps behind the stove.", "The cat sleeps beside the stove."),
        ("Put the lamp between the beds.", "Put the lamp under the beds."),
        ("The kiosk stands in front of the bank.", "The kiosk stands behind the bank."),
    ],
    "relation": [
        ("It works only if the lid is shut.", "It works even if the lid is shut."),
        ("You may enter unless you are late.", "You may enter only if you are late."),
        ("The lamp will only glow if it is wet.", "The lamp will glow even if it is wet."),
        ("We sail provided that the wind holds.", "We sail whether or not the wind holds."),
        (
            "They moved the wedding because the priest had caught measles.",
            "They moved the wedding because a goat ate the invitations.",
        ),
        (
            "He learnt Danish to read old sagas, his sister recalls.",
            "He learnt Danish to impress a waitress, his sister recalls.",
        ),
    ],
    "modality": [
        ("You needn't wash the cup.", "You mustn't wash the cup."),
        ("You don't have to lock the shed.", "You must not lock the shed."),
        ("The band was forced to cancel the show.", "The band chose to cancel the show."),
        ("The owners hope to reopen the mine.", "The owners are certain to reopen the mine."),
        ("The dam could burst near the mill.", "The dam has burst near the mill."),
    ],
    "roles": [
        ("They drove from Ghent to Bruges.", "They drove from Bruges to Ghent."),
        (
            "Vale Brewery sold its share of the old pier to a small family of anglers.",
            "A small family of anglers sold its share of the old pier to Vale Brewery.",
        ),
        ("A goose followed us to the station.", "We followed a goose to the station."),
        ("She spends more on shoes than on books.", "She spends more on books than on shoes."),
        (
            "The cook thinks the soup is too salty; the waiter disagrees.",
            "The waiter thinks the soup is too salty; the cook disagrees.",
        ),
        (
            "The bus hit the cart, and the driver of the cart was hurt.",
            "The bus hit the cart, and the driver of the bus was hurt.",
        ),
    ],
    "pronoun": [
        ("The judge read our letter aloud.", "The judge read their letter aloud."),
        ("I have lost my umbrella.", "I have lost your umbrella."),
    ],
    "negation": [
        ("The bridge is far from safe.", "The bridge is safe."),
        ("He was anything but polite.", "He was polite."),
        ("She has yet to answer my letter.", "She has answered my letter."),
        ("They decided not to sell the farm.", "They decided to sell the farm."),
        ("He could have slept, but he read.", "He could not have slept, and he read."),
    ],
    "number": [
        ("We met at a quarter to nine.", "We met at a quarter past nine."),
        ("They have been here since ten to six.", "They have been here since ten past six."),
        ("Sales fell by a third.", "Sales fell by a quarter."),
        ("A two-thirds majority is needed.", "A three-quarters majority is needed."),
    ],
    "quantifier": [
        ("Not all of the eggs hatched.", "None of the eggs hatched."),
        ("All but three boats sank.", "Only three boats sank."),
        ("I swim every other day.", "I swim every day."),
    ],
    "antonym": [
        ("She plays the violin at weddings.", "She plays the flute at weddings."),
        ("The court upheld the verdict.", "The court overturned the verdict."),
    ],
}

SAME_MEANING = [
    # tense
    ("He said that the shop is closed.", "He said that the shop was closed."),
    ("The boat leaves tomorrow.", "The boat will leave tomorrow."),
    ("She has moved to Bern.", "She moved to Bern."),
    ("Had he come earlier, we would have won.", "If he had come earlier, we would have won."),
    # scope
    ("Nothing but bread was left.", "Only bread was left."),
    ("He eats only fish.", "He only eats fish."),
    ("Everyone except Kai left.", "Everyone apart from Kai left."),
    ("Not even the twins noticed it.", "Even the twins did not notice it."),
    ("Not the king alone, but the queen too.", "Not only the king, but the queen too."),
    ("The offer excludes pets.", "The offer does not include pets."),
    # degree
    ("Almost all the paint was gone.", "Virtually all the paint was gone."),
    ("She was very tired.", "She was extremely tired."),
    ("He was utterly lost.", "He was completely lost."),
    # place
    ("The keys are next to the clock.", "The keys are beside the clock."),
    ("The shed stands beneath the oak.", "The shed stands under the oak."),
    # conditions
    ("The fee is due if it is not waived by May.", "The fee is due if not waived by May."),
    ("You may go unless it rains.", "You may go except when it rains."),
    ("We sail if the wind holds.", "We sail provided the wind holds."),
    ("He will come even if it snows.", "He will come even when it snows."),
    # modality
    ("You should never mix them.", "You must never mix them."),
    ("There is no need to hurry.", "You do not need to hurry."),
    ("Guests can now park here.", "Guests are now able to park here."),
    ("Do it whatever they say.", "Do it whatever they may say."),
    # roles
    ("The prize was given to Ada.", "Ada was given the prize."),
    ("The winner was given a horse.", "The winner received a horse."),
    ("At dusk the fishermen lit a fire.", "The fishermen lit a fire at dusk."),
    ("We grow figs, plums and quinces.", "We grow quinces, plums and figs."),
    ("They blamed the fog for the delay.", "They blamed the delay on the fog."),
    ("The form must be sent by Friday.", "You must send the form by Friday."),
    # negation
    ("She has yet to lose a game.", "She has not yet lost a game."),
    ("I never saw it.", "I did not ever see it."),
    # numbers
    ("It began at ten to four.", "It began at 3.50."),
    ("It began at a quarter past two.", "It began at 14:15."),
    ("Two out of three pupils agreed.", "Two thirds of the pupils agreed."),
    ("We waited for a quarter of an hour.", "We waited for fifteen minutes."),
    ("The ticket cost 12 euros.", "The ticket cost €12."),
    # synonyms, verbs with particles, verbs of position
    ("The board carried out the reform.", "The board implemented the reform."),
    ("They called off the regatta.", "They cancelled the regatta."),
    ("The village lies two miles inland.", "The village is two miles inland."),
    ("The office is located in Turin.", "The office is in Turin."),
    ("He broke the vase by mistake.", "He mistakenly broke the vase."),
    ("According to the guide, the cave is dry.", "The guide says the cave is dry."),
    # questions
    ("Could you send me the map?", "Please send me the map."),
]


def decisive(hypothesis, reference):
    return [finding for finding in findings(hypothesis, reference) if finding.decisive]


@pytest.mark.parametrize(
    ("kind", "pair"), [(kind, pair) for kind, pairs in CONTRADICTED.items() for pair in pairs]
)
def test_what_must_contradict(kind, pair):
    for one, other in (pair, pair[::-1]):
        found = [f for f in findings(one, other) if f.verdict == "contradicted"]
        assert kind in {finding.kind for finding in found}
        for finding in found:  # a span of either text explains it
            assert finding.hypothesis_text or finding.reference_text


@pytest.mark.parametrize("pair", SAME_MEANING)
def test_what_must_not_contradict(pair):
    assert decisive(*pair) == []
    assert decisive(*pair[::-1]) == []


WORDS = st.sampled_from(
    """only even except but not just nothing all every also including the cat dog Anna we us he
    if unless when provided that almost completely slightly very behind above beside is was has been
    being will going to sell sold selling sells from at a quarter past ten four out of three . ,
    because so by for could must n't need have chose forced far anything""".split()
)
TEXTS = st.lists(WORDS, max_size=14).map(" ".join)


@settings(max_examples=100, deadline=None)
@given(TEXTS, TEXTS)
def test_exchanging_the_texts_exchanges_the_findings(one, other):
    there, back = findings(one, other), findings(other, one)
    assert sorted(map(repr, there)) == sorted(repr(finding.swapped) for finding in back)


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_a_text_has_no_finding_against_itself(text):
    assert findings(text, text) == ()
