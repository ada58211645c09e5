#include "metrics/paraeval.hpp"

namespace otherwords {
namespace {

// How many of the spans, sorted by their ends, can stand side by side.
template <typename Stretch>
std::uint32_t disjoint(std::span<const Stretch> stretches) {
  std::uint32_t number = 0, end = 0;
  for (const Stretch& stretch : stretches)
    if (number == 0 || stretch.begin >= end) {
      ++number;
      end = stretch.end;
    }
  return number;
}

}  // namespace

void ParaEval::read(Words hypothesis, std::span<const Words> references) {
  hypothesis_ = hypothesis;
  own_.clear();
  phrase_sets_.clear();
  references_.assign(references.begin(), references.end());
  paraphrases_in_.resize(references.size());
  for (PhraseMatches& matches : paraphrases_in_) matches.clear();
  if (!paraphrases_) return;
  left_.clear();
  for (const std::uint32_t word : hypothesis) left_.push_back(forms_[word]);
  for (std::size_t r = 0; r < references.size(); ++r) {
    right_.clear();
    for (const std::uint32_t word : references[r]) right_.push_back(forms_[word]);
    const auto wanted = [&](const PhraseMatch& match) { return is_wanted(match, references[r]); };
    paraphrases_->find(left_, right_, options_.min_probability, wanted, references.size() > 1,
                       paraphrases_in_[r]);
  }
}

bool ParaEval::is_wanted(const PhraseMatch& match, Words reference) const {
  const std::uint32_t left = words_in(hypothesis_, match.left_begin, match.left_end);
  const std::uint32_t right = words_in(reference, match.right_begin, match.right_end);
  if (std::min(left, right) < options_.min_length) return false;
  // The same words on both sides match as themselves.
  return !std::equal(hypothesis_.begin() + match.left_begin, hypothesis_.begin() + match.left_end,
                     reference.begin() + match.right_begin, reference.begin() + match.right_end);
}

Matched ParaEval::precision(std::vector<FoundIn>* found) {
  counted_ = hypothesis_;
  others_ = references_;
  matches_ = paraphrases_in_;
  if (paraphrases_ && options_.one_phrase && others_.size() > 1) join_sets();
  return count(found);
}

// Phrases of the hypothesis that are paraphrases of each other are one phrase; so are those that
// match themselves.
void ParaEval::join_sets() {
  const auto wanted = [&](const PhraseMatch& match) { return is_wanted(match, hypothesis_); };
  paraphrases_->find(left_, left_, options_.min_probability, wanted, true, own_);
  phrase_sets_.join(hypothesis_, others_, paraphrases_in_, own_);
}

Matched ParaEval::recall(std::size_t reference, std::vector<FoundIn>* found) {
  counted_ = references_[reference];
  others_ = {&hypothesis_, 1};
  turned_.clear();
  for (const PhraseMatch& match : paraphrases_in_[reference].matches)
    turned_.matches.push_back({match.right_begin, match.right_end, match.left_begin, match.left_end,
                               match.backward, match.forward, 0, 0});
  std::sort(turned_.matches.begin(), turned_.matches.end(), longest_first);
  turned_.complete = paraphrases_in_[reference].complete;
  matches_ = {&turned_, 1};
  own_.clear();
  phrase_sets_.clear();
  return count(found);
}

Matched ParaEval::count(std::vector<FoundIn>* found) {
  items_.clear();
  uses_.clear();
  capacity_.clear();
  chosen_.clear();
  // Of matches that find as many words those are best that leave most words as they are.
  scale_ = options_.power > 0 ? 1 : static_cast<std::int64_t>(counted_.size()) + 1;
  index_words();
  add_paraphrases();
  const bool all_stretches = !options_.tiered || add_stretches();
  add_identities();
  covered_.assign(counted_.size(), 0);
  bool proven = all_stretches && own_.complete &&
                std::all_of(matches_.begin(), matches_.end(),
                            [](const PhraseMatches& matches) { return matches.complete; });
  if (options_.tiered)
    for (const std::uint32_t tier : {1u, 2u, 3u}) proven &= choose(tier, tier, scale_);
  else
    proven &= choose(1, 3, scale_);
  Matched sum{0, weight_of(counted_, 0, static_cast<std::uint32_t>(counted_.size())), proven};
  for (const std::uint32_t item : chosen_) sum.matched += items_[item].value / scale_;
  if (found) {
    place_identities();
    for (const std::uint32_t item : chosen_) found->push_back(items_[item].found);
  }
  return sum;
}

std::int64_t ParaEval::weight_of(Words text, std::uint32_t begin, std::uint32_t end) const {
  std::int64_t sum = 0;
  for (std::uint32_t i = begin; i < end; ++i) sum += weights_[text[i]];
  return sum;
}

std::uint32_t ParaEval::words_in(Words text, std::uint32_t begin, std::uint32_t end) const {
  std::uint32_t number = 0;
  for (std::uint32_t i = begin; i < end; ++i) number += weights_[text[i]] > 0;
  return number;
}

// The distinct words of the counted text, and how often each of the others has them.
void ParaEval::index_words() {
  kinds_.assign(counted_.begin(), counted_.end());
  std::sort(kinds_.begin(), kinds_.end());
  kinds_.erase(std::unique(kinds_.begin(), kinds_.end()), kinds_.end());
  in_others_.assign(kinds_.size() * others_.size(), 0);
  position_resource_.resize(others_.size());
  for (std::size_t o = 0; o < others_.size(); ++o) {
    position_resource_[o].assign(others_[o].size(), none);
    for (const std::uint32_t word : others_[o])
      if (const std::uint32_t kind = kind_of(word); kind != none)
        ++in_others_[kind * others_.size() + o];
  }
  word_resource_.assign(in_others_.size(), none);
  clip_resource_.assign(kinds_.size(), none);
}

std::uint32_t ParaEval::kind_of(std::uint32_t word) const {
  const auto at = std::lower_bound(kinds_.begin(), kinds_.end(), word);
  if (at == kinds_.end() || *at != word) return none;
  return static_cast<std::uint32_t>(at - kinds_.begin());
}

std::uint32_t ParaEval::resource(std::uint32_t& number, std::uint32_t capacity) {
  if (number == none) {
    number = static_cast<std::uint32_t>(capacity_.size());
    capacity_.push_back(capacity);
  }
  return number;
}

// The sets that clipping may bind: phrases of them are in the counted text more often than in
// any single one of the others.
void ParaEval::clip_sets() {
  scarce_sets_.clear();
  set_clips_.clear();
  const auto same = phrase_sets_.members();
  std::vector<SetMember> members(same.begin(), same.end());
  for (std::uint32_t o = 0; o < others_.size(); ++o)
    for (const PhraseMatch& match : matches_[o].matches)
      for (std::uint32_t s = match.first_set; s < match.end_set; ++s) {
        const std::uint64_t set = matches_[o].sets[s];
        members.push_back({set, 0, match.left_end, match.left_begin});
        members.push_back({set, o + 1, match.right_end, match.right_begin});
      }
  std::sort(members.begin(), members.end());
  for (std::size_t first = 0, end; first < members.size(); first = end) {
    const std::uint64_t set = members[first].set;
    std::uint32_t wanted = 0, clip = 0;
    for (end = first; end < members.size() && members[end].set == set;) {
      const std::size_t begin = end;
      while (end < members.size() && members[end].set == set &&
             members[end].text == members[begin].text)
        ++end;
      const std::uint32_t number =
          disjoint(std::span<const SetMember>(members).subspan(begin, end - begin));
      (members[begin].text == 0 ? wanted : clip) =
          members[begin].text == 0 ? number : std::max(clip, number);
    }
    if (wanted <= clip) continue;
    scarce_sets_.push_back(set);
    set_clips_.push_back(clip);
  }
  set_resource_.assign(scarce_sets_.size(), none);
}

// Its place among the sets that may run out, if it is one.
std::uint32_t ParaEval::scarce_set(std::uint64_t set) const {
  const auto at = std::lower_bound(scarce_sets_.begin(), scarce_sets_.end(), set);
  if (at == scarce_sets_.end() || *at != set) return none;
  return static_cast<std::uint32_t>(at - scarce_sets_.begin());
}

// The sets that one of `sets` is charged to, in `scarce_`: none where one of them never runs out.
template <typename Sets, typename SetOf>
void ParaEval::charge(const Sets& sets, SetOf set_of) {
  scarce_.clear();
  for (const auto& one : sets) {
    const std::uint32_t scarce = scarce_set(set_of(one));
    if (scarce == none) {
      scarce_.assign(1, none);
      return;
    }
    scarce_.push_back(scarce);
  }
  std::sort(scarce_.begin(), scarce_.end());
  scarce_.erase(std::unique(scarce_.begin(), scarce_.end()), scarce_.end());
  if (scarce_.empty()) scarce_.push_back(none);
}

void ParaEval::add_paraphrases() {
  const bool several = others_.size() > 1;
  if (several) clip_sets();
  for (std::uint32_t o = 0; o < others_.size(); ++o)
    for (const PhraseMatch& match : matches_[o].matches) {
      const std::size_t sets = several ? match.end_set - match.first_set : 0;
      charge(std::span(matches_[o].sets).subspan(match.first_set, sets),
             [](std::uint64_t set) { return set; });
      for (const std::uint32_t set : scarce_) add_paraphrase(o, match, set);
    }
}

void ParaEval::add_paraphrase(std::uint32_t other, const PhraseMatch& match, std::uint32_t set) {
  const double share = options_.power > 0 ? std::pow(match.probability(), options_.power) : 1.0;
  const double weight =
      share * static_cast<double>(weight_of(counted_, match.left_begin, match.left_end));
  const auto value = static_cast<std::int64_t>(weight) * scale_;
  if (value == 0) return;
  const auto first_use = static_cast<std::uint32_t>(uses_.size());
  for (std::uint32_t j = match.right_begin; j < match.right_end; ++j) {
    uses_.push_back(resource(position_resource_[other][j], 1));
    const std::uint32_t kind = kind_of(others_[other][j]);
    if (kind == none) continue;
    const std::size_t cell = kind * others_.size() + other;
    uses_.push_back(resource(word_resource_[cell], in_others_[cell]));
  }
  if (set != none) uses_.push_back(resource(set_resource_[set], set_clips_[set]));
  const bool several_words =
      words_in(counted_, match.left_begin, match.left_end) > 1 ||
      words_in(others_[other], match.right_begin, match.right_end) > 1;
  items_.push_back({{match.left_begin, match.left_end, other, match.right_begin, match.right_end,
                     several_words ? 1u : 2u, match.probability()},
                    first_use,
                    static_cast<std::uint32_t>(uses_.size()),
                    value,
                    true});
}

// Where tiers come one by one, several words that are the same on both sides are a phrase that is
// a paraphrase of itself; two and three words make up all longer ones. False if there are too many.
bool ParaEval::add_stretches() {
  for (std::uint32_t o = 0; o < others_.size(); ++o)
    for (std::uint32_t i = 0; i < counted_.size(); ++i)
      for (std::uint32_t j = 0; weights_[counted_[i]] > 0 && j < others_[o].size(); ++j) {
        std::uint32_t words = 0;
        for (std::uint32_t k = 0; words < 3 && i + k < counted_.size() && j + k < others_[o].size();
             ++k) {
          if (counted_[i + k] != others_[o][j + k]) break;
          if (weights_[counted_[i + k]] == 0 || ++words == 1) continue;
          add_paraphrase(o, {i, i + k + 1, j, j + k + 1, 1.0, 1.0, 0, 0}, none);
        }
        if (items_.size() > Paraphrases::most_matches) return false;
      }
  return true;
}

void ParaEval::add_identities() {
  for (std::uint32_t i = 0; i < counted_.size(); ++i) {
    if (weights_[counted_[i]] == 0) continue;
    const std::uint32_t kind = kind_of(counted_[i]);
    const auto sets = phrase_sets_.of_word(counted_[i]);
    charge(sets, [](const auto& one) { return one.set; });
    for (std::uint32_t o = 0; o < others_.size(); ++o) {
      if (in_others_[kind * others_.size() + o] == 0) continue;
      const FoundIn found{i, i + 1, o, 0, 0, 3, 1.0};
      for (const std::uint32_t set : scarce_) add_identity(found, kind, set, !sets.empty());
      // After the tier of paraphrases a word that is left has its own clip alone (§3.3).
      if (!options_.exact && scarce_.front() != none) add_identity(found, kind, none, false);
    }
  }
}

void ParaEval::add_identity(const FoundIn& found, std::uint32_t kind, std::uint32_t set,
                            bool of_set) {
  const std::uint32_t* counts = &in_others_[kind * others_.size()];
  const auto first_use = static_cast<std::uint32_t>(uses_.size());
  uses_.push_back(resource(word_resource_[kind * others_.size() + found.other],
                           counts[found.other]));
  if (others_.size() > 1)
    uses_.push_back(
        resource(clip_resource_[kind], *std::max_element(counts, counts + others_.size())));
  if (set != none) uses_.push_back(resource(set_resource_[set], set_clips_[set]));
  items_.push_back({found, first_use, static_cast<std::uint32_t>(uses_.size()),
                    weights_[kinds_[kind]] * scale_ + (scale_ > 1 ? 1 : 0), of_set});
}

// Chooses among the items of these tiers, as far as what was chosen before leaves them.
bool ParaEval::choose(std::uint32_t first_tier, std::uint32_t last_tier, std::int64_t unit) {
  packing_.clear(counted_.size());
  for (const std::uint32_t capacity : capacity_) packing_.resource(capacity);
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    const FoundIn& found = item.found;
    if (found.tier < first_tier || found.tier > last_tier) continue;
    if (std::any_of(covered_.begin() + found.begin, covered_.begin() + found.end,
                    [](std::uint8_t covered) { return covered; }))
      continue;
    const std::span<const std::uint32_t> uses(uses_.data() + item.first_use,
                                              item.end_use - item.first_use);
    if (std::any_of(uses.begin(), uses.end(), [&](std::uint32_t u) { return capacity_[u] == 0; }))
      continue;
    packing_.add(found.begin, found.end, item.value, uses);
    numbers.push_back(i);
  }
  bool proven = false;
  if (options_.exact) {
    proven = packing_.solve(unit);
  } else {
    // Paraphrases, the longest first, of those the first in the counted text, with itself before
    // others; then the words that are left. Where matches have weights, the most likely first of
    // all.
    std::vector<std::uint32_t> order(numbers.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto key = [&](std::uint32_t number) {
      const auto& [found, first_use, end_use, value, of_set] = items_[numbers[number]];
      const double likely = options_.power > 0 ? found.probability : 0;
      return std::tuple(-likely, !of_set, found.begin - static_cast<std::int64_t>(found.end),
                        found.begin, found.tier != 3, found.other, found.other_begin, found.other_end);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    packing_.take_in_order(order);
  }
  for (const std::uint32_t chosen : packing_.chosen()) {
    const Item& item = items_[numbers[chosen]];
    std::fill(covered_.begin() + item.found.begin, covered_.begin() + item.found.end,
              std::uint8_t{1});
    for (std::uint32_t u = item.first_use; u < item.end_use; ++u) --capacity_[uses_[u]];
    chosen_.push_back(numbers[chosen]);
  }
  return proven;
}

// Gives every word that matched as itself one of the places that paraphrases have left.
void ParaEval::place_identities() {
  std::vector<std::vector<std::uint8_t>> taken(others_.size());
  for (std::size_t o = 0; o < others_.size(); ++o) taken[o].assign(others_[o].size(), 0);
  for (const std::uint32_t number : chosen_) {
    const FoundIn& found = items_[number].found;
    std::fill(taken[found.other].begin() + found.other_begin,
              taken[found.other].begin() + found.other_end, std::uint8_t{1});
  }
  for (const std::uint32_t number : chosen_) {
    FoundIn& found = items_[number].found;
    if (found.tier != 3) continue;
    const Words other = others_[found.other];
    std::uint32_t place = 0;
    while (taken[found.other][place] || other[place] != counted_[found.begin]) ++place;
    taken[found.other][place] = 1;
    found.other_begin = place;
    found.other_end = place + 1;
  }
}

}  // namespace otherwords
