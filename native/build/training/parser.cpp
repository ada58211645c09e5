#include "training/parser.hpp"

#include "text/parser_features.hpp"

namespace otherwords::parsing {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("parser training: ") + what);
}

// The nodes of a sentence are a binary tree over its words.
void check_nodes(std::span<const Node> nodes, std::size_t n, std::size_t labels) {
  std::vector<std::uint8_t> there(cells(n));
  for (const Node& node : nodes) {
    require(node.begin < node.end && node.end <= n && node.label < labels, "a node does not fit");
    ++there[cell(node.begin, node.end, n)];
  }
  require(there[cell(0, n, n)] == 1, "a sentence has no root");
  for (const Node& node : nodes) {
    require(there[cell(node.begin, node.end, n)] == 1, "a span occurs twice");
    if (node.end - node.begin == 1) {
      require(node.split == 0, "a word is split");
      continue;
    }
    require(node.begin < node.split && node.split < node.end, "a split is outside its span");
    require(there[cell(node.begin, node.split, n)] && there[cell(node.split, node.end, n)],
            "a part of a span is missing");
  }
}

}  // namespace

void TreeBank::check() const {
  require(!bounds.empty() && bounds.front() == 0 && bounds.back() == words.size() &&
              words.size() == tags.size() && std::is_sorted(bounds.begin(), bounds.end()),
          "words, tags and sentences do not fit");
  for (std::size_t s = 0; s < size(); ++s) require(length(s) > 0, "a sentence is empty");
  require(nodes.size() == 2 * words.size() - size(), "nodes are missing");
  for (std::size_t s = 0; s < size(); ++s) check_nodes(tree(s), length(s), label_names.size());
}

namespace {

// Lists of features of a sentence: those of its places, by kind, then those of its spans.
struct Layout {
  std::size_t n;
  std::size_t place(Kind kind, std::size_t at) const {
    return static_cast<std::size_t>(kind) * (n + 1) + at;
  }
  std::size_t span(Kind kind, std::size_t begin, std::size_t end) const {
    const auto which = static_cast<std::size_t>(kind) - 3;
    return 3 * (n + 1) + which * cells(n) + cell(begin, end, n);
  }
  std::size_t size() const { return 3 * (n + 1) + 3 * cells(n); }
};

// Calls emit(list, key) for the features of all places and spans of a sentence.
template <typename Emit>
void all_features(const Tokens& tokens, Emit emit) {
  const std::size_t n = tokens.size();
  const Layout layout{n};
  const auto to = [&](std::size_t list) {
    return [&emit, list](std::uint64_t key) { emit(list, key); };
  };
  for (const Kind kind : {Kind::left, Kind::right, Kind::split})
    for (std::size_t place = 0; place <= n; ++place)
      place_features(tokens, kind, place, to(layout.place(kind, place)));
  for (std::size_t begin = 0; begin < n; ++begin) {
    Growing grown(tokens, begin);
    for (std::size_t end = begin + 1; end <= n; ++end) {
      grown.grow(end);
      span_features(tokens, begin, end, grown, to(layout.span(Kind::span, begin, end)));
      for (const Kind kind : {Kind::left_child, Kind::right_child})
        child_features(tokens, kind, begin, end, to(layout.span(kind, begin, end)));
    }
  }
}

// Calls use(list, is parent) for the lists of features that a node brings in.
template <typename Use>
void lists_of(const Node& node, const Layout& layout, Use use) {
  use(layout.place(Kind::left, node.begin), false);
  use(layout.place(Kind::right, node.end), false);
  use(layout.span(Kind::span, node.begin, node.end), false);
  if (!node.split) return;
  use(layout.place(Kind::split, node.split), true);
  use(layout.span(Kind::left_child, node.begin, node.split), true);
  use(layout.span(Kind::right_child, node.split, node.end), true);
}

class Corpus {
 public:
  Corpus(const TreeBank& treebank, const tagging::Lexicon& lexicon)
      : bank_(treebank), lexicon_(lexicon) {}

