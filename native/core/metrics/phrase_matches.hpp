// Phrases of one text that are paraphrases of phrases of another, by a table of paraphrases.
#pragma once

#include <compare>

#include "models/paraphrase_table.hpp"
#include "models/pivot_table.hpp"

namespace otherwords {

struct PhraseMatch {
  std::uint32_t left_begin, left_end;
  std::uint32_t right_begin, right_end;
  double forward;   // p(right|left)
  double backward;  // p(left|right)
  std::uint32_t first_set, end_set;  // the paraphrase sets that both are in

  // The geometric mean of both directions: a phrase that translates everything is a paraphrase
  // of nothing.
  double probability() const { return std::sqrt(forward * backward); }
};

// By the length of the left side, then by where they are.
inline bool longest_first(const PhraseMatch& a, const PhraseMatch& b) {
  const std::uint32_t of_a = a.left_end - a.left_begin, of_b = b.left_end - b.left_begin;
  return std::tie(of_b, a.left_begin, a.right_begin, a.right_end) <
         std::tie(of_a, b.left_begin, b.right_begin, b.right_end);
}

struct PhraseMatches {
  std::vector<PhraseMatch> matches;
  std::vector<std::uint64_t> sets;
  bool complete = true;  // or there were too many

  void clear() {
    matches.clear();
    sets.clear();
    complete = true;
  }
};

// Where paraphrases come from. Holds scratch memory: one object per thread.
class Paraphrases {
 public:
  // Of two texts; of longer ones what comes after is not looked for.
  static constexpr std::size_t most_matches = 500'000;

  using Wanted = std::function<bool(const PhraseMatch&)>;

  virtual ~Paraphrases() = default;

  // All matches of phrases that are wanted and have at least this probability, `longest_first`;
  // texts are the forms that the table knows words by. `with_sets` names the paraphrase sets of
  // each match.
  virtual void find(std::span<const std::string_view> left,
                    std::span<const std::string_view> right, double least, const Wanted& wanted,
                    bool with_sets, PhraseMatches& out) = 0;

 protected:
  // Adds the match with every one of the places on the right side. All are in the same sets.
  template <typename Places, typename SpanOf>
  static void add_all(PhraseMatch match, const Places& places, SpanOf span_of, std::size_t longest,
                      const Wanted& wanted, PhraseMatches& out) {
    for (const auto& place : places) {
      const std::size_t span = span_of(place);
      match.right_begin = static_cast<std::uint32_t>(span / longest);
      match.right_end = static_cast<std::uint32_t>(match.right_begin + span % longest + 1);
      if (wanted(match)) out.matches.push_back(match);
    }
  }
};

// Phrases that share a translation into a pivot language (ParaEval §3.2): a pivot phrase is a
// paraphrase set. Probabilities are means over the languages.
class PivotParaphrases : public Paraphrases {
 public:
  PivotParaphrases(std::vector<const PivotTable*> tables, std::size_t longest)
      : tables_(std::move(tables)),
        longest_(longest),
        known_keys_(known_slots),
        known_(known_slots * tables_.size()) {}
  void find(std::span<const std::string_view> left, std::span<const std::string_view> right,
            double least, const Wanted& wanted, bool with_sets, PhraseMatches& out) override;

 private:
  struct Use {  // of a pivot phrase by a phrase of the right side
    std::uint64_t pivot;
    std::uint32_t phrase;
    std::uint32_t next;  // use of the same pivot, + 1
    double forward, backward;
  };
  struct Sum {
    double forward = 0, backward = 0;
  };
  struct Summed {  // a phrase of the right side, and what it shares with one of the left side
    std::uint32_t phrase;
    Sum sum;
  };
  struct Seen {  // a phrase of the left side, and where its sums are; none if its key is 0
    std::uint64_t key = 0;
    std::uint32_t begin = 0, end = 0;
  };
  void look_up(std::span<const std::string_view> words, std::vector<std::uint64_t>& keys,
               std::vector<PivotTable::Entry>& entries);
  void index_right();
  std::size_t slot_of(std::uint64_t pivot) const;
  Seen& seen(std::uint64_t key);
  void add_up(std::size_t span, bool with_sets);
  void match_left(std::uint32_t begin, std::uint32_t length, double least, const Wanted& wanted,
                  bool with_sets, PhraseMatches& out);

  static constexpr int known_bits = 13;
  static constexpr std::size_t known_slots = std::size_t{1} << known_bits;

