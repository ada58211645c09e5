#include "text/tokenizer.hpp"

#include "text/unicode.hpp"

namespace otherwords {
namespace {

constexpr char32_t none = 0xffffffff;  // before the first and after the last character

constexpr bool is_apostrophe(char32_t c) { return c == '\'' || c == 0x2019; }

constexpr bool is_closing(char32_t c) {
  return c == '"' || c == '\'' || c == ')' || c == ']' || c == '}' || c == '>' || c == 0x2019 ||
         c == 0x201d || c == 0xbb;
}

constexpr bool is_opening(char32_t c) {
  return c == '(' || c == '[' || c == '{' || c == '<' || c == '`' || c == 0x2018 || c == 0x201c ||
         c == 0xab;
}

// Characters that belong to words in any position. Hyphens, periods and apostrophes do so
// only in company; see Scanner::joins.
bool is_word(char32_t c) {
  static constexpr std::string_view breaking = ",;:@#$%&?!()[]{}<>\"'`.-";
  if (c == none || is_space(c)) return false;
  if (c < 0x80) return breaking.find(static_cast<char>(c)) == std::string_view::npos;
  return !is_wide_symbol(c) || c == 0xad || c == 0x2010 || c == 0x2011 || c == 0x200d;
}

// Abbreviations that keep their period before a capital or a digit.
bool is_abbreviation(std::string_view lower) {
  static constexpr std::array<std::string_view, 62> known = {
      "adm",  "apr",  "art",  "assn", "aug",  "ave",  "bros", "brig", "capt", "cf",   "cmdr",
      "co",   "col",  "corp", "cpl",  "dec",  "dept", "dr",   "ed",   "eds",  "eg",   "est",
      "etc",  "feb",  "fig",  "figs", "ft",   "gen",  "gov",  "hon",  "ie",   "inc",  "jan",
      "jr",   "lt",   "ltd",  "maj",  "messrs", "mr", "mrs",  "ms",   "mt",   "nos",  "nov",
      "oct",  "pp",   "prof", "pvt",  "rep",  "reps", "rev",  "sen",  "sens", "sep",  "sept",
      "sgt",  "sr",   "st",   "supt", "univ", "vol",  "vs"};
  return std::binary_search(known.begin(), known.end(), lower);
}

// Spoken contractions that the Treebank writes as two words: where to cut.
std::size_t cut_of_contraction(std::string_view lower) {
  if (lower == "cannot" || lower == "gimme" || lower == "gonna" || lower == "gotta" ||
      lower == "lemme" || lower == "wanna")
    return 3;
  if (lower == "d'ye") return 2;
  if (lower == "more'n") return 4;
  return 0;
}

class Scanner {
 public:
  Scanner(std::string_view text, std::vector<Span>& spans) : text_(text), spans_(spans) {}

  void scan() {
    std::size_t at = 0;
    while (at < text_.size()) {
      const CodePoint c = decode(text_, at);
      at = is_space(c.value) ? at + c.size : scan_token(at, c);
    }
  }

 private:
  // Emits the token or tokens that start at `at`; returns where to go on.
  std::size_t scan_token(std::size_t at, CodePoint c) {
    if (const std::size_t end = address_end(at)) return emit(at, end);
    for (char run : {'.', '-'})
      if (c.value == static_cast<char32_t>(run) && peek(at + 1) == c.value)
        return emit(at, run_end(at, run));
    if ((c.value == '\'' || c.value == '`') && peek(at + 1) == c.value) return emit(at, at + 2);
    if (is_apostrophe(c.value)) return scan_apostrophe(at, c.size);
    const std::size_t end = word_end(at);
    if (end == at) return emit(at, at + c.size);
    return scan_word(at, end);
  }

  // 's and its kin standing alone, 'tis, '90s, or a plain quote.
  std::size_t scan_apostrophe(std::size_t at, unsigned size) {
    const std::size_t end = word_end(at + size);
    const std::string_view rest = lower(at + size, end);
    if (rest == "tis" || rest == "twas") {
      emit(at, at + size + 1);
      return emit(at + size + 1, end);
    }
    static constexpr std::array<std::string_view, 6> clitics = {"d", "ll", "m", "re", "s", "ve"};
    const bool clitic = std::binary_search(clitics.begin(), clitics.end(), rest);
    return emit(at, clitic || is_digit(peek(at + size)) ? end : at + size);
  }

  std::size_t scan_word(std::size_t begin, std::size_t end) {
    if (keeps_period(begin, end)) return emit(begin, end + 1);
    split_contractions(begin, end);
    return end;
  }

