#pragma once
// compile_mistakes: the mistakes that learners make most, known by what the compiler says of them.

#include <string>

namespace exercises {

/// Whether the file is compiled together with checks that call it, as an exercise is, or alone.
enum class compiled_with { checks, nothing };

/// One sentence or two on what is mostly meant by these messages; empty if they are none that is known. `name` is the
/// learner's file as the messages call it.
std::string advice_for(const std::string& messages, const std::string& name,
                       compiled_with others = compiled_with::checks);

}  // namespace exercises
