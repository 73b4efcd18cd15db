#pragma once
// Device memory that was lent to other libraries: which arrays, so that what comes back is known.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "python/core/any_array.h"

namespace gridstride_python {

/// Says that the array is lent from now on, until what is returned is destroyed. A loan in the ledger.
std::shared_ptr<any_array> lend(std::shared_ptr<any_array> array);
/// The lent array that begins at this address, with the same number of bytes; null if there is none.
std::shared_ptr<any_array> find_lent(const void* data, std::size_t bytes);
/// How many arrays are lent now.
std::size_t lent_now();

}  // namespace gridstride_python
