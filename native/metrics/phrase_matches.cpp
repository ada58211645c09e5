#include "metrics/phrase_matches.hpp"

#include <algorithm>
#include <bit>

namespace otherwords {

void PivotParaphrases::look_up(std::span<const std::string_view> words,
                               std::vector<std::uint64_t>& keys,
                               std::vector<PivotTable::Entry>& entries) const {
  keys.resize(words.size() * longest_);
  phrase_keys(words, longest_, keys.data());
  entries.resize(keys.size() * tables_.size());
  for (std::size_t t = 0; t < tables_.size(); ++t)
    tables_[t]->find_all(keys, {entries.data() + t * keys.size(), keys.size()});
}

// Which phrases of the right side have which translation.
void PivotParaphrases::index_right() {
  const std::size_t spans = right_keys_.size();
  uses_.clear();
  for (std::size_t t = 0; t < tables_.size(); ++t)
    for (std::uint32_t span = 0; span < spans; ++span) {
      if (right_keys_[span] == 0) continue;
      const PivotTable::Entry& entry = right_[t * spans + span];
      for (std::size_t e = entry.first_edge; e < entry.end_edge; ++e) {
        const PivotTable::Edge edge = tables_[t]->edge(e);
        uses_.push_back({std::uint64_t{t} << 32 | edge.pivot, span, 0, edge.forward, edge.backward});
      }
    }
  slots_.assign(std::bit_ceil(2 * uses_.size() + 2), 0);
  for (std::uint32_t u = 0; u < uses_.size(); ++u) {
    std::uint32_t& slot = slots_[slot_of(uses_[u].pivot)];
    uses_[u].next = slot;
    slot = u + 1;
  }
}

std::size_t PivotParaphrases::slot_of(std::uint64_t pivot) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = mix(pivot) & mask;
  while (slots_[slot] != 0 && uses_[slots_[slot] - 1].pivot != pivot) slot = (slot + 1) & mask;
  return slot;
}

// p(e2|e1) = sum over f of p(f|e1) p(e2|f) (Bannard & Callison-Burch 2005, eq. 2), both ways.
void PivotParaphrases::match_left(std::uint32_t begin, std::uint32_t length, bool with_sets,
                                  PhraseMatches& out) {
  const std::size_t span = begin * longest_ + length - 1;
  touched_.clear();
  pairs_.clear();
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const PivotTable::Entry& entry = left_[t * left_keys_.size() + span];
    for (std::size_t e = entry.first_edge; e < entry.end_edge; ++e) {
      const PivotTable::Edge edge = tables_[t]->edge(e);
      const std::uint64_t pivot = std::uint64_t{t} << 32 | edge.pivot;
      for (std::uint32_t u = slots_[slot_of(pivot)]; u != 0; u = uses_[u - 1].next) {
        const Use& use = uses_[u - 1];
        Sum& sum = sums_[use.span];
        if (sum.forward == 0) touched_.push_back(use.span);
        sum.forward += edge.forward * use.backward;
        sum.backward += use.forward * edge.backward;
        if (with_sets) pairs_.push_back({use.span, pivot});
      }
    }
  }
  std::sort(touched_.begin(), touched_.end());
  std::sort(pairs_.begin(), pairs_.end());
  std::size_t pair = 0;
  for (const std::uint32_t right : touched_) {
    const auto right_begin = static_cast<std::uint32_t>(right / longest_);
    const auto right_end = static_cast<std::uint32_t>(right_begin + right % longest_ + 1);
    const auto first_set = static_cast<std::uint32_t>(out.sets.size());
    for (; pair < pairs_.size() && pairs_[pair].first == right; ++pair)
      out.sets.push_back(pairs_[pair].second);
    const double languages = static_cast<double>(tables_.size());
    out.matches.push_back({begin, begin + length, right_begin, right_end,
                           std::min(sums_[right].forward / languages, 1.0),
                           std::min(sums_[right].backward / languages, 1.0), first_set,
                           static_cast<std::uint32_t>(out.sets.size())});
    sums_[right] = {};
  }
}

void PivotParaphrases::find(std::span<const std::string_view> left,
                            std::span<const std::string_view> right, bool with_sets,
                            PhraseMatches& out) {
  out.clear();
  look_up(left, left_keys_, left_);
  look_up(right, right_keys_, right_);
  index_right();
  sums_.assign(right_keys_.size(), {});
  for (auto length = static_cast<std::uint32_t>(longest_); length > 0; --length)
    for (std::uint32_t begin = 0; begin + length <= left.size(); ++begin) {
      match_left(begin, length, with_sets, out);
      if (out.matches.size() > most_matches) return;
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

// Calls use(i) for every one of the others that the table gives as a paraphrase of the phrase.
template <typename Use>
void PairedParaphrases::for_partners(const Known& phrase, const std::vector<Known>& others,
                                     Use use) const {
  const ParaphraseTable::Targets targets = table_.targets(phrase.number);
  const std::uint32_t* from = targets.numbers;
  const std::uint32_t* const end = targets.numbers + targets.size;
  for (std::uint32_t i = 0; i < others.size() && from < end; ++i) {
    from = std::lower_bound(from, end, others[i].number);
    if (from < end && *from == others[i].number) use(i);
  }
}

void PairedParaphrases::find(std::span<const std::string_view> left,
                             std::span<const std::string_view> right, bool with_sets,
                             PhraseMatches& out) {
  out.clear();
  look_up(left, left_);
  look_up(right, right_);
  pairs_.clear();
  for (std::uint32_t i = 0; i < left_.size(); ++i)
    for_partners(left_[i], right_, [&](std::uint32_t j) { pairs_.push_back({i, j}); });
  for (std::uint32_t j = 0; j < right_.size(); ++j)
    for_partners(right_[j], left_, [&](std::uint32_t i) { pairs_.push_back({i, j}); });
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  for (const auto& [i, j] : pairs_) {
    const Known &a = left_[i], &b = right_[j];
    const double forward = table_.probability(a.number, b.number);
    const double backward = table_.probability(b.number, a.number);
    const auto first_set = static_cast<std::uint32_t>(out.sets.size());
    if (with_sets) out.sets.push_back(a.number);
    const auto left_begin = static_cast<std::uint32_t>(a.span / longest_);
    const auto right_begin = static_cast<std::uint32_t>(b.span / longest_);
    out.matches.push_back({left_begin, left_begin + static_cast<std::uint32_t>(a.span % longest_) + 1,
                           right_begin, right_begin + static_cast<std::uint32_t>(b.span % longest_) + 1,
                           forward > 0 ? forward : backward, backward > 0 ? backward : forward,
                           first_set, static_cast<std::uint32_t>(out.sets.size())});
  }
  std::sort(out.matches.begin(), out.matches.end(), longest_first);
  if (out.matches.size() > most_matches) out.matches.resize(most_matches);
}

}  // namespace otherwords
