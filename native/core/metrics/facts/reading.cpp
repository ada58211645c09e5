#include "metrics/facts/reading.hpp"

#include <algorithm>
#include <cstdio>
#include <span>

#include "hash.hpp"
#include "metrics/facts/words.hpp"
#include "text/tokenizer.hpp"
#include "text/unicode.hpp"

namespace otherwords::facts {
namespace {

constexpr double full_information = 9.0;  // nats from which on a word has the full weight
constexpr double least_weight = 0.2;
constexpr double light_weight = 0.5;

bool is_join(char32_t c) { return c == '-' || c == '/' || c == 0x2013 || c == 0x2014; }

bool is_lower(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 0xdf && c <= 0xff && c != 0xf7) ||
         (c >= 0x100 && c <= 0x17f && !is_upper(c)) || (c >= 0x3ac && c <= 0x3ce) ||
         (c >= 0x430 && c <= 0x45f);
}

std::u32string points(std::string_view text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode(text, at);
    out += c.value;
    at += c.size;
  }
  return out;
}

std::string utf8_of(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text) append_utf8(out, c);
  return out;
}

// The one character for one that differ in typography only.
char32_t plain(char32_t c) {
  switch (c) {
    case 0x2018: case 0x2019: return '\'';
    case 0x201c: case 0x201d: return '"';
    case 0x2010: case 0x2011: return '-';
    default: return c;
  }
}

struct Part {
  std::size_t begin, end;
};

// The parts of a compound; the whole if they are no words of their own.
std::vector<Part> parts_of(std::u32string_view token) {
  const std::vector<Part> whole{{0, token.size()}};
  std::vector<Part> pieces;
  for (std::size_t at = 0; at < token.size();) {
    if (is_join(token[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < token.size() && !is_join(token[end])) ++end;
    pieces.push_back({at, end});
    at = end;
  }
  const auto piece = [&](const Part& part) {
    return token.substr(part.begin, part.end - part.begin);
  };
  if (pieces.empty()) return whole;
  if (token.find(U'/') != std::u32string_view::npos &&
      std::ranges::all_of(pieces, [&](const Part& part) {
        return std::ranges::all_of(piece(part), otherwords::is_digit);
      }))
    return whole;
  static const Words prefixes("re co e non un anti pre post ex mid semi self multi sub bi");
  std::string first;
  lower_into(utf8_of(piece(pieces[0])), first);
  if (prefixes.has(first)) return whole;
  for (const Part& part : pieces)
    if (!is_alphanumeric(token[part.begin])) return whole;
  for (std::size_t k = 1; k < pieces.size(); ++k)
    if (is_letter(token[pieces[k - 1].end - 1]) && otherwords::is_digit(token[pieces[k].begin]))
      return whole;  // COVID-19, F-16
  return pieces;
}

bool is_content(const Lists& lists, const Token& token, std::string_view tag,
                std::string_view lemma) {
  static constexpr std::string_view classes[] = {"NN", "VB", "JJ", "RB", "CD", "FW"};
  if (std::ranges::none_of(classes, [&](std::string_view one) { return tag.starts_with(one); }))
    return false;
  if (lemma == "not" || lemma == "n't" || lemma == "never") return false;
  if (lists.auxiliaries.has(lemma) && !tag.starts_with("NN")) return false;
  return has_alphanumeric(token.form);
}

// The key that makes two tokens the same word: U.S. is US, re-open is reopen.
std::string folded(const std::string& form, const std::string& lower) {
  const std::u32string letters = points(form);
  const std::size_t dot = letters.find(U'.');
  if (dot != std::u32string::npos && dot + 1 < letters.size()) {
    std::u32string rest;
    for (const char32_t c : letters)
      if (c != '.') rest += c;
    if (!rest.empty() && std::ranges::all_of(rest, is_letter)) return utf8_of(rest);
  }
  if (letters.size() >= 2 && letters.size() <= 5 && std::ranges::any_of(letters, is_upper) &&
      std::ranges::none_of(letters, is_lower))
    return form;
  if (lower.size() > 2 && lower.substr(1, lower.size() - 2).find('-') != std::string::npos) {
    std::string joined;
    for (const char c : lower)
      if (c != '-') joined += c;
    return joined;
  }
  return lower;
}

std::string key_of(const Number& number) {
  char key[40];
  const char* mark = number.kind == NumberKind::time       ? "t"
                     : number.kind == NumberKind::share    ? "s"
                     : number.kind == NumberKind::multiple ? "m"
                                                           : "";
  std::snprintf(key, sizeof key, "#%.10g%s", number.value, mark);
  return key;
}

// Characters [begin, end) of a text, in code points.
std::string slice(std::string_view text, std::uint32_t begin, std::uint32_t end) {
  std::size_t at = 0;
  const auto skip = [&](std::uint32_t count) {
    for (; count > 0 && at < text.size(); --count) at += decode(text, at).size;
  };
  skip(begin);
  const std::size_t first = at;
  skip(end - begin);
  return std::string(text.substr(first, at - first));
}

void hash(Unit& unit) {
  unit.word_hash = hash64(unit.word);
  unit.lemma_hash = hash64(unit.lemma);
  unit.stem_hash = hash64(unit.stem);
}

}  // namespace

bool Side::is_name(int unit) const {
  const Unit& one = (*this)[unit];
  if (one.form.empty() || !is_upper(decode(one.form, 0).value)) return false;
  return one.tag.starts_with("NNP") || (one.tag == "JJ" && unit > 0);
}

std::vector<Token> tokens_of(std::string_view text) {
  std::string made;
  made.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode(text, at);
    if (plain(c.value) == c.value)
      made.append(text.substr(at, c.size));
    else
      append_utf8(made, plain(c.value));
    at += c.size;
  }
  std::vector<Span> spans;
  tokenize(made, Tokenizer::penn, spans);
  std::vector<Token> out;
  out.reserve(spans.size());
  std::size_t byte = 0;
  std::uint32_t point = 0;
  const auto point_at = [&](std::size_t target) {
    for (; byte < target; ++byte) point += (static_cast<unsigned char>(made[byte]) & 0xc0) != 0x80;
    return point;
  };
  for (const Span span : spans) {
    const std::uint32_t begin = point_at(span.begin), end = point_at(span.end);
    const std::string_view token = std::string_view(made).substr(span.begin, span.end - span.begin);
    const bool may_join = token.find_first_of("-/\xe2") != std::string_view::npos;
    const std::u32string letters = may_join ? points(token) : std::u32string();
    if (letters.size() > 2 && std::any_of(letters.begin() + 1, letters.end() - 1, is_join)) {
      for (const Part& part : parts_of(letters))
        out.push_back({utf8_of(letters.substr(part.begin, part.end - part.begin)),
                       begin + static_cast<std::uint32_t>(part.begin),
                       begin + static_cast<std::uint32_t>(part.end)});
    } else {
      out.push_back({std::string(token), begin, end});
    }
  }
  return out;
}

