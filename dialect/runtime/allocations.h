#pragma once
// allocations: what the program has allocated, by address.

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "runtime/array/device_memory.h"

namespace dialect {

enum class memory_use { device, managed, pinned, registered };

/// Memory that kernels may use.
struct allocation {
  const char* begin = nullptr;
  std::size_t bytes = 0;
  memory_use use = memory_use::device;
  std::shared_ptr<gs::detail::device_memory> owner = {};  ///< of device and managed memory of CUDA's calls

  bool on_device() const { return use == memory_use::device || use == memory_use::managed; }
  bool on_host() const { return use != memory_use::device; }
  /// Whether all of `[from, from + size)` lies in it.
  bool holds(const void* from, std::size_t size) const {
    const auto offset = static_cast<std::size_t>(static_cast<const char*>(from) - begin);
    return from >= begin && offset <= bytes && size <= bytes - offset;
  }
};

class allocation_table {
 public:
  static allocation_table& get();

  void add(allocation one);
  /// Takes the one that begins there out of the table.
  std::optional<allocation> take(const void* begin);
  /// The one that `address` lies in, or is the end of; or the array of gs's that it lies in.
  std::optional<allocation> find(const void* address) const;
  void clear();

 private:
  mutable std::mutex mutex_;
  std::map<const void*, allocation> by_begin_;
};

/// Whether the address is that of a variable of the program: what is declared __device__ or __constant__ is one.
bool is_variable(const void* address);

}  // namespace dialect
