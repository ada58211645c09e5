// ARPA files: the text format that n-gram toolkits exchange.
#pragma once

#include "lm/table.hpp"

namespace otherwords::lm {

struct ArpaError : std::runtime_error {
  ArpaError(std::size_t at, const std::string& message) : std::runtime_error(message), line(at) {}
  std::size_t line;  // from 1
};

struct ArpaModel {
  NgramTable table;
  std::vector<std::string> words;  // from `first_word` on, in the order of their hashes
};

// Throws ArpaError.
ArpaModel read_arpa(std::string_view text);

// The lines of n-grams [begin, end) of level k (from 0). `words` are all words by number.
std::string arpa_lines(const NgramTable& table, const std::vector<std::string_view>& words,
                       std::size_t k, std::size_t begin, std::size_t end);

}  // namespace otherwords::lm
