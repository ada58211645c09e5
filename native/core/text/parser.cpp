#include "text/parser.hpp"

#include "prefetch.hpp"

namespace otherwords {

using parsing::Kind;

namespace {

constexpr std::int32_t max_beam = 1 << 20;

void require_parser(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("parser: ") + what);
}

void add(const float* from, float* to, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) to[k] += from[k];
}

std::vector<float> rules(std::span<const std::int16_t> from, const parsing::Grammar& grammar) {
  std::vector<float> table(from.begin(), from.end());
  grammar.forbid(table);
  return table;
}

// Where to cut a sentence of more words than a piece may have: after a full stop, else after
// other punctuation, else where the piece is full.
std::size_t cut(std::span<const std::string_view> tags, std::size_t longest) {
  for (const std::string_view wanted : {".", ":", ","})
    for (std::size_t end = longest; end > longest / 2; --end)
      if (tags[end - 1] == wanted) return end;
  return longest;
}

}  // namespace

Parser::Parser(const ParserArrays& arrays, const tagging::Lexicon& lexicon)
    : arrays_(arrays),
      lexicon_(lexicon),
      grammar_(parsing::split_names(arrays.label_names), parsing::split_names(arrays.tag_names)),
      features_(arrays.feature_buckets, arrays.features, arrays.rows,
                grammar_.symbols().width()) {
  const std::size_t table = grammar_.symbols().children * grammar_.symbols().parents;
  require_parser(arrays_.left_rules.size() == table && arrays_.right_rules.size() == table,
                 "the rules do not fit the labels and tags");
  require_parser(arrays_.beam.size() == 1 && arrays_.beam[0] >= 0 && arrays_.beam[0] <= max_beam,
                 "the beam is not one number in range");
  left_rules_ = rules(arrays.left_rules, grammar_);
  right_rules_ = rules(arrays.right_rules, grammar_);
}

void Parser::parse(std::span<const std::string_view> words, std::span<const std::string_view> tags,
                   std::vector<Constituent>& phrases, Scratch& scratch) const {
  const std::size_t n = words.size();
  if (n > max_words) {
    const auto& names = grammar_.labels();
    const auto clause = std::find(names.begin(), names.end(), "S");
    const std::size_t label =
        clause == names.end() ? 1 : static_cast<std::size_t>(clause - names.begin());
    phrases.push_back({0, static_cast<std::int32_t>(n), static_cast<std::int32_t>(label)});
  }
  for (std::size_t begin = 0; begin < n;) {
    const std::size_t left = n - begin;
    const std::size_t size = left > max_words ? cut(tags.subspan(begin), max_words) : left;
    parse_piece(words.subspan(begin, size), tags.subspan(begin, size), begin, phrases, scratch);
    begin += size;
  }
}

void Parser::parse_piece(std::span<const std::string_view> words,
                         std::span<const std::string_view> tags, std::size_t offset,
                         std::vector<Constituent>& phrases, Scratch& scratch) const {
  scratch.tokens_.read(words, tags, lexicon_);
  scratch.chart_.reset(words.size(), grammar_.symbols());
  score(scratch);
  scratch.tag_classes_.clear();
  for (const std::string_view tag : tags) scratch.tag_classes_.push_back(grammar_.tag_class(tag));
  scratch.chart_.parse(left_rules_, right_rules_, scratch.tag_classes_,
                       static_cast<float>(arrays_.beam[0]), scratch.tree_);
  for (const parsing::Node& node : scratch.tree_) {
    if (node.label == parsing::Symbols::none || grammar_.symbols().intermediate[node.label])
      continue;
    phrases.push_back({static_cast<std::int32_t>(offset + node.begin),
                       static_cast<std::int32_t>(offset + node.end), node.label});
  }
}

// Fills the chart with the scores of labels and parts.
void Parser::score(Scratch& scratch) const {
  const std::size_t n = scratch.tokens_.size(), width = grammar_.symbols().width();
  score_places(scratch);
  auto& pending = scratch.pending_;
  for (std::size_t begin = 0; begin < n; ++begin) {
    parsing::Growing grown(scratch.tokens_, begin);
    for (std::size_t end = begin + 1; end <= n; ++end) {
      grown.grow(end);
      float* labels = scratch.chart_.label_scores(begin, end);
      float* left = scratch.chart_.left_scores(begin, end);
      float* right = scratch.chart_.right_scores(begin, end);
      const auto to = [&](float* scores) {
        return [&pending, scores](std::uint64_t key) { pending.push_back({key, scores, {}}); };
      };
      parsing::span_features(scratch.tokens_, begin, end, grown, to(labels));
      if (end < n)
        parsing::child_features(scratch.tokens_, Kind::left_child, begin, end, to(left));
      if (begin > 0)
        parsing::child_features(scratch.tokens_, Kind::right_child, begin, end, to(right));
      add(&scratch.left_[begin * width], labels, width);
      add(&scratch.right_[end * width], labels, width);
      add(&scratch.split_[end * width], left, width);
    }
    add_rows(pending);
  }
}

void Parser::score_places(Scratch& scratch) const {
  const std::size_t n = scratch.tokens_.size(), width = grammar_.symbols().width();
  for (std::vector<float>* scores : {&scratch.left_, &scratch.right_, &scratch.split_})
    scores->assign((n + 1) * width, 0.0f);
  const auto add = [&](Kind kind, std::size_t place, std::vector<float>& scores) {
    parsing::place_features(scratch.tokens_, kind, place, [&](std::uint64_t key) {
      scratch.pending_.push_back({key, &scores[place * width], {}});
    });
  };
  for (std::size_t place = 0; place <= n; ++place) {
    if (place < n) add(Kind::left, place, scratch.left_);
    if (place > 0) add(Kind::right, place, scratch.right_);
    if (place > 0 && place < n) add(Kind::split, place, scratch.split_);
  }
  add_rows(scratch.pending_);
}

// Adds all that is pending and forgets it. The tables do not fit the nearest cache, so each
// step of a lookup is started some features before its result is needed.
void Parser::add_rows(std::vector<Pending>& pending) const {
  constexpr std::size_t ahead = 6;
  const std::size_t n = pending.size();
  for (std::size_t k = 0; k < n + 3 * ahead; ++k) {
    if (k < n) prefetch(features_.bucket_of(pending[k].key));
    if (k >= ahead && k - ahead < n) prefetch(features_.features_of(pending[k - ahead].key));
    if (k >= 2 * ahead && k - 2 * ahead < n) {
      Pending& feature = pending[k - 2 * ahead];
      feature.row = features_.find(feature.key);
      prefetch(feature.row.data());
    }
    if (k >= 3 * ahead)
      for (const std::uint16_t entry : pending[k - 3 * ahead].row)
        pending[k - 3 * ahead].scores[FeatureRows::symbol(entry)] += FeatureRows::weight(entry);
  }
  pending.clear();
}

}  // namespace otherwords
