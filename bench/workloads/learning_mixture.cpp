// The gradient of a mixture of Gaussians, as GradBench asks for it: see peers::mixture for the formula. float64.
#include <algorithm>
#include <cmath>

#include "bench/peers/peers.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/grad/tape.h"
#include "runtime/gs.h"
#include "runtime/layers/cross_entropy.h"
#include "runtime/numpy/numpy.h"

namespace bench {
namespace {

using doubles = gs::device_array<double>;

// --- factors: mu, q and l make one matrix, its adjoint takes it apart ------------------------------------------------

// Element (row, column) of the lower triangle, in an array of those below the diagonal.
GS_FN inline std::size_t below(std::size_t row, std::size_t column) { return row * (row - 1) / 2 + column; }

// w (dimensions + 1, components, dimensions): w(c, k, r) = Q[k](r, c), and in the last row -Q[k] mu[k], so that
// (x, 1) w = Q[k] (x - mu[k]). A thread has one (k, r).
GS_FN void make_factors(gs::thread t, gs::view<const double, 2> mu, gs::view<const double, 2> q,
                        gs::view<const double, 2> l, gs::view<double, 3> w) {
  const std::size_t dimensions = mu.extent(1);
  for (auto i : t.grid_stride(q.size())) {
    const std::size_t k = i / dimensions, r = i % dimensions;
    double image = 0;
    for (std::size_t c = 0; c < dimensions; ++c) {
      const double factor = c > r ? 0 : c == r ? std::exp(q(k, r)) : l(k, below(r, c));
      w(c, k, r) = factor;
      image += factor * mu(k, c);
    }
    w(dimensions, k, r) = -image;
  }
}
// A thread has one (k, r): by_q(k, r), by_mu(k, r), and row r of by_l[k].
GS_FN void take_factors_apart(gs::thread t, gs::view<const double, 2> mu, gs::view<const double, 2> q,
                              gs::view<const double, 2> l, gs::view<const double, 3> by_w, gs::view<double, 2> by_mu,
                              gs::view<double, 2> by_q, gs::view<double, 2> by_l) {
  const std::size_t dimensions = mu.extent(1);
  for (auto i : t.grid_stride(q.size())) {
    const std::size_t k = i / dimensions, r = i % dimensions;
    const double diagonal = std::exp(q(k, r)), by_image = by_w(dimensions, k, r);
    for (std::size_t c = 0; c < r; ++c) by_l(k, below(r, c)) = by_w(c, k, r) - by_image * mu(k, c);
    by_q(k, r) = (by_w(r, k, r) - by_image * mu(k, r)) * diagonal;
    double sum = diagonal * by_image;
    for (std::size_t below_r = r + 1; below_r < dimensions; ++below_r)
      sum += l(k, below(below_r, r)) * by_w(dimensions, k, below_r);
    by_mu(k, r) = -sum;
  }
}

gs::launch_options one_thread_each(std::size_t n) { return {.grid = (n + 127) / 128, .block = 128}; }

doubles factors(const doubles& mu, const doubles& q, const doubles& l) {
  const std::size_t components = mu.extent(0), dimensions = mu.extent(1);
  doubles w({dimensions + 1, components, dimensions});
  gs::launch<make_factors>(one_thread_each(q.size()), mu, q, l, w);
  return w;
}
std::tuple<doubles, doubles, doubles> factors_adjoint(const doubles& gradient, const doubles& mu, const doubles& q,
                                                      const doubles& l) {
  doubles by_mu(mu.shape()), by_q(q.shape()), by_l(l.shape());
  gs::launch<take_factors_apart>(one_thread_each(q.size()), mu, q, l, gradient, by_mu, by_q, by_l);
  return {std::move(by_mu), std::move(by_q), std::move(by_l)};
}

// --- rows: sums of squares, logarithms of sums of exponentials -------------------------------------------------------

GS_FN void square_of_row(gs::view<const double> x, double& square) {
  square = gs::sum(x.size(), [&](std::size_t i) { return x[i] * x[i]; });
}
constexpr auto squares = gs::guvectorize<square_of_row, "(d)->()">;
struct twice_the_product {
  GS_FN double operator()(double gradient, double x) const { return 2 * gradient * x; }
};
constexpr auto squares_adjoint = gs::vectorize<twice_the_product{}>;

GS_FN void log_sum_exp_of_row(gs::view<const double> x, double& result) {
  result = gs::detail::largest_score(x);  // from where the sum reads it: beside its lanes, a GPU has no registers left
  result += std::log(gs::sum(x.size(), [&](std::size_t k) { return std::exp(x[k] - result); }));
}
constexpr auto log_sum_exp = gs::guvectorize<log_sum_exp_of_row, "(k)->()">;
constexpr auto log_sum_exp_adjoint = gs::guvectorize<gs::detail::softmax_of_row<double>, "(k),()->(k)">;

auto recorded_log_sum_exp(gs::tape& tape, const gs::variable<double>& x) {
  return tape.call(
      [](const doubles& rows) { return log_sum_exp(rows); },
      [](const doubles& gradient, const doubles& rows) { return std::tuple(log_sum_exp_adjoint(rows, gradient)); }, x);
}

struct less_half {
  template <class T>
  GS_FN T operator()(T weight, T square) const {
    return weight - square / 2;
  }
};
struct exponential_squared {
  template <class T>
  GS_FN T operator()(T x) const {
    using std::exp;
    return exp(2 * x);
  }
};

// --- the posterior ---------------------------------------------------------------------------------------------------

struct mixture_arrays {
  explicit mixture_arrays(const peers::mixture_extents& e)
      : extents(e),
        x(e.points * e.dimensions),
        extended(e.points * (e.dimensions + 1),
                 [&](std::size_t i) {
                   const std::size_t point = i / (e.dimensions + 1), d = i % (e.dimensions + 1);
                   return d == e.dimensions ? 1 : uniform(point * e.dimensions + d, 1);
                 }),
        parameters(e.parameters(), [](std::size_t i) { return uniform(i, 2) - 0.5; }),
        out(1 + e.parameters()) {
    fill(x.span(), [](std::size_t i) { return uniform(i, 1); });
  }

