// Lesson 36: four libraries, each beside a kernel of our own: when to call, when to write, and what a call costs.

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

using complex = std::complex<float>;
template <class T>
using array = gs::device_array<T>;

// --- kernels of our own ----------------------------------------------------------------------------------------------

constexpr unsigned side = 16;
struct tiles {
  gs::tile<float, side, side> a, b;
};

// A product of matrices by tiles in shared memory, as in lesson 24.
GS_FN void multiply(gs::block<side, side> block, gs::shared<tiles> s, gs::view<const float, 2> a,
                    gs::view<const float, 2> b, gs::view<float, 2> c) {
  const std::size_t inner = a.extent(1);
  gs::per_thread sum(block, 0.0f);
  for (std::size_t k = 0; k < inner; k += side) {
    block.each([&](auto t) {
      s->a(t.y, t.x) = t.grid_y() < a.extent(0) && k + t.x < inner ? a(t.grid_y(), k + t.x) : 0;
      s->b(t.y, t.x) = k + t.y < inner && t.grid_x() < b.extent(1) ? b(k + t.y, t.grid_x()) : 0;
    });
    block.each([&](auto t) {
      for (unsigned i = 0; i < side; ++i) sum[t] += s->a(t.y, i) * s->b(i, t.x);
    });
  }
  block.each([&](auto t) {
    if (t.grid_y() < c.extent(0) && t.grid_x() < c.extent(1)) c(t.grid_y(), t.grid_x()) = sum[t];
  });
}

// One step of a Fourier transform: 2^log_stride transforms of `length` numbers become twice as many of half the length,
// and what comes out lies in order after the last step (T. G. Stockham, "High-speed convolution and correlation",
// 1966). `roots` are the powers of exp(-2 pi i / n).
GS_FN void butterflies(gs::thread t, std::size_t length, unsigned log_stride, gs::view<const complex> roots,
                       gs::view<const complex> in, gs::view<complex> out) {
  const std::size_t half = length / 2, stride = std::size_t{1} << log_stride;
  for (auto i : t.grid_stride(half * stride)) {
    const std::size_t q = i & (stride - 1), p = i >> log_stride;
    const complex root = roots[stride * p];
    const complex a = in[q + stride * p], b = in[q + stride * (p + half)];
    const float re = a.real() - b.real(), im = a.imag() - b.imag();
    out[q + stride * 2 * p] = complex(a.real() + b.real(), a.imag() + b.imag());
    out[q + stride * (2 * p + 1)] = complex(re * root.real() - im * root.imag(), re * root.imag() + im * root.real());
  }
}

// One step of a bitonic sort: elements `apart` places apart are put in order, upwards in one run of `run` places and
// downwards in the next (K. E. Batcher, "Sorting networks and their applications", 1968).
GS_FN void exchange(gs::thread t, std::size_t run, std::size_t apart, gs::view<float> x) {
  for (auto i : t.grid_stride(x.size() / 2)) {
    const std::size_t low = i + (i & ~(apart - 1)), partner = low + apart;  // `apart` is a power of two
    const bool upwards = (low & run) == 0;
    const float a = x[low], b = x[partner];
    if ((b < a) == upwards) x[low] = b, x[partner] = a;
  }
}
// The network has as many places as the next power of two; what follows the last key is larger than any.
GS_FN void fill(gs::thread t, gs::view<const float> x, gs::view<float> padded) {
  for (auto i : t.grid_stride(padded.size())) padded[i] = i < x.size() ? x[i] : std::numeric_limits<float>::infinity();
}

