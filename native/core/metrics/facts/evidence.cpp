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
constexpr float opposite_value = 0.65f, pole_value = 0.7f, vector_share = 0.9f;
constexpr float least_cosine = 0.42f, least_pivot = 0.01f, name_pivot = 0.1f;
constexpr float too_alike = 0.6f;  // for words that are only near antonyms
constexpr std::size_t remembered = 20'000;

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

bool exclude(std::string_view a, std::string_view b) {
  const auto mine = category(a), theirs = mine ? category(b) : std::nullopt;
  return theirs && mine->name == theirs->name && mine->word != theirs->word;
}

// Whether the words share a long beginning (decide, decision; Italy, Italian).
bool same_root(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  if (a[0] != b[0] || a[0] == '#') return nations().has(a, b);
  if (std::string_view(a).substr(0, 4) != std::string_view(b).substr(0, 4))
    return nations().has(a, b);
  if (nations().has(a, b)) return true;
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

StemVectors::StemVectors(const Arrays& arrays) : arrays_(arrays) {
  if (arrays.steps.empty() || arrays.codes.size() != arrays.keys.size() * (arrays.steps.size() / 2) ||
      arrays.counts.size() != arrays.keys.size())
    throw std::invalid_argument("vectors: the arrays do not fit each other");
}

std::size_t StemVectors::find(std::uint64_t hash) const {
  const auto wanted = static_cast<std::uint32_t>(hash >> 32);
  const auto place = std::ranges::lower_bound(arrays_.keys, wanted);
  if (place == arrays_.keys.end() || *place != wanted) return npos;
  return static_cast<std::size_t>(place - arrays_.keys.begin());
}

void StemVectors::unit_vector(std::size_t place, float* out) const {
  const std::size_t half = dimensions() / 2;
  float sum = 0;
  for (std::size_t k = 0; k < half; ++k) {
    const std::uint8_t code = arrays_.codes[place * half + k];
    out[2 * k] = (static_cast<float>(code / 16) - 7.5f) * arrays_.steps[2 * k];
    out[2 * k + 1] = (static_cast<float>(code % 16) - 7.5f) * arrays_.steps[2 * k + 1];
    sum += out[2 * k] * out[2 * k] + out[2 * k + 1] * out[2 * k + 1];
  }
  const float length = std::max(std::sqrt(sum), 1e-12f);
  for (std::size_t k = 0; k < dimensions(); ++k) out[k] /= length;
}

double StemVectors::of(std::string_view stem) const {
  const std::size_t place = find(hash64(stem));
  const double count = place == npos ? 1.0 : std::exp2(arrays_.counts[place] / 8.0);
  return std::log(arrays_.total / count);
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
  if (forms_.size() > remembered) forms_.clear();
  if (known_.size() > remembered) known_.clear();
}

const Evidence::Stem& Evidence::stem(const Unit& unit) {
  const auto [found, added] = stems_.try_emplace(unit.stem_hash);
  Stem& made = found->second;
  if (added) {
    for (const PivotTable* table : models_.pivots)
      made.entries.push_back(table->find(unit.stem_hash));
    const std::size_t place = models_.vectors.find(unit.stem_hash);
    if (place != StemVectors::npos) {
      made.vector.resize(models_.vectors.dimensions());
      models_.vectors.unit_vector(place, made.vector.data());
    }
  }
  return made;
}

const std::vector<float>& Evidence::form(std::uint64_t hash, std::string_view word) {
  const auto [found, added] = forms_.try_emplace(hash);
  if (added) {
    found->second.resize(models_.encoder.dimensions());
    models_.encoder.pieces().split(word, pieces_, scratch_);
    models_.encoder.pool(pieces_, found->second.data());
  }
  return found->second;
}

double Evidence::cosine(const std::vector<float>& a, const std::vector<float>& b) const {
  return a == b ? 1.0 : static_cast<double>(models_.encoder.cosine(a.data(), b.data()));
}

double Evidence::relatedness(std::string_view word, const std::vector<std::string_view>& words) {
  if (words.empty()) return 0.0;
  const std::vector<float>& mine = form(hash64(word), word);
  double best = -1.0;
  for (const std::string_view other : words)
    best = std::max(best, cosine(mine, form(hash64(other), other)));
  return best;
}

Profile Evidence::profile(const Side& side, int unit) {
  const Unit& one = side[unit];
  const Stem& known = stem(one);
  return {&one,
          &known.entries,
          &known.vector,
          &form(one.word_hash, one.word),
          models_.lexicon.find(one.lemma_hash),
          side.is_name(unit),
          facts::has_pole(one.lemma) || facts::has_pole(one.word),
          facts::is_quantity(one.lemma),
          category(one.lemma).has_value()};
}

// The higher of the cosines of stems and of forms.
float Evidence::alikeness(const Profile& a, const Profile& b) const {
  float stems = 0;
  if (!a.stem->empty() && !b.stem->empty())
    for (std::size_t k = 0; k < a.stem->size(); ++k) stems += (*a.stem)[k] * (*b.stem)[k];
  return std::max(stems, static_cast<float>(cosine(*a.form, *b.form)));
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
  const float alike = alikeness(a, b);
  if (alike >= least_cosine) take(vector_share * alike, Likeness::vector);
  if (same_root(one, other)) take(form_value, Likeness::form);
  const float shared = pivot(a, b);
  if (shared >= least_pivot) take(0.5f + 0.5f * std::sqrt(shared), Likeness::pivot);
  if (a.lemma != HashIndex::npos && b.lemma != HashIndex::npos &&
      models_.lexicon.share_synonym(a.lemma, b.lemma))
    take(synonym_value, Likeness::synonym);
  if (a.has_pole && b.has_pole && share_pole(one, other)) take(pole_value, Likeness::synonym);
  if (a.is_name && b.is_name && found.kind != Likeness::synonym && shared < name_pivot &&
      !are_same_name(a.unit->word, b.unit->word))
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
  if (a.has_pole && b.has_pole &&
      (are_poles(x.lemma, y.lemma) || are_poles(x.word, y.lemma) || are_poles(x.lemma, y.word) ||
       are_poles(x.word, y.word)))
    return 3;
  if (is_negated_form(x.lemma, y.lemma)) return 3;
  if (a.has_category && b.has_category && exclude(x.lemma, y.lemma)) return 3;
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
  return !(a_is_name && b_is_name) || are_same_name(a.word, b.word);
}

bool Evidence::knows(const Unit& unit) {
  const auto [found, added] = known_.try_emplace(unit.word_hash ^ (unit.lemma_hash << 1));
  if (!added) return found->second;
  std::string lower;
  lower_into(unit.lemma, lower);
  bool known = models_.lexicon.find(hash64(lower)) != HashIndex::npos;
  lower_into(unit.word, lower);
  known = known || models_.lexicon.find(hash64(lower)) != HashIndex::npos;
  known = known || std::ranges::any_of(stem(unit).entries, [](const PivotTable::Entry& entry) {
            return entry.count >= 3;
          });
  found->second = known;
  return known;
}

std::string Evidence::folded(std::string_view name) {
  std::string out;
  if (std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    for (const char c : name)
      if (is_alphanumeric(static_cast<unsigned char>(c))) out += static_cast<char>(to_lower(c));
    return out;
  }
  models_.encoder.pieces().split(name, pieces_, scratch_);
  for (std::size_t at = 0; at < scratch_.folded.size();) {
    const CodePoint c = decode(scratch_.folded, at);
    if (is_alphanumeric(c.value)) append_utf8(out, c.value);
    at += c.size;
  }
  return out;
}

bool Evidence::are_same_name(std::string_view one, std::string_view other) {
  const std::string a = folded(one), b = folded(other);
  if (a == b || nations().has(a, b)) return true;
  const std::u32string x = code_points(a), y = code_points(b);
  const std::size_t shared = shared_start(x, y), longest = std::max(x.size(), y.size());
  if (shared >= 4 && longest - shared <= 3) return true;
  if (shared == 0) return false;
  int limit = longest < 5 ? 0 : longest < 9 ? 1 : 2;
  if (std::min(x.size(), y.size()) + 1 < longest) limit = std::min(limit, 1);
  return edits(x, y, limit) <= limit;
}

}  // namespace otherwords::facts
