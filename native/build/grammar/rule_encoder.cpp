#include "grammar/rule_encoder.hpp"

namespace otherwords {
namespace {

constexpr std::string_view bars = "|||";

constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Takes the next token from the line; empty at its end.
std::string_view next_token(std::string_view& line) {
  std::size_t begin = 0;
  while (begin < line.size() && is_space(line[begin])) ++begin;
  std::size_t end = begin;
  while (end < line.size() && !is_space(line[end])) ++end;
  const std::string_view token = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return token;
}

// Calls take for the tokens up to the next bars; whether there were bars.
template <typename Take>
bool each_token(std::string_view& line, Take take) {
  for (;;) {
    const std::string_view token = next_token(line);
    if (token.empty()) return false;
    if (token == bars) return true;
    take(token);
  }
}

}  // namespace

// Reads [label,index]; whether the token is one. Another word in brackets is an error.
bool RuleEncoder::read_nonterminal(std::string_view token, Partner& out) {
  if (token.front() != '[' || token.size() < 3 || token.back() != ']') return false;
  if (!read_bracketed(token, out))
    throw BadRule("a word in brackets is not a nonterminal; write [X,1]", line_);
  return true;
}

bool RuleEncoder::read_bracketed(std::string_view token, Partner& out) {
  token = token.substr(1, token.size() - 2);
  const std::size_t comma = token.rfind(',');
  if (comma == std::string_view::npos || comma == 0) return false;
  const std::string_view digits = token.substr(comma + 1);
  if (digits.empty() || digits.size() > 3 || digits[0] == '0') return false;
  const std::string_view name = token.substr(0, comma);
  if (name.find_first_of("[]") != std::string_view::npos) return false;
  std::uint32_t index = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return false;
    index = 10 * index + static_cast<std::uint32_t>(c - '0');
  }
  out = {label(name), index, false};
  return true;
}

void RuleEncoder::add(std::string_view text, std::vector<std::uint32_t>& out) {
  for (std::size_t at = 0; at < text.size();) {
    const void* found = std::memchr(text.data() + at, '\n', text.size() - at);
    const std::size_t end =
        found ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data())
              : text.size();
    ++line_;
    add_line(text.substr(at, end - at), out);
    at = end + 1;
  }
}

void RuleEncoder::add_line(std::string_view line, std::vector<std::uint32_t>& out) {
  if (std::ranges::all_of(line, is_space)) return;
  const std::size_t begin = out.size();
  out.push_back(static_cast<std::uint32_t>(size_));
  out.push_back(add_lhs(line));
  out.push_back(0);
  const std::size_t n = add_source(line, out), m = add_target(line, out);
  if (std::max(n, m) > longest_side) throw BadRule("a side has more than 65,535 symbols", line_);
  out[begin + 2] = static_cast<std::uint32_t>(n << 16 | m);
  if (++size_ > 0xfffffffeu) throw BadRule("there are more than 2^32 - 2 rules", line_);
}

std::uint32_t RuleEncoder::add_lhs(std::string_view& line) {
  std::string_view lhs;
  std::size_t tokens = 0;
  const bool more = each_token(line, [&](std::string_view token) { lhs = token, ++tokens; });
  if (!more) throw BadRule("a rule has three fields at least", line_);
  if (tokens != 1 || lhs.size() < 3 || lhs.front() != '[' || lhs.back() != ']')
    throw BadRule("a left-hand side is a label in brackets", line_);
  lhs = lhs.substr(1, lhs.size() - 2);
  if (lhs.find_first_of("[]") != std::string_view::npos)
    throw BadRule("a label has no brackets in it", line_);
  return label(lhs);
}

std::size_t RuleEncoder::add_source(std::string_view& line, std::vector<std::uint32_t>& out) {
  const std::size_t known = source_text_.size();
  if (known > 0 && line.starts_with(source_text_) &&
      (line.size() == known || is_space(line[known]))) {
    line.remove_prefix(known);
    for (Partner& partner : partners_) partner.used = false;
  } else {
    source_text_.clear();  // in case of an error
    const std::string_view before = line;
    read_source(line);
    source_text_ = before.substr(0, before.size() - line.size());
  }
  for (const std::uint32_t symbol : source_)
    if (!is_nonterminal(symbol)) ++source_frequency_[symbol];
  out.insert(out.end(), source_.begin(), source_.end());
  return source_.size();
}