  std::size_t size() const { return bank_.size(); }
  std::size_t length(std::size_t s) const { return bank_.length(s); }
  std::span<const std::string_view> tags(std::size_t s) const {
    return bank_.tags.subspan(bank_.bounds[s], length(s));
  }
  std::span<const Node> gold(std::size_t s) const { return bank_.tree(s); }
  const Tokens& read(std::size_t s) {
    tokens_.read(bank_.words.subspan(bank_.bounds[s], length(s)), tags(s), lexicon_);
    return tokens_;
  }

 private:
  const TreeBank& bank_;
  const tagging::Lexicon& lexicon_;
  Tokens tokens_;
};

// The keys of features that gold nodes have at least `cutoff` times, sorted.
std::vector<std::uint64_t> frequent_features(Corpus& corpus, unsigned cutoff) {
  std::vector<std::uint64_t> seen;
  for (std::size_t s = 0; s < corpus.size(); ++s) {
    const Layout layout{corpus.length(s)};
    std::vector<std::uint8_t> wanted(layout.size());
    for (const Node& node : corpus.gold(s))
      lists_of(node, layout, [&](std::size_t list, bool) { ++wanted[list]; });
    all_features(corpus.read(s), [&](std::size_t list, std::uint64_t key) {
      for (unsigned k = 0; k < wanted[list]; ++k) seen.push_back(key);
    });
  }
  return frequent_keys(std::move(seen), cutoff);
}

class Perceptron {
 public:
  Perceptron(Corpus& corpus, const Grammar& grammar, std::span<const std::uint64_t> keys,
             std::span<const std::uint32_t> buckets, const TrainingOptions& options)
      : corpus_(corpus),
        grammar_(grammar),
        symbols_(grammar.symbols()),
        width_(symbols_.width()),
        options_(options),
        features_(keys.size() * width_),
        left_rules_(symbols_.children * symbols_.parents),
        right_rules_(symbols_.children * symbols_.parents) {
    const HashIndex index(keys, buckets);
    for (std::size_t s = 0; s < corpus.size(); ++s) index_sentence(s, index);
  }

