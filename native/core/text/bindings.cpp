// What Python sees of text.
#include "text/bindings.hpp"

#include "arrays.hpp"
#include "hash.hpp"
#include "signals.hpp"
#include "text/annotate.hpp"
#include "text/parser.hpp"
#include "text/encoded_text.hpp"

namespace otherwords {
namespace {

nb::tuple encode(const nb::list& texts, std::string_view tokenizer, bool keep_case) {
  EncodedText encoded(tokenizer_named(tokenizer), keep_case);
  SignalCheck interrupt;
  for (nb::handle text : texts) {
    interrupt();
    encoded.add(utf8(text), [](std::string_view) { return true; });
  }
  return nb::make_tuple(to_numpy(std::move(encoded.tokens)), to_numpy(std::move(encoded.bounds)),
                        text_list(encoded.words));
}

nb::object hash_words(const nb::list& words) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(nb::len(words));
  for (nb::handle word : words) hashes.push_back(hash64(utf8(word)));
  return to_numpy(std::move(hashes));
}

nb::list token_spans(nb::str text, std::string_view tokenizer) {
  const std::string_view bytes = utf8(text);
  std::vector<Span> spans;
  tokenize(bytes, tokenizer_named(tokenizer), spans);
  nb::list out;
  std::size_t byte = 0, point = 0;
  const auto point_at = [&](std::size_t target) {
    for (; byte < target; ++byte) point += (static_cast<unsigned char>(bytes[byte]) & 0xc0) != 0x80;
    return point;
  };
  for (const Span span : spans) {
    const std::size_t begin = point_at(span.begin);
    out.append(nb::make_tuple(begin, point_at(span.end)));
  }
  return out;
}

nb::list lemmatize(const BoundLexicon& self, const nb::list& words, const nb::list& tags,
                   bool keep_case, bool wordnet_alone) {
  nb::list out;
  std::string lower, lemma;
  for (std::size_t i = 0; i < nb::len(words); ++i) {
    const std::string_view word = utf8(words[i]);
    lower_into(word, lower);
    self.lexicon.lemmatize(lower, Inflection::of_tag(utf8(tags[i])), lemma, wordnet_alone);
    if (keep_case) restore_case(word, lemma);
    out.append(text_of(lemma));
  }
  return out;
}

// For pairs of two vocabularies, by id: 1 where the words share a synonym or are the same.
nb::object synonym_mask(const BoundLexicon& self, const nb::list& left, const nb::list& right,
                        Column<std::uint32_t> lefts, Column<std::uint32_t> rights) {
  const auto places = [&](const nb::list& words) {
    std::vector<std::size_t> out;
    for (nb::handle word : words) out.push_back(self.lexicon.find(hash64(utf8(word))));
    return out;
  };
  const std::vector<std::size_t> one = places(left), other = places(right);
  const auto a = view(lefts), b = view(rights);
  if (a.size() != b.size()) throw std::invalid_argument("columns of different lengths");
  std::vector<std::uint8_t> out(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    const std::size_t x = one.at(a[k]), y = other.at(b[k]);
    out[k] = x != HashIndex::npos && y != HashIndex::npos && self.lexicon.share_synonym(x, y);
  }
  return to_numpy(std::move(out));
}

bool synonyms(const BoundLexicon& self, std::string_view a, std::string_view b) {
  if (a == b) return true;
  const std::size_t left = self.lexicon.find(hash64(a)), right = self.lexicon.find(hash64(b));
  return left != HashIndex::npos && right != HashIndex::npos &&
         self.lexicon.share_synonym(left, right);
}

std::string lower(std::string_view text) {
  std::string out;
  lower_into(text, out);
  return out;
}

Columns annotate_texts(const nb::list& texts, const BoundTagger& tagger,
                       const BoundLexicon& lexicon, std::string_view tokenizer, bool keep_case,
                       bool wordnet_alone, unsigned threads) {
  const std::vector<std::string_view> views = utf8_list(texts);
  const AnnotateOptions options{tokenizer_named(tokenizer), keep_case, wordnet_alone, threads};
  nb::gil_scoped_release release;
  return annotate(views, tagger.tagger(), lexicon.lexicon, options);
}

// Columns of sentences that Python knows the layers of, each a list over all tokens.
Columns pack(const std::vector<std::int64_t>& lengths, const nb::list& tags,
             const nb::list& lemmas, const std::vector<std::uint8_t>& words,
             const std::vector<std::int32_t>& heads, const nb::list& relations) {
  Columns columns;
  for (std::int64_t length : lengths) columns.bounds.push_back(columns.bounds.back() + length);
  for (nb::handle tag : tags) columns.tags.push_back(static_cast<std::uint32_t>(hash64(utf8(tag))));
  std::string folded;
  for (nb::handle lemma : lemmas) {
    columns.lemmas.push_back(hash64(utf8(lemma)));
    lower_into(utf8(lemma), folded);
    columns.folded.push_back(hash64(folded));
  }
  columns.words = words;
  columns.heads = heads;
  for (nb::handle relation : relations)
    columns.relations.push_back(static_cast<std::uint32_t>(hash64(utf8(relation))));
  columns.check();
  return columns;
}

}  // namespace

