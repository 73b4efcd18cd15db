// A step of Newton's method for k-means, as GradBench asks for it: see peers::newton_step_of_clusters. float64.
#include <algorithm>
#include <limits>

#include "bench/peers/peers.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/grad/grad.h"
#include "runtime/gs.h"
#include "runtime/numpy/numpy.h"

namespace bench {
namespace {

using doubles = gs::device_array<double>;

// The cost of a point is the sum of this over its coordinates and those of the nearest centroid.
struct squared_distance {
  template <class T>
  GS_FN T operator()(T centroid, T point) const {
    return (point - centroid) * (point - centroid);
  }
};

// The nearest of the centroids, whose coordinates lie side by side: (d, k). Some of them at a time, in registers.
GS_FN void nearest_of(gs::view<const double> point, gs::view<const double, 2> across, int& nearest) {
  constexpr std::size_t strip = 32;
  const std::size_t clusters = across.extent(1), strips_end = clusters / strip * strip;
  double least[strip], number[strip];
  for (std::size_t k = 0; k < strip; ++k) {
    least[k] = std::numeric_limits<double>::infinity();
    number[k] = 0;
  }
  for (std::size_t first = 0; first < strips_end; first += strip) {
    double distance[strip] = {};
    for (std::size_t d = 0; d < point.size(); ++d)
      for (std::size_t k = 0; k < strip; ++k) distance[k] += squared_distance()(across(d, first + k), point[d]);
    for (std::size_t k = 0; k < strip; ++k) {
      const bool nearer = distance[k] < least[k];
      number[k] = nearer ? static_cast<double>(first + k) : number[k];
      least[k] = nearer ? distance[k] : least[k];
    }
  }
  std::size_t best = 0;
  for (std::size_t k = 1; k < strip; ++k)
    if (least[k] < least[best] || (least[k] == least[best] && number[k] < number[best])) best = k;
  double distance_of_best = least[best], number_of_best = number[best];
  for (std::size_t k = strips_end; k < clusters; ++k) {
    double distance = 0;
    for (std::size_t d = 0; d < point.size(); ++d) distance += squared_distance()(across(d, k), point[d]);
    if (distance < distance_of_best) {
      distance_of_best = distance;
      number_of_best = static_cast<double>(k);
    }
  }
  nearest = static_cast<int>(number_of_best);
}
constexpr auto nearest_centroid = gs::guvectorize<nearest_of, "(d),(d,k)->()">;

// sums (threads, clusters, 2, dimensions): of the first and of the second derivatives of the points that each thread
// has. It is the adjoint of taking the nearest centroids; with sums of their own the threads always add in the same
// order.
GS_FN void sum_by_cluster(gs::thread t, gs::view<const int> nearest, gs::view<const double, 2> first,
                          gs::view<const double, 2> second, gs::view<double, 4> sums) {
  const std::size_t threads = sums.extent(0), dimensions = first.extent(1), thread = t.grid();
  if (thread >= threads) return;
  const std::size_t each = (nearest.size() + threads - 1) / threads, begin = thread * each,
                    end = begin + each < nearest.size() ? begin + each : nearest.size();
  for (std::size_t i = begin; i < end; ++i) {
    const auto k = static_cast<std::size_t>(nearest[i]);
    for (std::size_t d = 0; d < dimensions; ++d) {
      sums(thread, k, 0, d) += first(i, d);
      sums(thread, k, 1, d) += second(i, d);
    }
  }
}

struct cluster_arrays {
  // The first points are the centroids, so that each is the nearest of one.
  explicit cluster_arrays(const peers::cluster_extents& e)
      : extents(e),
        points(e.points * e.dimensions, [](std::size_t i) { return uniform(i, 1); }),
        centroids(e.clusters * e.dimensions, [](std::size_t i) { return uniform(i, 1); }),
        out(e.clusters * e.dimensions) {}

  void step(gs::device_kind device) {
    const auto& [n, dimensions, clusters] = extents;
    const doubles x = points.on(device).reshape(gs::shape({n, dimensions}));
    const doubles c = centroids.on(device).reshape(gs::shape({clusters, dimensions}));
    const auto nearest = nearest_centroid(x, gs::transpose(c));
    const doubles near = gs::take(c, nearest, gs::axis(0));
    const doubles first = gs::grad<squared_distance{}>(near, x);
    const doubles second = gs::grad<gs::grad<squared_distance{}>>(near, x);

    const std::size_t threads = std::clamp<std::size_t>(n / clusters, 1, device == gs::device_kind::cuda ? 1024 : 16);
    doubles sums = gs::zeros<double>({threads, clusters, std::size_t{2}, dimensions});
    gs::launch<sum_by_cluster>({.grid = threads, .block = 1}, nearest, first, second, sums);
    const doubles total = gs::sum(sums, gs::axis(0));
    const std::size_t rows = 2 * clusters;
    const doubles derivatives = gs::transpose(total, {1, 0, 2}).reshape(gs::shape({rows, dimensions}));
    doubles step = out.on(device).reshape(gs::shape({clusters, dimensions}));
    gs::divide(derivatives.slice(0, clusters), derivatives.slice(clusters, rows), gs::out(step));
  }

  peers::cluster_extents extents;
  array_everywhere<double> points, centroids;
  outputs<double> out;
};

contest prepare(const peers::cluster_extents& e) {
  const auto a = std::make_shared<cluster_arrays>(e);
  contest c;
  add_ours(c, "", [a](gs::device_kind device) { a->step(device); });
  c.add("OpenMP, derivatives by hand", role::peer, repeated([a] {
          peers::newton_step_of_clusters(a->points.host.read(), a->centroids.host.read(), a->out.host.span(),
                                         a->extents);
        }));
  constexpr tolerance allowed{.relative = 1e-9, .absolute = 1e-12};
  check_agreement(c, a->out, allowed);
  c.ask_outside(make_assignment("learning_clusters", c, a->out, allowed,
                                {{"points", a->points.host.read(), {e.points, e.dimensions}},
                                 {"centroids", a->centroids.host.read(), {e.clusters, e.dimensions}}},
                                {}, {e.clusters, e.dimensions}));
  return c;
}

}  // namespace

workload learning_clusters(std::size_t points, std::size_t dimensions, std::size_t clusters) {
  const peers::cluster_extents e{.points = points, .dimensions = dimensions, .clusters = clusters};
  return {.name = "learning_clusters",
          .text = "a step of Newton's method for " + std::to_string(clusters) + " means of " + std::to_string(points) +
                  " points in " + std::to_string(dimensions) + " dimensions",
          .elements = clusters * dimensions,
          .dtype = "float64",
          .operations = 3 * static_cast<double>(points * dimensions * clusters),
          .memory = sizeof(double) * (8 * points * dimensions + 64 * clusters * dimensions),
          .wanted = demand{demand::of_peer, 1.15, "1.15 x peer"},
          .prepare = [e] { return prepare(e); }};
}

}  // namespace bench