// A thread for each row of a sparse matrix.
GS_FN void multiply_rows(gs::thread t, gs::view<const int> starts, gs::view<const int> columns,
                         gs::view<const float> values, gs::view<const float> x, gs::view<float> y) {
  for (auto row : t.grid_stride(y.size())) {
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}

// The same product, knowing where the elements are: four times each cell minus its neighbours. Around the cells of x
// lies a border of zeros, so that no cell asks whether it has a neighbour.
constexpr unsigned wide = 64, high = 4;
GS_FN void star(gs::block<wide, high> block, gs::view<const float, 2> x, gs::view<float, 2> y) {
  const std::size_t top = std::size_t{high} * block.block_idx().y, left = std::size_t{wide} * block.block_idx().x;
  const std::size_t rows = y.extent(0) - top, columns = y.extent(1) - left;
  block.each_of(rows < high ? rows : high, columns < wide ? columns : wide, [&](std::size_t row, std::size_t column) {
    const std::size_t r = top + row, c = left + column;
    y(r, c) = 4 * x(r + 1, c + 1) - ((x(r, c + 1) + x(r + 2, c + 1)) + (x(r + 1, c) + x(r + 1, c + 2)));
  });
}

// --- five problems ---------------------------------------------------------------------------------------------------

// A thread for each of `n` elements, up to a limit; a grid-stride loop does the rest.
gs::launch_options blocks_for(std::size_t n) {
  return {.grid = std::clamp<std::size_t>((n + 255) / 256, 1, 64), .block = 256};
}

// Both ways write to an output of their own. `error` is the largest difference of either from float64, as a fraction of
// what rounding may cost: at most 1.
struct problem {
  std::string name;
  std::function<void()> ours, library;
  std::function<double()> error;
};

double larger(double a, double b) { return a <= b ? b : a; }  // NaN is larger than anything
constexpr double rounding = std::numeric_limits<float>::epsilon();

std::size_t root(std::size_t n) { return static_cast<std::size_t>(std::sqrt(static_cast<double>(n) + 0.5)); }
std::size_t pieces(std::size_t n, std::size_t of) { return (n + of - 1) / of; }

// `size` elements in the two matrices and their product.
problem product(std::size_t size, std::uint64_t seed) {
  const std::size_t n = std::max<std::size_t>(1, root(size / 3));
  struct arrays {
    array<float> a, b, ours, library;
  };
  const auto m = std::make_shared<arrays>(arrays{gs::uniform<float>({n, n}, seed), gs::uniform<float>({n, n}, seed + 1),
                                                 array<float>({n, n}), array<float>({n, n})});
  return {"matrix product",
          [=] {
            const std::size_t count = pieces(n, side);
            gs::launch<multiply>({.grid = {count, count}, .block = {side, side}}, m->a, m->b, m->ours);
          },
          [=] { gs::gemm(m->a, m->b, gs::out(m->library)); },
          [=] {
            const auto a = m->a.copy_to_host(), b = m->b.copy_to_host(), ours = m->ours.copy_to_host(),
                       library = m->library.copy_to_host();
            double worst = 0;
            for (std::size_t row = 0; row < n; row += pieces(n, 64)) {  // 64 rows, at most
              std::vector<double> sums(n);
              for (std::size_t k = 0; k < n; ++k)
                for (std::size_t c = 0; c < n; ++c)
                  sums[c] += static_cast<double>(a[row * n + k]) * static_cast<double>(b[k * n + c]);
              for (std::size_t c = 0; c < n; ++c)
                for (const float got : {ours[row * n + c], library[row * n + c]})
                  worst = larger(worst, std::abs(static_cast<double>(got) - sums[c]) /
                                            (static_cast<double>(n + 1) * rounding * sums[c]));
            }
            return worst;
          }};
}

// Ours takes powers of two only.
problem fourier(std::size_t size, std::uint64_t seed) {
  const std::size_t n = std::bit_floor(size);
  struct arrays {
    array<complex> x, roots, other, ours, library;
  };
  const std::vector<float> parts = gs::uniform<float>({2 * n}, seed).copy_to_host();
  std::vector<complex> x(n), roots(n / 2);
  for (std::size_t i = 0; i < n; ++i) x[i] = {parts[2 * i] - 0.5f, parts[2 * i + 1] - 0.5f};
  for (std::size_t p = 0; p < n / 2; ++p)
    roots[p] = complex(std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(p) / static_cast<double>(n)));
  const auto m = std::make_shared<arrays>(
      arrays{gs::to_device(x), gs::to_device(roots), array<complex>(n), array<complex>(n), array<complex>(n)});
  return {
      "Fourier transform",
      [=] {
        // From one array to the other and back, so that the last step writes to `ours`.
        const auto steps = static_cast<unsigned>(std::countr_zero(n));
        if (steps == 0) m->ours = m->x.copy();  // a single number is its own transform
        for (unsigned step = 0; step < steps; ++step) {
          const array<complex>& from = step == 0 ? m->x : (steps - step) % 2 == 0 ? m->ours : m->other;
          gs::launch<butterflies>(blocks_for(n / 2), n >> step, step, m->roots, from,
                                  (steps - step) % 2 == 0 ? m->other : m->ours);
        }
      },
      [=] { gs::fft(m->x, gs::out(m->library)); },
      [=] {
        const auto ours = m->ours.copy_to_host(), library = m->library.copy_to_host();
        double worst = 0;
        // By its definition, for some of the waves: the terms are at most 0.7.
        for (std::size_t wave = 0; wave < n; wave += pieces(n, 6)) {
          std::complex<double> sum = 0;
          for (std::size_t i = 0; i < n; ++i)
            sum += std::complex<double>(x[i]) *
                   std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(wave * i % n) / static_cast<double>(n));
          for (const complex got : {ours[wave], library[wave]})
            worst = larger(
                worst, std::abs(std::complex<double>(got) - sum) /
                           (8 * std::sqrt(static_cast<double>(n)) * std::log2(static_cast<double>(2 * n)) * rounding));
        }
        return worst;
      }};
}

