#include "runtime/layers/layer_errors.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {

void check_dense(const shape& x, const shape& w, const shape& b) {
  if (x.rank() == 2 && w.rank() == 2 && b.rank() == 1 && x[1] == w[0] && w[1] == b[0]) return;
  throw error("a dense layer",
              fmt::format("the inputs have the shape {}, the weights {} and the biases {}", to_string(x), to_string(w),
                          to_string(b)),
              "give (batch, inputs), (inputs, outputs) and (outputs,)");
}

void check_convolution(const shape& x, const shape& w) {
  if (x.rank() == 4 && w.rank() == 4 && w[0] == 3 && w[1] == 3 && w[2] == x[3]) return;
  throw error("a 3x3 convolution",
              fmt::format("the pictures have the shape {} and the weights {}", to_string(x), to_string(w)),
              "give (batch, rows, columns, channels) and (3, 3, channels, outputs)");
}

void check_pictures(const char* layer, const shape& x) {
  if (x.rank() == 4) return;
  throw error(layer, fmt::format("the pictures have the shape {}", to_string(x)),
              "give (batch, rows, columns, channels)");
}

void check_scores(const shape& scores, const shape& labels) {
  if (scores.rank() == 2 && scores[1] > 0 && labels.rank() == 1 && scores[0] == labels[0]) return;
  throw error("softmax cross-entropy",
              fmt::format("the scores have the shape {} and the labels {}", to_string(scores), to_string(labels)),
              "give (batch, classes), at least one class, and (batch,)");
}

void check_layer_gradient(const char* layer, const shape& gradient, const shape& expected) {
  if (gradient == expected) return;
  throw error(fmt::format("the adjoint of {}", layer),
              fmt::format("the gradient has the shape {}", to_string(gradient)),
              fmt::format("give one of the result's shape, {}", to_string(expected)));
}

void refuse_label(std::int64_t label, std::size_t classes) {
  throw error("softmax cross-entropy", fmt::format("a label is {}", label),
              fmt::format("number the {} classes from 0 to {}", classes, classes - 1));
}

}  // namespace gs::inline GS_FLAVOUR::detail
