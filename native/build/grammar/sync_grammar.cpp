#include "grammar/sync_grammar.hpp"

#include "hash.hpp"

namespace otherwords {

NameTable::NameTable(std::span<const std::uint64_t> keys, std::span<const std::uint32_t> buckets,
                     std::span<const std::uint32_t> numbers, std::span<const std::uint8_t> bytes,
                     std::span<const std::int64_t> bounds)
    : index_(keys, buckets), numbers_(numbers), bytes_(bytes), bounds_(bounds) {
  if (keys.size() != numbers.size() || bounds.size() != numbers.size() + 1 ||
      numbers.size() >= unknown)
    throw std::invalid_argument("the names of a grammar do not fit each other");
}

std::string_view NameTable::operator[](std::size_t number) const {
  if (number >= size()) throw DamagedGrammar();
  const std::int64_t begin = bounds_[number], end = bounds_[number + 1];
  if (begin < 0 || begin > end || static_cast<std::size_t>(end) > bytes_.size())
    throw DamagedGrammar();
  return {reinterpret_cast<const char*>(bytes_.data()) + begin,
          static_cast<std::size_t>(end - begin)};
}

std::uint32_t NameTable::find(std::string_view text) const {
  const std::size_t place = index_.find(hash64(text));
  if (place == HashIndex::npos) return unknown;
  return (*this)[numbers_[place]] == text ? numbers_[place] : unknown;
}

SyncGrammar::SyncGrammar(const NameTable& words, const NameTable& labels, const Arrays& arrays)
    : words_(words), labels_(labels), arrays_(arrays) {
  if (arrays.source_starts.size() != words.size() + 2 ||
      arrays.group_starts.size() != arrays.group_targets.size() + 1 ||
      arrays.source_words.size() != words.size())
    throw std::invalid_argument("the arrays of a grammar do not fit each other");
}

RuleRecord SyncGrammar::rule(std::size_t number) const {
  const std::uint64_t place = arrays_.places[number];
  if (place > arrays_.records.size()) throw DamagedGrammar();
  return RuleRecord::at(arrays_.records.subspan(place));
}

}  // namespace otherwords
