// Lesson 43: attention. A softmax that doesn't overflow, one that needs a single pass, and with it a product of three
// matrices whose middle is never stored.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

constexpr float lowest = -std::numeric_limits<float>::infinity();

// --- the sum under a softmax, as far as it is known ------------------------------------------------------------------

// Of some scores x: the largest, and the sum of exp(x - largest). Of none: -infinity and 0.
struct partial {
  float largest = lowest;
  float sum = 0;
};

// exp(score - largest), which is at most 1. If neither is there yet, both are -infinity, and the weight is 0.
GS_FN float weight(float score, float largest) { return score == lowest ? 0.0f : std::exp(score - largest); }

// Of two groups of scores, in one scale: what was summed up under the lower maximum counts less (M. Milakov and N.
// Gimelshein, "Online normalizer calculation for softmax", 2018). Associative, so it can be a loop, a reduction or a
// scan.
GS_FN partial joined(partial a, partial b) {
  const float largest = a.largest > b.largest ? a.largest : b.largest;
  return {largest, a.sum * weight(a.largest, largest) + b.sum * weight(b.largest, largest)};
}
GS_FN partial with(partial p, float score) { return joined(p, {score, 1}); }

// --- the long way: all scores, their softmax, the product ------------------------------------------------------------

// One warp per row: two passes over it, while the textbook's largest, sum and quotient take three.
GS_FN void softmax_rows(gs::thread t, gs::view<float, 2> scores) {
  const std::size_t row = t.grid() / gs::warp_size, columns = scores.extent(1);
  if (row >= scores.extent(0)) return;  // all lanes of the warp
  partial p;
  for (std::size_t k = t.lane(); k < columns; k += gs::warp_size) p = with(p, scores(row, k));
  for (unsigned d = gs::warp_size / 2; d > 0; d /= 2) p = joined(p, t.shuffle_xor(p, d));
  for (std::size_t k = t.lane(); k < columns; k += gs::warp_size)
    scores(row, k) = weight(scores(row, k), p.largest) / p.sum;
}

using matrix = gs::device_array<float>;

// Queries (n, depth), keys and values (m, depth): row i of the result is the mean of the values, weighted by the
// softmax of query i times each key / sqrt(depth).
matrix by_products(const matrix& queries, const matrix& keys, const matrix& values) {
  const float scale = 1 / std::sqrt(static_cast<float>(queries.extent(1)));
  matrix scores({queries.extent(0), keys.extent(0)}), out(queries.shape());
  gs::gemm(queries, keys, gs::out(scores), {.alpha = scale, .transpose_b = true});
  gs::launch<softmax_rows>({.grid = (queries.extent(0) + 7) / 8, .block = 256}, scores);
  gs::gemm(scores, values, gs::out(out));
  return out;
}

// --- tiled: no score is stored ---------------------------------------------------------------------------------------

constexpr std::size_t depth = 32, tile = 32;  // numbers of a query, keys of a tile
constexpr unsigned queries_of_block = 64;

struct tiles {
  gs::tile<float, tile, depth> keys, values;
  gs::tile<float, queries_of_block, depth + 1> query, sum;  // a thread's row of each; padded, as in lesson 25
};

