#pragma once
// linear_map: many steps of a generator at once, whose step is linear over GF(2).

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// A linear map over the bits of a state, a matrix over GF(2). Kept as the images of the 16 values of each group of
/// four bits, so that a state of 128 bits is mapped by 32 table entries and not by 128 columns ("the method of the four
/// Russians": Arlazarov, Dinic, Kronrod and Faradzhev, 1970). `State` consists of unsigned words of 32 or 64 bits.
template <class State>
class linear_map {
 public:
  /// `f` must be linear: f(a ^ b) == f(a) ^ f(b).
  template <class F>
  explicit linear_map(const F& f) {
    for (std::size_t g = 0; g < groups; ++g) {
      images_[g][0] = {};
      for (std::size_t bit = 0; bit < group_bits; ++bit) {
        const std::size_t half = std::size_t{1} << bit;
        const words image = std::bit_cast<words>(f(std::bit_cast<State>(unit(g * group_bits + bit))));
        for (std::size_t value = 0; value < half; ++value) {
          images_[g][half + value] = images_[g][value];
          add(images_[g][half + value], image);
        }
      }
    }
  }

  State operator()(const State& state) const {
    const words bits = std::bit_cast<words>(state);
    words result{};
    for (std::size_t g = 0; g < groups; ++g)
      add(result, images_[g][bits[g / groups_per_word] >> (g % groups_per_word * group_bits) & (values - 1)]);
    return std::bit_cast<State>(result);
  }

  /// This map, applied twice.
  linear_map squared() const {
    return linear_map([this](const State& state) { return (*this)((*this)(state)); });
  }

 private:
  static constexpr std::size_t group_bits = 4, values = std::size_t{1} << group_bits, word_bits = 32,
                               groups_per_word = word_bits / group_bits,
                               groups = sizeof(State) / sizeof(std::uint32_t) * groups_per_word;
  using words = std::array<std::uint32_t, sizeof(State) / sizeof(std::uint32_t)>;

  static void add(words& sum, const words& term) {
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] ^= term[k];
  }
  static words unit(std::size_t bit) {
    words one{};
    one[bit / word_bits] = std::uint32_t{1} << (bit % word_bits);
    return one;
  }

  std::array<std::array<words, values>, groups> images_;
};

}  // namespace gs::inline GS_FLAVOUR::detail
