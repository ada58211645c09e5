#include "generation/forest.hpp"

namespace otherwords::generation {
namespace {

constexpr std::uint32_t goal_item = none;

class Enumeration {
 public:
  Enumeration(const Forest& forest, const Rules& rules, bool unique)
      : forest_(forest), rules_(rules), unique_(unique) {}

  std::vector<Derivation> best(std::size_t k) {
    std::vector<Derivation> out;
    for (std::uint32_t rank = 0; rank < k; ++rank) {
      const Ranked* one = ranked(goal_item, rank);
      if (!one) break;
      const Ranked found = *one;
      DerivationNode top = tree(goal_item, found);
      DerivationNode inner = std::move(top.children[0]);
      place(inner, 0);
      out.push_back({found.score, std::move(inner)});
    }
    return out;
  }

 private:
  struct Ranked {  // a derivation: one of the sources of an item, and ranks of its tails
    double score;
    std::uint32_t source;
    Tails ranks;
  };
  struct Lists {  // of an item
    bool begun = false;
    std::vector<Ranked> found, heap;
    std::unordered_set<std::uint64_t> seen;
    std::vector<std::vector<Symbol>> strings;  // of `found`, if they must differ
    std::unordered_set<std::uint64_t> different;
  };
  const Item& item_of(std::uint32_t number) const {
    return number == goal_item ? forest_.goal : forest_.items[number];
  }

  static bool is_worse(const Ranked& a, const Ranked& b) {
    if (a.score != b.score) return a.score < b.score;
    if (a.source != b.source) return a.source > b.source;
    return a.ranks > b.ranks;
  }

  // The derivation of that rank, from 0, or none.
  const Ranked* ranked(std::uint32_t number, std::uint32_t rank) {
    Lists& lists = derivations_[number];
    if (!lists.begun) {
      lists.begun = true;
      for (std::uint32_t s = 0; s < item_of(number).sources.size(); ++s) offer(number, s, {});
    }
    while (derivations_[number].found.size() <= rank) {
      Lists& mine = derivations_[number];
      if (mine.heap.empty()) return nullptr;
      std::ranges::pop_heap(mine.heap, is_worse);
      const Ranked best = mine.heap.back();
      mine.heap.pop_back();
      const std::uint8_t arity = item_of(number).sources[best.source].arity;
      for (std::size_t d = 0; d < arity; ++d) {
        Tails next = best.ranks;
        ++next[d];
        offer(number, best.source, next);
      }
      Lists& after = derivations_[number];
      if (unique_) {
        std::vector<Symbol> text = string_of(number, best);
        std::uint64_t key = chained(0, text.size());
        for (const Symbol one : text) key = chained(key, one);
        if (!after.different.insert(key).second) continue;
        after.strings.push_back(std::move(text));
      }
      after.found.push_back(best);
    }
    return &derivations_[number].found[rank];
  }

  void offer(std::uint32_t number, std::uint32_t s, const Tails& ranks) {
    const Source source = item_of(number).sources[s];
    std::uint64_t key = chained(0, s);
    for (std::size_t d = 0; d < source.arity; ++d) key = chained(key, ranks[d]);
    if (!derivations_[number].seen.insert(key).second) return;
    double score = source.score;
    for (std::size_t d = 0; d < source.arity; ++d) {
      const Ranked* tail = ranked(source.tails[d], ranks[d]);
      if (!tail) return;
      score += tail->score;
    }
    auto& heap = derivations_[number].heap;
    heap.push_back({score, s, ranks});
    std::ranges::push_heap(heap, is_worse);
  }

  // Words of the rules, or with the highest bit the places of words passed through.
  std::vector<Symbol> string_of(std::uint32_t number, const Ranked& one) {
    const Source source = item_of(number).sources[one.source];
    std::vector<Symbol> out;
    const auto append = [&](std::size_t d) {
      const auto& text = derivations_[source.tails[d]].strings[one.ranks[d]];
      out.insert(out.end(), text.begin(), text.end());
    };
    if (source.kind == Kind::rule) {
      for (const Symbol symbol : rules_.target(rules_[source.rule]))
        is_nonterminal(symbol) ? append(symbol & ~nonterminal_flag) : out.push_back(symbol);
    } else if (source.kind == Kind::pass_through) {
      const std::uint32_t word = forest_.words[source.rule];
      out.push_back(word != none ? word : nonterminal_flag | first_place(source.rule));
    } else {
      for (std::size_t d = 0; d < source.arity; ++d) append(d);
    }
    return out;
  }

  // Of a word that the grammar does not know: where it stands first.
  std::uint32_t first_place(std::uint32_t place) const {
    for (std::uint32_t k = 0; k < place; ++k)
      if (forest_.texts[k] == forest_.texts[place]) return k;
    return place;
  }

  DerivationNode tree(std::uint32_t number, const Ranked& one) {
    const Source source = item_of(number).sources[one.source];
    DerivationNode out{source.kind, source.rule, none, 0, 0, {}};
    if (source.kind == Kind::rule) out.label = rules_[source.rule].lhs;
    if (source.kind == Kind::pass_through) out.label = rules_.label_x();
    for (std::size_t d = 0; d < source.arity; ++d)
      out.children.push_back(tree(source.tails[d], derivations_[source.tails[d]].found[one.ranks[d]]));
    return out;
  }

  // Sets the spans of a tree that begins here.
  void place(DerivationNode& node, std::uint32_t begin) const {
    node.begin = node.end = begin;
    if (node.kind == Kind::pass_through) ++node.end;
    std::size_t child = 0;
    const auto place_next = [&] {
      place(node.children[child], node.end);
      node.end = node.children[child++].end;
    };
    if (node.kind != Kind::rule) {
      while (child < node.children.size()) place_next();
      return;
    }
    for (const Symbol symbol : rules_.source(rules_[node.rule]))
      is_nonterminal(symbol) ? place_next() : void(++node.end);
  }

  const Forest& forest_;
  const Rules& rules_;
  bool unique_;
  std::unordered_map<std::uint32_t, Lists> derivations_;
};

}  // namespace

std::vector<Derivation> best_derivations(const Forest& forest, const Rules& rules, std::size_t k,
                                         bool unique) {
  return Enumeration(forest, rules, unique).best(k);
}

}  // namespace otherwords::generation
