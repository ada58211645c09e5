// What Python sees of phrase extraction.
#include "phrases/bound_aligned.hpp"
#include "phrases/extract.hpp"
#include "phrases/spans.hpp"

namespace otherwords {
namespace {

std::int32_t checked_length(std::int32_t longest) {
  if (longest < 1 || longest > longest_phrase)
    throw std::invalid_argument("the longest phrase must have 1 to 7 words");
  return longest;
}

nb::tuple texts(PhraseTexts&& phrases) {
  return numpy_tuple(std::move(phrases.bytes), std::move(phrases.bounds));
}

nb::dict columns(PhraseCounts&& counts) {
  nb::dict out;
  out["lefts"] = texts(std::move(counts.lefts));
  out["rights"] = texts(std::move(counts.rights));
  out["left"] = to_numpy(std::move(counts.left));
  out["right"] = to_numpy(std::move(counts.right));
  out["links"] = to_numpy(std::move(counts.links));
  out["count"] = to_numpy(std::move(counts.count));
  out["left_given_right"] = to_numpy(std::move(counts.left_given_right));
  out["right_given_left"] = to_numpy(std::move(counts.right_given_left));
  return out;
}

nb::list count_blocks(const BoundAligned& self, const WordLinks& lexicon,
                      const std::vector<std::int64_t>& starts, std::int32_t longest,
                      unsigned threads) {
  checked_length(longest);
  if (lexicon.left_null() != self.left_words.size() ||
      lexicon.right_null() != self.right_words.size())
    throw std::invalid_argument("the word links are of another text");
  std::vector<PhraseCounts> counts(blocks(starts, self.text));
  parallel_without_gil(counts.size(), threads, 1, [&](std::size_t b, std::size_t) {
    counts[b] = count_phrases(self.text, self.left_words, self.right_words, lexicon,
                              static_cast<std::size_t>(starts[b]),
                              static_cast<std::size_t>(starts[b + 1]), longest);
  });
  nb::list out;
  for (PhraseCounts& block : counts) out.append(columns(std::move(block)));
  return out;
}

nb::tuple links_texts(Bounds links) {
  std::string text;
  std::vector<std::int64_t> bounds{0};
  constexpr std::uint64_t bits = (std::uint64_t{1} << longest_phrase * longest_phrase) - 1;
  for (const std::int64_t one : view(links)) {
    append_links(static_cast<std::uint64_t>(one) & bits, text);
    bounds.push_back(static_cast<std::int64_t>(text.size()));
  }
  return nb::make_tuple(to_numpy(std::vector<std::uint8_t>(text.begin(), text.end())),
                        to_numpy(std::move(bounds)));
}

// The word ids of a sentence pair do not matter to its spans.
nb::object phrase_spans(Ids links_left, Ids links_right, std::uint32_t left_length,
                        std::uint32_t right_length, std::int32_t longest, bool minimal) {
  const std::vector<std::uint32_t> left(left_length), right(right_length);
  const std::int64_t left_bounds[] = {0, left_length}, right_bounds[] = {0, right_length};
  const std::int64_t link_bounds[] = {0, static_cast<std::int64_t>(links_left.shape(0))};
  const Aligned text{{left, left_bounds},
                     {right, right_bounds},
                     {view(links_left), view(links_right), link_bounds}};
  text.check(1, 1);
  std::vector<std::int32_t> boxes;
  const auto append = [&](const Box& box) {
    if (box.left_end - box.left_begin >= longest || box.right_end - box.right_begin >= longest)
      return;
    boxes.insert(boxes.end(), {box.left_begin, box.left_end, box.right_begin, box.right_end});
  };
  {
    nb::gil_scoped_release release;
    SpanFinder finder;
    finder.load(text, 0);
    if (minimal)
      finder.minimal(append);
    else
      finder.all(longest, append);
  }
  return to_numpy(std::move(boxes));
}

}  // namespace

void bind_phrases(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<WordLinks>(m, "WordLinks")
      .def("__init__",
           [](WordLinks* self, Ids left, Ids right, Bounds count, std::uint32_t left_words,
              std::uint32_t right_words) {
             new (self) WordLinks(view(left), view(right), view(count), left_words, right_words);
           },
           "left"_a, "right"_a, "count"_a, "left_words"_a, "right_words"_a,
           "How often words are linked, sorted; NULL is the id after the last word.")
      .def("table", [](const WordLinks& self) {
        WordLinks::Table table = self.table();
        return numpy_tuple(std::move(table.left), std::move(table.right), std::move(table.count));
      });
  nb::class_<BoundAligned>(m, "AlignedText")
      .def(nb::init<Ids, Bounds, Bytes, Bounds, Ids, Bounds, Bytes, Bounds, Ids, Ids, Bounds>())
      .def("word_links",
           [](const BoundAligned& self) {
             nb::gil_scoped_release release;
             return WordLinks(self.text, self.left_words.size(), self.right_words.size());
           })
      .def("count_phrases", &count_blocks, "word_links"_a, "starts"_a, "longest"_a, "threads"_a,
           "The phrase pairs of each block of sentences, counted.");
  m.def("links_texts", &links_texts, "links"_a, "The links inside phrase pairs as text.");
  m.def("phrase_spans", &phrase_spans, "links_left"_a, "links_right"_a, "left_length"_a,
        "right_length"_a, "longest"_a, "minimal"_a,
        "First and last word of both sides of every phrase pair, four numbers each.");
}

}  // namespace otherwords
