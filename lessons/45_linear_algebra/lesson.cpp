// Lesson 45: linear algebra without a matrix. Where lesson 26's field comes to rest: by waiting, and by conjugate
// gradients.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "runtime/numpy/numpy.h"
#include "runtime/world/world.h"
#include "workbook/lesson.h"

template <class T>
using array = gs::device_array<T>;

// --- a sparse product, twice -----------------------------------------------------------------------------------------

// y = A x: four times each cell less its four neighbours, of which those beyond the edge are 0. What flows out of a
// cell in a step of diffusion, and so minus its Laplacian. The matrix of n x n cells has n^4 elements; it isn't stored.
template <class T>
GS_FN void outflow(gs::thread t, gs::view<const T, 2> x, gs::view<T, 2> y) {
  const std::size_t rows = x.extent(0), columns = x.extent(1);
  for (auto row : t.grid_stride_y(rows))
    for (auto column : t.grid_stride(columns)) {
      const T up = row > 0 ? x(row - 1, column) : 0, down = row + 1 < rows ? x(row + 1, column) : 0;
      const T left = column > 0 ? x(row, column - 1) : 0, right = column + 1 < columns ? x(row, column + 1) : 0;
      y(row, column) = 4 * x(row, column) - (up + down + (left + right));
    }
}

// The same matrix by its elements that aren't 0, row by row (compressed sparse rows): those of row r are numbers
// starts[r] to starts[r + 1] of `columns` and `values`.
template <class T>
struct sparse_matrix {
  array<int> starts, columns;
  array<T> values;
};
template <class T>
GS_FN void multiply_rows(gs::thread t, gs::view<const int> starts, gs::view<const int> columns,
                         gs::view<const T> values, gs::view<const T> x, gs::view<T> y) {
  for (auto row : t.grid_stride(y.size())) {
    T sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}

template <class T>
sparse_matrix<T> matrix_of(std::size_t side) {
  std::vector<int> starts{0}, columns;
  std::vector<T> values;
  const auto n = static_cast<int>(side);
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      const auto add = [&](int r, int c, T value) {
        if (r < 0 || r >= n || c < 0 || c >= n) return;
        columns.push_back(r * n + c);
        values.push_back(value);
      };
      add(row - 1, column, -1);
      add(row, column - 1, -1);
      add(row, column, 4);
      add(row, column + 1, -1);
      add(row + 1, column, -1);
      starts.push_back(static_cast<int>(columns.size()));
    }
  return {gs::to_device(starts), gs::to_device(columns), gs::to_device(values)};
}

template <class T>
void product(const array<T>& x, array<T>& y) {
  gs::launch<outflow<T>>({.grid = {2, 16}, .block = {64, 4}}, x, y);
}
template <class T>
void product(const sparse_matrix<T>& a, const array<T>& x, array<T>& y) {
  gs::launch<multiply_rows<T>>({.grid = 32, .block = 256}, a.starts, a.columns, a.values, x.reshape({-1}),
                               y.reshape({-1}));
}

// --- two ways to a state of rest -------------------------------------------------------------------------------------

struct add_scaled_of {
  template <class T>
  GS_FN T operator()(T x, T factor, T y) const {
    return x + factor * y;
  }
};
struct subtract_scaled_of {
  template <class T>
  GS_FN T operator()(T x, T factor, T y) const {
    return x - factor * y;
  }
};
// At rest the residual is 0: 0 / 0 counts as 0, so that no step is taken.
struct ratio_of {
  template <class T>
  GS_FN T operator()(T x, T y) const {
    return y == 0 ? T(0) : x / y;
  }
};
inline constexpr auto ratio = gs::vectorize<ratio_of{}>;
inline constexpr auto add_scaled = gs::vectorize<add_scaled_of{}>;
inline constexpr auto subtract_scaled = gs::vectorize<subtract_scaled_of{}>;

