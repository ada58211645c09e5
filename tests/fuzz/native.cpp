// Coverage-guided fuzzing of the native readers of text. The first byte of an input chooses the
// reader; the rest is what it reads. A reader may throw an exception of its own and nothing else.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generation/rules.hpp"
#include "grammar/rule_lines.hpp"
#include "grammar/rule_encoder.hpp"
#include "lm/arpa.hpp"
#include "text/tokenizer.hpp"

namespace {

using namespace otherwords;

void require(bool holds) {
  if (!holds) std::abort();
}

void arpa(std::string_view text) {
  try {
    const lm::ArpaModel model = lm::read_arpa(text);
    require(!model.table.levels.empty());
    require(model.table.levels[0].probability.size() == model.words.size() + lm::first_word);
  } catch (const lm::ArpaError& error) {
    require(error.line > 0 || text.empty());
  }
}

void index(std::string_view text) {
  try {
    RuleEncoder encoder;
    std::vector<std::uint32_t> records;
    encoder.add(text, records);
    std::vector<std::uint32_t> arranged(records.size());
    const RuleGroups groups = encoder.arrange(records, arranged);
    require(groups.places.size() == encoder.size());
  } catch (const BadRule& error) {
    require(error.line > 0);
  }
}

void decoder(std::string_view text) {
  try {
    generation::Rules rules;
    rules.add(text);
    rules.finish();
    for (std::size_t k = 0; k < rules.size(); ++k) require(rules.source(rules[k]).size() > 0);
  } catch (const generation::BadLine& error) {
    require(error.line > 0);
  }
}

// Three columns of one row: what is before, between and after two tabs.
void check(std::string_view text) {
  const std::size_t first = text.find('\t');
  if (first == text.npos) return;
  const std::size_t second = text.find('\t', first + 1);
  if (second == text.npos) return;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto column = [&](std::size_t begin, std::size_t end, std::int64_t (&bounds)[2]) {
    bounds[0] = static_cast<std::int64_t>(begin);
    bounds[1] = static_cast<std::int64_t>(end);
    return TextColumn{{bytes, text.size()}, bounds};
  };
  std::int64_t bounds[3][2];
  const TextColumn lhs = column(0, first, bounds[0]);
  const TextColumn source = column(first + 1, second, bounds[1]);
  const TextColumn target = column(second + 1, text.size(), bounds[2]);
  first_wrong_rule(lhs, source, target);
}

void tokens(std::string_view text, Tokenizer tokenizer) {
  std::vector<Span> spans;
  tokenize(text, tokenizer, spans);
  std::uint32_t end = 0;
  for (const Span& span : spans) {
    require(span.begin >= end && span.end > span.begin && span.end <= text.size());
    end = span.end;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  switch (data[0] % 8) {
    case 0: arpa(text); break;
    case 1: index(text); break;
    case 2: decoder(text); break;
    case 3: check(text); break;
    case 4: tokens(text, Tokenizer::penn); break;
    case 5: tokens(text, Tokenizer::white_space); break;
    case 6: tokens(text, Tokenizer::words); break;
    case 7: tokens(text, Tokenizer::characters); break;
  }
  return 0;
}
