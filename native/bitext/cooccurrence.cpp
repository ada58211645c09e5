#include "bitext/cooccurrence.hpp"

#include <limits>
#include <stdexcept>

namespace otherwords {
namespace {

struct Occurrence {
  std::uint32_t sentence;
  std::uint32_t position;
};

// The occurrences of every left word in usable pairs, word by word.
struct Inverted {
  std::vector<std::uint64_t> starts;
  std::vector<Occurrence> occurrences;

  Inverted(const Bitext& bitext, std::size_t max_words) : starts(bitext.left_words + 1, 0) {
    for_each(bitext, max_words, [&](std::uint32_t word, Occurrence) { ++starts[word + 1]; });
    for (std::size_t w = 0; w < bitext.left_words; ++w) starts[w + 1] += starts[w];
    occurrences.resize(starts.back());
    std::vector<std::uint64_t> next(starts.begin(), starts.end() - 1);
    for_each(bitext, max_words,
             [&](std::uint32_t word, Occurrence at) { occurrences[next[word]++] = at; });
  }

 private:
  template <typename Visit>
  static void for_each(const Bitext& bitext, std::size_t max_words, Visit visit) {
    for (std::size_t s = 0; s < bitext.size(); ++s) {
      if (!bitext.usable(s, max_words)) continue;
      const auto words = bitext.left.sentence(s);
      for (std::size_t i = 0; i < words.size(); ++i)
        visit(words[i], {static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(i)});
    }
  }
};

}  // namespace

Cooccurrence cooccurrence(const Bitext& bitext, std::size_t max_words,
                          const std::function<void()>& interrupt) {
  constexpr auto most_ids = std::numeric_limits<std::uint32_t>::max();
  if (bitext.size() >= most_ids) throw std::invalid_argument("bitext: too many sentence pairs");
  Cooccurrence out;
  out.starts.assign(1, 0);
  for (std::size_t s = 0; s < bitext.size(); ++s)
    out.starts.push_back(out.starts.back() + (bitext.usable(s, max_words)
                                                  ? bitext.left.length(s) * bitext.right.length(s)
                                                  : 0));
  out.cells.resize(out.starts.back());

  const Inverted inverted(bitext, max_words);
  // The left word that met each right word last, and the entry of their pair.
  std::vector<std::uint32_t> met(bitext.right_words, most_ids), entry(bitext.right_words);
  out.rows.assign(1, 0);
  for (std::size_t word = 0; word < bitext.left_words; ++word) {
    interrupt();
    for (std::uint64_t o = inverted.starts[word]; o < inverted.starts[word + 1]; ++o) {
      const auto [sentence, position] = inverted.occurrences[o];
      const auto others = bitext.right.sentence(sentence);
      std::uint32_t* cell = &out.cells[out.starts[sentence] + position * others.size()];
      for (const std::uint32_t other : others) {
        if (met[other] != word) {
          met[other] = static_cast<std::uint32_t>(word);
          entry[other] = static_cast<std::uint32_t>(out.right.size());
          out.right.push_back(other);
        }
        *cell++ = entry[other];
      }
    }
    if (out.right.size() >= most_ids) throw std::length_error("bitext: too many word pairs");
    out.rows.push_back(out.right.size());
  }
  return out;
}

}  // namespace otherwords
