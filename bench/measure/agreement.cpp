#include "bench/measure/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "runtime/host/cores.h"

namespace bench {
namespace {

template <class T>
void compare(const std::string& who, std::span<const T> result, const std::string& with, std::span<const T> reference,
             tolerance allowed) {
  if (result.size() != reference.size())
    throw disagreement(fmt::format("{} gave {} values and {} gave {}", who, result.size(), with, reference.size()));
  const auto differs = [&](std::size_t i) {
    const double a = result[i], b = reference[i];
    return !(std::abs(a - b) <= allowed.absolute + allowed.relative * std::abs(b));
  };
  std::atomic<std::size_t> count{0}, first{result.size()};
  gs::for_pieces(result.size(), std::size_t{1} << 16, [&](std::size_t begin, std::size_t end) {
    std::size_t differences = 0, first_difference = end;
    for (std::size_t i = begin; i < end; ++i) {
      if (!differs(i)) continue;
      if (differences++ == 0) first_difference = i;
    }
    if (differences == 0) return;
    count += differences;
    std::size_t known = first;
    while (first_difference < known && !first.compare_exchange_weak(known, first_difference)) {
    }
  });
  if (count > 0)
    throw disagreement(fmt::format("{} and {} differ at {} of {} elements; the first is element {}: {} against {}", who,
                                   with, count.load(), result.size(), first.load(), result[first], reference[first]));
}

}  // namespace

void expect_agreement(const std::string& who, std::span<const float> result, const std::string& with,
                      std::span<const float> reference, tolerance allowed) {
  compare(who, result, with, reference, allowed);
}
void expect_agreement(const std::string& who, std::span<const double> result, const std::string& with,
                      std::span<const double> reference, tolerance allowed) {
  compare(who, result, with, reference, allowed);
}
void expect_agreement(const std::string& who, std::span<const std::complex<float>> result, const std::string& with,
                      std::span<const std::complex<float>> reference, tolerance allowed) {
  const auto parts = [](std::span<const std::complex<float>> x) {
    return std::span(reinterpret_cast<const float*>(x.data()), 2 * x.size());  // [complex.numbers] says so
  };
  compare(who, parts(result), with, parts(reference), allowed);
}
void expect_agreement(const std::string& who, std::span<const std::int16_t> result, const std::string& with,
                      std::span<const std::int16_t> reference, tolerance allowed) {
  compare(who, result, with, reference, allowed);
}
void expect_agreement(const std::string& who, std::span<const std::uint32_t> result, const std::string& with,
                      std::span<const std::uint32_t> reference, tolerance allowed) {
  compare(who, result, with, reference, allowed);
}

}  // namespace bench