void bind_text(nb::module_& m) {
  using namespace nb::literals;
  m.def("hash_words", &hash_words, "words"_a, "The 64-bit hash of each word.");
  m.def("lower", &lower, "text"_a, "Lower case, the same for every locale.");
  m.def("has_alphanumeric", [](std::string_view text) { return has_alphanumeric(text); }, "text"_a);
  m.def("length_in_words", [](nb::str text) { return length_in_words(utf8(text)); }, "text"_a,
        "Words, or characters where spaces do not separate words.");
  m.def("encode", &encode, "texts"_a, "tokenizer"_a, "keep_case"_a,
        "Word ids of the texts, bounds of the sentences, the words.");
  m.def("token_spans", &token_spans, "text"_a, "tokenizer"_a,
        "Character offsets of the tokens of a text.");
  nb::class_<BoundLexicon>(m, "Lexicon")
      .def(nb::init<const nb::dict&>(), "arrays"_a)
      .def("lemmatize", &lemmatize, "words"_a, "tags"_a, "keep_case"_a, "wordnet_alone"_a = false)
      .def("synonym_mask", &synonym_mask, "left"_a, "right"_a, "lefts"_a, "rights"_a)
      .def("synonyms", &synonyms, "a"_a, "b"_a)
      .def("__contains__", [](const BoundLexicon& self, std::string_view lemma) {
        return self.lexicon.find(hash64(lemma)) != HashIndex::npos;
      });
  nb::class_<Columns>(m, "Columns")
      .def_prop_ro("sentences", &Columns::sentences)
      .def_prop_ro("tokens", [](const Columns& self) { return self.tags.size(); });
  m.def("annotate", &annotate_texts, "texts"_a, "tagger"_a, "lexicon"_a, "tokenizer"_a,
        "keep_case"_a, "wordnet_alone"_a, "threads"_a, "The texts as columns.");
  m.def("pack", &pack, "lengths"_a, "tags"_a, "lemmas"_a, "words"_a, "heads"_a, "relations"_a,
        "Sentences whose tags and lemmas are known as columns.");
}

// What Python sees of the tagger.

namespace {

TaggerArrays tagger_arrays(const nb::dict& from) {
  return {.tag_names = column<std::uint8_t>(from, "tag_names"),
          .feature_keys = column<std::uint64_t>(from, "feature_keys"),
          .feature_buckets = column<std::uint32_t>(from, "feature_buckets"),
          .row_bounds = column<std::uint32_t>(from, "row_bounds"),
          .row_tags = column<std::uint8_t>(from, "row_tags"),
          .row_weights = column<std::int8_t>(from, "row_weights"),
          .bigrams = column<std::int16_t>(from, "bigrams"),
          .trigrams = column<std::int16_t>(from, "trigrams"),
          .margin = column<std::int32_t>(from, "margin"),
          .lexicon = lexicon_arrays(from)};
}

}  // namespace

BoundTagger::BoundTagger(const nb::dict& arrays)
    : owned_(nb::cast<nb::dict>(arrays.attr("copy")())),
      tagger_(tagger_arrays(owned_)),
      names_(text_list(tagger_.tag_names())) {}

std::vector<std::uint8_t> BoundTagger::codes(const Tokens& tokens, unsigned threads) const {
  std::vector<std::uint8_t> tags(tokens.words.size());
  nb::gil_scoped_release release;
  parallel_blocks(tokens.size(), threads, 256, [&](std::size_t begin, std::size_t end) {
    const Tagger::Borrowed scratch;
    for (std::size_t s = begin; s < end; ++s)
      tagger_.tag(tokens.sentence(s), tags.data() + tokens.bounds[s], *scratch);
  });
  return tags;
}

