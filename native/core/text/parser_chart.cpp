#include "text/parser_chart.hpp"

namespace otherwords::parsing {

void Chart::reset(std::size_t n, const Symbols& symbols) {
  symbols_ = &symbols;
  n_ = n;
  width_ = symbols.width();
  labels_.assign(cells(n) * width_, 0.0f);
  left_.assign(cells(n) * width_, 0.0f);
  right_.assign(cells(n) * width_, 0.0f);
}

void Chart::parse(std::span<const float> left_rules, std::span<const float> right_rules,
                  std::span<const std::uint8_t> tags, float beam, std::vector<Node>& tree) {
  tree.clear();
  if (n_ == 0) return;
  left_rules_ = left_rules;
  right_rules_ = right_rules;
  tags_ = tags;
  beam_ = beam;
  for (std::size_t words = 1; words <= n_; ++words)
    for (std::size_t begin = 0; begin + words <= n_; ++begin) {
      fill(begin, begin + words);
      if (words < n_) offer(begin, begin + words);
    }
  follow(tree);
}

// Adds to the scores of the labels what the best split gives.
void Chart::fill(std::size_t begin, std::size_t end) {
  const std::size_t parents = symbols_->parents, words = end - begin;
  float* scores = label_scores(begin, end);
  for (std::size_t l = 0; l < symbols_->labels; ++l)
    if (!symbols_->fits(l, words, words == n_)) scores[l] = impossible;
  if (words == 1) return;
  split_.assign(parents, 2 * impossible);
  for (std::size_t k = begin + 1; k < end; ++k) {
    const float* left = left_scores(begin, k);
    const float* right = right_scores(k, end);
    for (std::size_t p = 0; p < parents; ++p) split_[p] = std::max(split_[p], left[p] + right[p]);
  }
  for (std::size_t l = 0; l < symbols_->labels; ++l)
    if (scores[l] > impossible) scores[l] += split_[symbols_->parent_of[l]];
}

// Adds to what the span is worth as a part of each parent the best of its labels for it.
void Chart::offer(std::size_t begin, std::size_t end) {
  const std::size_t parents = symbols_->parents;
  const float* scores = label_scores(begin, end);
  best_.assign(symbols_->children, impossible);
  float greatest = impossible;
  for (std::size_t l = 0; l < symbols_->labels; ++l) {
    float& best = best_[child_class(l, begin)];
    best = std::max(best, scores[l]);
    greatest = std::max(greatest, scores[l]);
  }
  alive_.clear();
  for (std::size_t c = 0; c < symbols_->children; ++c)
    if (best_[c] > impossible && best_[c] >= greatest - beam_)
      alive_.push_back({best_[c], static_cast<std::uint8_t>(c)});
  const auto add = [&](std::span<const float> rules, float* to) {
    split_.assign(parents, impossible);
    for (const Child& child : alive_) {
      const float* row = &rules[child.type * parents];
      for (std::size_t p = 0; p < parents; ++p)
        split_[p] = std::max(split_[p], row[p] + child.score);
    }
    for (std::size_t p = 0; p < parents; ++p) to[p] += split_[p];
  };
  add(left_rules_, left_scores(begin, end));
  add(right_rules_, right_scores(begin, end));
}

// Scores are sums of whole numbers, which floats of this size hold exactly, so the best choice
// is found again by looking for it.
void Chart::follow(std::vector<Node>& tree) {
  const float* root = label_scores(0, n_);
  const auto best = static_cast<std::uint8_t>(
      std::max_element(root, root + symbols_->labels) - root);
  std::vector<Node> stack{{0, static_cast<std::uint32_t>(n_), 0, best}};
  while (!stack.empty()) {
    Node node = stack.back();
    stack.pop_back();
    if (node.end - node.begin > 1) {
      const std::size_t parent = symbols_->parent_of[node.label];
      float greatest = 4 * impossible;
      for (std::uint32_t k = node.begin + 1; k < node.end; ++k) {
        const float score = left_scores(node.begin, k)[parent] + right_scores(k, node.end)[parent];
        if (score > greatest) {
          greatest = score;
          node.split = k;
        }
      }
      stack.push_back({node.split, node.end, 0,
                       best_label(node.split, node.end, right_rules_, parent)});
      stack.push_back({node.begin, node.split, 0,
                       best_label(node.begin, node.split, left_rules_, parent)});
    }
    tree.push_back(node);
  }
}

std::uint8_t Chart::best_label(std::size_t begin, std::size_t end, std::span<const float> rules,
                               std::size_t parent) const {
  const float* scores = &labels_[cell(begin, end, n_) * width_];
  const float greatest = *std::max_element(scores, scores + symbols_->labels);
  std::size_t best = 0;
  float best_score = 8 * impossible;
  for (std::size_t l = 0; l < symbols_->labels; ++l) {
    if (scores[l] <= impossible || scores[l] < greatest - beam_) continue;
    const float score = scores[l] + rules[child_class(l, begin) * symbols_->parents + parent];
    if (score > best_score) {
      best_score = score;
      best = l;
    }
  }
  return static_cast<std::uint8_t>(best);
}

namespace {

constexpr std::size_t max_symbols = 254;

std::uint8_t number_of(std::vector<std::string>& names, const std::string& name) {
  const auto number = std::find(names.begin(), names.end(), name) - names.begin();
  if (number == static_cast<std::ptrdiff_t>(names.size())) names.push_back(name);
  return static_cast<std::uint8_t>(number);
}

std::string bottom(const std::string& label) { return label.substr(label.rfind('+') + 1); }
std::string top(const std::string& label) { return label.substr(0, label.find('+')); }

}  // namespace

Grammar::Grammar(std::vector<std::string> labels, std::vector<std::string> tags)
    : labels_(std::move(labels)), tags_(std::move(tags)) {
  if (labels_.size() < 2 || !labels_.front().empty())
    throw std::invalid_argument("parser: the first label is not the empty one, or it is alone");
  if (labels_.size() + tags_.size() > max_symbols)
    throw std::invalid_argument("parser: too many labels and tags");
  for (const std::string& label : labels_) {
    symbols_.parent_of.push_back(number_of(parents_, bottom(label)));
    symbols_.child_of.push_back(number_of(children_, top(label)));
    symbols_.intermediate.push_back(label.starts_with('@'));
  }
  symbols_.labels = labels_.size();
  symbols_.parents = parents_.size();
  symbols_.children = children_.size() + tags_.size() + 1;
}

std::uint8_t Grammar::tag_class(std::string_view tag) const {
  const auto at = std::find(tags_.begin(), tags_.end(), tag);
  return static_cast<std::uint8_t>(children_.size() + static_cast<std::size_t>(at - tags_.begin()));
}

void Grammar::forbid(std::span<float> rules) const {
  for (std::size_t c = 0; c < children_.size(); ++c)
    for (std::size_t p = 0; p < parents_.size(); ++p)
      if (children_[c].starts_with('@') && parents_[p] != children_[c] &&
          '@' + parents_[p] != children_[c])
        rules[c * parents_.size() + p] = impossible;
}

std::vector<std::string> split_names(std::span<const std::uint8_t> blob) {
  std::vector<std::string> names(1);
  for (const std::uint8_t byte : blob)
    if (byte == '\n')
      names.emplace_back();
    else
      names.back() += static_cast<char>(byte);
  return names;
}

}  // namespace otherwords::parsing
