#pragma once
// The access picture: which lane of a warp touches which element, sector and bank.

#include <cstddef>
#include <string>

#include "runtime/instruments/results/counters.h"

namespace workbook {

/// One request of a warp to global memory, drawn by sectors, or to shared memory, drawn by banks.
struct access_picture {
  std::string title = {};
  gs::warp_picture warp = {};
  std::size_t request = 0;  ///< which of warp.requests
};

}  // namespace workbook
