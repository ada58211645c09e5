// Scales of nouns (scales.hpp).
#pragma once

#include <string_view>

namespace otherwords::facts {

constexpr std::string_view scales_of_nouns = R"(
champion advocate supporter | opponent critic
defence defense | prosecution
resemblance similarity | difference
sceptic skeptic | enthusiast
heel | toe
growth increase rise gain surge jump boost expansion upturn boom | decline decrease fall drop
  slump loss reduction cut downturn recession plunge contraction bust
victory win success triumph | defeat loss failure
supporter advocate proponent fan ally friend | opponent critic enemy rival foe
beginning start opening outset | end close conclusion finish
entrance | exit
maximum | minimum
majority | minority
profit gain surplus | loss deficit shortfall
income revenue earnings | expense expenditure cost
advantage benefit strength merit asset | disadvantage drawback weakness flaw harm liability
hope | despair fear
joy happiness | sorrow sadness grief
arrival | departure
winner victor | loser
employer | employee
teacher | student pupil
seller vendor | buyer customer purchaser
landlord | tenant
doctor | patient
predator | prey
parent | child
husband | wife
sunrise dawn daybreak | sunset dusk nightfall
question | answer
cause | effect consequence result
supply | demand
theory | practice
inflow | outflow
input | output
debit | credit
defendant | plaintiff
attacker | defender
host | guest
master | servant
day | night
surplus excess glut | shortage deficit lack scarcity
wealth affluence | poverty
peace calm | unrest conflict war chaos
order | chaos disorder
health | illness disease sickness
courage bravery | cowardice fear
wisdom | folly stupidity
kindness | cruelty
generosity | greed meanness
patience | impatience
pride | shame
praise applause | criticism condemnation blame
approval consent support | disapproval rejection refusal opposition
permission approval | ban refusal
acceptance | rejection refusal
agreement consensus | disagreement dispute
similarity | difference
unity | division
presence | absence
existence | absence
inclusion | exclusion
creation | destruction
construction | demolition
improvement recovery progress | deterioration decline setback
promotion | demotion
entry | exit
opening launch | closure closing
ascent climb | descent
acceleration | deceleration
ceiling roof | floor
peak | trough
surface | depth
interior | exterior
youth childhood | age
adult | child
veteran expert professional | beginner novice amateur
master | beginner
leader | follower
boss manager employer | subordinate worker
hero | villain
optimist | pessimist
victim | culprit perpetrator attacker
native local | foreigner stranger
citizen | foreigner
insider | outsider
believer | sceptic skeptic
lender creditor | borrower debtor
exporter | importer
producer | consumer
sender | recipient receiver
speaker | listener
author writer | reader
safety security | threat danger risk
certainty confidence | uncertainty doubt
)";

}  // namespace otherwords::facts
