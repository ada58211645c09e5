#include "grammar/sync_parser.hpp"

#include <chrono>

#include "grammar/pair_filter.hpp"
#include "grammar/rule_trie.hpp"

namespace otherwords {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 30;  // of matrices and items, for one pair
constexpr std::uint32_t none = RuleTrie::none;
constexpr std::uint64_t operations_a_step = 1024;

template <std::size_t W>
class Parser {
 public:
  Parser(const SyncGrammar& grammar, Symbols source, Symbols target, const SyncOptions& options)
      : grammar_(grammar),
        source_(source),
        target_(target),
        options_(options),
        filter_(source, target),
        n_(source.size()),
        m_(target.size()),
        started_(std::chrono::steady_clock::now()) {}

  SyncResult parse() {
    if (n_ == 0 || m_ == 0) return {Verdict::rejected, 0, {}};
    build_trie();
    if (stopped_) return {verdict_, steps_, {}};
    cells_.resize(n_ * (n_ + 1));
    before_word_.resize(n_ + 1);
    before_nonterminal_.resize(n_ + 1);
    for (std::size_t i = n_; i-- > 0;) {
      for (std::size_t k = i; k <= n_; ++k) before_word_[k].clear(), before_nonterminal_[k].clear();
      items_.clear();
      before_word_[i].push_back({0, none});
      for (std::size_t j = i + 1; j <= n_; ++j) {
        extend(i, j);
        if (stopped_) return {verdict_, steps_, {}};
      }
    }
    const bool derived = is_derived();
    return {derived ? Verdict::accepted : Verdict::rejected, steps_, std::move(derivation_)};
  }

 private:
  using Set = Places<W>;

  // The target spans of a label over a source span: rows[s] holds the ends of those from s on.
  struct Node {
    std::uint32_t label, begin, end;
    std::vector<Set> rows;
    Set starts, ends;
    bool waiting = false;
  };
  // The rule and the children that first gave a node a target span, and when.
  struct Origin {
    std::uint32_t order, rule, children;
  };
  // A path in the trie, and the nodes that its nonterminals took, last first.
  struct Item {
    std::uint32_t trie, children;
  };
  struct Child {
    std::uint32_t node, before;
  };
  // A constituent of a derivation that is yet to be written.
  struct Pending {
    std::uint32_t node, depth;
    std::size_t begin, end;  // in the target
  };
  // Whether the limits are passed.
  bool step() {
    ++steps_;
    if (steps_ > options_.max_steps || bytes_ > most_bytes) return stop(Verdict::steps);
    return spend(1);
  }

  // The same for work with sets of places, of which a rule may need much: 1,024 operations are a
  // step. The clock is looked at between.
  bool spend(std::uint64_t operations) {
    work_ += operations;
    while (work_ >= operations_a_step) {
      work_ -= operations_a_step;
      if (++steps_ > options_.max_steps) return stop(Verdict::steps);
      if (options_.max_seconds > 0 && ++looks_ % 256 == 0) look_at_clock();
    }
    return stopped_;
  }

  void look_at_clock() {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started_;
    if (spent.count() > options_.max_seconds) stop(Verdict::time);
  }

  bool stop(Verdict verdict) {
    verdict_ = verdict;
    stopped_ = true;
    return true;
  }

  void build_trie() {
    for (const RuleRecord& rule : usable_rules(grammar_, filter_, source_, target_)) {
      check(rule);
      add(rule.lhs, rule.number, rule.source, rule.target);
    }
    if (options_.max_seconds > 0) look_at_clock();
    if (options_.pass_through == PassThrough::none) return;
    std::vector<std::uint32_t> seen;
    for (const std::uint32_t word : source_) {
      const bool is_free =
          options_.pass_through == PassThrough::all || !grammar_.is_source_word(word);
      if (!is_free || !filter_.is_in_target(word) || std::ranges::count(seen, word) > 0) continue;
      seen.push_back(word);
      add(free_label(grammar_), none, {&word, 1}, {&word, 1});
    }
  }