  void split_contractions(std::size_t begin, std::size_t end) {
    ends_.assign(1, end);
    for (std::size_t clitic = clitic_begin(begin, end); clitic > begin;
         clitic = clitic_begin(begin, clitic))
      ends_.push_back(clitic);
    const std::size_t stem = ends_.back();
    const std::size_t cut = stem - begin <= 6 ? cut_of_contraction(lower(begin, stem)) : 0;
    if (cut) emit(begin, begin + cut);
    emit(begin + cut, stem);
    for (std::size_t i = ends_.size() - 1; i > 0; --i) emit(ends_[i], ends_[i - 1]);
  }

  // Where n't, 's, 'm, 'd, 'll, 're or 've starts at the end of the word, else `begin`.
  std::size_t clitic_begin(std::size_t begin, std::size_t end) {
    std::size_t mark = end;
    while (mark > begin && is_ascii_letter(static_cast<unsigned char>(text_[mark - 1]))) --mark;
    const std::string_view tail = lower(mark, end);
    const std::size_t quote = apostrophe_before(begin, mark);
    if (quote == mark) return begin;
    if (tail == "t") {
      const bool negation = quote > begin && (text_[quote - 1] | 0x20) == 'n';
      return negation ? quote - 1 : begin;
    }
    const bool clitic = tail == "s" || tail == "m" || tail == "d" || tail == "ll" ||
                        tail == "re" || tail == "ve";
    return clitic ? quote : begin;
  }

  // Start of the apostrophe that ends at `mark`, else `mark`.
  std::size_t apostrophe_before(std::size_t begin, std::size_t mark) const {
    if (mark >= begin + 1 && text_[mark - 1] == '\'') return mark - 1;
    if (mark >= begin + 3 && text_.substr(mark - 3, 3) == "\xe2\x80\x99") return mark - 3;
    return mark;
  }

  // Does the period after the word belong to it (an abbreviation), or end the sentence?
  bool keeps_period(std::size_t begin, std::size_t end) {
    if (peek(end) != '.' || peek(end + 1) == '.') return false;
    if (is_initialism(begin, end)) return true;
    std::size_t at = end + 1;
    for (char32_t c = peek(at); c != none && (is_space(c) || is_closing(c) || is_opening(c));
         c = peek(at))
      at += decode(text_, at).size;
    const char32_t next = peek(at);
    if (next == none) return false;
    if (next == ',' || next == ';' || next == ':' || next == '?' || next == '!') return true;
    if (is_letter(next) && !is_upper(next)) return true;
    if (end - begin == 1 && is_upper(static_cast<unsigned char>(text_[begin]))) return true;
    const std::string_view word = lower(begin, end);
    return is_abbreviation(word) || (is_digit(next) && (word == "no" || word == "p"));
  }

  // Single letters with periods between them: U.S, e.g, a.m
  bool is_initialism(std::size_t begin, std::size_t end) const {
    if (end - begin < 3 || (end - begin) % 2 == 0) return false;
    for (std::size_t i = begin; i < end; ++i) {
      const char c = text_[i];
      if ((i - begin) % 2 ? c != '.' : !is_ascii_letter(static_cast<unsigned char>(c)))
        return false;
    }
    return true;
  }

  // End of the run of word characters and joints from `at`; `at` if there is none.
  std::size_t word_end(std::size_t at) const {
    char32_t previous = none;
    while (at < text_.size()) {
      const CodePoint c = decode(text_, at);
      if (!is_word(c.value) && !joins(previous, c, at)) break;
      previous = c.value;
      at += c.size;
    }
    return at;
  }

  // Characters that belong to a word because of their neighbours.
  bool joins(char32_t previous, CodePoint c, std::size_t at) const {
    const std::size_t behind = at + c.size;
    const char32_t next = peek(behind);
    if (c.value == '-') return next != '-' && previous != '-';
    if (c.value == '.') return is_word(next) || (next == '-' && peek(behind + 1) != '-');
    if (is_apostrophe(c.value))
      return previous != none && !is_apostrophe(previous) && is_alphanumeric(next);
    if (c.value == ',' || c.value == ':')
      return previous != none && is_digit(previous) && is_digit(next);
    return false;
  }

  // End of the URL or e-mail address at `at`, 0 if there is none.
  std::size_t address_end(std::size_t at) {
    const char first = text_[at] | 0x20;
    if (first == 'h' || first == 'f' || first == 'w')
      if (const std::size_t end = url_end(at)) return end;
    return mail_end(at);
  }

  std::size_t url_end(std::size_t at) {
    std::size_t start = 0;
    for (std::string_view scheme : {"http://", "https://", "ftp://", "www."})
      if (lower(at, std::min(at + scheme.size(), text_.size())) == scheme)
        start = at + scheme.size();
    if (!start) return 0;
    std::size_t end = start;
    for (char32_t c = peek(end); c != none && !is_space(c) && c != '<' && c != '>' && c != '"';
         c = peek(end))
      end += decode(text_, end).size;
    while (end > start && std::string_view(".,;:!?'\")]}").find(text_[end - 1]) != text_.npos)
      --end;
    return end > start ? end : 0;
  }

