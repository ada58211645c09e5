#include "metrics/facts/words.hpp"

#include <algorithm>
#include <string>

#include "metrics/facts/scales.hpp"

namespace otherwords::facts {
namespace {

// Words are looked up by view in tables whose keys are strings.
struct ViewHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

template <typename Value>
using Table = std::unordered_map<std::string, Value, ViewHash, std::equal_to<>>;

struct Exclusive {
  std::string_view name;
  std::string_view words;
};

constexpr Exclusive exclusive[] = {
    {"month",
     "january february march april may june july august september october november december "},
    {"weekday",
     "monday tuesday wednesday thursday friday saturday sunday "},
    {"direction",
     "north south east west northeast northwest southeast southwest "},
    {"day",
     "yesterday today tomorrow "},
    {"season",
     "spring summer autumn winter "},
    {"part of day",
     "morning noon afternoon evening midnight "},
    {"hand",
     "left right "},
    {"sex",
     "man woman "},
    {"child",
     "boy girl "},
    {"parent",
     "father mother "},
    {"offspring",
     "son daughter "},
    {"sibling",
     "brother sister "},
    {"spouse",
     "husband wife "},
    {"uncle",
     "uncle aunt "},
    {"monarch",
     "king queen "},
    {"colour",
     "red orange yellow green blue purple brown black white pink "},
    {"metal",
     "gold silver bronze "},
    {"length",
     "millimetre centimetre metre kilometre inch foot yard mile "},
    {"mass",
     "gram kilogram tonne pound ounce "},
    {"time",
     "second minute hour day week fortnight month year decade century "},
    {"volume",
     "litre millilitre gallon pint barrel "},
    {"money",
     "dollar euro pound yuan yen rupee franc rouble cent "},
    {"power",
     "watt kilowatt megawatt gigawatt "},
    {"frequency",
     "hourly daily weekly fortnightly monthly quarterly yearly "},
    {"data",
     "bit byte kilobyte megabyte gigabyte terabyte "},
    {"animal",
     "dog cat horse cow sheep pig goat donkey rabbit mouse rat wolf fox bear deer lion tiger elephant "
     "monkey camel whale dolphin seal otter beaver badger hedgehog squirrel "},
    {"bird",
     "eagle hawk owl crow raven pigeon swan goose duck hen gull stork heron sparrow robin parrot "},
    {"fish",
     "salmon trout tuna cod herring shark eel carp "},
    {"fruit",
     "apple pear peach plum cherry grape lemon lime banana strawberry raspberry mango apricot melon "},
    {"vegetable",
     "potato carrot onion tomato cabbage spinach leek bean pea cucumber pepper garlic mushroom lettuce "},
    {"meat",
     "beef pork lamb chicken turkey ham veal "},
    {"drink",
     "tea coffee beer wine milk water juice whisky lemonade cider "},
    {"instrument",
     "piano violin cello guitar flute trumpet clarinet oboe harp drum organ saxophone trombone viola "},
    {"transport",
     "train bus tram taxi bicycle motorcycle plane helicopter ferry lorry tractor van "},
    {"material",
     "wood stone brick glass steel iron copper plastic leather cotton wool silk paper concrete clay "},
    {"room",
     "kitchen bathroom bedroom attic cellar garage hall pantry study "},
    {"clothes",
     "shirt coat hat skirt dress glove scarf sock shoe jacket sweater trousers tie "},
    {"part of body",
     "knee elbow shoulder ankle wrist hip neck ear eye nose chin thumb toe heel lung liver kidney "
     "heart stomach "},
    {"subject",
     "physics chemistry biology history geography mathematics economics philosophy law medicine "},
    {"sport",
     "football tennis rugby cricket hockey golf basketball volleyball handball rowing swimming cycling "
     "boxing fencing "},
    {"language",
     "english french german spanish italian portuguese russian chinese japanese arabic polish dutch "
     "greek turkish swedish norwegian danish finnish hungarian czech "},
    {"furniture",
     "table chair sofa bed shelf wardrobe desk cupboard stool "},
    {"tree",
     "oak pine beech birch willow elm maple ash spruce poplar "},
    {"tool",
     "hammer saw screwdriver drill chisel spade rake axe "},
    {"cutlery",
     "fork spoon knife "},
    {"craft",
     "baker butcher carpenter plumber electrician tailor blacksmith gardener cook "},
    {"occupation",
     "teacher nurse dentist lawyer engineer architect farmer pilot journalist accountant librarian "
     "pharmacist vet surgeon priest "},
    {"planet",
     "mercury venus mars jupiter saturn uranus neptune "},
    {"shape",
     "square circle triangle oval rectangle "},
    {"building",
     "church school hospital library museum factory station hotel castle prison "},
    {"water",
     "river lake sea pond canal "},
};

// Other forms and names of words of the categories.
constexpr std::string_view same_words =
      "fall autumn|northern north|southern south|eastern east|western west|meter metre|m metre|"
      "km kilometre|kilometer kilometre|centimeter centimetre|cm centimetre|"
      "millimeter millimetre|mm millimetre|ft foot|feet foot|kg kilogram|kilo kilogram|"
      "lb pound|ton tonne|liter litre|hr hour|min minute|$ dollar|us$ dollar|usd dollar|€ euro|"
      "mb megabyte|gb gigabyte|kb kilobyte|annually yearly|bike bicycle|motorbike motorcycle|"
      "aeroplane plane|airplane plane|truck lorry|spud potato|maths mathematics|"
      "eur euro|quid pound|buck dollar|£ pound|¥ yen|rmb yuan|renminbi yuan|grey gray|mum mother|mom mother|"
      "dad father|jan january|feb february|mar march|apr april|jun june|jul july|aug august|"
      "sep september|sept september|oct october|nov november|dec december|mon monday|"
      "tue tuesday|wed wednesday|thu thursday|fri friday";

struct Level {
  double level;
  std::string_view phrases;  // words of a phrase are joined by +
};

constexpr Level levels[] = {
    {0.0,
     "no none neither nobody never nothing nowhere "},
    {1.0,
     "few little hardly rarely seldom minority barely scarcely almost+no almost+none virtually+no virtually+none practically+no practically+none "
     "nearly+none hardly+any almost+never hardly+ever only+a+few only+one very+few not+many "
     "just+one only+some "},
    {1.5,
     "a+few a+handful occasionally a+little once+in+a+while a+couple now+and+then now+and+again "
     "every+so+often from+time+to+time once+or+twice a+small+part a+small+part+of a+fraction+of "},
    {2.0,
     "some several certain various sometimes somebody someone something a+number+of part+of "
     "partly a+part+of "},
    {2.5,
     "half half+of half+the every+other every+second "},
    {3.0,
     "many much often frequently quite+a+few plenty a+lot lots numerous countless dozens "
     "hundreds thousands a+great+many a+large+number regularly not+all not+every not+everyone "
     "not+always not+everybody "},
    {4.0,
     "most majority most+of+the+time usually mostly mainly generally almost+all nearly+all almost+every "
     "nearly+every almost+everyone nearly+everyone almost+always nearly+always the+bulk "
     "virtually+all virtually+every practically+all practically+every just+about+all "
     "just+about+every just+about+everyone virtually+everyone almost+entirely nearly+entirely "
     "almost+completely virtually+always "},
    {5.0,
     "all every each both entire whole always everyone everybody everything invariably "
     "the+whole constantly entirely all+the+time every+time without+exception on+every+occasion "},
};

struct End {
  int scale;
  bool second;

