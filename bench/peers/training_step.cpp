#include <cmath>
#include <vector>

#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"
#include "runtime/libraries/openblas.h"

namespace bench::peers {
namespace {

// c (m, n) = a (m, k) b (k, n), where a or b may be stored transposed.
void product(std::size_t m, std::size_t n, std::size_t k, const float* a, bool transpose_a, const float* b,
             bool transpose_b, float* c) {
  const auto extent = [](std::size_t x) { return static_cast<int>(x); };
  gs::detail::openblas().sgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans,
                               transpose_b ? CblasTrans : CblasNoTrans, extent(m), extent(n), extent(k), 1, a,
                               extent(transpose_a ? m : k), b, extent(transpose_b ? k : n), 0, c, extent(n));
}

// to = from - rate * (sum of the rows of x)
void step_of_biases(const float* from, const float* x, std::size_t rows, std::size_t columns, float rate, float* to) {
  for (std::size_t j = 0; j < columns; ++j) to[j] = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) to[j] += x[i * columns + j];
  for (std::size_t j = 0; j < columns; ++j) to[j] = from[j] - rate * to[j];
}
// to = from - rate * to
void step_of_weights(const float* from, std::size_t size, float rate, float* to) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < size; ++i) to[i] = from[i] - rate * to[i];
}

}  // namespace

void training_step(std::span<const float> x, std::span<const std::int32_t> labels, std::span<const float> parameters,
                   float rate, std::span<float> out, const network_extents& e) {
  gs::detail::openblas().set_num_threads(static_cast<int>(limits::threads()));
  static std::vector<float> hidden, by_hidden, scores;  // reused from call to call, as an expert would do
  hidden.resize(e.batch * e.hidden);
  by_hidden.resize(hidden.size());
  scores.resize(e.batch * e.classes);
  const float* const w1 = parameters.data();
  const float* const b1 = w1 + e.inputs * e.hidden;
  const float* const w2 = b1 + e.hidden;
  const float* const b2 = w2 + e.hidden * e.classes;
  float* const to_w1 = out.data() + 1;
  float* const to_b1 = to_w1 + e.inputs * e.hidden;
  float* const to_w2 = to_b1 + e.hidden;
  float* const to_b2 = to_w2 + e.hidden * e.classes;
  float* const h = hidden.data();
  float* const s = scores.data();

  product(e.batch, e.hidden, e.inputs, x.data(), false, w1, false, h);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < e.batch; ++i)
#pragma omp simd
    for (std::size_t j = 0; j < e.hidden; ++j) h[i * e.hidden + j] = std::tanh(h[i * e.hidden + j] + b1[j]);
  product(e.batch, e.classes, e.hidden, h, false, w2, false, s);

  // The gradient by the scores takes their place.
  double loss = 0;
  const float share = 1 / static_cast<float>(e.batch);
#pragma omp parallel for schedule(static) reduction(+ : loss)
  for (std::size_t i = 0; i < e.batch; ++i) {
    float* const row = s + i * e.classes;
    float largest = row[0] + b2[0], total = 0;
    for (std::size_t j = 0; j < e.classes; ++j) largest = std::fmax(largest, row[j] += b2[j]);
    const float right = row[labels[i]] - largest;
    for (std::size_t j = 0; j < e.classes; ++j) total += row[j] = std::exp(row[j] - largest);
    for (std::size_t j = 0; j < e.classes; ++j) row[j] *= share / total;
    row[labels[i]] -= share;
    loss += std::log(total) - right;
  }
  out[0] = static_cast<float>(loss / static_cast<double>(e.batch));

  product(e.hidden, e.classes, e.batch, h, true, s, false, to_w2);
  step_of_weights(w2, e.hidden * e.classes, rate, to_w2);
  step_of_biases(b2, s, e.batch, e.classes, rate, to_b2);
  product(e.batch, e.hidden, e.classes, s, false, w2, true, by_hidden.data());
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < hidden.size(); ++i) by_hidden[i] *= 1 - h[i] * h[i];
  product(e.inputs, e.hidden, e.batch, x.data(), true, by_hidden.data(), false, to_w1);
  step_of_weights(w1, e.inputs * e.hidden, rate, to_w1);
  step_of_biases(b1, by_hidden.data(), e.batch, e.hidden, rate, to_b1);
}

}  // namespace bench::peers
