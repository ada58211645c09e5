#include "lm/arpa.hpp"

#include "lm/estimate.hpp"
#include "text/unicode.hpp"
#include "text/word_table.hpp"

namespace otherwords::lm {
namespace {

constexpr float missing_unknown = -100;  // KenLM's probability of <unk> where a file has none

// The n-grams of one length as they stand in the file.
struct Section {
  std::vector<std::uint32_t> words;  // length of them an n-gram, the last word first
  std::vector<float> probability;    // NaN: not in the file, only needed as a suffix
  std::vector<float> backoff;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  ArpaModel read() {
    read_header();
    for (std::size_t k = 0; k < counts_.size(); ++k) {
      expect(std::string("\\").append(std::to_string(k + 1)).append("-grams:"));
      if (k == 0)
        read_words();
      else
        read_ngrams(k + 1);
    }
    expect("\\end\\");
    for (std::size_t length = 2; length <= sections_.size(); ++length) sort(length);
    for (std::size_t length = sections_.size(); length > 2; --length) add_missing_suffixes(length);
    return assembled();
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw ArpaError(line_, message); }

  bool next_line() {
    if (at_ >= text_.size()) return false;
    std::size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) end = text_.size();
    current_ = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    if (!current_.empty() && current_.back() == '\r') current_.remove_suffix(1);
    return true;
  }

  void split() {
    fields_.clear();
    for (std::size_t i = 0; i < current_.size();) {
      while (i < current_.size() && (current_[i] == ' ' || current_[i] == '\t')) ++i;
      const std::size_t begin = i;
      while (i < current_.size() && current_[i] != ' ' && current_[i] != '\t') ++i;
      if (i > begin) fields_.push_back(current_.substr(begin, i - begin));
    }
  }

  bool next_content() {
    while (next_line()) {
      split();
      if (!fields_.empty()) return true;
    }
    return false;
  }

  void expect(const std::string& heading) {
    if (!next_content()) fail("the file ends; " + heading + " is missing");
    if (fields_.size() != 1 || fields_[0] != heading)
      fail(heading + " is expected here, not " + shown(current_));
  }

  // The beginning of a text, in quotes.
  static std::string shown(std::string_view text) {
    std::size_t end = std::min<std::size_t>(text.size(), 60);
    while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
      --end;
    std::string quoted = "'";
    quoted.append(text.substr(0, end)).append("'");
    return quoted;
  }

  void read_header() {
    do {
      if (!next_content()) fail("no \\data\\ line; is this an ARPA file?");
    } while (fields_[0] != "\\data\\");
    for (;;) {
      const std::size_t place = at_;
      const std::size_t line = line_;
      if (!next_content()) fail("the file ends within its header");
      if (fields_[0] != "ngram") {
        at_ = place;
        line_ = line;
        break;
      }
      read_count();
    }
    if (counts_.empty()) fail("the header counts no n-grams");
  }

  // "ngram 2=100", with spaces where toolkits put them.
  void read_count() {
    std::string joined;
    for (std::size_t i = 1; i < fields_.size(); ++i) joined += fields_[i];
    std::size_t length = 0, count = 0;
    const char* end = joined.data() + joined.size();
    auto [equals, error] = std::from_chars(joined.data(), end, length);
    bool fine = error == std::errc() && equals != end && *equals == '=';
    if (fine) {
      const auto result = std::from_chars(equals + 1, end, count);
      fine = result.ec == std::errc() && result.ptr == end;
    }
    if (!fine) fail("'ngram N=COUNT' is expected here, not " + shown(current_));
    if (length != counts_.size() + 1) fail("the n-gram lengths of the header are not 1, 2, 3, ...");
    if (length > max_order) fail("n-grams longer than " + std::to_string(max_order));
    if (count >= absent) fail("more than 4 billion n-grams of a length");
    counts_.push_back(count);
  }

  float number(std::string_view field, const char* what) const {
    if (!field.empty() && field[0] == '+') field.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error == std::errc::result_out_of_range) return field[0] == '-' ? log_floor : 0;
    if (error != std::errc() || end != field.data() + field.size() || std::isnan(value) ||
        value > 1e30)
      fail(std::string(what) + " is not a number: " + shown(field));
    return static_cast<float>(std::max(value, -100.0));
  }

