#include "grammar/extract.hpp"

#include <cmath>
#include <string>
#include <string_view>

#include "grammar/rule_finder.hpp"
#include "grammar/sequences.hpp"

namespace otherwords {
namespace {

using Sequence = Sequences::Sequence;

// A rule found: four numbers in two, which sort faster.
struct Row {
  std::uint64_t lhs_source, target_alignment;

  Row(std::int32_t lhs, std::int32_t source, std::int32_t target, std::int32_t alignment)
      : lhs_source(packed(lhs, source)), target_alignment(packed(target, alignment)) {}

  std::int32_t lhs() const { return static_cast<std::int32_t>(lhs_source >> 32); }
  std::int32_t source() const { return static_cast<std::int32_t>(lhs_source & 0xffffffffu); }
  std::int32_t target() const { return static_cast<std::int32_t>(target_alignment >> 32); }
  std::int32_t alignment() const {
    return static_cast<std::int32_t>(target_alignment & 0xffffffffu);
  }
  friend auto operator<=>(const Row&, const Row&) = default;

 private:
  static std::uint64_t packed(std::int32_t high, std::int32_t low) {
    return static_cast<std::uint64_t>(high) << 32 | static_cast<std::uint32_t>(low);
  }
};

void append(Texts& texts, std::string_view text) {
  texts.bytes.insert(texts.bytes.end(), text.begin(), text.end());
}

void finish(Texts& texts) { texts.bounds.push_back(static_cast<std::int64_t>(texts.bytes.size())); }

Texts side_texts(const Sequences& sides, const Words& words, const LabelNames& labels) {
  Texts texts;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    bool first = true;
    for (const std::uint32_t symbol : sides[k]) {
      if (!first) append(texts, " ");
      first = false;
      if (is_word(symbol)) {
        append(texts, words[symbol]);
      } else {
        append(texts, "[");
        append(texts, labels.texts()[label_of(symbol)]);
        append(texts, ",");
        append(texts, std::to_string(number_of(symbol)));
        append(texts, "]");
      }
    }
    finish(texts);
  }
  return texts;
}

Texts alignment_texts(const Sequences& alignments) {
  Texts texts;
  for (std::size_t k = 0; k < alignments.size(); ++k) {
    std::string text;
    for (const std::uint32_t link : alignments[k]) {
      if (!text.empty()) text += ' ';
      text += std::to_string(link >> 16) + "-" + std::to_string(link & 0xffff);
    }
    append(texts, text);
    finish(texts);
  }
  return texts;
}

Texts label_texts(const LabelNames& labels) {
  Texts texts;
  for (const std::string& label : labels.texts()) {
    append(texts, label);
    finish(texts);
  }
  return texts;
}

// Words and characters (spaces between words not counted) of the sides that occur.
struct Lengths {
  std::vector<std::int32_t> words, characters;
};

Lengths lengths(const Sequences& sides, const Words& words) {
  Lengths all;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    std::int32_t number = 0, characters = 0;
    for (const std::uint32_t symbol : sides[k]) {
      if (!is_word(symbol)) continue;
      ++number;
      for (const char c : words[symbol]) characters += (c & 0xc0) != 0x80;
    }
    all.words.push_back(number);
    all.characters.push_back(characters);
  }
  return all;
}

// Koehn et al. (2003), eq. 8, over the words of a rule: the mean over the words that a word is
// linked to, or its probability without any. Probability(word, other) with NULL for other.
template <typename Probability>
double weight(Sequence side, Sequence other, Sequence links, int shift, std::uint32_t null,
              Probability probability) {
  double total = 0;
  for (std::size_t place = 0; place < side.size(); ++place) {
    if (!is_word(side[place])) continue;
    double sum = 0;
    int number = 0;
    for (const std::uint32_t link : links)
      if ((link >> shift & 0xffff) == place) {
        sum += probability(side[place], other[link >> (16 - shift) & 0xffff]);
        ++number;
      }
    total -= std::log(number ? sum / number : probability(side[place], null));
  }
  return total + 0.0;  // never -0
}

}  // namespace

RuleCounts count_rules(const Aligned& text, const Words& left_words, const Words& right_words,
                       const WordLinks& lexicon, const TreeNodes& trees, const LabelOptions& options,
                       const RuleLimits& limits, std::size_t begin, std::size_t end) {
  LabelNames names;
  SpanLabels labels(trees, options, names);
  RuleFinder finder(text, limits, labels);
  Sequences sources, targets, alignments;
  std::vector<Row> rows;
  for (std::size_t s = begin; s < end; ++s)
    finder.sentence(s, [&](std::int32_t lhs, Sequence source, Sequence target, Sequence links) {
      rows.emplace_back(lhs, sources.number(source), targets.number(target),
                        alignments.number(links));
    });
  std::sort(rows.begin(), rows.end());
  const Lengths source_lengths = lengths(sources, left_words);
  const Lengths target_lengths = lengths(targets, right_words);
  RuleCounts counts;
  for (std::size_t first = 0; first < rows.size();) {
    std::size_t next = first;
    while (next < rows.size() && rows[next] == rows[first]) ++next;
    const Row& row = rows[first];
    const auto s = static_cast<std::size_t>(row.source()), t = static_cast<std::size_t>(row.target());
    const Sequence source = sources[s], target = targets[t];
    const Sequence links = alignments[static_cast<std::size_t>(row.alignment())];
    counts.lhs.push_back(row.lhs());
    counts.source.push_back(row.source());
    counts.target.push_back(row.target());
    counts.alignment.push_back(row.alignment());
    counts.count.push_back(static_cast<std::int64_t>(next - first));
    counts.links.push_back(static_cast<std::int32_t>(links.size()));
    counts.arity.push_back(static_cast<std::int32_t>(source.size()) - source_lengths.words[s]);
    counts.source_words.push_back(source_lengths.words[s]);
    counts.target_words.push_back(target_lengths.words[t]);
    counts.source_characters.push_back(source_lengths.characters[s]);
    counts.target_characters.push_back(target_lengths.characters[t]);
    counts.source_given_target.push_back(
        weight(source, target, links, 16, lexicon.right_null(),
               [&](auto f, auto e) { return lexicon.linked_left_given_right(f, e); }));
    counts.target_given_source.push_back(
        weight(target, source, links, 0, lexicon.left_null(),
               [&](auto e, auto f) { return lexicon.linked_right_given_left(f, e); }));
    first = next;
  }
  counts.labels = label_texts(names);
  counts.sources = side_texts(sources, left_words, names);
  counts.targets = side_texts(targets, right_words, names);
  counts.alignments = alignment_texts(alignments);
  return counts;
}

}  // namespace otherwords
