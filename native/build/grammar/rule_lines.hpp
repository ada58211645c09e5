// The rows of a grammar as Joshua's lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace otherwords {

// Strings one after the other: string k is bytes[bounds[k]] to bytes[bounds[k + 1]].
struct TextColumn {
  std::span<const std::uint8_t> bytes;
  std::span<const std::int64_t> bounds;

  std::size_t size() const { return bounds.size() - 1; }
  std::string_view operator[](std::size_t k) const;
  void check() const;  // throws if bounds are not in order or leave the bytes
};

struct RuleColumns {
  TextColumn lhs, source, target, alignment;            // alignments may be empty texts
  std::optional<TextColumn> relation;                   // so may relations
  std::vector<std::string> names;                       // of features
  std::vector<std::span<const double>> values;          // of each feature; NaN where a rule lacks it
};

// A number with all its digits as Python's repr writes it, but whole ones without a point.
void append_number(std::string& out, double value);

// The lines of all rows, each with its end. Features without names, 0, 1, 2..., are written
// without them if a row has no gap among them. Empty fields at the end of a line are left out.
std::string rule_lines(const RuleColumns& columns);

}  // namespace otherwords
