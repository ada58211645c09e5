#include "generation/search.hpp"

#include <queue>

#include "generation/forest.hpp"

namespace otherwords::generation {
namespace {

struct Node {
  std::uint32_t begin, end, label;
  std::vector<std::uint32_t> items;  // best first
};

// Rules of one left-hand side that match, and the nodes that their nonterminals stand for.
struct Bundle {
  std::uint32_t first, last;  // places in the model's order, or a source position
  Kind kind;
  std::uint8_t arity;
  Tails tails;  // nodes
};

// A place of the chart that a prefix of source sides has reached.
struct Dot {
  std::uint32_t node;  // of the trie
  std::uint8_t arity;
  Tails tails;  // nodes
};

using Place = std::array<std::uint32_t, most_tails + 1>;  // rule, then items of the tails

struct Candidate {
  double priority;
  std::uint32_t bundle;
  Place at;
  State state;
  Source source;
};

std::uint64_t state_hash(const State& state) {
  std::uint64_t hash = state.left.size() + 1;
  for (const Word word : state.left) hash = chained(hash, word);
  for (const Word word : state.right) hash = chained(hash, word);
  return hash | 1;
}

// Numbers by hashes that are not 0; its memory is kept from one node to the next.
class HashTable {
 public:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint32_t number = 0;
  };

  void clear() {
    if (count_ > 0) entries_.assign(smallest, {});
    count_ = 0;
  }

  // The entry of that hash for which `is_same`, or an empty place for it, which counts as taken.
  template <typename IsSame>
  Entry& find(std::uint64_t hash, IsSame is_same) {
    if (2 * (count_ + 1) > entries_.size()) grow();
    std::size_t at = first(hash);
    while (entries_[at].hash != 0) {
      if (entries_[at].hash == hash && is_same(entries_[at].number)) return entries_[at];
      at = (at + 1) & (entries_.size() - 1);
    }
    ++count_;
    return entries_[at];
  }

 private:
  static constexpr std::size_t smallest = 128;

  std::size_t first(std::uint64_t hash) const { return (hash >> 1) & (entries_.size() - 1); }

  void grow() {
    std::vector<Entry> old(2 * entries_.size());
    old.swap(entries_);
    for (const Entry& one : old) {
      if (one.hash == 0) continue;
      std::size_t at = first(one.hash);
      while (entries_[at].hash != 0) at = (at + 1) & (entries_.size() - 1);
      entries_[at] = one;
    }
  }

  std::vector<Entry> entries_ = std::vector<Entry>(smallest);
  std::size_t count_ = 0;
};

}  // namespace

struct Search::Impl {
  Impl(const Model& given, LanguageModel& language, const SearchOptions& wanted,
       std::span<const std::string_view> text)
      : model(given), rules(given.rules()), lm(language), options(wanted), n(text.size()) {
    weight = model.weight(Computed::language_model);
    scored = weight != 0;
    context_size = scored ? lm.order() - 1 : 0;
    for (const std::string_view word : text) {
      forest.texts.push_back(word);
      words.push_back(rules.words().find(word));
      lm_words.push_back(model.lm_word(word));
    }
    set_pass_scores();
    widest = std::min(n, options.span_limit);
    cells.resize((n + 1) * (widest + 1));
    dots.resize((n + 1) * (widest + 1));
    if (n == 0) return;
    for (std::size_t i = 0; i <= n; ++i) dots[cell(i, i)].push_back({0, 0, {}});
    for (std::size_t length = 1; length <= widest; ++length)
      for (std::size_t i = 0; i + length <= n; ++i) fill(i, i + length);
    // Beyond the limit only pieces of the glue grammar; a word alone is always within it.
    glue();
  }

  // Of a span of at most `widest` words.
  std::size_t cell(std::size_t i, std::size_t j) const { return i * (widest + 1) + (j - i); }

  void set_pass_scores() {
    for (std::size_t k = 0; k < n; ++k) {
      const bool unknown = lm_words[k] == lm::unknown_word;
      pass_scores.push_back(model.weight(Computed::pass_through) +
                            model.weight(Computed::phrase_penalty) +
                            (unknown ? model.weight(Computed::unknown_words) : 0) -
                            words_per_penalty * model.weight(Computed::word_penalty));
    }
  }

  // ---- matching

