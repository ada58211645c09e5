#include "phrases/extract.hpp"

#include "hash.hpp"
#include "phrases/spans.hpp"

namespace otherwords {
namespace {

using Phrase = std::span<const std::uint32_t>;

// Numbers the different phrases in the order in which they come.
class PhraseIndex {
 public:
  std::int32_t number(Phrase phrase) {
    if (2 * phrases_.size() >= slots_.size()) grow();
    const std::uint64_t hash = hash_of(phrase);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
      const std::int32_t entry = slots_[slot];
      if (entry < 0) {
        slots_[slot] = static_cast<std::int32_t>(phrases_.size());
        phrases_.push_back(phrase);
        hashes_.push_back(hash);
        return slots_[slot];
      }
      if (hashes_[entry] == hash && std::ranges::equal(phrases_[entry], phrase)) return entry;
    }
  }

  Phrase operator[](std::int32_t number) const { return phrases_[number]; }
  const std::vector<Phrase>& phrases() const { return phrases_; }

 private:
  static std::uint64_t hash_of(Phrase phrase) {
    std::uint64_t hash = fnv_basis;
    for (const std::uint32_t word : phrase) hash = mix(hash ^ word) + word;
    return hash;
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(1024, 2 * slots_.size()), -1);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t entry = 0; entry < phrases_.size(); ++entry) {
      std::size_t slot = hashes_[entry] & mask;
      while (slots_[slot] >= 0) slot = (slot + 1) & mask;
      slots_[slot] = static_cast<std::int32_t>(entry);
    }
  }

  std::vector<std::int32_t> slots_;
  std::vector<Phrase> phrases_;
  std::vector<std::uint64_t> hashes_;
};

// Calls emit(left phrase, right phrase, links) for every phrase pair of a sentence, where a
// phrase is its place and length in the tokens of its side.
class PairFinder {
 public:
  PairFinder(const Aligned& text, std::int32_t longest) : text_(text), longest_(longest) {}

  template <typename Emit>
  void sentence(std::size_t s, Emit emit) {
    spans_.load(text_, s);
    find_links(s);
    const std::size_t left = text_.left.begin(s), right = text_.right.begin(s);
    spans_.all(longest_, [&](const Box& box) {
      emit(text_.left.tokens.subspan(left + box.left_begin, box.left_end - box.left_begin + 1),
           text_.right.tokens.subspan(right + box.right_begin, box.right_end - box.right_begin + 1),
           links_inside(box));
    });
  }

 private:
  void find_links(std::size_t s) {
    starts_.assign(text_.left.length(s) + 1, 0);
    const std::size_t end = text_.links.end(s);
    std::size_t link = text_.links.begin(s);
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      while (link < end && text_.links.left[link] < i) ++link;
      starts_[i] = link;
    }
  }

  // The box is consistent: a link of one of its left words is inside it.
  std::uint64_t links_inside(const Box& box) const {
    std::uint64_t links = 0;
    for (std::size_t k = starts_[box.left_begin]; k < starts_[box.left_end + 1]; ++k) {
      const std::uint32_t s = text_.links.left[k] - static_cast<std::uint32_t>(box.left_begin);
      const std::uint32_t t = text_.links.right[k] - static_cast<std::uint32_t>(box.right_begin);
      links |= std::uint64_t{1} << (longest_phrase * t + s);
    }
    return links;
  }

  const Aligned& text_;
  std::int32_t longest_;
  SpanFinder spans_;
  std::vector<std::size_t> starts_;  // the first link of each left word
};

struct Row {
  std::int32_t left, right;
  std::uint64_t links;
  friend auto operator<=>(const Row&, const Row&) = default;
};

bool linked(std::uint64_t links, std::size_t s, std::size_t t) {
  return links >> (longest_phrase * t + s) & 1;
}

// Koehn et al. (2003), eq. 8: each word is explained by the mean of the words it is linked to.
double right_weight(const WordLinks& lexicon, Phrase left, Phrase right, std::uint64_t links) {
  double weight = 1;
  for (std::size_t t = 0; t < right.size(); ++t) {
    double sum = 0;
    int number = 0;
    for (std::size_t s = 0; s < left.size(); ++s)
      if (linked(links, s, t)) {
        sum += lexicon.right_given_left(left[s], right[t]);
        ++number;
      }
    weight *= number ? sum / number : lexicon.right_given_left(lexicon.left_null(), right[t]);
  }
  return weight;
}

double left_weight(const WordLinks& lexicon, Phrase left, Phrase right, std::uint64_t links) {
  double weight = 1;
  for (std::size_t s = 0; s < left.size(); ++s) {
    double sum = 0;
    int number = 0;
    for (std::size_t t = 0; t < right.size(); ++t)
      if (linked(links, s, t)) {
        sum += lexicon.left_given_right(left[s], right[t]);
        ++number;
      }
    weight *= number ? sum / number : lexicon.left_given_right(left[s], lexicon.right_null());
  }
  return weight;
}

// The words of each phrase, with single spaces between them.
PhraseTexts texts_of(const PhraseIndex& index, const Words& words) {
  PhraseTexts texts;
  texts.bounds.reserve(index.phrases().size() + 1);
  for (const Phrase phrase : index.phrases()) {
    for (std::size_t i = 0; i < phrase.size(); ++i) {
      if (i > 0) texts.bytes.push_back(' ');
      const std::string_view word = words[phrase[i]];
      texts.bytes.insert(texts.bytes.end(), word.begin(), word.end());
    }
    texts.bounds.push_back(static_cast<std::int64_t>(texts.bytes.size()));
  }
  return texts;
}

}  // namespace

void append_links(std::uint64_t links, std::string& out) {
  for (bool first = true; links != 0; links &= links - 1, first = false) {
    const int bit = std::countr_zero(links);
    if (!first) out += ' ';
    out += static_cast<char>('0' + bit % longest_phrase);
    out += '-';
    out += static_cast<char>('0' + bit / longest_phrase);
  }
}

PhraseCounts count_phrases(const Aligned& text, const Words& left_words, const Words& right_words,
                           const WordLinks& lexicon, std::size_t begin, std::size_t end,
                           std::int32_t longest) {
  PairFinder finder(text, longest);
  PhraseIndex lefts, rights;
  std::vector<Row> rows;
  for (std::size_t s = begin; s < end; ++s)
    finder.sentence(s, [&](Phrase left, Phrase right, std::uint64_t links) {
      rows.push_back({lefts.number(left), rights.number(right), links});
    });
  std::sort(rows.begin(), rows.end());
  PhraseCounts counts;
  for (std::size_t first = 0; first < rows.size();) {
    std::size_t next = first;
    while (next < rows.size() && rows[next] == rows[first]) ++next;
    const Row& row = rows[first];
    const Phrase left = lefts[row.left], right = rights[row.right];
    counts.left.push_back(row.left);
    counts.right.push_back(row.right);
    counts.links.push_back(static_cast<std::int64_t>(row.links));
    counts.count.push_back(static_cast<std::int64_t>(next - first));
    counts.left_given_right.push_back(left_weight(lexicon, left, right, row.links));
    counts.right_given_left.push_back(right_weight(lexicon, left, right, row.links));
    first = next;
  }
  counts.lefts = texts_of(lefts, left_words);
  counts.rights = texts_of(rights, right_words);
  return counts;
}

}  // namespace otherwords