  void run(gs::device_kind device) {
    const auto& [points, dimensions, components] = extents;
    std::size_t begin = 0;
    const auto next = [&](const doubles& whole, const gs::shape& shape) {
      doubles part = whole.slice(begin, begin + shape.size()).reshape(shape);
      begin += shape.size();
      return part;
    };
    const gs::shape matrix{components, dimensions}, triangles{components, extents.below()};
    const doubles& p = parameters.on(device);
    const doubles alpha = next(p, gs::shape(components)), mu = next(p, matrix), q = next(p, matrix),
                  l = next(p, triangles);
    const doubles rows = extended.on(device).reshape(gs::shape({points, dimensions + 1}));

    // What depends on the points, piece by piece: the images of a few of them fit into the caches.
    const doubles w = factors(mu, q, l), weights = alpha + gs::sum(q, gs::axis(1));
    doubles value = gs::zeros<double>({}), by_weights = gs::zeros_like(weights), by_w = gs::zeros_like(w);
    const std::size_t together = std::max<std::size_t>(64, (std::size_t{1} << 19) / (components * dimensions));
    for (std::size_t first = 0; first < points; first += together) {
      const std::size_t count = std::min(together, points - first);
      const doubles piece = rows.slice(first, first + count);
      const auto likelihood = gs::taped([&](gs::tape& tape, const auto& weight, const auto& factor) {
        const auto images = tape.gemm(piece, tape.reshape(factor, {dimensions + 1, components * dimensions}));
        const auto square = tape.call(
            [](const doubles& y) { return squares(y); },
            [&](const doubles& gradient, const doubles& y) {
              return std::tuple(squares_adjoint(gradient.reshape(gs::shape({count, components, std::size_t{1}})), y));
            },
            tape.reshape(images, {count, components, dimensions}));
        return tape.sum(recorded_log_sum_exp(tape, tape(gs::vectorize<less_half{}>, weight, square)));
      });
      const auto [part, by_weight, by_factor] = likelihood.value_and_grad(weights, w);
      value += part;
      by_weights += by_weight;
      by_w += by_factor;
    }

    // What doesn't; its gradient by q has what came through the weights, too.
    const double excess = prior.excess, spread = -prior.gamma * prior.gamma / 2, n = static_cast<double>(points);
    const auto rest = gs::taped([&](gs::tape& tape, const auto& a, const auto& log_diagonal, const auto& others) {
      const auto penalty =
          tape.sum(tape(gs::vectorize<exponential_squared{}>, log_diagonal)) + tape.sum(tape(gs::square, others));
      return penalty * spread + tape.sum(log_diagonal) * excess - recorded_log_sum_exp(tape, a) * n;
    });
    const auto [remaining, by_alpha, by_q, by_l] = rest.value_and_grad(alpha, q, l);
    const auto [by_mu, by_q_of_factors, by_l_of_factors] = factors_adjoint(by_w, mu, q, l);

    begin = 0;
    const auto add_to = [&](const doubles& a, const doubles& b) {
      doubles part = next(out.on(device), a.shape());
      gs::add(a, b, gs::out(part));
    };
    add_to(value.reshape({1}), remaining.reshape({1}));
    add_to(by_alpha, by_weights);
    doubles part = next(out.on(device), matrix);
    gs::positive(by_mu, gs::out(part));
    add_to(by_q + by_weights.reshape(gs::shape({components, std::size_t{1}})), by_q_of_factors);
    add_to(by_l, by_l_of_factors);
  }

