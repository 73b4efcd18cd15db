#pragma once
// refused: whether a call throws an error of the runtime whose text says what it should.

#include <gtest/gtest.h>

#include <exception>
#include <initializer_list>
#include <string>
#include <type_traits>

#include "runtime/core/error.h"

namespace runtime_test {

/// Runs `call`, which must throw E itself (not a class derived from it), with every part in its text.
///   EXPECT_TRUE(refused([&] { x.slice(3, 2); }, {"from 3 to 2", "(5,)"}));
template <class E = gs::error, class Call>
testing::AssertionResult refused(Call call, std::initializer_list<std::string> parts) {
  try {
    call();
  } catch (const E& failure) {
    const std::string text = failure.what();
    if (typeid(failure) != typeid(E))
      return testing::AssertionFailure() << "another kind of error was thrown: " << text;
    for (const std::string& part : parts)
      if (text.find(part) == text.npos) return testing::AssertionFailure() << "no '" << part << "' in: " << text;
    return testing::AssertionSuccess();
  } catch (const std::exception& wrong_exception) {
    return testing::AssertionFailure() << "another kind of exception was thrown: " << wrong_exception.what();
  }
  return testing::AssertionFailure() << "nothing was thrown";
}

}  // namespace runtime_test
