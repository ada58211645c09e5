// Which rules are extracted: Thrax's limits.
#pragma once

#include "grammar/labels.hpp"
#include "phrases/spans.hpp"

namespace otherwords {

constexpr std::int32_t most_nonterminals = 9;
constexpr std::int32_t longest_initial = 200;

struct RuleLimits {
  std::int32_t phrase_length = 10;   // words per side of an initial phrase pair
  std::int32_t arity = 2;            // nonterminals
  std::int32_t lexicality = 1;       // links between words of a rule, at least
  std::int32_t source_symbols = 5;   // in rules with nonterminals
  std::int32_t target_symbols = 5;
  bool adjacent = false;        // adjacent nonterminals in the source
  bool loose = false;           // phrase pairs with unaligned words at their edges
  bool abstract = false;        // rules without words
  bool nonlexical_x = true;     // the default label in rules with nonterminals
  bool labels_on_left = false;  // the side that has the trees
};

// All rules of one sentence pair: a phrase pair with smaller ones inside it made nonterminals.

// A symbol is a word id, or a nonterminal: its label and its number, from 1, by source order.
constexpr std::uint32_t nonterminal_bit = 0x80000000u;
constexpr std::uint32_t nonterminal(std::int32_t label, std::int32_t number) {
  return nonterminal_bit | static_cast<std::uint32_t>(label) << 4 | static_cast<std::uint32_t>(number);
}
constexpr bool is_word(std::uint32_t symbol) { return (symbol & nonterminal_bit) == 0; }
constexpr std::size_t label_of(std::uint32_t symbol) { return (symbol & ~nonterminal_bit) >> 4; }
constexpr std::uint32_t number_of(std::uint32_t symbol) { return symbol & 15; }

class RuleFinder {
 public:
  RuleFinder(const Aligned& text, const RuleLimits& limits, SpanLabels& labels)
      : text_(text), limits_(limits), labels_(labels) {}

  // Calls emit(label, source, target, links) for every rule of the sentence; a link is the
  // place of its source word << 16 | that of its target word.
  template <typename Emit>
  void sentence(std::size_t s, Emit emit) {
    load(s);
    for (const Phrase& whole : phrases_) {
      find_inner(whole);
      holes_.clear();
      choose(whole, 0, emit);
    }
  }

 private:
  struct Phrase {
    Box box;
    std::int32_t links, label;

    std::int32_t lefts() const { return box.left_end - box.left_begin + 1; }
    std::int32_t rights() const { return box.right_end - box.right_begin + 1; }
  };

  void load(std::size_t s) {
    sentence_ = s;
    labels_.load(s);
    const auto lefts = static_cast<std::int32_t>(text_.left.length(s));
    const auto rights = static_cast<std::int32_t>(text_.right.length(s));
    starts_.assign(static_cast<std::size_t>(lefts) + 1, 0);
    right_linked_.assign(static_cast<std::size_t>(rights), 0);
    std::size_t link = text_.links.begin(s);
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      while (link < text_.links.end(s) && text_.links.left[link] < i)
        right_linked_[text_.links.right[link++]] = 1;
      starts_[i] = link;
    }
    places_.resize(static_cast<std::size_t>(rights));
    phrases_.clear();
    spans_.load(text_, s);
    spans_.all(limits_.phrase_length, [&](const Box& box) {
      if (limits_.loose || is_tight(box)) add(box);
    });
    std::ranges::stable_sort(phrases_, {}, [](const Phrase& one) { return one.box.left_begin; });
    firsts_.assign(static_cast<std::size_t>(lefts) + 1, phrases_.size());
    for (std::size_t k = phrases_.size(); k-- > 0;)
      firsts_[static_cast<std::size_t>(phrases_[k].box.left_begin)] = k;
    for (std::size_t i = firsts_.size() - 1; i-- > 0;) firsts_[i] = std::min(firsts_[i], firsts_[i + 1]);
  }

  void add(const Box& box) {
    const auto links = starts_[static_cast<std::size_t>(box.left_end) + 1] -
                       starts_[static_cast<std::size_t>(box.left_begin)];
    const std::int32_t label = limits_.labels_on_left
                                   ? labels_(box.left_begin, box.left_end + 1)
                                   : labels_(box.right_begin, box.right_end + 1);
    phrases_.push_back({box, static_cast<std::int32_t>(links), label});
  }

  bool is_tight(const Box& box) const {
    const auto linked = [&](std::int32_t i) {
      return starts_[static_cast<std::size_t>(i)] < starts_[static_cast<std::size_t>(i) + 1];
    };
    return linked(box.left_begin) && linked(box.left_end) &&
           right_linked_[static_cast<std::size_t>(box.right_begin)] &&
           right_linked_[static_cast<std::size_t>(box.right_end)];
  }

  bool may_be_nonterminal(const Phrase& phrase) const {
    return phrase.label != 0 || limits_.nonlexical_x;
  }

