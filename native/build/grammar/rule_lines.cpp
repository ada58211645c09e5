#include "grammar/rule_lines.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

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
    if (columns.relation) field((*columns.relation)[row]);
    out.resize(end);
    out += '\n';
  }
  return out;
}

}  // namespace otherwords