  void run() {
    std::vector<std::size_t> order(corpus_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::uint64_t state = mix(options_.seed);
    for (unsigned run = 0; run < options_.runs; ++run) {
      for (AveragedWeights* weights : {&features_, &left_rules_, &right_rules_}) weights->restart(step_);
      for (unsigned epoch = 0; epoch < options_.epochs; ++epoch) {
        shuffle(order, state);
        for (const std::size_t s : order) learn(s);
      }
    }
  }

  const AveragedWeights& features() const { return features_; }
  const AveragedWeights& left_rules() const { return left_rules_; }
  const AveragedWeights& right_rules() const { return right_rules_; }
  std::int64_t steps() const { return std::max<std::int64_t>(step_, 1); }

 private:
  void index_sentence(std::size_t s, const HashIndex& index) {
    const Layout layout{corpus_.length(s)};
    std::vector<std::vector<std::uint32_t>> lists(layout.size());
    all_features(corpus_.read(s), [&](std::size_t list, std::uint64_t key) {
      const std::size_t id = index.find(key);
      if (id != HashIndex::npos) lists[list].push_back(static_cast<std::uint32_t>(id));
    });
    first_list_.push_back(bounds_.size());
    for (const auto& list : lists) {
      bounds_.push_back(ids_.size());
      ids_.insert(ids_.end(), list.begin(), list.end());
    }
    bounds_.push_back(ids_.size());
  }

  std::span<const std::uint32_t> ids(std::size_t s, std::size_t list) const {
    const std::size_t at = first_list_[s] + list;
    return {ids_.data() + bounds_[at], ids_.data() + bounds_[at + 1]};
  }

  // Whether a feature takes no part in this step.
  bool hidden(std::uint32_t id) const {
    return (noise_ ^ id) * 0x9e3779b97f4a7c15ULL >> 40 < threshold();
  }
  std::uint64_t threshold() const { return options_.dropout * ((1ULL << 24) / 100); }

  void learn(std::size_t s) {
    ++step_;
    noise_ = mix(options_.seed + static_cast<std::uint64_t>(step_));
    decode(s);
    const std::span<const Node> gold = corpus_.gold(s);
    move(s, gold, guess_, +1);
    move(s, guess_, gold, -1);
  }

  void add_list(std::size_t s, std::size_t list, float* scores) const {
    for (const std::uint32_t id : ids(s, list)) {
      if (hidden(id)) continue;
      const std::int32_t* row = features_.row(id * width_);
      for (std::size_t k = 0; k < width_; ++k) scores[k] += static_cast<float>(row[k]);
    }
  }

  void decode(std::size_t s) {
    const std::size_t n = corpus_.length(s);
    const Layout layout{n};
    chart_.reset(n, symbols_);
    std::array<std::vector<float>, 3> places;
    for (std::size_t kind = 0; kind < 3; ++kind) {
      places[kind].assign((n + 1) * width_, 0.0f);
      for (std::size_t at = 0; at <= n; ++at)
        add_list(s, layout.place(static_cast<Kind>(kind), at), &places[kind][at * width_]);
    }
    const auto add_place = [&](Kind kind, std::size_t at, float* scores) {
      const float* row = &places[static_cast<std::size_t>(kind)][at * width_];
      for (std::size_t k = 0; k < width_; ++k) scores[k] += row[k];
    };
    for (std::size_t begin = 0; begin < n; ++begin)
      for (std::size_t end = begin + 1; end <= n; ++end) {
        float* labels = chart_.label_scores(begin, end);
        add_list(s, layout.span(Kind::span, begin, end), labels);
        add_place(Kind::left, begin, labels);
        add_place(Kind::right, end, labels);
        float* left = chart_.left_scores(begin, end);
        add_list(s, layout.span(Kind::left_child, begin, end), left);
        add_place(Kind::split, end, left);
        add_list(s, layout.span(Kind::right_child, begin, end), chart_.right_scores(begin, end));
      }
    for (const Node& node : corpus_.gold(s))
      chart_.label_scores(node.begin, node.end)[node.label] -= static_cast<float>(options_.loss);
    tags_.clear();
    for (const std::string_view tag : corpus_.tags(s)) tags_.push_back(grammar_.tag_class(tag));
    fill_rules(left_rules_, left_table_);
    fill_rules(right_rules_, right_table_);
    chart_.parse(left_table_, right_table_, tags_, 1e6f, guess_);
  }

  void fill_rules(const AveragedWeights& weights, std::vector<float>& table) const {
    table.assign(weights.row(0), weights.row(0) + weights.size());
    grammar_.forbid(table);
  }

  // Adds `by` to what speaks for `nodes` and is not shared with `others`.
  void move(std::size_t s, std::span<const Node> nodes, std::span<const Node> others, int by) {
    const std::size_t n = corpus_.length(s);
    const Layout layout{n};
    std::vector<const Node*> other(cells(n)), mine(cells(n));
    for (const Node& node : others) other[cell(node.begin, node.end, n)] = &node;
    for (const Node& node : nodes) mine[cell(node.begin, node.end, n)] = &node;
    for (const Node& node : nodes) {
      const Node* twin = other[cell(node.begin, node.end, n)];
      const bool same_label = twin && twin->label == node.label;
      const std::uint8_t parent = symbols_.parent_of[node.label];
      const bool same_split =
          twin && twin->split == node.split && symbols_.parent_of[twin->label] == parent;
      lists_of(node, layout, [&](std::size_t list, bool is_parent) {
        if (is_parent ? same_split : same_label) return;
        const std::size_t symbol = is_parent ? parent : node.label;
        for (const std::uint32_t id : ids(s, list))
          if (!hidden(id)) features_.add(id * width_ + symbol, by, step_);
      });
      if (!node.split) continue;
      const std::size_t left = child(*mine[cell(node.begin, node.split, n)]);
      const std::size_t right = child(*mine[cell(node.split, node.end, n)]);
      left_rules_.add(left * symbols_.parents + parent, by, step_);
      right_rules_.add(right * symbols_.parents + parent, by, step_);
    }
  }

  std::size_t child(const Node& node) const {
    return node.label == Symbols::none ? tags_[node.begin] : symbols_.child_of[node.label];
  }

  Corpus& corpus_;
  const Grammar& grammar_;
  const Symbols& symbols_;
  std::size_t width_;
  const TrainingOptions& options_;
  std::vector<std::uint32_t> ids_;        // of all lists of all sentences
  std::vector<std::size_t> bounds_;       // of the lists in ids_
  std::vector<std::size_t> first_list_;   // of each sentence, in bounds_
  AveragedWeights features_, left_rules_, right_rules_;
  std::int64_t step_ = 0;
  std::uint64_t noise_ = 0;  // of this step
  Chart chart_;
  std::vector<float> left_table_, right_table_;
  std::vector<std::uint8_t> tags_;
  std::vector<Node> guess_;
};

// In steps of 1 / resolution.
std::int64_t average(const AveragedWeights& weights, std::size_t at, std::int64_t steps,
                     std::int64_t resolution) {
  return rounded_quotient(weights.total(at, steps + 1, resolution), steps);
}

std::vector<std::int16_t> quantised(const AveragedWeights& weights, std::int64_t steps,
                                    std::int64_t resolution) {
  std::vector<std::int16_t> result;
  for (std::size_t i = 0; i < weights.size(); ++i)
    result.push_back(clipped<std::int16_t>(average(weights, i, steps, resolution)));
  return result;
}

// Keeps the weights that are not too small, and the keys that have any.
void pack_rows(std::span<const std::uint64_t> keys, const AveragedWeights& weights, std::int64_t steps,
               const TrainingOptions& options, std::int64_t least_best, TrainedParser& out) {
  const std::size_t width = keys.empty() ? 0 : weights.size() / keys.size();
  std::vector<std::int64_t> row(width);
  std::vector<std::uint64_t> kept;
  for (std::size_t f = 0; f < keys.size(); ++f) {
    std::int64_t greatest = 0;
    for (std::size_t k = 0; k < width; ++k) {
      row[k] = average(weights, f * width + k, steps, options.resolution);
      greatest = std::max(greatest, std::abs(row[k]));
    }
    if (greatest < std::max<std::int64_t>(least_best, 1)) continue;
    kept.push_back(keys[f]);
    out.features.push_back(static_cast<std::uint32_t>(keys[f]));
    out.features.push_back(static_cast<std::uint32_t>(out.rows.size()));
    for (std::size_t k = 0; k < width; ++k)
      if (row[k] != 0 && std::abs(row[k]) >= options.least)
        out.rows.push_back(FeatureRows::entry(static_cast<std::uint8_t>(k),
                                              clipped<std::int8_t>(row[k])));
  }
  out.features.push_back(0);
  out.features.push_back(static_cast<std::uint32_t>(out.rows.size()));
  out.feature_buckets = FeatureRows::bucket_bounds(kept);
}

std::size_t bytes_of_features(const TrainedParser& parser) {
  return 4 * (parser.feature_buckets.size() + parser.features.size()) + 2 * parser.rows.size();
}

}  // namespace

TrainedParser train(const TreeBank& treebank, const tagging::Lexicon& lexicon,
                    const TrainingOptions& options) {
  treebank.check();
  if (options.epochs == 0 || options.runs == 0 || options.resolution == 0)
    throw std::invalid_argument("parser training: epochs, runs and resolution start at 1");
  const Grammar grammar(treebank.label_names, treebank.tag_names);
  Corpus corpus(treebank, lexicon);
  const std::vector<std::uint64_t> keys = frequent_features(corpus, options.cutoff);
  const std::vector<std::uint32_t> buckets = bucket_bounds(keys);
  Perceptron perceptron(corpus, grammar, keys, buckets, options);
  perceptron.run();
  TrainedParser result;
  std::int64_t least_best = options.least_best;
  do {
    result = {};
    pack_rows(keys, perceptron.features(), perceptron.steps(), options, least_best++, result);
  } while (options.most_bytes && bytes_of_features(result) > options.most_bytes &&
           least_best <= INT8_MAX);
  result.left_rules = quantised(perceptron.left_rules(), perceptron.steps(), options.resolution);
  result.right_rules = quantised(perceptron.right_rules(), perceptron.steps(), options.resolution);
  return result;
}

}  // namespace otherwords::parsing
