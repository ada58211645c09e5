#include "generation/rules.hpp"

namespace otherwords::generation {
namespace {

constexpr std::string_view spaces = " \t\r";
constexpr std::size_t longest_side = 1000;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(spaces) - begin + 1);
}

// Takes the next field, up to bars that stand alone.
std::string_view next_field(std::string_view& line, bool& more) {
  for (std::size_t at = line.find("|||"); at != std::string_view::npos; at = line.find("|||", at + 1)) {
    const bool before = at == 0 || spaces.find(line[at - 1]) != std::string_view::npos;
    const std::size_t end = at + 3;
    const bool after = end == line.size() || spaces.find(line[end]) != std::string_view::npos;
    if (!before || !after) continue;
    const std::string_view field = trimmed(line.substr(0, at));
    line.remove_prefix(end);
    more = true;
    return field;
  }
  more = false;
  const std::string_view field = trimmed(line);
  line = {};
  return field;
}

template <typename Take>
void each_token(std::string_view text, Take take) {
  for (std::size_t at = text.find_first_not_of(spaces); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(spaces, at), text.size());
    take(text.substr(at, end - at));
    at = text.find_first_not_of(spaces, end);
  }
}

// Reads [label,index] into its parts; whether the token is one.
bool read_nonterminal(std::string_view token, std::string_view& label, std::uint32_t& index) {
  if (token.size() < 5 || token.front() != '[' || token.back() != ']') return false;
  token = token.substr(1, token.size() - 2);
  const std::size_t comma = token.rfind(',');
  if (comma == std::string_view::npos || comma == 0) return false;
  const std::string_view digits = token.substr(comma + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc() || end != digits.data() + digits.size() || index == 0) return false;
  label = token.substr(0, comma);
  return label.find_first_of("[]") == std::string_view::npos;
}

bool is_bracketed(std::string_view token) {
  return token.size() > 2 && token.front() == '[' && token.back() == ']';
}

}  // namespace

Rules::Rules() : x_(labels_.add("X")) {}

void Rules::keep_for(std::span<const std::string_view> words) {
  filtered_ = true;
  for (const std::string_view word : words) wanted_.emplace(word);
}

