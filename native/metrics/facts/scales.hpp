// Scales of English words with two ends: the words of one end oppose those of the other, and are
// evidence for each other.
#pragma once

#include <string_view>

namespace otherwords::facts {

// One scale per line that is not indented; lemmas, and participles that are adjectives.
constexpr std::string_view scales = R"(
increase rise grow climb surge soar jump expand gain boost raise lift swell escalate rocket mount
  multiply strengthen widen improve skyrocket | decrease fall drop decline shrink plunge plummet
  slump sink slip contract lose cut reduce lower dampen curb diminish dwindle tumble weaken narrow
  slash ease shorten
growth increase rise gain surge jump boost expansion upturn boom | decline decrease fall drop
  slump loss reduction cut downturn recession plunge contraction bust
improve recover heal mend | worsen deteriorate degrade decay
accept approve adopt pass endorse welcome support back embrace grant ratify confirm | reject
  refuse decline oppose veto block dismiss deny condemn overturn revoke abandon turn
allow permit let enable authorise authorize encourage license legalise legalize | ban forbid
  prohibit prevent block bar stop discourage deter disable outlaw hinder
agree consent | refuse disagree decline object
begin start launch commence open introduce initiate resume continue | end stop finish close
  conclude cease halt terminate cancel scrap suspend shut discontinue abolish withdraw
continue keep remain persist maintain retain stay proceed | stop cease quit abandon discontinue
  interrupt change leave
include contain comprise | exclude omit lack
win succeed triumph prevail beat | lose fail
pass succeed | fail
victory win success triumph | defeat loss failure
love like enjoy adore admire appreciate | hate dislike loathe detest despise resent
praise applaud commend hail laud compliment welcome celebrate | criticise criticize condemn blame
  denounce slam attack mock deplore
support favour favor back defend promote | oppose attack undermine resist fight
supporter advocate proponent fan ally friend | opponent critic enemy rival foe
remember recall | forget
admit acknowledge confess concede confirm | deny dispute
believe trust | doubt distrust suspect disbelieve
hire employ recruit appoint engage | fire dismiss sack
buy purchase acquire | sell
borrow | lend
give | take receive
send dispatch post | receive
teach | learn
arrive come enter land return join | leave depart exit quit
appear emerge surface | disappear vanish
ascend climb rise | descend sink fall
push | pull
build construct create erect assemble make | destroy demolish dismantle ruin wreck break
repair fix mend restore rebuild | break damage destroy ruin
protect defend guard save preserve shield rescue | harm endanger attack damage threaten destroy
  expose abandon
help assist aid benefit | harm hinder hurt hamper impede obstruct
cause trigger produce create | prevent avoid stop avert
hide conceal cover mask | reveal show expose disclose display uncover
add | remove subtract delete deduct
gather collect assemble unite join combine merge connect attach | scatter separate split divide
  disperse detach disconnect part
save | spend waste squander
earn | spend lose owe
open unlock | close shut lock
load fill | unload empty drain
freeze | melt thaw boil
heat warm | cool chill
float | sink
advance progress | retreat regress
attack | defend retreat
delay postpone slow defer | hasten accelerate advance expedite speed quicken
speed accelerate hurry | slow delay
tighten | loosen relax ease
obey follow respect observe | disobey defy ignore violate break flout
notice heed | ignore overlook neglect
succeed manage | fail
survive live | die perish
wake | sleep
attract | repel deter
simplify | complicate
lengthen extend prolong | shorten cut
underestimate | overestimate
import | export
enable activate | disable deactivate
install | uninstall remove
lift | lower drop impose
impose introduce | lift abolish
free release | imprison capture jail detain arrest hold
acquit exonerate clear | convict
guilty | innocent
prove confirm | disprove refute
reward | punish
hope expect | fear dread
laugh smile | cry frown weep scowl
whisper | shout scream yell
stand | sit
ask | answer
throw | catch
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
inner internal inside indoor | outer external outside outdoor
indoors inside | outdoors outside
upstairs | downstairs
upward upwards up | downward downwards down
forward forwards ahead | backward backwards behind
near close nearby | far distant remote
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
upper top | lower bottom
first | last
beginning start opening outset | end close conclusion finish
entrance | exit
top peak summit | bottom base foot
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
plus | minus
debit | credit
defendant | plaintiff
attacker | defender
host | guest
master | servant
rise | set
abroad overseas | home
everywhere | nowhere
anywhere | nowhere
exactly precisely | approximately roughly about
online | offline
before | after
above over | below under beneath
inside within | outside beyond
with | without
like | unlike
toward towards | from
against | for
onto | off
include including | except excluding
on | off
in | out
have possess feature offer contain | lack
lush fertile | barren
delicious tasty | disgusting awful
glowing favourable positive rave | terrible scathing negative damning
confusing unclear puzzling | clear
cosy welcoming | unwelcoming bleak
force compel oblige | allow let permit
dry | slippery wet
demolish destroy | restore rebuild preserve
known proven confirmed established | suspected alleged disputed unproven
more | less
more | fewer
most | least
ever | never
if | unless
to | from
together | apart
reopen | close
find | lose
north | south
east | west
day | night
front | back
former | latter
past | future
previous | next
last | next
male | female
guarantee | prevent
suggest indicate hint imply | prove demonstrate establish
recommend advise suggest encourage invite | require order demand insist compel force oblige
ask request urge invite | order command force
allege claim suspect believe guess assume | know prove confirm
hesitate waver | rush hurry
enlarge magnify expand | reduce shrink
inflate | deflate
inhale | exhale
thrive flourish prosper bloom | struggle fail wither decline
exceed surpass outperform beat top | trail lag miss underperform
overtake | trail
attend join | skip miss boycott
visit | avoid
seek pursue chase | avoid flee escape shun
welcome | shun reject
follow | lead precede
employ use | avoid
share | withhold hoard keep
offer provide supply give grant | deny withhold refuse withdraw
publish release announce disclose reveal | withhold conceal suppress hide
win gain earn | lose forfeit
qualify | disqualify
encourage inspire motivate | discourage deter dissuade
calm soothe reassure comfort | alarm frighten worry upset scare
please delight satisfy impress | annoy disappoint upset anger
amuse entertain | bore
respect admire honour | despise insult mock
forgive pardon excuse | blame punish condemn
thank | blame
bless | curse
cheer | boo jeer
smile grin | frown scowl
agree | disagree differ
unify unite | divide split
marry | divorce
hug embrace | push
feed | starve
plant sow | harvest uproot
bury | dig unearth
boil heat | chill freeze
wet soak moisten | dry
clean wash | soil dirty stain
sharpen | blunt
straighten | bend
fasten tie | untie unfasten
wrap | unwrap
pack | unpack
dress | undress
board | alight
land | take depart
park | drive
accelerate | brake decelerate slow
upgrade promote | downgrade demote
enrich | impoverish
clarify explain | confuse obscure
legalise legalize permit | criminalise criminalize ban
nationalise nationalize | privatise privatize
centralise centralize | decentralise
insure | risk
deposit pay | withdraw
invest | divest withdraw
overpay | underpay
overrate | underrate
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
left | right
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
underneath | above
widely | narrowly
wisely | foolishly
underground | overground
offshore | onshore
uphill | downhill
upstream | downstream
northward | southward
eastward | westward
clockwise | anticlockwise counterclockwise
local | national global
born | die
install insert attach add | remove extract detach
issue grant | withhold revoke withdraw
initially originally firstly | eventually ultimately finally
formerly previously once | currently now today
injured wounded hurt | unharmed unhurt uninjured
flee escape | arrive stay remain
overlook miss ignore | discover notice observe spot detect find
surrender yield | retain keep resist defend
found establish create | dissolve abolish close
safety security | threat danger risk
strictly rigidly | loosely laxly
densely | sparsely
lawfully | illegally unlawfully
admit accept | expel exclude reject
found | missing lost
typical normal ordinary | peculiar odd strange unusual
secure protect | endanger jeopardise jeopardize
wild untamed | domesticated tame
selected chosen elected | rejected unchosen
spread promote | suppress contain curb
understand grasp | misunderstand misconstrue misread
bury cover | uncover expose unearth
steal | return restore
appreciate value | ridicule mock scorn
fight clash | cooperate collaborate
sufficient ample enough | limited insufficient scarce
focus | disregard ignore
healthy intact | damaged
certainty confidence | uncertainty doubt
)";

}  // namespace otherwords::facts
