#include "encoder/text_encoder.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "parallel.hpp"

namespace otherwords {
namespace {

constexpr std::size_t batch_pieces = 96;  // what a thread computes at once stays in its cache
constexpr std::size_t texts_at_once = 64;
constexpr std::size_t matched_pieces = 1 << 16;  // whose states are held at once

// A part of a text that is read at once, and the pieces whose states are taken from it.
struct Window {
  std::size_t text;
  std::size_t begin, end;  // pieces of the text
  std::size_t from, to;    // of them, those that no other window gives
};

// Neighbours share a quarter of their pieces; the last one ends with the text. A text without pieces
// has no window.
std::vector<Window> windows_of(const std::vector<std::vector<std::uint32_t>>& texts,
                               std::size_t room) {
  std::vector<Window> out;
  for (std::size_t text = 0; text < texts.size(); ++text) {
    const std::size_t size = texts[text].size();
    std::size_t begin = 0, from = 0;
    while (begin + room < size) {
      const std::size_t next = std::min(begin + room - room / 4, size - room);
      const std::size_t to = (next + begin + room) / 2;
      out.push_back({text, begin, begin + room, from, to});
      begin = next;
      from = to;
    }
    if (size > 0) out.push_back({text, begin, size, from, size});
  }
  return out;
}

// Sequences and the rows that they look at.
struct Sequences {
  std::vector<std::uint32_t> rows;
  std::vector<std::size_t> bounds{0}, seconds;

  void append(std::span<const std::uint32_t> some) {
    rows.insert(rows.end(), some.begin(), some.end());
  }
  void append(std::uint32_t row) { rows.push_back(row); }
  void end(std::size_t second) {
    bounds.push_back(rows.size());
    seconds.push_back(second);
  }
  std::size_t size() const { return seconds.size(); }
  std::size_t length(std::size_t i) const { return bounds[i + 1] - bounds[i]; }
  Sequence operator[](std::size_t i) const {
    return {std::span(rows).subspan(bounds[i], length(i)), seconds[i]};
  }
};

// Number of each text among the different ones, which are in `unique`.
std::vector<std::size_t> number_texts(std::span<const std::string_view> texts,
                                      std::vector<std::string_view>& unique) {
  std::unordered_map<std::string_view, std::size_t> numbers;
  std::vector<std::size_t> out;
  out.reserve(texts.size());
  for (const std::string_view text : texts) {
    const auto [at, is_new] = numbers.try_emplace(text, unique.size());
    if (is_new) unique.push_back(text);
    out.push_back(at->second);
  }
  return out;
}

Sequences sequences_of(const std::vector<std::vector<std::uint32_t>>& texts,
                       const std::vector<Window>& windows, const EncoderSettings& settings) {
  Sequences out;
  for (const Window& window : windows) {
    out.append(settings.begin);
    out.append(std::span(texts[window.text]).subspan(window.begin, window.end - window.begin));
    out.append(settings.end);
    out.end(window.end - window.begin + 2);
  }
  return out;
}

void scale_to_unit(std::span<float> vector) {
  double squares = 0;
  for (const float x : vector) squares += double{x} * x;
  const double length = std::sqrt(squares);
  if (length > 0)
    for (float& x : vector) x = static_cast<float>(x / length);
}

void scale_rows(std::span<float> rows, std::size_t width, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) scale_to_unit(rows.subspan(i * width, width));
}

// Of two rows of unit vectors; 1 for the same vectors, also if both are zeros.
double vector_cosine(std::span<const float> rows, std::size_t size, std::size_t one,
                     std::size_t other) {
  const float *a = &rows[one * size], *b = &rows[other * size];
  return std::equal(a, a + size, b) ? 1.0 : double{cosine_of(a, b, size)};
}

// Runs batches of whole sequences and calls use(number of the sequence, its states, scratch) for each.
template <typename Use>
void run_all(const Transformer& transformer, const Sequences& sequences, unsigned threads,
             const TextEncoder::Between& between, Use use) {
  std::vector<std::size_t> bounds{0};
  std::size_t pieces = 0;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (pieces > 0 && pieces + sequences.length(i) > batch_pieces) {
      bounds.push_back(i);
      pieces = 0;
    }
    pieces += sequences.length(i);
  }
  if (sequences.size() > 0) bounds.push_back(sequences.size());
  const auto run = [&](std::size_t batch, std::size_t) {
    thread_local Transformer::Scratch scratch;
    std::vector<Sequence> texts;
    for (std::size_t i = bounds[batch]; i < bounds[batch + 1]; ++i) texts.push_back(sequences[i]);
    const float* states = transformer.run(texts, scratch);
    for (std::size_t i = bounds[batch]; i < bounds[batch + 1]; ++i) {
      use(i, states, scratch);
      states += sequences.length(i) * transformer.stride();
    }
  };
  parallel_blocks(bounds.size() - 1, threads, 1, run, between);
}

}  // namespace