template <class T>
array<T> dot(const array<T>& x, const array<T>& y) {
  return gs::sum(x * y);  // of shape (): it stays on the device
}
template <class T>
double length(const array<T>& x) {
  return std::sqrt(static_cast<double>(dot(x, x).copy_to_host()[0]));
}
// |b - A x| / |b|, computed anew.
template <class T>
double residual(const array<T>& b, const array<T>& x) {
  array<T> y = gs::device_array_like(x);
  product(x, y);
  return length(b - y) / length(b);
}

// By waiting: diffusion with sources b, a step a product, until nothing changes any more (C. G. J. Jacobi, 1845).
template <class T>
class waiting {
 public:
  explicit waiting(const array<T>& b) : b_(b.copy()), x_(gs::zeros<T>(b.shape())), y_(gs::device_array_like(b)) {}
  void step() {
    product(x_, y_);
    gs::subtract(b_, y_, gs::out(y_));
    add_scaled(x_, T(0.25), y_, gs::out(x_));
  }
  const array<T>& x() const { return x_; }

 private:
  array<T> b_, x_, y_;
};

// Conjugate gradients (M. R. Hestenes and E. Stiefel, "Methods of Conjugate Gradients for Solving Linear Systems",
// 1952): each direction is such that going along it undoes nothing that the earlier ones have achieved. Its numbers
// are arrays of shape (), so that no step waits for the host.
template <class T>
class conjugate_gradients {
 public:
  explicit conjugate_gradients(const array<T>& b)
      : x_(gs::zeros<T>(b.shape())), r_(b.copy()), p_(b.copy()), q_(gs::device_array_like(b)), rr_(dot(r_, r_)) {}
  void step() {
    product(p_, q_);
    const array<T> along = ratio(rr_, dot(p_, q_));
    add_scaled(x_, along, p_, gs::out(x_));
    subtract_scaled(r_, along, q_, gs::out(r_));
    array<T> next = dot(r_, r_);
    add_scaled(r_, ratio(next, rr_), p_, gs::out(p_));
    rr_ = std::move(next);
  }
  const array<T>& x() const { return x_; }
  // The residual b - A x as the method carries it along, never computed anew.
  const array<T>& carried() const { return r_; }

 private:
  array<T> x_, r_, p_, q_, rr_;
};

// --- over ranks ------------------------------------------------------------------------------------------------------

// The product for some of the rows. x has a row more on either side: a neighbour's, or zeros beyond the edge.
GS_FN void outflow_of_rows(gs::thread t, gs::view<const double, 2> x, gs::view<double, 2> y) {
  const std::size_t columns = y.extent(1);
  for (auto row : t.grid_stride_y(y.extent(0)))
    for (auto column : t.grid_stride(columns)) {
      const double left = column > 0 ? x(row + 1, column - 1) : 0;
      const double right = column + 1 < columns ? x(row + 1, column + 1) : 0;
      y(row, column) = 4 * x(row + 1, column) - (x(row, column) + x(row + 2, column) + (left + right));
    }
}

// The same method, with the rows shared out. A product needs a row of each neighbour, and a dot product a number of
// each rank: these two are all that is sent.
class gradients_over_ranks {
 public:
  // b: this rank's rows.
  gradients_over_ranks(const gs::communicator& ranks, const array<double>& b)
      : ranks_(ranks),
        rows_(b.extent(0)),
        x_(gs::zeros<double>(b.shape())),
        r_(b.copy()),
        q_(gs::device_array_like(b)),
        p_(gs::zeros<double>({b.extent(0) + 2, b.extent(1)})),
        p_own_(p_.slice(1, rows_ + 1)) {
    gs::add(x_, b, gs::out(p_own_));  // x is 0
    rr_ = all(r_, r_);
  }
  void step() {
    exchange();
    gs::launch<outflow_of_rows>({.grid = {2, 16}, .block = {64, 4}}, p_, q_);
    const double pq = all(p_own_, q_), along = pq == 0 ? 0 : rr_ / pq;
    add_scaled(x_, along, p_own_, gs::out(x_));
    subtract_scaled(r_, along, q_, gs::out(r_));
    const double next = all(r_, r_);
    add_scaled(r_, rr_ == 0 ? 0 : next / rr_, p_own_, gs::out(p_own_));
    rr_ = next;
  }
  const array<double>& x() const { return x_; }
  double carried() const { return std::sqrt(rr_); }

