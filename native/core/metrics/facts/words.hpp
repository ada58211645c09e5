// English word lists that the rules look up; src/otherwords/text/facts.tsv has them as data.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace otherwords::facts {

// A set of words, which must live as long as it does.
class Words {
 public:
  Words() = default;
  explicit Words(std::string_view text);  // words with spaces between them
  void add(std::string_view word) { set_.insert(word); }
  bool has(std::string_view word) const { return set_.contains(word); }
  bool empty() const { return set_.empty(); }

 private:
  std::unordered_set<std::string_view> set_;
};

// What a modal word says of a statement; of several before a verb the first of these counts.
// `forbidden`, `past` and `fact` have no words: the verb's form says so.
enum class Force : std::uint8_t {
  maybe, likely, sure, can, permitted, should, forbidden, must, need_not, seem, known, chosen, intent,
  refuse, future, past, fact,
};

constexpr std::array<std::string_view, 15> force_names = {
    "maybe", "likely", "sure", "can", "permitted", "should", "forbidden", "must", "need not", "seem",
    "known", "chosen", "intent", "refuse", "future"};

// A category of which only one word can hold (weekdays, units of length), and its name there.
struct Category {
  std::string_view name;
  std::string_view word;
};

class Lists {
 public:
  // Lines "list TAB left TAB right"; the entries of a cell have ", " between them.
  explicit Lists(std::string table);
  Lists(const Lists&) = delete;

  Words auxiliaries;  // verbs that carry tense, voice or mood rather than content
  Words light;        // words whose absence is no omission
  Words empty_words;  // words that add nothing to "is" or to what follows
  Words negations;    // words that deny what follows
  Words denying;      // verbs that deny the infinitive behind them: fail to
  Words implicit;     // words that can say the same as a negation
  Words symmetric;    // words whose arguments can be exchanged

  bool are_converse(std::string_view a, std::string_view b) const { return has(converse_, a, b); }
  bool are_nation(std::string_view a, std::string_view b) const { return has(nations_, a, b); }

  std::optional<Category> category(std::string_view lemma) const;
  std::optional<Force> force(std::string_view word) const;

  // Whether the words are at opposite ends of a scale, and never at the same end; at any end.
  bool are_opposites(std::string_view a, std::string_view b) const;
  bool has_opposite(std::string_view lemma) const { return ends_.contains(lemma); }

  // How much a quantifier of up to four words says, from 0, nothing, to 5, everything.
  std::optional<double> level_of(std::string_view phrase) const;
  bool is_quantity(std::string_view lemma) const { return level_of(lemma).has_value(); }
  bool begins_quantity(std::string_view word) const { return quantity_starts_.has(word); }

 private:
  struct End {
    int scale;
    bool second;
    bool operator==(const End&) const = default;
  };

  template <typename Value>
  using Table = std::unordered_map<std::string_view, Value>;
  using Pairs = Table<std::vector<std::string_view>>;

  void add(std::string_view list, std::string_view left, std::string_view right);
  void add_category_form(std::string_view word, std::string_view form);
  Words* set_of(std::string_view name);
  static bool has(const Pairs& pairs, std::string_view a, std::string_view b);

  std::string text_;
  std::deque<std::string> dotted_;  // abbreviations with their dot
  Pairs converse_, nations_;
  Table<Category> categories_;
  Table<Force> forces_;
  Table<std::vector<End>> ends_;
  Table<double> levels_;
  Words quantity_starts_;
  int scales_ = 0;
};

std::vector<std::string_view> split(std::string_view text, std::string_view separators = " \n");

}  // namespace otherwords::facts
