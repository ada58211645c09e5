#include "metrics/phrase_matches.hpp"

#include "hash.hpp"

namespace otherwords {

// The two texts have phrases in common, and all texts have the frequent ones: what was looked up last
// is at hand.
void PivotParaphrases::look_up(std::span<const std::string_view> words,
                               std::vector<std::uint64_t>& keys,
                               std::vector<PivotTable::Entry>& entries) {
  const std::size_t tables = tables_.size();
  keys.resize(words.size() * longest_);
  phrase_keys(words, longest_, keys.data());
  entries.resize(keys.size() * tables);
  missing_.clear();
  missing_keys_.clear();
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    const std::size_t slot = keys[i] >> (64 - known_bits);
    if (keys[i] != 0 && known_keys_[slot] != keys[i]) {
      missing_.push_back(i);
      missing_keys_.push_back(keys[i]);
      continue;
    }
    for (std::size_t t = 0; t < tables; ++t)
      entries[t * keys.size() + i] =
          keys[i] == 0 ? PivotTable::Entry{} : known_[slot * tables + t];
  }
  found_.resize(missing_.size());
  for (std::size_t t = 0; t < tables; ++t) {
    tables_[t]->find_all(missing_keys_, found_);
    for (std::size_t m = 0; m < missing_.size(); ++m)
      entries[t * keys.size() + missing_[m]] = found_[m];
  }
  for (std::size_t m = 0; m < missing_.size(); ++m) {
    const std::size_t slot = missing_keys_[m] >> (64 - known_bits);
    known_keys_[slot] = missing_keys_[m];
    for (std::size_t t = 0; t < tables; ++t)
      known_[slot * tables + t] = entries[t * keys.size() + missing_[m]];
  }
}

// Which phrases of the right side have which translation. A phrase that is there several times
// is looked at once.
void PivotParaphrases::index_right() {
  const std::size_t spans = right_keys_.size();
  const auto is_known = [&](std::uint32_t span) {
    for (std::size_t t = 0; right_keys_[span] != 0 && t < tables_.size(); ++t)
      if (right_[t * spans + span].first_edge < right_[t * spans + span].end_edge) return true;
    return false;
  };
  places_.clear();
  for (std::uint32_t span = 0; span < spans; ++span)
    if (is_known(span)) places_.push_back(span);
  std::sort(places_.begin(), places_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(right_keys_[a], a) < std::tie(right_keys_[b], b);
  });
  phrases_.clear();
  for (std::uint32_t p = 0; p < places_.size(); ++p)
    if (p == 0 || right_keys_[places_[p - 1]] != right_keys_[places_[p]]) phrases_.push_back(p);
  uses_.clear();
  for (std::size_t t = 0; t < tables_.size(); ++t)
    for (std::uint32_t phrase = 0; phrase < phrases_.size(); ++phrase) {
      const PivotTable::Entry& entry = right_[t * spans + places_[phrases_[phrase]]];
      for (std::size_t e = entry.first_edge; e < entry.end_edge; ++e) {
        const PivotTable::Edge edge = tables_[t]->edge(e);
        uses_.push_back(
            {std::uint64_t{t} << 32 | edge.pivot, phrase, 0, edge.forward, edge.backward});
      }
    }
  sums_.assign(phrases_.size(), {});
  phrases_.push_back(static_cast<std::uint32_t>(places_.size()));
  slots_.assign(std::bit_ceil(2 * uses_.size() + 2), 0);
  slot_shift_ = 64 - std::countr_zero(slots_.size());
  for (std::uint32_t u = 0; u < uses_.size(); ++u) {
    std::uint32_t& slot = slots_[slot_of(uses_[u].pivot)];
    uses_[u].next = slot;
    slot = u + 1;
  }
}

std::size_t PivotParaphrases::slot_of(std::uint64_t pivot) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = pivot * 0x9e3779b97f4a7c15u >> slot_shift_;
  while (slots_[slot] != 0 && uses_[slots_[slot] - 1].pivot != pivot) slot = (slot + 1) & mask;
  return slot;
}

