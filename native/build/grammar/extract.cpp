#include "grammar/extract.hpp"

#include "grammar/rule_finder.hpp"
#include "hash.hpp"

namespace otherwords {

std::int64_t bytes_from(std::string_view text, std::size_t begin) {
  unsigned char bytes[8] = {};
  if (begin < text.size())
    std::memcpy(bytes, text.data() + begin, std::min<std::size_t>(8, text.size() - begin));
  std::uint64_t value = 0;
  for (const unsigned char byte : bytes) value = value << 8 | byte;
  return static_cast<std::int64_t>(value ^ 0x8000000000000000u);
}

TwoHashes hashes_of(std::string_view text) {
  std::uint64_t check = text.size();
  for (const char c : text) check = (check + static_cast<unsigned char>(c)) * 0x9e3779b97f4a7c15u;
  return {hash64(text), mix(check)};
}

SymbolHashes::SymbolHashes(const Words& words) {
  words_.reserve(words.size());
  for (std::size_t word = 0; word < words.size(); ++word) words_.push_back(hashes_of(words[word]));
}

TwoHashes SymbolHashes::side(std::span<const std::uint32_t> symbols,
                             const std::vector<TwoHashes>& labels) const {
  std::uint64_t id = fnv_basis, check = symbols.size();
  for (const std::uint32_t symbol : symbols) {
    TwoHashes one;
    if (is_word(symbol)) {
      one = words_[symbol];
    } else {
      one = labels[label_of(symbol)];
      one = {mix(one.id + number_of(symbol)), mix(one.check + number_of(symbol))};
    }
    id = (id ^ one.id) * 0x9e3779b97f4a7c15u;
    id ^= id >> 32;
    check = (check + one.check) * 0xff51afd7ed558ccdu;
    check ^= check >> 29;
  }
  return {mix(id), check};
}

void SideText::write(std::span<const std::uint32_t> symbols, const Words& all,
                     const std::vector<std::string>& labels, std::size_t most) {
  text.clear();
  arity = words = characters = 0;
  for (const std::uint32_t symbol : symbols) {
    if (text.size() >= most) return;
    if (!text.empty()) text += ' ';
    if (is_word(symbol)) {
      const std::string_view word = all[symbol];
      text += word;
      ++words;
      ++characters;
      for (const char c : word) characters += (c & 0xc0) != 0x80;
    } else {
      text.append(1, '[').append(labels[label_of(symbol)]).append(1, ',');
      text.append(1, static_cast<char>('0' + number_of(symbol))).append(1, ']');
      ++arity;
    }
  }
}

PackedSides::PackedSides(const Sequences& sides, const std::vector<std::string>& labels)
    : labels_(labels) {
  ends_.reserve(sides.size());
  for (std::size_t k = 0; k < sides.size(); ++k) {
    for (const std::uint32_t symbol : sides[k]) {
      std::uint64_t code = static_cast<std::uint64_t>(symbol & ~nonterminal_bit) << 1 | !is_word(symbol);
      for (; code >= 0x80; code >>= 7) bytes_.push_back(static_cast<std::uint8_t>(code | 0x80));
      bytes_.push_back(static_cast<std::uint8_t>(code));
    }
    ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  }
  if (bytes_.size() > 0xffffffffu) throw std::length_error("a stretch of text has too many rules");
  bytes_.shrink_to_fit();
}

void PackedSides::read(std::uint32_t side, const Words& words, SideText& out) const {
  const std::uint32_t end = ends_.at(side);
  thread_local std::vector<std::uint32_t> symbols;
  symbols.clear();
  for (std::uint32_t at = side ? ends_[side - 1] : 0; at < end;) {
    std::uint64_t code = 0;
    for (int bits = 0;; bits += 7) {
      const std::uint8_t byte = bytes_[at++];
      code |= static_cast<std::uint64_t>(byte & 0x7f) << bits;
      if (byte < 0x80) break;
    }
    symbols.push_back(static_cast<std::uint32_t>(code >> 1) | (code & 1 ? nonterminal_bit : 0u));
  }
  out.write(symbols, words, labels_);
}

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

std::vector<TwoHashes> side_hashes(const Sequences& sides, const SymbolHashes& hashes,
                                   const std::vector<TwoHashes>& labels) {
  std::vector<TwoHashes> out;
  out.reserve(sides.size());
  for (std::size_t k = 0; k < sides.size(); ++k) out.push_back(hashes.side(sides[k], labels));
  return out;
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

RuleCounts count_rules(const RuleText& text, std::size_t begin, std::size_t end) {
  LabelNames names;
  SpanLabels labels(text.trees, text.labels, names);
  RuleFinder finder(text.pairs, text.limits, labels);
  RuleCounts counts;
  Sequences sources, targets;
  std::vector<Row> rows;
  for (std::size_t s = begin; s < end; ++s)
    finder.sentence(s, [&](std::int32_t lhs, Sequence source, Sequence target, Sequence links) {
      rows.emplace_back(lhs, sources.number(source), targets.number(target),
                        counts.alignments.number(links));
    });
  std::sort(rows.begin(), rows.end());
  counts.label_names = names.texts();
  std::vector<TwoHashes> label_hashes;
  for (const std::string& name : counts.label_names) label_hashes.push_back(hashes_of(name));
  const auto source_hashes = side_hashes(sources, text.left_hashes, label_hashes);
  const auto target_hashes = side_hashes(targets, text.right_hashes, label_hashes);
  LinkWeights weights(text.lexicon);
  SideText beginning;
  std::int32_t begun = -1;  // the source whose beginning is written; rows come by source
  RuleRow now{};
  for (std::size_t first = 0; first < rows.size();) {
    std::size_t next = first;
    while (next < rows.size() && rows[next] == rows[first]) ++next;
    const Row& row = rows[first];
    const auto s = static_cast<std::size_t>(row.source()), t = static_cast<std::size_t>(row.target());
    const Sequence source = sources[s], target = targets[t];
    const Sequence links = counts.alignments[static_cast<std::size_t>(row.alignment())];
    if (begun != row.source()) {
      beginning.write(source, text.left_words, counts.label_names, 16);
      now.first = bytes_from(beginning.text, 0);
      now.second = bytes_from(beginning.text, 8);
      begun = row.source();
    }
    now.source = source_hashes[s].id;
    now.target = target_hashes[t].id;
    now.check = mix(source_hashes[s].check) + target_hashes[t].check;
    now.source_given_target =
        weight(source, target, links, 16, text.lexicon.right_null(),
               [&](auto f, auto e) { return weights.of(f, e).left_given_right; });
    now.target_given_source =
        weight(target, source, links, 0, text.lexicon.left_null(),
               [&](auto e, auto f) { return weights.of(f, e).right_given_left; });
    now.source_place = static_cast<std::uint32_t>(row.source());
    now.target_place = static_cast<std::uint32_t>(row.target());
    now.label = static_cast<std::uint32_t>(row.lhs());
    now.alignment = static_cast<std::uint32_t>(row.alignment());
    now.count = static_cast<std::uint32_t>(next - first);
    counts.rows.push_back(now);
    first = next;
  }
  counts.sources = PackedSides(sources, counts.label_names);
  counts.targets = PackedSides(targets, counts.label_names);
  return counts;
}

}  // namespace otherwords
