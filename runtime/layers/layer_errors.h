#pragma once
// What layers refuse.

#include <cstddef>
#include <cstdint>

#include "runtime/core/config.h"
#include "runtime/core/shape.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Throw gs::error unless the shapes are those that the layer takes.
///@{
void check_dense(const shape& x, const shape& w, const shape& b);
void check_convolution(const shape& x, const shape& w);
void check_pictures(const char* layer, const shape& x);
void check_scores(const shape& scores, const shape& labels);
void check_layer_gradient(const char* layer, const shape& gradient, const shape& expected);
///@}
/// Throws gs::error: a label that is none of the classes' numbers.
[[noreturn]] void refuse_label(std::int64_t label, std::size_t classes);

}  // namespace gs::inline GS_FLAVOUR::detail
