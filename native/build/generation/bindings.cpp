// What Python sees of the decoder.
#include "arrays.hpp"
#include "generation/search.hpp"
#include "kept.hpp"
#include "lm/bound_model.hpp"
#include "signals.hpp"

namespace otherwords {
namespace {

using namespace generation;

// The line of an error and what is wrong there, or nothing.
nb::object add_lines(Rules& self, const nb::bytes& text) {
  const std::string_view bytes(text.c_str(), text.size());
  try {
    nb::gil_scoped_release release;
    self.add(bytes);
  } catch (const BadLine& error) {
    return nb::make_tuple(error.line, text_with_replacements(error.what()));
  }
  return nb::none();
}

// One output of a sentence.
struct Output {
  double total = 0;
  std::vector<std::string> target;
  std::vector<std::pair<std::string_view, double>> features;  // by name, without zeros
  DerivationNode derivation;
};

struct Sentence {
  std::vector<std::string_view> words;
  std::vector<Output> outputs;
  std::string failure;
};

class BoundDecoder {
 public:
  BoundDecoder(nb::object rules, nb::object lm, bool lower_case)
      : kept_rules_(std::move(rules)),
        kept_lm_(std::move(lm)),
        rules_(nb::cast<const Rules&>(kept_rules_)),
        model_(rules_, nb::cast<const lm::BoundModel&>(kept_lm_).model, lower_case) {
    const WordTable& names = rules_.feature_names();
    std::map<std::string_view, Slot> slots;  // a computed feature may have the name of a rule's
    for (std::uint32_t k = 0; k < names.size(); ++k) slots[names[k]] = {k, none};
    for (std::uint32_t k = 0; k < computed_count; ++k) {
      const std::uint32_t rule = names.find(computed_names[k]);
      computed_slots_[k] = rule != none ? rule : static_cast<std::uint32_t>(names.size() + k);
      slots[computed_names[k]] = {computed_slots_[k], k};
    }
    features_.assign(slots.begin(), slots.end());
  }

  void set_weights(const NamedWeights& weights) {
    nb::gil_scoped_release release;
    model_.set_weights(weights);
  }

  nb::list decode(const nb::list& sentences, const nb::tuple& settings, std::size_t k, bool unique,
                  bool derivations, unsigned threads) const {
    const SearchOptions options{nb::cast<std::size_t>(settings[0]), nb::cast<std::size_t>(settings[1]),
                                nb::cast<std::size_t>(settings[2]), nb::cast<bool>(settings[3]),
                                nb::cast<bool>(settings[4]), nb::cast<bool>(settings[5])};
    std::vector<Sentence> work(nb::len(sentences));
    for (std::size_t s = 0; s < work.size(); ++s)
      for (nb::handle word : sentences[s]) work[s].words.push_back(utf8(word));
    {
      nb::gil_scoped_release release;
      SignalCheck check;
      Kept<LanguageModel> models;  // keep their answers from one sentence to the next
      parallel_blocks(
          work.size(), threads, 1,
          [&](std::size_t begin, std::size_t end) {
            auto lm = models.take([&] { return std::make_unique<LanguageModel>(model_.lm()); });
            for (std::size_t s = begin; s < end; ++s)
              run(work[s], *lm, options, k, unique, derivations);
            models.put(std::move(lm));
          },
          check);
    }
    nb::list out;
    for (const Sentence& one : work) out.append(result(one, derivations));
    return out;
  }

 private:
  void run(Sentence& sentence, LanguageModel& lm, const SearchOptions& options, std::size_t k,
           bool unique, bool derivations) const {
    try {
      Search search(model_, lm, options, sentence.words);
      for (Derivation& one : search.best(k, unique)) {
        Output output;
        std::vector<double> sums(rules_.feature_names().size() + computed_count);
        std::vector<Word> lm_words;
        collect(one.top, sentence, output.target, lm_words, sums);
        if (model_.is_weighted(Computed::language_model)) {
          std::vector<Word> context{lm::sentence_begin};
          double sum = 0;
          lm_words.push_back(lm::sentence_end);
          for (const Word word : lm_words) {
            sum += lm.log10(word, context);
            context.push_back(word);
          }
          sums[computed_slots_[0]] = sum;
        }
        for (const auto& [name, slot] : features_) {
          const double value = sums[slot.place];
          if (value == 0) continue;
          output.total += value * weight(slot);
          output.features.emplace_back(name, value);
        }
        if (derivations) output.derivation = std::move(one.top);
        sentence.outputs.push_back(std::move(output));
      }
    } catch (const TooManyCandidates& error) {
      sentence.failure = error.what();
    }
  }

  struct Slot {
    std::uint32_t place;     // of the sum
    std::uint32_t computed;  // or none
  };

  double weight(const Slot& slot) const {
    return slot.computed != none ? model_.weight(static_cast<Computed>(slot.computed))
                                 : model_.weight_of(slot.place);
  }