  std::size_t mail_end(std::size_t at) {
    if (at < no_mail_before_) return 0;
    const auto name = [&](std::size_t i, std::string_view extra) {
      while (i < text_.size() && (is_alnum_byte(text_[i]) || extra.find(text_[i]) != extra.npos))
        ++i;
      return i;
    };
    const std::size_t sign = name(at, "._+-");
    no_mail_before_ = sign;  // a name that starts later in this run ends at the same sign
    if (sign == at || peek(sign) != '@') return 0;
    std::size_t end = name(sign + 1, "-");
    std::size_t labels = end > sign + 1 ? 1 : 0;
    while (labels && peek(end) == '.') {
      const std::size_t next = name(end + 1, "-");
      if (next == end + 1) break;
      end = next;
      ++labels;
    }
    return labels >= 2 ? end : 0;
  }

  static bool is_alnum_byte(char c) {
    const auto u = static_cast<unsigned char>(c);
    return is_digit(u) || is_ascii_letter(u);
  }

  std::size_t run_end(std::size_t at, char c) const {
    while (at < text_.size() && text_[at] == c) ++at;
    return at;
  }

  char32_t peek(std::size_t at) const {
    return at < text_.size() ? decode(text_, at).value : none;
  }

  // ASCII lower case is enough for the words that the rules name.
  std::string_view lower(std::size_t begin, std::size_t end) {
    lower_.assign(text_.substr(begin, end - begin));
    for (char& c : lower_)
      if (c >= 'A' && c <= 'Z') c |= 0x20;
    return lower_;
  }

  std::size_t emit(std::size_t begin, std::size_t end) {
    spans_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    return end;
  }

  std::string_view text_;
  std::vector<Span>& spans_;
  std::vector<std::size_t> ends_;
  std::size_t no_mail_before_ = 0;
  std::string lower_;
};

// The Treebank's own script (tokenizer.sed, MacIntyre 1995): commas and colons are always cut off,
// periods only at the end of the text. The script knows ASCII alone; curly quotes, the dash and
// the ellipsis character are read as what it writes for them.
class TreebankScanner {
 public:
  TreebankScanner(std::string_view text, std::vector<Span>& spans) : text_(text), spans_(spans) {}

  void scan() {
    const std::size_t period = final_period();
    std::size_t word = 0, at = 0;
    while (at < text_.size()) {
      const std::size_t end = mark_end(at);
      if (end > at || at == period) {
        add_word(word, at);
        word = end;  // a final period begins a word
        if (end > at && !is_space(decode(text_, at).value)) emit(at, end);
      }
      at = end > at ? end : at + decode(text_, at).size;
    }
    add_word(word, at);
  }

 private:
  // The end of the space or punctuation mark at `at`; `at` if there is none.
  std::size_t mark_end(std::size_t at) const {
    for (const std::string_view several : {"...", "--"})
      if (text_.substr(at).starts_with(several)) return at + several.size();
    static constexpr std::u32string_view marks = U",;:@#$%&?![](){}<>\"\u201c\u201d\u2026\u2014";
    const CodePoint c = decode(text_, at);
    return is_space(c.value) || marks.find(c.value) != marks.npos ? at + c.size : at;
  }

  // The period that ends the text, before closing brackets and quotes; npos if there is none.
  std::size_t final_period() const {
    std::size_t end = text_.size();
    const auto drop = [&](std::string_view last) {
      const bool is_last = text_.substr(0, end).ends_with(last);
      if (is_last) end -= last.size();
      return is_last;
    };
    while (drop(" ") || drop("\t") || drop("\n") || drop("\r")) {}
    while (drop("]") || drop(")") || drop("}") || drop(">") || drop("\"") || drop("'") ||
           drop(curly_) || drop("\xe2\x80\x9d")) {}
    const bool is_period = end > 1 && text_[end - 1] == '.' && text_[end - 2] != '.';
    return is_period ? end - 1 : text_.npos;
  }

  // A word without its clitics; the script cuts off one of each, in this order.
  void add_word(std::size_t begin, std::size_t end) {
    static constexpr std::string_view tails[] = {"'",   "'s",  "'S",  "'m",  "'M",
                                                 "'d",  "'D",  "'ll", "'re", "'ve",
                                                 "n't", "'LL", "'RE", "'VE", "N'T"};
    ends_.assign(1, end);
    bool one_letter = false;
    for (const std::string_view tail : tails) {
      const std::size_t last = ends_.back(), size = tail_size(begin, last, tail);
      if (size == 0 || size == last - begin || (tail.size() == 2 && one_letter)) continue;
      if (tail == "'" && tail_size(begin, last, "''") > 0) continue;
      one_letter = one_letter || tail.size() == 2;
      ends_.push_back(last - size);
    }
    const std::size_t stem = ends_.back(), cut = begin + contraction(begin, stem);
    emit(begin, cut);
    emit(cut, stem);
    for (std::size_t i = ends_.size() - 1; i > 0; --i) emit(ends_[i], ends_[i - 1]);
  }