TextEncoder::TextEncoder(WordPieces pieces, Transformer transformer,
                         const EncoderSettings& settings)
    : pieces_(std::move(pieces)), transformer_(std::move(transformer)), settings_(settings) {
  const std::size_t words = transformer_.words();
  if (pieces_.size() != words || settings.unknown >= words || settings.begin >= words ||
      settings.end >= words)
    throw std::invalid_argument("the encoder's word pieces do not fit");
  if (settings.longest < 8 || settings.longest > transformer_.positions())
    throw std::invalid_argument("the encoder's longest text does not fit");
}

std::vector<TextEncoder::Rows> TextEncoder::split(std::span<const std::string_view> texts,
                                                  unsigned threads) const {
  std::vector<Rows> out(texts.size());
  parallel_blocks(texts.size(), threads, texts_at_once, [&](std::size_t begin, std::size_t end) {
    WordPieces::Scratch scratch;
    std::vector<Piece> found;
    for (std::size_t i = begin; i < end; ++i) {
      pieces_.split(texts[i], found, scratch);
      out[i].reserve(found.size());
      for (const Piece& piece : found)
        out[i].push_back(piece.row < 0 ? settings_.unknown
                                       : static_cast<std::uint32_t>(piece.row));
    }
  });
  return out;
}

TextEncoder::Encoded TextEncoder::encode_rows(const std::vector<Rows>& rows, bool vectors,
                                              States wanted, unsigned threads,
                                              const Between& between) const {
  if (vectors && transformer_.reads_pairs())
    throw std::invalid_argument("this stack compares two texts; it has no vector of one");
  const std::vector<Window> windows = windows_of(rows, settings_.longest - 2);
  const Sequences sequences = sequences_of(rows, windows, settings_);
  const std::size_t size = transformer_.outputs(), width = transformer_.width();
  const std::size_t more = wanted == States::all ? 1 : 0;
  Encoded out;
  for (const Rows& text : rows)
    out.starts.push_back(out.starts.back() + (text.empty() ? 0 : text.size() + 2 * more));
  if (wanted != States::none) out.states.resize(out.starts.back() * width);
  std::vector<float> pooled(vectors ? windows.size() * size : 0);
  run_all(transformer_, sequences, threads, between,
          [&](std::size_t i, const float* states, Transformer::Scratch& scratch) {
            if (vectors) transformer_.pool(sequences[i], states, &pooled[i * size], scratch);
            if (wanted == States::none) return;
            const Window& window = windows[i];
            // In pieces of the text; [CLS] is before the first.
            const std::size_t from = window.from == 0 ? 0 : window.from + more;
            const std::size_t to =
                window.to + more + (window.to == rows[window.text].size() ? more : 0);
            for (std::size_t place = from; place < to; ++place)
              std::copy_n(states + (place + 1 - more - window.begin) * transformer_.stride(), width,
                          &out.states[(out.starts[window.text] + place) * width]);
          });
  if (!vectors) return out;
  out.vectors.resize(rows.size() * size);
  std::vector<double> sums(size);
  for (std::size_t i = 0; i < windows.size();) {
    const std::size_t text = windows[i].text;
    std::ranges::fill(sums, 0.0);
    for (; i < windows.size() && windows[i].text == text; ++i) {
      const double share = static_cast<double>(windows[i].to - windows[i].from) /
                           static_cast<double>(rows[text].size());
      for (std::size_t k = 0; k < size; ++k) sums[k] += share * double{pooled[i * size + k]};
    }
    const std::span<float> vector(&out.vectors[text * size], size);
    std::ranges::transform(sums, vector.begin(), [](double x) { return static_cast<float>(x); });
    if (settings_.to_unit) scale_to_unit(vector);
  }
  return out;
}

