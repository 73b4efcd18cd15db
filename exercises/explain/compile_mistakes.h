#pragma once
// compile_mistakes: the mistakes that learners make most, known by what the compiler says of them.

#include <string>

namespace exercises {

/// One sentence or two on what is mostly meant by these messages; empty if they are none that is known. `name` is the
/// learner's file as the messages call it.
std::string advice_for(const std::string& messages, const std::string& name);

}  // namespace exercises
