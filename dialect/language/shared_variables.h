#pragma once
// Variables in shared memory: what `__shared__ float tile[16][16];` becomes (dialect/rewrite/).

#include <cstddef>
#include <list>
#include <mutex>
#include <optional>

#include "dialect/language/thread_marks.h"
#include "runtime/core/config.h"

namespace dialect {

/// Where a kernel's variables are in the shared memory of a block. A variable gets its place when a thread first comes
/// to its declaration, so only those count that the kernel uses, in whatever functions they stand.
class shared_layout {
 public:
  /// The place of a site, which has `bytes`. Stops the thread that asks if a block has no room for it.
  std::size_t offset_of(const void* site, std::size_t bytes, std::size_t alignment);
  /// Bytes of all variables, as far as they are known.
  std::size_t bytes() const;
  /// From now on launches have up to so many dynamic bytes.
  void reserve_dynamic(std::size_t bytes);

  /// For shared_probe.h: whether all variables are known; that they take so many bytes, or all that a block has beside
  /// the dynamic ones; and where the sums of bytes are written to while they aren't known.
  ///@{
  bool is_known() const;
  void set_known(std::size_t bytes);
  void take_all_room();
  void report_to(int descriptor);
  ///@}

 private:
  std::size_t room() const;

  struct variable {
    const void* site;
    std::size_t offset;
  };
  mutable std::mutex mutex_;
  // Not a vector, which grows by memmove(): the instruments would take that for an access of the kernel.
  std::list<variable> variables_;
  std::size_t bytes_ = 0, dynamic_bytes_ = 0;
  std::optional<std::size_t> known_bytes_;
  bool takes_all_room_ = false;
  int report_ = -1;
};

namespace detail {

template <class Site>
inline constinit char site_mark = 0;

}  // namespace detail

/// The block's variable of type T that is declared at `Site`, the type of a lambda that stands there and nowhere else.
template <class T, class Site>
[[gnu::always_inline]] inline T& shared_variable(Site) {
  static_assert(sizeof(T) <= 48 << 10, "__shared__: a block has 48 KiB of shared memory for its variables");
  auto* const memory = static_cast<char*>(gridstride_cuda_pointer(1));
  void* const layout = gridstride_cuda_pointer(3);
  return *reinterpret_cast<T*>(memory +
                               gridstride_cuda_shared_offset(&detail::site_mark<Site>, layout, sizeof(T), alignof(T)));
}

/// What `extern __shared__ T name[];` declares: the memory that the launch asked for.
template <class T>
[[gnu::always_inline]] inline T* dynamic_shared() {
  return static_cast<T*>(gridstride_cuda_pointer(2));
}

/// The same where it is declared outside of functions.
template <class T>
struct dynamic_shared_name {
  operator T*() const { return dynamic_shared<T>(); }  // NOLINT: converts as an array does
  template <class U>
  explicit operator U*() const {
    return reinterpret_cast<U*>(dynamic_shared<T>());
  }
};

}  // namespace dialect
