#pragma once
// gs::softmax_cross_entropy: how far scores of classes are from the right ones.

#include <cmath>
#include <cstddef>
#include <memory>
#include <source_location>
#include <tuple>

#include "runtime/array/device_array.h"
#include "runtime/core/config.h"
#include "runtime/grad/tape.h"
#include "runtime/layers/layer_errors.h"
#include "runtime/math/sum.h"
#include "runtime/ufunc/guvectorize.h"

namespace gs::inline GS_FLAVOUR {

namespace detail {

template <class T>
GS_FN T largest_score(const view<const T>& scores) {
  T largest = scores[0];
  for (std::size_t k = 1; k < scores.size(); ++k) largest = scores[k] > largest ? scores[k] : largest;
  return largest;
}
GS_FN inline void check_label(int label, std::size_t classes) {
  if (label >= 0 && static_cast<std::size_t>(label) < classes) return;
#if defined(__CUDA_ARCH__)
  __trap();
#else
  refuse_label(label, classes);
#endif
}

// log(sum exp(scores)) - scores[label]. With the largest score taken off first, no exponential overflows, and the sum
// is 1 at least.
template <class T>
GS_FN void cross_entropy_of_row(view<const T> scores, int label, T& loss) {
  check_label(label, scores.size());
  const T largest = largest_score(scores);
  // Read before the sum, whose lanes leave few registers of a GPU.
  const T margin = largest - scores[static_cast<std::size_t>(label)];
  loss = margin + std::log(sum(scores.size(), [&](std::size_t k) { return std::exp(scores[k] - largest); }));
}
// result = factor * softmax(scores)
template <class T>
GS_FN void softmax_of_row(view<const T> scores, T factor, view<T> result) {
  const T largest = largest_score(scores);
  for (std::size_t k = 0; k < scores.size(); ++k) result[k] = std::exp(scores[k] - largest);
  const T scale = factor / sum(scores.size(), [&](std::size_t k) { return result[k]; });
  for (std::size_t k = 0; k < scores.size(); ++k) result[k] *= scale;
}
// softmax(scores), less 1 for the right class, times the loss's gradient.
template <class T>
GS_FN void cross_entropy_row_adjoint(view<const T> scores, int label, T gradient, view<T> by_scores) {
  check_label(label, scores.size());
  softmax_of_row(scores, gradient, by_scores);
  by_scores[static_cast<std::size_t>(label)] -= gradient;
}

inline constexpr auto cross_entropy_of_rows =
    guvectorize<cross_entropy_of_row<float>, "(c),()->()", cross_entropy_of_row<double>>;
inline constexpr auto cross_entropy_rows_adjoint =
    guvectorize<cross_entropy_row_adjoint<float>, "(c),(),()->(c)", cross_entropy_row_adjoint<double>>;

}  // namespace detail

/// -log softmax(scores)[label] for each row: of scores (batch, classes), float or double, and labels (batch,), the
/// number of each row's class from 0, the losses (batch,). Their mean is what a classifier is taught by. Scores of any
/// size are fine. Throws gs::error for other shapes; for a label that is no class's number from the next wait on the
/// engine, and on a GPU the kernel stops.
template <class T>
device_array<T> softmax_cross_entropy(const device_array<T>& scores, const device_array<int>& labels) {
  detail::check_scores(scores.shape(), labels.shape());
  return detail::cross_entropy_of_rows(scores, labels);
}

/// The gradient by the scores from that of the losses: (softmax(scores) - 1 at the label) * gradient.
template <class T>
device_array<T> softmax_cross_entropy_adjoint(const device_array<T>& gradient, const device_array<T>& scores,
                                              const device_array<int>& labels) {
  detail::check_scores(scores.shape(), labels.shape());
  detail::check_layer_gradient("softmax cross-entropy", gradient.shape(), labels.shape());
  return detail::cross_entropy_rows_adjoint(scores, labels, gradient);
}

/// The same, recorded; the labels are constants.
template <class T>
variable<T> softmax_cross_entropy(tape& recorder, const variable<T>& scores, const device_array<int>& labels,
                                  const std::source_location& place = std::source_location::current()) {
  const auto forward = [&](const device_array<T>& rows) { return softmax_cross_entropy(rows, labels); };
  const auto adjoint = [kept = detail::kept_array<int>(labels, place)](const device_array<T>& gradient,
                                                                       const device_array<T>& rows) {
    return std::tuple(softmax_cross_entropy_adjoint(gradient, rows, kept.get()));
  };
  return recorder.call(forward, adjoint, scores, place);
}

}  // namespace gs::inline GS_FLAVOUR
