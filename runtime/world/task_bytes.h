#pragma once
// task_bytes: arguments and results of tasks, as bytes that travel from one process to another.

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "runtime/array/host_array.h"
#include "runtime/core/config.h"
#include "runtime/core/shape.h"
#include "runtime/world/rank_memory.h"

namespace gs::inline GS_FLAVOUR::detail {

using task_bytes = std::vector<unsigned char>;

/// Host arrays that own their elements, so that a new one can be made.
template <class T>
concept owning_array = host_array<T> && !std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>;
/// std::array and its like: its bytes are its elements.
template <class T>
concept flat_array = element<T> && requires { std::tuple_size<T>::value; };

/// What a task takes and returns.
template <class T>
concept task_value = (single_value<T> && element<T>) || flat_array<T> || owning_array<T>;

inline void pack_bytes(task_bytes& to, const void* data, std::size_t bytes) {
  const auto* const first = static_cast<const unsigned char*>(data);
  to.insert(to.end(), first, first + bytes);
}

template <task_value T>
void pack(task_bytes& to, const T& x) {
  if constexpr (element<T>) {
    pack_bytes(to, &x, sizeof x);
  } else {
    static_assert(element<host_value_t<T>>, "a task's arrays hold numbers or structs without pointers");
    const auto input = read_host(x);
    const std::size_t rank = input.extents.rank();
    pack_bytes(to, &rank, sizeof rank);
    for (std::size_t d = 0; d < rank; ++d) {
      const std::size_t extent = input.extents[d];
      pack_bytes(to, &extent, sizeof extent);
    }
    pack_bytes(to, input.data, input.extents.size() * sizeof(host_value_t<T>));
  }
}

/// Takes values out again, in the order in which they were packed.
class unpacker {
 public:
  explicit unpacker(std::span<const unsigned char> bytes) : rest_(bytes) {}

  template <task_value T>
  T take() {
    if constexpr (element<T>) {
      T x;
      take_bytes(&x, sizeof x);
      return x;
    } else {
      std::vector<std::size_t> extents(std::min(take<std::size_t>(), shape::max_rank));
      for (std::size_t& extent : extents) extent = take<std::size_t>();
      T x = made<T>(shape(extents));
      const auto output = write_host(x);
      take_bytes(output.data, output.extents.size() * sizeof(host_value_t<T>));
      return x;
    }
  }
  /// Throws gs::error if bytes are left, or were too few: the processes run different programs.
  void finish() const {
    if (!rest_.empty()) refuse();
  }

 private:
  template <class T>
  static T made(const shape& extents) {
    if constexpr (std::is_same_v<T, std::string>)
      return T(extents.size(), '\0');
    else
      return make_host_array<T>(extents);
  }
  void take_bytes(void* to, std::size_t bytes) {
    if (bytes > rest_.size()) refuse();
    if (bytes > 0) std::memcpy(to, rest_.data(), bytes);
    rest_ = rest_.subspan(bytes);
  }
  [[noreturn]] static void refuse();

  std::span<const unsigned char> rest_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
