// What Python sees of facts.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "arrays.hpp"
#include "kept.hpp"
#include "metrics/facts/comparison.hpp"
#include "models/bindings.hpp"
#include "parallel.hpp"
#include "text/bindings.hpp"

namespace otherwords::facts {
namespace {

constexpr std::size_t texts_per_block = 64, pairs_per_block = 32;

// Texts whose stems and letters are not known yet: Python finds them.
struct Texts {
  std::vector<Text> texts;
  std::vector<std::vector<std::uint32_t>> forms;  // of each token the number of its form
  std::vector<std::string> distinct;              // forms
};

std::vector<const PivotTable*> tables_of(const nb::list& pivots) {
  std::vector<const PivotTable*> out;
  for (nb::handle table : pivots)
    out.push_back(&nb::cast<const BoundPivotTable&>(table).table);
  return out;
}

// The models that findings depend on, and the Python objects that own them.
class BoundModels {
 public:
  BoundModels(nb::object lexicon, nb::object tagger, nb::list pivots, Column<std::uint32_t> near,
              Column<std::uint32_t> direct, std::string words)
      : owned_(nb::make_tuple(lexicon, tagger, pivots, near, direct)),
        lists_(std::move(words)),
        models_{nb::cast<const BoundLexicon&>(lexicon).lexicon,
                nb::cast<const BoundTagger&>(tagger).tagger(),
                tables_of(pivots),
                {view(near), view(direct)},
                lists_},
        information_(models_.pivots) {}

  Texts read(const nb::list& given, unsigned threads) const;
  nb::tuple compare(const Texts& texts, const std::vector<std::string>& stems,
                    const std::vector<std::string>& letters, Column<std::int64_t> left,
                    Column<std::int64_t> right, Column<std::uint8_t> swapped, bool letter_case,
                    bool with_findings, unsigned threads);

