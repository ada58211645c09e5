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

template <typename Take>
void tokens(std::string_view text, Take take) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
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

SyncGrammar::SyncGrammar(const Words& labels, const Words& sources, const Words& targets) {
  labels.check();
  sources.check();
  targets.check();
  if (labels.size() != sources.size() || labels.size() != targets.size())
    throw std::invalid_argument("the columns of the rules are not equally long");
  for (std::size_t rule = 0; rule < labels.size(); ++rule) {
    lhs_.push_back(number(label_ids_, labels[rule]));
    add_rule(sources[rule], targets[rule], rule);
  }
  index_rules();
}

void SyncGrammar::add_rule(std::string_view source, std::string_view target, std::size_t rule) {
  const auto refuse = [&](const char* what) {
    throw std::invalid_argument("rule " + std::to_string(rule + 1) + ": " + what);
  };
  std::vector<Partner> partners;
  Partner one{};
  tokens(source, [&](std::string_view token) {
    if (read_nonterminal(token, one)) {
      partners.push_back(one);
      symbols_.push_back(nonterminal_flag | number(label_ids_, one.label));
    } else {
      symbols_.push_back(number(word_ids_, token));
      source_words_.resize(std::max(source_words_.size(), word_ids_.size()));
      source_words_[symbols_.back()] = 1;
    }
  });
  if (symbols_.size() == bounds_.back()) refuse("the source side is empty");
  bounds_.push_back(symbols_.size());
  std::vector<char> used(partners.size());
  tokens(target, [&](std::string_view token) {
    if (!read_nonterminal(token, one)) {
      symbols_.push_back(number(word_ids_, token));
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
