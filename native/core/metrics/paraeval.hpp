// ParaEval (Zhou, Lin & Hovy 2006): words of a text that are found in others, as paraphrases or
// as themselves.
#pragma once

#include "metrics/packing.hpp"
#include "metrics/phrase_matches.hpp"

namespace otherwords {

struct ParaEvalOptions {
  double min_probability = 0;    // of a paraphrase
  std::uint32_t min_length = 1;  // words of a paraphrase, on both sides (§4.2)
  bool exact = true;             // or greedily, the longest phrases first
  bool tiered = false;           // several words, then single words, then identity (summaries)
  double power = 0;              // a match counts as its probability to this power
  bool one_phrase = true;        // a word of a set that matches itself is charged to the set
};

// A matched span of the counted text and where it was found.
struct FoundIn {
  std::uint32_t begin, end;
  std::uint32_t other;  // which of the other texts
  std::uint32_t other_begin, other_end;
  std::uint32_t tier;   // 1: several words, 2: one word, 3: the word itself
  double probability;
};

struct Matched {
  std::int64_t matched = 0;  // weight of the words found
  std::int64_t total = 0;    // of all words
  bool proven = true;        // no other choice of matches finds more
};

// A text as numbers of words.
using Words = std::span<const std::uint32_t>;

// Finds the words of a hypothesis in its references, and those of a reference in the hypothesis.
// `forms` are what the table of paraphrases knows the words by, `weights` what they count; words
// of weight 0 (punctuation) are not counted. Holds scratch memory: one object per thread.
class ParaEval {
 public:
  ParaEval(Paraphrases* paraphrases, std::span<const std::string_view> forms,
           std::span<const std::uint32_t> weights, const ParaEvalOptions& options)
      : paraphrases_(paraphrases), forms_(forms), weights_(weights), options_(options) {}

  // The segment that is asked about.
  void read(Words hypothesis, std::span<const Words> references);

  // The words of the hypothesis that are found in the references: every word of those once,
  // every word and every paraphrase set as often as in the one reference that has it most often
  // (ParaEval §3.3). `found`, if given, receives where. Once for each segment read.
  Matched precision(std::vector<FoundIn>* found = nullptr);

  // The words of a reference that are found in the hypothesis (§5).
  Matched recall(std::size_t reference, std::vector<FoundIn>* found = nullptr);

 private:
  // A way of matching a span of the counted text.
  struct Item {
    FoundIn found;
    std::uint32_t first_use, end_use;
    std::int64_t value;
    bool of_set;  // charged to the paraphrase sets of its words, not only to the words
  };
  static constexpr std::uint32_t none = 0xffffffff;

  bool is_wanted(const PhraseMatch& match, Words reference) const;
  Matched count(std::vector<FoundIn>* found);
  void index_words();
  std::uint32_t kind_of(std::uint32_t word) const;
  std::uint32_t resource(std::uint32_t& number, std::uint32_t capacity);
  void join_sets();
  void clip_sets();
  std::uint32_t scarce_set(std::uint64_t set) const;
  template <typename Sets, typename SetOf>
  void charge(const Sets& sets, SetOf set_of);
  void add_paraphrases();
  void add_paraphrase(std::uint32_t other, const PhraseMatch& match, std::uint32_t set);
  bool add_stretches();
  void add_identities();
  void add_identity(const FoundIn& found, std::uint32_t kind, std::uint32_t set, bool of_set);
  bool choose(std::uint32_t first_tier, std::uint32_t last_tier, std::int64_t unit);
  void place_identities();
  std::int64_t weight_of(Words text, std::uint32_t begin, std::uint32_t end) const;
  std::uint32_t words_in(Words text, std::uint32_t begin, std::uint32_t end) const;

  Paraphrases* paraphrases_;
  std::span<const std::string_view> forms_;
  std::span<const std::uint32_t> weights_;
  ParaEvalOptions options_;
  Packing packing_;

  // The segment.
  Words hypothesis_;
  std::vector<Words> references_;
  std::vector<PhraseMatches> paraphrases_in_;  // [reference]: hypothesis left, reference right
  std::vector<std::string_view> left_, right_;
  PhraseMatches own_;  // of the hypothesis with itself
  PhraseSets phrase_sets_;

  // The text whose words are counted, those that they are looked for in, and the paraphrases.
  Words counted_;
  std::span<const Words> others_;
  std::span<const PhraseMatches> matches_;  // [other]: counted left, other right
  PhraseMatches turned_;
  std::vector<std::uint32_t> kinds_;        // the distinct words of the counted text, sorted
  std::vector<std::uint32_t> in_others_;    // [kind][other]: how often
  std::vector<std::uint32_t> scarce_;       // what a match may be charged to
  std::vector<std::uint64_t> scarce_sets_;  // those that the counted text has more often, sorted
  std::vector<std::uint32_t> set_clips_;    // and how often they may be matched

  // Items, and what they use up.
  std::int64_t scale_ = 1;  // of values: what a tie is decided by lies below it
  std::vector<Item> items_;
  std::vector<std::uint32_t> uses_;
  std::vector<std::uint32_t> capacity_;
  std::vector<std::uint32_t> word_resource_;                   // [kind][other]
  std::vector<std::uint32_t> clip_resource_;                   // [kind]
  std::vector<std::vector<std::uint32_t>> position_resource_;  // [other][position]
  std::vector<std::uint32_t> set_resource_;                    // [scarce set]

  // What has been chosen.
  std::vector<std::uint8_t> covered_;
  std::vector<std::uint32_t> chosen_;
};

}  // namespace otherwords
