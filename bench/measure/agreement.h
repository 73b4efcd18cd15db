#pragma once
// Agreement: before entrants are timed against each other, they must have computed the same result.

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace bench {

/// Two ways to do a workload computed different results, so their times can't be compared.
class disagreement : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Values agree when |a - b| <= absolute + relative * |b|; NaN agrees with nothing.
struct tolerance {
  double relative = 0, absolute = 0;
};

/// Throws bench::disagreement, with the number of differences and the first of them, if the results differ.
void expect_agreement(const std::string& who, std::span<const float> result, const std::string& with,
                      std::span<const float> reference, tolerance allowed);
void expect_agreement(const std::string& who, std::span<const double> result, const std::string& with,
                      std::span<const double> reference, tolerance allowed);
/// Both parts of complex numbers have to agree.
void expect_agreement(const std::string& who, std::span<const std::complex<float>> result, const std::string& with,
                      std::span<const std::complex<float>> reference, tolerance allowed);
void expect_agreement(const std::string& who, std::span<const std::int16_t> result, const std::string& with,
                      std::span<const std::int16_t> reference, tolerance allowed);
void expect_agreement(const std::string& who, std::span<const std::uint32_t> result, const std::string& with,
                      std::span<const std::uint32_t> reference, tolerance allowed);

}  // namespace bench