problem sorting(std::size_t size, std::uint64_t seed) {
  struct arrays {
    array<float> x, ours, library;
  };
  const auto m = std::make_shared<arrays>(
      arrays{gs::uniform<float>({size}, seed), array<float>(std::bit_ceil(size)), array<float>(size)});
  return {"sort",
          [=] {
            gs::launch<fill>(blocks_for(m->ours.size()), m->x, m->ours);
            for (std::size_t run = 2; run <= m->ours.size(); run *= 2)
              for (std::size_t apart = run / 2; apart > 0; apart /= 2)
                gs::launch<exchange>(blocks_for(m->ours.size() / 2), run, apart, m->ours);
          },
          [=] { gs::sort(m->x, gs::out(m->library)); },
          [=] {
            auto expected = m->x.copy_to_host();
            std::ranges::sort(expected);
            const bool right =
                m->ours.slice(0, size).copy_to_host() == expected && m->library.copy_to_host() == expected;
            return right ? 0 : std::numeric_limits<double>::infinity();
          }};
}

// What flows out of each cell of a square in a step of diffusion (lesson 26), as a matrix: five elements in a row,
// fewer at the edge.
gs::csr_matrix<float> star_matrix(std::size_t width) {
  std::vector<int> starts{0}, columns;
  std::vector<float> values;
  const auto n = static_cast<int>(width);
  const auto add = [&](int row, int column, float value) {
    if (row < 0 || row >= n || column < 0 || column >= n) return;
    columns.push_back(row * n + column);
    values.push_back(value);
  };
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      add(row - 1, column, -1), add(row, column - 1, -1), add(row, column, 4);
      add(row, column + 1, -1), add(row + 1, column, -1);
      starts.push_back(static_cast<int>(values.size()));
    }
  return {{width * width, width * width}, starts, columns, values};
}

std::size_t square(std::size_t size) { return std::max<std::size_t>(1, root(size)); }