nb::object BoundTagger::tag_codes(const nb::list& sentences, unsigned threads) const {
  return to_numpy(codes(Tokens(sentences), threads));
}

nb::list BoundTagger::tag(const nb::list& sentences, unsigned threads) const {
  const Tokens tokens(sentences);
  const std::vector<std::uint8_t> tags = codes(tokens, threads);
  nb::list result;
  for (std::size_t s = 0; s < tokens.size(); ++s) {
    nb::list row;
    for (std::size_t i = tokens.bounds[s]; i < tokens.bounds[s + 1]; ++i)
      row.append(names_[tags[i]]);
    result.append(row);
  }
  return result;
}

nb::list BoundTagger::tag_texts(const nb::list& texts, std::string_view tokenizer,
                                std::string_view before_tag, std::string_view after_tag,
                                unsigned threads) const {
  const Tokenizer chosen = tokenizer_named(tokenizer);
  const std::vector<std::string_view> views = utf8_list(texts);
  std::vector<std::string> lines(views.size());
  parallel_without_gil(views.size(), threads, 256, [&](std::size_t begin, std::size_t end) {
    const Tagger::Borrowed scratch;
    std::vector<Span> spans;
    std::vector<std::string_view> tokens;
    std::vector<std::uint8_t> tags;
    for (std::size_t t = begin; t < end; ++t) {
      tokenize(views[t], chosen, spans);
      tokens.clear();
      for (const Span span : spans)
        tokens.push_back(views[t].substr(span.begin, span.end - span.begin));
      tags.resize(tokens.size());
      tagger_.tag(tokens, tags.data(), *scratch);
      for (std::size_t i = 0; i < tokens.size(); ++i)
        lines[t].append(tokens[i]).append(before_tag).append(tagger_.tag_names()[tags[i]]).append(after_tag);
    }
  });
  nb::list result;
  for (const std::string& line : lines) result.append(text_of(line));
  return result;
}

nb::list BoundTagger::tag_names() const { return nb::cast<nb::list>(names_.attr("copy")()); }

void bind_tagger(nb::module_& m) {
  nb::class_<BoundTagger>(m, "Tagger", "The Penn tagger over the arrays of a model.")
      .def(nb::init<const nb::dict&>(), nb::arg("arrays"))
      .def("tag", &BoundTagger::tag, nb::arg("sentences"), nb::arg("threads") = 1,
           "The tags of each sentence, given as a list of tokens.")
      .def("tag_codes", &BoundTagger::tag_codes, nb::arg("sentences"), nb::arg("threads") = 1,
           "The tags of all tokens, end to end, as positions in `tag_names`.")
      .def("tag_texts", &BoundTagger::tag_texts, nb::arg("texts"), nb::arg("tokenizer"),
           nb::arg("before_tag"), nb::arg("after_tag"), nb::arg("threads") = 1,
           "Each text as its tokens with their tags, in one string.")
      .def_prop_ro("tag_names", &BoundTagger::tag_names);
}

// What Python sees of the parser.

namespace {

ParserArrays parser_arrays(const nb::dict& from) {
  return {.label_names = column<std::uint8_t>(from, "label_names"),
          .tag_names = column<std::uint8_t>(from, "tag_names"),
          .feature_buckets = column<std::uint32_t>(from, "feature_buckets"),
          .features = column<std::uint32_t>(from, "features"),
          .rows = column<std::uint16_t>(from, "rows"),
          .left_rules = column<std::int16_t>(from, "left_rules"),
          .right_rules = column<std::int16_t>(from, "right_rules"),
          .beam = column<std::int32_t>(from, "beam")};
}

// A parser, the Python arrays that it looks at, and the tagger that knows its words.
class BoundParser {
 public:
  BoundParser(const nb::dict& arrays, nb::object tagger)
      : owned_(nb::cast<nb::dict>(arrays.attr("copy")())),
        tagger_(std::move(tagger)),
        parser_(parser_arrays(owned_), nb::cast<const BoundTagger&>(tagger_).tagger().lexicon()) {}

