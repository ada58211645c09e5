// The constituency parser: sparse integer weights over hashed features, decoded with `Chart`.
// The class looks at the arrays of a mapped model file and copies none of the large ones.
#pragma once

#include "text/parser_chart.hpp"
#include "text/parser_features.hpp"

namespace otherwords {

// The arrays of a parser model, as they are named in the file.
struct ParserArrays {
  std::span<const std::uint8_t> label_names, tag_names;  // separated by newlines
  // See feature_rows.hpp; the symbols are labels or parents, by the kind of the feature.
  std::span<const std::uint32_t> feature_buckets, features;
  std::span<const std::uint16_t> rows;
  std::span<const std::int16_t> left_rules, right_rules;  // children x parents
  std::span<const std::int32_t> beam;                     // one number, see Chart::parse
};

// A phrase, by its label's number.
struct Constituent {
  std::int32_t begin, end, label;
};

class Parser {
 public:
  class Scratch;

  // Longer sentences are parsed in pieces, cut at punctuation where there is some.
  static constexpr std::size_t max_words = 200;

  // Throws std::invalid_argument unless the arrays fit each other. The lexicon must outlive
  // the parser.
  Parser(const ParserArrays& arrays, const tagging::Lexicon& lexicon);

  // Appends the phrases of a sentence, a phrase before those inside it. There is at least one,
  // and one that covers the sentence, unless the sentence is empty or one word that is none.
  void parse(std::span<const std::string_view> words, std::span<const std::string_view> tags,
             std::vector<Constituent>& phrases, Scratch& scratch) const;

  const parsing::Grammar& grammar() const { return grammar_; }

 private:
  struct Pending {
    std::uint64_t key;
    float* scores;
    std::span<const std::uint16_t> row;
  };

  void parse_piece(std::span<const std::string_view> words, std::span<const std::string_view> tags,
                   std::size_t offset, std::vector<Constituent>& phrases, Scratch& scratch) const;
  void score(Scratch& scratch) const;
  void score_places(Scratch& scratch) const;
  void add_rows(std::vector<Pending>& pending) const;

  ParserArrays arrays_;
  const tagging::Lexicon& lexicon_;
  parsing::Grammar grammar_;
  FeatureRows features_;
  std::vector<float> left_rules_, right_rules_;
};

// Reusable space of one thread.
class Parser::Scratch {
 public:
  Scratch() = default;

 private:
  friend class Parser;

  parsing::Tokens tokens_;
  parsing::Chart chart_;
  std::vector<float> left_, right_, split_;  // scores of places
  std::vector<Pending> pending_;
  std::vector<std::uint8_t> tag_classes_;
  std::vector<parsing::Node> tree_;
};

}  // namespace otherwords
