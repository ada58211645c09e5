// What otherwords.build.lm sees of the native core.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "hash.hpp"
#include "lm/arpa.hpp"
#include "lm/bound_model.hpp"
#include "lm/estimate.hpp"
#include "lm/packed.hpp"
#include "lm/prune.hpp"
#include "lm/words.hpp"
#include "parallel.hpp"
#include "text/unicode.hpp"

namespace otherwords {
namespace {

using namespace lm;

constexpr std::size_t sentences_per_block = 256;
constexpr std::size_t sentences_at_once = 16;  // enough words to hide the waiting for memory

template <typename T>
void put_all(std::vector<std::pair<std::string, std::vector<T>>>&& arrays, nb::dict& out) {
  for (auto& [name, values] : arrays) out[name.c_str()] = to_numpy(std::move(values));
}

nb::dict pack_table(const NgramTable& table, const Column<std::uint64_t>& hashes, unsigned bits) {
  const auto keys = view(hashes);
  PackedArrays arrays;
  {
    nb::gil_scoped_release release;
    arrays = pack(table, keys, bits);
  }
  nb::dict out;
  std::vector<std::int64_t> sizes;
  for (const Level& level : table.levels) sizes.push_back(static_cast<std::int64_t>(level.size()));
  out["sizes"] = to_numpy(std::move(sizes));
  put_all(std::move(arrays.numbers), out);
  put_all(std::move(arrays.bytes), out);
  put_all(std::move(arrays.flags), out);
  put_all(std::move(arrays.values), out);
  return out;
}

nb::tuple estimate_table(const Column<std::uint32_t>& tokens, const Column<std::int64_t>& bounds,
                         std::size_t vocabulary, unsigned order,
                         const std::vector<std::uint64_t>& prune,
                         const std::vector<double>& fallback, unsigned threads) {
  EstimateOptions options;
  options.order = order;
  options.prune = prune;
  if (fallback.size() != 3) throw std::invalid_argument("three discounts to fall back on");
  std::copy(fallback.begin(), fallback.end(), options.fallback.begin());
  options.threads = threads;
  const auto words = view(tokens);
  const auto ends = view(bounds);
  Estimate result;
  {
    nb::gil_scoped_release release;
    result = estimate(words, ends, vocabulary, options);
  }
  nb::list discounts;
  for (const Discounts& one : result.discounts)
    discounts.append(nb::make_tuple(one.amount[1], one.amount[2], one.amount[3], one.fallback));
  return nb::make_tuple(nb::cast(std::move(result.table)), discounts);
}

// The table and its words, then the line of an error and what is wrong there.
nb::tuple read_arpa_bytes(const nb::bytes& text) {
  const std::string_view bytes(text.c_str(), text.size());
  ArpaModel model;
  try {
    nb::gil_scoped_release release;
    model = read_arpa(bytes);
  } catch (const ArpaError& error) {
    const std::string_view what = error.what();
    const auto size = static_cast<Py_ssize_t>(what.size());
    return nb::make_tuple(nb::none(), nb::list(), error.line,
                          nb::steal(PyUnicode_DecodeUTF8(what.data(), size, "replace")));
  }
  nb::list words;
  for (const std::string& word : model.words) words.append(nb::str(word.data(), word.size()));
  return nb::make_tuple(nb::cast(std::move(model.table)), words, 0, nb::str(""));
}

nb::bytes arpa_block(const NgramTable& table, const nb::list& words, std::size_t length,
                     std::size_t begin, std::size_t end) {
  const auto views = views_of(words);
  if (length < 1 || length > table.order() || views.size() != table.levels[0].size())
    throw std::invalid_argument("the words do not fit the model");
  end = std::min(end, table.levels[length - 1].size());
  const std::string lines = arpa_lines(table, views, length - 1, begin, end);
  return nb::bytes(lines.data(), lines.size());
}

// The numbers of a text's words in a model. Scratch memory: one object per thread.
class Words {
 public:
  Words(const HashedVocabulary& vocabulary, Tokenizer tokenizer, bool keep_case)
      : vocabulary_(vocabulary), tokenizer_(tokenizer), keep_case_(keep_case) {}

