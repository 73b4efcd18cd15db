#pragma once
// The peers: what an expert writes by hand for one machine, with OpenMP over the cores and glibc's libmvec for vector
// math. Those with large outputs come in two variants, with plain and with streaming stores; the runtime has to match
// the faster one.
//
// All arrays of a call have the same length, any length, unless stated otherwise. Streaming needs an output at a
// multiple of 64 bytes and falls back to plain stores without.

#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bench/limits/stores.h"
#include "bench/peers/convolution_extents.h"

namespace bench::peers {

/// out = exp(-((x - mean) / sigma)^2 / 2) / (sigma * sqrt(2 pi)).
void gaussian_pdf(std::span<const float> x, float mean, float sigma, std::span<float> out, stores how);

/// Three steps in one loop: v = grey / 255 * weight; out = (e^v - e^-v) / (e^v + e^-v).
void neural_layer(std::span<const float> grey, std::span<const float> weight, std::span<float> out, stores how);

/// out = x + y.
void add(std::span<const float> x, std::span<const float> y, std::span<float> out, stores how);

/// out = x, or 0 where x is below the threshold.
void zero_suppress(std::span<const std::int16_t> x, std::int16_t threshold, std::span<std::int16_t> out, stores how);

/// out = the length of (x, y), the larger side taken out of the root: NaN for (0, 0).
void hypot(std::span<const float> x, std::span<const float> y, std::span<float> out, stores how);

/// out = the distance between two points in polar coordinates; angles in radians.
void polar_distance(std::span<const float> radius, std::span<const float> angle, std::span<const float> other_radius,
                    std::span<const float> other_angle, std::span<float> out, stores how);

/// out = a train of pulses: where sin(2 pi time / period) is above 0.3, what is above, drawn out to `height`; else 0.
void make_pulses(std::span<const float> time, float period, std::span<const float> height, std::span<float> out,
                 stores how);

/// out[r] = the Euclidean norm of row r of x, which has out.size() rows of that many columns. The compiler may add in
/// any order, and vectorises across rows of 2.
void l2_norm(std::span<const float> x, std::size_t columns, std::span<float> out);

/// One step of diffusion over n x n cells: out = u + rate * (sum of the four neighbours - 4 u). Beyond the edge the
/// cells at the edge repeat. The Laplacian, the term in brackets, is stored too if `laplacian` isn't empty.
void diffuse(std::span<const float> u, std::span<float> out, std::span<float> laplacian, std::size_t n, float rate);

/// 1 to 8 such steps in one pass over the field, without the Laplacian: the same bits as step by step.
void diffuse_steps(std::span<const float> u, std::span<float> out, std::size_t n, std::size_t steps, float rate);

/// out = 1 + x + x^2 + ... + x^degree, by Horner's rule.
void polynomial(std::span<const float> x, int degree, std::span<float> out);

/// The sum of x, in whatever order is fastest; the second by the standard library's parallel algorithm, on oneTBB.
float reduce(std::span<const float> x);
float reduce_by_algorithm(std::span<const float> x);

/// The sum of x * y, likewise.
float dot(std::span<const float> x, std::span<const float> y);
float dot_by_algorithm(std::span<const float> x, std::span<const float> y);

/// out, of columns x rows, is x, of rows x columns, with its rows as columns.
void transpose(std::span<const float> x, std::span<float> out, std::size_t rows, std::size_t columns, stores how);

/// c = a b for each of many square matrices that lie one behind the other.
void matmul_of_each(std::span<const float> a, std::span<const float> b, std::span<float> c, std::size_t side);

/// sums[k] = the sum of the values whose key is k, for keys from 0 to sums.size() - 1 that all occur: a
/// std::unordered_map for each core, and one of all.
void group_by(std::span<const std::int32_t> keys, std::span<const float> values, std::span<double> sums);

/// out[i] = values[k] with right[k] == left[i]; the right keys are different, and each left one is among them. By
/// std::unordered_map.
void join(std::span<const std::int32_t> left, std::span<const std::int32_t> right, std::span<const float> values,
          std::span<float> out);

/// c = a b for square matrices, row-major: every row of c is a sum of rows of b, which the compiler vectorises.
void matmul(std::span<const float> a, std::span<const float> b, std::span<float> c, std::size_t side);

// Where an expert calls a library, the peer is that library on threads of its own.

/// c = a b for square matrices, row-major: OpenBLAS.
void gemm(std::span<const float> a, std::span<const float> b, std::span<float> c, std::size_t side);

/// y = x convolved with 3 x 3 weights, 0 beyond the edge: pictures (batch, rows, columns, channels), weights (3, 3,
/// channels, outputs), row-major; the innermost loop over outputs is vectorised.
void convolution(std::span<const float> x, std::span<const float> w, std::span<float> y,
                 const convolution_extents& extents);

#if GRIDSTRIDE_ONEDNN
/// The same by oneDNN, planned when it is made, with the weights in the order that it likes.
class onednn_convolution {
 public:
  onednn_convolution(std::span<const float> x, std::span<const float> w, std::span<float> y,
                     const convolution_extents& extents);
  ~onednn_convolution();
  void run();

