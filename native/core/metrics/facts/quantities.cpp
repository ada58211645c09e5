// Numbers, dates and units that one text has and the other has not; measures in other units.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/words.hpp"

namespace otherwords::facts {
namespace {

constexpr double tight = 0.5;
constexpr double measure_tolerance = 0.015;

// A number and its unit as one quantity: 90 minutes is an hour and a half.
struct Measure {
  Stretch units;
  std::string_view dimension;
  double value;  // in the smallest unit of its dimension
  int unit;      // where the unit of measurement stands

  bool equals(const Measure& other) const {
    return dimension == other.dimension &&
           std::abs(value - other.value) <= measure_tolerance * std::max(value, other.value);
  }
};

// Size of a unit in the smallest of its dimension, 0 if it cannot be converted.
double unit_size(std::string_view unit) {
  static const std::unordered_map<std::string_view, double> sizes = {
      {"millimetre", 1.0},    {"centimetre", 10.0},   {"metre", 1e3},        {"kilometre", 1e6},
      {"inch", 25.4},         {"foot", 304.8},        {"yard", 914.4},       {"mile", 1609344.0},
      {"gram", 1.0},          {"kilogram", 1e3},      {"tonne", 1e6},        {"ounce", 28.35},
      {"second", 1.0},        {"minute", 60.0},       {"hour", 3600.0},      {"day", 86400.0},
      {"week", 604800.0},     {"fortnight", 1209600.0}, {"month", 2629800.0}, {"year", 31557600.0},
      {"decade", 315576000.0}, {"century", 3155760000.0}, {"millilitre", 1.0}, {"litre", 1e3},
      {"watt", 1.0},          {"kilowatt", 1e3},      {"megawatt", 1e6},     {"gigawatt", 1e9},
      {"cent", 1.0},
  };
  const auto found = sizes.find(unit);
  return found == sizes.end() ? 0.0 : found->second;
}

std::optional<Measure> measure_at(const Side& side, int unit) {
  const auto known = side.lists->category(side[unit].lemma);
  const double size = known ? unit_size(known->word) : 0.0;
  if (size == 0.0) return {};
  int begin = unit - 1, end = unit + 1;
  double value = 1.0;
  if (side.is_number(begin)) {
    value = side.number(begin).value;
  } else if (const std::string_view word = side.word(begin);
             word == "a" || word == "an" || word == "one") {
    if (side.is_number(begin - 1) && side.number(begin - 1).kind == NumberKind::share)
      value = side.number(--begin).value;
    else if (side.word(begin - 1) == "of" && side.is_number(begin - 2) &&
             side.number(begin - 2).kind == NumberKind::share)  // a quarter of an hour
      value = side.number(begin -= 2).value;
  } else {
    return {};
  }
  if (side.word(end) == "and") {
    const int half = side.word(end + 1) == "a" ? end + 2 : end + 1;  // "a half" can be one unit
    if (side.is_number(half) && side.number(half).value == 0.5) {
      value += 0.5;
      end = half + 1;
    }
  }
  return Measure{{begin, end}, known->name, value * size, unit};
}

std::vector<Measure> measures(const Side& side) {
  std::vector<Measure> found;
  for (int unit = 1; unit < side.size(); ++unit)
    if (const auto one = measure_at(side, unit)) found.push_back(*one);
  return found;
}

bool are_same_words(const Pair& pair, const Measure& one, const Measure& other) {
  if (one.units.size() != other.units.size()) return false;
  for (int step = 0; step < one.units.size(); ++step)
    if (!pair.same(one.units.begin + step, other.units.begin + step)) return false;
  return true;
}

// Measures of the same quantity in other units; other quantities of the same unit.
void find_measures(Calls& calls) {
  const Pair& pair = calls.pair;
  const auto mine = measures(pair.a), theirs = measures(pair.b);
  for (const Measure& one : mine)
    for (const Measure& other : theirs) {
      if (!calls.free(one.units, other.units) || are_same_words(pair, one, other)) continue;
      const int linked = pair.to_b(one.unit);
      if (one.equals(other)) {
        if (linked < 0 || linked == other.unit)
          calls.add(Kind::number, Verdict::equivalent, 0.9, one.units, other.units);
      } else if (linked == other.unit && pair.is_same_word(one.unit)) {
        // Two numbers before the same unit are compared as such.
        const bool numbers = pair.a.is_number(one.units.begin) &&
                             pair.b.is_number(other.units.begin) &&
                             one.units.size() == other.units.size();
        const double context = pair.tightness(one.units, other.units);
        if (context >= tight && !numbers)
          calls.add(Kind::number, Verdict::contradicted, 0.5 + 0.5 * context, one.units,
                    other.units);
      }
    }
}

bool are_compatible(NumberKind a, NumberKind b) {
  if (a == b) return true;
  const auto are = [&](NumberKind x, NumberKind y) {
    return (a == x && b == y) || (a == y && b == x);
  };
  using enum NumberKind;
  return are(count, ordinal) || are(count, share) || are(count, time) || are(count, decade) ||
         are(multiple, share) || are(multiple, count);
}

// What is left of a word with digits in it (49ers, 91/440) when every run of digits is the same;
// "" if it has none or is a number.
std::string shape(const Side& side, int unit) {
  if (side.is_number(unit)) return {};
  std::string out;
  bool digits = false;
  for (const char c : side[unit].word) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) out += c;
    if (digit && (out.empty() || out.back() != '0')) out += '0';
    digits = digits || digit;
  }
  return digits ? out : std::string();
}

