// Which phrases count as one phrase where paraphrases are clipped (ParaEval §3.3): a phrase and
// those that it is a paraphrase of by one translation, identical ones too.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "metrics/phrase_matches.hpp"

namespace otherwords {

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
