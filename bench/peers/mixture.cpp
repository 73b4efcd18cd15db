#include <omp.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"

namespace bench::peers {
namespace {

// log sum exp(x), with exp(x) / sum exp(x) in place of x.
double to_shares(double* x, std::size_t n) {
  const double largest = *std::max_element(x, x + n);
  double total = 0;
  for (std::size_t k = 0; k < n; ++k) total += x[k] = std::exp(x[k] - largest);
  for (std::size_t k = 0; k < n; ++k) x[k] /= total;
  return largest + std::log(total);
}

}  // namespace

void mixture(std::span<const double> x, std::span<const double> parameters, const wishart& prior, std::span<double> out,
             const mixture_extents& e) {
  const std::size_t D = e.dimensions, K = e.components;
  const double* const alpha = parameters.data();
  const double* const mu = alpha + K;
  const double* const q = mu + K * D;
  const double* const l = q + K * D;

  // The factors' columns, one behind the other: what lies above the diagonal is 0 and isn't read.
  static std::vector<double> factors, sums;
  factors.resize(K * D * D);
  sums.assign(K, 0);
  double* const factor = factors.data();
  for (std::size_t k = 0; k < K; ++k)
    for (std::size_t r = 0; r < D; ++r) {
      sums[k] += q[k * D + r];
      factor[(k * D + r) * D + r] = std::exp(q[k * D + r]);
      for (std::size_t c = 0; c < r; ++c) factor[(k * D + c) * D + r] = l[k * e.below() + r * (r - 1) / 2 + c];
    }

  // For each thread a gradient: by alpha, mu, and the factors' columns.
  const std::size_t size = K + K * D + K * D * D;
  const auto threads = limits::threads();
  static std::vector<double> gradients;
  gradients.assign(threads * size, 0);
  double value = 0;
#pragma omp parallel num_threads(static_cast<int>(threads)) reduction(+ : value)
  {
    double* const by_alpha = gradients.data() + static_cast<std::size_t>(omp_get_thread_num()) * size;
    double* const by_mu = by_alpha + K;
    double* const by_factor = by_mu + K * D;
    std::vector<double> images(K * D), share(K);
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < e.points; ++i) {
      const double* const point = x.data() + i * D;
      for (std::size_t k = 0; k < K; ++k) {
        double* const z = images.data() + k * D;
        std::fill_n(z, D, 0.0);
        for (std::size_t c = 0; c < D; ++c) {
          const double* const column = factor + (k * D + c) * D;
          const double along = point[c] - mu[k * D + c];
#pragma omp simd
          for (std::size_t r = c; r < D; ++r) z[r] += column[r] * along;
        }
        double square = 0;
#pragma omp simd reduction(+ : square)
        for (std::size_t r = 0; r < D; ++r) square += z[r] * z[r];
        share[k] = alpha[k] + sums[k] - square / 2;
      }
      value += to_shares(share.data(), K);
      for (std::size_t k = 0; k < K; ++k) {
        by_alpha[k] += share[k];
        const double* const z = images.data() + k * D;
        for (std::size_t c = 0; c < D; ++c) {
          const double* const column = factor + (k * D + c) * D;
          double* const by_column = by_factor + (k * D + c) * D;
          const double along = share[k] * (point[c] - mu[k * D + c]);
          double towards = 0;
#pragma omp simd reduction(+ : towards)
          for (std::size_t r = c; r < D; ++r) {
            by_column[r] -= along * z[r];
            towards += column[r] * z[r];
          }
          by_mu[k * D + c] += share[k] * towards;
        }
      }
    }
  }
  double* const total = gradients.data();
  for (std::size_t thread = 1; thread < threads; ++thread)
    for (std::size_t i = 0; i < size; ++i) total[i] += gradients[thread * size + i];

  std::vector<double> weight(alpha, alpha + K);
  const auto n = static_cast<double>(e.points);
  value -= n * to_shares(weight.data(), K);
  double* const by_alpha = out.data() + 1;
  double* const by_mu = by_alpha + K;
  double* const by_q = by_mu + K * D;
  double* const by_l = by_q + K * D;
  const double spread = prior.gamma * prior.gamma;
  std::copy_n(total + K, K * D, by_mu);
  for (std::size_t k = 0; k < K; ++k) {
    by_alpha[k] = total[k] - n * weight[k];
    value += prior.excess * sums[k];
    const double* const by_factor = total + K + K * D + k * D * D;
    for (std::size_t r = 0; r < D; ++r) {
      const double diagonal = factor[(k * D + r) * D + r];
      value -= spread / 2 * diagonal * diagonal;
      by_q[k * D + r] = total[k] + by_factor[r * D + r] * diagonal + prior.excess - spread * diagonal * diagonal;
      for (std::size_t c = 0; c < r; ++c) {
        const std::size_t at = k * e.below() + r * (r - 1) / 2 + c;
        value -= spread / 2 * l[at] * l[at];
        by_l[at] = by_factor[c * D + r] - spread * l[at];
      }
    }
  }
  out[0] = value;
}

}  // namespace bench::peers
