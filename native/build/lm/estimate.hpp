// Interpolated modified Kneser-Ney (Chen & Goodman 1998), with the choices of KenLM's lmplz
// (Heafield et al. 2013); docs/lm.md lists them.
#pragma once

#include "lm/table.hpp"

namespace otherwords::lm {

bool is_reserved(std::string_view word);  // <s>, </s>, <unk>

struct Discounts {
  std::array<double, 4> amount{};  // of adjusted counts 0, 1, 2 and 3 or more
  bool fallback = false;           // the text was too small to compute them

  double of(std::uint64_t count) const { return amount[count < 3 ? count : 3]; }
};

struct EstimateOptions {
  unsigned order = 4;
  std::vector<std::uint64_t> prune;             // drop n-grams of at most that raw count, per order
  std::array<double, 3> fallback{0.5, 1, 1.5};  // discounts where none can be computed
  unsigned threads = 1;
};

struct Estimate {
  NgramTable table;
  std::vector<Discounts> discounts;
};

// `tokens` are words 0 (unknown) and 3 .. vocabulary - 1; sentence s is tokens
// [bounds[s], bounds[s + 1]).
Estimate estimate(std::span<const std::uint32_t> tokens, std::span<const std::int64_t> bounds,
                  std::size_t vocabulary, const EstimateOptions& options);

}  // namespace otherwords::lm