PivotParaphrases::Seen& PivotParaphrases::seen(std::uint64_t key) {
  const std::size_t mask = seen_.size() - 1;
  std::size_t slot = key & mask;
  while (seen_[slot].key != 0 && seen_[slot].key != key) slot = (slot + 1) & mask;
  return seen_[slot];
}

// What a phrase of the left side shares with those of the right side: p(e2|e1) = sum over f of
// p(f|e1) p(e2|f) (Bannard & Callison-Burch 2005, eq. 2), both ways.
void PivotParaphrases::add_up(std::size_t span, bool with_sets) {
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const PivotTable::Entry& entry = left_[t * left_keys_.size() + span];
    for (std::size_t e = entry.first_edge; e < entry.end_edge; ++e) {
      const PivotTable::Edge edge = tables_[t]->edge(e);
      const std::uint64_t pivot = std::uint64_t{t} << 32 | edge.pivot;
      for (std::uint32_t u = slots_[slot_of(pivot)]; u != 0; u = uses_[u - 1].next) {
        const Use& use = uses_[u - 1];
        Sum& sum = sums_[use.phrase];
        if (sum.forward == 0) touched_.push_back(use.phrase);
        sum.forward += edge.forward * use.backward;
        sum.backward += use.forward * edge.backward;
        if (with_sets) pairs_.push_back({use.phrase, pivot});
      }
    }
  }
  std::sort(touched_.begin(), touched_.end());
  std::sort(pairs_.begin(), pairs_.end());
}

void PivotParaphrases::match_left(std::uint32_t begin, std::uint32_t length, double least,
                                  const Wanted& wanted, bool with_sets, PhraseMatches& out) {
  const std::size_t span = begin * longest_ + length - 1;
  touched_.clear();
  pairs_.clear();
  Seen* const known = with_sets ? nullptr : &seen(left_keys_[span]);
  if (known && known->key != 0) {  // a phrase that is there several times is added up once
    for (std::size_t k = known->begin; k < known->end; ++k) {
      touched_.push_back(summed_[k].phrase);
      sums_[summed_[k].phrase] = summed_[k].sum;
    }
  } else {
    add_up(span, with_sets);
    if (known) {
      const auto from = static_cast<std::uint32_t>(summed_.size());
      for (const std::uint32_t phrase : touched_) summed_.push_back({phrase, sums_[phrase]});
      *known = {left_keys_[span], from, static_cast<std::uint32_t>(summed_.size())};
    }
  }
  const std::size_t first = out.matches.size();
  std::size_t pair = 0;
  for (const std::uint32_t phrase : touched_) {
    const auto first_set = static_cast<std::uint32_t>(out.sets.size());
    for (; pair < pairs_.size() && pairs_[pair].first == phrase; ++pair)
      out.sets.push_back(pairs_[pair].second);
    const double languages = static_cast<double>(tables_.size());
    const PhraseMatch match{begin, begin + length, 0, 0,
                            std::min(sums_[phrase].forward / languages, 1.0),
                            std::min(sums_[phrase].backward / languages, 1.0), first_set,
                            static_cast<std::uint32_t>(out.sets.size())};
    const std::size_t before = out.matches.size();
    const std::span<const std::uint32_t> places(places_.data() + phrases_[phrase],
                                                phrases_[phrase + 1] - phrases_[phrase]);
    if (match.probability() >= least)
      add_all(match, places, [](std::uint32_t place) { return place; }, longest_, wanted, out);
    if (out.matches.size() == before) out.sets.resize(first_set);
    sums_[phrase] = {};
  }
  std::sort(out.matches.begin() + static_cast<std::ptrdiff_t>(first), out.matches.end(),
            longest_first);
}

void PivotParaphrases::find(std::span<const std::string_view> left,
                            std::span<const std::string_view> right, double least,
                            const Wanted& wanted, bool with_sets, PhraseMatches& out) {
  out.clear();
  look_up(left, left_keys_, left_);
  look_up(right, right_keys_, right_);
  index_right();
  seen_.assign(std::bit_ceil(2 * left_keys_.size() + 2), {});
  summed_.clear();
  for (auto length = static_cast<std::uint32_t>(longest_); length > 0; --length)
    for (std::uint32_t begin = 0; begin + length <= left.size(); ++begin) {
      if (out.matches.size() > most_matches) {
        out.complete = false;
        return;
      }
      match_left(begin, length, least, wanted, with_sets, out);
    }
}

