#pragma once
// The extents of a 3 x 3 convolution, for the peers on both kinds of hardware.

#include <cstddef>

namespace bench::peers {

/// Pictures (batch, rows, columns, channels) and weights (3, 3, channels, outputs) give (batch, rows, columns,
/// outputs).
struct convolution_extents {
  std::size_t batch, rows, columns, channels, outputs;
};

}  // namespace bench::peers