  // Phrases of all sentences as begins, ends and labels, end to end, and where those of each
  // sentence start.
  nb::tuple parse(const nb::list& sentences, const nb::list& tags, unsigned threads) const {
    const Tokens words(sentences), tag_names(tags);
    require_fit(words, tag_names);
    std::vector<std::vector<Constituent>> phrases(words.size());
    parallel_without_gil(words.size(), threads, 16, [&](std::size_t begin, std::size_t end) {
      thread_local Parser::Scratch scratch;
      for (std::size_t s = begin; s < end; ++s)
        parser_.parse(words.sentence(s), tag_names.sentence(s), phrases[s], scratch);
    });
    std::vector<std::int32_t> begins, ends, labels;
    std::vector<std::int64_t> bounds{0};
    for (const auto& sentence : phrases) {
      for (const Constituent& phrase : sentence) {
        begins.push_back(phrase.begin);
        ends.push_back(phrase.end);
        labels.push_back(phrase.label);
      }
      bounds.push_back(static_cast<std::int64_t>(begins.size()));
    }
    return numpy_tuple(std::move(begins), std::move(ends), std::move(labels), std::move(bounds));
  }

  std::vector<std::string> label_names() const { return parser_.grammar().labels(); }

 private:
  nb::dict owned_;
  nb::object tagger_;
  Parser parser_;
};

// The best binary tree under given scores, for tests of the chart: `labels`, `left` and `right`
// are rows of `width` numbers a span, spans by their begins, then by their ends.
nb::list best_binary_tree(const std::vector<std::string>& label_names,
                          const std::vector<std::string>& tag_names,
                          const std::vector<std::string>& tags, const Column<float>& labels,
                          const Column<float>& left, const Column<float>& right,
                          const Column<float>& left_rules, const Column<float>& right_rules,
                          float beam) {
  const parsing::Grammar grammar(label_names, tag_names);
  const parsing::Symbols& symbols = grammar.symbols();
  const std::size_t n = tags.size(), width = symbols.width();
  const std::size_t scores = parsing::cells(n) * width, table = symbols.children * symbols.parents;
  if (labels.shape(0) != scores || left.shape(0) != scores || right.shape(0) != scores ||
      left_rules.shape(0) != table || right_rules.shape(0) != table)
    throw std::invalid_argument("the scores do not fit");
  parsing::Chart chart;
  chart.reset(n, symbols);
  for (std::size_t begin = 0; begin < n; ++begin)
    for (std::size_t end = begin + 1; end <= n; ++end) {
      const std::size_t at = parsing::cell(begin, end, n) * width;
      std::copy_n(labels.data() + at, width, chart.label_scores(begin, end));
      std::copy_n(left.data() + at, width, chart.left_scores(begin, end));
      std::copy_n(right.data() + at, width, chart.right_scores(begin, end));
    }
  std::vector<std::uint8_t> classes;
  for (const std::string& tag : tags) classes.push_back(grammar.tag_class(tag));
  std::vector<float> left_table(view(left_rules).begin(), view(left_rules).end());
  std::vector<float> right_table(view(right_rules).begin(), view(right_rules).end());
  grammar.forbid(left_table);
  grammar.forbid(right_table);
  std::vector<parsing::Node> tree;
  chart.parse(left_table, right_table, classes, beam, tree);
  nb::list nodes;
  for (const parsing::Node& node : tree)
    nodes.append(nb::make_tuple(node.begin, node.end, node.split, node.label));
  return nodes;
}

}  // namespace

void bind_parser(nb::module_& m) {
  nb::class_<BoundParser>(m, "Parser", "The constituency parser over the arrays of a model.")
      .def(nb::init<const nb::dict&, nb::object>(), nb::arg("arrays"), nb::arg("tagger"))
      .def("parse", &BoundParser::parse, nb::arg("sentences"), nb::arg("tags"),
           nb::arg("threads") = 1,
           "Begins, ends and labels of the phrases of all sentences, and where each starts.")
      .def_prop_ro("label_names", &BoundParser::label_names);
  m.def("best_binary_tree", &best_binary_tree, nb::arg("label_names"), nb::arg("tag_names"),
        nb::arg("tags"), nb::arg("labels"), nb::arg("left"), nb::arg("right"),
        nb::arg("left_rules"), nb::arg("right_rules"), nb::arg("beam"),
        "The nodes (begin, end, split, label) of the best binary tree under given scores.");
}

}  // namespace otherwords
