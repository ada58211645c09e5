// What Python sees of models.
#include "models/bindings.hpp"

#include "hash.hpp"

namespace otherwords {
namespace {

constexpr std::size_t keys_per_block = 4096;
constexpr std::size_t sentences_per_block = 64;

// Strings one after the other, as Arrow keeps them: string i is bytes[bounds[i] : bounds[i + 1]].
class Strings {
 public:
  Strings(const Column<std::uint8_t>& bytes, const Column<std::int64_t>& bounds)
      : bytes_(view(bytes)), bounds_(view(bounds)) {
    if (bounds_.empty()) throw std::invalid_argument("strings: there are no bounds");
    const auto size = static_cast<std::int64_t>(bytes_.size());
    for (std::size_t i = 0; i < bounds_.size(); ++i)
      if (bounds_[i] < (i ? bounds_[i - 1] : 0) || bounds_[i] > size)
        throw std::invalid_argument("strings: the bounds do not fit the bytes");
  }

  std::size_t size() const { return bounds_.size() - 1; }
  std::int64_t begin(std::size_t i) const { return bounds_[i]; }
  std::string_view operator[](std::size_t i) const {
    return {reinterpret_cast<const char*>(bytes_.data()) + bounds_[i],
            static_cast<std::size_t>(bounds_[i + 1] - bounds_[i])};
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::span<const std::int64_t> bounds_;
};

nb::object hash_strings(const Column<std::uint8_t>& bytes, const Column<std::int64_t>& bounds) {
  std::vector<std::uint64_t> hashes;
  {
    nb::gil_scoped_release release;
    const Strings strings(bytes, bounds);
    hashes.resize(strings.size());
    for (std::size_t i = 0; i < strings.size(); ++i) hashes[i] = hash64(strings[i]);
  }
  return to_numpy(std::move(hashes));
}

// Words of a phrase: one more than its spaces, 0 if any of them would be empty.
std::uint32_t words_in(std::string_view phrase) {
  if (phrase.empty() || phrase.front() == ' ' || phrase.back() == ' ' ||
      phrase.find("  ") != phrase.npos)
    return 0;
  return static_cast<std::uint32_t>(std::count(phrase.begin(), phrase.end(), ' ')) + 1;
}

nb::object count_words(const Column<std::uint8_t>& bytes, const Column<std::int64_t>& bounds) {
  std::vector<std::uint32_t> counts;
  {
    nb::gil_scoped_release release;
    const Strings phrases(bytes, bounds);
    counts.resize(phrases.size());
    for (std::size_t i = 0; i < phrases.size(); ++i) counts[i] = words_in(phrases[i]);
  }
  return to_numpy(std::move(counts));
}

nb::tuple split_words(const Column<std::uint8_t>& bytes, const Column<std::int64_t>& bounds) {
  std::vector<std::uint64_t> hashes;
  std::vector<std::int64_t> begins, ends;
  {
    nb::gil_scoped_release release;
    const Strings phrases(bytes, bounds);
    for (std::size_t i = 0; i < phrases.size(); ++i) {
      const std::string_view phrase = phrases[i];
      for (std::size_t at = 0; at <= phrase.size();) {
        const std::size_t end = std::min(phrase.find(' ', at), phrase.size());
        hashes.push_back(hash64(phrase.substr(at, end - at)));
        begins.push_back(phrases.begin(i) + static_cast<std::int64_t>(at));
        ends.push_back(phrases.begin(i) + static_cast<std::int64_t>(end));
        at = end + 1;
      }
    }
  }
  return numpy_tuple(std::move(hashes), std::move(begins), std::move(ends));
}

// Counts of the phrases of 1 to `longest` words from each word of each sentence on.
nb::object count_phrases(const BoundPivotTable& self, const nb::list& sentences,
                         std::size_t longest, unsigned threads) {
  if (longest < 1 || longest > PivotTable::longest_phrase)
    throw std::invalid_argument("phrases have 1 to 16 words");
  std::vector<std::string_view> words;
  std::vector<std::size_t> bounds{0};
  for (nb::handle sentence : sentences) {
    for (nb::handle word : nb::cast<nb::list>(sentence)) words.push_back(utf8(word));
    bounds.push_back(words.size());
  }
  std::vector<double> counts(words.size() * longest);
  {
    nb::gil_scoped_release release;
    const std::span<const std::string_view> all(words);
    parallel_blocks(bounds.size() - 1, threads, sentences_per_block,
                    [&](std::size_t from, std::size_t to) {
                      const std::size_t first = bounds[from];
                      std::vector<std::uint64_t> keys((bounds[to] - first) * longest);
                      for (std::size_t s = from; s < to; ++s)
                        phrase_keys(all.subspan(bounds[s], bounds[s + 1] - bounds[s]), longest,
                                    keys.data() + (bounds[s] - first) * longest);
                      std::vector<PivotTable::Entry> found(keys.size());
                      self.table.find_all(keys, found);
                      for (std::size_t i = 0; i < keys.size(); ++i)
                        counts[first * longest + i] = keys[i] == 0 ? 0 : found[i].count;
                    });
  }
  return to_numpy(std::move(counts));
}

nb::tuple lookup(const BoundPivotTable& self, const Column<std::uint64_t>& keys,
                 unsigned threads) {
  const auto wanted = view(keys);
  std::vector<double> counts(wanted.size());
  std::vector<std::uint32_t> first(wanted.size()), end(wanted.size());
  parallel_without_gil(wanted.size(), threads, keys_per_block, [&](std::size_t from, std::size_t to) {
    std::vector<PivotTable::Entry> found(to - from);
    self.table.find_all(wanted.subspan(from, to - from), found);
    for (std::size_t i = from; i < to; ++i) {
      const PivotTable::Entry& entry = found[i - from];
      counts[i] = entry.count;
      first[i] = entry.first_edge;
      end[i] = entry.end_edge;
    }
  });
  return numpy_tuple(std::move(counts), std::move(first), std::move(end));
}

PivotTable::Entry find(const BoundPivotTable& self, nb::handle phrase) {
  return self.table.find(hash64(utf8(phrase)));
}

nb::tuple pivot_words(const PivotTable& table, std::uint32_t pivot) {
  std::uint32_t ids[PivotTable::longest_phrase];
  nb::list words;
  const std::size_t length = table.pivot_phrase(pivot, ids);
  for (std::size_t i = 0; i < length; ++i)
    words.append(text_with_replacements(table.word(ids[i])));
  return nb::tuple(words);
}

nb::list edges(const BoundPivotTable& self, nb::str phrase) {
  const PivotTable::Entry entry = find(self, phrase);
  nb::list out;
  for (std::size_t i = entry.first_edge; i < entry.end_edge; ++i) {
    const PivotTable::Edge edge = self.table.edge(i);
    out.append(nb::make_tuple(pivot_words(self.table, edge.pivot), edge.forward, edge.backward));
  }
  return out;
}

nb::object paraphrase_probabilities(const BoundPivotTable& self, const nb::list& left,
                                    const nb::list& right, Column<std::uint32_t> lefts,
                                    Column<std::uint32_t> rights) {
  const auto entries = [&](const nb::list& phrases) {
    std::vector<PivotTable::Entry> out;
    for (nb::handle phrase : phrases) out.push_back(self.table.find(hash64(utf8(phrase))));
    return out;
  };
  const auto one = entries(left), other = entries(right);
  const auto a = view(lefts), b = view(rights);
  if (a.size() != b.size()) throw std::invalid_argument("columns of different lengths");
  std::vector<float> out(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    const auto &x = one.at(a[k]), &y = other.at(b[k]);
    out[k] = static_cast<float>((self.table.paraphrase_probability(x, y) +
                                 self.table.paraphrase_probability(y, x)) / 2);
  }
  return to_numpy(std::move(out));
}

}  // namespace

void bind_models(nb::module_& m) {
  using namespace nb::literals;
  m.def("hash_strings", &hash_strings, "bytes"_a, "bounds"_a, "The 64-bit hash of each string.");
  m.def("count_words", &count_words, "bytes"_a, "bounds"_a,
        "Words of each phrase; 0 if it is not words with single spaces between them.");
  m.def("split_words", &split_words, "bytes"_a, "bounds"_a,
        "Of each word of each phrase: its hash, where it begins and ends.");
  nb::class_<BoundPivotTable>(m, "PivotTable")
      .def(nb::init<const nb::dict&>(), "arrays"_a)
      .def("__len__", [](const BoundPivotTable& self) { return self.table.size(); })
      .def_prop_ro("edge_count", [](const BoundPivotTable& self) { return self.table.edges(); })
      .def("count", [](const BoundPivotTable& self, nb::str phrase) {
        return find(self, phrase).count;
      }, "phrase"_a)
      .def("count_phrases", &count_phrases, "sentences"_a, "longest"_a, "threads"_a,
           "Of each word: the counts of the phrases of 1 to `longest` words that start there.")
      .def("edges", &edges, "phrase"_a, "Pivot words, p(f|e), p(e|f) of each translation.")
      .def("lookup", &lookup, "keys"_a, "threads"_a = 1,
           "Of each key: the count (0 if it is not there), its first edge, the end of its edges.")
      .def("paraphrase_probability", [](const BoundPivotTable& self, nb::str from, nb::str to) {
        return self.table.paraphrase_probability(find(self, from), find(self, to));
      }, "source"_a, "target"_a)
      .def("paraphrase_probabilities", &paraphrase_probabilities, "left"_a, "right"_a, "lefts"_a,
           "rights"_a, "For pairs of two lists of phrases, by place: the mean of p(b|a), p(a|b).")
      .def("share_pivot", [](const BoundPivotTable& self, nb::str a, nb::str b) {
        return self.table.share_pivot(find(self, a), find(self, b));
      }, "a"_a, "b"_a);
}

// What Python sees of paraphrase tables.

namespace {

std::uint64_t key_of(nb::handle phrase) {
  std::string normal;
  normalise_phrase(utf8(phrase), normal);
  return hash64(normal);
}

nb::tuple normalised_keys(const nb::list& phrases) {
  const std::vector<std::string_view> texts = utf8_list(phrases);
  std::vector<std::uint64_t> keys(texts.size());
  std::vector<std::uint32_t> words(texts.size());
  {
    nb::gil_scoped_release release;
    std::string normal;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      words[i] = static_cast<std::uint32_t>(normalise_phrase(texts[i], normal));
      keys[i] = hash64(normal);
    }
  }
  return numpy_tuple(std::move(keys), std::move(words));
}

nb::object lookup_phrases(const BoundParaphraseTable& self, const Column<std::uint64_t>& keys) {
  std::vector<std::size_t> found(keys.shape(0));
  {
    nb::gil_scoped_release release;
    self.table.find_all(view(keys), found);
  }
  return to_numpy(std::vector<std::int64_t>(found.begin(), found.end()));
}

nb::list targets(const BoundParaphraseTable& self, nb::str phrase) {
  const auto found = self.table.targets(self.table.find(key_of(phrase)));
  nb::list out;
  for (std::size_t i = 0; i < found.size; ++i)
    out.append(nb::make_tuple(found.numbers[i], probability_of(found.codes[i])));
  return out;
}

}  // namespace

void bind_paraphrase_table(nb::module_& m) {
  using namespace nb::literals;
  m.def("phrase_keys", &normalised_keys, "phrases"_a,
        "Of each phrase, in lower case and with single spaces: its hash and number of words.");
  nb::class_<BoundParaphraseTable>(m, "ParaphraseTable")
      .def(nb::init<const nb::dict&>(), "arrays"_a)
      .def("__len__", [](const BoundParaphraseTable& self) { return self.table.size(); })
      .def_prop_ro("pairs", [](const BoundParaphraseTable& self) { return self.table.pairs(); })
      .def_prop_ro("longest", [](const BoundParaphraseTable& self) { return self.table.longest(); })
      .def("lookup", &lookup_phrases, "keys"_a, "The number of the phrase of each key, or -1.")
      .def("targets", &targets, "phrase"_a, "Numbers of its paraphrases, with probabilities.")
      .def("probability", [](const BoundParaphraseTable& self, nb::str a, nb::str b) {
        return self.table.probability(self.table.find(key_of(a)), self.table.find(key_of(b)));
      }, "a"_a, "b"_a, "p(b|a); 0 if the table does not have the pair.");
}

}  // namespace otherwords
