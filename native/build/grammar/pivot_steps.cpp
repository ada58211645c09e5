#include "grammar/pivot_steps.hpp"

#include <set>

namespace otherwords {
namespace {

struct Nonterminal {
  std::string_view before;  // the text since the nonterminal before, and its label up to the comma
  int number;
};

struct Side {
  std::vector<Nonterminal> nonterminals;
  std::string_view rest;

  explicit Side(std::string_view text) {
    std::size_t begin = 0;  // of what no nonterminal has taken
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      if (end - at > 2 && text[at] == '[' && text[end - 1] == ']') {
        const std::size_t comma = text.rfind(',', end);
        int number = 0;
        std::from_chars(text.data() + comma + 1, text.data() + end - 1, number);
        nonterminals.push_back({text.substr(begin, comma + 1 - begin), number});
        begin = end - 1;
      }
      at = end + 1;
    }
    rest = text.substr(begin);
  }

  std::vector<int> order() const {
    std::vector<int> numbers;
    for (const Nonterminal& one : nonterminals) numbers.push_back(one.number);
    return numbers;
  }

  // The numbers of nonterminals become their places, from 1, in an order.
  void renumber(const std::vector<int>& order) {
    for (Nonterminal& one : nonterminals)
      one.number = static_cast<int>(std::ranges::find(order, one.number) - order.begin()) + 1;
  }

  void write(NumberedTexts& out) const {
    for (const Nonterminal& one : nonterminals) {
      out.append(one.before);
      out.append(std::to_string(one.number));
    }
    out.append(rest);
    out.finish();
  }
};

std::int64_t number_of(const std::vector<int>& order) {
  std::uint64_t hash = order.size();
  for (const int place : order) hash = mix(hash + static_cast<std::uint64_t>(place));
  return static_cast<std::int64_t>(hash);
}

}  // namespace

PivotSteps pivot_steps(const PivotRules& rules, const Orders* orders) {
  PivotSteps out;
  std::set<std::vector<int>> met;
  std::string_view label;
  for (std::size_t row = 0; row < rules.lhs.size(); ++row) {
    if (row == 0 || rules.lhs[row] != label) {
      label = rules.lhs[row];
      out.labels.append(label);
      out.labels.finish();
    }
    Side foreign(rules.foreign[row]), english(rules.english[row]);
    const std::vector<int> through = foreign.order();
    foreign.renumber(through);
    english.renumber(through);
    NumberedTexts pivot;
    foreign.write(pivot);
    const double forward = std::exp(-rules.forward[row]), backward = std::exp(-rules.backward[row]);
    const auto add = [&](const std::vector<int>& order) {
      Side side = english;
      side.renumber(order);
      side.write(out.english);
      out.lhs.push_back(out.labels.id.back());
      out.foreign.push_back(pivot.id.back());
      out.foreign_check.push_back(pivot.check.back());
      out.order.push_back(number_of(order));
      out.forward.push_back(forward);
      out.backward.push_back(backward);
    };
    if (orders) {
      for (const std::vector<int>& order : *orders)
        if (order.size() == through.size()) add(order);
    } else {
      const std::vector<int> own = english.order();
      met.insert(own);
      add(own);
    }
  }
  out.orders.assign(met.begin(), met.end());
  return out;
}

}  // namespace otherwords
