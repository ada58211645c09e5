// Scales of verbs (scales.hpp).
#pragma once

#include <string_view>

namespace otherwords::facts {

constexpr std::string_view scales_of_verbs = R"(
increase rise grow climb surge soar jump expand gain boost raise lift swell escalate rocket mount
  multiply strengthen widen improve skyrocket | decrease fall drop decline shrink plunge plummet
  slump sink slip contract lose cut reduce lower dampen curb diminish dwindle tumble weaken narrow
  slash ease shorten
improve recover heal mend | worsen deteriorate degrade decay
uphold confirm affirm | overturn quash reverse overrule
extend renew prolong | terminate cancel end cut
repeat reaffirm stand | retract withdraw recant
retain keep | withdraw delete remove drop scrap
recede shrink | recover advance grow
consider contemplate ponder mull weigh | agree decide approve
thicken | lift thin clear
reassure relieve | shock alarm appal
drag crawl | fly race
land touch | take
praise | scold rebuke
remember recall | overlook
memorise memorize learn | forget
overestimate exaggerate overstate | underestimate understate
inherit | bequeath
lengthen | abridge
spare | punish
sow | reap
soften | harden
brighten | darken dim
calm | agitate
rise stand | sit
speed | dawdle
accuse charge | acquit clear
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
love like enjoy adore admire appreciate | hate dislike loathe detest despise resent
praise applaud commend hail laud compliment welcome celebrate | criticise criticize condemn blame
  denounce slam attack mock deplore
support favour favor back defend promote | oppose attack undermine resist fight
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
prove confirm | disprove refute
reward | punish
hope expect | fear dread
laugh smile | cry frown weep scowl
whisper | shout scream yell
stand | sit
ask | answer
throw | catch
rise | set
include including | except excluding
have possess feature offer contain | lack
force compel oblige | allow let permit
demolish destroy | restore rebuild preserve
reopen | close
find | lose
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
born | die
install insert attach add | remove extract detach
issue grant | withhold revoke withdraw
flee escape | arrive stay remain
overlook miss ignore | discover notice observe spot detect find
surrender yield | retain keep resist defend
found establish create | dissolve abolish close
admit accept | expel exclude reject
secure protect | endanger jeopardise jeopardize
spread promote | suppress contain curb
understand grasp | misunderstand misconstrue misread
bury cover | uncover expose unearth
steal | return restore
appreciate value | ridicule mock scorn
fight clash | cooperate collaborate
focus | disregard ignore
)";

}  // namespace otherwords::facts