std::vector<float> TextEncoder::encode(std::span<const std::string_view> texts, unsigned threads,
                                       const Between& between) const {
  std::vector<std::string_view> unique;
  const std::vector<std::size_t> numbers = number_texts(texts, unique);
  const Encoded found = encode_rows(split(unique, threads), true, States::none, threads, between);
  const std::size_t size = transformer_.outputs();
  std::vector<float> out(texts.size() * size);
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::copy_n(&found.vectors[numbers[i] * size], size, &out[i * size]);
  return out;
}

std::pair<std::vector<float>, std::vector<std::int64_t>> TextEncoder::states(
    std::span<const std::string_view> texts, bool ends, unsigned threads,
    const Between& between) const {
  std::vector<std::string_view> unique;
  const std::vector<std::size_t> numbers = number_texts(texts, unique);
  Encoded found = encode_rows(split(unique, threads), false, ends ? States::all : States::pieces,
                              threads, between);
  const std::size_t width = transformer_.width();
  const std::vector<std::size_t>& starts = found.starts;
  std::vector<std::int64_t> bounds{0};
  for (const std::size_t number : numbers)
    bounds.push_back(bounds.back() +
                     static_cast<std::int64_t>(starts[number + 1] - starts[number]));
  if (unique.size() == texts.size()) return {std::move(found.states), std::move(bounds)};
  std::vector<float> out(static_cast<std::size_t>(bounds.back()) * width);
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::copy_n(found.states.data() + starts[numbers[i]] * width,
                (starts[numbers[i] + 1] - starts[numbers[i]]) * width,
                out.data() + static_cast<std::size_t>(bounds[i]) * width);
  return {std::move(out), std::move(bounds)};
}

std::vector<double> TextEncoder::cosines(std::span<const std::string_view> texts,
                                         std::span<const std::int64_t> left,
                                         std::span<const std::int64_t> right, unsigned threads,
                                         const Between& between) const {
  std::vector<float> vectors = encode(texts, threads, between);
  const std::size_t size = transformer_.outputs();
  scale_rows(vectors, size, 0, texts.size());
  std::vector<double> out(left.size());
  for (std::size_t i = 0; i < left.size(); ++i)
    out[i] = vector_cosine(vectors, size, static_cast<std::size_t>(left[i]),
                           static_cast<std::size_t>(right[i]));
  return out;
}

// Pairs are taken in the order of their right texts, so that a text on the right is encoded once and a
// text on the left rarely twice, whatever the number of pairs.
std::vector<double> TextEncoder::match(std::span<const std::string_view> texts,
                                       std::span<const std::int64_t> left,
                                       std::span<const std::int64_t> right,
                                       std::span<const float> weights, unsigned threads,
                                       const Between& between) const {
  std::vector<std::string_view> unique;
  const std::vector<std::size_t> numbers = number_texts(texts, unique);
  const std::vector<Rows> rows = split(unique, threads);
  const auto number = [&](std::int64_t place) { return numbers[static_cast<std::size_t>(place)]; };
  std::vector<std::size_t> order(left.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return number(right[i]); });
  constexpr std::size_t columns = 2 * MatchSummary::size + 1;
  std::vector<double> out(left.size() * columns);
  const std::size_t width = transformer_.width(), size = transformer_.outputs();
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    std::unordered_map<std::size_t, std::size_t> places;  // of texts in `some`
    std::vector<Rows> some;
    std::size_t pieces = 0;
    for (; end < order.size() && (end == begin || pieces < matched_pieces); ++end)
      for (const std::size_t text : {number(left[order[end]]), number(right[order[end]])})
        if (places.try_emplace(text, some.size()).second) {
          some.push_back(rows[text]);
          pieces += rows[text].size();
        }
    Encoded found = encode_rows(some, true, States::all, threads, between);
    parallel_blocks(some.size(), threads, texts_at_once, [&](std::size_t from, std::size_t to) {
      scale_rows(found.states, width, found.starts[from], found.starts[to]);
      scale_rows(found.vectors, size, from, to);
    });
    const auto match_pairs = [&](std::size_t from, std::size_t to) {
      StateLinks of_left, of_right;
      for (std::size_t k = begin + from; k < begin + to; ++k) {
        const std::size_t i = order[k];
        const std::size_t a = places.at(number(left[i])), b = places.at(number(right[i]));
        match_states(found.of(a, width), found.of(b, width), width, a == b, of_left, of_right);
        double* row = &out[i * columns];
        *row++ = vector_cosine(found.vectors, size, a, b);
        row = MatchSummary(of_left.inner(), some[a], some[b].size(), weights).copy(row);
        MatchSummary(of_right.inner(), some[b], some[a].size(), weights).copy(row);
      }
    };
    parallel_blocks(end - begin, threads, 4, match_pairs, between);
  }
  return out;
}

