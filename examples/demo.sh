#!/bin/sh
# What `make demo` prints: one translation task, one paraphrase task.
set -e
cd "$(dirname "$0")"

echo "TRANSLATION, four systems against a reference. See: careful is the best by every metric; only"
echo "otherwords-mt puts free, the same in other words, above careless, which gets the facts wrong."
echo
otherwords score -r translation/reference.txt translation/careful.txt translation/free.txt \
    translation/literal.txt translation/careless.txt --ci --paired randomization --baseline literal
echo
echo "PARAPHRASE, three rewrites of the same originals, no reference. See: otherwords-rewrite prefers"
echo "rewritten to copied, and to wrong, which says the opposite in nearly the same words."
echo
otherwords score -s paraphrase/original.txt paraphrase/copied.txt paraphrase/rewritten.txt \
    paraphrase/wrong.txt