// A thread has a query. The block goes over the keys, a tile at a time, and each thread adds up values under the
// largest score so far; if a larger one comes, what it has shrinks (T. Dao and others, "FlashAttention: fast and
// memory-efficient exact attention with IO-awareness", 2022).
GS_FN void attend(gs::thread t, gs::shared<tiles> s, float scale, gs::view<const float, 2> queries,
                  gs::view<const float, 2> keys, gs::view<const float, 2> values, gs::view<float, 2> out) {
  const std::size_t count = keys.extent(0), first_row = t.block_rank() * queries_of_block,
                    left = queries.extent(0) - first_row, rows = left < queries_of_block ? left : queries_of_block;
  const unsigned own = t.thread_rank();
  for (std::size_t i = own; i < queries_of_block * depth; i += queries_of_block) {
    const std::size_t row = i / depth, c = i % depth;
    s->query(row, c) = row < rows ? scale * queries(first_row + row, c) : 0.0f;
    s->sum(row, c) = 0;
  }
  partial p;
  for (std::size_t first = 0; first < count; first += tile) {
    const std::size_t here = count - first < tile ? count - first : tile;
    for (std::size_t i = own; i < here * depth; i += queries_of_block) {
      s->keys(i / depth, i % depth) = keys(first + i / depth, i % depth);
      s->values(i / depth, i % depth) = values(first + i / depth, i % depth);
    }
    t.sync();  // the tile is there
    for (std::size_t k = 0; k < here; ++k) {
      const float score = gs::sum(depth, [&](std::size_t c) { return s->query(own, c) * s->keys(k, c); });
      const partial next = with(p, score);
      const float old_ones = weight(p.largest, next.largest), this_one = weight(score, next.largest);
      for (std::size_t c = 0; c < depth; ++c) s->sum(own, c) = old_ones * s->sum(own, c) + this_one * s->values(k, c);
      p = next;
    }
    t.sync();  // nobody needs it any more
  }
  for (std::size_t c = 0; c < depth; ++c) s->sum(own, c) /= p.sum;
  t.sync();
  for (std::size_t i = own; i < rows * depth; i += queries_of_block)
    out(first_row + i / depth, i % depth) = s->sum(i / depth, i % depth);
}

matrix by_tiles(const matrix& queries, const matrix& keys, const matrix& values) {
  matrix out(queries.shape());
  gs::launch<attend>({.grid = (queries.extent(0) + queries_of_block - 1) / queries_of_block, .block = queries_of_block},
                     1 / std::sqrt(static_cast<float>(depth)), queries, keys, values, out);
  return out;
}

// --- two scores ------------------------------------------------------------------------------------------------------

GS_FN float by_the_formula(float x, float y) { return std::exp(y) / (std::exp(x) + std::exp(y)); }
GS_FN float below_the_largest(float x, float y) {
  const partial p = joined({x, 1}, {y, 1});
  return weight(y, p.largest) / p.sum;
}

void two_scores(workbook::report& report) {
  report.heading("Two scores");
  constexpr auto formula = gs::vectorize<by_the_formula>;
  constexpr auto shifted = gs::vectorize<below_the_largest>;
  const std::vector<float> x{1, 88, 90, -110, 0}, y{2, 89, 91, -109, 200};
  const std::vector<float> a = formula(x, y), b = shifted(x, y);
  auto& table =
      report.table("The share of the second", {"first", "second", "by the formula", "below the largest", "float64"});
  double worst = 0;
  const auto rounded = [](double v) { return std::round(1e4 * v) / 1e4; };
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = 1 / (1 + std::exp(static_cast<double>(x[i]) - static_cast<double>(y[i])));
    table.row(x[i], y[i], rounded(static_cast<double>(a[i])), rounded(static_cast<double>(b[i])), rounded(exact));
    const double off = std::abs(static_cast<double>(b[i]) - exact);
    worst = off <= worst ? worst : off;
  }
  report.check_at_most("below the largest: largest error", worst, 1e-6);
}

// --- one pass --------------------------------------------------------------------------------------------------------

void one_pass(std::uint64_t seed, workbook::report& report) {
  report.heading("In one pass");
  constexpr std::size_t n = 48;
  const std::vector<float> drawn = gs::normal<float>({n}, seed).copy_to_host();
  std::vector<double> scores, largest, sums;
  partial p;
  double shares = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const float score = 3 * drawn[k] + 0.1f * static_cast<float>(k);
    p = with(p, score);
    scores.push_back(static_cast<double>(score));
    largest.push_back(static_cast<double>(p.largest));
    sums.push_back(static_cast<double>(p.sum));
  }
  for (const double score : scores) shares += std::exp(score - static_cast<double>(p.largest));
  report.check_near("the sum of one pass, against float64", static_cast<double>(p.sum), shares, 1e-6);
  report.plot(workbook::xy_plot{.title = "The largest so far, and the sum below it",
                                .x = {.label = "score number"},
                                .series = {{.name = "score", .y = scores, .style = workbook::drawn_as::points},
                                           {.name = "largest so far", .y = largest},
                                           {.name = "sum of exp(score - largest)", .y = sums}}});
}

