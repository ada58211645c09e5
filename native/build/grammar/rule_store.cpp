#include "grammar/rule_store.hpp"

#include "parallel.hpp"

namespace otherwords {
namespace {

constexpr std::size_t rows_ahead = 12;  // between asking for memory and reading it

// All sides of a column, in the order of the rules.
struct SideTexts {
  struct Shape {
    std::int32_t arity, words, characters;
  };
  TextRows texts;
  std::vector<Shape> shapes;

  void append(const SideText& side) {
    texts.append(side.text);
    shapes.push_back({side.arity, side.words, side.characters});
  }
  std::string_view operator[](std::size_t rule) const {
    const auto begin = static_cast<std::size_t>(texts.bounds[rule]);
    return {reinterpret_cast<const char*>(texts.bytes.data()) + begin,
            static_cast<std::size_t>(texts.bounds[rule + 1]) - begin};
  }
  TextRows in_order(const std::vector<std::uint32_t>& order) const {
    TextRows out;
    out.bytes.reserve(texts.bytes.size());
    out.bounds.reserve(texts.bounds.size());
    for (const std::uint32_t rule : order) out.append((*this)[rule]);
    return out;
  }
};

std::string alignment_text(Sequences::Sequence links) {
  std::string text;
  for (const std::uint32_t link : links) {
    if (!text.empty()) text += ' ';
    text += std::to_string(link >> 16) + "-" + std::to_string(link & 0xffff);
  }
  return text;
}

// -ln of a probability in single precision, as Thrax has it.
double cost(std::int64_t part, std::int64_t whole) {
  const auto share = static_cast<float>(static_cast<double>(part) / static_cast<double>(whole));
  return 0.0f - static_cast<float>(std::log(static_cast<double>(share)));
}

double rarity(std::int64_t count) { return std::exp(static_cast<double>(1 - count)); }

}  // namespace

std::vector<std::vector<double>> count_features(std::span<const std::int64_t> count,
                                                std::span<const std::int64_t> both,
                                                std::span<const std::int64_t> source_total,
                                                std::span<const std::int64_t> target_total) {
  for (const auto& column : {both, source_total, target_total})
    if (column.size() != count.size()) throw std::invalid_argument("the columns differ in length");
  std::vector<std::vector<double>> out(3);
  for (std::size_t row = 0; row < count.size(); ++row) {
    out[0].push_back(cost(both[row], source_total[row]));
    out[1].push_back(cost(both[row], target_total[row]));
    out[2].push_back(rarity(count[row]));
  }
  return out;
}

RuleStore::Key RuleStore::key(const RuleRow& row) const {
  if (!has_labels_) return {row.first, row.second};
  return {bytes_from(labels_.texts()[row.label], 0), 0};
}

RuleStore::Numbers RuleStore::numbered(const RuleCounts& counts) {
  Numbers out{{}, {}, static_cast<std::uint32_t>(sources_.size())};
  for (const std::string& name : counts.label_names)
    out.labels.push_back(static_cast<std::uint32_t>(labels_.number(name)));
  for (std::size_t k = 0; k < counts.alignments.size(); ++k) {
    out.alignments.push_back(static_cast<std::uint32_t>(alignments_.number(counts.alignments[k])));
    if (out.alignments.back() == alignment_texts_.size())
      alignment_texts_.push_back(alignment_text(counts.alignments[k]));
  }
  return out;
}

void RuleStore::choose_parts(const std::vector<RuleRow>& rows, std::size_t stretches,
                             std::size_t part_rows) {
  std::vector<Key> keys;
  for (const RuleRow& row : rows) keys.push_back(key(row));
  std::ranges::sort(keys);
  const std::size_t parts = std::min(most_parts, rows.size() * stretches / part_rows);
  for (std::size_t k = 1; k < parts; ++k) part_begins_.push_back(keys[keys.size() * k / parts]);
  part_begins_.erase(std::unique(part_begins_.begin(), part_begins_.end()), part_begins_.end());
  has_parts_ = true;
}

PartedRows RuleStore::parted(const std::vector<RuleRow>& rows) const {
  PartedRows out{std::vector<RuleRow>(rows.size()), std::vector<std::int64_t>(parts() + 1)};
  std::vector<std::uint32_t> part;
  part.reserve(rows.size());
  for (const RuleRow& row : rows) {
    const auto after = std::ranges::upper_bound(part_begins_, key(row));
    part.push_back(static_cast<std::uint32_t>(after - part_begins_.begin()));
    ++out.bounds[part.back() + 1];
  }
  std::partial_sum(out.bounds.begin(), out.bounds.end(), out.bounds.begin());
  std::vector<std::int64_t> next(out.bounds.begin(), out.bounds.end() - 1);
  for (std::size_t k = 0; k < rows.size(); ++k)
    out.rows[static_cast<std::size_t>(next[part[k]]++)] = rows[k];
  return out;
}

PartedRows RuleStore::add(RuleCounts&& counts, unsigned threads, std::size_t stretches,
                          std::size_t part_rows) {
  const Numbers numbers = numbered(counts);
  sources_.push_back(std::move(counts.sources));
  targets_.push_back(std::move(counts.targets));
  for (RuleRow& row : counts.rows) {
    row.label = numbers.labels[row.label];
    row.alignment = numbers.alignments[row.alignment];
    row.stretch = numbers.stretch;
  }
  if (!has_parts_ && !counts.rows.empty()) choose_parts(counts.rows, stretches, part_rows);
  PartedRows out = parted(counts.rows);
  // Each thread adds the sides whose hashes are its own.
  const std::size_t groups = std::min<std::size_t>(std::max(threads, 1u), shards);
  parallel_blocks(groups, threads, 1, [&](std::size_t group, std::size_t) {
    for (std::size_t k = 0; k < out.rows.size(); ++k) {
      if (k + rows_ahead < out.rows.size()) {
        const RuleRow& soon = out.rows[k + rows_ahead];
        if (shard(soon.source) % groups == group) source_totals_[shard(soon.source)].prefetch(soon.source);
        if (shard(soon.target) % groups == group) target_totals_[shard(soon.target)].prefetch(soon.target);
      }
      add_total(out.rows[k], out.rows[k].count, group, groups);
    }
  });
  return out;
}

void RuleStore::add_total(const RuleRow& row, std::int64_t count, std::size_t group,
                          std::size_t groups) {
  const auto add = [&](std::array<Totals, shards>& totals, std::uint64_t id) {
    if (shard(id) % groups == group) totals[shard(id)].add(id, count);
  };
  add(source_totals_, row.source);
  add(target_totals_, row.target);
  if (has_labels_) add(pair_totals_, pair(row));
}

void RuleStore::forget_totals() { source_totals_ = target_totals_ = pair_totals_ = {}; }

void RuleStore::add_totals(std::span<const RuleRow> rows, std::int64_t min_count) {
  for (const Rule& rule : counted(rows, min_count)) add_total(*rule.row, rule.count, 0, 1);
}

void RuleStore::check(const RuleRow& row) const {
  if (row.stretch >= sources_.size() || row.label >= labels_.texts().size() ||
      row.alignment >= alignment_texts_.size())
    throw std::invalid_argument("these rows are not of these rules");
}

// Of the alignments of a rule the most frequent one stands for it; of equally frequent ones that with
// the fewest links, then the first. Rows come by alignment.
RuleStore::Rule RuleStore::chosen(std::span<const RuleRow* const> rows) const {
  Rule best{};
  std::int64_t all = 0, most = 0;
  for (std::size_t begin = 0; begin < rows.size();) {
    Rule now{rows[begin], 0, rows[begin]->alignment, rows[begin]->source_given_target,
             rows[begin]->target_given_source};
    for (; begin < rows.size() && rows[begin]->alignment == now.alignment; ++begin) {
      const RuleRow& row = *rows[begin];
      if (row.check != rows[0]->check)
        throw std::runtime_error("two different rules of this grammar have the same hashes");
      now.count += row.count;
      // Two words with one text have rows of their own.
      now.source_given_target = std::min(now.source_given_target, row.source_given_target);
      now.target_given_source = std::min(now.target_given_source, row.target_given_source);
    }
    all += now.count;
    const auto better = [&] {
      if (now.count != most) return now.count > most;
      const std::size_t links = alignments_[now.alignment].size();
      const std::size_t best_links = alignments_[best.alignment].size();
      if (links != best_links) return links < best_links;
      return alignment_texts_[now.alignment] < alignment_texts_[best.alignment];
    };
    if (best.row == nullptr || better()) {
      most = now.count;
      best = now;
    }
  }
  best.count = all;
  return best;
}

std::vector<RuleStore::Rule> RuleStore::counted(std::span<const RuleRow> rows,
                                                std::int64_t min_count) const {
  std::vector<std::uint32_t> rank(labels_.texts().size()), by_text(rank.size());
  std::iota(by_text.begin(), by_text.end(), 0);
  std::ranges::sort(by_text, {}, [&](std::uint32_t k) -> const std::string& { return labels_.texts()[k]; });
  for (std::uint32_t place = 0; place < by_text.size(); ++place) rank[by_text[place]] = place;
  struct Keyed {
    std::uint32_t label;
    std::int64_t first, second;
    const RuleRow* row;
  };
  std::vector<Keyed> order;
  order.reserve(rows.size());
  for (const RuleRow& row : rows) {
    check(row);
    order.push_back({rank[row.label], row.first, row.second, &row});
  }
  std::sort(order.begin(), order.end(), [](const Keyed& a, const Keyed& b) {
    if (a.label != b.label) return a.label < b.label;
    if (a.first != b.first) return a.first < b.first;
    if (a.second != b.second) return a.second < b.second;
    const RuleRow &one = *a.row, &other = *b.row;
    return std::tie(one.source, one.target, one.alignment) <
           std::tie(other.source, other.target, other.alignment);
  });
  std::vector<Rule> rules;
  rules.reserve(rows.size());
  std::vector<const RuleRow*> same;
  for (std::size_t begin = 0; begin < order.size();) {
    const RuleRow& first = *order[begin].row;
    same.clear();
    for (; begin < order.size(); ++begin) {
      const RuleRow& row = *order[begin].row;
      if (row.source != first.source || row.target != first.target || row.label != first.label) break;
      same.push_back(&row);
    }
    const Rule rule = chosen(same);
    if (rule.count >= min_count) rules.push_back(rule);
  }
  return rules;
}

RuleTexts RuleStore::write(std::span<const RuleRow> rows, std::int64_t min_count,
                           bool identity) const {
  std::vector<Rule> rules = counted(rows, min_count);
  if (!identity)
    std::erase_if(rules, [](const Rule& rule) { return rule.row->source == rule.row->target; });
  return texts(rules, false);
}

RuleTexts RuleStore::write_rows(std::span<const RuleRow> rows) const {
  std::vector<Rule> rules;
  for (const RuleRow& row : rows) {
    check(row);
    rules.push_back({&row, row.count, row.alignment, row.source_given_target, row.target_given_source});
  }
  return texts(rules, true);
}

// The texts and features of rules that are sorted, or sorted but for the texts of sources that begin
// with the same bytes.
RuleTexts RuleStore::texts(const std::vector<Rule>& rules, bool sorted) const {
  SideTexts left, right;
  SideText side;
  const auto soon = [&](std::size_t k, auto ask) {
    if (k >= rules.size()) return;
    const RuleRow& row = *rules[k].row;
    ask(row, sources_[row.stretch], targets_[row.stretch]);
  };
  for (std::size_t k = 0; k < rules.size(); ++k) {
    soon(k + 2 * rows_ahead, [](const RuleRow& row, const auto& source, const auto& target) {
      source.prefetch_bounds(row.source_place);
      target.prefetch_bounds(row.target_place);
    });
    soon(k + rows_ahead, [](const RuleRow& row, const auto& source, const auto& target) {
      source.prefetch_symbols(row.source_place);
      target.prefetch_symbols(row.target_place);
    });
    const RuleRow& row = *rules[k].row;
    sources_[row.stretch].read(row.source_place, left_words_, side);
    left.append(side);
    targets_[row.stretch].read(row.target_place, right_words_, side);
    right.append(side);
  }
  std::vector<std::uint32_t> order(rules.size());
  std::iota(order.begin(), order.end(), 0);
  const auto same = [&](std::size_t a, std::size_t b) {
    const RuleRow &one = *rules[a].row, &other = *rules[b].row;
    return one.label == other.label && one.first == other.first && one.second == other.second;
  };
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const int sources_differ = left[a].compare(left[b]);
    return sources_differ != 0 ? sources_differ < 0 : right[a] < right[b];
  };
  for (std::size_t begin = 0; !sorted && begin < rules.size();) {
    std::size_t end = begin + 1;
    while (end < rules.size() && same(begin, end)) ++end;
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(begin),
              order.begin() + static_cast<std::ptrdiff_t>(end), before);
    begin = end;
  }
  RuleTexts out;
  out.sources = left.in_order(order);
  out.targets = right.in_order(order);
  out.features.assign(11, std::vector<double>(rules.size()));
  out.links.reserve(rules.size());
  const auto total = [](const std::array<Totals, shards>& totals, std::uint64_t id) {
    return totals[shard(id)][id];
  };
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k + rows_ahead < order.size()) {
      const RuleRow& next = *rules[order[k + rows_ahead]].row;
      source_totals_[shard(next.source)].prefetch(next.source);
      target_totals_[shard(next.target)].prefetch(next.target);
    }
    const Rule& rule = rules[order[k]];
    const RuleRow& row = *rule.row;
    const SideTexts::Shape &f = left.shapes[order[k]], &e = right.shapes[order[k]];
    const std::int64_t both = has_labels_ ? total(pair_totals_, pair(row)) : rule.count;
    out.labels.append(labels_.texts()[row.label]);
    out.alignments.append(alignment_texts_[rule.alignment]);
    out.links.push_back(static_cast<std::int64_t>(alignments_[rule.alignment].size()));
    const double values[] = {static_cast<double>(rule.count),
                             rule.target_given_source,
                             cost(both, total(source_totals_, row.source)),
                             rule.source_given_target,
                             cost(both, total(target_totals_, row.target)),
                             rarity(rule.count),
                             f.arity == 0 && f.words == 1 ? 1.0 : 0.0,
                             f.arity == 0 && f.words > 1 ? 1.0 : 0.0,
                             f.arity > 0 ? 1.0 : 0.0,
                             static_cast<double>(e.words - f.words),
                             static_cast<double>(e.characters - f.characters)};
    for (std::size_t n = 0; n < std::size(values); ++n) out.features[n][k] = values[n];
  }
  return out;
}

}  // namespace otherwords
