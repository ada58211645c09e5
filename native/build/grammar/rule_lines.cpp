#include "grammar/rule_lines.hpp"

namespace otherwords {
namespace {

constexpr std::string_view field_bars = " ||| ";

void append_whole(std::string& out, long long value) {
  std::array<char, 24> text;
  out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
}

// Numbers that were written before: many rules have the same probabilities.
class NumberTexts {
 public:
  NumberTexts() : known_(slots) {}

  void append(std::string& out, double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    Known& known = known_[bits * 0x9e3779b97f4a7c15u >> (64 - slot_bits)];
    if (known.bits != bits || known.size == 0) {
      const std::size_t begin = out.size();
      append_number(out, value);
      if (out.size() - begin > known.text.size()) return;
      known.bits = bits;
      known.size = static_cast<std::uint8_t>(out.size() - begin);
      out.copy(known.text.data(), known.size, begin);
    } else {
      out.append(known.text.data(), known.size);
    }
  }

 private:
  struct Known {
    std::uint64_t bits = 0;
    std::uint8_t size = 0;  // 0 if there is none
    std::array<char, 23> text;
  };
  static constexpr int slot_bits = 12;
  static constexpr std::size_t slots = std::size_t{1} << slot_bits;

  std::vector<Known> known_;
};

// Whether the features of a row are the first ones, without a gap.
bool is_prefix(const RuleColumns& columns, std::size_t row) {
  bool ended = false;
  for (const std::span<const double> values : columns.values) {
    const bool missing = std::isnan(values[row]);
    if (ended && !missing) return false;
    ended = ended || missing;
  }
  return true;
}

void append_features(std::string& out, const RuleColumns& columns, bool are_places,
                     std::size_t row, NumberTexts& numbers) {
  const bool named = !are_places || !is_prefix(columns, row);
  const std::size_t begin = out.size();
  for (std::size_t k = 0; k < columns.values.size(); ++k) {
    const double value = columns.values[k][row];
    if (std::isnan(value)) continue;
    if (out.size() > begin) out += ' ';
    if (named) out.append(columns.names[k]).append(1, '=');
    numbers.append(out, value);
  }
}

}  // namespace

std::string_view TextColumn::operator[](std::size_t k) const {
  return {reinterpret_cast<const char*>(bytes.data()) + bounds[k],
          static_cast<std::size_t>(bounds[k + 1] - bounds[k])};
}

void TextColumn::check() const {
  if (bounds.empty() || bounds[0] < 0) throw std::invalid_argument("a column has no bounds");
  for (std::size_t k = 1; k < bounds.size(); ++k)
    if (bounds[k] < bounds[k - 1]) throw std::invalid_argument("bounds are not in order");
  if (static_cast<std::size_t>(bounds.back()) > bytes.size())
    throw std::invalid_argument("bounds leave the text");
}

void append_number(std::string& out, double value) {
  if (value == std::trunc(value) && std::abs(value) < 1e15)
    return append_whole(out, static_cast<long long>(value));
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::scientific).ptr;
  const std::string_view written(text.data(), static_cast<std::size_t>(end - text.data()));
  const std::size_t e = written.find('e');
  if (e == std::string_view::npos) {  // not a finite number
    out += written;
    return;
  }
  int exponent = 0;
  const char* digits_end = written.data() + written.size();
  std::from_chars(written.data() + e + (written[e + 1] == '+' ? 2 : 1), digits_end, exponent);
  if (exponent < -4 || exponent >= 16) {
    out += written;
    return;
  }
  const bool negative = written[0] == '-';
  if (negative) out += '-';
  // The digits without their point, in place.
  char* const digits = text.data() + negative;
  std::size_t size = 1;
  if (e > 1u + negative) {
    size = e - 1 - negative;
    std::memmove(digits + 1, digits + 2, size - 1);
  }
  if (exponent < 0) {
    out.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits, size);
    return;
  }
  const std::size_t whole = static_cast<std::size_t>(exponent) + 1;
  if (size <= whole) {
    out.append(digits, size).append(whole - size, '0').append(".0");
  } else {
    out.append(digits, whole).append(1, '.').append(digits + whole, size - whole);
  }
}

std::string rule_lines(const RuleColumns& columns) {
  bool are_places = true;
  for (std::size_t k = 0; k < columns.names.size(); ++k)
    are_places = are_places && columns.names[k] == std::to_string(k);
  std::string out;
  out.reserve(192 * columns.lhs.size());
  NumberTexts numbers;
  for (std::size_t row = 0; row < columns.lhs.size(); ++row) {
    out.append(1, '[').append(columns.lhs[row]).append(1, ']').append(field_bars);
    out.append(columns.source[row]).append(field_bars).append(columns.target[row]);
    std::size_t end = out.size();  // of the last field that is not empty
    out += field_bars;
    const std::size_t features = out.size();
    append_features(out, columns, are_places, row, numbers);
    if (out.size() > features) end = out.size();
    const auto field = [&](std::string_view text) {
      out.append(field_bars).append(text);
      if (!text.empty()) end = out.size();
    };
    field(columns.alignment[row]);
    field(columns.relation[row]);
    out.resize(end);
    out += '\n';
  }
  return out;
}

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
