#include "grammar/rule_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "parallel.hpp"

namespace otherwords {
namespace {

constexpr std::size_t ahead = 12;  // rows between asking for memory and reading it

struct Written {
  std::int32_t arity, words, characters;
};

// All sides of a column, in the order of the rows.
struct Sides {
  TextRows texts;
  std::vector<Written> shapes;

  void read(std::span<const std::int64_t> places, const RuleSides& sides, const Words& words) {
    SideText side;
    texts.bounds.reserve(places.size() + 1);
    shapes.reserve(places.size());
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (k + 2 * ahead < places.size()) sides.prefetch_bounds(places[k + 2 * ahead]);
      if (k + ahead < places.size()) sides.prefetch_symbols(places[k + ahead]);
      sides.read(places[k], words, side);
      texts.bytes.insert(texts.bytes.end(), side.text.begin(), side.text.end());
      texts.bounds.push_back(static_cast<std::int64_t>(texts.bytes.size()));
      shapes.push_back({side.arity, side.words, side.characters});
    }
  }

  std::string_view operator[](std::int64_t row) const {
    const auto begin = static_cast<std::size_t>(texts.bounds[static_cast<std::size_t>(row)]);
    const auto end = static_cast<std::size_t>(texts.bounds[static_cast<std::size_t>(row) + 1]);
    return {reinterpret_cast<const char*>(texts.bytes.data()) + begin, end - begin};
  }

  TextRows in_order(const std::vector<std::int64_t>& order) const {
    TextRows out;
    out.bytes.reserve(texts.bytes.size());
    out.bounds.reserve(texts.bounds.size());
    for (const std::int64_t row : order) {
      const std::string_view text = (*this)[row];
      out.bytes.insert(out.bytes.end(), text.begin(), text.end());
      out.bounds.push_back(static_cast<std::int64_t>(out.bytes.size()));
    }
    return out;
  }
};

// -ln of a probability in single precision, as Thrax has it.
double cost(std::int64_t part, std::int64_t whole) {
  const auto share = static_cast<float>(static_cast<double>(part) / static_cast<double>(whole));
  return 0.0f - static_cast<float>(std::log(static_cast<double>(share)));
}

double rarity(std::int64_t count) { return std::exp(static_cast<double>(1 - count)); }

}  // namespace

std::vector<std::vector<double>> count_features(std::span<const std::int64_t> count,
                                                std::span<const std::int64_t> both,
                                                std::span<const std::int64_t> source_total,
                                                std::span<const std::int64_t> target_total) {
  for (const auto& column : {both, source_total, target_total})
    if (column.size() != count.size()) throw std::invalid_argument("the columns differ in length");
  std::vector<std::vector<double>> out(3);
  for (std::size_t row = 0; row < count.size(); ++row) {
    out[0].push_back(cost(both[row], source_total[row]));
    out[1].push_back(cost(both[row], target_total[row]));
    out[2].push_back(rarity(count[row]));
  }
  return out;
}

RuleTexts write_rules(const std::vector<std::span<const std::int64_t>>& keys,
                      const RuleNumbers& numbers, const RuleSides& sources, const Words& source_words,
                      const RuleSides& targets, const Words& target_words, unsigned threads) {
  const std::size_t size = numbers.count.size();
  for (const auto& column : {numbers.source_place, numbers.target_place, numbers.both,
                             numbers.source_total, numbers.target_total})
    if (column.size() != size) throw std::invalid_argument("the columns differ in length");
  for (const auto& key : keys)
    if (key.size() != size) throw std::invalid_argument("the columns differ in length");
  Sides left, right;
  parallel_blocks(2, threads, 1, [&](std::size_t side, std::size_t) {
    if (side == 0)
      left.read(numbers.source_place, sources, source_words);
    else
      right.read(numbers.target_place, targets, target_words);
  });
  RuleTexts out;
  out.order.resize(size);
  std::iota(out.order.begin(), out.order.end(), 0);
  const auto same = [&](std::size_t a, std::size_t b) {
    return std::ranges::all_of(keys, [&](const auto& key) { return key[a] == key[b]; });
  };
  const auto before = [&](std::int64_t a, std::int64_t b) {
    const int sources_differ = left[a].compare(left[b]);
    return sources_differ != 0 ? sources_differ < 0 : right[a] < right[b];
  };
  for (std::size_t begin = 0; begin < size;) {
    std::size_t end = begin + 1;
    while (end < size && same(begin, end)) ++end;
    std::sort(out.order.begin() + static_cast<std::ptrdiff_t>(begin),
              out.order.begin() + static_cast<std::ptrdiff_t>(end), before);
    begin = end;
  }
  parallel_blocks(2, threads, 1, [&](std::size_t side, std::size_t) {
    (side == 0 ? out.sources : out.targets) = (side == 0 ? left : right).in_order(out.order);
  });
  out.features.resize(8);
  for (std::vector<double>& feature : out.features) feature.reserve(size);
  for (const std::int64_t place : out.order) {
    const auto row = static_cast<std::size_t>(place);
    const Written &f = left.shapes[row], &e = right.shapes[row];
    const double values[] = {cost(numbers.both[row], numbers.source_total[row]),
                             cost(numbers.both[row], numbers.target_total[row]),
                             rarity(numbers.count[row]),
                             f.arity == 0 && f.words == 1 ? 1.0 : 0.0,
                             f.arity == 0 && f.words > 1 ? 1.0 : 0.0,
                             f.arity > 0 ? 1.0 : 0.0,
                             static_cast<double>(e.words - f.words),
                             static_cast<double>(e.characters - f.characters)};
    for (std::size_t k = 0; k < out.features.size(); ++k) out.features[k].push_back(values[k]);
  }
  return out;
}

}  // namespace otherwords