 private:
  double all(const array<double>& x, const array<double>& y) const {
    return ranks_.allreduce(dot(x, y).copy_to_host()[0]);
  }
  void exchange() {
    enum : int { upwards, downwards };
    const int above = ranks_.rank() - 1, below = ranks_.rank() + 1;
    std::vector<gs::request<array<double>>> messages;
    if (above >= 0) {
      messages.push_back(ranks_.start_receive(p_.slice(0, 1), above, downwards));
      messages.push_back(ranks_.start_send(p_.slice(1, 2), above, upwards));
    }
    if (below < ranks_.size()) {
      messages.push_back(ranks_.start_receive(p_.slice(rows_ + 1, rows_ + 2), below, upwards));
      messages.push_back(ranks_.start_send(p_.slice(rows_, rows_ + 1), below, downwards));
    }
    for (auto& message : messages) static_cast<void>(message.wait());
  }

  gs::communicator ranks_;
  std::size_t rows_;
  array<double> x_, r_, q_, p_, p_own_;
  double rr_ = 0;
};

// --- what the lesson shows -------------------------------------------------------------------------------------------

// A spring and a drain.
template <class T>
array<T> sources(std::size_t side) {
  std::vector<T> b(side * side);
  b[side / 3 * side + side / 3] = 1;
  b[2 * side / 3 * side + 2 * side / 3] -= T(0.5);
  return gs::to_device(b).reshape(gs::shape({side, side}));
}

// A wave of one half period each way, which A only stretches: by 4 - 4 cos(pi / (side + 1)).
array<double> standing_wave(std::size_t side) {
  std::vector<double> wave;
  for (std::size_t row = 1; row <= side; ++row)
    for (std::size_t column = 1; column <= side; ++column)
      wave.push_back(std::sin(std::numbers::pi * static_cast<double>(row) / static_cast<double>(side + 1)) *
                     std::sin(std::numbers::pi * static_cast<double>(column) / static_cast<double>(side + 1)));
  return gs::to_device(wave).reshape(gs::shape({side, side}));
}

void products(std::size_t side, std::uint64_t seed, workbook::report& report) {
  report.heading("A product without a matrix");
  double difference = 0, stretch_error = 0;
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{31}, std::size_t{33}, side}) {
    const array<double> x = gs::normal<double>({n, n}, seed);
    array<double> by_cells = gs::device_array_like(x), by_rows = gs::device_array_like(x);
    product(x, by_cells);
    product(matrix_of<double>(n), x, by_rows);
    difference = std::max(difference, gs::max(gs::absolute(by_cells - by_rows)).copy_to_host()[0]);
    const array<double> wave = standing_wave(n);
    product(wave, by_cells);
    const double factor = 4 - 4 * std::cos(std::numbers::pi / static_cast<double>(n + 1));
    stretch_error = std::max(stretch_error, gs::max(gs::absolute(by_cells - wave * factor)).copy_to_host()[0]);
  }
  report.check_at_most("by cells and by rows: largest difference", difference, 1e-13);
  report.check_at_most("a standing wave is stretched: largest error", stretch_error, 1e-14);

  const array<double> x = gs::normal<double>({side, side}, seed);
  array<double> y = gs::device_array_like(x);
  const auto a = matrix_of<double>(side);
  const auto cells = static_cast<double>(side * side), entries = static_cast<double>(a.values.size());
  workbook::table& table = report.table("What a product reads and writes", {"product", {"bytes for each cell", ""}});
  table.row("by cells", 16);
  table.row("by rows", (12 * entries + 4 * cells + 16 * cells) / cells);
  const gs::timeit_options options{.min_run_seconds = 0.02, .max_seconds = 1};
  report.timing("by cells", gs::timeit([&] { product(x, y), gs::synchronize(); }, options));
  report.timing("by rows", gs::timeit([&] { product(a, x, y), gs::synchronize(); }, options));
}

