// Every token of a text under two language models: one of words, one of units. A unit is the word
// itself where the model of units knows it, else "/" and its tag.
#include "arrays.hpp"
#include "hash.hpp"
#include "lm/bound_model.hpp"
#include "text/bindings.hpp"
#include "text/tokenizer.hpp"
#include "text/unicode.hpp"

namespace otherwords {
namespace {

using namespace lm;

constexpr std::size_t texts_per_block = 64;

// What each token and </s> of some texts score, end to end.
struct Tokenwise {
  std::vector<std::int64_t> lengths;  // of each text, </s> included
  std::vector<std::uint8_t> tags;     // that of </s> is the number of tags
  std::vector<std::uint8_t> repeats;  // 1 where the word before is the same, ignoring case
  std::vector<std::uint32_t> words, units;
  std::vector<float> word_scores, word_alone, unit_scores, unit_alone;  // log10

  void append(const Tokenwise& other) {
    const auto join = [](auto& all, const auto& part) {
      all.insert(all.end(), part.begin(), part.end());
    };
    join(lengths, other.lengths);
    join(tags, other.tags);
    join(repeats, other.repeats);
    join(words, other.words);
    join(units, other.units);
    join(word_scores, other.word_scores);
    join(word_alone, other.word_alone);
    join(unit_scores, other.unit_scores);
    join(unit_alone, other.unit_alone);
  }
};

// Scores one block of texts; scratch memory of one thread.
class Reader {
 public:
  Reader(const Tagger& tagger, const PackedModel& words, const PackedModel& units,
         Tokenizer tokenizer)
      : tagger_(tagger), words_(words), units_(units), tokenizer_(tokenizer) {
    for (const std::string& name : tagger.tag_names())
      tag_units_.push_back(units.vocabulary().find(hash64("/" + name)));
  }

  void add(std::string_view text, Tokenwise& out) {
    tokenize(text, tokenizer_, spans_);
    tokens_.clear();
    for (const Span span : spans_) tokens_.push_back(text.substr(span.begin, span.end - span.begin));
    tags_.resize(tokens_.size());
    tagger_.tag(tokens_, tags_.data(), *scratch_);
    word_numbers_.clear();
    unit_numbers_.clear();
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      lower_into(tokens_[i], folded_);
      const std::uint64_t hash = hash64(folded_);
      out.repeats.push_back(i > 0 && hash == before);
      before = hash;
      word_numbers_.push_back(words_.vocabulary().find(hash));
      const std::uint32_t unit = units_.vocabulary().find(hash);
      unit_numbers_.push_back(unit == unknown_word ? tag_units_[tags_[i]] : unit);
    }
    out.lengths.push_back(static_cast<std::int64_t>(tokens_.size()) + 1);
    out.tags.insert(out.tags.end(), tags_.begin(), tags_.end());
    out.tags.push_back(static_cast<std::uint8_t>(tag_units_.size()));
    out.repeats.push_back(0);
    score(words_, word_numbers_, out.words, out.word_scores, out.word_alone);
    score(units_, unit_numbers_, out.units, out.unit_scores, out.unit_alone);
  }

 private:
  void score(const PackedModel& model, std::span<const std::uint32_t> numbers,
             std::vector<std::uint32_t>& given, std::vector<float>& scores,
             std::vector<float>& alone) {
    Scorer scorer(model);
    scorer.add(numbers);
    SentenceScore total;
    scored_.clear();
    scorer.run(&total, &scored_);
    for (const TokenScore& token : scored_) {
      given.push_back(token.word);
      scores.push_back(static_cast<float>(token.log_probability));
      alone.push_back(model.level(0).weights[token.word].probability);
    }
  }

  const Tagger& tagger_;
  const Tagger::Borrowed scratch_;
  const PackedModel& words_;
  const PackedModel& units_;
  Tokenizer tokenizer_;
  std::vector<std::uint32_t> tag_units_, word_numbers_, unit_numbers_;
  std::vector<Span> spans_;
  std::vector<std::string_view> tokens_;
  std::vector<std::uint8_t> tags_;
  std::vector<TokenScore> scored_;
  std::string folded_;
};

nb::tuple score_tokenwise(const nb::list& texts, const BoundTagger& tagger, const BoundModel& words,
                          const BoundModel& units, std::string_view tokenizer, unsigned threads) {
  const auto views = utf8_list(texts);
  const Tokenizer how = tokenizer_named(tokenizer);
  std::vector<Tokenwise> blocks((views.size() + texts_per_block - 1) / texts_per_block);
  Tokenwise all;
  {
    nb::gil_scoped_release release;
    parallel_blocks(views.size(), threads, texts_per_block,
                    [&](std::size_t begin, std::size_t end) {
                      Reader reader(tagger.tagger(), words.model, units.model, how);
                      Tokenwise& block = blocks[begin / texts_per_block];
                      for (std::size_t i = begin; i < end; ++i) reader.add(views[i], block);
                    });
    for (const Tokenwise& block : blocks) all.append(block);
  }
  return numpy_tuple(std::move(all.lengths), std::move(all.tags), std::move(all.repeats),
                     std::move(all.words), std::move(all.word_scores), std::move(all.word_alone),
                     std::move(all.units), std::move(all.unit_scores), std::move(all.unit_alone));
}

}  // namespace

void bind_fluency(nb::module_& m) {
  using namespace nb::literals;
  m.def("score_tokenwise", &score_tokenwise, "texts"_a, "tagger"_a, "words"_a, "units"_a,
        "tokenizer"_a, "threads"_a,
        "Tokens and </s> of each text; per token its tag, whether it repeats, then number, log10\n"
        "probability and log10 probability without context in the model of words and in that of units.");
}

}  // namespace otherwords