void Rules::add(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    ++line_;
    if (const std::string_view line = trimmed(text.substr(0, end)); !line.empty()) add_line(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void Rules::add_line(std::string_view line) {
  Rule rule{};
  bool more = false;
  const std::string_view lhs = next_field(line, more);
  if (!more) throw BadLine("a rule has 3 to 6 fields with ||| between them", line_);
  if (!is_bracketed(lhs) || lhs.find_first_of(spaces) != std::string_view::npos)
    throw BadLine("a left-hand side is a label in brackets: [X]", line_);
  const std::string_view source = next_field(line, more);
  if (!more) throw BadLine("a rule has 3 to 6 fields with ||| between them", line_);
  const std::string_view target = next_field(line, more);
  const std::size_t symbols = symbols_.size();
  if (!read_source(source, rule)) {
    symbols_.resize(symbols);
    return;
  }
  rule.lhs = labels_.add(lhs.substr(1, lhs.size() - 2));
  read_target(target, rule);
  read_features(more ? next_field(line, more) : std::string_view(), rule);
  if (rules_.size() >= none - 1 || symbols_.size() >= none || features_.size() >= none)
    throw BadLine("the grammar is too large for a decoder", line_);
  rules_.push_back(rule);
}

// Whether the rule is wanted.
bool Rules::read_source(std::string_view side, Rule& rule) {
  partners_.clear();
  rule.source = static_cast<std::uint32_t>(symbols_.size());
  bool wanted = true;
  each_token(side, [&](std::string_view token) {
    if (is_bracketed(token)) {
      std::string_view label;
      std::uint32_t index = 0;
      if (!read_nonterminal(token, label, index))
        throw BadLine("'" + std::string(token) + "' is not a nonterminal; write [X,1]", line_);
      for (const auto& [other, _] : partners_)
        if (other == index) throw BadLine("a nonterminal occurs twice on one side", line_);
      partners_.emplace_back(index, labels_.add(label));
      symbols_.push_back(nonterminal_flag | partners_.back().second);
    } else if (filtered_ && !wanted_.contains(std::string(token))) {
      wanted = false;
    } else {
      symbols_.push_back(words_.add(token));
    }
  });
  if (!wanted) return false;
  const std::size_t size = symbols_.size() - rule.source;
  if (size == 0) throw BadLine("a side of the rule is empty", line_);
  if (size > longest_side || partners_.size() > 8)
    throw BadLine("a rule has at most 1,000 symbols on a side and 8 nonterminals", line_);
  rule.source_size = static_cast<std::uint16_t>(size);
  rule.arity = static_cast<std::uint16_t>(partners_.size());
  return true;
}

void Rules::read_target(std::string_view side, Rule& rule) {
  rule.target = static_cast<std::uint32_t>(symbols_.size());
  std::uint32_t used = 0;
  each_token(side, [&](std::string_view token) {
    if (!is_bracketed(token)) {
      symbols_.push_back(words_.add(token));
      return;
    }
    std::string_view label;
    std::uint32_t index = 0;
    if (!read_nonterminal(token, label, index))
      throw BadLine("'" + std::string(token) + "' is not a nonterminal; write [X,1]", line_);
    const std::uint32_t number = labels_.add(label);
    const auto found = std::ranges::find(partners_, std::pair{index, number});
    const auto place = static_cast<std::uint32_t>(found - partners_.begin());
    if (found == partners_.end() || used >> place & 1)
      throw BadLine("the two sides do not have the same nonterminals", line_);
    used |= 1u << place;
    symbols_.push_back(nonterminal_flag | place);
  });
  const std::size_t size = symbols_.size() - rule.target;
  if (size == 0) throw BadLine("a side of the rule is empty", line_);
  if (size > longest_side) throw BadLine("a side has more than 1,000 symbols", line_);
  if (used + 1 != 1u << rule.arity)
    throw BadLine("the two sides do not have the same nonterminals", line_);
  rule.target_size = static_cast<std::uint16_t>(size);
}

void Rules::read_features(std::string_view text, Rule& rule) {
  rule.features = static_cast<std::uint32_t>(features_.size());
  std::size_t place = 0;
  each_token(text, [&](std::string_view token) {
    const std::size_t equals = token.rfind('=');
    std::string_view digits = token, name;
    std::string unnamed;
    if (equals == std::string_view::npos) {
      unnamed = "PhraseModel_" + std::to_string(place);
      name = unnamed;
    } else {
      name = token.substr(0, equals);
      digits = token.substr(equals + 1);
    }
    ++place;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (name.empty() || error != std::errc() || end != digits.data() + digits.size() ||
        !std::isfinite(value))
      throw BadLine("'" + std::string(token.substr(0, 60)) +
                        "' is not a feature; write a number or name=number",
                    line_);
    const std::uint32_t number = names_.add(name);
    for (std::size_t k = rule.features; k < features_.size(); ++k)
      if (features_[k].name == number)
        throw BadLine("the feature '" + std::string(name.substr(0, 60)) + "' occurs twice", line_);
    if (value != 0) features_.push_back({number, static_cast<float>(value)});
  });
  rule.feature_count = static_cast<std::uint16_t>(features_.size() - rule.features);
}

void Rules::finish() {
  // Rules with the same sides keep the order of the file: sorting is stable.
  std::ranges::stable_sort(rules_, [&](const Rule& a, const Rule& b) {
    return std::ranges::lexicographical_compare(source(a), source(b));
  });
  nodes_.clear();
  children_.clear();
  build(0, static_cast<std::uint32_t>(rules_.size()), 0);
  rank_labels();
}

void Rules::rank_labels() {
  const auto count = static_cast<std::uint32_t>(labels_.size());
  ranks_.assign(count, none);
  std::uint32_t next = count;
  std::vector<std::uint8_t> entered(count);
  // Each label after all that it leads to, numbered from the end: a depth-first search.
  std::vector<std::pair<std::uint32_t, bool>> stack;
  for (std::uint32_t label = count; label-- > 0;) {
    stack.emplace_back(label, false);
    while (!stack.empty()) {
      const auto [one, finished] = stack.back();
      stack.pop_back();
      if (finished) {
        ranks_[one] = --next;
        continue;
      }
      if (entered[one]) continue;
      entered[one] = 1;
      stack.emplace_back(one, true);
      const std::uint32_t node = child(0, nonterminal_flag | one);
      if (node == none) continue;
      for (std::uint32_t k = first_rule(node); k < last_rule(node); ++k)
        if (!entered[rules_[k].lhs]) stack.emplace_back(rules_[k].lhs, false);
    }
  }
}

// The node of rules [begin, end), which share their first `depth` source symbols.
std::uint32_t Rules::build(std::uint32_t begin, std::uint32_t end, std::size_t depth) {
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  std::uint32_t at = begin;
  while (at < end && rules_[at].source_size == depth) ++at;
  nodes_[number].rule_begin = begin;
  nodes_[number].rule_end = at;
  std::vector<Child> found;
  while (at < end) {
    const Symbol symbol = source(rules_[at])[depth];
    std::uint32_t next = at;
    while (next < end && source(rules_[next])[depth] == symbol) ++next;
    found.push_back({symbol, build(at, next, depth + 1)});
    at = next;
  }
  nodes_[number].child_begin = static_cast<std::uint32_t>(children_.size());
  children_.insert(children_.end(), found.begin(), found.end());
  nodes_[number].child_end = static_cast<std::uint32_t>(children_.size());
  return number;
}

std::uint32_t Rules::child(std::uint32_t node, Symbol symbol) const {
  const auto begin = children_.begin() + nodes_[node].child_begin;
  const auto end = children_.begin() + nodes_[node].child_end;
  const auto found = std::lower_bound(
      begin, end, symbol, [](const Child& one, Symbol wanted) { return one.symbol < wanted; });
  return found != end && found->symbol == symbol ? found->node : none;
}

}  // namespace otherwords::generation
