"""Small inputs of every format that is read, written by us; `tests.call_inputs` has others."""

from __future__ import annotations

import json

from tests.call_inputs import FILES

ROWS = [
    {
        "hypothesis": "The ship sank .",
        "references": ["The boat went down ."],
        "source": "Le bateau",
    },
    {
        "id": "7",
        "system": "a",
        "item": "3",
        "doc": "d",
        "hypothesis": "It rains.",
        "reference": "Rain",
    },
    {"system": "b", "item": 4, "hypothesis": "", "references": [], "human": {"da": -0.5, "x": 3}},
    {"hypothesis": "One", "source": "Two", "judges": [{"judge": "ann", "overall": 3}]},
]
CANDIDATES = [
    {"source": "It rains .", "candidates": ["Rain falls .", "It pours ."], "id": "1"},
    {"source": "She left .", "candidates": ["She went .", ""]},
]
PAIRS = [
    {"better": "It rains .", "worse": "It rain", "source": "Il pleut", "references": ["Rain ."]}
]
GOLD = [
    {
        "source": ["she", "left"],
        "target": ["she", "went", "away"],
        "sure": ["0-0"],
        "possible": ["1-1", "1-2"],
    }
]
CSV = '''id,system,item,hypothesis,reference,source,da
1,a,1,"The ship, sank",The boat,"He said ""no""",0.5
2,b,1,The vessel,"The
boat",Le bateau,-1
'''
XML = """<?xml version="1.0" encoding="UTF-8"?>
<dataset id="set"><doc id="d1" origlang="de"><src lang="de"><p>
<seg id="1">Es regnet &amp; schneit.</seg>
</p></src><ref lang="en" translator="A"><p><seg id="1">It rains &lt;and&gt; snows.</seg></p></ref>
<hyp system="one" lang="en"><p><seg id="1">It rains.</seg></p></hyp></doc></dataset>
"""
SGML = """<srcset setid="set" srclang="any"><doc docid="d1"><p>
<seg id="1"> Es regnet &quot;heute&quot; </seg>
<seg id="2">Zwei</seg></p></doc></srcset>
<refset setid="set" refid="r1" trglang="en"><doc docid="d1"><seg id="1">It rains</seg>
<seg id="2">Two</seg></doc></refset>
<tstset sysid="s1" trglang="en"><doc docid="d1">
<hl><seg id="1">Rain</seg></hl><seg id="2">Two</seg></doc></tstset>
"""
TREES = """(ROOT (S (NP (DT The) (NN ship)) (VP (VBD sank)) (. .)))
( (S (NP-SBJ-1 (-NONE- *)) (VP (VB Go) (PRT (RP on)))) )
(S (NP (NNP Ann)) (VP (VBZ is)
  (ADJP (JJ late))))
"""
ARPA = """
\\data\\
ngram 1=5
ngram 2=3
ngram 3=1

\\1-grams:
-1.2041\t<unk>
-99\t<s>\t-0.30103
-0.7782\t</s>
-0.6021\tthe\t-0.2218
-0.9031\tship\t-0.1

\\2-grams:
-0.3010\t<s> the\t-0.2
-0.2218\tthe ship\t-0.1
-0.1761\tship </s>

\\3-grams:
-0.1249\t<s> the ship

\\end\\
"""
MOSES = """a car ||| une voiture ||| 0.5 0.25 0.5 0.125 ||| 0-0 1-1 ||| 4 8 2
the house ||| la maison ||| 1 1 1 1 ||| 0-0 1-1 ||| 2 2 2
&#124; ||| &#91; ||| 0.1 0.2 0.3 0.4
"""
PARAPHRASES = [
    "put off\tpostponed\t0.5\nrepair\tmend\t0.25\nold bridge\tbridge\n",
    "[NP] ||| the car ||| the auto ||| PPDB2.0Score=3.2 -logp(e2|e1)=1.5 ||| 0-0 ||| Equivalence\n"
    "[VP/NP] ||| [NP,1] is ||| [NP,1] was ||| p(e|f)=1\n",
    "0.5\nthe car\nthe auto\n0.25\nmend\nrepair\n",
    "a ||| b ||| 0.1 0.2 0.3 0.4\nthe car ||| the auto ||| 0.5\n",
    "language\tforeign\tphrase\tprobability\tcount\nfr\tvoiture\tcar\t0.5\t3\nfr\tvoiture\tauto\t0.5\t1\n",
]
RULES = """[X] ||| the [X,1] of [X,2] ||| [X,2] 's [X,1] ||| p=0.5 q=1 ||| 0-1 ||| Equivalence
[NP] ||| house ||| home ||| p=0.25 q=2 ||| 0-0
[S] ||| [NP,1] left ||| [NP,1] went away ||| 0.5 1.5
[VP\\NP] ||| said [S,1] ||| told [S,1]
"""
WEIGHTS = [
    "# tuned\nLanguageModel 1.0\np=0.5\nWordPenalty -2\n",
    '{"LanguageModel": 1, "p": -0.5}\n',
]
SYSTEMS = '{"careful": 4, "free": 5.5, "literal": null}\n'
LINKS = "0-0 1-1\n0-0 1-1 2-2\n\n"
POSTERIORS = "0-0:0.9 1-1:0.5\n0-0\n0-1:0.25\n"
BITEXT = [
    "the house\tla maison\nthe car is red\tla voiture est rouge\n\tvide\n",
    "a ||| b\nc d ||| e f\n",
]
TEXT = ["The ship sank.\n\nIt isn't raining, she said!\n", "naïve café — “quoted”\r\n中文 text\n"]


def jsonl(rows: list[dict]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def tsv(rows: list[dict]) -> bytes:
    names = list(dict.fromkeys(key for row in rows for key in row))
    lines = [names, *([_cell(row.get(name)) for name in names] for row in rows)]
    return "".join("\t".join(line) + "\n" for line in lines).encode()


def _cell(value: object) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def stored(name: str) -> bytes:
    """A file of the cases that `tests.calls` runs."""
    return FILES[name].encode()
