#pragma once
// verdict: whether the instruments find exactly the expected findings in a piece of code.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/core/function_ref.h"
#include "runtime/gs.h"
#include "runtime/instruments/inspect.h"

namespace runtime_test {

/// What a test expects of a finding.
struct expected_finding {
  gs::finding_kind kind;
  std::string at;           ///< text in the line of the access
  std::string other;        ///< text in the line of the other access; empty: there is none
  std::string element;      ///< the array's name and the index, "x[3]" or "a(3, 4)"; shared memory has no name: "[3]"
  std::uint64_t count = 1;  ///< how often; 0: not compared
};

/// All instruments, whatever the environment says.
gs::inspect_options all_instruments();
/// All instruments except one.
gs::inspect_options all_instruments_but(gs::instrument left_out);

/// Inspects `code`, which must not throw, and compares. On failure, prints the findings in the form of
/// expected_finding.
testing::AssertionResult verdict(gs::detail::function_ref<void()> code, const std::vector<expected_finding>& expected,
                                 const gs::inspect_options& options = all_instruments());
inline testing::AssertionResult clean(gs::detail::function_ref<void()> code,
                                      const gs::inspect_options& options = all_instruments()) {
  return verdict(code, {}, options);
}

/// The whole of an inspection except its seconds, line by line.
std::string text_of(const gs::inspection& inspection);

/// n elements of `value` on the device.
template <class T>
gs::device_array<T> filled(std::size_t n, T value,
                           const gs::detail::access_place& where = gs::detail::access_place::current()) {
  return gs::to_device(std::vector<T>(n, value), where);
}

}  // namespace runtime_test