  // The phrases inside `whole` that may become nonterminals, from left to right.
  void find_inner(const Phrase& whole) {
    inner_.clear();
    if (limits_.arity == 0 || !may_be_nonterminal(whole)) return;
    const auto end = firsts_[static_cast<std::size_t>(whole.box.left_end) + 1];
    for (auto k = firsts_[static_cast<std::size_t>(whole.box.left_begin)]; k < end; ++k) {
      const Box& box = phrases_[k].box;
      if (box.left_end <= whole.box.left_end && box.right_begin >= whole.box.right_begin &&
          box.right_end <= whole.box.right_end && may_be_nonterminal(phrases_[k]))
        inner_.push_back(&phrases_[k]);
    }
  }

  // Emits the rule with the holes chosen so far, then adds one more from inner_[first] on.
  template <typename Emit>
  void choose(const Phrase& whole, std::size_t first, Emit& emit) {
    if (is_allowed(whole)) emit_rule(whole, emit);
    if (static_cast<std::int32_t>(holes_.size()) == limits_.arity) return;
    const std::int32_t gap = limits_.adjacent ? 1 : 2;
    const std::int32_t from =
        holes_.empty() ? whole.box.left_begin : holes_.back()->box.left_end + gap;
    for (std::size_t k = first; k < inner_.size(); ++k) {
      const Phrase& hole = *inner_[k];
      if (hole.box.left_begin < from || overlaps(hole)) continue;
      if (symbols_before(whole, hole) >= limits_.source_symbols) break;
      holes_.push_back(&hole);
      choose(whole, k + 1, emit);
      holes_.pop_back();
    }
  }

  bool overlaps(const Phrase& hole) const {
    return std::ranges::any_of(holes_, [&](const Phrase* other) {
      return hole.box.right_begin <= other->box.right_end &&
             other->box.right_begin <= hole.box.right_end;
    });
  }

  // Source symbols before the hole; it grows with where the hole begins.
  std::int32_t symbols_before(const Phrase& whole, const Phrase& hole) const {
    std::int32_t symbols = hole.box.left_begin - whole.box.left_begin;
    for (const Phrase* other : holes_) symbols -= other->lefts() - 1;
    return symbols;
  }

  bool is_allowed(const Phrase& whole) const {
    std::int32_t lefts = whole.lefts(), rights = whole.rights(), links = whole.links;
    for (const Phrase* hole : holes_) {
      lefts -= hole->lefts();
      rights -= hole->rights();
      links -= hole->links;
    }
    const auto holes = static_cast<std::int32_t>(holes_.size());
    if (holes > 0 &&
        (lefts + holes > limits_.source_symbols || rights + holes > limits_.target_symbols))
      return false;
    return links >= limits_.lexicality && (limits_.abstract || lefts + rights > 0);
  }

  template <typename Emit>
  void emit_rule(const Phrase& whole, Emit& emit) {
    write(text_.right, whole.box.right_begin, whole.box.right_end, &Box::right_begin,
          &Box::right_end, target_, [&](std::int32_t j, std::size_t place) {
            places_[static_cast<std::size_t>(j)] = static_cast<std::uint32_t>(place);
          });
    links_.clear();
    write(text_.left, whole.box.left_begin, whole.box.left_end, &Box::left_begin, &Box::left_end,
          source_, [&](std::int32_t i, std::size_t place) {
            for (std::size_t k = starts_[static_cast<std::size_t>(i)];
                 k < starts_[static_cast<std::size_t>(i) + 1]; ++k)
              links_.push_back(static_cast<std::uint32_t>(place) << 16 |
                               places_[text_.links.right[k]]);
          });
    emit(whole.label, source_, target_, links_);
  }

  template <typename Place>
  void write(const AlignedSide& side, std::int32_t begin, std::int32_t end,
             std::int32_t Box::* hole_begin, std::int32_t Box::* hole_end, std::vector<std::uint32_t>& out, Place place) const {
    out.clear();
    const std::uint32_t* words = side.tokens.data() + side.begin(sentence_);
    for (std::int32_t at = begin; at <= end; ++at) {
      std::size_t k = 0;
      while (k < holes_.size() && holes_[k]->box.*hole_begin != at) ++k;
      if (k < holes_.size()) {
        out.push_back(nonterminal(holes_[k]->label, static_cast<std::int32_t>(k) + 1));
        at = holes_[k]->box.*hole_end;
      } else {
        place(at, out.size());
        out.push_back(words[at]);
      }
    }
  }

  const Aligned& text_;
  RuleLimits limits_;
  SpanLabels& labels_;
  SpanFinder spans_;
  std::size_t sentence_ = 0;
  std::vector<std::size_t> starts_;   // the first link of each left word
  std::vector<char> right_linked_;
  std::vector<Phrase> phrases_;       // by the left word they begin with
  std::vector<std::size_t> firsts_;   // the first phrase that begins at a left word or after it
  std::vector<const Phrase*> inner_, holes_;
  std::vector<std::uint32_t> places_;  // of right words in the target side that is being written
  std::vector<std::uint32_t> source_, target_, links_;
};

}  // namespace otherwords
