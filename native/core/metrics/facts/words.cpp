#include "metrics/facts/words.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace otherwords::facts {
namespace {

constexpr std::size_t longest_abbreviation = 4;  // letters of a form that may have a dot: km.

// The entries of a cell.
std::vector<std::string_view> entries(std::string_view cell) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < cell.size();) {
    const std::size_t end = std::min(cell.find(", ", at), cell.size());
    out.push_back(cell.substr(at, end - at));
    at = end + 2;
  }
  return out;
}

[[noreturn]] void refuse(std::string_view list, std::string_view left) {
  throw std::invalid_argument("word lists: no rule reads '" + std::string(list) + "', '" +
                              std::string(left) + "'");
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (end > at) out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

Words::Words(std::string_view text) {
  for (const std::string_view word : split(text)) set_.insert(word);
}

Lists::Lists(std::string table) : text_(std::move(table)) {
  for (std::string_view line : split(text_, "\n")) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    const auto cells = split(line, "\t");
    if (cells.size() != 3)
      throw std::invalid_argument("word lists: a line without three cells: " + std::string(line));
    add(cells[0], cells[1], cells[2]);
  }
  for (const char* name : {"auxiliary", "light", "empty", "negation", "denying verb",
                           "implicit negation", "symmetric"})
    if (set_of(name)->empty())
      throw std::invalid_argument("word lists: the list '" + std::string(name) + "' is missing");
}

Words* Lists::set_of(std::string_view name) {
  const std::pair<std::string_view, Words*> sets[] = {
      {"auxiliary", &auxiliaries}, {"light", &light},           {"empty", &empty_words},
      {"negation", &negations},    {"denying verb", &denying}, {"implicit negation", &implicit},
      {"symmetric", &symmetric},
  };
  for (const auto& [known, words] : sets)
    if (known == name) return words;
  return nullptr;
}

void Lists::add(std::string_view list, std::string_view left, std::string_view right) {
  if (list == "words") {
    Words* words = set_of(left);
    if (!words) refuse(list, left);
    for (const std::string_view word : entries(right)) words->add(word);
  } else if (list == "opposites") {
    for (const std::string_view word : entries(left)) ends_[word].push_back({scales_, false});
    for (const std::string_view word : entries(right)) ends_[word].push_back({scales_, true});
    ++scales_;
  } else if (list == "category") {
    for (const std::string_view word : entries(right)) categories_[word] = {left, word};
  } else if (list == "category form") {
    for (const std::string_view form : entries(right)) add_category_form(left, form);
  } else if (list == "converse" || list == "nation") {
    auto& theirs = (list == "nation" ? nations_ : converse_)[left];
    for (const std::string_view word : entries(right)) theirs.push_back(word);
  } else if (list == "modality") {
    const auto force = std::ranges::find(force_names, left);
    if (force == force_names.end()) refuse(list, left);
    for (const std::string_view word : entries(right))
      forces_[word] = static_cast<Force>(force - force_names.begin());
  } else if (list == "quantity") {
    double level = 0;
    if (std::from_chars(left.data(), left.data() + left.size(), level).ec != std::errc())
      refuse(list, left);
    for (const std::string_view phrase : entries(right)) {
      levels_[phrase] = level;
      quantity_starts_.add(phrase.substr(0, phrase.find(' ')));
    }
  } else {
    refuse(list, left);
  }
}

void Lists::add_category_form(std::string_view word, std::string_view form) {
  const auto whole = categories_.find(word);
  if (whole == categories_.end()) refuse("category form", word);
  const Category known = whole->second;
  categories_[form] = known;
  if (form.size() > longest_abbreviation) return;
  dotted_.push_back(std::string(form) + ".");
  categories_[dotted_.back()] = known;
}

bool Lists::has(const Pairs& pairs, std::string_view a, std::string_view b) {
  const auto holds = [&](std::string_view x, std::string_view y) {
    const auto found = pairs.find(x);
    return found != pairs.end() && std::ranges::find(found->second, y) != found->second.end();
  };
  return holds(a, b) || holds(b, a);
}

std::optional<Category> Lists::category(std::string_view lemma) const {
  const auto found = categories_.find(lemma);
  return found == categories_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Force> Lists::force(std::string_view word) const {
  const auto found = forces_.find(word);
  return found == forces_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> Lists::level_of(std::string_view phrase) const {
  const auto found = levels_.find(phrase);
  return found == levels_.end() ? std::nullopt : std::optional(found->second);
}

bool Lists::are_opposites(std::string_view a, std::string_view b) const {
  const auto mine = ends_.find(a), theirs = ends_.find(b);
  if (mine == ends_.end() || theirs == ends_.end()) return false;
  bool opposed = false;
  for (const End& one : mine->second) {
    if (std::ranges::find(theirs->second, one) != theirs->second.end()) return false;
    opposed = opposed || std::ranges::find(theirs->second, End{one.scale, !one.second}) !=
                             theirs->second.end();
  }
  return opposed;
}

}  // namespace otherwords::facts