 private:
  nb::object owned_;
  Lists lists_;
  Models models_;
  Information information_;
  Kept<Evidence> evidence_;
};

// A string, or a tuple of text, tokens, their places and tags (none if they are not known).
Text text_of(nb::handle given) {
  Text text;
  if (nb::isinstance<nb::str>(given)) {
    text.text = utf8(given);
    return text;
  }
  const auto parts = nb::cast<nb::tuple>(given);
  text.text = utf8(parts[0]);
  const auto places = nb::cast<std::vector<std::uint32_t>>(parts[2]);
  for (nb::handle token : nb::cast<nb::list>(parts[1])) {
    const std::size_t k = 2 * text.tokens.size();
    text.tokens.push_back({std::string(utf8(token)), places.at(k), places.at(k + 1)});
  }
  text.tags = nb::cast<std::vector<std::string>>(parts[3]);
  return text;
}

Texts BoundModels::read(const nb::list& given, unsigned threads) const {
  Texts out;
  std::vector<char> is_raw;
  for (nb::handle one : given) {
    is_raw.push_back(nb::isinstance<nb::str>(one));
    out.texts.push_back(text_of(one));
  }
  nb::gil_scoped_release release;
  parallel_blocks(out.texts.size(), threads, texts_per_block,
                  [&](std::size_t begin, std::size_t end) {
                    const Tagger::Borrowed scratch;
                    for (std::size_t i = begin; i < end; ++i) {
                      Text& text = out.texts[i];
                      if (is_raw[i]) text.tokens = tokens_of(text.text);
                      annotate(text, models_.tagger, models_.lexicon, *scratch);
                    }
                  });
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  for (const Text& text : out.texts) {
    std::vector<std::uint32_t>& mine = out.forms.emplace_back();
    for (const std::string& form : text.lower) {
      const auto [found, added] =
          numbers.try_emplace(form, static_cast<std::uint32_t>(out.distinct.size()));
      if (added) out.distinct.push_back(form);
      mine.push_back(found->second);
    }
  }
  return out;
}

// Characters of both texts of each finding, hypothesis first.
void append_places(const Finding& finding, const Side& a, const Side& b, bool swapped,
                   std::vector<std::uint32_t>& out) {
  const auto append = [&](const Side& side, Stretch units) {
    if (units.empty()) {
      const std::uint32_t place = units.begin > 0 ? side[units.begin - 1].end : 0;
      out.insert(out.end(), {place, place});
    } else {
      out.insert(out.end(), {side[units.begin].begin, side[units.end - 1].end});
    }
  };
  append(swapped ? b : a, swapped ? finding.b : finding.a);
  append(swapped ? a : b, swapped ? finding.a : finding.b);
}

nb::tuple BoundModels::compare(const Texts& texts, const std::vector<std::string>& stems,
                               const std::vector<std::string>& letters,
                               Column<std::int64_t> left, Column<std::int64_t> right,
                               Column<std::uint8_t> swapped, bool letter_case, bool with_findings,
                               unsigned threads) {
  const auto lefts = view(left), rights = view(right);
  const auto swaps = view(swapped);
  if (stems.size() != texts.distinct.size() || letters.size() != stems.size() || lefts.size() != rights.size() ||
      lefts.size() != swaps.size())
    throw std::invalid_argument("columns of different lengths");
  for (const auto& side : {lefts, rights})
    for (const std::int64_t place : side)
      if (place < 0 || static_cast<std::size_t>(place) >= texts.texts.size())
        throw std::invalid_argument("a pair of texts that are not there");
  std::vector<Side> sides(texts.texts.size());
  std::vector<Compared> compared(lefts.size());
  {
    nb::gil_scoped_release release;
    parallel_blocks(sides.size(), threads, texts_per_block,
                    [&](std::size_t begin, std::size_t end) {
                      std::vector<Form> mine;
                      for (std::size_t i = begin; i < end; ++i) {
                        mine.clear();
                        for (const std::uint32_t form : texts.forms[i]) mine.push_back({stems[form], letters[form]});
                        sides[i] = side_of(texts.texts[i], mine, information_, lists_);
                      }
                    });
    parallel_blocks(lefts.size(), threads, pairs_per_block,
                    [&](std::size_t begin, std::size_t end) {
                      auto evidence =
                          evidence_.take([&] { return std::make_unique<Evidence>(models_); });
                      for (std::size_t k = begin; k < end; ++k)
                        compared[k] = facts::compare(sides[static_cast<std::size_t>(lefts[k])],
                                                     sides[static_cast<std::size_t>(rights[k])],
                                                     swaps[k] != 0, letter_case, *evidence);
                      evidence->trim();
                      evidence_.put(std::move(evidence));
                    });
  }
  std::vector<double> features, weights;
  std::vector<std::int64_t> bounds{0};
  std::vector<std::uint8_t> kinds, verdicts;
  std::vector<std::uint32_t> places;
  for (std::size_t k = 0; k < compared.size(); ++k) {
    features.insert(features.end(), compared[k].features.begin(), compared[k].features.end());
    if (!with_findings) continue;
    for (const Finding& finding : compared[k].findings) {
      kinds.push_back(static_cast<std::uint8_t>(finding.kind));
      verdicts.push_back(static_cast<std::uint8_t>(finding.verdict));
      weights.push_back(finding.weight);
      append_places(finding, sides[static_cast<std::size_t>(lefts[k])],
                    sides[static_cast<std::size_t>(rights[k])], swaps[k] != 0, places);
    }
    bounds.push_back(static_cast<std::int64_t>(kinds.size()));
  }
  return nb::make_tuple(to_numpy(std::move(features)), to_numpy(std::move(bounds)),
                        to_numpy(std::move(kinds)), to_numpy(std::move(verdicts)),
                        to_numpy(std::move(weights)), to_numpy(std::move(places)));
}

template <std::size_t size>
nb::tuple names(const std::array<std::string_view, size>& all) {
  nb::list out;
  for (const std::string_view name : all) out.append(nb::str(name.data(), name.size()));
  return nb::tuple(out);
}

}  // namespace
}  // namespace otherwords::facts

namespace otherwords {

void bind_facts(nb::module_& m) {
  using namespace nb::literals;
  using namespace facts;
  m.attr("finding_kinds") = names(kind_names);
  m.attr("finding_verdicts") = names(verdict_names);
  nb::class_<Texts>(m, "FactsTexts")
      .def("forms", [](const Texts& self) { return self.distinct; },
           "The distinct tokens in lower case; `compare` needs the stem and the letters of each.");
  nb::class_<BoundModels>(m, "FactsModels")
      .def(nb::init<nb::object, nb::object, nb::list, Column<std::uint32_t>, Column<std::uint32_t>,
                    std::string>(),
           "lexicon"_a, "tagger"_a, "pivots"_a, "near"_a, "direct"_a, "words"_a)
      .def("read", &BoundModels::read, "texts"_a, "threads"_a,
           "Tokens, tags and lemmas of texts: strings, or (text, tokens, places, tags).")
      .def("compare", &BoundModels::compare, "texts"_a, "stems"_a, "letters"_a, "left"_a, "right"_a,
           "swapped"_a, "letter_case"_a, "with_findings"_a, "threads"_a,
           "Features of each pair of texts; then where its findings end, and of each finding the "
           "kind, the verdict, the weight and the characters of both texts.");
}

}  // namespace otherwords
