// Words that can stand for each other, where WordNet, pivots and vectors often do not know it: scales
// with one end (scales.hpp); and verbs of two words with the single verbs that say the same.
#pragma once

#include <string_view>

namespace otherwords::facts {

constexpr std::string_view scales_of_synonyms = R"(
share stake holding interest
need require use take
use burn consume
use employ utilise utilize apply
keep store leave put
keep hold retain
release publish launch issue
implement execute perform conduct
replace succeed
replace substitute swap
record note log write document register
arrive come
move shift relocate
fit attach mount fix fasten
state claim say maintain assert contend
say remark comment observe
report announce disclose
build raise erect put construct
deliver supply hand bring provide
enlist join enrol enroll
grub larva maggot
reason need cause ground
exchange return
edge pip beat defeat
settle lie
delete remove strike erase
cut incision slit
jab vaccination shot injection
bypass ring-road
consecutive running straight successive
show display present appear exhibit
show demonstrate indicate reveal prove
want need wish
begin start open
finish complete conclude
buy get purchase
get obtain receive acquire gain
get become grow turn
ask request
ask inquire enquire question
help assist aid support
choose pick select opt
make produce manufacture create
make cause
let allow permit
try attempt seek
meet encounter
fix repair mend
check examine inspect verify test
look appear seem
work function operate run
happen occur take
speak talk
tell inform notify
reach attain achieve hit
stop halt cease
send post mail dispatch forward
carry transport bring bear
catch capture seize
hit strike
throw toss hurl fling
drop let
turn rotate spin
shut close
mend darn
hurry rush
answer reply respond
call phone ring telephone
call name dub
call summon
hand pass give
lead head run direct manage
attend visit
arrange organise organize
cancel scrap axe abandon
delay postpone
expect anticipate await
explain account
fire sack dismiss
hire recruit employ
end expire finish lapse
fail collapse fold
save rescue
search hunt comb
steal pinch rob
warn caution alert
wreck ruin
win earn secure
grow increase rise expand
house home
flat apartment
lorry truck
car vehicle automobile
shop store outlet
firm company business corporation enterprise
boss manager chief head
worker employee staff
doctor physician medic
nurse carer
child kid youngster
baby infant newborn
man guy fellow
woman lady
policeman officer constable
police officers
attorney lawyer solicitor counsel
student pupil
teacher instructor tutor
tenant lodger renter
passenger traveller traveler
customer client shopper buyer
guest visitor
spectator fan onlooker
crowd throng
author writer
boat vessel ship
plane aircraft jet
street road
path track trail
hill slope
forest wood woods
sea ocean
shore coast
rubbish trash garbage waste
film movie picture
game match
contest competition tournament
prize award
meal dinner supper
drug medicine medication
illness disease sickness
injury wound
pain ache
money cash fund
price cost fee charge
pay wage salary
job post position role
job work task
error mistake fault
problem trouble issue difficulty
way method manner means
goal aim target objective purpose
plan scheme proposal
rule regulation
law statute act legislation
part portion piece section
group team party
meeting session gathering conference
talk speech lecture
letter note message
parcel package packet
picture photo photograph image
book volume
poll survey
result outcome
chance opportunity
danger risk peril
fight battle struggle
quarrel row argument dispute
gift present donation
garden yard
field meadow
fire blaze
storm gale tempest
rain shower
big large
small little tiny
happy glad pleased
sad unhappy
angry cross furious annoyed
afraid scared frightened
tired weary exhausted
ill sick unwell poorly
strange odd peculiar weird
whole entire complete full
main chief principal primary
recent latest new
right correct
wrong incorrect mistaken
almost nearly practically virtually
only just merely
also too
often frequently
quickly rapidly fast swiftly
soon shortly
about approximately roughly around
perhaps maybe possibly
mostly mainly largely chiefly primarily
entirely completely totally wholly fully
very extremely highly
annually yearly
previously earlier formerly before
afterwards later subsequently
again anew
abroad overseas
)";

