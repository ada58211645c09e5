"""The command lines that `tests.calls` runs."""

from __future__ import annotations

# Name, kind, arguments. `>file` is written by the call, and other calls may read it; `--threads *`
# is called with 1 and with 2 threads. What is kept of a call, next to its exit code:
#   data     a hash of what it writes, or of what it prints (of Parquet: of the rows)
#   numbers  the floats of the JSON, or of the LaTeX tables, that it writes or prints
#   counts   the same with whole numbers
#   trained  a hash of the model, and the floats of the report
#   code     nothing else
COMMANDS = """
tokenize                data     tokenize text.txt
tokenize-offsets        data     tokenize --offsets text.txt FREE
tokenize-jsonl          data     tokenize -f jsonl text.txt -o >tokens.jsonl
tokenize-wrong          code     tokenize nosuch.txt
tag                     data     tag text.txt FREE
tag-tsv                 data     tag -f tsv text.txt
tag-jsonl               data     tag -f jsonl --tokenizer none text.txt
tag-wrong               code     tag --tokenizer nosuch text.txt
lemmatize               data     lemmatize text.txt FREE
lemmatize-jsonl         data     lemmatize -f jsonl --case text.txt
lemmatize-wrong         code     lemmatize -f nosuch text.txt
parse                   data     parse text.txt LITERAL --threads *
parse-pretty            data     parse --pretty text.txt
parse-wrong             code     parse --tokenizer nosuch text.txt
align                   data     align fr.tsv -o >fr.links --save >aligner.owm --threads *
align-posteriors        data     align de.tsv --posteriors -o >de.posteriors
align-german            data     align de.tsv --heuristic grow-diag -o >de.links
align-saved             data     align --model aligner.owm fr.tsv
align-gold              numbers  align --gold GOLD -f json
align-given             numbers  align --gold GOLD --alignment found.txt -f json
align-wrong             code     align --alignment found.txt
extract-phrases         data     extract phrases ALIGNED -o >fr.moses --threads *
extract-phrases-de      data     extract phrases --bitext de.tsv --alignment de.links -o >de.parquet
extract-phrases-wrong   code     extract phrases --bitext fr.tsv --alignment nosuch
extract-grammar         data     extract grammar ALIGNED -o >fr.joshua --threads *
extract-grammar-parquet data     extract grammar ALIGNED -o >fr-rules.parquet
extract-grammar-samt    data     extract grammar ALIGNED --kind samt --tree-side left --arity 1
extract-grammar-syntax  data     extract grammar ALIGNED --kind syntax --tree-side left
                                 --min-count 2 --no-identity
extract-grammar-wrong   code     extract grammar ALIGNED --trees trees.txt
extract-lattices        data     extract lattices --trees trees.tsv
extract-lattices-parse  data     extract lattices --trees groups.tsv --parse -o >lattice.tsv
extract-lattices-links  data     extract lattices --trees trees.tsv --links
extract-lattices-wrong  code     extract lattices --trees trees.txt
pivot                   data     pivot fr=fr.moses de=de.parquet -o >pivoted.parquet --threads *
pivot-tsv               data     pivot fr=fr.moses de=de.parquet -o >pivoted.tsv --top 2
pivot-options           data     pivot fr.moses --identity --min-count 2
                                 --min-step 0.1 --max-length 2
pivot-sets              data     pivot fr=fr.moses de=de.parquet --sets
pivot-wrong             code     pivot fr.moses --sets --identity
lm-estimate             data     lm estimate text.txt fr.tsv -o >lm.arpa --order 3 --threads *
lm-estimate-packed      data     lm estimate fr.tsv -o >lm.owm --quantize 6 --prune 0,0,1
                                 --min-count 2
lm-query                data     lm query lm.arpa text.txt --threads *
lm-query-tokens         data     lm query lm.owm --per-token text.txt
lm-query-summary        data     lm query lm.owm --summary text.txt
lm-estimate-wrong       code     lm estimate fr.tsv -o lm.txt
lm-query-wrong          code     lm query text.txt text.txt
grammar-info            counts   grammar info gold.txt -f json
grammar-convert         data     grammar convert fr-rules.parquet
grammar-convert-parquet data     grammar convert gold.txt -o >gold.parquet
grammar-prune           data     grammar prune syntax.txt --at-most p=2 --labels 1 --rank-by p
grammar-prune-top       data     grammar prune fr-rules.parquet --top 1 --rank-by count --descending
                                 --at-least count=2 --threads *
grammar-pivot           data     grammar pivot fr-rules.parquet --min-step 0.01 --foreign target
                                 --threads *
grammar-pivot-identity  data     grammar pivot fr-rules.parquet --no-identity
                                 -o >pivoted-rules.parquet
grammar-info-wrong      code     grammar info text.txt
grammar-convert-wrong   code     grammar convert gold.txt -f parquet
grammar-prune-wrong     code     grammar prune gold.txt --at-least count
grammar-pivot-wrong     code     grammar pivot gold.txt --min-step 2
model-list              counts   model list -f json
model-info              counts   model info otherwords-rewrite -f json
model-verify            code     model verify lexicon
model-pack              data     model pack pivoted.tsv -o >packed.owm
model-pack-tsv          data     model pack paraphrases.tsv -o >pairs.owm -f tsv
model-info-wrong        code     model info text.txt
model-verify-wrong      code     model verify nosuch
model-pack-wrong        code     model pack text.txt -o nodir/packed.owm
build                   data     build -o >built.owm --pivot fr=fr.tsv --pivot de=de.tsv
                                 --lm fr.tsv --keep-duplicates --threads *
build-wrong             code     build -o built.owm --pivot fr.tsv
controls                data     controls text.txt --kinds copy,random,unigram,shuffle,deleted
controls-jsonl          data     controls --jsonl paraphrased.jsonl --seed 3 --scale 0:100
                                 -o >controls.jsonl
controls-wrong          code     controls text.txt --kinds nosuch
rank                    data     rank CANDIDATES -f jsonl --threads *
rank-tsv                data     rank CANDIDATES -m maxsim --against source --top 2 -o >ranked.tsv
rank-rows               data     rank ROWS -m pinc -f jsonl
rank-wrong              code     rank CANDIDATES -m maxsim
train-pem               trained  train pem --jsonl paraphrased.jsonl -o >my.pem --report >pem.json
                                 --folds 3 --threads *
train-pem-used          trained  score -m pem --set regression=my.pem --jsonl paraphrased.jsonl
                                 -f json
train-combine           trained  train combine --jsonl translated.jsonl -o >my.combine
                                 --report >combine.json --metrics maxsim,paraeval-f --threads *
train-combine-used      trained  score -m combine --set model=my.combine --jsonl translated.jsonl
                                 --segments -f json
train-pem-wrong         code     train pem --jsonl paraphrased.jsonl -o my.pem --human nosuch
train-combine-wrong     code     train combine --jsonl translated.jsonl -o my.combine --model nosuch
studio-export           data     studio export --log align.log --annotator ann
studio-export-all       data     studio export --log align.log --annotator bob --all
                                 -o >aligned.jsonl
studio-export-judged    data     studio export --log judge.log
studio-export-dropped   data     studio export --log judge.log --drop-flagged --no-controls
studio-agreement        numbers  studio agreement ann=align.log bob=align.log -f json
studio-judges           numbers  studio judges judge.log -f json
studio-export-wrong     code     studio export --log align.log
studio-agreement-wrong  code     studio agreement judge.log
studio-judges-wrong     code     studio judges align.log
studio-align-wrong      code     studio align --log new.log --annotator ann
studio-judge-wrong      code     studio judge --log new.log --judge ann
score                   numbers  score SYSTEMS REFERENCE
                                
                                 -m maxsim,paraeval-f,bleu,chrf,ter,otherwords-mt
                                 -f json --threads *
score-certain           numbers  score SYSTEMS REFERENCE -m maxsim,bleu --ci --paired bootstrap
                                 --baseline literal --resamples 200 -f json
score-randomised        numbers  score SYSTEMS REFERENCE -m chrf --paired randomization
                                 --docs docs.txt --resamples 200 --seed 7 -f json
score-segments          numbers  score --jsonl ROWS
                                 -m otherwords-rewrite,pinc,maxsim --segments -f json
score-judged            numbers  score --jsonl JUDGED -m maxsim,bleu,chrf,chrf++ -f json
score-options           numbers  score FREE REFERENCE -m maxsim,paraeval-f
                                 --set paraeval-f.min_length=2 --set case=true --tokenizer none
                                 -f json
score-source            numbers  score FREE -s examples/translation/reference.txt
                                 -m otherwords-rewrite,maxsim
                                 --against source -f json
score-explain           numbers  score FREE REFERENCE -m maxsim,paraeval-f,bleu --explain 3 -f json
score-wrong             code     score FREE -m maxsim
score-wrong-metric      code     score FREE REFERENCE -m nosuch
score-wrong-lengths     code     score text.txt REFERENCE -m maxsim
score-wrong-option      code     score FREE REFERENCE -m maxsim --nosuch
compare                 numbers  compare FREE LITERAL REFERENCE -m maxsim,bleu --examples 1
                                 --resamples 200 -f json --threads *
compare-jsonl           numbers  compare careful careless --jsonl JUDGED -m chrf,maxsim
                                 --examples-by maxsim --examples 2 --resamples 200 -f json
compare-page            code     compare FREE LITERAL REFERENCE -m maxsim --resamples 50
                                 --html >compared.html
compare-wrong           code     compare FREE REFERENCE -m maxsim
meta                    numbers  meta --jsonl JUDGED --human adequacy -m maxsim,paraeval-f,bleu,chrf
                                 -f json --threads *
meta-certain            numbers  meta --jsonl JUDGED --human fluency -m maxsim,bleu --ci
                                 --resamples 200 --compare all --trials 200 -f json
meta-grouped            numbers  meta --jsonl JUDGED --human adequacy -m maxsim,bleu --group item
                                 --level segment --ties neutral --baseline bleu --trials 200 -f json
meta-systems            numbers  meta --jsonl JUDGED --human adequacy -m maxsim --level system
                                 --system-human systems.json -f json
meta-scores             numbers  meta --jsonl paraphrased.jsonl --human overall
                                 -m otherwords-rewrite
                                 --scores scores.tsv --lower-is-better other -f json
meta-paper-pem          numbers  meta paper pem --jsonl paraphrased.jsonl -m pinc
                                 -f json
meta-paper-paraeval     numbers  meta paper paraeval --jsonl JUDGED --resamples 200
                                 --sweep min_length=1,2 -m paraeval-p -f json
meta-paper-maxsim       numbers  meta paper maxsim --jsonl JUDGED --sweep alpha=0:1:0.5 -f json
meta-paper-tables       numbers  meta paper paraeval --jsonl JUDGED --sweep model=none
                                 --human adequacy --resamples 100 -f json
meta-recognition        numbers  meta recognition --jsonl JUDGED --human adequacy --positive 3
                                 -m chrf --ci --resamples 50 -f json
meta-wrong              code     meta --jsonl JUDGED -m maxsim
meta-wrong-option       code     meta --jsonl JUDGED --human adequacy -m maxsim --ci --protocol
references              numbers  references SYSTEMS -m paraeval-f,bleu --resamples 200
                                 --paired bootstrap -f json --threads *
references-segments     numbers  references SYSTEMS -m maxsim --segments -f json
references-wrong        code     references FREE -m maxsim
parametric              numbers  parametric --gold GOLD --alignments ours=found.txt --sure-only
                                 --table list=paraphrases.tsv --paired bootstrap --resamples 200
                                 --by domain --by length -f json
parametric-possible     numbers  parametric --gold GOLD --alignments found.txt
                                 --resamples 100 -f json
parametric-wrong        code     parametric --gold GOLD
paradigm-overlap        counts   paradigm overlap --gold gold.txt syntax.txt hiero.txt gold.txt
                                 --by-type --identity --system-human human.tsv -f json --threads *
paradigm-sweep          counts   meta paper paradigm --gold gold.txt syntax.txt --sweep p --points 3
                                 -f json
paradigm-coverage       counts   paradigm coverage --pairs pairs.jsonl syntax.txt hiero.txt gold.txt
                                 --ci --pass-through none --resamples 200
                                 --system-human human.tsv -f json --threads *
paradigm-coverage-folds counts   paradigm coverage --pairs pairs.jsonl --folds 2 --kind hiero
                                 --kind syntax --pass-through unknown -f json
paradigm-derivations    data     paradigm coverage --pairs pairs.jsonl syntax.txt
                                 --derivations >derivations.jsonl -o coverage.txt
paradigm-overlap-wrong  code     paradigm overlap --gold nosuch.txt syntax.txt
paradigm-coverage-wrong code     paradigm coverage --pairs pairs.jsonl --kind hiero syntax.txt
report                  numbers  report JUDGED --human adequacy -m maxsim,bleu --resamples 100
                                 -o report.html --tables >tables
report-wrong            code     report JUDGED --human nosuch -m maxsim -o report.html
validate                counts   validate text.txt JUDGED -f json
validate-findings       counts   validate damaged.jsonl -f json
validate-strict         code     validate --strict text.txt
validate-wrong          code     validate nosuch.txt
version                 code     --version
wrong-command           code     nosuch
"""
SHORT = {
    "SYSTEMS": [f"examples/translation/{name}.txt" for name in ("careful", "free", "literal")],
    "FREE": ["examples/translation/free.txt"],
    "LITERAL": ["examples/translation/literal.txt"],
    "JUDGED": ["examples/translation/judged.jsonl"],
    "ROWS": ["examples/judgement/rows.jsonl"],
    "GOLD": ["examples/alignment/pairs.jsonl"],
    "CANDIDATES": ["examples/candidates.jsonl"],
    "ALIGNED": ["--bitext", "fr.tsv", "--alignment", "fr.links"],
    "REFERENCE": ["-r", "examples/translation/reference.txt"],
}

