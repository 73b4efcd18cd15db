#pragma once
// linear_map: many steps of a random_state at once.

#include <array>
#include <cstddef>

#include "runtime/core/config.h"
#include "runtime/random/random_state.h"

namespace gs::inline GS_FLAVOUR::detail {

/// A linear map over the 128 bits of a state, a 128 x 128 matrix over GF(2). Kept as the images of the 16 values of
/// each of the 32 groups of four bits, so that a state is mapped by 32 table entries and not by 128 columns ("the
/// method of the four Russians": Arlazarov, Dinic, Kronrod and Faradzhev, 1970).
class linear_map {
 public:
  /// `f` must be linear: f(a ^ b) == f(a) ^ f(b).
  template <class F>
  explicit linear_map(const F& f) {
    for (std::size_t g = 0; g < groups; ++g) {
      images_[g][0] = {0, 0};
      for (std::size_t bit = 0; bit < group_bits; ++bit) {
        const std::size_t half = std::size_t{1} << bit;
        const random_state image = f(unit(g * group_bits + bit));
        for (std::size_t value = 0; value < half; ++value) images_[g][half + value] = sum(images_[g][value], image);
      }
    }
  }

  random_state operator()(random_state state) const {
    random_state result{0, 0};
    for (std::size_t g = 0; g < groups / 2; ++g) {
      result = sum(result, images_[g][state.s0 >> (g * group_bits) & (values - 1)]);
      result = sum(result, images_[groups / 2 + g][state.s1 >> (g * group_bits) & (values - 1)]);
    }
    return result;
  }

  /// This map, applied twice.
  linear_map squared() const {
    return linear_map([this](random_state state) { return (*this)((*this)(state)); });
  }

 private:
  static constexpr std::size_t group_bits = 4, groups = 128 / group_bits, values = std::size_t{1} << group_bits;

  static random_state sum(random_state a, random_state b) { return {a.s0 ^ b.s0, a.s1 ^ b.s1}; }
  static random_state unit(std::size_t bit) {
    return bit < 64 ? random_state{std::uint64_t{1} << bit, 0} : random_state{0, std::uint64_t{1} << (bit - 64)};
  }

  std::array<std::array<random_state, values>, groups> images_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