  // One n-gram line: probability, words, perhaps a back-off.
  void read_entry(std::size_t length, Section& section) {
    if (!next_content())
      fail("the file ends among the " + std::to_string(length) + "-grams");
    if (fields_[0][0] == '\\')
      fail(shown(current_) + " comes too early: the header promises " +
           std::to_string(counts_[length - 1]) + " " + std::to_string(length) + "-grams, found " +
           std::to_string(section.probability.size()));
    if (fields_.size() != length + 1 && fields_.size() != length + 2)
      fail("a log10 probability, " + std::to_string(length) +
           " word(s) and perhaps a back-off are expected here, not " +
           std::to_string(fields_.size()) + " fields");
    const float probability = number(fields_[0], "the log10 probability");
    if (probability > 0) fail("a log10 probability above 0: " + shown(fields_[0]));
    section.probability.push_back(probability);
    const bool has_backoff = fields_.size() == length + 2;
    section.backoff.push_back(has_backoff ? number(fields_.back(), "the back-off") : 0);
    lines_.push_back(line_);
  }

  void read_words() {
    Section section;
    std::vector<std::uint32_t> reserved(first_word, absent);
    std::vector<std::uint32_t> entries;  // of the words of `table_`
    for (std::size_t i = 0; i < counts_[0]; ++i) {
      read_entry(1, section);
      const std::string_view word = fields_[1];
      check_utf8(word);
      const std::uint32_t special = reserved_number(word);
      const auto entry = static_cast<std::uint32_t>(i);
      if (special != absent) {
        if (reserved[special] != absent) fail("the word " + shown(word) + " stands here again");
        reserved[special] = entry;
      } else if (table_.add(word) != entries.size()) {
        fail("the word " + shown(word) + " stands here again");
      } else {
        entries.push_back(entry);
      }
    }
    for (const auto& [special, name] : {std::pair{sentence_begin, "<s>"}, {sentence_end, "</s>"}})
      if (reserved[special] == absent)
        fail(std::string("the 1-grams have no ") + name + "; sentences cannot be scored");
    lines_.clear();
    number_words(section, reserved, entries);
  }

  static std::uint32_t reserved_number(std::string_view word) {
    if (word == "<unk>" || word == "<UNK>") return unknown_word;
    if (word == "<s>") return sentence_begin;
    return word == "</s>" ? sentence_end : absent;
  }

  void check_utf8(std::string_view word) const {
    for (std::size_t i = 0; i < word.size();) {
      const CodePoint c = decode(word, i);
      const bool surrogate = c.value >= 0xd800 && c.value < 0xe000;
      const bool overlong = (c.size == 3 && c.value < 0x800) || (c.size == 4 && c.value < 0x10000);
      if ((c.value == 0xfffd && c.size == 1) || surrogate || overlong || c.value > 0x10ffff)
        fail("a word is not UTF-8");
      if (c.value == 0) fail("NUL byte; is this a text file?");
      i += c.size;
    }
  }