  void fill(std::size_t i, std::size_t j) {
    auto& here = dots[cell(i, j)];
    if (words[j - 1] != none)
      for (const Dot& dot : dots[cell(i, j - 1)]) advance(dot, words[j - 1], none, here);
    for (std::size_t k = i + 1; k < j; ++k)
      for (const Dot& dot : dots[cell(i, k)])
        if (rules.has_children(dot.node))
          for (const std::uint32_t node : cells[cell(k, j)])
            advance(dot, nonterminal_flag | nodes[node].label, node, here);
    std::vector<std::pair<std::uint32_t, Bundle>> found;  // by label
    for (const Dot& dot : here) add_bundles(dot, found);
    if (j == i + 1 && (words[i] != none ? options.pass_known : options.pass_unknown))
      found.emplace_back(rules.label_x(), Bundle{static_cast<std::uint32_t>(i),
                                                 static_cast<std::uint32_t>(i + 1),
                                                 Kind::pass_through, 0, {}});
    make_nodes(i, j, found);
    add_unary(i, j);
    for (const std::uint32_t node : cells[cell(i, j)])
      advance({0, 0, {}}, nonterminal_flag | nodes[node].label, node, here);
  }

  void advance(const Dot& dot, Symbol symbol, std::uint32_t tail, std::vector<Dot>& out) const {
    const std::uint32_t next = rules.child(dot.node, symbol);
    if (next == none) return;
    Dot moved = dot;
    moved.node = next;
    if (tail != none) moved.tails[moved.arity++] = tail;
    out.push_back(moved);
  }

  void add_bundles(const Dot& dot, std::vector<std::pair<std::uint32_t, Bundle>>& out) const {
    const std::uint32_t end = rules.last_rule(dot.node);
    for (std::uint32_t at = rules.first_rule(dot.node); at < end;) {
      const std::uint32_t lhs = rules[model.ordered(at)].lhs;
      std::uint32_t next = at + 1;
      while (next < end && rules[model.ordered(next)].lhs == lhs) ++next;
      out.emplace_back(lhs, Bundle{at, next, Kind::rule, dot.arity, dot.tails});
      at = next;
    }
  }

  void make_nodes(std::size_t i, std::size_t j,
                  std::vector<std::pair<std::uint32_t, Bundle>>& found) {
    std::ranges::stable_sort(found, {}, [](const auto& one) { return one.first; });
    for (std::size_t at = 0; at < found.size();) {
      std::size_t next = at;
      bundles.clear();
      while (next < found.size() && found[next].first == found[at].first)
        bundles.push_back(found[next++].second);
      make_node(i, j, found[at].first, false);
      at = next;
    }
  }

  // Rules whose source side is one nonterminal: each label is complete before it is used.
  void add_unary(std::size_t i, std::size_t j) {
    auto& here = cells[cell(i, j)];
    std::uint32_t done = 0;  // ranks below it
    for (;;) {
      std::uint32_t next = none;
      for (const std::uint32_t node : here) {
        const std::uint32_t rank = rules.rank(nodes[node].label);
        if (rank >= done && (next == none || rank < rules.rank(nodes[next].label))) next = node;
      }
      if (next == none) return;
      const std::uint32_t rank = rules.rank(nodes[next].label);
      done = rank + 1;
      const std::uint32_t place = rules.child(0, nonterminal_flag | nodes[next].label);
      if (place == none) continue;
      std::vector<std::pair<std::uint32_t, Bundle>> found;
      add_bundles({place, 1, {next}}, found);
      for (const auto& [lhs, bundle] : found) {
        if (rules.rank(lhs) <= rank) continue;
        bundles.assign(1, bundle);
        const auto label = [&](std::uint32_t node) { return nodes[node].label; };
        const auto old = std::ranges::find(here, lhs, label);
        if (old == here.end())
          make_node(i, j, lhs, false);
        else
          extend_node(*old, false);
      }
    }
  }

