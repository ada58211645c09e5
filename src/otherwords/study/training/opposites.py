"""Common words and their opposites, written by hand, for changes of meaning."""

from __future__ import annotations

__all__ = ["OPPOSITES"]

_PAIRS = """
able unable|above below|accept reject|accepted rejected|accepting rejecting|accepts rejects
active inactive|after before|agree disagree|agreed disagreed|agrees disagrees|alive dead|all none
allow forbid|allowed forbidden|allows forbids|always never|appear disappear|appeared disappeared
appears disappears|approve reject|approves rejects|arrive depart|arrives departs|ask answer
asked answered|asleep awake|attack defend|attacked defended|bad good|beautiful ugly|began ended
begin end|beginning end|begins ends|best worst|better worse|big small|bigger smaller
biggest smallest|black white|bottom top|bought sold|boy girl|boys girls|bright dark|brother sister
build destroy|builds destroys|built destroyed|buy sell|buying selling|buys sells|calm nervous
came went|careful careless|cheap expensive|clean dirty|clear unclear|close open|closed open
closes opens|cold hot|come go|comes goes|coming going|common rare|complete incomplete
correct wrong|dangerous safe|dark bright|day night|days nights|dead alive|decrease increase
decreased increased|decreases increases|deep shallow|defeat victory|different same|difficult easy
dirty clean|down up|dry wet|earlier later|early late|east west|eastern western|easy difficult
empty full|end beginning|ended began|enemies friends|enemy friend|enter leave|entered left
expensive cheap|fail succeed|failed succeeded|fails succeeds|failure success|false true|far near
fast slow|faster slower|father mother|female male|few many|fewer more|find lose|finds loses
finish start|finished started|finishes starts|first last|flexible rigid|forget remember
forgot remembered|forgotten remembered|found lost|free captive|fresh stale|friend enemy
friends enemies|full empty|future past|gain loss|gained lost|gains losses|gave took|girl boy
girls boys|give take|given taken|gives takes|giving taking|good bad|great terrible|grew shrank
grow shrink|growing shrinking|grows shrinks|guilty innocent|happy unhappy|hard soft|hate love
hated loved|hates loves|heavy light|high low|higher lower|highest lowest|honest dishonest|hot cold
husband wife|important unimportant|include exclude|included excluded|includes excludes
increase decrease|increased decreased|increases decreases|increasing decreasing|inside outside
interesting boring|large small|larger smaller|largest smallest|last first|late early|later earlier
laugh cry|laughed cried|least most|leave stay|leaves stays|left right|legal illegal|less more
light dark|like dislike|liked disliked|likely unlikely|likes dislikes|little big|long short
longer shorter|lose win|loses wins|losing winning|lost won|loud quiet|love hate|loved hated
loves hates|low high|lower higher|lowest highest|major minor|male female|man woman|many few
maximum minimum|men women|minimum maximum|minor major|modern ancient|more less|morning evening
most least|mother father|near far|necessary unnecessary|negative positive|never always|new old
night day|none all|normal abnormal|north south|northern southern|nothing everything|often rarely
old new|older younger|oldest youngest|on off|open closed|opened closed|opening closing
opens closes|outside inside|over under|past future|peace war|permit forbid|permitted forbidden
poor rich|popular unpopular|positive negative|possible impossible|poverty wealth|powerful weak
present absent|private public|profit loss|profits losses|public private|pull push|pulled pushed
quick slow|quickly slowly|quiet loud|rare common|rarely often|real fake|receive send|received sent
receives sends|reduce increase|reduced increased|reduces increases|reject accept|rejected accepted
remember forget|remembered forgot|rich poor|right wrong|rise fall|rises falls|rising falling
rose fell|sad happy|safe dangerous|same different|save waste|saved wasted|sell buy|selling buying
sells buys|send receive|sent received|short long|shorter longer|sister brother|slow fast
slower faster|slowly quickly|small large|smaller larger|smallest largest|soft hard|sold bought
soon late|south north|southern northern|start finish|started finished|starts finishes|stop start
stopped started|stops starts|strong weak|stronger weaker|succeed fail|succeeded failed
success failure|successful unsuccessful|sweet bitter|take give|taken given|takes gives|tall short
thick thin|thin thick|top bottom|true false|ugly beautiful|under over|unhappy happy|up down
useful useless|victory defeat|visible invisible|war peace|warm cool|weak strong|weaker stronger
wealth poverty|west east|western eastern|wet dry|white black|wide narrow|wife husband|win lose
winning losing|wins loses|without with|woman man|women men|won lost|worse better|worst best
wrong right|yes no|young old|younger older|youngest oldest
"""

OPPOSITES: dict[str, str] = {
    word: other
    for line in _PAIRS.strip().splitlines()
    for word, other in (pair.split() for pair in line.split("|"))
}
