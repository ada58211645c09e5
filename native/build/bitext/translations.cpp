#include "bitext/translations.hpp"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "parallel.hpp"

namespace otherwords {
namespace {

constexpr std::size_t most_ranges = 48;
constexpr std::size_t least_tokens = 1 << 15;  // of a range
constexpr auto nothing_met = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::vector<WordRange> word_ranges(const Bitext& bitext) {
  std::vector<std::uint64_t> tokens(bitext.left_words, 0);
  for (const std::uint32_t word : bitext.left.tokens) ++tokens[word];
  const std::uint64_t enough =
      std::max<std::uint64_t>(bitext.left.tokens.size() / most_ranges, least_tokens);
  std::vector<WordRange> out;
  std::uint64_t sum = 0;
  std::uint32_t begin = 0;
  for (std::uint32_t word = 0; word < bitext.left_words; ++word) {
    sum += tokens[word];
    if (sum < enough && word + 1 < bitext.left_words) continue;
    out.push_back({begin, word + 1});
    begin = word + 1;
    sum = 0;
  }
  return out;
}

std::uint64_t uniform_count(std::size_t left_words, std::size_t right_words) {
  const float both = 1 / static_cast<float>(left_words) * (1 / static_cast<float>(right_words));
  return static_cast<std::uint64_t>(static_cast<double>(std::sqrt(both)) * fixed_point);
}

Cooccurrence::Cooccurrence(const Bitext& bitext, WordRange range, std::size_t max_words)
    : bitext_(bitext), first_(range.begin), starts_(range.end - range.begin + 1, 0),
      met_(bitext.right_words, nothing_met), place_(bitext.right_words) {
  if (bitext.size() >= nothing_met) throw std::invalid_argument("bitext: too many sentence pairs");
  const std::uint32_t words = range.end - range.begin;
  const auto for_each = [&](auto visit) {
    for (std::size_t s = 0; s < bitext.size(); ++s) {
      if (!bitext.usable(s, max_words)) continue;
      for (const std::uint32_t word : bitext.left.sentence(s))
        if (word - first_ < words) visit(word - first_, static_cast<std::uint32_t>(s));
    }
  };
  for_each([&](std::uint32_t word, std::uint32_t) { ++starts_[word + 1]; });
  for (std::uint32_t word = 0; word < words; ++word) starts_[word + 1] += starts_[word];
  sentences_.resize(starts_.back());
  std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
  for_each([&](std::uint32_t word, std::uint32_t s) { sentences_[next[word]++] = s; });
}

Cooccurrence::Row Cooccurrence::row(std::uint32_t word) {
  right_.clear();
  counts_.clear();
  const std::uint32_t w = word - first_;
  for (std::uint64_t o = starts_[w]; o < starts_[w + 1]; ++o) {
    const std::size_t s = sentences_[o];
    const auto others = bitext_.right.sentence(s);
    const std::uint64_t count = uniform_count(bitext_.left.length(s), others.size());
    for (const std::uint32_t other : others) {
      if (met_[other] != word) {
        met_[other] = word;
        place_[other] = static_cast<std::uint32_t>(right_.size());
        right_.push_back(other);
        counts_.push_back(0);
      }
      counts_[place_[other]] += count;
    }
  }
  return {right_, counts_};
}

// Memory that is freed, and counts as used until the system gets it back.

// Gives freed memory back to the system, also what lies between blocks that are in use.
inline void give_back_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

namespace {

// Hashed slots of a row. Nothing is looked up that the row has not unless it was pruned, so that they
// can be almost full; a search that fails needs gaps.
std::size_t hashed_slots(std::size_t translations, bool pruned) {
  return translations + translations / (pruned ? 2 : 8) + 1;
}

// How many of the first ranks have a slot each: as many as leave one in eight of them empty.
std::size_t frequent_slots(std::span<const std::uint64_t> sorted) {
  std::size_t out = 0;
  for (std::size_t x = 0; x < sorted.size(); ++x)
    if (const std::size_t slots = (sorted[x] >> 32) + 1; 8 * (x + 1) >= 7 * slots) out = slots;
  return out;
}

// Sums of `uniform_count` over the cells of every right word.
std::vector<std::uint64_t> uniform_columns(const Bitext& bitext, std::size_t max_words) {
  std::vector<std::uint64_t> out(bitext.right_words, 0);
  for (std::size_t s = 0; s < bitext.size(); ++s) {
    if (!bitext.usable(s, max_words)) continue;
    const std::size_t rows = bitext.left.length(s);
    const std::uint64_t count = rows * uniform_count(rows, bitext.right.length(s));
    for (const std::uint32_t word : bitext.right.sentence(s)) out[word] += count;
  }
  return out;
}

}  // namespace

Translations::Translations(const Bitext& bitext, const Options& options)
    : rows_(bitext.left_words), met_(bitext.right_words, 0) {
  rank(bitext);
  const auto columns = options.prune > 0 ? uniform_columns(bitext, options.max_words)
                                         : std::vector<std::uint64_t>();
  for (const WordRange words : word_ranges(bitext)) chunks_.push_back({words, {}, {}});
  std::mutex guard;
  parallel_blocks(chunks_.size(), options.threads, 1,
                  [&](std::size_t begin, std::size_t end) {
                    std::vector<std::uint32_t> met(bitext.right_words, 0);
                    for (std::size_t c = begin; c < end; ++c)
                      fill(chunks_[c], bitext, options, columns, met);
                    const std::lock_guard lock(guard);
                    for (std::size_t f = 0; f < met.size(); ++f) met_[f] += met[f];
                  },
                  options.interrupt);
}

void Translations::rank(const Bitext& bitext) {
  std::vector<std::uint64_t> tokens(bitext.right_words, 0);
  for (const std::uint32_t word : bitext.right.tokens) ++tokens[word];
  by_rank_.resize(bitext.right_words);
  std::iota(by_rank_.begin(), by_rank_.end(), 0u);
  std::stable_sort(by_rank_.begin(), by_rank_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return tokens[a] > tokens[b]; });
  ranks_.resize(bitext.right_words);
  for (std::uint32_t r = 0; r < by_rank_.size(); ++r) ranks_[by_rank_[r]] = r;
}

void Translations::choose(std::uint32_t word, const Cooccurrence::Row& row, const Options& options,
                          std::span<const std::uint64_t> columns, Chosen& chosen) const {
  chosen.clear();
  double whole = 0;
  if (options.prune > 0)
    for (const std::uint64_t count : row.counts) whole += static_cast<double>(count);
  for (std::size_t x = 0; x < row.right.size(); ++x) {
    const auto count = static_cast<double>(row.counts[x]);
    if (options.prune <= 0 || count >= options.prune * whole ||
        count >= options.prune * static_cast<double>(columns[row.right[x]]) ||
        std::binary_search(options.kept.begin(), options.kept.end(),
                           std::uint64_t{word} << 32 | row.right[x]))
      chosen.push_back(std::uint64_t{ranks_[row.right[x]]} << 32 | x);
  }
  std::sort(chosen.begin(), chosen.end());
}

void Translations::fill(Chunk& chunk, const Bitext& bitext, const Options& options,
                        std::span<const std::uint64_t> columns, std::vector<std::uint32_t>& met) {
  Cooccurrence cooccurrence(bitext, chunk.words, options.max_words);
  std::vector<std::uint64_t> starts(1, 0);
  Chosen chosen;
  for (std::uint32_t word = chunk.words.begin; word < chunk.words.end; ++word) {
    const Cooccurrence::Row given = cooccurrence.row(word);
    for (const std::uint32_t other : given.right) ++met[ranks_[other]];
    choose(word, given, options, columns, chosen);
    const std::size_t start = starts.back(), frequent = frequent_slots(chosen);
    const auto rare = std::partition_point(chosen.begin(), chosen.end(), [&](std::uint64_t x) {
      return (x >> 32) < frequent;
    });
    const auto hashed = static_cast<std::size_t>(chosen.end() - rare);
    const std::size_t slots =
        given.right.empty() ? 0 : frequent + hashed_slots(hashed, options.prune > 0);
    for (std::size_t k = 0; k < slots; ++k) {
      chunk.slots.push_back({});
      chunk.counts.push_back(0);
    }
    TranslationRow& row = rows_[word];
    row = {chunk.slots.data() + start, chunk.counts.data() + start,
           static_cast<std::uint32_t>(slots), static_cast<std::uint32_t>(frequent),
           static_cast<std::uint32_t>(given.right.size())};
    for (const std::uint64_t x : chosen) {
      const auto rank = static_cast<std::uint32_t>(x >> 32);
      std::uint32_t k = row.home(rank);
      while (row.slots[k].right != Translation::no_word)
        if (++k == row.capacity) k = row.frequent;
      row.slots[k] = {rank, 1, 1};
      if (options.counts) row.counts[k] = given.counts[x & 0xffffffffu];
    }
    starts.push_back(start + slots);
  }
  chunk.slots.trim();
  chunk.counts.trim();
  give_back_memory();
  for (std::uint32_t word = chunk.words.begin; word < chunk.words.end; ++word) {
    const std::uint64_t start = starts[word - chunk.words.begin];
    rows_[word].slots = chunk.slots.data() + start;
    rows_[word].counts = chunk.counts.data() + start;
  }
}

void Translations::release(std::size_t chunk) {
  chunks_[chunk].slots = {};
  chunks_[chunk].counts = {};
  give_back_memory();
  for (std::uint32_t word = chunks_[chunk].words.begin; word < chunks_[chunk].words.end; ++word)
    rows_[word] = {};
}

}  // namespace otherwords
