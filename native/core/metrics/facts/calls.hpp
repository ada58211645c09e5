// Collects the findings of one pair; units that one kind has called are left to it.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "metrics/facts/alignment.hpp"
#include "metrics/facts/findings.hpp"

namespace otherwords::facts {

class Calls {
 public:
  Calls(Pair& given, Evidence& sources)
      : pair(given),
        evidence(sources),
        called_a_(given.a.units.size()),
        called_b_(given.b.units.size()) {}

  void add(Kind kind, Verdict verdict, double weight, Stretch a, Stretch b) {
    const double bounded = std::clamp(weight, 0.0, 1.0);
    findings.push_back({kind, verdict, std::nearbyint(bounded * 1e6) / 1e6, a, b});
    std::fill(called_a_.begin() + a.begin, called_a_.begin() + std::max(a.begin, a.end), 1);
    std::fill(called_b_.begin() + b.begin, called_b_.begin() + std::max(b.begin, b.end), 1);
  }

  bool called_a(int unit) const { return called_a_[static_cast<std::size_t>(unit)] != 0; }
  bool called_b(int unit) const { return called_b_[static_cast<std::size_t>(unit)] != 0; }

  bool free_a(Stretch units) const { return none(called_a_, units); }
  bool free_b(Stretch units) const { return none(called_b_, units); }

  // Whether nothing has been called of these units yet.
  bool free(Stretch a, Stretch b) const { return free_a(a) && free_b(b); }
  bool free(int i, int j) const { return !called_a(i) && !called_b(j); }

  Pair& pair;
  Evidence& evidence;
  std::vector<Finding> findings;

 private:
  static bool none(const std::vector<char>& called, Stretch units) {
    for (int unit = units.begin; unit < units.end; ++unit)
      if (called[static_cast<std::size_t>(unit)]) return false;
    return true;
  }

  std::vector<char> called_a_, called_b_;
};

}  // namespace otherwords::facts
