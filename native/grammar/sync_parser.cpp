#include "grammar/sync_parser.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <unordered_map>

namespace otherwords {
namespace {

using Symbols = SyncGrammar::Symbols;

// A set of places between target words, from 0 to the number of words.
template <std::size_t W>
struct Places {
  std::array<std::uint64_t, W> bits{};

  void set(std::size_t k) { bits[k / 64] |= std::uint64_t{1} << k % 64; }
  bool has(std::size_t k) const { return bits[k / 64] >> k % 64 & 1; }
  bool any() const {
    std::uint64_t all = 0;
    for (const std::uint64_t word : bits) all |= word;
    return all != 0;
  }
  Places operator&(const Places& other) const {
    Places out;
    for (std::size_t w = 0; w < W; ++w) out.bits[w] = bits[w] & other.bits[w];
    return out;
  }
  Places& operator|=(const Places& other) {
    for (std::size_t w = 0; w < W; ++w) bits[w] |= other.bits[w];
    return *this;
  }
  // Each place moved on by one word.
  Places next() const {
    Places out;
    std::uint64_t carry = 0;
    for (std::size_t w = 0; w < W; ++w) {
      out.bits[w] = bits[w] << 1 | carry;
      carry = bits[w] >> 63;
    }
    return out;
  }
  template <typename Take>
  void each(Take take) const {
    for (std::size_t w = 0; w < W; ++w)
      for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
        take(64 * w + static_cast<std::size_t>(std::countr_zero(left)));
  }
};

constexpr std::size_t most_bytes = std::size_t{1} << 30;  // of matrices and items, for one pair
constexpr std::uint32_t none = 0xffffffffu;

template <std::size_t W>
class Parser {
 public:
  Parser(const SyncGrammar& grammar, Symbols source, Symbols target, const SyncOptions& options)
      : grammar_(grammar),
        source_(source),
        target_(target),
        options_(options),
        free_label_(static_cast<std::uint32_t>(grammar.labels())),
        n_(source.size()),
        m_(target.size()),
        started_(std::chrono::steady_clock::now()) {}

  SyncResult parse() {
    if (n_ == 0 || m_ == 0) return {Verdict::rejected, 0};
    place_words();
    build_trie();
    cells_.resize(n_ * (n_ + 1));
    before_word_.resize(n_ + 1);
    before_nonterminal_.resize(n_ + 1);
    for (std::size_t i = n_; i-- > 0;) {
      for (std::size_t k = i; k <= n_; ++k) before_word_[k].clear(), before_nonterminal_[k].clear();
      items_.clear();
      before_word_[i].push_back({0, none});
      for (std::size_t j = i + 1; j <= n_; ++j) {
        extend(i, j);
        if (stopped_) return {verdict_, steps_};
      }
    }
    return {is_derived() ? Verdict::accepted : Verdict::rejected, steps_};
  }

 private:
  using Set = Places<W>;

  // The target spans of a label over a source span: rows[s] holds the ends of those from s on.
  struct Node {
    std::uint32_t label;
    std::vector<Set> rows;
    Set starts, ends;
    bool waiting = false;
  };
  // A path in the trie, and the nodes that its nonterminals took, last first.
  struct Item {
    std::uint32_t trie, children;
  };
  struct Child {
    std::uint32_t node, before;
  };
  struct TrieNode {
    std::uint32_t label = none;           // of the nonterminal that leads here
    std::uint32_t first_nonterminal = none, sibling = none;
    std::uint32_t first_rule = none;
    bool has_word = false;
  };
  struct TrieRule {
    std::uint32_t lhs, next;
    std::uint32_t begin, length;  // of its target side in patterns_
  };

  // Whether the limits are passed.
  bool step() {
    ++steps_;
    if (steps_ > options_.max_steps || bytes_ > most_bytes) return stop(Verdict::steps);
    if (options_.max_seconds > 0 && steps_ % 4096 == 0) {
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started_;
      if (spent.count() > options_.max_seconds) return stop(Verdict::time);
    }
    return stopped_;
  }

