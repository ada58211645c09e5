#include "text/lexicon.hpp"

#include "hash.hpp"

namespace otherwords {
namespace {

struct Detachment {
  std::string_view ending;
  std::string_view replacement;
};

// morph.c: the endings of each part of speech, in the order in which they are tried.
constexpr Detachment noun_endings[] = {{"s", ""},     {"ses", "s"},   {"xes", "x"},
                                       {"zes", "z"},  {"ches", "ch"}, {"shes", "sh"},
                                       {"men", "man"}, {"ies", "y"}};
constexpr Detachment verb_endings[] = {{"s", ""},   {"ies", "y"}, {"es", "e"},   {"es", ""},
                                       {"ed", "e"}, {"ed", ""},   {"ing", "e"}, {"ing", ""}};
constexpr Detachment adjective_endings[] = {{"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}};

std::span<const Detachment> endings_of(WordClass word_class) {
  switch (word_class) {
    case WordClass::noun: return noun_endings;
    case WordClass::verb: return verb_endings;
    case WordClass::adjective:
    case WordClass::adverb: return adjective_endings;
    default: return {};
  }
}

// WordNet's letter of the class. In capitals the table has our own list of forms
// (tools/clitics.tsv), which holds for every word of the class, inflected or not.
char letter_of(WordClass word_class) {
  switch (word_class) {
    case WordClass::noun: return 'n';
    case WordClass::verb: return 'v';
    case WordClass::adjective: return 'a';
    case WordClass::adverb: return 'r';
    default: return 'o';
  }
}

void check_bounds(std::span<const std::uint32_t> bounds, std::size_t count, std::size_t total) {
  if (bounds.size() != count + 1 || bounds.front() != 0 || bounds.back() != total)
    throw std::invalid_argument("lexicon: bounds do not fit their table");
  for (std::size_t i = 0; i < count; ++i)
    if (bounds[i] > bounds[i + 1]) throw std::invalid_argument("lexicon: bounds are not in order");
}

// The plural of a noun or third person of a verb that WordNet does not have: spelling alone.
bool strip_unknown_s(std::string_view word, std::string& lemma) {
  const auto ends = [&](std::string_view ending) {
    return word.size() > ending.size() + 1 && word.ends_with(ending);
  };
  if (!ends("s") || ends("ss") || ends("us") || ends("is")) return false;
  if (ends("ies"))
    lemma.assign(word.substr(0, word.size() - 3)).append("y");
  else if (ends("sses") || ends("ches") || ends("shes") || ends("xes") || ends("zes"))
    lemma.assign(word.substr(0, word.size() - 2));
  else
    lemma.assign(word.substr(0, word.size() - 1));
  return true;
}

}  // namespace

Inflection Inflection::of_tag(std::string_view tag) {
  if (tag.starts_with("NN")) return {WordClass::noun, tag.ends_with('S')};
  if (tag == "MD" || tag == "VB" || tag == "VBP") return {WordClass::verb, false, tag == "VBP"};
  if (tag.starts_with("VB")) return {WordClass::verb, true};
  if (tag.starts_with("JJ")) return {WordClass::adjective, tag.size() > 2};
  if (tag.starts_with("RB")) return {WordClass::adverb, tag.size() > 2};
  return {};
}

Lexicon::Lexicon(const Arrays& arrays)
    : arrays_(arrays),
      words_(arrays.words, arrays.word_buckets),
      exceptions_(arrays.exceptions, arrays.exception_buckets) {
  if (arrays.classes.size() != arrays.words.size())
    throw std::invalid_argument("lexicon: classes do not fit the words");
  check_bounds(arrays.synonym_bounds, arrays.words.size(), arrays.synonyms.size());
  check_bounds(arrays.exception_bounds, arrays.exceptions.size(), arrays.lemmas.size());
  signatures_.reserve(arrays.words.size());
  for (std::size_t word = 0; word < arrays.words.size(); ++word) {
    Signature signature{};
    for (std::uint32_t synonym : synonyms(word)) {
      const std::uint64_t bit = mix(synonym);
      signature[(bit >> 6) & 3] |= 1ULL << (bit & 63);
    }
    signatures_.push_back(signature);
  }
}

bool Lexicon::has(std::string_view lower, WordClass word_class) const {
  const std::size_t word = words_.find(hash64(lower));
  return word != HashIndex::npos &&
         (arrays_.classes[word] & static_cast<std::uint8_t>(word_class)) != 0;
}

bool Lexicon::share_synonym(std::size_t a, std::size_t b) const {
  // Sets that share a word share its bit; most pairs of words end here.
  std::uint64_t common = 0;
  for (std::size_t part = 0; part < 4; ++part) common |= signatures_[a][part] & signatures_[b][part];
  if (common == 0) return false;
  const auto left = synonyms(a), right = synonyms(b);
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    if (left[i] == right[j]) return true;
    left[i] < right[j] ? ++i : ++j;
  }
  return false;
}

void Lexicon::lemmatize(std::string_view lower, Inflection inflection, std::string& lemma,
                        bool wordnet_alone) const {
  const auto [word_class, inflected, present] = inflection;
  const char letter = letter_of(word_class);
  if (wordnet_alone) {
    const bool listed = (inflected || present) && exception(letter, lower, lemma);
    const bool has_endings = inflected && word_class != WordClass::adverb;
    if (!listed && !(has_endings && detach(lower, word_class, lemma))) lemma.assign(lower);
    return;
  }
  if (exception(static_cast<char>(letter - 'a' + 'A'), lower, lemma)) return;
  if (inflected && (exception(letter, lower, lemma) || detach(lower, word_class, lemma))) return;
  const bool adds_s = word_class == WordClass::noun || word_class == WordClass::verb;
  if (inflected && adds_s && !has(lower, word_class) && strip_unknown_s(lower, lemma)) return;
  lemma.assign(lower);
}

bool Lexicon::exception(char letter, std::string_view lower, std::string& lemma) const {
  std::uint64_t h = fnv_step(fnv_basis, static_cast<unsigned char>(letter));
  h = fnv_step(h, ' ');
  for (char c : lower) h = fnv_step(h, static_cast<unsigned char>(c));
  const std::size_t found = exceptions_.find(mix(h));
  if (found == HashIndex::npos) return false;
  const std::size_t begin = arrays_.exception_bounds[found];
  lemma.assign(reinterpret_cast<const char*>(arrays_.lemmas.data()) + begin,
               arrays_.exception_bounds[found + 1] - begin);
  return true;
}

bool Lexicon::detach(std::string_view lower, WordClass word_class, std::string& lemma) const {
  if (word_class == WordClass::noun && (lower.ends_with("ss") || lower.size() <= 2)) return false;
  for (const auto& [ending, replacement] : endings_of(word_class)) {
    if (!lower.ends_with(ending)) continue;
    lemma.assign(lower.substr(0, lower.size() - ending.size())).append(replacement);
    if (!lemma.empty() && has(lemma, word_class)) return true;
  }
  return false;
}

}  // namespace otherwords