 private:
  struct state;
  std::unique_ptr<state> state_;
};
#endif

struct network_extents {
  std::size_t batch, inputs, hidden, classes;
  std::size_t parameters() const { return (inputs + 1) * hidden + (hidden + 1) * classes; }
};
/// A step of gradient descent of a network with one hidden layer: out = the loss, then parameters - rate * gradient.
/// The parameters are w1 (inputs, hidden), b1 (hidden), w2 (hidden, classes), b2 (classes), one behind the other; the
/// loss is the mean of softmax cross-entropies of tanh(x w1 + b1) w2 + b2, for pictures x (batch, inputs). Products of
/// matrices are OpenBLAS's.
void training_step(std::span<const float> x, std::span<const std::int32_t> labels, std::span<const float> parameters,
                   float rate, std::span<float> out, const network_extents& extents);

struct mixture_extents {
  std::size_t points, dimensions, components;
  std::size_t below() const { return dimensions * (dimensions - 1) / 2; }  ///< the diagonal of a factor
  std::size_t parameters() const { return components * (1 + 2 * dimensions + below()); }
};
/// The prior of a mixture's precisions: Wishart's distribution, as ADBench writes it.
struct wishart {
  double gamma = 1;
  int excess = 0;  ///< how many degrees of freedom there are beyond dimensions + 1
};
/// The mixture of Gaussians of ADBench (F. Srajer, Z. Kukelova, A. Fitzgibbon, "A benchmark of selected algorithmic
/// differentiation tools on some problems in computer vision and machine learning", 2018, section 4.1), with the signs
/// that GradBench mended. For points x (points, dimensions) and the parameters, one behind the other,
///   alpha (components), mu (components, dimensions), q (components, dimensions), l (components, below())
/// and Q[k] with exp(q[k]) on its diagonal and l[k] below it, row by row:
///   out[0]  the logarithm of the posterior probability, up to what doesn't depend on the parameters:
///           sum_i log sum_k exp(alpha[k] + sum(q[k]) - |Q[k] (x[i] - mu[k])|^2 / 2) - points log sum_k exp(alpha[k])
///           + sum_k (excess sum(q[k]) - gamma^2 / 2 (|exp(q[k])|^2 + |l[k]|^2))
///   out[1 ...]  its gradient by the parameters
void mixture(std::span<const double> x, std::span<const double> parameters, const wishart& prior, std::span<double> out,
             const mixture_extents& extents);

struct cluster_extents {
  std::size_t points, dimensions, clusters;
};
/// The step of Newton's method for k-means, as in GradBench (L. Bottou and Y. Bengio, "Convergence properties of the
/// k-means algorithms", 1995): out (clusters, dimensions) = gradient / diagonal of the Hessian, of the sum over points
/// (points, dimensions) of the squared distance to the nearest centroid (clusters, dimensions). Each centroid is the
/// nearest of a point at least.
void newton_step_of_clusters(std::span<const double> points, std::span<const double> centroids, std::span<double> out,
                             const cluster_extents& extents);

/// The Fourier transform of a square in both dimensions: FFTW, planned by estimate when it is made.
class fft2 {
 public:
  fft2(std::span<const std::complex<float>> x, std::span<std::complex<float>> out, std::size_t side);
  void operator()() const;

 private:
  std::unique_ptr<void, void (*)(void*)> plan_;
};

/// out = x, rows x columns, without its waves of fewer than `least` periods both down and across: FFTW there and back,
/// planned by estimate when it is made.
class fft_mask {
 public:
  fft_mask(std::span<const float> x, std::span<float> out, std::size_t rows, std::size_t columns);
  void operator()(std::size_t least);

 private:
  using plan = std::unique_ptr<void, void (*)(void*)>;
  std::size_t rows_, columns_;
  std::vector<std::complex<float>> spectrum_;
  plan forward_, inverse_;
};

/// out = x in ascending order: oneTBB.
void parallel_sort(std::span<const float> x, std::span<float> out);

/// counts[b] = how many x have b <= (x - low) * scale < b + 1, for all b but the last; there, all other x are counted,
/// NaN among them. `counts` has one more element than there are bins. Every core has counters of its own.
void histogram(std::span<const float> x, float low, float scale, std::span<std::uint32_t> counts);
/// The same with one set of counters for all cores.
void histogram_with_atomics(std::span<const float> x, float low, float scale, std::span<std::uint32_t> counts);

}  // namespace bench::peers