  bool stop(Verdict verdict) {
    verdict_ = verdict;
    stopped_ = true;
    return true;
  }

  void place_words() {
    const std::uint32_t most = std::max(std::ranges::max(source_), std::ranges::max(target_));
    const std::size_t ids = std::max<std::size_t>(grammar_.words(), std::size_t{most} + 1);
    source_has_.assign(ids, 0);
    place_of_.assign(ids, none);
    for (std::size_t j = 0; j < m_; ++j) {
      std::uint32_t& place = place_of_[target_[j]];
      if (place == none) {
        place = static_cast<std::uint32_t>(places_.size());
        places_.emplace_back();
      }
      places_[place].set(j);
    }
    for (const std::uint32_t word : source_) source_has_[word] = 1;
  }

  bool is_usable(std::size_t rule) const {
    for (const std::uint32_t symbol : grammar_.source(rule))
      if (!is_nonterminal(symbol) && !source_has_[symbol]) return false;
    for (const std::uint32_t symbol : grammar_.target(rule))
      if (!is_nonterminal(symbol) && place_of_[symbol] == none) return false;
    return true;
  }

  static std::vector<std::uint32_t> different(Symbols words) {
    std::vector<std::uint32_t> sorted(words.begin(), words.end());
    std::ranges::sort(sorted);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    return sorted;
  }

  void build_trie() {
    trie_.emplace_back();
    const auto add_all = [&](std::span<const std::uint32_t> rules) {
      for (const std::uint32_t rule : rules)
        if (is_usable(rule)) add(grammar_.lhs(rule), grammar_.source(rule), grammar_.target(rule));
    };
    const std::vector<std::uint32_t> sources = different(source_), targets = different(target_);
    for (const std::uint32_t word : sources)
      if (word < grammar_.words()) add_all(grammar_.by_source(word));
    for (const std::uint32_t word : targets)
      if (word < grammar_.words()) add_all(grammar_.by_target(word));
    add_all(grammar_.by_source(grammar_.words()));
    for (const std::uint32_t word : sources) {
      const bool is_free =
          options_.identity || (options_.pass_through && !grammar_.is_source_word(word));
      if (is_free && place_of_[word] != none) add(free_label(), {&word, 1}, {&word, 1});
    }
  }

  std::uint32_t free_label() const {
    const std::uint32_t x = grammar_.label("X");
    return x == SyncGrammar::unknown ? free_label_ : x;
  }

  void add(std::uint32_t lhs, Symbols source, Symbols target) {
    std::uint32_t at = 0;
    for (const std::uint32_t symbol : source) {
      const auto [found, is_new] = edges_.try_emplace(std::uint64_t{at} << 32 | symbol, 0);
      if (is_new) {
        found->second = static_cast<std::uint32_t>(trie_.size());
        trie_.emplace_back();
        if (is_nonterminal(symbol)) {
          trie_.back().label = value_of(symbol);
          trie_.back().sibling = trie_[at].first_nonterminal;
          trie_[at].first_nonterminal = found->second;
        } else {
          trie_[at].has_word = true;
        }
      }
      at = found->second;
    }
    const auto begin = static_cast<std::uint32_t>(patterns_.size());
    for (const std::uint32_t symbol : target)
      patterns_.push_back(is_nonterminal(symbol) ? symbol : place_of_[symbol]);
    rules_.push_back({lhs, trie_[at].first_rule, begin, static_cast<std::uint32_t>(target.size())});
    trie_[at].first_rule = static_cast<std::uint32_t>(rules_.size() - 1);
  }

  std::vector<std::uint32_t>& cell(std::size_t i, std::size_t j) { return cells_[i * (n_ + 1) + j]; }

  std::uint32_t find(std::size_t i, std::size_t j, std::uint32_t label) {
    const std::vector<std::uint32_t>& nodes = cell(i, j);
    if (nodes.size() > 8) {
      const auto found = numbers_.find(key(i, j, label));
      return found == numbers_.end() ? none : found->second;
    }
    for (const std::uint32_t node : nodes)
      if (nodes_[node].label == label) return node;
    return none;
  }

