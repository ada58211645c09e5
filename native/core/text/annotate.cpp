#include "text/annotate.hpp"

#include "hash.hpp"
#include "parallel.hpp"
#include "text/unicode.hpp"

namespace otherwords {
namespace {

constexpr std::size_t texts_per_block = 128;

// Annotates one text after the other into its columns; one object per block.
class Annotator {
 public:
  Annotator(const Tagger& tagger, const Lexicon& lexicon, const AnnotateOptions& options)
      : tagger_(tagger), lexicon_(lexicon), options_(options), known_(slots) {
    for (const std::string& name : tagger.tag_names()) {
      codes_.push_back(static_cast<std::uint32_t>(hash64(name)));
      inflections_.push_back(Inflection::of_tag(name));
    }
  }

  void add(std::string_view text, Columns& out) {
    tokenize(text, options_.tokenizer, spans_);
    tokens_.clear();
    for (const Span span : spans_) tokens_.push_back(text.substr(span.begin, span.end - span.begin));
    tags_.resize(tokens_.size());
    tagger_.tag(tokens_, tags_.data(), *scratch_);
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Known& known = look_up(tokens_[i], tags_[i]);
      out.tags.push_back(codes_[tags_[i]]);
      out.lemmas.push_back(known.lemma);
      if (options_.keep_case) out.folded.push_back(known.folded);
      out.words.push_back(known.is_word);
    }
    out.bounds.push_back(static_cast<std::int64_t>(out.tags.size()));
  }

 private:
  struct Known {  // what follows from a token and its tag
    std::uint64_t key = 0;
    std::uint64_t lemma = 0;
    std::uint64_t folded = 0;
    std::uint8_t is_word = 0;
  };
  static constexpr std::size_t slots = 4096;

  // Words repeat: most are found among those seen last.
  const Known& look_up(std::string_view token, std::uint8_t tag) {
    const std::uint64_t key = mix(hash64(token) + tag) | 1;  // 0 marks an empty slot
    Known& known = known_[(key >> 32) % slots];
    if (known.key != key) {
      lower_into(token, lower_);
      lexicon_.lemmatize(lower_, inflections_[tag], lemma_, options_.wordnet_alone);
      const std::uint64_t folded = hash64(lemma_);
      if (options_.keep_case) restore_case(token, lemma_);
      known = {key, hash64(lemma_), folded, has_alphanumeric(token)};
    }
    return known;
  }

  const Tagger& tagger_;
  const Lexicon& lexicon_;
  const AnnotateOptions& options_;
  const Tagger::Borrowed scratch_;
  std::vector<std::uint32_t> codes_;
  std::vector<Inflection> inflections_;
  std::vector<Span> spans_;
  std::vector<std::string_view> tokens_;
  std::vector<std::uint8_t> tags_;
  std::vector<Known> known_;
  std::string lower_, lemma_;
};

template <typename T>
void append(std::vector<T>& all, const std::vector<T>& part) {
  all.insert(all.end(), part.begin(), part.end());
}

Columns join(const std::vector<Columns>& blocks) {
  Columns all;
  std::size_t texts = 1, tokens = 0, folded = 0;
  for (const Columns& block : blocks) {
    texts += block.sentences();
    tokens += block.tags.size();
    folded += block.folded.size();
  }
  all.bounds.reserve(texts);
  all.tags.reserve(tokens);
  all.lemmas.reserve(tokens);
  all.folded.reserve(folded);
  all.words.reserve(tokens);
  for (const Columns& block : blocks) {
    const std::int64_t shift = all.bounds.back();
    for (std::size_t i = 1; i < block.bounds.size(); ++i)
      all.bounds.push_back(block.bounds[i] + shift);
    append(all.tags, block.tags);
    append(all.lemmas, block.lemmas);
    append(all.folded, block.folded);
    append(all.words, block.words);
  }
  return all;
}

}  // namespace

void restore_case(std::string_view word, std::string& lemma) {
  const CodePoint first = decode(word, 0);
  if (!is_upper(first.value)) return;
  bool all_upper = word.size() > first.size;
  for (std::size_t at = 0; at < word.size(); at += decode(word, at).size) {
    const char32_t c = decode(word, at).value;
    all_upper = all_upper && (is_upper(c) || !is_ascii_letter(c));
  }
  for (std::size_t at = 0; at < lemma.size() && (all_upper || at == 0); ++at)
    if (lemma[at] >= 'a' && lemma[at] <= 'z') lemma[at] -= 32;
}

Columns annotate(std::span<const std::string_view> texts, const Tagger& tagger,
                 const Lexicon& lexicon, const AnnotateOptions& options) {
  std::vector<Columns> blocks((texts.size() + texts_per_block - 1) / texts_per_block);
  parallel_blocks(texts.size(), options.threads, texts_per_block,
                  [&](std::size_t begin, std::size_t end) {
                    Annotator annotator(tagger, lexicon, options);
                    for (std::size_t i = begin; i < end; ++i)
                      annotator.add(texts[i], blocks[begin / texts_per_block]);
                  });
  return join(blocks);
}

}  // namespace otherwords