  // S -> X and S -> S X from the left end; with no glue S -> X over all of it.
  void glue() {
    std::vector<std::uint32_t> starts(n + 1, none);
    for (std::size_t j = 1; j <= n; ++j) {
      if (!options.glue && j < n) continue;
      bundles.clear();
      if (j <= widest)
        for (const std::uint32_t node : cells[cell(0, j)])
          bundles.push_back({0, 1, Kind::start, 1, {node}});
      for (std::size_t k = j > widest ? j - widest : 1; k < j; ++k)
        if (starts[k] != none)
          for (const std::uint32_t node : cells[cell(k, j)])
            bundles.push_back({0, 1, Kind::glue, 2, {starts[k], node}});
      if (bundles.empty()) continue;
      const std::size_t count = nodes.size();
      make_node(0, j, none, true);
      if (nodes.size() > count) starts[j] = static_cast<std::uint32_t>(count);
    }
    if (starts[n] == none) return;
    for (const std::uint32_t number : nodes[starts[n]].items) {
      const Item& item = items[number];
      const double last = scored ? weight * lm.log10(lm::sentence_end, item.right) : 0;
      forest.goal.sources.push_back({0, Kind::start, 1, last, {number}});
    }
  }

  // ---- nodes

  void make_node(std::size_t i, std::size_t j, std::uint32_t label, bool anchored) {
    const auto number = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), label, {}});
    extend_node(number, anchored);
    if (!anchored) cells[cell(i, j)].push_back(number);  // rules do not see what begins a sentence
  }

  // Adds what `bundles` make to a node; `anchored`: it begins the sentence.
  void extend_node(std::uint32_t number, bool anchored) {
    states.clear();
    std::vector<std::uint32_t> found = nodes[number].items;
    for (const std::uint32_t item : found) state_of(items[item]) = {state_hash(items[item]), item};
    if (options.pop_limit == 0)
      take_all(anchored, found);
    else
      take_best(anchored, found);
    std::ranges::stable_sort(found, std::greater<>(),
                             [&](std::uint32_t item) { return items[item].priority(); });
    nodes[number].items = std::move(found);
  }

  HashTable::Entry& state_of(const State& state) {
    return states.find(state_hash(state), [&](std::uint32_t item) {
      return items[item].left == state.left && items[item].right == state.right;
    });
  }

  void keep(const State& state, const Source& source, std::vector<std::uint32_t>& found) {
    if (++candidates > options.most_candidates)
      throw TooManyCandidates("the search is too large; set a (smaller) pop limit or use a smaller grammar");
    HashTable::Entry& entry = state_of(state);
    if (entry.hash == 0) {
      entry = {state_hash(state), static_cast<std::uint32_t>(items.size())};
      found.push_back(entry.number);
      items.push_back({state, {source}});
      return;
    }
    Item& old = items[entry.number];
    old.sources.push_back(source);
    old.score = std::max(old.score, state.score);
  }

  void take_all(bool anchored, std::vector<std::uint32_t>& found) {
    for (std::uint32_t b = 0; b < bundles.size(); ++b) {
      const Bundle bundle = bundles[b];
      Candidate one{0, b, {}, {}, {}};
      for (;;) {
        combine(one, anchored);
        keep(one.state, one.source, found);
        std::size_t d = 0;
        while (d <= bundle.arity && ++one.at[d] == extent(bundle, d)) one.at[d++] = 0;
        if (d > bundle.arity) break;
      }
    }
  }

  std::uint32_t extent(const Bundle& bundle, std::size_t dimension) const {
    if (dimension == 0) return bundle.last - bundle.first;
    return static_cast<std::uint32_t>(nodes[bundle.tails[dimension - 1]].items.size());
  }

  void take_best(bool anchored, std::vector<std::uint32_t>& found) {
    const auto worse = [&](std::uint32_t a, std::uint32_t b) {
      const Candidate &one = pool[a], &other = pool[b];
      if (one.priority != other.priority) return one.priority < other.priority;
      if (one.bundle != other.bundle) return one.bundle > other.bundle;
      return one.at > other.at;
    };
    pool.clear();
    heap.clear();
    seen.clear();
    const auto push = [&](std::uint32_t b, const Place& at) {
      std::uint64_t key = chained(0, b);
      for (std::size_t d = 0; d <= bundles[b].arity; ++d) key = chained(key, at[d]);
      HashTable::Entry& known = seen.find(key | 1, [](std::uint32_t) { return true; });
      if (known.hash != 0) return;
      known.hash = key | 1;
      heap.push_back(static_cast<std::uint32_t>(pool.size()));
      Candidate& one = pool.emplace_back(Candidate{0, b, at, {}, {}});
      combine(one, anchored);
      one.priority = one.state.priority();
      std::ranges::push_heap(heap, worse);
    };
    for (std::uint32_t b = 0; b < bundles.size(); ++b) push(b, {});
    for (std::size_t popped = 0; popped < options.pop_limit && !heap.empty(); ++popped) {
      std::ranges::pop_heap(heap, worse);
      const std::uint32_t number = heap.back();
      heap.pop_back();
      keep(pool[number].state, pool[number].source, found);
      const std::uint32_t b = pool[number].bundle;
      const Place at = pool[number].at;
      for (std::size_t d = 0; d <= bundles[b].arity; ++d) {
        Place next = at;
        if (++next[d] < extent(bundles[b], d)) push(b, next);
      }
    }
  }

  // ---- items

  // Follows the target words of a new item and asks the language model for those whose context
  // is known.
  struct Scorer {
    Impl& self;
    State& item;
    bool anchored;  // at the left end of the sentence
    double sum = 0;

    Scorer(Impl& owner, State& made, bool begins) : self(owner), item(made), anchored(begins) {
      item = {};
      if (anchored && self.context_size > 0) item.right.push_back(lm::sentence_begin);
    }

    void add(Word word) {
      if (!self.scored) return;
      if (anchored || item.left.size() == self.context_size) {
        sum += self.lm.log10(word, item.right);
      } else {
        item.estimate += self.lm.log10(word, item.right);
        item.left.push_back(word);
      }
      push(word);
    }

    void push(Word word) {
      if (self.context_size > 0) item.right.push(word, self.context_size);
    }

    void add(const Item& tail) {
      for (const Word word : tail.left) add(word);
      // A tail of more words than its left end was scored after that.
      if (tail.left.size() == self.context_size) item.right = tail.right;
    }
  };

  // The state and the source of a candidate.
  void combine(Candidate& made, bool anchored) {
    const Bundle& bundle = bundles[made.bundle];
    const Place& at = made.at;
    Source& source = made.source;
    source = {0, bundle.kind, bundle.arity, 0, {}};
    double tails = 0;
    for (std::size_t d = 0; d < bundle.arity; ++d) {
      source.tails[d] = nodes[bundle.tails[d]].items[at[d + 1]];
      tails += items[source.tails[d]].score;
    }
    // The first tail of glue begins the sentence and has all its words scored.
    Scorer scorer(*this, made.state, anchored);
    switch (bundle.kind) {
      case Kind::rule: {
        source.rule = model.ordered(bundle.first + at[0]);
        source.score = model.score(source.rule);
        for (const Symbol symbol : rules.target(rules[source.rule])) {
          if (is_nonterminal(symbol))
            scorer.add(items[source.tails[symbol & ~nonterminal_flag]]);
          else
            scorer.add(model.lm_word(symbol));
        }
        break;
      }
      case Kind::pass_through:
        source.rule = bundle.first;
        source.score = pass_scores[bundle.first];
        scorer.add(lm_words[bundle.first]);
        break;
      case Kind::start:
        scorer.add(items[source.tails[0]]);
        break;
      case Kind::glue:
        source.score = model.weight(Computed::glue);
        scorer.item.right = items[source.tails[0]].right;
        scorer.add(items[source.tails[1]]);
        break;
    }
    source.score += weight * scorer.sum;
    made.state.score = source.score + tails;
    made.state.estimate *= weight;
  }

  const Model& model;
  const Rules& rules;
  LanguageModel& lm;
  SearchOptions options;
  std::size_t n;
  std::size_t widest = 0;  // words of a span that rules cover
  Forest forest;
  std::vector<Item>& items = forest.items;
  std::vector<std::uint32_t>& words = forest.words;
  double weight = 0;
  bool scored = false;
  std::size_t context_size = 0;
  std::vector<Word> lm_words;
  std::vector<double> pass_scores;
  std::vector<std::vector<std::uint32_t>> cells;  // nodes
  std::vector<std::vector<Dot>> dots;
  std::vector<Node> nodes;
  std::vector<Bundle> bundles;
  std::vector<Candidate> pool;  // of the node that is being made
  std::vector<std::uint32_t> heap;
  HashTable seen, states;
  std::size_t candidates = 0;
};

Search::Search(const Model& model, LanguageModel& lm, const SearchOptions& options,
               std::span<const std::string_view> words)
    : impl_(std::make_unique<Impl>(model, lm, options, words)) {}

Search::~Search() = default;

std::vector<Derivation> Search::best(std::size_t k, bool unique) {
  return best_derivations(impl_->forest, impl_->rules, k, unique);
}

}  // namespace otherwords::generation