  std::uint64_t key(std::size_t i, std::size_t j, std::uint32_t label) const {
    return (i * (n_ + 1) + j) << 32 | label;
  }

  // All that spans from i to j: paths through the trie, the rules at their ends, unary rules.
  void extend(std::size_t i, std::size_t j) {
    for (const Item& item : before_word_[j - 1]) {
      const auto found = edges_.find(std::uint64_t{item.trie} << 32 | source_[j - 1]);
      if (found != edges_.end()) reach({found->second, item.children}, i, j);
    }
    for (std::size_t k = i + 1; k < j; ++k) {
      if (cell(k, j).empty()) continue;
      for (const Item& item : before_nonterminal_[k]) {
        for (std::uint32_t next = trie_[item.trie].first_nonterminal; next != none;
             next = trie_[next].sibling) {
          const std::uint32_t node = find(k, j, trie_[next].label);
          if (node != none) reach(with_child(next, node, item.children), i, j);
        }
        if (stopped_) return;
      }
    }
    close(i, j);
    for (const std::uint32_t node : cell(i, j)) {
      const auto found = edges_.find(nonterminal_flag | nodes_[node].label);  // from the root
      if (found != edges_.end()) wait(with_child(found->second, node, none), j);
      if (step()) return;
    }
  }

  // Keeps a path for what may follow it.
  void wait(const Item& item, std::size_t j) {
    if (trie_[item.trie].has_word) before_word_[j].push_back(item);
    if (trie_[item.trie].first_nonterminal != none) before_nonterminal_[j].push_back(item);
    bytes_ += 2 * sizeof(Item);
  }

  Item with_child(std::uint32_t trie, std::uint32_t node, std::uint32_t before) {
    items_.push_back({node, before});
    bytes_ += sizeof(Child);
    return {trie, static_cast<std::uint32_t>(items_.size() - 1)};
  }

  void reach(const Item& item, std::size_t i, std::size_t j) {
    if (step()) return;
    wait(item, j);
    if (trie_[item.trie].first_rule == none) return;
    children_.clear();
    for (std::uint32_t at = item.children; at != none; at = items_[at].before)
      children_.push_back(items_[at].node);
    std::ranges::reverse(children_);
    apply_rules(item.trie, i, j);
  }

  // Adds what the rules at the end of a path derive with these children; remembers what grew.
  void apply_rules(std::uint32_t trie, std::size_t i, std::size_t j) {
    for (std::uint32_t at = trie_[trie].first_rule; at != none; at = rules_[at].next) {
      if (step()) return;
      const Symbols target = Symbols(patterns_).subspan(rules_[at].begin, rules_[at].length);
      if (may_match(target)) match(rules_[at].lhs, target, i, j);
    }
  }

  // A quick look at what can follow what; it may be wrong only when it says yes.
  bool may_match(Symbols side) const {
    Set now;
    bool first = true;
    for (const std::uint32_t symbol : side) {
      if (is_nonterminal(symbol)) {
        const Node& child = nodes_[children_[value_of(symbol)]];
        if (!first && !(now & child.starts).any()) return false;
        now = child.ends;
      } else {
        const Set& words = places_[symbol];
        now = (first ? words : now & words).next();
        if (!now.any()) return false;
      }
      first = false;
    }
    return true;
  }

  void match(std::uint32_t lhs, Symbols side, std::size_t i, std::size_t j) {
    const Set starts = is_nonterminal(side[0]) ? nodes_[children_[value_of(side[0])]].starts
                                               : places_[side[0]];
    std::uint32_t node = find(i, j, lhs);
    starts.each([&](std::size_t s) {
      Set now;
      now.set(s);
      for (const std::uint32_t symbol : side) {
        if (is_nonterminal(symbol)) {
          const Node& child = nodes_[children_[value_of(symbol)]];
          Set reached;
          (now & child.starts).each([&](std::size_t k) { reached |= child.rows[k]; });
          now = reached;
        } else {
          now = (now & places_[symbol]).next();
        }
        if (!now.any()) return;
      }
      if (node == none) node = new_node(lhs, i, j);
      grow(node, s, now);
    });
  }