struct run_of_residuals {
  std::vector<double> products, residuals;
  std::size_t needed = 0;  // products until the residual is a millionth; 0 if it wasn't reached
};

// Steps until the residual is `goal`, or `most` steps; looks at each step that is `factor` times further than the last.
template <class T, class Method>
run_of_residuals follow(Method& method, const array<T>& b, std::size_t most, double goal, double factor,
                        workbook::report& report) {
  run_of_residuals seen;
  double next = 1;
  for (std::size_t step = 1; step <= most; ++step) {
    method.step();
    if (static_cast<double>(step) < next && step < most) continue;
    next = std::max(next + 1, next * factor);
    const double left = residual(b, method.x());
    seen.products.push_back(static_cast<double>(step));
    seen.residuals.push_back(std::max(left, 1e-17));
    if (seen.needed == 0 && left <= 1e-6) seen.needed = step;
    report.progress(static_cast<double>(step), static_cast<double>(most), "steps");
    if (left <= goal) break;
  }
  return seen;
}

void at_rest(std::size_t side, std::size_t most, workbook::report& report) {
  report.heading("Two ways to a state of rest");
  const array<double> b = sources<double>(side);
  const array<float> b32 = sources<float>(side);
  waiting<double> slow(b);
  conjugate_gradients<double> fast(b);
  conjugate_gradients<float> rounded(b32);
  const std::size_t steps = std::min<std::size_t>(most, 12 * side + 20);
  const run_of_residuals by_waiting = follow(slow, b, most, 1e-6, 1.02, report);
  const run_of_residuals by_gradients = follow(fast, b, steps, 1e-13, 1.02, report);
  const run_of_residuals in_float32 = follow(rounded, b32, steps, 0, 1.02, report);

  workbook::table& table =
      report.table("Products until a millionth of the sources is left", {"method", "products", "residual at the end"});
  const auto row = [&](const std::string& name, const run_of_residuals& seen) {
    if (seen.needed > 0)
      table.row(name, seen.needed, seen.residuals.back());
    else
      table.row(name, "not reached", seen.residuals.back());
  };
  row("waiting", by_waiting);
  row("conjugate gradients", by_gradients);
  row("the same in float32", in_float32);

  workbook::table& belief = report.table("What is left after " + std::to_string(steps) + " steps in float32",
                                         {"residual", "|b - A x| / |b|"});
  const double carried = length(rounded.carried()) / length(b32), really = residual(b32, rounded.x());
  belief.row("carried along", carried);
  belief.row("computed anew", really);

  report.plot(workbook::xy_plot{
      .title = "What is left after so many products",
      .x = {.label = "products", .log = true},
      .y = {.label = "|b - A x| / |b|", .log = true},
      .series = {{.name = "waiting", .x = by_waiting.products, .y = by_waiting.residuals},
                 {.name = "conjugate gradients", .x = by_gradients.products, .y = by_gradients.residuals},
                 {.name = "in float32", .x = in_float32.products, .y = in_float32.residuals}}});
  report.plot(workbook::heat_map{.title = "At rest",
                                 .value = {.label = "height"},
                                 .rows = side,
                                 .columns = side,
                                 .values = fast.x().copy_to_host()});

  if (most >= 3 * side * side + 20) {
    report.check("both reach a millionth", by_waiting.needed > 0 && by_gradients.needed > 0);
    report.check_at_most("largest difference of the two states of rest",
                         gs::max(gs::absolute(slow.x() - fast.x())).copy_to_host()[0], 1e-3);
    report.check_at_most("conjugate gradients end with a residual of", by_gradients.residuals.back(), 1e-12);
    if (side >= 30)
      report.check("waiting takes at least ten times as many products", by_waiting.needed > 10 * by_gradients.needed);
  }
}