  bool operator==(const End&) const = default;
};

using Ends = std::unordered_map<std::string_view, std::vector<End>>;

const Ends& ends() {
  static const Ends made = [] {
    Ends out;
    int scale = -1;
    bool second = false;
    for (const std::string_view text : scales)
      for (const std::string_view line : split(text, "\n")) {
        if (!line.starts_with(' ')) {
          ++scale;
          second = false;
        }
        for (const std::string_view word : split(line)) {
          if (word == "|")
            second = true;
          else
            out[word].push_back({scale, second});
        }
      }
    return out;
  }();
  return made;
}

const std::vector<End>* ends_of(std::string_view word) {
  const auto found = ends().find(word);
  return found == ends().end() ? nullptr : &found->second;
}

const Table<double>& phrase_levels() {
  static const Table<double> made = [] {
    Table<double> out;
    for (const Level& one : levels)
      for (const std::string_view phrase : split(one.phrases)) {
        std::string words(phrase);
        std::ranges::replace(words, '+', ' ');
        out.insert_or_assign(std::move(words), one.level);
      }
    return out;
  }();
  return made;
}

Table<Category> read_categories() {
  Table<Category> out;
  for (const Exclusive& one : exclusive)
    for (const std::string_view word : split(one.words))
      out.insert_or_assign(std::string(word), Category{one.name, word});
  for (const std::string_view pair : split(same_words, "|")) {
    const auto words = split(pair);
    const auto whole = out.find(words.at(1));
    if (whole == out.end()) continue;
    const Category found = whole->second;
    out.insert_or_assign(std::string(words[0]), found);
    if (words[0].size() <= 4) out.insert_or_assign(std::string(words[0]) + ".", found);
  }
  return out;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (end > at) out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

Words::Words(std::string_view text) {
  for (const std::string_view word : split(text)) set_.insert(word);
}

WordPairs::WordPairs(std::string_view text) {
  for (const std::string_view pair : split(text, "|")) {
    const auto words = split(pair);
    pairs_.emplace_back(words.at(0), words.at(1));
    words_.insert(words[0]);
    words_.insert(words[1]);
  }
}

bool WordPairs::has(std::string_view a, std::string_view b) const {
  if (!words_.contains(a) || !words_.contains(b)) return false;
  return std::ranges::any_of(pairs_, [&](const auto& pair) {
    return (pair.first == a && pair.second == b) || (pair.first == b && pair.second == a);
  });
}

const Words& auxiliaries() {
  static const Words made("be have do will would shall should may might can could must get");
  return made;
}

const Words& light() {
  static const Words made(
      "also too very so just then there here thus hence therefore however moreover furthermore "
      "well now still yet already even again rather quite really actually indeed please oh yes "
      "simply such other own same thing one way kind sort lot make take give go come let say "
      "tell get put become seem run place time order fact case number term possible part whole "
      "entire full amount ");
  return made;
}

const WordPairs& converse() {
  static const WordPairs made(
      "buy sell|purchase sell|acquire sell|borrow lend|give receive|give get|give take|"
      "send receive|send get|teach learn|lead follow|own belong|employ work|hire join|let rent|"
      "precede follow|beat lose|defeat lose|inherit leave|pay receive|pay earn|hand receive|"
      "hand take|export import");
  return made;
}

const WordPairs& nations() {
  static const WordPairs made(
      "spain spanish|france french|netherlands dutch|holland dutch|switzerland swiss|"
      "wales welsh|britain british|england english|ireland irish|poland polish|denmark danish|"
      "finland finnish|thailand thai|philippines filipino|america american|us american|"
      "usa american|uk british|greece greek|iceland icelandic|norway norwegian|germany german|"
      "portugal portuguese|china chinese|lebanon lebanese|israel israeli|us america|uk britain");
  return made;
}

std::optional<Category> category(std::string_view lemma) {
  static const Table<Category> made = read_categories();
  const auto found = made.find(lemma);
  return found == made.end() ? std::nullopt : std::optional(found->second);
}

bool share_pole(std::string_view a, std::string_view b) {
  const auto *mine = ends_of(a), *theirs = mine ? ends_of(b) : nullptr;
  if (!theirs) return false;
  return std::ranges::any_of(
      *mine, [&](const End& one) { return std::ranges::find(*theirs, one) != theirs->end(); });
}

bool are_poles(std::string_view a, std::string_view b) {
  const auto *mine = ends_of(a), *theirs = mine ? ends_of(b) : nullptr;
  if (!theirs || share_pole(a, b)) return false;
  return std::ranges::any_of(*mine, [&](const End& one) {
    return std::ranges::find(*theirs, End{one.scale, !one.second}) != theirs->end();
  });
}

bool has_pole(std::string_view lemma) { return ends_of(lemma) != nullptr; }

bool are_phrasal(std::string_view phrase, std::string_view verb) {
  static const Table<std::vector<std::string_view>> made = [] {
    Table<std::vector<std::string_view>> out;
    for (const std::string_view line : phrasal_verbs) {
      const auto some = split(line, "|");
      auto& same = out[std::string(some.at(0))];
      same.insert(same.end(), some.begin() + 1, some.end());
    }
    return out;
  }();
  const auto found = made.find(phrase);
  return found != made.end() && std::ranges::find(found->second, verb) != found->second.end();
}

std::optional<double> level_of(std::string_view phrase) {
  const auto found = phrase_levels().find(phrase);
  return found == phrase_levels().end() ? std::nullopt : std::optional(found->second);
}

bool is_quantity(std::string_view lemma) { return level_of(lemma).has_value(); }

bool begins_quantity(std::string_view word) {
  static const Table<bool> made = [] {
    Table<bool> out;
    for (const auto& [phrase, level] : phrase_levels())
      out.insert_or_assign(phrase.substr(0, phrase.find(' ')), true);
    return out;
  }();
  return made.find(word) != made.end();
}

}  // namespace otherwords::facts
