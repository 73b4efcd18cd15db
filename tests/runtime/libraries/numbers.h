#pragma once
// numbers: the same inputs in every run.

#include <complex>
#include <cstdint>
#include <random>
#include <vector>

namespace runtime_test {

/// `n` numbers in [-1, 1), complex ones with both parts there; another seed gives others.
template <class T>
std::vector<T> numbers(std::size_t n, unsigned seed) {
  std::mt19937 bits(seed);
  const auto next = [&] { return static_cast<double>(bits()) * 0x1p-31 - 1; };
  std::vector<T> numbers(n);
  for (T& x : numbers)
    if constexpr (requires { x.imag(); }) {
      const double real = next();
      x = T(static_cast<typename T::value_type>(real), static_cast<typename T::value_type>(next()));
    } else {
      x = static_cast<T>(next());
    }
  return numbers;
}

}  // namespace runtime_test