  // Words are numbered in the order of their hashes, as the packed model wants them.
  void number_words(const Section& section, const std::vector<std::uint32_t>& reserved,
                    const std::vector<std::uint32_t>& entries) {
    std::vector<std::uint32_t> order(table_.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return table_.hash(a) < table_.hash(b);
    });
    Section sorted;
    const auto take = [&](std::uint32_t entry) {
      sorted.probability.push_back(entry == absent ? missing_unknown : section.probability[entry]);
      sorted.backoff.push_back(entry == absent ? 0 : section.backoff[entry]);
    };
    for (const std::uint32_t entry : reserved) take(entry);
    numbers_.resize(table_.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      numbers_[order[i]] = static_cast<std::uint32_t>(i) + first_word;
      take(entries[order[i]]);
    }
    sections_.push_back(std::move(sorted));
  }

  void read_ngrams(std::size_t length) {
    Section section;
    for (std::size_t i = 0; i < counts_[length - 1]; ++i) {
      read_entry(length, section);
      for (std::size_t j = length; j > 0; --j) section.words.push_back(number_of(fields_[j]));
    }
    section_lines_.resize(length + 1);
    section_lines_[length] = std::move(lines_);
    lines_.clear();
    sections_.push_back(std::move(section));
  }

  std::uint32_t number_of(std::string_view word) const {
    const std::uint32_t special = reserved_number(word);
    if (special != absent) return special;
    const std::uint32_t entry = table_.find(word);
    if (entry == absent) fail("the word " + shown(word) + " is not among the 1-grams");
    return numbers_[entry];
  }

  void sort(std::size_t length) {
    Section& section = sections_[length - 1];
    std::vector<std::uint32_t> order(section.probability.size());
    std::iota(order.begin(), order.end(), 0);
    const auto words_of = [&](std::uint32_t i) { return section.words.data() + i * length; };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto *x = words_of(a), *y = words_of(b);
      const auto [p, q] = std::mismatch(x, x + length, y);
      return p == x + length ? a < b : *p < *q;
    });
    Section sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto* words = words_of(order[i]);
      if (i > 0 && std::equal(words, words + length, words_of(order[i - 1]))) {
        line_ = section_lines_[length][order[i]];
        fail("this n-gram stands here again");
      }
      sorted.words.insert(sorted.words.end(), words, words + length);
      sorted.probability.push_back(section.probability[order[i]]);
      sorted.backoff.push_back(section.backoff[order[i]]);
    }
    section = std::move(sorted);
    section_lines_[length] = {};
  }

  // Toolkits that prune may leave w2..wn out where w1..wn is in; the trie needs both. Their
  // probability is the one that backing off gives, so that the model stays what it is.
  void add_missing_suffixes(std::size_t length) {
    const Section& longer = sections_[length - 1];
    Section& shorter = sections_[length - 2];
    const std::size_t n = length - 1;
    Section merged;
    std::size_t have = 0;
    const auto take_shorter = [&] {
      const auto* words = shorter.words.data() + have * n;
      merged.words.insert(merged.words.end(), words, words + n);
      merged.probability.push_back(shorter.probability[have]);
      merged.backoff.push_back(shorter.backoff[have]);
      ++have;
    };
    const auto compare = [&](const std::uint32_t* suffix) {  // with the next of the shorter ones
      if (have == shorter.probability.size()) return 1;
      const auto* words = shorter.words.data() + have * n;
      const auto [p, q] = std::mismatch(words, words + n, suffix);
      return p == words + n ? 0 : *p < *q ? -1 : 1;
    };
    for (std::size_t i = 0; i < longer.probability.size(); ++i) {
      const auto* suffix = longer.words.data() + i * length;
      while (compare(suffix) < 0) take_shorter();
      if (compare(suffix) == 0) continue;
      const bool just_added = merged.probability.size() > 0 &&
                              std::equal(suffix, suffix + n, merged.words.end() - n);
      if (just_added) continue;
      merged.words.insert(merged.words.end(), suffix, suffix + n);
      merged.probability.push_back(std::nanf(""));
      merged.backoff.push_back(0);
    }
    while (have < shorter.probability.size()) take_shorter();
    shorter = std::move(merged);
  }

  ArpaModel assembled() {
    ArpaModel model;
    for (std::size_t k = 0; k < sections_.size(); ++k) {
      Section& section = sections_[k];
      Level level;
      level.probability = std::move(section.probability);
      if (k + 1 < sections_.size()) level.backoff = std::move(section.backoff);
      const std::size_t length = k + 1;
      std::uint32_t suffix = 0;
      for (std::size_t i = 0; k > 0 && i < level.size(); ++i) {
        const auto* words = section.words.data() + i * length;
        level.left.push_back(words[k]);
        if (k == 1) {
          suffix = words[0];
        } else {
          const auto& below = sections_[k - 1].words;
          while (!std::equal(words, words + k, below.data() + suffix * k)) ++suffix;
        }
        level.suffix.push_back(suffix);
      }
      model.table.levels.push_back(std::move(level));
    }
    link_contexts(model.table);
    fill_missing(model.table);
    model.words.resize(table_.size());
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      model.words[numbers_[i] - first_word] = table_[i];
    return model;
  }

  static void fill_missing(NgramTable& table) {
    for (std::size_t k = 1; k < table.order(); ++k) {
      Level& level = table.levels[k];
      const Level& below = table.levels[k - 1];
      for (std::size_t i = 0; i < level.size(); ++i) {
        if (!std::isnan(level.probability[i])) continue;
        const std::uint32_t context = level.context[i];
        level.probability[i] = below.probability[level.suffix[i]] +
                               (context == absent ? 0 : below.backoff[context]);
      }
    }
  }

  std::string_view text_, current_;
  std::size_t at_ = 0, line_ = 0;
  std::vector<std::string_view> fields_;
  std::vector<std::size_t> counts_;
  WordTable table_;
  std::vector<std::uint32_t> numbers_;  // of the words of `table_`
  std::vector<std::size_t> lines_;
  std::vector<std::vector<std::size_t>> section_lines_;  // by length
  std::vector<Section> sections_;
};

void append(std::string& out, float value) {
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

}  // namespace

ArpaModel read_arpa(std::string_view text) { return Reader(text).read(); }

std::string arpa_lines(const NgramTable& table, const std::vector<std::string_view>& words,
                       std::size_t k, std::size_t begin, std::size_t end) {
  std::string out;
  const Level& level = table.levels[k];
  for (std::size_t i = begin; i < end; ++i) {
    append(out, level.probability[i]);
    out += '\t';
    std::size_t node = i;
    for (std::size_t at = k; at > 0; --at) {
      out += words[table.levels[at].left[node]];
      out += ' ';
      node = table.levels[at].suffix[node];
    }
    out += words[node];
    if (!level.backoff.empty()) {
      out += '\t';
      append(out, level.backoff[i]);
    }
    out += '\n';
  }
  return out;
}

}  // namespace otherwords::lm