  // A damaged file may have anything: the nonterminals of the sides must fit each other.
  static void check(const RuleRecord& rule) {
    const std::ptrdiff_t arity = std::ranges::count_if(rule.source, is_nonterminal);
    std::ptrdiff_t partners = 0;
    for (const std::uint32_t symbol : rule.target)
      if (is_nonterminal(symbol)) {
        if (value_of(symbol) >= static_cast<std::uint32_t>(arity)) throw DamagedGrammar();
        ++partners;
      }
    if (partners != arity) throw DamagedGrammar();
  }

  void add(std::uint32_t lhs, std::uint32_t number, Symbols source, Symbols target) {
    const auto begin = static_cast<std::uint32_t>(patterns_.size());
    for (const std::uint32_t symbol : target)
      patterns_.push_back(is_nonterminal(symbol) ? symbol : filter_.find(symbol));
    trie_.add(source, {lhs, number, begin, static_cast<std::uint32_t>(target.size())});
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
      const std::uint32_t next = trie_.after(item.trie, source_[j - 1]);
      if (next != none) reach({next, item.children}, i, j);
    }
    for (std::size_t k = i + 1; k < j; ++k) {
      if (cell(k, j).empty()) continue;
      for (const Item& item : before_nonterminal_[k]) {
        take_nonterminals(item, i, k, j);
        if (stopped_) return;
      }
    }
    close(i, j);
    for (const std::uint32_t node : cell(i, j)) {
      const std::uint32_t next = trie_.after(RuleTrie::root, nonterminal_flag | nodes_[node].label);
      if (next != none) wait(with_child(next, node, none), j);
      if (step()) return;
    }
  }