problem sparse(std::size_t size, std::uint64_t seed, bool known) {
  const std::size_t width = square(size), n = width * width;
  struct arrays {
    gs::csr_matrix<float> a;
    array<float> x, with_border, ours, library;
  };
  array<float> x = gs::uniform<float>({n}, seed);
  const std::vector<float> cells = x.copy_to_host();
  std::vector<float> with_border((width + 2) * (width + 2));
  for (std::size_t row = 0; row < width; ++row)
    std::copy_n(cells.begin() + static_cast<std::ptrdiff_t>(row * width), width,
                with_border.begin() + static_cast<std::ptrdiff_t>((row + 1) * (width + 2) + 1));
  const auto m = std::make_shared<arrays>(
      arrays{star_matrix(width), std::move(x), gs::to_device(with_border), array<float>(n), array<float>(n)});
  const auto by_rows = [=] {
    gs::launch<multiply_rows>(blocks_for(n), m->a.starts(), m->a.columns(), m->a.values(), m->x, m->ours);
  };
  const auto by_star = [=] {
    const auto w = static_cast<std::ptrdiff_t>(width);
    gs::launch<star>({.grid = {pieces(width, wide), pieces(width, high)}, .block = {wide, high}},
                     m->with_border.reshape({w + 2, w + 2}), m->ours.reshape({w, w}));
  };
  return {known ? "the same, known" : "sparse product", known ? std::function<void()>(by_star) : by_rows,
          [=] { gs::spmv(m->a, m->x, gs::out(m->library)); },
          [=] {
            const auto starts = m->a.starts().copy_to_host(), columns = m->a.columns().copy_to_host();
            const auto values = m->a.values().copy_to_host(), x = m->x.copy_to_host(), ours = m->ours.copy_to_host(),
                       library = m->library.copy_to_host();
            double worst = 0;
            for (std::size_t row = 0; row < n; ++row) {
              double sum = 0;
              for (auto k = static_cast<std::size_t>(starts[row]); k < static_cast<std::size_t>(starts[row + 1]); ++k)
                sum += static_cast<double>(values[k]) * static_cast<double>(x[static_cast<std::size_t>(columns[k])]);
              for (const float got : {ours[row], library[row]})
                worst = larger(worst, std::abs(static_cast<double>(got) - sum) / (5 * 8 * rounding));
            }
            return worst;
          }};
}

constexpr std::size_t problem_count = 5;
problem make_problem(std::size_t k, std::size_t size, std::uint64_t seed) {
  switch (k) {
    case 0:
      return product(size, seed);
    case 1:
      return fourier(size, seed);
    case 2:
      return sorting(size, seed);
    case 3:
      return sparse(size, seed, false);
    default:
      return sparse(size, seed, true);
  }
}

// --- the report ------------------------------------------------------------------------------------------------------

void both_are_right(std::size_t size, std::uint64_t seed, workbook::report& report) {
  report.heading("Two ways, one result");
  auto& table = report.table("Launches", {"problem", "ours", "library"});
  for (std::size_t k = 0; k < problem_count; ++k) {
    const problem p = make_problem(k, size, seed);
    const auto launches = [](const std::function<void()>& way) {
      const gs::ledger_scope scope;
      way();
      return scope.account().launches;
    };
    const auto ours = launches(p.ours), library = launches(p.library);
    table.row(p.name, ours, library);
    double worst = p.error();
    for (const std::size_t n : {1, 2, 31, 32, 33, 1009}) {
      const problem odd = make_problem(k, n, seed + n);
      odd.ours(), odd.library();
      worst = larger(worst, odd.error());
    }
    report.check_at_most(p.name + ": largest error, of what rounding may cost", worst, 1);
  }
}

double best_seconds(const std::function<void()>& way) {
  return gs::timeit([&] { way(), gs::synchronize(); }, {.runs = 3, .min_run_seconds = 0.01, .max_seconds = 0.25})
      .best();
}