void annotate(Text& text, const Tagger& tagger, const Lexicon& lexicon,
              Tagger::Scratch& scratch) {
  const std::size_t size = text.tokens.size();
  if (text.tags.size() != size) {
    std::vector<std::string_view> forms;
    for (const Token& token : text.tokens) forms.push_back(token.form);
    std::vector<std::uint8_t> codes(size);
    tagger.tag(forms, codes.data(), scratch);
    text.tags.clear();
    for (const std::uint8_t code : codes) text.tags.push_back(tagger.tag_names()[code]);
  }
  text.lemmas.resize(size);
  text.lower.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    lower_into(text.tokens[i].form, text.lower[i]);
    lexicon.lemmatize(text.lower[i], Inflection::of_tag(text.tags[i]), text.lemmas[i]);
  }
}

Side side_of(const Text& text, const std::vector<Form>& forms, const Information& information,
             const Lists& lists) {
  std::vector<std::string> tags = text.tags;
  static const Words before_months("in of on since until last next by from this");
  for (std::size_t i = 1; i < tags.size(); ++i) {
    const std::string& before = text.lower[i - 1];
    if (text.tokens[i].form == "May" &&
        (before_months.has(before) || (!before.empty() && before[0] >= '0' && before[0] <= '9')))
      tags[i] = "NNP";  // the month, which taggers take for the verb
  }
  Side side;
  side.lists = &lists;
  side.numbers = find_numbers(text.lower, tags);
  side.units.reserve(text.tokens.size());
  int next = 0;
  for (int i = 0; i < static_cast<int>(text.tokens.size());) {
    const auto at = static_cast<std::size_t>(i);
    const Token& token = text.tokens[at];
    Unit unit{};
    if (next < static_cast<int>(side.numbers.size()) &&
        side.numbers[static_cast<std::size_t>(next)].begin == i) {
      const Number& number = side.numbers[static_cast<std::size_t>(next)];
      unit.word = unit.lemma = unit.stem = key_of(number);
      unit.tag = "CD";
      unit.begin = token.begin;
      unit.end = text.tokens[static_cast<std::size_t>(number.end - 1)].end;
      unit.form = slice(text.text, unit.begin, unit.end);
      unit.content = true;
      unit.weight = number.vague ? 0.3 : 1.0;
      unit.number = next++;
      i = number.end;
    } else {
      unit.form = token.form;
      unit.word = folded(token.form, text.lower[at]);
      unit.tag = tags[at];
      unit.lemma = text.lemmas[at];
      unit.stem = forms[at].stem;
      unit.letters = forms[at].letters;
      unit.begin = token.begin;
      unit.end = token.end;
      unit.content = is_content(lists, token, unit.tag, unit.lemma);
      const double informative =
          unit.content
              ? std::min(1.0, std::max(least_weight, information.of(hash64(unit.stem)) / full_information))
              : 0.0;
      unit.weight = informative * (lists.light.has(unit.lemma) ? light_weight : 1.0);
      unit.number = -1;
      ++i;
    }
    hash(unit);
    side.total += unit.weight;
    side.units.push_back(std::move(unit));
  }
  return side;
}

}  // namespace otherwords::facts
