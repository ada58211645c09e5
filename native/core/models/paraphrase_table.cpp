#include "models/paraphrase_table.hpp"

#include "prefetch.hpp"
#include "require.hpp"
#include "text/unicode.hpp"

namespace otherwords {

ParaphraseTable::ParaphraseTable(const Arrays& arrays)
    : arrays_(arrays), index_(arrays.keys, arrays.buckets) {
  require(arrays.bounds.size() == arrays.keys.size() + 1,
          "paraphrase table: the bounds do not fit the phrases");
  require(arrays.codes.size() == arrays.targets.size(),
          "paraphrase table: the probabilities do not fit the paraphrases");
  require(arrays.longest.size() == 1 && arrays.longest[0] <= longest_phrase,
          "paraphrase table: the length of the phrases is damaged");
}

void ParaphraseTable::find_all(std::span<const std::uint64_t> keys,
                               std::span<std::size_t> phrases) const {
  for (std::size_t i = 0; i < keys.size() + 2 * keys_ahead; ++i) {
    if (i < keys.size()) prefetch(index_.bucket_of(keys[i]));
    if (i >= keys_ahead && i - keys_ahead < keys.size())
      prefetch(index_.keys_of(keys[i - keys_ahead]));
    if (i >= 2 * keys_ahead) phrases[i - 2 * keys_ahead] = find(keys[i - 2 * keys_ahead]);
  }
}

ParaphraseTable::Targets ParaphraseTable::targets(std::size_t phrase) const {
  if (phrase >= size()) return {};
  const std::size_t end = std::min<std::size_t>(arrays_.bounds[phrase + 1], pairs());
  const std::size_t begin = std::min<std::size_t>(arrays_.bounds[phrase], end);
  return {arrays_.targets.data() + begin, arrays_.codes.data() + begin, end - begin};
}

double ParaphraseTable::probability(std::size_t a, std::size_t b) const {
  const Targets found = targets(a);
  const std::uint32_t* end = found.numbers + found.size;
  const std::uint32_t* at = std::lower_bound(found.numbers, end, b);
  return at != end && *at == b ? probability_of(found.codes[at - found.numbers]) : 0;
}

std::size_t normalise_phrase(std::string_view text, std::string& out) {
  out.clear();
  std::size_t words = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode(text, at);
    const bool space = is_space(c.value);
    if (!space && !inside) {
      if (words++ > 0) out += ' ';
    }
    inside = !space;
    const char32_t low = to_lower(c.value);
    if (!space && low == c.value) out.append(text.substr(at, c.size));
    if (!space && low != c.value) append_utf8(out, low);
    at += c.size;
  }
  return words;
}

}  // namespace otherwords