std::pair<StateLinks, StateLinks> TextEncoder::links(std::string_view one,
                                                     std::string_view other) const {
  const std::string_view both[] = {one, other};
  Encoded found = encode_rows(split(both, 1), false, States::pieces, 1, [] {});
  const std::size_t width = transformer_.width();
  scale_rows(found.states, width, 0, found.starts.back());
  std::pair<StateLinks, StateLinks> out;
  match_states(found.of(0, width), found.of(1, width), width, one == other, out.first, out.second);
  return out;
}

std::vector<std::uint32_t> TextEncoder::count(std::span<const std::string_view> texts,
                                              unsigned threads) const {
  std::vector<std::uint32_t> out(transformer_.words());
  for (Rows& text : split(texts, threads)) {
    std::ranges::sort(text);
    const auto [from, to] = std::ranges::unique(text);
    text.erase(from, to);
    for (const std::uint32_t row : text) ++out[row];
  }
  return out;
}

std::vector<float> TextEncoder::compare(std::span<const std::string_view> texts,
                                        std::span<const std::int64_t> left,
                                        std::span<const std::int64_t> right, unsigned threads,
                                        const Between& between,
                                        std::vector<std::int64_t>& left_out) const {
  std::vector<std::string_view> unique;
  const std::vector<std::size_t> numbers = number_texts(texts, unique);
  const std::vector<Rows> rows = split(unique, threads);
  std::unordered_map<std::size_t, std::size_t> places;  // of the sequence of each different pair
  std::vector<std::size_t> sequence_of;
  std::vector<std::int64_t> cut;
  Sequences sequences;
  const std::size_t room = settings_.longest - 3;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const std::size_t a = numbers[static_cast<std::size_t>(left[i])];
    const std::size_t b = numbers[static_cast<std::size_t>(right[i])];
    const auto [at, is_new] = places.try_emplace(a * unique.size() + b, sequences.size());
    sequence_of.push_back(at->second);
    if (!is_new) continue;
    const std::size_t total = rows[a].size() + rows[b].size();
    std::size_t of_a = rows[a].size(), of_b = rows[b].size();
    if (total > room) {  // the longer one first, then both alike
      of_a = std::min(of_a, std::max(room - room / 2, room - std::min(room, of_b)));
      of_b = std::min(of_b, room - of_a);
    }
    cut.push_back(static_cast<std::int64_t>(total - of_a - of_b));
    sequences.append(settings_.begin);
    sequences.append(std::span(rows[a]).first(of_a));
    sequences.append(settings_.end);
    sequences.append(std::span(rows[b]).first(of_b));
    sequences.append(settings_.end);
    sequences.end(of_a + 2);
  }
  const std::size_t size = transformer_.outputs();
  std::vector<float> found(sequences.size() * size);
  run_all(transformer_, sequences, threads, between,
          [&](std::size_t i, const float* states, Transformer::Scratch& scratch) {
            transformer_.pool(sequences[i], states, &found[i * size], scratch);
          });
  std::vector<float> out(left.size() * size);
  left_out.clear();
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::copy_n(&found[sequence_of[i] * size], size, &out[i * size]);
    left_out.push_back(cut[sequence_of[i]]);
  }
  return out;
}

}  // namespace otherwords