  std::vector<const PivotTable*> tables_;
  std::size_t longest_;
  std::vector<std::uint64_t> known_keys_;   // of the phrases looked up last; 0 in an empty slot
  std::vector<PivotTable::Entry> known_;    // [slot][table]
  std::vector<std::uint32_t> missing_;      // phrases of a text that are not among them
  std::vector<std::uint64_t> missing_keys_;
  std::vector<PivotTable::Entry> found_;
  std::vector<std::uint64_t> left_keys_, right_keys_;
  std::vector<PivotTable::Entry> left_, right_;  // [table][word][length]
  std::vector<Use> uses_;
  std::vector<std::uint32_t> slots_;  // open addressing: the first use of a pivot, + 1
  int slot_shift_ = 0;
  std::vector<std::uint32_t> places_;   // spans of the right side that are known, by phrase
  std::vector<std::uint32_t> phrases_;  // of the right side: where in `places_` each starts
  std::vector<Sum> sums_;               // by phrase of the right side
  std::vector<std::uint32_t> touched_;
  std::vector<Seen> seen_;              // open addressing
  std::vector<Summed> summed_;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> pairs_;  // phrase of the right side, pivot
};

// Pairs of phrases with a probability; a phrase and its paraphrases are a paraphrase set. A pair
// that the table has one way round only counts the other way round as well.
class PairedParaphrases : public Paraphrases {
 public:
  explicit PairedParaphrases(const ParaphraseTable& table)
      : table_(table), longest_(table.longest()) {}
  void find(std::span<const std::string_view> left, std::span<const std::string_view> right,
            double least, const Wanted& wanted, bool with_sets, PhraseMatches& out) override;

 private:
  struct Known {  // a phrase of a text that the table has
    std::uint32_t number, span;

    auto operator<=>(const Known&) const = default;
  };
  struct Pair {  // numbers of a phrase of the left side and of a paraphrase on the right side
    std::uint32_t left, right;

    auto operator<=>(const Pair&) const = default;
  };
  void look_up(std::span<const std::string_view> words, std::vector<Known>& known);
  template <typename Use>
  void for_partners(const std::vector<Known>& phrases, const std::vector<Known>& others,
                    Use use) const;
  void match_left(const Known& phrase, double least, const Wanted& wanted, bool with_sets,
                  PhraseMatches& out);

  const ParaphraseTable& table_;
  std::size_t longest_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::size_t> numbers_;
  std::vector<Known> left_, right_;  // by number
  std::vector<Pair> pairs_;
};

// Which phrases count as one phrase where paraphrases are clipped (ParaEval §3.3): a phrase and
// those that it is a paraphrase of by one translation, identical ones too.

// A phrase of a set: in the counted text (text 0) or in another one.
struct SetMember {
  std::uint64_t set;
  std::uint32_t text, end, begin;

  auto operator<=>(const SetMember&) const = default;
};

// The sets of a segment. A set is a phrase of the counted text with all its paraphrases in the
// segment by one translation. Sets of the same phrases are one: where every two phrases of a
// translation are paraphrases, all of them are one set.
class PhraseSets {
 public:
  using Words = std::span<const std::uint32_t>;

  struct OfWord {
    std::uint32_t word;
    std::uint64_t set;

    auto operator<=>(const OfWord&) const = default;
  };

  void clear();

  // Replaces the sets of the matches of the counted text with each of the others. `own` are its
  // matches with itself.
  void join(Words counted, std::span<const Words> others, std::span<PhraseMatches> matches,
            const PhraseMatches& own);

  // The sets that a word of the counted text is in.
  std::span<const OfWord> of_word(std::uint32_t word) const;

  // All places of the phrases of the counted text that are in sets, in every text.
  std::span<const SetMember> members() const { return members_; }

 private:
  struct Link {  // a phrase of the counted text, a translation, and a paraphrase by it
    std::uint64_t phrase, translation, paraphrase;

    auto operator<=>(const Link&) const = default;
  };
  struct Named {  // the set of a phrase by a translation
    std::uint64_t phrase, translation, set;
  };
  struct Known {  // a phrase of the counted text in a set, and where it is first
    std::uint64_t phrase, set;
    std::uint32_t begin, end;

    auto operator<=>(const Known&) const = default;
  };

  void add_links(Words counted, Words other, const PhraseMatches& matches);
  void name_sets();
  std::uint64_t set_of(std::uint64_t phrase, std::uint64_t translation);
  void add_members(Words counted, std::span<const Words> others);

  std::vector<Link> links_;
  std::vector<Named> named_;                                   // by phrase and translation
  std::unordered_map<std::uint64_t, std::uint64_t> numbers_;  // of sets, by their contents
  std::vector<Known> known_;
  std::vector<OfWord> words_;
  std::vector<SetMember> members_;
};

}  // namespace otherwords
