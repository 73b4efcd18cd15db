#pragma once
// compile_mistakes: the commonest mistakes, recognised by the compiler's messages.

#include <string>

namespace exercises {

/// Whether the file is compiled together with checks that call it, as an exercise is, or alone.
enum class compiled_with { checks, nothing };

/// A sentence or two on what such messages usually mean; empty if none of them is known. `name` is the
/// learner's file as the messages call it.
std::string advice_for(const std::string& messages, const std::string& name,
                       compiled_with companions = compiled_with::checks);

/// The same for CUDA C++, which isn't told how to become gs: what C++ alone, or a header's package, explains.
std::string advice_on_cuda(const std::string& messages);

}  // namespace exercises
