// Two texts -> findings, and what they amount to.
#pragma once

#include <array>
#include <vector>

#include "metrics/facts/evidence.hpp"
#include "metrics/facts/findings.hpp"
#include "metrics/facts/reading.hpp"

namespace otherwords::facts {

// Columns of docs/facts.md, "Features for regressions".
constexpr std::size_t feature_count = 13;
using Features = std::array<double, feature_count>;

struct Compared {
  std::vector<Finding> findings;  // about the units of a and b, in the order of a
  Features features;
};

// The findings about a hypothesis and a reference. The caller puts the texts in a fixed order,
// so that exchanging the two exchanges their findings: `swapped` if a is the reference.
Compared compare(const Side& a, const Side& b, bool swapped, bool letter_case, Evidence& evidence);

}  // namespace otherwords::facts
