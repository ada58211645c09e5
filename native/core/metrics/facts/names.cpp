// Names: another name in the same place contradicts.
#include <algorithm>
#include <string>

#include "metrics/facts/kinds.hpp"
#include "text/unicode.hpp"

namespace otherwords::facts {
namespace {

constexpr double least_name_tight = 0.5, close_name_tight = 0.83;
constexpr double least_mention_same = 0.8, least_mention_context = 0.66;
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

std::string joined(const Side& side, Stretch units) {
  std::string out;
  for (int unit = units.begin; unit < units.end; ++unit) out += side[unit].form;
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
  const std::string one = joined(pair.a, a), other = joined(pair.b, b);
  if (initials(pair.a, a) == without_dots(other) || initials(pair.b, b) == without_dots(one))
    return true;
  const std::string x = calls.evidence.folded(one), y = calls.evidence.folded(other);
  if (x.find(y) != std::string::npos || y.find(x) != std::string::npos) return true;
  if (calls.evidence.are_same_name(x, y)) return true;
  for (int i = a.begin; i < a.end; ++i)
    for (int j = b.begin; j < b.end; ++j) {
      const std::string &p = pair.a[i].form, &q = pair.b[j].form;
      if (std::min(code_points(p).size(), code_points(q).size()) >= 4 &&
          calls.evidence.are_same_name(p, q))
        return true;
    }
  return false;
}

bool has_other(const Side& side, int unit, const Unit& word) {
  for (int other = 0; other < side.size(); ++other)
    if (other != unit && side[other].lemma_hash == word.lemma_hash) return true;
  return false;
}

// Another of the things that both texts name: the driver of the van, the driver of the bus.
void find_mentions(Calls& calls) {
  const Pair& pair = calls.pair;
  if (pair.sameness() < least_mention_same) return;
  const auto call = [&](int i, int j) {
    const Unit &one = pair.a[i], &other = pair.b[j];
    if (!pair.a.tagged(i, "NN") || !pair.b.tagged(j, "NN") || !one.content || !other.content) return;
    if (one.lemma_hash == other.lemma_hash || !calls.free(i, j)) return;
    if (!has_other(pair.a, i, other) || !has_other(pair.b, j, one)) return;
    if (pair.context(i, j) >= least_mention_context)
      calls.add(Kind::roles, Verdict::contradicted, 0.8, one_unit(i), one_unit(j));
  };
  for (const Slot& slot : pair.slots())
    if (slot.closed && slot.a.size() == 1 && slot.b.size() == 1) call(slot.a.begin, slot.b.begin);
  for (int i = 0; i < pair.a.size(); ++i)
    if (pair.to_b(i) >= 0 && !pair.is_same_word(i)) call(i, pair.to_b(i));
}

}  // namespace

void find_names(Calls& calls) {
  const Pair& pair = calls.pair;
  find_mentions(calls);
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
