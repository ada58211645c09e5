#include "metrics/facts/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "hash.hpp"
#include "metrics/facts/words.hpp"
#include "text/unicode.hpp"

namespace otherwords::facts {
namespace {

constexpr float synonym_value = 0.8f, form_value = 0.6f, spelling_value = 0.75f;
constexpr float opposite_value = 0.65f, least_pivot = 0.01f, name_pivot = 0.1f;
constexpr float too_alike = 0.6f;  // for words that are only near antonyms
constexpr std::size_t remembered = 20'000;
constexpr double running_text = 16;  // words per "the"

std::size_t shared_start(std::u32string_view a, std::u32string_view b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

// Whether one is the other with a negating prefix, or -less against -ful.
bool is_negated_form(std::string_view a, std::string_view b) {
  if (a.size() == b.size()) return false;
  const auto [shorter, longer] = a.size() < b.size() ? std::pair{a, b} : std::pair{b, a};
  if (shorter.size() < 4) return false;
  for (const std::string_view prefix : {"un", "in", "im", "ir", "il", "dis", "non", "mis"}) {
    if (!longer.starts_with(prefix)) continue;
    std::string_view rest = longer.substr(prefix.size());
    while (rest.starts_with('-')) rest.remove_prefix(1);
    if (rest == shorter) return true;
  }
  const auto stem = [](std::string_view word, std::size_t ending) {
    return word.substr(0, word.size() - ending);
  };
  if (longer.ends_with("less") && shorter.ends_with("ful"))
    return stem(longer, 4) == stem(shorter, 3);
  return longer.ends_with("ful") && shorter.ends_with("less") &&
         stem(longer, 3) == stem(shorter, 4);
}

bool exclude(const Lists& lists, std::string_view a, std::string_view b) {
  const auto mine = lists.category(a), theirs = mine ? lists.category(b) : std::nullopt;
  return theirs && mine->name == theirs->name && mine->word != theirs->word;
}

// Whether the words share a long beginning (decide, decision; Italy, Italian).
bool same_root(const Lists& lists, const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  if (lists.are_nation(a, b)) return true;
  if (a[0] == '#' || std::string_view(a).substr(0, 4) != std::string_view(b).substr(0, 4))
    return false;
  const std::u32string x = code_points(a), y = code_points(b);
  const auto shared = static_cast<double>(shared_start(x, y));
  return shared >= 4 && shared >= 0.6 * static_cast<double>(std::max(x.size(), y.size())) - 1;
}

}  // namespace

bool has_digit(std::string_view word) {
  return std::ranges::any_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

std::u32string code_points(std::string_view text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode(text, at);
    out += c.value;
    at += c.size;
  }
  return out;
}

int edits(std::u32string_view a, std::u32string_view b, int limit) {
  const std::size_t width = b.size() + 1;
  std::vector<int> before(width), row(width), here(width);
  for (std::size_t j = 0; j < width; ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    here[0] = static_cast<int>(i);
    int least = here[0];
    for (std::size_t j = 1; j < width; ++j) {
      int cost = std::min({row[j] + 1, here[j - 1] + 1, row[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost = std::min(cost, before[j - 2] + 1);
      here[j] = cost;
      least = std::min(least, cost);
    }
    if (least > limit) return limit + 1;
    before.swap(row);
    row.swap(here);
  }
  return std::min(row.back(), limit + 1);
}

Information::Information(std::span<const PivotTable* const> pivots)
    : pivots_(pivots.begin(), pivots.end()) {
  double count = 0;
  for (const PivotTable* table : pivots_) count += table->find(hash64("the")).count;
  total_ = running_text * std::max(count, 1.0);
}

double Information::of(std::uint64_t stem) const {
  double count = 0;
  for (const PivotTable* table : pivots_) count += table->find(stem).count;
  return std::log(total_ / std::max(count, 1.0));
}

int Antonyms::of(std::string_view a, std::string_view b) const {
  std::string pair(std::min(a, b));
  pair += ' ';
  pair += std::max(a, b);
  const auto key = static_cast<std::uint32_t>(hash64(pair) >> 32);
  if (std::ranges::binary_search(direct, key)) return 2;
  return std::ranges::binary_search(near, key) ? 1 : 0;
}

void Evidence::trim() {
  if (stems_.size() > remembered) stems_.clear();
  if (known_.size() > remembered) known_.clear();
}

const Evidence::Entries& Evidence::entries(const Unit& unit) {
  const auto [found, added] = stems_.try_emplace(unit.stem_hash);
  if (added)
    for (const PivotTable* table : models_.pivots)
      found->second.push_back(table->find(unit.stem_hash));
  return found->second;
}

Profile Evidence::profile(const Side& side, int unit) {
  const Unit& one = side[unit];
  const Lists& lists = models_.lists;
  return {&one,
          &entries(one),
          models_.lexicon.find(one.lemma_hash),
          side.is_name(unit),
          lists.has_opposite(one.lemma) || lists.has_opposite(one.word),
          lists.is_quantity(one.lemma),
          lists.category(one.lemma).has_value()};
}

// The mean of p(b|a) and p(a|b), averaged over the pivot languages.
float Evidence::pivot(const Profile& a, const Profile& b) const {
  double sum = 0;
  for (std::size_t k = 0; k < models_.pivots.size(); ++k) {
    const PivotTable::Entry &x = (*a.entries)[k], &y = (*b.entries)[k];
    if (!x.found() || !y.found()) continue;
    const double there = models_.pivots[k]->paraphrase_probability(x, y);
    if (there > 0) sum += (there + models_.pivots[k]->paraphrase_probability(y, x)) / 2;
  }
  const std::size_t tables = std::max<std::size_t>(models_.pivots.size(), 1);
  return static_cast<float>(sum / static_cast<double>(tables));
}

Found Evidence::of(const Profile& a, const Profile& b) {
  if (has_digit(a.unit->word) && has_digit(b.unit->word)) return {};  // other digits, other thing
  const std::string &one = a.unit->lemma, &other = b.unit->lemma;
  Found found;
  const auto take = [&](float value, Likeness kind) {
    if (value > found.similarity) found = {value, kind};
  };
  if (same_root(models_.lists, one, other)) take(form_value, Likeness::form);
  const float shared = pivot(a, b);
  if (shared >= least_pivot) take(0.5f + 0.5f * std::sqrt(shared), Likeness::pivot);
  if (a.lemma != HashIndex::npos && b.lemma != HashIndex::npos &&
      models_.lexicon.share_synonym(a.lemma, b.lemma))
    take(synonym_value, Likeness::synonym);
  if (a.is_name && b.is_name && found.kind != Likeness::synonym && shared < name_pivot &&
      !are_same_name(a.unit->letters, b.unit->letters))
    found = {};
  if (is_misspelt(*a.unit, a.is_name, *b.unit, b.is_name)) take(spelling_value, Likeness::spelling);
  const int level = opposed(a, b);
  const bool synonym = found.kind == Likeness::synonym;
  const bool weak = level == 1 && (synonym || found.similarity > too_alike);
  if (level > 0 && !weak && !(synonym && level < 3)) found = {opposite_value, Likeness::opposite};
  return found;
}

// 3 by our own scales, negated forms and exclusive categories; 2 and 1 by WordNet.
int Evidence::opposed(const Profile& a, const Profile& b) const {
  const Unit &x = *a.unit, &y = *b.unit;
  const Lists& lists = models_.lists;
  if (a.has_opposite && b.has_opposite &&
      (lists.are_opposites(x.lemma, y.lemma) || lists.are_opposites(x.word, y.lemma) ||
       lists.are_opposites(x.lemma, y.word) || lists.are_opposites(x.word, y.word)))
    return 3;
  if (is_negated_form(x.lemma, y.lemma)) return 3;
  if (a.has_category && b.has_category && exclude(lists, x.lemma, y.lemma)) return 3;
  if (a.is_quantity || b.is_quantity) return 0;  // they have a scale of their own
  return models_.antonyms.of(x.lemma, y.lemma);
}

bool Evidence::is_misspelt(const Unit& a, bool a_is_name, const Unit& b, bool b_is_name) {
  if (a_is_name != b_is_name || std::min(a.word.size(), b.word.size()) < 3) return false;
  if (a.word[0] == '#' || b.word[0] == '#' || knows(a) == knows(b)) return false;
  const std::u32string x = code_points(a.word), y = code_points(b.word);
  const std::size_t longest = std::max(x.size(), y.size()), shortest = std::min(x.size(), y.size());
  if (shortest < 3 || longest - shortest > 2) return false;
  const int limit = longest < 6 ? 1 : 2;
  const std::set<char32_t> mine(x.begin(), x.end()), theirs(y.begin(), y.end());
  const auto common = std::ranges::count_if(mine, [&](char32_t c) { return theirs.contains(c); });
  if (common < static_cast<std::ptrdiff_t>(std::min(mine.size(), theirs.size())) - limit)
    return false;
  if (edits(x, y, limit) > limit) return false;
  return !(a_is_name && b_is_name) || are_same_name(a.letters, b.letters);
}

bool Evidence::knows(const Unit& unit) {
  const auto [found, added] = known_.try_emplace(unit.word_hash ^ (unit.lemma_hash << 1));
  if (!added) return found->second;
  std::string lower;
  lower_into(unit.lemma, lower);
  bool known = models_.lexicon.find(hash64(lower)) != HashIndex::npos;
  lower_into(unit.word, lower);
  known = known || models_.lexicon.find(hash64(lower)) != HashIndex::npos;
  known = known || std::ranges::any_of(entries(unit), [](const PivotTable::Entry& entry) {
            return entry.count >= 3;
          });
  found->second = known;
  return known;
}

bool Evidence::are_same_name(std::string_view a, std::string_view b) const {
  if (a == b || models_.lists.are_nation(a, b)) return true;
  const std::u32string x = code_points(a), y = code_points(b);
  const std::size_t shared = shared_start(x, y), longest = std::max(x.size(), y.size());
  if (shared >= 4 && longest - shared <= 3) return true;
  if (shared == 0) return false;
  int limit = longest < 5 ? 0 : longest < 9 ? 1 : 2;
  if (std::min(x.size(), y.size()) + 1 < longest) limit = std::min(limit, 1);
  return edits(x, y, limit) <= limit;
}

}  // namespace otherwords::facts
