"""The best binary tree by trying all of them: every split, every label, no sharing."""

from __future__ import annotations

from functools import cache

IMPOSSIBLE = -1e9


def classes(label_names):
    """For labels: the class as a parent, as a child; and the names of all classes."""
    parents = list(dict.fromkeys(name.split("+")[-1] for name in label_names))
    children = list(dict.fromkeys(name.split("+")[0] for name in label_names))
    return (
        [parents.index(name.split("+")[-1]) for name in label_names],
        [children.index(name.split("+")[0]) for name in label_names],
        parents,
        children,
    )


def cell(begin, end, n):
    """The row of a span: those that begin at 0 first, by their ends."""
    return [(b, e) for b in range(n) for e in range(b + 1, n + 1)].index((begin, end))


def best_score(label_names, tag_names, tags, labels, left, right, left_rules, right_rules):
    """The score of the best tree; rows are labels[cell][label] and rules[child][parent]."""
    n = len(tags)
    parent_of, child_of, parents, children = classes(label_names)

    def fits(label, words, is_root):
        if label == 0:
            return words == 1
        return not label_names[label].startswith("@") or (words > 1 and not is_root)

    def child(label, begin):
        if label:
            return child_of[label]
        known = tag_names.index(tags[begin]) if tags[begin] in tag_names else len(tag_names)
        return len(children) + known

    def rule(rules, label, begin, parent):
        name, above = label_names[label].split("+")[0], parents[parent]
        if name.startswith("@") and above.removeprefix("@") != name[1:]:
            return IMPOSSIBLE
        return rules[child(label, begin)][parent]

    @cache
    def inside(begin, end, label):
        if not fits(label, end - begin, end - begin == n):
            return IMPOSSIBLE
        score = labels[cell(begin, end, n)][label]
        if end - begin == 1:
            return score
        parent = parent_of[label]
        return score + max(
            part(left, left_rules, begin, k, parent) + part(right, right_rules, k, end, parent)
            for k in range(begin + 1, end)
        )

    @cache
    def best_part(side, begin, end, parent):
        rules = left_rules if side == "left" else right_rules
        return max(
            inside(begin, end, label) + rule(rules, label, begin, parent)
            for label in range(len(label_names))
        )

    def part(scores, rules, begin, end, parent):
        side = "left" if rules is left_rules else "right"
        return scores[cell(begin, end, n)][parent] + best_part(side, begin, end, parent)

    return max(inside(0, n, label) for label in range(len(label_names)))


def score_of(nodes, label_names, tag_names, tags, labels, left, right, left_rules, right_rules):
    """The score of one tree of (begin, end, split, label)."""
    n = len(tags)
    parent_of, child_of, _, children = classes(label_names)
    by_span = {(begin, end): label for begin, end, _, label in nodes}

    def child(begin, end):
        label = by_span[begin, end]
        if label:
            return child_of[label]
        known = tag_names.index(tags[begin]) if tags[begin] in tag_names else len(tag_names)
        return len(children) + known

    total = 0
    for begin, end, split, label in nodes:
        total += labels[cell(begin, end, n)][label]
        if split:
            parent = parent_of[label]
            total += left[cell(begin, split, n)][parent] + right[cell(split, end, n)][parent]
            total += left_rules[child(begin, split)][parent]
            total += right_rules[child(split, end)][parent]
    return total
