# ruff: noqa: E501
"""Scales of English words with two ends: the words of one end oppose those of the other."""

from __future__ import annotations

__all__ = ["are_poles", "share_pole"]

# One scale per line; lemmas.
_SCALES = """
increase rise grow climb surge soar jump expand gain boost raise lift swell escalate rocket mount multiply strengthen widen improve skyrocket | decrease fall drop decline shrink plunge plummet slump sink slip contract lose cut reduce lower dampen curb diminish dwindle tumble weaken narrow slash ease shorten
growth increase rise gain surge jump boost expansion upturn boom | decline decrease fall drop slump loss reduction cut downturn recession plunge contraction bust
improve recover heal mend | worsen deteriorate degrade decay
accept approve adopt pass endorse welcome support back embrace grant ratify confirm | reject refuse decline oppose veto block dismiss deny condemn overturn revoke abandon turn
allow permit let enable authorise authorize encourage license legalise legalize | ban forbid prohibit prevent block bar stop discourage deter disable outlaw hinder
agree consent | refuse disagree decline object
begin start launch commence open introduce initiate resume continue | end stop finish close conclude cease halt terminate cancel scrap suspend shut discontinue abolish withdraw
continue keep remain persist maintain retain stay proceed | stop cease quit abandon discontinue interrupt change leave
include contain comprise | exclude omit lack
win succeed triumph prevail beat | lose fail
pass succeed | fail
victory win success triumph | defeat loss failure
love like enjoy adore admire appreciate | hate dislike loathe detest despise resent
praise applaud commend hail laud compliment welcome celebrate | criticise criticize condemn blame denounce slam attack mock deplore
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
enter | exit leave
appear emerge surface | disappear vanish
ascend climb rise | descend sink fall
push | pull
build construct create erect assemble make | destroy demolish dismantle ruin wreck break
repair fix mend restore rebuild | break damage destroy ruin
protect defend guard save preserve shield rescue | harm endanger attack damage threaten destroy expose abandon
help assist aid benefit | harm hinder hurt hamper impede obstruct
cause trigger produce create | prevent avoid stop avert
hide conceal cover mask | reveal show expose disclose display uncover
add | remove subtract delete deduct
gather collect assemble unite join combine merge connect attach | scatter separate split divide disperse detach disconnect part
save | spend waste squander
earn | spend lose owe
open unlock | close shut lock
lock | unlock
load fill | unload empty drain
freeze | melt thaw boil
heat warm | cool chill
float | sink
advance progress | retreat regress
lead | follow
attack | defend retreat
delay postpone slow defer | hasten accelerate advance expedite speed quicken
speed accelerate hurry | slow delay
tighten | loosen relax ease
obey follow respect observe | disobey defy ignore violate break flout
notice heed | ignore overlook neglect
succeed manage | fail
survive live | die perish
live | die
wake | sleep
attract | repel deter
simplify | complicate
lengthen extend prolong | shorten cut
underestimate | overestimate
import | export
enable activate | disable deactivate
install | uninstall remove
connect | disconnect
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
good great excellent superb outstanding fine wonderful brilliant | bad poor awful terrible dreadful mediocre horrible disappointing lousy
well | badly poorly
better | worse
best finest | worst
big large huge enormous great vast giant massive substantial considerable major significant | small little tiny minor slight modest minimal insignificant negligible
high tall | low short
higher | lower
deep | shallow
wide broad | narrow
long lengthy | short brief
thick | thin
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
warm | cool cold
wet damp humid moist rainy | dry arid
sunny clear bright | cloudy overcast rainy dull foggy
bright light | dark dim gloomy
loud noisy | quiet silent soft
loudly noisily | quietly softly silently
clean spotless tidy neat | dirty filthy messy untidy
clear obvious plain | vague unclear obscure
simple easy straightforward effortless | difficult hard complex complicated tough tricky challenging
easily | barely hardly
cheap inexpensive affordable | expensive costly dear pricey
rich wealthy affluent prosperous | poor needy impoverished
safe secure harmless | dangerous unsafe risky hazardous perilous harmful
happy glad pleased delighted joyful cheerful content satisfied thrilled proud | sad unhappy upset disappointed miserable gloomy dissatisfied ashamed annoyed angry furious
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
necessary essential required mandatory compulsory obligatory | unnecessary optional voluntary needless
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
slightly marginally modestly mildly | sharply steeply significantly dramatically heavily severely strongly considerably greatly massively
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
local domestic national | foreign international overseas
senior | junior
raw | cooked
solid | liquid
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
surplus | deficit shortage
income revenue earnings | expense expenditure cost
advantage benefit strength merit asset | disadvantage drawback weakness flaw harm liability
success | failure
peace | war
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
question | answer
inflow | outflow
input | output
plus | minus
debit | credit
defendant | plaintiff
attacker | defender
host | guest
master | servant
rise | set
sunny | rainy
abroad overseas | home
everywhere | nowhere
anywhere | nowhere
exactly precisely | approximately roughly about
optional voluntary | mandatory compulsory required
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
crowded packed | deserted empty
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
former | current
past | future
previous | next
last | next
male | female
guarantee | prevent
"""


def _read() -> dict[str, list[tuple[int, int]]]:
    """For each word the scales it stands on, each with its end."""
    ends: dict[str, list[tuple[int, int]]] = {}
    for number, line in enumerate(_SCALES.strip().split("\n")):
        for end, words in enumerate(line.split("|")):
            for word in words.split():
                ends.setdefault(word, []).append((number, end))
    return ends


ENDS = _read()


def are_poles(a: str, b: str) -> bool:
    """Whether the lemmas stand at opposite ends of a scale, and nowhere at the same one.

    >>> are_poles("soar", "plummet"), are_poles("soar", "climb"), are_poles("soar", "tree")
    (True, False, False)
    """
    mine, theirs = ENDS.get(a), ENDS.get(b)
    if mine is None or theirs is None or share_pole(a, b):
        return False
    return any((number, 1 - end) in theirs for number, end in mine)


def share_pole(a: str, b: str) -> bool:
    """Whether the lemmas stand at the same end of a scale.

    >>> share_pole("soar", "climb"), share_pole("soar", "plummet")
    (True, False)
    """
    mine, theirs = ENDS.get(a), ENDS.get(b)
    return mine is not None and theirs is not None and any(one in theirs for one in mine)