void one_wave(std::size_t side, workbook::report& report) {
  report.heading("One wave, one step");
  const array<double> wave = standing_wave(side);
  conjugate_gradients<double> method(wave);
  method.step();
  report.check_at_most("residual after one step", residual(wave, method.x()), 1e-12);
}

void costs(std::size_t side, workbook::report& report) {
  report.heading("What a step costs");
  const array<double> b = sources<double>(side);
  conjugate_gradients<double> method(b);
  const gs::ledger_scope scope;
  for (int step = 0; step < 10; ++step) method.step();
  report.account("ten steps", scope.account());
  report.check_equal("copies to the host", scope.account().copies_to_host, 0);
}

// All ranks call this; rank 0 reports. Each has as many rows as the others, or one fewer.
void over_ranks(const gs::communicator& world, std::size_t side, workbook::report& report) {
  report.heading("Over ranks");
  const auto ranks = static_cast<std::size_t>(world.size()), rank = static_cast<std::size_t>(world.rank());
  const array<double> b = sources<double>(side);
  const double goal = 1e-9 * length(b);
  gradients_over_ranks shared(world, b.slice(rank * side / ranks, (rank + 1) * side / ranks));
  const std::size_t most = 12 * side + 20;
  std::size_t steps = 0;
  while (steps < most && shared.carried() > goal) {
    shared.step();
    ++steps;
  }
  const auto whole = world.gather(shared.x());
  if (!whole) return;
  conjugate_gradients<double> alone(b);
  std::size_t steps_alone = 0;
  while (steps_alone < most && length(alone.carried()) > goal) {
    alone.step();
    ++steps_alone;
  }
  auto& table = report.table("Steps until a billionth of the sources is left",
                             {"ranks", "steps", "rows sent in a step", "sums over all ranks", "|b - A x| / |b|"});
  table.row(1, steps_alone, 0, 0, residual(b, alone.x()));
  table.row(ranks, steps, 2 * (ranks - 1), 2, residual(b, *whole));
  report.check_at_most("residual of the shared answer", residual(b, *whole), 2e-9);
  report.check_at_most(
      "difference of the two answers, of the largest value",
      gs::max(gs::absolute(*whole - alone.x())).copy_to_host()[0] / gs::max(gs::absolute(alone.x())).copy_to_host()[0],
      1e-6);
}

// Other ranks sleep while rank 0 does what takes no ranks: waiting for a message would keep a core busy.
void sleep_until_woken(const gs::communicator& world) {
  if (world.rank() == 0) {
    for (int other = 1; other < world.size(); ++other) world.send(0, other);
    return;
  }
  auto call = world.start_receive(0, 0);
  while (!call.done()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  static_cast<void>(call.wait());
}

void run(const workbook::parameters& given, workbook::report& report) {
  const gs::communicator& world = gs::world();
  const auto side = static_cast<std::size_t>(given.integer("side"));
  if (static_cast<std::size_t>(world.size()) > side)
    throw gs::error("sharing the field among " + std::to_string(world.size()) + " ranks",
                    "it has " + std::to_string(side) + " rows", "start fewer ranks, or choose a larger --side");
  if (world.rank() == 0) {
    products(side, given.seed(), report);
    at_rest(side, static_cast<std::size_t>(given.integer("products")), report);
    one_wave(side, report);
    costs(side, report);
  }
  sleep_until_woken(world);
  over_ranks(world, side, report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 45,
      .name = "linear_algebra",
      .title = "A state of rest",
      .summary = "A linear system of ten thousand unknowns without its matrix: by waiting, and by conjugate gradients.",
      .parameters = {workbook::integer{.name = "side",
                                       .text = "cells along each side",
                                       .min = 1,
                                       .max = 2000,
                                       .default_value = 100,
                                       .inspected = 20},
                     workbook::integer{.name = "products",
                                       .text = "how many products diffusion may take",
                                       .min = 1,
                                       .max = 100'000'000,
                                       .default_value = 100'000,
                                       .inspected = 30}},
      .run = run};
}
