#pragma once
// The arrays of a call as their elements: filled and compared on all cores.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "runtime/host/cores.h"

namespace grader {

template <class T>
std::span<T> elements(std::span<std::byte> bytes) {
  return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}
template <class T>
std::span<const T> elements(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

inline constexpr std::size_t elements_per_piece = std::size_t{1} << 14;

/// out[i] = element(i)
template <class T, class F>
void fill(std::span<T> out, const F& element) {
  gs::for_pieces(out.size(), elements_per_piece, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = element(i);
  });
}

struct wrong_elements {
  std::uint64_t count = 0;
  std::size_t first = ~std::size_t{0};

  void add(const wrong_elements& more) {
    count += more.count;
    first = std::min(first, more.first);
  }
};

/// How many i of [0, n) are wrong, and the first of them. Evaluates some of them twice.
template <class F>
wrong_elements find_wrong(std::size_t n, const F& is_wrong) {
  wrong_elements total;
  std::mutex mutex;
  gs::for_pieces(n, elements_per_piece, [&](std::size_t begin, std::size_t end) {
    wrong_elements here;
    for (std::size_t i = begin; i < end; ++i) here.count += is_wrong(i);  // no branch: vectorises
    if (here.count == 0) return;
    for (here.first = begin; !is_wrong(here.first);) ++here.first;
    const std::lock_guard lock(mutex);
    total.add(here);
  });
  return total;
}

}  // namespace grader
