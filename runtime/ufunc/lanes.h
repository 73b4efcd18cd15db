#pragma once
// Lanes: elements that are computed together, and always by the same code.
//
// In a loop of any length g++ calls vector functions (runtime/math/vector_math.h) for most elements and scalar ones for
// the remainder, and the two differ in the last place: an element's value would depend on its position, and on where
// the work of two cores meets. So the loop that calls a ufunc's function has a fixed length and is compiled once. Where
// fewer elements remain, it recomputes elements before them, or computes copies of the last one: a ufunc's function may
// be called more often than there are elements, but never with operands that aren't in the arrays.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <type_traits>

#include "runtime/core/config.h"

// Before a loop over lanes. A compiler would unroll a loop this short before it tries to vectorise it; nvcc doesn't
// know that pragma.
#if defined(__CUDACC__)
#define GS_LANES GS_INDEPENDENT_TURNS
#elif defined(__clang__)
#define GS_LANES GS_INDEPENDENT_TURNS _Pragma("clang loop unroll(disable)")
#else
#define GS_LANES GS_INDEPENDENT_TURNS _Pragma("GCC unroll 1")
#endif

namespace gs::inline GS_FLAVOUR::detail {

/// How many elements of these types are computed together: a cache line of the smallest, which is also the longest
/// vector.
template <class... T>
inline constexpr std::size_t lane_count = std::bit_floor(std::max<std::size_t>(64 / std::min({sizeof(T)...}), 1));

/// One operand of a group of lanes.
template <class T, std::size_t Lanes>
struct lane_buffer {
  lane_buffer() {}  // holds nothing yet

  union {
    alignas(64) T values[Lanes];
  };
};

template <std::size_t Lanes, class T>
void fill_lanes(T* group, T value) {
  std::fill_n(group, Lanes, value);
}

/// How groups of lanes are read: along a row, or the same group each time.
enum class lane_steps : std::size_t { none = 0, along_row = ~std::size_t{0} };
template <class T>
struct lane_source {
  const T* data;
  lane_steps steps;
  void advance(std::size_t elements) { data += elements & static_cast<std::size_t>(steps); }
};

/// One value for all lanes. Terms that depend on such values alone are computed once, before the loop over the groups,
/// and by the same code as all others: g++ doesn't see that the lanes are alike.
template <class T>
struct lane_value {
  T value;
  void advance(std::size_t) {}
};

// The same two, as the loop over the groups reads them: by the group's first element in the row, and the lane.
template <class T>
struct open_source {
  explicit open_source(lane_source<T> source) : data(source.data), mask(static_cast<std::size_t>(source.steps)) {}
  T operator()(std::size_t first, std::size_t lane) const { return data[(first & mask) + lane]; }
  const T* data;
  std::size_t mask;
};
template <class T, std::size_t Lanes>
struct open_value {
  explicit open_value(T value) {
    fill_lanes<Lanes>(buffer.values, value);
    asm("" : "+m"(buffer));
  }
  T operator()(std::size_t, std::size_t lane) const { return buffer.values[lane]; }
  lane_buffer<T, Lanes> buffer;
};
template <std::size_t Lanes, class T>
open_source<T> open_lanes(lane_source<T> source) {
  return open_source<T>(source);
}
template <std::size_t Lanes, class T>
open_value<T, Lanes> open_lanes(lane_value<T> source) {
  return open_value<T, Lanes>(source.value);
}

/// Keeps g++ from transforming the loop that it stands in: one of few turns, or one whose turns must not become lanes.
[[gnu::always_inline]] inline void one_by_one() { asm volatile(""); }

/// Copies `count` neighbours.
template <class T>
void copy_lanes(T* group, const T* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    group[i] = from[i];
    one_by_one();
  }
}

/// Copies at most a group of neighbours, and `padding` to the lanes after them; likewise back from a group. g++ turns
/// these loops into masked loads and stores: a single access can be read back at once after it was written.
template <std::size_t Lanes, class T>
void copy_few(T* group, const T* from, std::size_t count, T padding) {
  GS_LANES
  for (std::size_t lane = 0; lane < Lanes; ++lane) group[lane] = lane < count ? from[lane] : padding;
}
template <std::size_t Lanes, class T>
void copy_few_back(T* to, const T* group, std::size_t count) {
  GS_LANES
  for (std::size_t lane = 0; lane < Lanes; ++lane)
    if (lane < count) to[lane] = group[lane];
}

/// out[i] = F(in[i], ...) for i < count, which is at least a group of lanes. A last group that isn't full recomputes
/// elements before it. `out` may be one of the inputs if the last group is full. Each of `in` is a
/// lane_source or a lane_value.
template <auto F, class R, class... Source>
[[gnu::noinline, gnu::noclone]] void compute_lanes(R* out, std::size_t count, Source... in) {
  constexpr std::size_t lanes = lane_count<R, decltype(open_lanes<1>(in)(0, 0))...>;
  const auto all_groups = [=](auto... source) __attribute__((always_inline)) {
    for (std::size_t first = 0, end = count / lanes * lanes;; first = count - lanes, end = count) {
      for (; first < end; first += lanes) {
        GS_LANES
        for (std::size_t lane = 0; lane < lanes; ++lane) out[first + lane] = F(source(first, lane)...);
      }
      if (end == count) return;
    }
  };
  all_groups(open_lanes<lanes>(in)...);
}

/// F of single values.
template <auto F, class R, class... T>
R compute_value(T... value) {
  constexpr std::size_t lanes = lane_count<R, T...>;
  const auto repeat = [](const auto& operand) {
    lane_buffer<std::remove_cvref_t<decltype(operand)>, lanes> buffer;
    fill_lanes<lanes>(buffer.values, operand);
    return buffer;
  };
  lane_buffer<R, lanes> out;
  [&](const auto&... buffer) {
    compute_lanes<F>(out.values, lanes, lane_source<T>{buffer.values, lane_steps::none}...);
  }(repeat(value)...);
  return out.values[0];
}

}  // namespace gs::inline GS_FLAVOUR::detail
