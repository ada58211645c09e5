#include "grammar/extract.hpp"

#include <cmath>
#include <string>
#include <string_view>

#include "grammar/rule_finder.hpp"
#include "grammar/rule_sides.hpp"
#include "hash.hpp"

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

std::vector<SideNumbers> numbers_of(const Sequences& sides, const Words& words,
                                   const std::vector<std::string>& labels) {
  std::vector<SideNumbers> out;
  out.reserve(sides.size());
  SideText side;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    side.write(sides[k], words, labels);
    out.push_back(side_numbers(side.text));
  }
  return out;
}

NumberedTexts alignment_texts(const Sequences& alignments) {
  NumberedTexts texts;
  for (std::size_t k = 0; k < alignments.size(); ++k) {
    std::string text;
    for (const std::uint32_t link : alignments[k]) {
      if (!text.empty()) text += ' ';
      text += std::to_string(link >> 16) + "-" + std::to_string(link & 0xffff);
    }
    texts.append(text);
    texts.finish();
  }
  return texts;
}

NumberedTexts label_texts(const LabelNames& labels) {
  NumberedTexts texts;
  for (const std::string& label : labels.texts()) {
    texts.append(label);
    texts.finish();
  }
  return texts;
}

// Word translation probabilities and their logarithms; the pairs looked up last are at hand, for the
// rules of a sentence have the same links.
class LinkWeights {
 public:
  struct Weight {
    double probability, log;
  };
  struct Both {
    Weight left_given_right, right_given_left;
  };

  explicit LinkWeights(const WordLinks& lexicon) : lexicon_(lexicon), known_(slots) {}

  const Both& of(std::uint32_t left, std::uint32_t right) {
    const std::uint64_t pair = static_cast<std::uint64_t>(left) << 32 | right;
    Known& known = known_[pair * 0x9e3779b97f4a7c15u >> (64 - slot_bits)];
    if (known.pair != pair) {
      const WordLinks::Linked found = lexicon_.linked(left, right);
      known = {pair, {with_log(found.left_given_right), with_log(found.right_given_left)}};
    }
    return known.weights;
  }

 private:
  struct Known {
    std::uint64_t pair = ~std::uint64_t{0};
    Both weights{};
  };
  static constexpr int slot_bits = 10;
  static constexpr std::size_t slots = std::size_t{1} << slot_bits;

  static Weight with_log(double probability) { return {probability, std::log(probability)}; }

  const WordLinks& lexicon_;
  std::vector<Known> known_;
};

// Koehn et al. (2003), eq. 8, over the words of a rule: the mean over the words that a word is
// linked to, or its probability without any. weight_of(word, other) with NULL for other.
template <typename WeightOf>
double weight(Sequence side, Sequence other, Sequence links, int shift, std::uint32_t null,
              WeightOf weight_of) {
  double total = 0;
  for (std::size_t place = 0; place < side.size(); ++place) {
    if (!is_word(side[place])) continue;
    LinkWeights::Weight sum{};
    int number = 0;
    for (const std::uint32_t link : links)
      if ((link >> shift & 0xffff) == place) {
        const LinkWeights::Weight one = weight_of(side[place], other[link >> (16 - shift) & 0xffff]);
        sum = {sum.probability + one.probability, one.log};
        ++number;
      }
    if (number == 0) sum = weight_of(side[place], null);
    total -= number > 1 ? std::log(sum.probability / number) : sum.log;
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
  RuleCounts counts;
  Sequences alignments;
  std::vector<Row> rows;
  for (std::size_t s = begin; s < end; ++s)
    finder.sentence(s, [&](std::int32_t lhs, Sequence source, Sequence target, Sequence links) {
      rows.emplace_back(lhs, counts.sources.number(source), counts.targets.number(target),
                        alignments.number(links));
    });
  std::sort(rows.begin(), rows.end());
  counts.label_names = names.texts();
  counts.labels = label_texts(names);
  counts.alignments = alignment_texts(alignments);
  for (std::size_t k = 0; k < alignments.size(); ++k)
    counts.links.push_back(static_cast<std::int32_t>(alignments[k].size()));
  std::vector<std::int64_t> label_bytes;
  for (const std::string& name : counts.label_names) label_bytes.push_back(side_numbers(name).first);
  LinkWeights weights(lexicon);
  const auto sources = numbers_of(counts.sources, left_words, counts.label_names);
  const auto targets = numbers_of(counts.targets, right_words, counts.label_names);
  for (std::size_t first = 0; first < rows.size();) {
    std::size_t next = first;
    while (next < rows.size() && rows[next] == rows[first]) ++next;
    const Row& row = rows[first];
    const auto s = static_cast<std::size_t>(row.source()), t = static_cast<std::size_t>(row.target());
    const auto a = static_cast<std::size_t>(row.alignment());
    const Sequence source = counts.sources[s], target = counts.targets[t], links = alignments[a];
    counts.lhs.push_back(counts.labels.id[static_cast<std::size_t>(row.lhs())]);
    counts.source.push_back(sources[s].id);
    counts.target.push_back(targets[t].id);
    counts.alignment.push_back(counts.alignments.id[a]);
    counts.count.push_back(static_cast<std::int64_t>(next - first));
    counts.source_place.push_back(row.source());
    counts.target_place.push_back(row.target());
    counts.check_hash.push_back(static_cast<std::int64_t>(
        mix(static_cast<std::uint64_t>(sources[s].check)) + static_cast<std::uint64_t>(targets[t].check)));
    counts.label_bytes.push_back(label_bytes[static_cast<std::size_t>(row.lhs())]);
    counts.first.push_back(sources[s].first);
    counts.second.push_back(sources[s].second);
    counts.source_given_target.push_back(
        weight(source, target, links, 16, lexicon.right_null(),
               [&](auto f, auto e) { return weights.of(f, e).left_given_right; }));
    counts.target_given_source.push_back(
        weight(target, source, links, 0, lexicon.left_null(),
               [&](auto e, auto f) { return weights.of(f, e).right_given_left; }));
    first = next;
  }
  return counts;
}

}  // namespace otherwords
