// Names: another name in the same place contradicts.
#include <algorithm>
#include <string>

#include "metrics/facts/kinds.hpp"
#include "text/unicode.hpp"

namespace otherwords::facts {
namespace {

constexpr double least_name_tight = 0.5, close_name_tight = 0.83;
constexpr double least_name_same = 0.6;  // share of content that is the same where names contradict

// From the first to the last name among the units; empty if there is none.
Stretch names_of(const Side& side, Stretch units) {
  Stretch found{units.end, units.begin};
  for (int unit = units.begin; unit < units.end; ++unit)
    if (side.is_name(unit)) {
      found.begin = std::min(found.begin, unit);
      found.end = unit + 1;
    }
  return found;
}

// Whether names are most of the content.
bool are_mostly_names(const Side& side, Stretch units) {
  int content = 0, names = 0;
  for (int unit = units.begin; unit < units.end; ++unit)
    if (side[unit].content) {
      ++content;
      names += side.is_name(unit);
    }
  return names >= 0.5 * content;
}

std::string joined(const Side& side, Stretch units, std::string Unit::*part) {
  std::string out;
  for (int unit = units.begin; unit < units.end; ++unit) out += side[unit].*part;
  return out;
}

std::string initials(const Side& side, Stretch units) {
  if (units.size() < 2) return "?";
  std::string out;
  for (int unit = units.begin; unit < units.end; ++unit) {
    const std::string& form = side[unit].form;
    if (form.empty()) continue;
    const CodePoint first = decode(form, 0);
    if (is_upper(first.value)) out += form.substr(0, first.size);
  }
  return out;
}

std::string without_dots(std::string text) {
  std::erase(text, '.');
  return text;
}

// Whether the names can be the same: initials, spellings, parts of each other.
bool are_alike(Calls& calls, Stretch a, Stretch b) {
  const Pair& pair = calls.pair;
  const std::string one = joined(pair.a, a, &Unit::form), other = joined(pair.b, b, &Unit::form);
  if (initials(pair.a, a) == without_dots(other) || initials(pair.b, b) == without_dots(one))
    return true;
  const std::string x = joined(pair.a, a, &Unit::letters), y = joined(pair.b, b, &Unit::letters);
  if (x.find(y) != std::string::npos || y.find(x) != std::string::npos) return true;
  if (calls.evidence.are_same_name(x, y)) return true;
  for (int i = a.begin; i < a.end; ++i)
    for (int j = b.begin; j < b.end; ++j) {
      const std::string &p = pair.a[i].letters, &q = pair.b[j].letters;
      if (std::min(code_points(p).size(), code_points(q).size()) >= 4 &&
          calls.evidence.are_same_name(p, q))
        return true;
    }
  return false;
}

}  // namespace

void find_names(Calls& calls) {
  const Pair& pair = calls.pair;
  for (const Slot& slot : pair.slots()) {
    if (!slot.closed || slot.a.empty() || slot.b.empty()) continue;
    const Stretch a = names_of(pair.a, slot.a), b = names_of(pair.b, slot.b);
    if (a.empty() || b.empty() || !calls.free(slot.a, slot.b)) continue;
    if (are_alike(calls, a, b)) {
      calls.add(Kind::name, Verdict::equivalent, 0.8, a, b);
    } else if (slot.tight >= least_name_tight &&
               (pair.sameness() >= least_name_same || slot.tight >= close_name_tight) &&
               are_mostly_names(pair.a, slot.a) && are_mostly_names(pair.b, slot.b)) {
      calls.add(Kind::name, Verdict::contradicted, 0.4 + 0.6 * slot.tight, a, b);
    }
  }
}

}  // namespace otherwords::facts