// --- right -----------------------------------------------------------------------------------------------------------

struct problem {
  matrix queries, keys, values;
};
// `spread` is that of the scores: with 30, exp alone would overflow.
problem random_problem(std::size_t n, std::size_t m, float spread, std::uint64_t seed) {
  const auto scaled = [](const matrix& x, float factor) {
    std::vector<float> host = x.copy_to_host();
    for (float& v : host) v *= factor;
    return gs::to_device(host).reshape({static_cast<std::ptrdiff_t>(x.extent(0)), std::ptrdiff_t{depth}});
  };
  return {scaled(gs::normal<float>({n, depth}, seed), spread), gs::normal<float>({m, depth}, seed + 1),
          gs::normal<float>({m, depth}, seed + 2)};
}

// A row of the result in float64.
std::vector<double> expected_row(const std::vector<float>& query, const std::vector<float>& keys,
                                 const std::vector<float>& values) {
  const std::size_t m = keys.size() / depth;
  std::vector<double> scores(m), row(depth);
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t c = 0; c < depth; ++c)
      scores[k] += static_cast<double>(query[c]) * static_cast<double>(keys[k * depth + c]);
    scores[k] /= std::sqrt(static_cast<double>(depth));
  }
  const double largest = *std::ranges::max_element(scores);
  double sum = 0;
  for (double& s : scores) sum += s = std::exp(s - largest);
  for (std::size_t k = 0; k < m; ++k)
    for (std::size_t c = 0; c < depth; ++c) row[c] += scores[k] / sum * static_cast<double>(values[k * depth + c]);
  return row;
}

// Of at most 64 rows, over the whole result.
double largest_error(const problem& p, const matrix& result) {
  const std::vector<float> queries = p.queries.copy_to_host(), keys = p.keys.copy_to_host(),
                           values = p.values.copy_to_host(), got = result.copy_to_host();
  const std::size_t n = p.queries.extent(0), step = n / 64 + 1;
  double worst = 0;
  for (std::size_t i = 0; i < n; i += step) {
    const auto begin = static_cast<std::ptrdiff_t>(i * depth);
    const std::vector<double> expected =
        expected_row({queries.begin() + begin, queries.begin() + begin + depth}, keys, values);
    for (std::size_t c = 0; c < depth; ++c) {
      const double off = std::abs(static_cast<double>(got[i * depth + c]) - expected[c]);
      worst = off <= worst ? worst : off;  // NaN is worse than anything
    }
  }
  return worst;
}

struct way {
  std::string name;
  matrix (*attention)(const matrix& queries, const matrix& keys, const matrix& values);
  bool stores_scores;
};
const std::vector<way>& ways() {
  static const std::vector<way> all{{"two products", by_products, true}, {"tiled", by_tiles, false}};
  return all;
}

void at_odd_sizes(std::size_t sizes, std::uint64_t seed, workbook::report& report) {
  report.heading("Against float64");
  const std::vector<std::pair<std::size_t, std::size_t>> odd{{33, 31}, {1, 1}, {31, 33}, {64, 32}, {1, 257}, {257, 1}};
  for (const way& w : ways())
    for (const float spread : {1.0f, 30.0f}) {
      double worst = 0;
      for (std::size_t k = 0; k < std::min(sizes, odd.size()); ++k) {
        const problem p = random_problem(odd[k].first, odd[k].second, spread, seed + k);
        const double off = largest_error(p, w.attention(p.queries, p.keys, p.values));
        worst = off <= worst ? worst : off;
      }
      report.check_at_most(w.name + (spread == 1 ? ", scores of size 1" : ", scores of size 30") + ": largest error",
                           worst, 2e-5);
    }
}

