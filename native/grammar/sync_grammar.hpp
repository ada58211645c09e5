// A synchronous grammar in memory, with an index of the rules that a sentence pair can use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace otherwords {

// A symbol is a word id, or a nonterminal: of a source side its label, of a target side the place
// of its partner among the nonterminals of the source.
constexpr std::uint32_t nonterminal_flag = 0x80000000u;
constexpr bool is_nonterminal(std::uint32_t symbol) { return (symbol & nonterminal_flag) != 0; }
constexpr std::uint32_t value_of(std::uint32_t symbol) { return symbol & ~nonterminal_flag; }

// A line, from 1, that is no rule.
struct BadRule : std::invalid_argument {
  BadRule(const std::string& what, std::size_t line) : std::invalid_argument(what), line(line) {}
  std::size_t line;
};

class SyncGrammar {
 public:
  using Symbols = std::span<const std::uint32_t>;
  static constexpr std::uint32_t unknown = 0x7fffffffu;

  // Rules as Joshua's lines, of which the first three fields are read; empty lines are passed
  // over. Throws BadRule for a line that is no rule.
  explicit SyncGrammar(std::string_view text);

  std::size_t size() const { return lhs_.size(); }
  std::size_t words() const { return word_ids_.size(); }
  std::size_t labels() const { return label_ids_.size(); }
  std::uint32_t lhs(std::size_t rule) const { return lhs_[rule]; }
  Symbols source(std::size_t rule) const { return side(2 * rule); }
  Symbols target(std::size_t rule) const { return side(2 * rule + 1); }

  std::uint32_t word(std::string_view text) const { return find(word_ids_, text); }
  std::uint32_t label(std::string_view text) const { return find(label_ids_, text); }
  std::string label_text(std::uint32_t label) const {
    for (const auto& [text, id] : label_ids_)
      if (id == label) return text;
    return "X";  // of words that stand for themselves, where the grammar has no such label
  }
  // Whether a word is on the source side of some rule.
  bool is_source_word(std::uint32_t word) const {
    return word < source_words_.size() && source_words_[word];
  }

  // The rules whose rarest source word (or, without one, target word) is this; those without
  // any word are under `words()`.
  std::span<const std::uint32_t> by_source(std::size_t word) const {
    return {rules_.data() + starts_[word], rules_.data() + starts_[word + 1]};
  }
  std::span<const std::uint32_t> by_target(std::size_t word) const {
    const std::size_t at = words() + 1 + word;
    return {rules_.data() + starts_[at], rules_.data() + starts_[at + 1]};
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  using Ids = std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>>;

  static std::uint32_t find(const Ids& ids, std::string_view text) {
    const auto at = ids.find(text);
    return at == ids.end() ? unknown : at->second;
  }
  static std::uint32_t number(Ids& ids, std::string_view text);
  Symbols side(std::size_t place) const {
    return Symbols(symbols_).subspan(bounds_[place], bounds_[place + 1] - bounds_[place]);
  }
  // Most labels are the one before.
  std::uint32_t label_number(std::string_view text);
  void add_line(std::string_view line, std::size_t number);
  void add_sides(std::string_view source, std::string_view target, std::size_t number);
  void index_rules();

  Ids word_ids_, label_ids_;
  std::string last_label_;
  std::uint32_t last_number_ = unknown;
  std::vector<std::uint32_t> lhs_, symbols_;
  std::vector<std::size_t> bounds_{0};
  std::vector<char> source_words_;
  std::vector<std::size_t> starts_;
  std::vector<std::uint32_t> rules_;
};

}  // namespace otherwords