void PairedParaphrases::look_up(std::span<const std::string_view> words,
                                std::vector<Known>& known) {
  keys_.resize(words.size() * longest_);
  numbers_.resize(keys_.size());
  phrase_keys(words, longest_, keys_.data());
  table_.find_all(keys_, numbers_);
  known.clear();
  for (std::uint32_t span = 0; span < keys_.size(); ++span)
    if (keys_[span] != 0 && numbers_[span] != ParaphraseTable::npos)
      known.push_back({static_cast<std::uint32_t>(numbers_[span]), span});
  std::sort(known.begin(), known.end());
}

// Calls use(a, b) for every phrase a and every one b of the others that the table gives as its
// paraphrase; both are numbers, and come once for each.
template <typename Use>
void PairedParaphrases::for_partners(const std::vector<Known>& phrases,
                                     const std::vector<Known>& others, Use use) const {
  for (std::size_t p = 0; p < phrases.size(); ++p) {
    const std::uint32_t number = phrases[p].number;
    if (p > 0 && phrases[p - 1].number == number) continue;
    const ParaphraseTable::Targets targets = table_.targets(number);
    const std::uint32_t* from = targets.numbers;
    const std::uint32_t* const end = targets.numbers + targets.size;
    for (std::size_t i = 0; i < others.size() && from < end; ++i) {
      if (i > 0 && others[i - 1].number == others[i].number) continue;
      from = std::lower_bound(from, end, others[i].number);
      if (from < end && *from == others[i].number) use(number, *from);
    }
  }
}

// Where the right side has the paraphrases of a phrase of the left side.
void PairedParaphrases::match_left(const Known& phrase, double least, const Wanted& wanted,
                                   bool with_sets, PhraseMatches& out) {
  const std::size_t first = out.matches.size();
  const auto begin = static_cast<std::uint32_t>(phrase.span / longest_);
  const auto end = static_cast<std::uint32_t>(begin + phrase.span % longest_ + 1);
  for (auto pair = std::lower_bound(pairs_.begin(), pairs_.end(), Pair{phrase.number, 0});
       pair < pairs_.end() && pair->left == phrase.number; ++pair) {
    const double there = table_.probability(pair->left, pair->right);
    const double back = table_.probability(pair->right, pair->left);
    const PhraseMatch match{begin, end, 0, 0, there > 0 ? there : back, back > 0 ? back : there,
                            0, 0};
    if (match.probability() < least) continue;
    const auto from = std::lower_bound(right_.begin(), right_.end(), Known{pair->right, 0});
    const auto to = std::lower_bound(from, right_.end(), Known{pair->right + 1, 0});
    add_all(match, std::span(from, to), [](const Known& known) { return known.span; }, longest_,
            wanted, out);
  }
  std::sort(out.matches.begin() + static_cast<std::ptrdiff_t>(first), out.matches.end(),
            longest_first);
  if (!with_sets || first == out.matches.size()) return;
  const auto set = static_cast<std::uint32_t>(out.sets.size());
  out.sets.push_back(phrase.number);
  for (std::size_t m = first; m < out.matches.size(); ++m) {
    out.matches[m].first_set = set;
    out.matches[m].end_set = set + 1;
  }
}

void PairedParaphrases::find(std::span<const std::string_view> left,
                             std::span<const std::string_view> right, double least,
                             const Wanted& wanted, bool with_sets, PhraseMatches& out) {
  out.clear();
  look_up(left, left_);
  look_up(right, right_);
  pairs_.clear();
  for_partners(left_, right_, [&](auto a, auto b) { pairs_.push_back({a, b}); });
  for_partners(right_, left_, [&](auto b, auto a) { pairs_.push_back({a, b}); });
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  const auto place = [&](const Known& known) {
    return std::pair(longest_ - known.span % longest_, known.span);
  };
  std::sort(left_.begin(), left_.end(),
            [&](const Known& a, const Known& b) { return place(a) < place(b); });
  for (const Known& phrase : left_) {
    if (out.matches.size() > most_matches) {
      out.complete = false;
      return;
    }
    match_left(phrase, least, wanted, with_sets, out);
  }
}

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
