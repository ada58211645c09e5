// What Python sees of language models that are queried.
#include "arrays.hpp"
#include "hash.hpp"
#include "lm/bound_model.hpp"
#include "text/tokenizer.hpp"
#include "text/unicode.hpp"

namespace otherwords {
namespace {

using namespace lm;

constexpr std::size_t sentences_per_block = 256;
constexpr std::size_t sentences_at_once = 16;  // enough words to hide the waiting for memory

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
  return numpy_tuple(std::move(log_probability), std::move(tokens), std::move(unknown),
                     std::move(of_unknown));
}

// Scores `count` sentences; words_of(words, i) are the numbers of sentence i.
template <typename WordsOf>
nb::tuple score_sentences(const BoundModel& self, std::size_t count, Tokenizer tokenizer,
                          bool keep_case, unsigned threads, const WordsOf& words_of) {
  std::vector<SentenceScore> scores(count);
  parallel_without_gil(count, threads, sentences_per_block, [&](std::size_t begin, std::size_t end) {
    Words words(self.model.vocabulary(), tokenizer, keep_case);
    Scorer scorer(self.model);
    for (std::size_t first = begin; first < end; first += sentences_at_once) {
      const std::size_t last = std::min(first + sentences_at_once, end);
      for (std::size_t i = first; i < last; ++i) scorer.add(words_of(words, i));
      scorer.run(&scores[first]);
    }
  });
  return columns_of(scores);
}

nb::tuple score_texts(const BoundModel& self, const nb::list& texts, std::string_view tokenizer,
                      bool keep_case, unsigned threads) {
  const auto views = utf8_list(texts);
  return score_sentences(self, views.size(), tokenizer_named(tokenizer), keep_case, threads,
                         [&](Words& words, std::size_t i) -> const auto& {
                           return words.of(views[i]);
                         });
}

// Sentences that are tokenized already: their tokens side by side.
nb::tuple score_tokens(const BoundModel& self, const nb::list& tokens,
                       const Column<std::int64_t>& bounds, bool keep_case, unsigned threads) {
  const auto views = utf8_list(tokens);
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
  const auto views = utf8_list(tokens);
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

}  // namespace

void bind_lm(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<BoundModel>(m, "PackedLm")
      .def(nb::init<const nb::dict&>(), "arrays"_a)
      .def("score_texts", &score_texts, "texts"_a, "tokenizer"_a, "keep_case"_a, "threads"_a,
           "Per text: log10 probability, tokens, unknown ones, what these have in it.")
      .def("score_tokens", &score_tokens, "tokens"_a, "bounds"_a, "keep_case"_a, "threads"_a)
      .def("score_each", &score_each, "tokens"_a, "keep_case"_a,
           "Per token and </s>: log10 probability, length of the n-gram found, unknown or not.");
}

}  // namespace otherwords
