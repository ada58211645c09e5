#include "metrics/facts/comparison.hpp"

#include <algorithm>
#include <tuple>

#include "metrics/facts/kinds.hpp"

namespace otherwords::facts {
namespace {

constexpr double least_contradicted = 1.0;  // content that a contradiction costs at least
constexpr double least_hole = 0.3;          // and words that are missing or added
constexpr double strong_contradiction = 0.8;  // of a contradiction
constexpr double sure_weight = 0.5;         // of what is missing or added
constexpr double certain_weight = 0.95;  // of omissions and additions that are decisive

// Ways to lose content; the first columns of the features.
enum Share { contradicted, missing, added, unknown, shares };

double content_of(const Side& side, Stretch units) {
  double sum = 0;
  for (int unit = units.begin; unit < units.end; ++unit) sum += side[unit].weight;
  return sum;
}

int share_of(const Finding& finding) {
  switch (finding.verdict) {
    case Verdict::contradicted: return contradicted;
    case Verdict::missing: return missing;
    case Verdict::added: return added;
    case Verdict::unknown: return unknown;
    case Verdict::equivalent: return -1;
  }
  return -1;
}

// Words without a link count the more the less the two texts have in common: of unrelated texts
// all is lost.
double lost_weight(const Finding& finding, const Pair& pair) {
  if (finding.kind != Kind::words || finding.verdict == Verdict::equivalent) return finding.weight;
  return std::max(finding.weight, pair.unlinked());
}

bool is_decisive(const Finding& finding) {
  if (finding.verdict == Verdict::contradicted) return true;
  const bool hole = finding.verdict == Verdict::missing || finding.verdict == Verdict::added;
  return hole && finding.kind == Kind::words && finding.weight >= certain_weight;
}

bool is_value(Kind kind) {
  return kind == Kind::number || kind == Kind::date || kind == Kind::unit || kind == Kind::name;
}

bool is_polarity(Kind kind) {
  return kind == Kind::negation || kind == Kind::antonym || kind == Kind::quantifier ||
         kind == Kind::modality || kind == Kind::tense;
}

Features features_of(const Pair& pair, const std::vector<Finding>& findings) {
  std::array<double, shares> lost{};
  double decisive = 0, strong = 0, weak = 0, values = 0, polarity = 0;
  double hole = 0, surplus = 0, equivalent = 0;
  for (const Finding& finding : findings) {
    const double content = content_of(pair.a, finding.a) + content_of(pair.b, finding.b);
    if (const int share = share_of(finding); share >= 0) {
      const double least = finding.verdict == Verdict::contradicted ? least_contradicted
                           : finding.verdict == Verdict::unknown    ? 0.0
                                                                    : least_hole;
      lost[static_cast<std::size_t>(share)] +=
          lost_weight(finding, pair) * std::max(content, least);
    }
    decisive += is_decisive(finding);
    if (finding.verdict == Verdict::contradicted) {
      (finding.weight >= strong_contradiction ? strong : weak) += 1;
      values += is_value(finding.kind);
      polarity += is_polarity(finding.kind);
    }
    if (finding.verdict == Verdict::missing && finding.weight >= sure_weight) hole += content;
    if (finding.verdict == Verdict::added && finding.weight >= sure_weight) surplus += content;
    if (finding.verdict == Verdict::equivalent) equivalent += content;
  }
  const double both = pair.a.total + pair.b.total;
  double everything = 0;
  for (const double one : lost) everything += one;
  everything = std::max(everything, both);
  if (everything > 0)
    for (double& one : lost) one /= everything;
  return {lost[contradicted], lost[missing], lost[added], lost[unknown], decisive, strong, weak,
          values, polarity, hole, surplus, both > 0 ? equivalent / both : 0.0, pair.sameness()};
}

// In the order of the hypothesis.
void sort(std::vector<Finding>& findings, const Side& a, const Side& b, bool swapped) {
  const auto characters = [](const Side& side, Stretch units) {
    if (units.begin < units.end) return std::pair(side[units.begin].begin, side[units.end - 1].end);
    const std::uint32_t place = units.begin > 0 ? side[units.begin - 1].end : 0;
    return std::pair(place, place);
  };
  const auto key = [&](const Finding& one) {
    const auto x = characters(a, one.a), y = characters(b, one.b);
    const auto name = kind_names[static_cast<std::size_t>(one.kind)];
    return swapped ? std::tuple(y, x, name) : std::tuple(x, y, name);
  };
  std::ranges::stable_sort(findings, std::less<>(), key);
}

}  // namespace

Compared compare(const Side& a, const Side& b, bool swapped, bool letter_case,
                 Evidence& evidence) {
  Pair pair(a, b);
  align(pair, evidence);
  Calls calls(pair, evidence);
  pair.settle();
  find_quantities(calls);
  find_names(calls);
  find_quantifiers(calls);
  find_negations(calls);
  find_roles(calls);
  find_antonyms(calls);
  find_modality(calls);
  if (letter_case) find_capitals(calls);
  find_remainder(calls);
  const auto turn = [&](Finding& finding) {
    if (!swapped) return;
    if (finding.verdict == Verdict::missing)
      finding.verdict = Verdict::added;
    else if (finding.verdict == Verdict::added)
      finding.verdict = Verdict::missing;
  };
  for (Finding& finding : calls.findings) turn(finding);
  Compared compared{{}, features_of(pair, calls.findings)};
  sort(calls.findings, a, b, swapped);
  compared.findings = std::move(calls.findings);
  return compared;
}

}  // namespace otherwords::facts
