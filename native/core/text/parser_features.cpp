#include "text/parser_features.hpp"

namespace otherwords::parsing {
namespace {

enum Inside : std::uint32_t {
  finite_verb = 1,
  other_verb = 2,
  noun = 4,
  comma = 8,
  conjunction = 16,
  wh_word = 32,
  preposition = 64,
  stop = 128,
  colon = 256,
  quote = 512,
  to = 1024,
};

struct TagClass {
  std::string_view tag;
  std::uint8_t chunk;
  std::uint32_t inside;
};

// Chunks: 1 noun phrases, from determiners to nouns; the others by tag.
constexpr TagClass tag_classes[] = {
    {"DT", 1, 0}, {"PDT", 1, 0}, {"PRP$", 1, 0}, {"CD", 1, 0},
    {"JJ", 2, 0}, {"JJR", 2, 0}, {"JJS", 2, 0}, {"NN", 1, noun},
    {"NNS", 1, noun}, {"NNP", 1, noun}, {"NNPS", 1, noun}, {"POS", 3, 0},
    {"PRP", 4, noun}, {"EX", 4, noun}, {"RB", 5, 0}, {"RBR", 5, 0},
    {"RBS", 5, 0}, {"RP", 6, 0}, {"VBD", 7, finite_verb}, {"VBZ", 7, finite_verb},
    {"VBP", 7, finite_verb}, {"MD", 8, finite_verb}, {"VB", 9, other_verb}, {"VBG", 10, other_verb},
    {"VBN", 11, other_verb}, {"TO", 12, to}, {"IN", 13, preposition}, {"CC", 14, conjunction},
    {",", 15, comma}, {".", 16, stop}, {":", 17, colon}, {"``", 18, quote},
    {"''", 19, quote}, {"-LRB-", 20, 0}, {"-RRB-", 21, 0}, {"WDT", 22, wh_word},
    {"WP", 22, wh_word}, {"WP$", 22, wh_word}, {"WRB", 23, wh_word}, {"UH", 24, 0},
};
constexpr std::uint8_t other_chunk = 25;

const TagClass& class_of(std::string_view tag) {
  static constexpr TagClass other{"", other_chunk, 0};
  const auto* found = std::find_if(std::begin(tag_classes), std::end(tag_classes),
                                   [&](const TagClass& c) { return c.tag == tag; });
  return found == std::end(tag_classes) ? other : *found;
}

// The Penn Treebank's codes of brackets and quotes mean the same as those themselves.
std::string_view plain(std::string_view word) {
  static constexpr std::pair<std::string_view, std::string_view> codes[] = {
      {"-LRB-", "("}, {"-RRB-", ")"}, {"-LSB-", "["}, {"-RSB-", "]"},
      {"-LCB-", "{"}, {"-RCB-", "}"}, {"``", "\""},   {"''", "\""}};
  for (const auto& [code, meaning] : codes)
    if (word == code) return meaning;
  return word;
}

Token outside() {
  Token token;
  token.word = token.tag = token.cluster = token.coarse = token.suffix = token.shape =
      hash64("\n");
  return token;
}

Token analyse(std::string_view form, std::string_view tag, const tagging::Lexicon& lexicon,
              std::string& buffer) {
  const tagging::Word word = tagging::analyse(plain(form), lexicon, buffer);
  const TagClass& known = class_of(tag);
  Token token;
  token.word = word.folded;
  token.tag = hash64(tag);
  token.cluster = word.usage.cluster[0];
  token.coarse = word.usage.cluster[1];
  token.suffix = word.suffix[2] ? word.suffix[2] : word.folded;
  token.shape = word.shape;
  token.inside = known.inside;
  token.chunk = known.chunk;
  token.bracket = static_cast<std::int8_t>((known.chunk == 20) - (known.chunk == 21));
  return token;
}

}  // namespace

void Tokens::read(std::span<const std::string_view> words, std::span<const std::string_view> tags,
                  const tagging::Lexicon& lexicon) {
  size_ = words.size();
  tokens_.assign(size_ + 2 * reach, outside());
  for (std::size_t i = 0; i < size_; ++i)
    tokens_[i + reach] = analyse(words[i], tags[i], lexicon, buffer_);
}

std::uint64_t length_class(std::size_t length) {
  static constexpr std::size_t limits[] = {1, 2, 3, 4, 5, 7, 10, 15, 25, 40};
  const auto* at = std::lower_bound(std::begin(limits), std::end(limits), length);
  return static_cast<std::uint64_t>(at - std::begin(limits)) + 1;
}

}  // namespace otherwords::parsing
