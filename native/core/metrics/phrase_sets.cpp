#include "metrics/phrase_sets.hpp"

#include <algorithm>
#include <tuple>

#include "hash.hpp"

namespace otherwords {
namespace {

// A phrase as a number.
std::uint64_t phrase_of(PhraseSets::Words text, std::uint32_t begin, std::uint32_t end) {
  std::uint64_t hash = end - begin;
  for (std::uint32_t i = begin; i < end; ++i) hash = mix(hash + text[i]);
  return hash;
}

template <typename Value>
void sort_once(std::vector<Value>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

void PhraseSets::clear() {
  links_.clear();
  named_.clear();
  numbers_.clear();
  known_.clear();
  words_.clear();
  members_.clear();
}

void PhraseSets::join(Words counted, std::span<const Words> others,
                      std::span<PhraseMatches> matches, const PhraseMatches& own) {
  clear();
  for (std::size_t o = 0; o < others.size(); ++o) add_links(counted, others[o], matches[o]);
  add_links(counted, counted, own);
  name_sets();
  const auto know = [&](const PhraseMatch& match, std::uint64_t set) {
    const std::uint64_t phrase = phrase_of(counted, match.left_begin, match.left_end);
    known_.push_back({phrase, set, match.left_begin, match.left_end});
    if (match.left_end - match.left_begin == 1) words_.push_back({counted[match.left_begin], set});
  };
  std::vector<std::uint8_t> replaced;
  for (PhraseMatches& one : matches) {
    replaced.assign(one.sets.size(), 0);
    for (const PhraseMatch& match : one.matches)
      // Matches of the same phrases share the place where their sets are written.
      for (std::uint32_t s = match.first_set; s < match.end_set; ++s) {
        if (replaced[s]) continue;
        replaced[s] = 1;
        one.sets[s] =
            set_of(phrase_of(counted, match.left_begin, match.left_end), one.sets[s]);
        know(match, one.sets[s]);
      }
  }
  for (const PhraseMatch& match : own.matches)
    for (std::uint32_t s = match.first_set; s < match.end_set; ++s)
      know(match, set_of(phrase_of(counted, match.left_begin, match.left_end), own.sets[s]));
  sort_once(words_);
  add_members(counted, others);
}

void PhraseSets::add_links(Words counted, Words other, const PhraseMatches& matches) {
  for (const PhraseMatch& match : matches.matches) {
    const std::uint64_t left = phrase_of(counted, match.left_begin, match.left_end);
    const std::uint64_t right = phrase_of(other, match.right_begin, match.right_end);
    for (std::uint32_t s = match.first_set; s < match.end_set; ++s)
      links_.push_back({left, matches.sets[s], right});
  }
}

// A set is known by what it contains.
void PhraseSets::name_sets() {
  sort_once(links_);
  for (std::size_t first = 0, end; first < links_.size(); first = end) {
    const auto [phrase, translation, _] = links_[first];
    std::uint64_t sum = mix(phrase);
    for (end = first; end < links_.size() && links_[end].phrase == phrase &&
                      links_[end].translation == translation;
         ++end)
      sum += mix(links_[end].paraphrase);
    named_.push_back({phrase, translation, sum});
  }
}

// Sets are numbered as they come, so that the numbers of words, which depend on other segments,
// have no influence on the order of anything.
std::uint64_t PhraseSets::set_of(std::uint64_t phrase, std::uint64_t translation) {
  const auto at = std::lower_bound(
      named_.begin(), named_.end(), std::tuple(phrase, translation),
      [](const Named& a, const auto& b) { return std::tuple(a.phrase, a.translation) < b; });
  return numbers_.try_emplace(at->set, numbers_.size()).first->second;
}

void PhraseSets::add_members(Words counted, std::span<const Words> others) {
  // Of each phrase and set, the first place is enough.
  std::sort(known_.begin(), known_.end());
  known_.erase(std::unique(known_.begin(), known_.end(),
                           [](const Known& a, const Known& b) {
                             return a.phrase == b.phrase && a.set == b.set;
                           }),
               known_.end());
  struct Place {
    std::uint32_t text, begin;
  };
  std::vector<Place> places;
  for (std::size_t k = 0; k < known_.size(); ++k) {
    const Known& known = known_[k];
    const Words phrase = counted.subspan(known.begin, known.end - known.begin);
    if (k == 0 || known_[k - 1].phrase != known.phrase) {
      places.clear();
      for (std::uint32_t t = 0; t <= others.size(); ++t) {
        const Words text = t == 0 ? counted : others[t - 1];
        for (auto at = text.begin();; ++at) {
          at = std::search(at, text.end(), phrase.begin(), phrase.end());
          if (at == text.end()) break;
          places.push_back({t, static_cast<std::uint32_t>(at - text.begin())});
        }
      }
    }
    const auto length = static_cast<std::uint32_t>(phrase.size());
    for (const Place& place : places)
      members_.push_back({known.set, place.text, place.begin + length, place.begin});
  }
}

std::span<const PhraseSets::OfWord> PhraseSets::of_word(std::uint32_t word) const {
  const auto first = std::lower_bound(words_.begin(), words_.end(), OfWord{word, 0});
  auto end = first;
  while (end < words_.end() && end->word == word) ++end;
  return {first, end};
}

}  // namespace otherwords