void RuleEncoder::read_source(std::string_view& line) {
  source_.clear();
  partners_.clear();
  Partner one{};
  const bool more = each_token(line, [&](std::string_view token) {
    if (read_nonterminal(token, one)) {
      for (const Partner& other : partners_)
        if (other.index == one.index) throw BadRule("a nonterminal occurs twice", line_);
      partners_.push_back(one);
      source_.push_back(nonterminal_flag | one.label);
    } else {
      source_.push_back(words_.add(token));
    }
  });
  if (!more) throw BadRule("a rule has three fields at least", line_);
  if (source_.empty()) throw BadRule("the source side is empty", line_);
  fit(source_frequency_);
}

std::size_t RuleEncoder::add_target(std::string_view& line, std::vector<std::uint32_t>& out) {
  const auto refuse = [&](const char* what) { throw BadRule(what, line_); };
  const std::size_t begin = out.size();
  Partner one{};
  std::size_t nonterminals = 0;
  each_token(line, [&](std::string_view token) {
    if (!read_nonterminal(token, one)) {
      out.push_back(words_.add(token));
      fit(target_frequency_);
      ++target_frequency_[out.back()];
      return;
    }
    const auto partner = std::ranges::find_if(partners_, [&](const Partner& other) {
      return !other.used && other.index == one.index && other.label == one.label;
    });
    if (partner == partners_.end()) refuse("the two sides do not have the same nonterminals");
    partner->used = true;
    ++nonterminals;
    out.push_back(nonterminal_flag | static_cast<std::uint32_t>(partner - partners_.begin()));
  });
  if (out.size() == begin) refuse("the target side is empty");
  if (nonterminals < partners_.size()) refuse("the two sides do not have the same nonterminals");
  return out.size() - begin;
}

void RuleEncoder::fit(std::vector<std::uint32_t>& frequency) const {
  if (frequency.size() < words_.size()) frequency.resize(2 * words_.size() + 64);
}

std::uint32_t RuleEncoder::label(std::string_view text) {
  if (text != last_label_ || labels_.size() == 0) {
    last_label_ = text;
    last_number_ = labels_.add(text);
  }
  return last_number_;
}

std::vector<std::uint8_t> RuleEncoder::source_words() const {
  std::vector<std::uint8_t> out(words_.size());
  for (std::size_t k = 0; k < std::min(out.size(), source_frequency_.size()); ++k)
    out[k] = source_frequency_[k] > 0;
  return out;
}

std::uint32_t RuleEncoder::rarest(Symbols side, const std::vector<std::uint32_t>& frequency) const {
  const auto none = static_cast<std::uint32_t>(words_.size());
  std::uint32_t best = none;
  for (const std::uint32_t symbol : side)
    if (!is_nonterminal(symbol) && (best == none || frequency[symbol] < frequency[best]))
      best = symbol;
  return best;
}

RuleGroups RuleEncoder::arrange(Symbols records, std::span<std::uint32_t> out) const {
  struct Keyed {
    std::uint64_t keys, offset;  // offsets are in the order of the rules
    auto operator<=>(const Keyed&) const = default;
  };
  if (records.size() != out.size()) throw std::invalid_argument("the sizes differ");
  std::vector<Keyed> order;
  order.reserve(size_);
  each_record(records, [&](const RuleRecord& rule, std::size_t offset) {
    const std::uint64_t key = rarest(rule.source, source_frequency_);
    order.push_back({key << 32 | rarest(rule.target, target_frequency_), offset});
  });
  std::ranges::sort(order);
  RuleGroups groups;
  groups.source_starts.assign(words_.size() + 2, 0);
  groups.places.resize(size_);
  std::size_t end = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || order[k].keys != order[k - 1].keys) {
      ++groups.source_starts[(order[k].keys >> 32) + 1];
      groups.group_targets.push_back(static_cast<std::uint32_t>(order[k].keys));
      groups.group_starts.push_back(end);
    }
    const RuleRecord rule = RuleRecord::at(records.subspan(order[k].offset));
    groups.places[rule.number] = end;
    std::ranges::copy(records.subspan(order[k].offset, rule.size()), out.subspan(end).begin());
    end += rule.size();
  }
  groups.group_starts.push_back(end);
  for (std::size_t k = 1; k < groups.source_starts.size(); ++k)
    groups.source_starts[k] += groups.source_starts[k - 1];
  return groups;
}

}  // namespace otherwords
