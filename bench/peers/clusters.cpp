#include <omp.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"

namespace bench::peers {

void newton_step_of_clusters(std::span<const double> points, std::span<const double> centroids, std::span<double> out,
                             const cluster_extents& e) {
  const std::size_t D = e.dimensions, K = e.clusters, threads = limits::threads();
  // The centroids' coordinates side by side: vectors run across centroids.
  static std::vector<double> across, sums;
  across.resize(K * D);
  for (std::size_t k = 0; k < K; ++k)
    for (std::size_t d = 0; d < D; ++d) across[d * K + k] = centroids[k * D + d];
  const std::size_t size = K * (D + 1);  // for each thread: sums of points and, last, their number
  sums.assign(threads * size, 0);
#pragma omp parallel num_threads(static_cast<int>(threads))
  {
    double* const mine = sums.data() + static_cast<std::size_t>(omp_get_thread_num()) * size;
    std::vector<double> distance(K);
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < e.points; ++i) {
      const double* const point = points.data() + i * D;
      std::fill(distance.begin(), distance.end(), 0.0);
      for (std::size_t d = 0; d < D; ++d)
#pragma omp simd
        for (std::size_t k = 0; k < K; ++k) {
          const double apart = across[d * K + k] - point[d];
          distance[k] += apart * apart;
        }
      const auto nearest =
          static_cast<std::size_t>(std::min_element(distance.begin(), distance.end()) - distance.begin());
      for (std::size_t d = 0; d < D; ++d) mine[nearest * D + d] += point[d];
      mine[K * D + nearest] += 1;
    }
  }
  for (std::size_t thread = 1; thread < threads; ++thread)
    for (std::size_t i = 0; i < size; ++i) sums[i] += sums[thread * size + i];
  // Gradient 2 (n c - sum of points), Hessian 2 n.
  for (std::size_t k = 0; k < K; ++k)
    for (std::size_t d = 0; d < D; ++d) out[k * D + d] = centroids[k * D + d] - sums[k * D + d] / sums[K * D + k];
}

}  // namespace bench::peers
