#pragma once
// Elements that every rank can work out for every other, and what is said where they are wrong.

#include <complex>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "runtime/world/world.h"

namespace world_ranks {

struct sample {  // 12 bytes: no number
  float value = 0;
  int index = 0;
  char name[4] = "";
  bool operator==(const sample& other) const { return value == other.value && index == other.index; }
};

inline int failures = 0;
inline void expect(bool right, const char* of, std::size_t n) {
  if (right || ++failures > 20) return;
  std::printf("rank %d of %d: %s is wrong for %zu elements\n", gs::world().rank(), gs::world().size(), of, n);
}

/// Small enough that sums over ranks are exact in every type.
template <class T>
T number(int rank, std::size_t i) {
  const int small = (rank * 5 + static_cast<int>(i % 97) * 3) % 13 - 1;
  if constexpr (std::is_same_v<T, sample>)
    return {static_cast<float>(small), rank * 1000 + static_cast<int>(i), "ab"};
  else if constexpr (gs::detail::number_type_of<T>() >= gs::detail::number_type::complex64)
    return T(static_cast<typename T::value_type>(small), static_cast<typename T::value_type>(rank));
  else
    return static_cast<T>(small);
}
template <class T>
std::vector<T> numbers(int rank, std::size_t n) {
  std::vector<T> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = number<T>(rank, i);
  return result;
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}
template <class T>
std::vector<T> slice(const std::vector<T>& x, std::size_t begin, std::size_t length) {
  const auto first = x.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(length)};
}

}  // namespace world_ranks
