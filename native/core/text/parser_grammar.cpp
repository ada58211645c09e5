#include "text/parser_grammar.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace otherwords::parsing {
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