// Whether the units are two numbers, or two codes that differ in their digits only.
bool are_comparable(const Pair& pair, int i, int j) {
  if (pair.a.is_number(i) && pair.b.is_number(j))
    return are_compatible(pair.a.number(i).kind, pair.b.number(j).kind);
  const std::string mine = shape(pair.a, i);
  return !mine.empty() && mine == shape(pair.b, j);
}

bool is_vague(const Side& side, int unit) { return side.is_number(unit) && side.number(unit).vague; }

bool content_link(const Pair& pair, int i, int j) {
  if (i < 0 || i >= pair.a.size() || j < 0 || j >= pair.b.size()) return false;
  return pair.to_b(i) == j && pair.a[i].content;
}

// How much of the surroundings of the two numbers is linked.
double shared_context(const Pair& pair, int i, int j) {
  double near = pair.context(i, j);
  for (const int step : {1, 2})
    if (content_link(pair, i + step, j + step)) {
      near += 0.33;
      break;
    }
  for (const int step : {1, 2})
    if (content_link(pair, i - step, j - step)) {
      near += 0.2;
      break;
    }
  return near;
}

}  // namespace

void find_quantities(Calls& calls) {
  find_measures(calls);
  const Pair& pair = calls.pair;
  struct Near {
    double near;
    int apart, i, j;
  };
  std::vector<Near> scored;
  for (int i = 0; i < pair.a.size(); ++i) {
    if (pair.to_b(i) >= 0 || calls.called_a(i)) continue;
    if (!pair.a.is_number(i) && !has_digit(pair.a[i].word)) continue;
    for (int j = 0; j < pair.b.size(); ++j) {
      if (pair.to_a(j) >= 0 || calls.called_b(j) || !are_comparable(pair, i, j)) continue;
      const double near = shared_context(pair, i, j);
      if (near > 0) scored.push_back({near, std::abs(i - j), i, j});
    }
  }
  std::ranges::sort(scored, [](const Near& x, const Near& y) {
    return std::tuple(-x.near, x.apart, x.i, x.j) < std::tuple(-y.near, y.apart, y.i, y.j);
  });
  for (const auto& [near, apart, i, j] : scored) {
    if (!calls.free(i, j)) continue;
    const bool weak = is_vague(pair.a, i) || is_vague(pair.b, j);
    const bool sure = near >= (weak ? 0.66 : 0.33);
    calls.add(Kind::number, sure ? Verdict::contradicted : Verdict::unknown,
              sure ? std::clamp(0.6 + near, 0.5, 1.0) : 0.4, one_unit(i), one_unit(j));
  }
}

}  // namespace otherwords::facts