void who_is_faster(std::size_t size, std::uint64_t seed, workbook::report& report) {
  report.heading("When to call");
  std::vector<std::size_t> sizes;
  for (std::size_t n = 16; n < size; n *= 8) sizes.push_back(n);
  sizes.push_back(size);
  auto& table = report.table("At full size", {"problem", "ours", "library", "times as fast"});
  auto& calls = report.table("What a call costs: the smallest size", {"problem", "ours", "library"});
  workbook::xy_plot plot{.title = "The library, beside a kernel of our own",
                         .x = {.label = "elements", .log = true},
                         .y = {.label = "times as fast", .log = true},
                         .references = {{.at = 1, .label = "as fast as ours"}}};
  for (std::size_t k = 0; k < problem_count; ++k) {
    workbook::series line{.style = workbook::drawn_as::line_and_points};
    std::vector<double> x, y;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const problem p = make_problem(k, sizes[i], seed);
      const double ours = best_seconds(p.ours), library = best_seconds(p.library);
      x.push_back(static_cast<double>(sizes[i]));
      y.push_back(ours / library);
      line.name = p.name;
      if (i == 0) calls.row(p.name, workbook::seconds(ours), workbook::seconds(library));
      if (i + 1 == sizes.size()) table.row(p.name, workbook::seconds(ours), workbook::seconds(library), ours / library);
      report.progress(static_cast<double>(k * sizes.size() + i + 1), static_cast<double>(problem_count * sizes.size()));
    }
    line.x = x, line.y = y;
    plot.series.push_back(std::move(line));
  }
  report.plot(std::move(plot));
}

// Where a small matrix of the star has its elements.
void draw_matrix(workbook::report& report) {
  constexpr std::size_t width = 6, n = width * width;
  const gs::csr_matrix<float> a = star_matrix(width);
  const auto starts = a.starts().copy_to_host(), columns = a.columns().copy_to_host();
  const auto values = a.values().copy_to_host();
  std::vector<double> elements(n * n, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t row = 0; row < n; ++row)
    for (auto k = static_cast<std::size_t>(starts[row]); k < static_cast<std::size_t>(starts[row + 1]); ++k)
      elements[row * n + static_cast<std::size_t>(columns[k])] = static_cast<double>(values[k]);
  report.plot(workbook::heat_map{.title = "What is stored of the matrix, for 6 x 6 cells",
                                 .x = {.label = "column"},
                                 .y = {.label = "row"},
                                 .value = {.label = "element", .min = -1, .max = 4},
                                 .rows = n,
                                 .columns = n,
                                 .values = std::move(elements)});
}

// What must be moved for each row of the star's matrix, if everything is moved once.
void what_is_known(std::size_t size, workbook::report& report) {
  report.heading("When to write");
  draw_matrix(report);
  const gs::csr_matrix<float> a = star_matrix(square(size));
  const auto rows = static_cast<double>(a.shape()[0]), stored = static_cast<double>(a.stored());
  const double vectors = 2 * sizeof(float);
  auto& table = report.table("Bytes, for each row", {"way", "values", "columns and starts", "x and y", "together"});
  const auto row = [&](const char* way, double values, double places) {
    table.row(way, values, places, vectors, values + places + vectors);
  };
  row("the matrix as CSR", stored * sizeof(float) / rows, (stored + rows + 1) * sizeof(int) / rows);
  row("known", 0, 0);
}

void run(const workbook::parameters& given, workbook::report& report) {
  both_are_right(given.size(), given.seed(), report);
  who_is_faster(given.size(), given.seed(), report);
  what_is_known(given.size(), report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 36,
          .name = "libraries",
          .title = "When to call, and when to write",
          .summary =
              "A matrix product, a Fourier transform, a sort and a sparse product: a kernel of our own beside "
              "the library's.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "elements of each problem",
                                           .min = 1,
                                           .max = 20'000'000,
                                           .default_value = 262'144,
                                           .inspected = 1000}},
          .run = run};
}
