#pragma once
// Device memory that was lent to other libraries: which arrays, so that what comes back is known, and how often.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "python/core/any_array.h"

namespace gridstride_python {

struct lent_total {
  std::uint64_t arrays = 0, bytes = 0;  ///< since the program started
  std::uint64_t held = 0;               ///< arrays that are lent now
};

/// Says that the array is lent from now on, until what is returned is destroyed.
std::shared_ptr<any_array> lend(std::shared_ptr<any_array> array);
/// The lent array that begins at this address, with the same number of bytes; null if there is none.
std::shared_ptr<any_array> find_lent(const void* data, std::size_t bytes);
lent_total lent_so_far();

}  // namespace gridstride_python