  std::uint32_t new_node(std::uint32_t label, std::size_t i, std::size_t j) {
    nodes_.push_back({label, std::vector<Set>(m_), {}, {}});
    bytes_ += m_ * sizeof(Set) + sizeof(Node);
    const auto number = static_cast<std::uint32_t>(nodes_.size() - 1);
    cell(i, j).push_back(number);
    numbers_[key(i, j, label)] = number;
    return number;
  }

  void grow(std::uint32_t number, std::size_t s, const Set& ends) {
    Node& node = nodes_[number];
    Set more = node.rows[s];
    more |= ends;
    if (more.bits == node.rows[s].bits) return;
    node.rows[s] = more;
    node.starts.set(s);
    node.ends |= ends;
    if (!node.waiting) {
      node.waiting = true;
      grown_.push_back(number);
    }
  }

  // Rules whose source is one nonterminal, until they add nothing.
  void close(std::size_t i, std::size_t j) {
    while (!grown_.empty() && !stopped_) {
      const std::uint32_t number = grown_.back();
      grown_.pop_back();
      nodes_[number].waiting = false;
      const auto found = edges_.find(nonterminal_flag | nodes_[number].label);  // from the root
      if (found == edges_.end()) continue;
      children_.assign(1, number);
      apply_rules(found->second, i, j);
    }
  }

  bool is_derived() {
    if (!options_.glue) {
      const std::uint32_t node = find(0, n_, options_.goal);
      return node != none && nodes_[node].rows[0].has(m_);
    }
    // Constituents one after the other on both sides: the target places after each source prefix.
    std::vector<Set> reached(n_ + 1);
    reached[0].set(0);
    for (std::size_t j = 1; j <= n_; ++j)
      for (std::size_t k = 0; k < j; ++k)
        for (const std::uint32_t node : cell(k, j))
          (reached[k] & nodes_[node].starts).each([&](std::size_t s) {
            reached[j] |= nodes_[node].rows[s];
          });
    return reached[n_].has(m_);
  }

  const SyncGrammar& grammar_;
  Symbols source_, target_;
  SyncOptions options_;
  std::uint32_t free_label_;
  std::size_t n_, m_;
  std::chrono::steady_clock::time_point started_;
  std::uint64_t steps_ = 0;
  std::size_t bytes_ = 0;
  bool stopped_ = false;
  Verdict verdict_ = Verdict::rejected;
  std::vector<Set> places_;               // where the different target words are
  std::vector<std::uint32_t> place_of_;   // of a word id in places_
  std::vector<char> source_has_;          // by word id
  std::unordered_map<std::uint64_t, std::uint32_t> edges_;  // (trie node, symbol) -> trie node
  std::vector<TrieNode> trie_;
  std::vector<TrieRule> rules_;
  std::vector<std::uint32_t> patterns_;   // target sides: places of words, children
  std::vector<std::vector<Item>> before_word_, before_nonterminal_;  // paths, by their ends
  std::vector<std::vector<std::uint32_t>> cells_;  // the nodes over each source span
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  // of nodes, by span and label
  std::vector<Child> items_;
  std::vector<std::uint32_t> children_, grown_;
};

template <std::size_t W>
SyncResult parse_with(const SyncGrammar& grammar, Symbols source, Symbols target,
                      const SyncOptions& options) {
  return Parser<W>(grammar, source, target, options).parse();
}

}  // namespace

SyncResult parse_pair(const SyncGrammar& grammar, std::span<const std::uint32_t> source,
                      std::span<const std::uint32_t> target, const SyncOptions& options) {
  if (std::max(source.size(), target.size()) > longest_parsed) return {Verdict::too_long, 0};
  if (target.size() < 64) return parse_with<1>(grammar, source, target, options);
  if (target.size() < 128) return parse_with<2>(grammar, source, target, options);
  if (target.size() < 256) return parse_with<4>(grammar, source, target, options);
  return parse_with<16>(grammar, source, target, options);
}

}  // namespace otherwords