  const std::vector<std::uint32_t>& of(std::string_view text) {
    tokenize(text, tokenizer_, spans_);
    hashes_.clear();
    for (const Span span : spans_) add(text.substr(span.begin, span.end - span.begin));
    return numbers();
  }

  const std::vector<std::uint32_t>& of(std::span<const std::string_view> tokens) {
    hashes_.clear();
    for (const std::string_view token : tokens) add(token);
    return numbers();
  }

 private:
  void add(std::string_view word) {
    if (!keep_case_) {
      lower_into(word, folded_);
      word = folded_;
    }
    hashes_.push_back(hash64(word));
    prefetch(vocabulary_.bucket_of(hashes_.back()));
  }

  const std::vector<std::uint32_t>& numbers() {
    for (const std::uint64_t hash : hashes_) prefetch(vocabulary_.keys_of(hash));
    numbers_.clear();
    for (const std::uint64_t hash : hashes_) numbers_.push_back(vocabulary_.find(hash));
    return numbers_;
  }

  const HashedVocabulary& vocabulary_;
  Tokenizer tokenizer_;
  bool keep_case_;
  std::vector<Span> spans_;
  std::string folded_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> numbers_;
};

nb::tuple columns_of(const std::vector<SentenceScore>& scores) {
  std::vector<double> log_probability, of_unknown;
  std::vector<std::uint32_t> tokens, unknown;
  for (const SentenceScore& score : scores) {
    log_probability.push_back(score.log_probability);
    of_unknown.push_back(score.of_unknown);
    tokens.push_back(score.tokens);
    unknown.push_back(score.unknown);
  }
  return nb::make_tuple(to_numpy(std::move(log_probability)), to_numpy(std::move(tokens)),
                        to_numpy(std::move(unknown)), to_numpy(std::move(of_unknown)));
}

// Scores `count` sentences; words_of(words, i) are the numbers of sentence i.
template <typename WordsOf>
nb::tuple score_sentences(const BoundModel& self, std::size_t count, Tokenizer tokenizer,
                          bool keep_case, unsigned threads, const WordsOf& words_of) {
  std::vector<SentenceScore> scores(count);
  {
    nb::gil_scoped_release release;
    parallel_blocks(count, threads, sentences_per_block, [&](std::size_t begin, std::size_t end) {
      Words words(self.model.vocabulary(), tokenizer, keep_case);
      Scorer scorer(self.model);
      for (std::size_t first = begin; first < end; first += sentences_at_once) {
        const std::size_t last = std::min(first + sentences_at_once, end);
        for (std::size_t i = first; i < last; ++i) scorer.add(words_of(words, i));
        scorer.run(&scores[first]);
      }
    });
  }
  return columns_of(scores);
}

nb::tuple score_texts(const BoundModel& self, const nb::list& texts, std::string_view tokenizer,
                      bool keep_case, unsigned threads) {
  const auto views = views_of(texts);
  return score_sentences(self, views.size(), tokenizer_named(tokenizer), keep_case, threads,
                         [&](Words& words, std::size_t i) -> const auto& {
                           return words.of(views[i]);
                         });
}

// Sentences that are tokenized already: their tokens side by side.
nb::tuple score_tokens(const BoundModel& self, const nb::list& tokens,
                       const Column<std::int64_t>& bounds, bool keep_case, unsigned threads) {
  const auto views = views_of(tokens);
  const auto ends = view(bounds);
  if (ends.empty() || ends.front() != 0 || !std::is_sorted(ends.begin(), ends.end()) ||
      ends.back() != static_cast<std::int64_t>(views.size()))
    throw std::invalid_argument("the bounds of the sentences do not fit the tokens");
  return score_sentences(self, ends.size() - 1, Tokenizer::white_space, keep_case, threads,
                         [&](Words& words, std::size_t i) -> const auto& {
                           const auto begin = static_cast<std::size_t>(ends[i]);
                           const auto end = static_cast<std::size_t>(ends[i + 1]);
                           return words.of(std::span(views).subspan(begin, end - begin));
                         });
}

nb::list score_each(const BoundModel& self, const nb::list& tokens, bool keep_case) {
  Words words(self.model.vocabulary(), Tokenizer::white_space, keep_case);
  const auto views = views_of(tokens);
  std::vector<TokenScore> scores;
  SentenceScore total;
  Scorer scorer(self.model);
  scorer.add(words.of(views));
  scorer.run(&total, &scores);
  nb::list out;
  for (const TokenScore& score : scores)
    out.append(nb::make_tuple(score.log_probability, score.length,
                              score.word == unknown_word));
  return out;
}

// Adds the texts up to the first with a reserved word; its position and that word, or None.
nb::object add_texts(EncodedText& self, const nb::list& texts, bool skip) {
  const auto views = views_of(texts);
  std::string found;
  std::size_t i = 0;
  {
    nb::gil_scoped_release release;
    while (i < views.size() && self.add(views[i], skip, found)) ++i;
  }
  if (i == views.size()) return nb::none();
  return nb::make_tuple(i, found);
}

nb::list words_of(const EncodedText& self) {
  nb::list words;
  for (std::size_t i = 0; i < self.words().size(); ++i) {
    const std::string_view word = self.words()[i];
    words.append(nb::str(word.data(), word.size()));
  }
  return words;
}

NgramTable pruned(const NgramTable& table, double threshold) {
  nb::gil_scoped_release release;
  NgramTable copy = table;
  prune_by_entropy(copy, importances(table), threshold);
  return copy;
}

double threshold_of(const NgramTable& table, unsigned bits, std::size_t bytes) {
  nb::gil_scoped_release release;
  return threshold_for(table, importances(table), bits, bytes);
}

std::vector<std::size_t> sizes_of(const NgramTable& table) {
  std::vector<std::size_t> sizes;
  for (const Level& level : table.levels) sizes.push_back(level.size());
  return sizes;
}

}  // namespace

void bind_lm(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<EncodedText>(m, "EncodedText")
      .def("__init__",
           [](EncodedText* self, std::string_view tokenizer, bool keep_case) {
             new (self) EncodedText(tokenizer_named(tokenizer), keep_case);
           },
           "tokenizer"_a, "keep_case"_a)
      .def("add", &add_texts, "texts"_a, "skip"_a)
      .def("words", &words_of)
      .def("take",
           [](EncodedText& self) {
             return nb::make_tuple(to_numpy(std::move(self.tokens)),
                                   to_numpy(std::move(self.bounds)));
           },
           "The tokens and the bounds of the sentences; the text is empty after it.");
  nb::class_<NgramTable>(m, "NgramTable")
      .def_prop_ro("sizes", &sizes_of)
      .def("pruned", &pruned, "threshold"_a, "Without what entropy pruning drops.")
      .def("threshold_for", &threshold_of, "bits"_a, "bytes"_a,
           "The threshold for a packed model of at most so many bytes; negative if none.")
      .def("pack", &pack_table, "hashes"_a, "bits"_a, "The arrays of the packed model.")
      .def("arpa_block", &arpa_block, "words"_a, "length"_a, "begin"_a, "end"_a);
  m.def("estimate_lm", &estimate_table, "tokens"_a, "bounds"_a, "vocabulary"_a, "order"_a,
        "prune"_a, "fallback"_a, "threads"_a,
        "A table of n-grams, and per order the discounts and whether they are the fallback.");
  m.def("read_arpa", &read_arpa_bytes, "text"_a,
        "(table, words, 0, ''), or (None, [], line, what is wrong there).");
  nb::class_<BoundModel>(m, "PackedLm")
      .def(nb::init<const nb::dict&>(), "arrays"_a)
      .def("unpack",
           [](const BoundModel& self, bool contexts) {
             nb::gil_scoped_release release;
             return self.model.unpack(contexts);
           },
           "contexts"_a = false)
      .def("score_texts", &score_texts, "texts"_a, "tokenizer"_a, "keep_case"_a, "threads"_a,
           "Per text: log10 probability, tokens, unknown ones, what these have in it.")
      .def("score_tokens", &score_tokens, "tokens"_a, "bounds"_a, "keep_case"_a, "threads"_a)
      .def("score_each", &score_each, "tokens"_a, "keep_case"_a,
           "Per token and </s>: log10 probability, length of the n-gram found, unknown or not.");
}

}  // namespace otherwords