// A verb with its particle, and verbs that say the same: "carry out|perform|conduct".
constexpr std::string_view phrasal_verbs[] = {
    "carry out|implement|perform|conduct|execute|do",
    "bring out|release|publish|launch|issue",
    "bring about|cause|produce",
    "bring up|raise|mention",
    "bring in|introduce",
    "bring forward|advance",
    "hand over|deliver|transfer|surrender|give",
    "hand out|distribute|give",
    "hand in|submit",
    "sign on|enlist|join|enrol",
    "sign up|enrol|register|join|enlist",
    "strike out|delete|remove",
    "cross out|delete",
    "take out|remove|delete|withdraw",
    "take off|remove|depart",
    "take on|hire|employ|recruit|assume",
    "take over|acquire|buy",
    "take up|accept|start|begin",
    "take part|participate|join",
    "take place|happen|occur",
    "take down|remove|dismantle",
    "take in|absorb|shelter",
    "take back|return|retract",
    "put off|postpone|delay|defer",
    "put out|extinguish|publish|issue",
    "put up|erect|build|raise|house",
    "put down|suppress|lower",
    "put on|stage|wear|show",
    "put together|assemble",
    "put up with|tolerate|bear|endure",
    "set up|establish|found|create|install|arrange",
    "set off|leave|depart|start|trigger",
    "set out|leave|depart|start|explain",
    "set on fire|ignite",
    "call off|cancel|abandon",
    "call for|demand|require",
    "call up|phone|summon",
    "call on|visit|urge",
    "turn down|reject|refuse|decline",
    "turn up|arrive|appear|come",
    "turn out|prove",
    "turn off|stop|disable|switch off",
    "turn on|start|enable|switch on",
    "turn into|become",
    "give up|abandon|quit|stop|surrender",
    "give out|distribute",
    "give in|yield",
    "give back|return",
    "go up|rise|increase|climb",
    "go down|fall|drop|decrease|sink",
    "go on|continue|happen",
    "go off|explode",
    "go back|return",
    "go away|leave|disappear",
    "go by|pass",
    "go through|experience|undergo",
    "come back|return",
    "come out|appear|emerge",
    "come up with|devise|invent|produce",
    "come across|find|meet|discover",
    "come in|enter|arrive",
    "come down|fall|descend",
    "come about|happen",
    "move in|arrive",
    "move out|leave",
    "get rid of|remove|discard|eliminate|scrap",
    "get back|return|recover|retrieve",
    "get out|leave|escape",
    "get on|board",
    "get off|leave|alight",
    "get up|rise",
    "get over|recover",
    "get in touch with|contact",
    "find out|discover|learn",
    "point out|note|mention|indicate",
    "work out|solve|calculate",
    "rule out|exclude",
    "leave out|omit|exclude",
    "break out|erupt|escape|start",
    "break down|fail|collapse",
    "break up|separate|split",
    "break into|burgle",
    "cut down|fell|reduce",
    "cut off|sever|isolate",
    "cut out|remove|excise",
    "pick up|collect|fetch|lift",
    "pick out|choose|select",
    "look for|seek|search",
    "look after|tend|mind",
    "look at|examine|inspect|view",
    "look into|investigate",
    "look up to|admire",
    "throw away|discard|dump|bin",
    "throw out|reject|discard|expel|eject",
    "lay off|dismiss|fire|sack",
    "let down|disappoint",
    "let go|release|dismiss",
    "make up|invent|constitute|comprise",
    "make out|discern|see",
    "make sure|ensure|check",
    "make use of|use",
    "show up|arrive|appear|come",
    "shut down|close",
    "close down|shut|close",
    "speed up|accelerate|hasten",
    "slow down|brake|decelerate|slow",
    "fill in|complete",
    "fill up|fill",
    "pay back|repay",
    "edge out|beat|pip|defeat",
    "wipe out|destroy|eliminate",
    "blow up|explode|inflate",
    "burn down|burn|destroy",
    "run out of|exhaust",
    "run into|meet|hit",
    "stand for|represent",
    "stand by|support",
    "back up|support",
    "step down|resign|quit",
    "step up|increase|intensify",
    "drop out|quit|withdraw",
    "pull out|withdraw",
    "pull down|demolish",
    "knock down|demolish",
    "tear down|demolish",
    "hold up|delay|rob",
    "hold on|wait",
    "keep on|continue",
    "carry on|continue",
    "end up|finish",
    "grow up|mature",
    "send back|return",
    "send out|dispatch|emit",
    "switch off|disable|stop",
    "switch on|enable|start",
    "talk about|discuss",
    "talk over|discuss",
    "think about|consider|ponder",
    "think over|consider",
    "deal with|handle|manage",
    "do away with|abolish",
    "die out|vanish",
    "draw up|draft|prepare",
    "fall apart|disintegrate",
    "clear up|resolve|tidy",
    "catch fire|ignite",
    "relief road|bypass",
    "on purpose|deliberately|intentionally",
    "by mistake|mistakenly|accidentally",
    "by accident|accidentally",
    "in secret|secretly",
    "in public|publicly",
    "in person|personally",
    "by hand|manually",
    "at once|immediately",
    "in the end|finally|eventually",
    "at first|initially",
    "per year|annually|yearly",
    "across the street|opposite",
    "across the road|opposite",
};

}  // namespace otherwords::facts
