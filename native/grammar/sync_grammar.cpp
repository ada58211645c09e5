#include "grammar/sync_grammar.hpp"

#include <algorithm>
#include <stdexcept>

namespace otherwords {
namespace {

struct Partner {
  std::string_view label;
  std::uint32_t index;
};

// Reads [label,index]; whether the token is one.
bool read_nonterminal(std::string_view token, Partner& out) {
  if (token.size() < 5 || token.front() != '[' || token.back() != ']') return false;
  token = token.substr(1, token.size() - 2);
  const std::size_t comma = token.rfind(',');
  if (comma == std::string_view::npos || comma == 0) return false;
  const std::string_view digits = token.substr(comma + 1);
  if (digits.empty() || digits.size() > 3 || digits[0] == '0') return false;
  out = {token.substr(0, comma), 0};
  if (out.label.find_first_of("[]") != std::string_view::npos) return false;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
    out.index = 10 * out.index + static_cast<std::uint32_t>(c - '0');
  }
  return true;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

template <typename Take>
void tokens(std::string_view text, Take take) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \t\r", at), text.size());
    if (end > at) take(text.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace

std::uint32_t SyncGrammar::number(Ids& ids, std::string_view text) {
  const auto at = ids.find(text);
  if (at != ids.end()) return at->second;
  const auto id = static_cast<std::uint32_t>(ids.size());
  ids.emplace(std::string(text), id);
  return id;
}

std::uint32_t SyncGrammar::label_number(std::string_view text) {
  if (text != last_label_) {
    last_label_ = text;
    last_number_ = number(label_ids_, text);
  }
  return last_number_;
}

SyncGrammar::SyncGrammar(std::string_view text) {
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    add_line(text.substr(at, end - at), ++number);
    at = end + 1;
  }
  index_rules();
}

void SyncGrammar::add_line(std::string_view line, std::size_t number) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  std::string_view fields[3];
  for (std::string_view& field : fields) {
    if (line.data() == nullptr) throw BadRule("a rule has three fields at least", number);
    const std::size_t bars = line.find(" |||");
    field = line.substr(0, bars);
    line = bars == std::string_view::npos ? std::string_view() : line.substr(bars + 4);
  }
  const std::string_view lhs = trimmed(fields[0]);
  if (lhs.size() < 3 || lhs.front() != '[' || lhs.back() != ']')
    throw BadRule("a left-hand side is a label in brackets", number);
  lhs_.push_back(label_number(lhs.substr(1, lhs.size() - 2)));
  add_sides(fields[1], fields[2], number);
}

void SyncGrammar::add_sides(std::string_view source, std::string_view target, std::size_t number) {
  const auto refuse = [&](const char* what) { throw BadRule(what, number); };
  static thread_local std::vector<Partner> partners;
  static thread_local std::vector<char> used;
  partners.clear();
  Partner one{};
  tokens(source, [&](std::string_view token) {
    if (read_nonterminal(token, one)) {
      partners.push_back(one);
      symbols_.push_back(nonterminal_flag | label_number(one.label));
    } else {
      symbols_.push_back(SyncGrammar::number(word_ids_, token));
      if (source_words_.size() < word_ids_.size()) source_words_.resize(word_ids_.size());
      source_words_[symbols_.back()] = 1;
    }
  });
  if (symbols_.size() == bounds_.back()) refuse("the source side is empty");
  bounds_.push_back(symbols_.size());
  used.assign(partners.size(), 0);
  tokens(target, [&](std::string_view token) {
    if (!read_nonterminal(token, one)) {
      symbols_.push_back(SyncGrammar::number(word_ids_, token));
      return;
    }
    std::size_t place = 0;
    while (place < partners.size() && (used[place] || partners[place].index != one.index ||
                                       partners[place].label != one.label))
      ++place;
    if (place == partners.size()) refuse("the two sides do not have the same nonterminals");
    used[place] = 1;
    symbols_.push_back(nonterminal_flag | static_cast<std::uint32_t>(place));
  });
  if (symbols_.size() == bounds_.back()) refuse("the target side is empty");
  if (std::ranges::count(used, 0) > 0) refuse("the two sides do not have the same nonterminals");
  bounds_.push_back(symbols_.size());
}

void SyncGrammar::index_rules() {
  std::vector<std::uint32_t> frequency(words());
  for (const std::uint32_t symbol : symbols_)
    if (!is_nonterminal(symbol)) ++frequency[symbol];
  const auto rarest = [&](Symbols side) {
    std::uint32_t best = unknown;
    for (const std::uint32_t symbol : side)
      if (!is_nonterminal(symbol) && (best == unknown || frequency[symbol] < frequency[best]))
        best = symbol;
    return best;
  };
  std::vector<std::size_t> keys;
  keys.reserve(size());
  for (std::size_t rule = 0; rule < size(); ++rule) {
    std::uint32_t key = rarest(source(rule));
    if (key != unknown) {
      keys.push_back(key);
      continue;
    }
    key = rarest(target(rule));
    keys.push_back(key == unknown ? words() : words() + 1 + key);
  }
  starts_.assign(2 * words() + 2, 0);
  for (const std::size_t key : keys) ++starts_[key + 1];
  for (std::size_t k = 1; k < starts_.size(); ++k) starts_[k] += starts_[k - 1];
  rules_.resize(size());
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t rule = 0; rule < size(); ++rule)
    rules_[next[keys[rule]]++] = static_cast<std::uint32_t>(rule);
}

}  // namespace otherwords
