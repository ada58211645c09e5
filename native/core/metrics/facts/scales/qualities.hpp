// Scales of adjectives and adverbs (scales.hpp).
#pragma once

#include <string_view>

namespace otherwords::facts {

constexpr std::string_view scales_of_qualities = R"(
guilty | innocent
unlikely improbable | impossible
confident assured composed | nervous anxious
delighted overjoyed | appalled horrified dismayed
relieved | shocked horrified
shy timid bashful | bold outgoing confident
broad general rough | total full complete
approachable friendly | aloof distant
overwhelming compelling strong | thin weak flimsy
silent quiet | cheering noisy
thirsty | sated
cheerful | glum gloomy
eager | hesitant
grateful | resentful
tame | fierce wild
vivid | faint dull
whole intact | broken
vertical upright | horizontal
permanent | passing temporary
compulsory | optional
pale | dark deep
tense | relaxed
humid | dry
crisp crunchy | soggy limp
plain | ornate fancy
spontaneous | planned
anonymous | named signed
punctually promptly | late belatedly
silently | aloud loudly
gently | forcefully roughly
hastily hurriedly | carefully slowly
willingly | unwillingly grudgingly
privately | publicly
in-person | remote online
good great excellent superb outstanding fine wonderful brilliant | bad poor awful terrible
  dreadful mediocre horrible disappointing lousy
well | badly poorly
better | worse
best finest | worst
big large huge enormous great vast giant massive substantial considerable major significant |
  small little tiny minor slight modest minimal insignificant negligible
high tall | low short
higher | lower
deep | shallow
wide broad | narrow
long lengthy | short brief
heavy | light lightweight
strong powerful robust sturdy | weak feeble fragile frail
hard tough rigid firm stiff | soft tender flexible
rough bumpy coarse | smooth
sharp pointed | blunt dull
steep | gentle flat
tight | loose
full packed crowded busy | empty deserted vacant quiet
fast quick rapid swift speedy prompt brisk | slow sluggish gradual
quickly fast rapidly swiftly speedily promptly | slowly gradually
suddenly abruptly | gradually slowly
sudden abrupt | gradual
early earlier | late later
old ancient elderly aged | young new modern recent
modern new | ancient old obsolete outdated traditional
fresh | stale rotten
hot warm | cold cool chilly freezing icy
wet damp humid moist rainy | dry arid
sunny clear bright | cloudy overcast rainy dull foggy
bright light | dark dim gloomy
loud noisy | quiet silent soft
loudly noisily | quietly softly silently
clean spotless tidy neat | dirty filthy messy untidy
clear obvious plain | vague unclear obscure
simple easy straightforward effortless | difficult hard complex complicated tough tricky
  challenging
easily | barely hardly
cheap inexpensive affordable | expensive costly dear pricey
rich wealthy affluent prosperous | poor needy impoverished
safe secure harmless | dangerous unsafe risky hazardous perilous harmful
happy glad pleased delighted joyful cheerful content satisfied thrilled proud | sad unhappy upset
  disappointed miserable gloomy dissatisfied ashamed annoyed angry furious
happily gladly cheerfully | sadly unhappily angrily
calm relaxed | nervous anxious tense agitated worried
confident sure certain | unsure doubtful uncertain hesitant
brave courageous bold | cowardly timid afraid
careful cautious | careless reckless
carefully cautiously | carelessly recklessly
kind friendly warm gentle | cruel unkind hostile mean harsh unfriendly cold
warmly kindly | coldly coolly
polite courteous | rude impolite
politely | rudely
generous | stingy mean selfish
honest truthful | dishonest deceitful
patient | impatient
lazy idle | diligent hardworking busy
clever smart intelligent wise brilliant bright | stupid foolish dumb
beautiful pretty lovely attractive handsome | ugly hideous unattractive
interesting exciting fascinating thrilling gripping entertaining | boring dull tedious
important crucial vital essential significant | unimportant trivial minor insignificant
necessary essential required mandatory compulsory obligatory | unnecessary optional voluntary
  needless
common usual frequent ordinary widespread | rare unusual uncommon scarce
abundant plentiful ample | scarce sparse insufficient limited
famous renowned well-known | unknown obscure
popular | unpopular
public | private secret
publicly openly | privately secretly
official formal | unofficial informal
natural | artificial synthetic man-made
real genuine authentic true | fake false bogus counterfeit artificial
right correct true accurate | wrong incorrect false inaccurate mistaken
correctly accurately | incorrectly wrongly
temporary brief provisional | permanent lasting
temporarily briefly | permanently
stable steady constant | unstable volatile
reliable dependable | unreliable
mild slight gentle light | severe serious harsh heavy fierce
slightly marginally modestly mildly | sharply steeply significantly dramatically heavily severely
  strongly considerably greatly massively
strict harsh tough | lenient lax
flexible | rigid inflexible
positive favourable favorable | negative unfavourable adverse
optimistic hopeful upbeat | pessimistic gloomy
useful helpful beneficial | useless unhelpful harmful
healthy well fit | ill sick unhealthy unfit injured unwell
alive living | dead
present | absent
visible | invisible hidden
superior | inferior
urban | rural
domestic national | foreign international overseas
senior | junior
raw | cooked
sweet | bitter sour
odd | even
straight | curved crooked bent
transparent | opaque
married | single unmarried divorced
single | multiple double
similar alike identical same | different dissimilar
separately alone individually | together jointly
deliberately intentionally purposely | accidentally unintentionally inadvertently
automatically | manually
automatic | manual
voluntarily willingly gladly readily | reluctantly unwillingly grudgingly
directly | indirectly
partly partially | fully completely entirely wholly totally
fully completely entirely | partly partially barely
legal lawful | illegal unlawful
exactly precisely | approximately roughly about
online | offline
lush fertile | barren
delicious tasty | disgusting awful
glowing favourable positive rave | terrible scathing negative damning
confusing unclear puzzling | clear
cosy welcoming | unwelcoming bleak
dry | slippery wet
known proven confirmed established | suspected alleged disputed unproven
male | female
actual real | imaginary fictional
abstract | concrete
active | passive inactive
adequate sufficient enough | inadequate insufficient
advanced | basic primitive
aggressive | peaceful gentle
ambitious | modest
attractive appealing | repulsive unappealing
available | unavailable
awake | asleep
aware | unaware ignorant
balanced | unbalanced
broken damaged faulty | intact undamaged working
busy | idle free
capable able | incapable unable
central | peripheral
certain definite | uncertain doubtful
civilian | military
classical traditional | modern
comfortable | uncomfortable
complete full whole | incomplete partial
conscious | unconscious
conservative | liberal progressive
consistent | inconsistent
constant | variable
controversial | uncontroversial
convenient | inconvenient
costly | cheap free
cultivated | wild
curable | incurable fatal
current present | former previous past
daily | weekly monthly
deaf | hearing
dense thick | sparse thin
detailed | vague brief
digital | analogue analog
direct | indirect
drunk | sober
durable | fragile
eager keen enthusiastic | reluctant unwilling
edible | poisonous inedible
effective successful | ineffective unsuccessful
efficient | inefficient wasteful
elegant | clumsy
equal | unequal
exact precise | approximate rough
expected | unexpected surprising
experienced | inexperienced
explicit | implicit
extinct | living surviving
fair just | unfair unjust biased
faithful loyal | disloyal unfaithful
familiar | unfamiliar
favourite | hated
final | initial first
fixed | flexible variable
flat | hilly mountainous
fluent | halting
fortunate lucky | unfortunate unlucky
frozen | thawed melted
frequent regular | occasional rare
frequently regularly | occasionally rarely
functional working | broken
general | specific
gifted talented | untalented
global worldwide | local
grateful | ungrateful
greedy | generous
handmade | industrial
heavily | lightly
homemade | bought
honest | corrupt
hopeful | hopeless
horizontal | vertical
humble | arrogant proud
immediate | delayed eventual
immediately instantly promptly | later eventually
independent | dependent
intentional deliberate | accidental unintentional
joint collective | individual separate
legible | illegible
limited | unlimited
lively | dull quiet
logical rational | illogical irrational
lonely | sociable
long-term | short-term
mature | immature
mental | physical
merciful | merciless
mobile portable | stationary fixed
moderate | extreme
muddy | clean
normal | abnormal
numerous | few
obedient | disobedient
obvious | hidden subtle
occupied | vacant
open | closed shut
oral spoken | written
ordinary | extraordinary special
organised organized | chaotic disorganised
original | copied fake
painful | painless
perfect flawless | flawed imperfect
personal | impersonal
pleasant | unpleasant nasty
powerful | powerless
practical | theoretical
predictable | unpredictable
primary main | secondary
productive | unproductive
profitable | unprofitable
proper | improper
punctual | late
pure | impure contaminated
ready | unprepared
realistic | unrealistic
recent | ancient distant
relevant | irrelevant
reluctant | willing eager
renewable | fossil
respectful | disrespectful
responsible | irresponsible
ripe | unripe
romantic | unromantic
royal | common
satisfactory | unsatisfactory
scared frightened | fearless calm
secret | public open
selfish | selfless generous
sensible | foolish silly
serious | trivial funny
sharp steep | slight gradual gentle
sharply steeply | slightly gradually
short | long tall
sincere | insincere
skilled | unskilled
slim | fat
soft | hard loud
solid | hollow liquid
spicy | mild bland
square | round
standing | sitting
steady | erratic
sterile | contaminated
still calm | stormy windy rough
stubborn | flexible
subjective | objective
successful | unsuccessful failed
suitable | unsuitable
surprising | predictable
symmetrical | asymmetrical
sympathetic | unsympathetic
talkative | quiet
tasty | tasteless bland
thin | fat thick
tired exhausted | fresh rested energetic
toxic poisonous | harmless safe
typical | unusual atypical
unanimous | divided split
unanimously | narrowly
upright | flat
urgent | routine
vague | precise clear
valid | invalid
valuable precious | worthless
violent | peaceful
voluntary | forced compulsory
vulnerable | safe protected
wasteful | thrifty
well-paid | underpaid
willing | unwilling reluctant
worn | new
relieved | worried
calmly | nervously angrily
bravely | timidly
brightly | dimly
cheaply | expensively
clearly | vaguely
closely | loosely
deeply | slightly
eagerly | reluctantly
evenly | unevenly
fairly | unfairly
gently softly | roughly harshly
highly | barely
honestly | dishonestly
legally | illegally
literally | figuratively
locally | globally
narrowly barely | comfortably easily
neatly | messily
normally usually | rarely
officially | unofficially
overnight | gradually
patiently | impatiently
peacefully | violently
personally | remotely
rarely | often
safely | dangerously
smoothly | roughly
successfully | unsuccessfully
thickly | thinly
tightly | loosely
widely | narrowly
wisely | foolishly
local | national global
initially originally firstly | eventually ultimately finally
formerly previously once | currently now today
injured wounded hurt | unharmed unhurt uninjured
strictly rigidly | loosely laxly
densely | sparsely
lawfully | illegally unlawfully
found | missing lost
typical normal ordinary | peculiar odd strange unusual
wild untamed | domesticated tame
selected chosen elected | rejected unchosen
sufficient ample enough | limited insufficient scarce
healthy intact | damaged
)";

}  // namespace otherwords::facts
