#include "grammar/rule_check.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace otherwords {
namespace {

using IndexAndLabel = std::pair<std::string_view, std::string_view>;  // index, label

bool is_label(std::string_view text) {
  return !text.empty() && text.find_first_of("[] \t\n\r") == std::string_view::npos;
}

// [label,index] with an index from 1 to 999.
bool read_nonterminal(std::string_view token, IndexAndLabel& out) {
  token = token.substr(1, token.size() - 2);
  const std::size_t comma = token.rfind(',');
  if (comma == std::string_view::npos || !is_label(token.substr(0, comma))) return false;
  const std::string_view index = token.substr(comma + 1);
  if (index.empty() || index.size() > 3 || index[0] == '0' ||
      !std::ranges::all_of(index, [](char c) { return c >= '0' && c <= '9'; }))
    return false;
  out = {index, token.substr(0, comma)};
  return true;
}

// The nonterminals of a side in order of their indices; what is wrong with it, or nothing.
std::string read_side(std::string_view side, std::vector<IndexAndLabel>& out) {
  out.clear();
  if (side.empty()) return "a side of the rule is empty";
  for (;;) {
    const std::size_t end = std::min(side.find(' '), side.size());
    const std::string_view token = side.substr(0, end);
    if (token.empty() || token.find_first_of("\t\n\r") != std::string_view::npos)
      return "a word of the rule is empty or has a space";
    if (token.size() > 2 && token.front() == '[' && token.back() == ']') {
      IndexAndLabel one;
      if (!read_nonterminal(token, one))
        return "'" + std::string(token.substr(0, 40)) + "' is not a nonterminal; write [X,1]";
      out.push_back(one);
    }
    if (end == side.size()) break;
    side.remove_prefix(end + 1);
  }
  std::ranges::sort(out);
  const auto same = [](const IndexAndLabel& a, const IndexAndLabel& b) {
    return a.first == b.first;
  };
  if (std::ranges::adjacent_find(out, same) != out.end())
    return "a nonterminal occurs twice on one side";
  return {};
}

}  // namespace

WrongRule first_wrong_rule(const TextColumn& lhs, const TextColumn& source,
                           const TextColumn& target) {
  std::vector<IndexAndLabel> left, right;
  for (std::size_t row = 0; row < lhs.size(); ++row) {
    if (!is_label(lhs[row])) return {row, "a label is empty or has brackets or spaces"};
    for (auto [side, found] : {std::pair{&source, &left}, std::pair{&target, &right}})
      if (std::string what = read_side((*side)[row], *found); !what.empty())
        return {row, std::move(what)};
    if (left != right) return {row, "the two sides do not have the same nonterminals"};
  }
  return {0, {}};
}

}  // namespace otherwords