  // The words and features of a derivation.
  void collect(const DerivationNode& node, const Sentence& sentence, std::vector<std::string>& target,
               std::vector<Word>& lm_words, std::vector<double>& sums) const {
    const auto count = [&](Computed feature, double value) {
      const bool always = feature <= Computed::pass_through;
      if (always || model_.is_weighted(feature))
        sums[computed_slots_[static_cast<std::size_t>(feature)]] += value;
    };
    if (node.kind == Kind::pass_through) {
      const std::string_view word = sentence.words[node.rule];
      target.emplace_back(word);
      lm_words.push_back(model_.lm_word(word));
      count(Computed::pass_through, 1);
      count(Computed::phrase_penalty, 1);
      count(Computed::word_penalty, -words_per_penalty);
      count(Computed::unknown_words, lm_words.back() == lm::unknown_word);
      return;
    }
    if (node.kind != Kind::rule) {
      if (node.kind == Kind::glue) count(Computed::glue, 1);
      for (const DerivationNode& child : node.children)
        collect(child, sentence, target, lm_words, sums);
      return;
    }
    const Rule& rule = rules_[node.rule];
    for (const Feature& one : rules_.features(rule)) sums[one.name] += one.value;
    for (std::size_t k = 1; k < computed_count; ++k)
      count(static_cast<Computed>(k), model_.computed(static_cast<Computed>(k), rule));
    for (const Symbol symbol : rules_.target(rule)) {
      if (is_nonterminal(symbol)) {
        collect(node.children[symbol & ~nonterminal_flag], sentence, target, lm_words, sums);
      } else {
        target.emplace_back(rules_.words()[symbol]);
        lm_words.push_back(model_.lm_word(symbol));
      }
    }
  }

  nb::object result(const Sentence& sentence, bool derivations) const {
    if (!sentence.failure.empty()) return text_of(sentence.failure);
    nb::list out;
    for (const Output& one : sentence.outputs) {
      nb::dict features;
      for (const auto& [name, value] : one.features) features[text_of(name)] = value;
      nb::list derivation;
      if (derivations) derivation = tree(one.derivation, sentence);
      out.append(nb::make_tuple(one.total, text_list(one.target), features, derivation));
    }
    return out;
  }

  std::string label(std::uint32_t number) const {
    return "[" + std::string(number == none ? goal() : rules_.labels()[number]) + "]";
  }

  std::string_view goal() const { return rules_.labels().find("S") == none ? "S" : "GOAL"; }

  nb::list tree(const DerivationNode& node, const Sentence& sentence) const {
    std::string source, target;
    const auto add = [](std::string& side, std::string_view symbol) {
      if (!side.empty()) side += ' ';
      side += symbol;
    };
    if (node.kind == Kind::rule) {
      const Rule& rule = rules_[node.rule];
      for (const Symbol symbol : rules_.source(rule))
        add(source, is_nonterminal(symbol) ? label(symbol & ~nonterminal_flag)
                                           : std::string(rules_.words()[symbol]));
      for (const Symbol symbol : rules_.target(rule))
        add(target, is_nonterminal(symbol)
                        ? "[" + std::to_string((symbol & ~nonterminal_flag) + 1) + "]"
                        : std::string(rules_.words()[symbol]));
    } else if (node.kind == Kind::pass_through) {
      source = target = sentence.words[node.rule];
    } else {
      for (std::size_t k = 0; k < node.children.size(); ++k) {
        add(source, label(node.children[k].label));
        add(target, "[" + std::to_string(k + 1) + "]");
      }
    }
    nb::list out;
    out.append(node.begin);
    out.append(node.end);
    out.append(text_of(label(node.label) + " ||| " + source + " ||| " + target));
    for (const DerivationNode& child : node.children) out.append(tree(child, sentence));
    return out;
  }

  nb::object kept_rules_, kept_lm_;
  const Rules& rules_;
  Model model_;
  std::vector<std::pair<std::string_view, Slot>> features_;  // all, by name
  std::uint32_t computed_slots_[computed_count];
};

}  // namespace

void bind_generation(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Rules>(m, "DecoderRules")
      .def(nb::init<>())
      .def("keep_for",
           [](Rules& self, const nb::list& words) {
             const std::vector<std::string_view> views = utf8_list(words);
             self.keep_for(views);
           },
           "words"_a)
      .def("begin", &Rules::begin)
      .def("add", &add_lines, "text"_a)
      .def("finish", &Rules::finish, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("size", &Rules::size)
      .def("features", [](const Rules& self) { return text_list(self.feature_names()); });
  nb::class_<BoundDecoder>(m, "Decoder")
      .def(nb::init<nb::object, nb::object, bool>(), "rules"_a, "lm"_a, "lower_case"_a)
      .def("set_weights", &BoundDecoder::set_weights, "weights"_a)
      .def("decode", &BoundDecoder::decode, "sentences"_a, "settings"_a, "k"_a, "unique"_a,
           "derivations"_a, "threads"_a);
  m.attr("COMPUTED_FEATURES") = nb::tuple(text_list(std::span(computed_names)));
}

}  // namespace otherwords
