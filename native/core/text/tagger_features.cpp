#include "text/tagger_features.hpp"

#include "text/unicode.hpp"

namespace otherwords::tagging {
namespace {

constexpr std::size_t max_shape = 8;

// Digits are made equal and curly apostrophes straight.
constexpr char32_t normalise(char32_t c) {
  if (is_digit(c)) return '0';
  return c == 0x2018 || c == 0x2019 ? U'\'' : c;
}

constexpr char shape_class(char32_t c) {
  if (is_digit(c)) return 'd';
  if (is_upper(c)) return 'X';
  if (is_letter(c)) return 'x';
  return c < 0x80 ? static_cast<char>(c) : '*';
}

// Appends to a running hash the bytes of one code point.
std::uint64_t hash_step(std::uint64_t h, char32_t c) {
  for (unsigned shift = 0; shift < 24; shift += 8)
    h = fnv_step(h, static_cast<unsigned char>(c >> shift));
  return h;
}

// Hashes the classes of characters as they come; a run counts once, and the end of a long
// word not at all.
class Shape {
 public:
  void add(char c) {
    if (c == last_ || length_ == max_shape) return;
    last_ = c;
    ++length_;
    hash_ = fnv_step(hash_, static_cast<unsigned char>(c));
  }
  std::uint64_t hash() const { return mix(hash_); }

 private:
  char last_ = 0;
  std::size_t length_ = 0;
  std::uint64_t hash_ = fnv_basis;
};

}  // namespace

const Word& boundary() {
  static const Word word = [] {
    Word w;
    w.cased = w.folded = w.shape = hash64("\n");
    return w;
  }();
  return word;
}

Lexicon::Lexicon(const LexiconArrays& arrays)
    : arrays_(arrays),
      index_(arrays.word_keys, arrays.word_buckets),
      fine_classes_(arrays.coarser_clusters.size() / (cluster_levels - 1)) {
  const std::size_t words = arrays.word_keys.size();
  if (arrays.word_clusters.size() != words || arrays.word_capitals.size() != words ||
      arrays.word_senses.size() != words ||
      arrays.coarser_clusters.size() != fine_classes_ * (cluster_levels - 1))
    throw std::invalid_argument("tagger: the lexicon's columns do not fit its keys");
  for (const std::uint16_t c : arrays.word_clusters)
    if (c >= fine_classes_) throw std::invalid_argument("tagger: a word cluster is out of range");
}

std::uint64_t fold(std::string_view form) {
  std::uint64_t folded = fnv_basis;
  for (std::size_t at = 0; at < form.size();) {
    const CodePoint c = decode(form, at);
    at += c.size;
    folded = hash_step(folded, normalise(to_lower(c.value)));
  }
  return mix(folded);
}

Word analyse(std::string_view form, const Lexicon& lexicon, std::string& buffer) {
  // The buffer becomes the folded code points, four bytes each, so that suffixes can be
  // hashed from the end.
  buffer.clear();
  Word word;
  Shape shape;
  std::uint64_t cased = fnv_basis, folded = fnv_basis, tail = fnv_basis;
  bool in_tail = false;
  std::size_t length = 0;
  for (std::size_t at = 0; at < form.size(); ++length) {
    const CodePoint c = decode(form, at);
    at += c.size;
    const char32_t low = normalise(to_lower(c.value));
    const bool upper = is_upper(c.value);
    cased = hash_step(cased, normalise(c.value));
    folded = hash_step(folded, low);
    shape.add(shape_class(c.value));
    word.has_upper |= upper;
    word.has_lower |= !upper && is_letter(c.value);
    if (length == 0) word.starts_upper = upper;
    if (length < max_prefix) word.prefix[length] = mix(folded);
    if (low == '-') {
      tail = fnv_basis;
      in_tail = true;
    } else if (in_tail) {
      tail = hash_step(tail, low);
    }
    for (unsigned shift = 0; shift < 32; shift += 8) buffer += static_cast<char>(low >> shift);
  }
  // An affix is shorter than its word.
  for (std::size_t k = 0; k < max_prefix; ++k)
    if (k + 1 >= length) word.prefix[k] = 0;
  std::uint64_t suffix = fnv_basis;
  for (std::size_t k = 0; k < max_suffix && k + 1 < length; ++k) {
    const std::size_t at = 4 * (length - 1 - k);
    for (std::size_t b = 0; b < 3; ++b)
      suffix = fnv_step(suffix, static_cast<unsigned char>(buffer[at + b]));
    word.suffix[k] = mix(suffix);
  }
  word.cased = mix(cased);
  word.folded = mix(folded);
  word.shape = shape.hash();
  if (in_tail && tail != fnv_basis) word.tail = mix(tail);
  word.usage = lexicon.of(word.folded);
  return word;
}

static Casing casing(std::span<const Word* const> words) {
  std::size_t with_letters = 0, capitalised = 0, upper = 0, lower = 0;
  for (const Word* word : words) {
    with_letters += word->has_upper || word->has_lower;
    capitalised += word->starts_upper;
    upper += word->has_upper && !word->has_lower;
    lower += word->has_lower && !word->has_upper;
  }
  if (lower == with_letters) return Casing::lower;
  if (with_letters < 2) return Casing::mixed;
  if (upper == with_letters) return Casing::upper;
  return with_letters >= 4 && capitalised * 10 >= with_letters * 7 ? Casing::title : Casing::mixed;
}

Context make_context(std::span<const Word* const> words) {
  Context context{words, casing(words), 0};
  while (context.first < words.size() && !words[context.first]->has_upper &&
         !words[context.first]->has_lower)
    ++context.first;
  return context;
}

}  // namespace otherwords::tagging