  static constexpr peers::wishart prior{.gamma = 1, .excess = 0};
  peers::mixture_extents extents;
  large_buffer<double> x;  // for the peers
  array_everywhere<double> extended, parameters;
  outputs<double> out;
};

contest prepare(const peers::mixture_extents& e) {
  const auto a = std::make_shared<mixture_arrays>(e);
  contest c;
  add_ours(c, "", [a](gs::device_kind device) { a->run(device); });
  c.add("OpenMP, derivative by hand", role::peer, repeated([a] {
          peers::mixture(a->x.read(), a->parameters.host.read(), mixture_arrays::prior, a->out.host.span(), a->extents);
        }));
  constexpr tolerance allowed{.relative = 1e-9, .absolute = 1e-8};
  check_agreement(c, a->out, allowed);
  c.ask_outside(
      make_assignment("learning_mixture", c, a->out, allowed,
                      {{"x", a->x.read(), {e.points, e.dimensions}}, {"parameters", a->parameters.host.read()}},
                      {{"components", static_cast<double>(e.components)},
                       {"gamma", mixture_arrays::prior.gamma},
                       {"excess", mixture_arrays::prior.excess}}));
  return c;
}

}  // namespace

workload learning_mixture(std::size_t points, std::size_t dimensions, std::size_t components) {
  const peers::mixture_extents e{.points = points, .dimensions = dimensions, .components = components};
  return {.name = "learning_mixture_" + std::to_string(dimensions),
          .text = "the gradient of a mixture of " + std::to_string(components) + " Gaussians in " +
                  std::to_string(dimensions) + " dimensions, " + std::to_string(points) + " points",
          .elements = e.parameters(),
          .dtype = "float64",
          .memory = sizeof(double) * (4 * points * dimensions + 12 * e.parameters() + (std::size_t{1} << 22)),
          .wanted = demand{demand::of_peer, 1.15, "1.15 x peer"},
          .prepare = [e] { return prepare(e); }};
}

}  // namespace bench