// --- what is stored, and how fast ------------------------------------------------------------------------------------

void what_is_stored(workbook::report& report) {
  report.heading("What is stored");
  auto& table = report.table("Numbers beside queries, keys, values and result", {"words", "two products", "tiled"});
  for (const std::size_t n : {1'000, 10'000, 100'000})
    table.row(n, workbook::bytes(sizeof(float) * static_cast<double>(n) * static_cast<double>(n)), 0);
}

void how_fast(std::size_t n, std::uint64_t seed, workbook::report& report) {
  report.heading("How fast");
  const problem p = random_problem(n, n, 1, seed);
  const auto pairs = static_cast<double>(n) * static_cast<double>(n);
  for (const way& w : ways()) {
    matrix result = w.attention(p.queries, p.keys, p.values);
    report.check_at_most(w.name + ": largest error of all words", largest_error(p, result), 2e-5);
    const auto call = [&] {
      result = w.attention(p.queries, p.keys, p.values);
      gs::synchronize();
    };
    report.timing(w.name, gs::timeit(call, {.runs = 3, .min_run_seconds = 0.05, .max_seconds = 1}),
                  {.operations = 4.0 * depth * pairs});
  }
}

// Words whose key is a place on three circles, and whose query is the place `back` words before: what each looks at.
void who_looks_where(workbook::report& report) {
  constexpr std::size_t n = 40;
  constexpr double back = 7;
  const auto places = [](double shift) {
    std::vector<float> rows(n * depth);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < depth; ++c) {
        const double angle = (static_cast<double>(i) - shift) / std::pow(1.6, static_cast<double>(c / 2) + 1);
        rows[i * depth + c] = static_cast<float>(4 * (c % 2 == 0 ? std::cos(angle) : std::sin(angle)));
      }
    return gs::to_device(rows).reshape({static_cast<std::ptrdiff_t>(n), std::ptrdiff_t{depth}});
  };
  matrix scores({n, n});
  gs::gemm(places(back), places(0), gs::out(scores),
           {.alpha = 1 / std::sqrt(static_cast<float>(depth)), .transpose_b = true});
  gs::launch<softmax_rows>({.grid = (n + 7) / 8, .block = 256}, scores);
  const std::vector<float> shares = scores.copy_to_host();
  std::size_t right = 0;
  for (std::size_t i = static_cast<std::size_t>(back); i < n; ++i) {
    const auto row = shares.begin() + static_cast<std::ptrdiff_t>(i * n);
    right += static_cast<std::size_t>(std::max_element(row, row + n) - row) + static_cast<std::size_t>(back) == i;
  }
  report.check_equal("words that look seven back", right, n - static_cast<std::size_t>(back));
  report.plot(workbook::heat_map{.title = "Who looks where",
                                 .x = {.label = "key"},
                                 .y = {.label = "query"},
                                 .value = {.label = "share", .min = 0},
                                 .rows = n,
                                 .columns = n,
                                 .values = shares,
                                 .colours = workbook::colour_map::inferno});
}

void run(const workbook::parameters& given, workbook::report& report) {
  two_scores(report);
  one_pass(given.seed(), report);
  who_looks_where(report);
  at_odd_sizes(given.size("sizes"), given.seed(), report);
  what_is_stored(report);
  how_fast(given.size(), given.seed(), report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 43,
          .name = "attention",
          .title = "Attention without the square",
          .summary = "A softmax that doesn't overflow, in one pass, and attention that never stores its scores.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "words: queries, and as many keys",
                                           .min = 1,
                                           .max = 20'000,
                                           .default_value = 2000,
                                           .inspected = 100},
                         workbook::integer{.name = "sizes",
                                           .text = "odd sizes to try as well",
                                           .min = 1,
                                           .max = 6,
                                           .default_value = 6,
                                           .inspected = 1}},
          .run = run};
}