  // How many bytes of [begin, end) are this ending, an apostrophe in either form; 0 if it has another.
  std::size_t tail_size(std::size_t begin, std::size_t end, std::string_view tail) const {
    std::size_t at = end;
    for (; !tail.empty(); tail.remove_suffix(1)) {
      const std::string_view rest = text_.substr(begin, at - begin);
      if (rest.ends_with(tail.back())) at -= 1;
      else if (tail.back() == '\'' && rest.ends_with(curly_)) at -= curly_.size();
      else return 0;
    }
    return end - at;
  }

  // Where a spoken contraction is cut; 0 if the word is none. Only its first letter may be a capital.
  std::size_t contraction(std::size_t begin, std::size_t end) const {
    std::string word(text_.substr(begin, end - begin));
    const std::size_t curly = word.starts_with(curly_) ? curly_.size() - 1 : 0;
    if (curly) word.replace(0, curly_.size(), "'");
    const std::size_t first = word.starts_with('\'') ? 1 : 0;
    if (first < word.size() && word[first] >= 'A' && word[first] <= 'Z') word[first] |= 0x20;
    if (word == "'tis" || word == "'twas") return 2 + curly;
    return cut_of_contraction(word);
  }

  void emit(std::size_t begin, std::size_t end) {
    if (begin < end)
      spans_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  }

  static constexpr std::string_view curly_ = "\xe2\x80\x99";
  std::string_view text_;
  std::vector<Span>& spans_;
  std::vector<std::size_t> ends_;
};

void split_white_space(std::string_view text, std::vector<Span>& spans) {
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const CodePoint c = at < text.size() ? decode(text, at) : CodePoint{' ', 1};
    if (is_space(c.value)) {
      if (at > begin)
        spans.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)});
      begin = at + c.size;
    }
    at += c.size;
  }
}

// Runs of letters and digits, numbers with the points and commas in them, every other
// character by itself. An apostrophe between letters ends a token: l'|homme.
class WordScanner {
 public:
  WordScanner(std::string_view text, bool characters) : text_(text), characters_(characters) {}

  void scan(std::vector<Span>& spans) const {
    for (std::size_t at = 0; at < text_.size();) {
      const CodePoint c = decode(text_, at);
      const std::size_t end = is_space(c.value) ? at : token_end(at, c);
      if (end > at)
        spans.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
      at = std::max(end, at + c.size);
    }
  }

 private:
  bool alone(char32_t c) const {
    return !is_alphanumeric(c) || (characters_ && is_unspaced(c));
  }

  std::size_t token_end(std::size_t at, CodePoint c) const {
    if (alone(c.value)) return at + c.size;
    bool number = true;
    while (at < text_.size()) {
      c = decode(text_, at);
      const std::size_t behind = at + c.size;
      const char32_t next = behind < text_.size() ? decode(text_, behind).value : U' ';
      if (alone(c.value)) {
        const bool joint = number && (c.value == '.' || c.value == ',') && is_digit(next);
        const bool elision = !number && (c.value == '\'' || c.value == 0x2019) && !alone(next);
        if (elision) return behind;
        if (!joint) break;
      }
      number = number && (is_digit(c.value) || c.value == '.' || c.value == ',');
      at = behind;
    }
    return at;
  }

  std::string_view text_;
  bool characters_;
};

}  // namespace

Tokenizer tokenizer_named(std::string_view name) {
  if (name == "penn") return Tokenizer::penn;
  if (name == "treebank") return Tokenizer::treebank;
  if (name == "none") return Tokenizer::white_space;
  if (name == "words") return Tokenizer::words;
  if (name == "characters") return Tokenizer::characters;
  throw std::invalid_argument("unknown tokenizer");
}

void tokenize(std::string_view text, Tokenizer tokenizer, std::vector<Span>& spans) {
  spans.clear();
  if (tokenizer == Tokenizer::penn)
    Scanner(text, spans).scan();
  else if (tokenizer == Tokenizer::treebank)
    TreebankScanner(text, spans).scan();
  else if (tokenizer == Tokenizer::white_space)
    split_white_space(text, spans);
  else
    WordScanner(text, tokenizer == Tokenizer::characters).scan(spans);
}

}  // namespace otherwords