  // Goes on from a path that ends at k with all nodes from there to j: from the labels that may
  // follow, or from the nodes that there are, whichever are fewer.
  void take_nonterminals(const Item item, std::size_t i, std::size_t k, std::size_t j) {
    const std::vector<std::uint32_t>& nodes = cell(k, j);
    if (nodes.size() < trie_[item.trie].nonterminals) {
      if (spend(nodes.size())) return;
      for (const std::uint32_t node : nodes) {
        const std::uint32_t next = trie_.after(item.trie, nonterminal_flag | nodes_[node].label);
        if (next != none) reach(with_child(next, node, item.children), i, j);
      }
      return;
    }
    if (spend(trie_[item.trie].nonterminals)) return;
    for (std::uint32_t next = trie_[item.trie].first_nonterminal; next != none;
         next = trie_[next].sibling) {
      const std::uint32_t node = find(k, j, trie_[next].label);
      if (node != none) reach(with_child(next, node, item.children), i, j);
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
    for (std::uint32_t at = trie_[trie].first_rule; at != none; at = trie_.rule(at).next) {
      if (step()) return;
      rule_ = at;
      saved_ = none;
      if (may_match(target_of(at))) match(trie_.rule(at).lhs, target_of(at), i, j);
    }
  }

  Symbols target_of(std::uint32_t rule) const {
    return Symbols(patterns_).subspan(trie_.rule(rule).begin, trie_.rule(rule).length);
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
        const Set& words = filter_.in_target(symbol);
        now = (first ? words : now & words).next();
        if (!now.any()) return false;
      }
      first = false;
    }
    return true;
  }

  void match(std::uint32_t lhs, Symbols side, std::size_t i, std::size_t j) {
    const Set starts = is_nonterminal(side[0]) ? nodes_[children_[value_of(side[0])]].starts
                                               : filter_.in_target(side[0]);
    std::uint32_t node = find(i, j, lhs);
    starts.each([&](std::size_t s) {
      if (spend(W * side.size())) return;
      Set now;
      now.set(s);
      for (const std::uint32_t symbol : side) {
        if (is_nonterminal(symbol)) {
          const Node& child = nodes_[children_[value_of(symbol)]];
          Set reached;
          const Set from = now & child.starts;
          from.each([&](std::size_t k) { reached |= child.rows[k]; });
          work_ += W * from.count();
          now = reached;
        } else {
          now = (now & filter_.in_target(symbol)).next();
        }
        if (!now.any()) return;
      }
      if (node == none) node = new_node(lhs, i, j);
      grow(node, s, now);
    });
  }

  std::uint32_t new_node(std::uint32_t label, std::size_t i, std::size_t j) {
    nodes_.push_back({label, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
                      std::vector<Set>(m_), {}, {}});
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
    if (options_.derive) remember(number, s, ends);
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
      const std::uint32_t next =
          trie_.after(RuleTrie::root, nonterminal_flag | nodes_[number].label);
      if (next == none) continue;
      children_.assign(1, number);
      apply_rules(next, i, j);
    }
  }

  bool is_derived() {
    if (!options_.glue) {
      const std::uint32_t node = find(0, n_, options_.goal);
      const bool derived = node != none && nodes_[node].rows[0].has(m_);
      if (derived && options_.derive) write(node, 0, m_);
      return derived;
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
    const bool derived = reached[n_].has(m_);
    if (derived && options_.derive) tell_sequence(reached);
    return derived;
  }

  std::uint64_t span_key(std::uint32_t node, std::size_t s, std::size_t t) const {
    return (std::uint64_t{node} << 20) | s << 10 | t;
  }

  void remember(std::uint32_t node, std::size_t s, const Set& ends) {
    if (saved_ == none) {
      saved_ = static_cast<std::uint32_t>(kept_.size());
      kept_.insert(kept_.end(), children_.begin(), children_.end());
    }
    ends.each([&](std::size_t t) {
      const auto order = static_cast<std::uint32_t>(origins_.size());
      origins_.try_emplace(span_key(node, s, t), Origin{order, rule_, saved_});
      bytes_ += 2 * sizeof(Origin);
    });
  }

  // The constituents of a glued derivation from the last to the first, the longest last one.
  void tell_sequence(const std::vector<Set>& reached) {
    struct Piece {
      std::uint32_t node;
      std::size_t s, t;
    };
    std::vector<Piece> pieces;
    for (std::size_t j = n_, t = m_; j > 0;) {
      bool found = false;
      for (std::size_t k = 0; k < j && !found; ++k)
        for (const std::uint32_t node : cell(k, j)) {
          (reached[k] & nodes_[node].starts).each([&](std::size_t s) {
            if (found || !nodes_[node].rows[s].has(t)) return;
            pieces.push_back({node, s, t});
            found = true;
          });
          if (found) break;
        }
      j = nodes_[pieces.back().node].begin;
      t = pieces.back().s;
    }
    for (std::size_t k = pieces.size(); k-- > 0;)
      write(pieces[k].node, pieces[k].s, pieces[k].t);
  }

  // A derivation of a node over a target span, each constituent before its children. Spans are
  // built on older ones, so that it ends; it is not written by recursion, as a chain of unary rules
  // may be as long as a grammar has labels.
  void write(std::uint32_t top, std::size_t from, std::size_t to) {
    std::vector<Pending> left{{top, 0, from, to}};
    while (!left.empty()) {
      const auto [node, depth, s, t] = left.back();
      left.pop_back();
      const Origin origin = origins_.at(span_key(node, s, t));
      derivation_.push_back({trie_.rule(origin.rule).number, nodes_[node].label, nodes_[node].begin,
                             nodes_[node].end, static_cast<std::uint32_t>(s),
                             static_cast<std::uint32_t>(t), depth});
      const Symbols side = target_of(origin.rule);
      std::vector<std::size_t> cuts{s};
      std::vector<char> dead(side.size() * (m_ + 1));
      cut(origin, side, t, cuts, dead);
      std::vector<std::size_t> places;  // of the children, in the order of the source
      for (std::size_t k = 0; k < side.size(); ++k)
        if (is_nonterminal(side[k])) {
          places.resize(std::max<std::size_t>(places.size(), value_of(side[k]) + 1));
          places[value_of(side[k])] = k;
        }
      for (std::size_t child = places.size(); child-- > 0;)
        left.push_back({kept_[origin.children + child], depth + 1, cuts[places[child]],
                        cuts[places[child] + 1]});
    }
  }

  // Where the symbols of a target side end, with spans that are older than what they make. What
  // has led nowhere, a symbol at a place, is not tried again.
  bool cut(const Origin& origin, Symbols rest, std::size_t t, std::vector<std::size_t>& cuts,
           std::vector<char>& dead) const {
    const std::size_t at = cuts.back();
    if (rest.empty()) return at == t;
    if (at >= t || dead[(cuts.size() - 1) * (m_ + 1) + at]) return false;
    const auto try_end = [&](std::size_t end) {
      cuts.push_back(end);
      if (cut(origin, rest.subspan(1), t, cuts, dead)) return true;
      cuts.pop_back();
      return false;
    };
    if (!is_nonterminal(rest[0])) return filter_.in_target(rest[0]).has(at) && try_end(at + 1);
    const std::uint32_t child = kept_[origin.children + value_of(rest[0])];
    for (std::size_t end = at + 1; end <= t; ++end)
      if (nodes_[child].rows[at].has(end) &&
          origins_.at(span_key(child, at, end)).order < origin.order && try_end(end))
        return true;
    dead[(cuts.size() - 1) * (m_ + 1) + at] = 1;
    return false;
  }

  const SyncGrammar& grammar_;
  Symbols source_, target_;
  SyncOptions options_;
  PairFilter<W> filter_;
  std::size_t n_, m_;
  std::chrono::steady_clock::time_point started_;
  std::uint64_t steps_ = 0, work_ = 0, looks_ = 0;
  std::size_t bytes_ = 0;
  bool stopped_ = false;
  Verdict verdict_ = Verdict::rejected;
  RuleTrie trie_;
  std::vector<std::uint32_t> patterns_;   // target sides: places of words, children
  std::vector<std::vector<Item>> before_word_, before_nonterminal_;  // paths, by their ends
  std::vector<std::vector<std::uint32_t>> cells_;  // the nodes over each source span
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  // of nodes, by span and label
  std::vector<Child> items_;
  std::vector<std::uint32_t> children_, grown_;
  std::uint32_t rule_ = none;   // that is being applied to children_
  std::uint32_t saved_ = none;  // where these are in kept_, if they are
  std::vector<std::uint32_t> kept_;
  std::vector<SyncStep> derivation_;
  std::unordered_map<std::uint64_t, Origin> origins_;  // of each target span of each node
};

}  // namespace

std::uint32_t free_label(const SyncGrammar& grammar) {
  const std::uint32_t x = grammar.labels().find("X");
  return x == SyncGrammar::unknown ? static_cast<std::uint32_t>(grammar.labels().size()) : x;
}

SyncResult parse_pair(const SyncGrammar& grammar, Symbols source, Symbols target,
                      const SyncOptions& options) {
  const std::size_t longest = std::max(source.size(), target.size());
  if (longest > longest_parsed) return {Verdict::too_long, 0, {}};
  return with_width(longest, [&](auto width) {
    return Parser<width()>(grammar, source, target, options).parse();
  });
}

std::vector<std::uint32_t> usable_numbers(const SyncGrammar& grammar, Symbols source,
                                          Symbols target) {
  std::vector<std::uint32_t> out;
  const std::size_t longest = std::max(source.size(), target.size());
  if (longest > longest_parsed) return out;
  with_width(longest, [&](auto width) {
    const PairFilter<width()> filter(source, target);
    for (const RuleRecord& rule : usable_rules(grammar, filter, source, target))
      out.push_back(rule.number);
  });
  return out;
}

}  // namespace otherwords
