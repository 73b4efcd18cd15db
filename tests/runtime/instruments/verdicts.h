#pragma once
// verdict: whether the instruments find in a piece of code exactly what they should.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/core/function_ref.h"
#include "runtime/gs.h"
#include "runtime/instruments/inspect.h"

namespace runtime_test {

/// A finding, in short.
struct expected_finding {
  gs::finding_kind kind;
  std::string at;           ///< what stands in the line of the access
  std::string other;        ///< what stands in the line of the other access; empty: there is none
  std::string element;      ///< the array's name and the index, "x[3]" or "a(3, 4)"; shared memory has no name: "[3]"
  std::uint64_t count = 1;  ///< how often; 0: not compared
};

/// Everything on, whatever the environment says.
gs::inspect_options everything();
/// Everything but that.
gs::inspect_options without(gs::instrument one);

/// Inspects `code`, which must not throw, and compares. Tells what was found in the form in which it is expected.
testing::AssertionResult verdict(gs::detail::function_ref<void()> code, const std::vector<expected_finding>& expected,
                                 const gs::inspect_options& options = everything());
inline testing::AssertionResult clean(gs::detail::function_ref<void()> code,
                                      const gs::inspect_options& options = everything()) {
  return verdict(code, {}, options);
}

/// All of an inspection but its seconds, line by line.
std::string text_of(const gs::inspection& found);

/// n elements of `value` on the device.
template <class T>
gs::device_array<T> filled(std::size_t n, T value,
                           const gs::detail::access_place& where = gs::detail::access_place::current()) {
  return gs::to_device(std::vector<T>(n, value), where);
}

}  // namespace runtime_test