# On the first rows of sets in ../shared/data; `wmt15-daseg.jsonl` and the others are these rows.
DATA_COMMANDS = """
data-meta               numbers  meta --jsonl wmt15-daseg.jsonl --human da
                                 -m maxsim,paraeval-f,otherwords-mt --ci --resamples 100 -f json
data-protocol           numbers  meta paper pem --protocol --jsonl shakespeare-dev.jsonl
                                 --scale 1:4 --ci --resamples 100 -f json
data-meta-pem           numbers  meta paper pem --jsonl shakespeare-dev.jsonl --scale 1:4 -f json
data-rank               data     rank parabank.jsonl -f jsonl
data-controls           data     controls --jsonl parabank.jsonl
data-tag                data     tag wmt15-daseg.txt
data-parse              data     parse shakespeare-dev.txt
data-validate           counts   validate wmt15-daseg.jsonl parabank.jsonl -f json
data-train-pem          trained  train pem --jsonl shakespeare-dev.jsonl --scale 1:4 -o >data.pem
                                 --report >data-pem.json --folds 3
"""

# Commands that answer `--help`.
HELP = """
score; compare; build; meta; align; tokenize; tag; lemmatize; parse; validate; controls; pivot; rank
meta agreement; meta paper; meta paper pem; meta paper paraeval; meta paper parametric
meta paper paradigm; meta paper maxsim; meta recognition; meta judge; meta spans
parametric; report; references; model; model info; model verify; model list; model pack
extract; extract phrases; extract grammar; extract lattices; grammar; grammar info; grammar convert
grammar prune; grammar pivot; paradigm; paradigm overlap; paradigm coverage
lm; lm estimate; lm query; train; train pem; train combine; studio; studio align; studio judge
studio judges; studio export; studio agreement
"""
