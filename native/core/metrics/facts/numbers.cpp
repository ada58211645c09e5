#include "metrics/facts/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <optional>
#include <unordered_map>

#include "metrics/facts/words.hpp"

namespace otherwords::facts {
namespace {

using Values = std::unordered_map<std::string, double>;
using Tokens = std::span<const std::string>;

constexpr double tolerance = 0.02;  // relative error of a value that is rounded
constexpr double rough = 0.12;      // of a fraction in words: a third is said of thirty percent

struct Tables {
  Values words, scales, ordinals, parts, multiples, times, halves, suffixes;

  Tables() {
    const auto small = split(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen");
    const auto tens = split("twenty thirty forty fifty sixty seventy eighty ninety");
    const auto small_ordinals = split(
        "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
        "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth");
    for (std::size_t i = 0; i < small.size(); ++i) {
      words.emplace(small[i], static_cast<double>(i));
      ordinals.emplace(small_ordinals[i], static_cast<double>(i));
    }
    for (std::size_t i = 0; i < tens.size(); ++i) {
      const double value = 10.0 * static_cast<double>(i + 2);
      words.emplace(tens[i], value);
      ordinals.emplace(std::string(tens[i].substr(0, tens[i].size() - 1)) + "ieth", value);
    }
    scales = {{"hundred", 1e2}, {"thousand", 1e3}, {"million", 1e6},
              {"billion", 1e9}, {"trillion", 1e12}, {"dozen", 12.0}};
    for (const auto& [word, value] : Values(scales)) scales.emplace(word + "s", value);
    ordinals.insert({{"hundredth", 1e2}, {"thousandth", 1e3}, {"millionth", 1e6}});
    parts = {{"half", 0.5}, {"halves", 0.5}, {"quarter", 0.25}, {"quarters", 0.25}};
    for (const auto& [word, value] : ordinals)
      if (value > 2) {
        parts.emplace(word, 1 / value);
        parts.emplace(word + "s", 1 / value);
      }
    multiples = {{"twice", 2.0}, {"thrice", 3.0}};
    for (const auto& [stem, value] :
         {std::pair{"doubl", 2.0}, {"tripl", 3.0}, {"trebl", 3.0}, {"quadrupl", 4.0}, {"halv", 0.5}})
      for (const char* ending : {"e", "es", "ed", "ing"})
        multiples.emplace(std::string(stem) + ending, value);
    for (const auto& [word, value] : words)
      if (value > 1) multiples.emplace(word + "fold", value);
    times = {{"noon", 720.0}, {"midday", 720.0}, {"midnight", 0.0}};
    halves = {{"am", 0.0}, {"a.m.", 0.0}, {"a.m", 0.0}, {"pm", 720.0}, {"p.m.", 720.0},
              {"p.m", 720.0}};
    suffixes = {{"k", 1e3}, {"m", 1e6}, {"mn", 1e6}, {"bn", 1e9}, {"b", 1e9}, {"tn", 1e12}};
  }
};

const Tables& tables() {
  static const Tables made;
  return made;
}

bool has(const Values& values, const std::string& word) { return values.contains(word); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_from(std::string_view word, std::size_t at) {
  while (at < word.size() && is_digit(word[at])) ++at;
  return at;
}

double value_of(std::string_view digits) {
  std::string plain;
  for (const char c : digits)
    if (c != ',') plain += c;
  // Longer than any double: its value is infinite, as for Python.
  try {
    return std::stod(plain);
  } catch (const std::out_of_range&) {
    return plain.find_first_not_of("0.") == std::string::npos
               ? 0.0
               : std::numeric_limits<double>::infinity();
  }
}

bool is(Tokens words, int place, std::string_view word) {
  return place < static_cast<int>(words.size()) && words[static_cast<std::size_t>(place)] == word;
}

const std::string& at(Tokens words, int place) { return words[static_cast<std::size_t>(place)]; }

int size(Tokens words) { return static_cast<int>(words.size()); }

bool half_day(Tokens words, int place) {
  return place < size(words) && has(tables().halves, at(words, place));
}

// 12/3: one or two digits on either side.
std::optional<std::pair<double, double>> fraction(std::string_view word) {
  const std::size_t slash = digits_from(word, 0);
  if (slash == 0 || slash > 2 || slash >= word.size() || word[slash] != '/') return {};
  const std::size_t end = digits_from(word, slash + 1);
  if (end != word.size() || end == slash + 1 || end > slash + 3) return {};
  return std::pair{value_of(word.substr(0, slash)), value_of(word.substr(slash + 1))};
}

struct Clock {
  double hours, minutes;
  std::string half;
};

// 9:30, 9.30pm
std::optional<Clock> clock(std::string_view word) {
  const std::size_t sign = digits_from(word, 0);
  if (sign == 0 || sign > 2 || sign >= word.size() || (word[sign] != ':' && word[sign] != '.'))
    return {};
  if (word.size() < sign + 3 || digits_from(word.substr(0, sign + 3), sign + 1) != sign + 3)
    return {};
  const std::string_view rest = word.substr(sign + 3);
  if (!rest.empty() && rest != "am" && rest != "pm") return {};
  return Clock{value_of(word.substr(0, sign)), value_of(word.substr(sign + 1, 2)),
               std::string(rest)};
}

// 9am, 9p.m.
std::optional<Clock> full_hour(std::string_view word) {
  const std::size_t end = digits_from(word, 0);
  if (end == 0 || end > 2) return {};
  const std::string rest(word.substr(end));
  if (!has(tables().halves, rest)) return {};
  return Clock{value_of(word.substr(0, end)), 0.0, rest};
}

Number time_of(Tokens words, int begin, Clock clock) {
  int end = begin + 1;
  if (clock.half.empty() && half_day(words, end)) clock.half = at(words, end);
  if (half_day(words, end)) ++end;
  if (!clock.half.empty())
    clock.hours = std::fmod(clock.hours, 12.0) + tables().halves.at(clock.half) / 60;
  return {begin, end, 60 * clock.hours + clock.minutes, NumberKind::time};
}

struct Read {
  double value;
  int end;
  NumberKind kind;
  bool rounded;
};

struct Digits {
  bool negative;
  std::string_view digits;
  std::string_view suffix;
};

// A sign, digits with commas between thousands or without, a fraction, a suffix.
std::optional<Digits> digits_of(std::string_view word) {
  bool negative = false;
  if (word.starts_with('+') || word.starts_with('-')) {
    negative = word.front() == '-';
    word.remove_prefix(1);
  } else if (word.starts_with("\u2212")) {
    negative = true;
    word.remove_prefix(std::string_view("\u2212").size());
  }
  std::size_t end = digits_from(word, 0);
  if (end >= 1 && end <= 3) {
    std::size_t longer = end;
    while (longer < word.size() && word[longer] == ',' &&
           std::min(digits_from(word, longer + 1), longer + 4) == longer + 4)
      longer += 4;
    if (longer < word.size() && is_digit(word[longer])) longer = end;  // 1,2345
    end = longer;
  }
  if (end < word.size() && word[end] == '.') {
    const std::size_t decimals = digits_from(word, end + 1);
    if (decimals > end + 1) end = decimals;
  }
  if (end == 0) return {};
  const std::string_view suffix = word.substr(end);
  static const Words known("st nd rd th s k m mn bn b tn %");
  if (!suffix.empty() && !known.has(suffix)) return {};
  return Digits{negative, word.substr(0, end), suffix};
}

std::optional<Read> digits(Tokens words, int begin) {
  const std::string& word = at(words, begin);
  if (const auto parts = fraction(word))
    return Read{parts->second != 0 ? parts->first / parts->second : 0.0, begin + 1,
                NumberKind::share, false};
  const auto found = digits_of(word);
  if (!found) return {};
  double value = value_of(found->digits) * (found->negative ? -1 : 1);
  std::string suffix(found->suffix);
  if (suffix == "%") return Read{value / 100, begin + 1, NumberKind::share, false};
  if (suffix == "s") return Read{value, begin + 1, NumberKind::decade, false};
  if (suffix == "st" || suffix == "nd" || suffix == "rd" || suffix == "th")
    return Read{value, begin + 1, NumberKind::ordinal, false};
  static const Words currencies("$ \u20ac \u00a3 \u00a5 us$");
  if ((suffix == "m" || suffix == "b") && !(begin > 0 && currencies.has(at(words, begin - 1))))
    suffix.clear();  // metres, bytes
  int end = begin + 1;
  bool rounded = has(tables().suffixes, suffix);
  if (rounded) value *= tables().suffixes.at(suffix);
  if (end < size(words))
    if (const auto part = fraction(at(words, end)); part && part->second != 0) {
      value += part->first / part->second;
      ++end;
    }
  while (end < size(words) && has(tables().scales, at(words, end))) {
    value *= tables().scales.at(at(words, end));
    ++end;
    rounded = true;
  }
  return Read{value, end, NumberKind::count, rounded};
}

// The value of number words: "two hundred and five thousand" is (2 * 100 + 5) * 1000.
std::pair<double, int> compose(Tokens words, int begin, double start) {
  double total = 0, current = start, last = std::numeric_limits<double>::infinity();
  int place = begin;
  for (; place < size(words); ++place) {
    const std::string& word = at(words, place);
    if (const auto found = tables().words.find(word); found != tables().words.end()) {
      if (place > begin && !(last >= 100 || (last >= 20 && found->second < 10))) break;
      current += found->second;
      last = found->second;
    } else if (const auto scale = tables().scales.find(word); scale != tables().scales.end()) {
      current = (current != 0 ? current : 1.0) * scale->second;
      last = scale->second;
      if (scale->second >= 1000) {
        total += current;
        current = 0;
      }
    } else if (word == "and" && is(words, place + 1, "a") && is(words, place + 2, "half")) {
      current += 0.5;
      place += 2;
    } else if (!(word == "and" && last >= 100 && place + 1 < size(words) &&
                 has(tables().words, at(words, place + 1)))) {
      break;
    }
  }
  return {total + current, place};
}

// Whether what follows "a third" is no noun: a third were late, by a third.
bool ends_part(std::span<const std::string> tags, int place) {
  if (place >= static_cast<int>(tags.size())) return true;
  const std::string& tag = tags[static_cast<std::size_t>(place)];
  return tag.starts_with("VB") || tag == "IN" || tag == "TO" || tag == "." || tag == "," ||
         tag == "CC" || tag == "MD";
}

// The hour behind "to" or "past", 0 if there is none.
double hour_behind(Tokens words, int place) {
  if (place + 1 >= size(words) || !(is(words, place, "to") || is(words, place, "past"))) return 0;
  const std::string& word = at(words, place + 1);
  const auto spelt = tables().words.find(word);
  const double hour = spelt != tables().words.end() ? spelt->second
                      : digits_from(word, 0) == word.size() && word.size() <= 2 ? value_of(word)
                                                                                 : 0;
  return hour <= 12 ? hour : 0;
}

// A quarter to four, half past nine, at ten to four.
std::optional<Number> spoken_time(Tokens words, int begin) {
  static const Words before("at since until till by before after around about from is was 's");
  const int place = begin + (is(words, begin, "a") ? 1 : 0);
  if (place >= size(words)) return {};
  double minutes = 0;
  int end = place + 1;
  bool sure = true;
  if (is(words, place, "quarter")) {
    minutes = 15;
  } else if (is(words, place, "half")) {
    minutes = 30;
    sure = is(words, end, "past");
  } else if (const auto found = tables().words.find(at(words, place));
             place == begin && found != tables().words.end()) {
    minutes = found->second;
    if (minutes == 20 && is(words, end, "five")) {
      minutes = 25;
      ++end;
    }
    sure = is(words, end, "past") || (begin > 0 && before.has(at(words, begin - 1)) &&
                                      !is(words, begin - 1, "from"));
    if (minutes != 5 && minutes != 10 && minutes != 20 && minutes != 25) return {};
  } else {
    return {};
  }
  if (is(words, end, "minutes")) ++end;
  const double hour = hour_behind(words, end);
  if (!sure || hour == 0) return {};
  Number out{begin, end + 2, 60 * hour + (is(words, end, "to") ? -minutes : minutes),
             NumberKind::time};
  out.halves = true;
  return out;
}

// Number words: a cardinal, an ordinal, or a fraction.
std::optional<Read> spelled(Tokens words, std::span<const std::string> tags, int begin) {
  const std::string& word = at(words, begin);
  const std::string following = begin + 1 < size(words) ? at(words, begin + 1) : "";
  if (word == "a" || word == "an") {
    if (has(tables().scales, following)) {
      const auto [value, end] = compose(words, begin + 1, 1.0);
      return Read{value, end, NumberKind::count, true};
    }
    static const Words fractions("quarter half third fifth");
    if (fractions.has(following) && (is(words, begin + 2, "of") || ends_part(tags, begin + 2)))
      return Read{tables().parts.at(following), begin + 2, NumberKind::share, true};
    return {};
  }
  const std::string& tag = tags[static_cast<std::size_t>(begin)];
  if (word == "half" && tag != "RB") return Read{0.5, begin + 1, NumberKind::share, true};
  if (has(tables().ordinals, word)) {
    if (word == "second" && tag.starts_with("NN")) return {};  // of time
    return Read{tables().ordinals.at(word), begin + 1, NumberKind::ordinal, false};
  }
  if (has(tables().scales, word) && !word.ends_with('s')) {
    const auto [value, end] = compose(words, begin, 0.0);
    return Read{value, end, NumberKind::count, true};
  }
  if (!has(tables().words, word)) return {};
  const auto [value, end] = compose(words, begin, 0.0);
  if (end < size(words) && end == begin + 1)
    if (const auto part = tables().parts.find(at(words, end));
        part != tables().parts.end() && value < 10 && (value > 1) == at(words, end).ends_with('s'))
      return Read{value * part->second, end + 1, NumberKind::share, true};
  if (end < size(words) && value >= 20)
    if (const auto ordinal = tables().ordinals.find(at(words, end));
        ordinal != tables().ordinals.end() && ordinal->second < 10)
      return Read{value + ordinal->second, end + 1, NumberKind::ordinal, false};
  return Read{value, end, NumberKind::count, value >= 100 && end - begin <= 2};
}

void read_share(Tokens words, Read& read) {
  if (read.end < size(words) &&
      (is(words, read.end, "%") || is(words, read.end, "percent") || is(words, read.end, "pct"))) {
    read = {read.value / 100, read.end + 1, NumberKind::share, read.rounded};
  } else if (is(words, read.end, "per") && is(words, read.end + 1, "cent")) {
    read = {read.value / 100, read.end + 2, NumberKind::share, read.rounded};
  }
}

// Two out of three.
void read_ratio(Tokens words, Read& read) {
  if (read.kind != NumberKind::count || !is(words, read.end, "out") ||
      !is(words, read.end + 1, "of") || read.end + 2 >= size(words))
    return;
  const auto whole = tables().words.find(at(words, read.end + 2));
  if (whole == tables().words.end() || whole->second <= read.value) return;
  read = {read.value / whole->second, read.end + 3, NumberKind::share, true};
}

std::optional<Number> number(Tokens words, std::span<const std::string> tags, int begin) {
  const std::string& word = at(words, begin);
  if (const auto found = spoken_time(words, begin)) return found;
  if (const auto found = tables().multiples.find(word); found != tables().multiples.end())
    return Number{begin, begin + 1, found->second, NumberKind::multiple};
  static const Words pronouns("no any every some");
  if (word == "one" && begin > 0 && pronouns.has(at(words, begin - 1))) return {};
  if (const auto found = tables().times.find(word); found != tables().times.end())
    return Number{begin, begin + 1, found->second, NumberKind::time};
  if (const auto found = clock(word);
      found && (word.find(':') != std::string::npos || half_day(words, begin + 1)))
    return time_of(words, begin, *found);
  if (const auto found = full_hour(word)) return time_of(words, begin, *found);
  static constexpr std::string_view starts = "+-.0123456789";
  const bool is_figure =
      starts.find(word.front()) != std::string_view::npos || word.starts_with("\u2212");
  auto read = is_figure ? digits(words, begin) : spelled(words, tags, begin);
  if (!read) return {};
  static const Words vague_words("one first half second quarter zero");
  const bool vague = read->end == begin + 1 && vague_words.has(word);
  if (read->kind == NumberKind::count) {
    if (half_day(words, read->end) && read->value <= 24)
      return time_of(words, begin, {read->value, 0.0, at(words, read->end)});
    read_share(words, *read);
    read_ratio(words, *read);
    if (read->kind == NumberKind::count &&
        (is(words, read->end, "times") || is(words, read->end, "fold"))) {
      ++read->end;
      read->kind = NumberKind::multiple;
    }
  }
  return Number{begin, read->end, read->value, read->kind, read->rounded, vague};
}

bool can_begin_number(const std::string& word) {
  if (word.empty()) return false;
  if (is_digit(word.front()) || word.front() == '+' || word.front() == '-' ||
      word.front() == '.' || word.starts_with("\u2212"))
    return true;
  const Tables& all = tables();
  return word == "a" || word == "an" || word == "half" || word == "quarter" || has(all.words, word) ||
         has(all.scales, word) || has(all.ordinals, word) || has(all.times, word) ||
         has(all.multiples, word);
}

}  // namespace

bool Number::equals(const Number& other) const {
  const auto kinds = [&](NumberKind x, NumberKind y) {
    return (kind == x && other.kind == y) || (kind == y && other.kind == x);
  };
  if (kinds(NumberKind::count, NumberKind::time)) {
    const double hours = kind == NumberKind::count ? value : other.value;
    const double minutes = kind == NumberKind::count ? other.value : value;
    // 3.50 can be ten to four.
    const double written = 60 * std::floor(hours) + std::nearbyint(100 * (hours - std::floor(hours)));
    return minutes == 60 * hours || minutes == 60 * hours + 720 || minutes == written ||
           minutes == written + 720;
  }
  if (kinds(NumberKind::time, NumberKind::time) && (halves || other.halves))
    return std::fmod(value, 720) == std::fmod(other.value, 720);
  if (kind != other.kind && !kinds(NumberKind::count, NumberKind::ordinal)) return false;
  if (value == other.value) return true;
  const double apart = std::abs(value - other.value);
  if (apart <= 1e-9 * std::max(std::abs(value), std::abs(other.value))) return true;
  if (kind == NumberKind::share && rounded && other.rounded) return false;  // a third, a quarter
  const double limit = kind == NumberKind::share ? rough : tolerance;
  return apart <= limit * std::max(value, other.value) && (rounded || other.rounded);
}

std::vector<Number> find_numbers(std::span<const std::string> words,
                                 std::span<const std::string> tags) {
  std::vector<Number> found;
  int end = 0;
  for (int place = 0; place < size(words); ++place) {
    if (place < end || !can_begin_number(at(words, place))) continue;
    if (const auto one = number(words, tags, place)) {
      found.push_back(*one);
      end = one->end;
    }
  }
  return found;
}

}  // namespace otherwords::facts
